package pdf

import (
	"bytes"
	"compress/zlib"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	_ "image/png"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// oneImage is a page with an image of 120 by 100 pixels on it; dict is the inside of its dictionary but for the size.
func oneImage(dict, data string) func(b *pdftest.Builder) {
	return func(b *pdftest.Builder) {
		n := b.Stream("/Type/XObject/Subtype/Image/Width 120/Height 100"+dict, data)
		b.Page(xobjects(n), "0 0 1 rg q 120 0 0 100 100 500 cm /X0 Do Q", "")
	}
}

// halves are rows of which the left 60 pixels are a, the others z, each pixel given by its bytes.
func halves(a, z string) string {
	return strings.Repeat(strings.Repeat(a, 60)+strings.Repeat(z, 60), 100)
}

func deflated(s string) string {
	var z bytes.Buffer
	w := zlib.NewWriter(&z)
	w.Write([]byte(s))
	w.Close()
	return z.String()
}

// white4 is a picture of white rows in Group 4: each is like the one above.
var white4 = strings.Repeat("\xFF", 13)[:12] + "\xF0\x01\x00\x10"

func jbig2White() string {
	seg := func(n, kind byte, data []byte) []byte {
		return append(binary.BigEndian.AppendUint32([]byte{0, 0, 0, n, kind, 0, 1}, uint32(len(data))), data...)
	}
	size := []byte{0, 0, 0, 120, 0, 0, 0, 100}
	page := seg(0, 48, append(bytes.Clone(size), make([]byte, 11)...))
	region := append(append(bytes.Clone(size), make([]byte, 9)...), 1) // at 0, 0; in Group 4
	return string(append(page, seg(1, 38, append(region, white4...))...))
}

func jpegData(t testing.TB, img image.Image) string {
	t.Helper()
	var b bytes.Buffer
	if err := jpeg.Encode(&b, img, &jpeg.Options{Quality: 95}); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func uniform(w, h int, c color.Color) image.Image {
	img := image.NewRGBA(image.Rect(0, 0, w, h))
	for i := range w * h {
		img.Set(i%w, i/w, c)
	}
	return img
}

func TestImage(t *testing.T) {
	red := jpegData(t, uniform(120, 100, color.RGBA{200, 10, 10, 255}))
	tint := "/FunctionType 2/Domain[0 1]/C0[1 1 1]/C1[1 0 0]/N 1"
	bits := func(row string) string { return strings.Repeat(row, 100) }
	half := strings.Repeat("\xFF", 7) + "\xF0" + strings.Repeat("\x00", 7) // 60 ones, 60 zeros
	white, black := color.RGBA{255, 255, 255, 255}, color.RGBA{0, 0, 0, 255}
	tests := []struct {
		name        string
		build       func(b *pdftest.Builder)
		format      string
		left, right color.RGBA
	}{
		{"gray", oneImage("/BitsPerComponent 8/ColorSpace/DeviceGray", halves("\x40", "\xC0")), "png", color.RGBA{64, 64, 64, 255}, color.RGBA{192, 192, 192, 255}},
		{"gray, inverted", oneImage("/BitsPerComponent 8/ColorSpace/CalGray/Decode[1 0]", halves("\x40", "\xC0")), "png", color.RGBA{191, 191, 191, 255}, color.RGBA{63, 63, 63, 255}},
		{"one bit", oneImage("/BitsPerComponent 1/ColorSpace/DeviceGray", bits(half)), "png", white, black},
		{"four bits", oneImage("/BitsPerComponent 4/ColorSpace/DeviceGray", strings.Repeat(strings.Repeat("\x33", 30)+strings.Repeat("\xFF", 30), 100)), "png", color.RGBA{51, 51, 51, 255}, white},
		{"16 bits", oneImage("/BitsPerComponent 16/ColorSpace/DeviceRGB", halves("\xFF\xFF\x00\x00\x80\x00", "\x00\x00\xFF\xFF\x00\x00")), "png", color.RGBA{255, 0, 128, 255}, color.RGBA{0, 255, 0, 255}},
		{"rgb, deflated", oneImage("/BitsPerComponent 8/ColorSpace[/CalRGB<<>>]/Filter/FlateDecode", deflated(halves("\x10\x20\x30", "\x90\xA0\xB0"))), "png", color.RGBA{16, 32, 48, 255}, color.RGBA{144, 160, 176, 255}},
		{"cmyk", oneImage("/BitsPerComponent 8/ColorSpace/DeviceCMYK", halves("\x00\xFF\xFF\x00", "\x00\x00\x00\xFF")), "png", color.RGBA{255, 0, 0, 255}, black},
		{"profile", func(b *pdftest.Builder) {
			p := b.Stream("/N 3", "no profile")
			oneImage(fmt.Sprintf("/BitsPerComponent 8/ColorSpace[/ICCBased %d 0 R]", p), halves("\x10\x20\x30", "\xFF\xFF\xFF"))(b)
		}, "png", color.RGBA{16, 32, 48, 255}, white},
		{"palette", oneImage("/BitsPerComponent 2/ColorSpace[/Indexed/DeviceRGB 2<0000FF 00FF00 FF0000>]", strings.Repeat(strings.Repeat("\x55", 15)+strings.Repeat("\xAA", 15), 100)), "png", color.RGBA{0, 255, 0, 255}, color.RGBA{255, 0, 0, 255}},
		{"lab", oneImage("/BitsPerComponent 8/ColorSpace[/Lab<</WhitePoint[.9505 1 1.089]/Range[-128 127 -128 127]>>]", halves("\xFF\x80\x80", "\x00\x80\x80")), "png", white, black},
		{"separation", oneImage("/BitsPerComponent 8/ColorSpace[/Separation/Red/DeviceRGB<<"+tint+">>]", halves("\xFF", "\x00")), "png", color.RGBA{255, 0, 0, 255}, white},
		{"inks by a calculator", func(b *pdftest.Builder) {
			fn := b.Stream("/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1]", "{ 1 exch sub exch 1 exch sub dup 3 -1 roll dup 0.5 gt { } { pop 0 } ifelse }")
			oneImage(fmt.Sprintf("/BitsPerComponent 8/ColorSpace[/DeviceN[/A/B]/DeviceRGB %d 0 R]", fn), halves("\x00\x00", "\xFF\xFF"))(b)
		}, "png", white, black},
		{"stencil", oneImage("/ImageMask true/BitsPerComponent 1", bits(half)), "png", white, color.RGBA{0, 0, 255, 255}},
		{"fax", oneImage("/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 120/Rows 100>>", white4), "png", white, white},
		{"fax, black is 1", oneImage("/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 120/BlackIs1 true>>", white4), "png", black, black},
		{"JBIG2", oneImage("/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode", jbig2White()), "png", white, white},
		{"JPEG as it is", oneImage("/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode", red), "jpeg", color.RGBA{200, 10, 10, 255}, color.RGBA{200, 10, 10, 255}},
		{"JPEG, inverted", oneImage("/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode/Decode[1 0 1 0 1 0]", red), "png", color.RGBA{55, 245, 245, 255}, color.RGBA{55, 245, 245, 255}},
		{"JPEG, deflated", oneImage("/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter[/FlateDecode/DCTDecode]", deflated(red)), "jpeg", color.RGBA{200, 10, 10, 255}, color.RGBA{200, 10, 10, 255}},
		{"soft mask", func(b *pdftest.Builder) {
			m := b.Stream("/Type/XObject/Subtype/Image/Width 2/Height 1/BitsPerComponent 8/ColorSpace/DeviceGray", "\xFF\x00")
			oneImage(fmt.Sprintf("/BitsPerComponent 8/ColorSpace/DeviceGray/SMask %d 0 R", m), halves("\x40", "\x40"))(b)
		}, "png", color.RGBA{64, 64, 64, 255}, color.RGBA{}},
		{"mirrored", func(b *pdftest.Builder) {
			n := b.Stream("/Type/XObject/Subtype/Image/Width 120/Height 100/BitsPerComponent 8/ColorSpace/DeviceGray", halves("\x00", "\xFF"))
			b.Page(xobjects(n), "q -120 0 0 100 220 500 cm /X0 Do Q", "")
		}, "png", white, black},
		{"too little data", oneImage("/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/FlateDecode", deflated(halves("\x40", "\xC0")[:8000])), "png", color.RGBA{64, 64, 64, 255}, color.RGBA{192, 192, 192, 255}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			tt.build(b)
			im := open(t, b.Bytes(), nil).(extract.Imager)
			got, err := im.Image(t.Context(), 1, 0)
			if err != nil {
				t.Fatal(err)
			}
			if got.Format != tt.format || got.Width != 120 || got.Height != 100 {
				t.Errorf("Image = %s, %d by %d, want %s, 120 by 100", got.Format, got.Width, got.Height, tt.format)
			}
			img, format, err := image.Decode(bytes.NewReader(got.Data))
			if err != nil || format != tt.format {
				t.Fatalf("the file: %s, %v", format, err)
			}
			for x, want := range map[int]color.RGBA{10: tt.left, 110: tt.right} {
				c := color.RGBAModel.Convert(img.At(x, 30)).(color.RGBA)
				if diff(c.R, want.R)+diff(c.G, want.G)+diff(c.B, want.B)+diff(c.A, want.A) > 9 {
					t.Errorf("pixel %d: %v, want %v", x, c, want)
				}
			}
		})
	}
}

func diff(a, b uint8) int { return max(int(a)-int(b), int(b)-int(a)) }

func TestImageStrips(t *testing.T) {
	b := pdftest.NewBuilder()
	top, bottom := b.Gray(240, 60, 200), b.Gray(240, 60, 50)
	b.Page(xobjects(top, bottom), "q 120 0 0 30 100 530 cm /X0 Do Q q 120 0 0 30 100 500 cm /X1 Do Q", "")
	got, err := open(t, b.Bytes(), nil).(extract.Imager).Image(t.Context(), 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	img, _, err := image.Decode(bytes.NewReader(got.Data))
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(image.Rect(0, 0, 240, 120), img.Bounds()); diff != "" {
		t.Errorf("bounds (-want +got):\n%s", diff)
	}
	for y, want := range map[int]uint8{10: 200, 110: 50} {
		if g := color.GrayModel.Convert(img.At(100, y)).(color.Gray).Y; g != want {
			t.Errorf("row %d: %d, want %d", y, g, want)
		}
	}
}

func TestImageErrors(t *testing.T) {
	drawing := pdftest.OnePage(pdftest.Helvetica, wave(150, 450, 20))
	bomb := pdftest.NewBuilder()
	oneImage("/BitsPerComponent 8/ColorSpace/DeviceRGB", "x")(bomb)
	for n, s := range bomb.Objs {
		bomb.Objs[n] = strings.Replace(s, "/Width 120/Height 100", "/Width 1000000/Height 1000000", 1)
	}
	odd := pdftest.NewBuilder()
	oneImage("/BitsPerComponent 8/ColorSpace/DeviceGray/Filter/NoSuchDecode", "x")(odd)
	for _, tt := range []struct {
		name    string
		data    []byte
		page, n int
		want    error
	}{
		{"a drawing", drawing, 1, 0, docsearch.ErrUnsupported},
		{"no such figure", drawing, 1, 1, docsearch.ErrNotFound},
		{"no such page", drawing, 2, 0, docsearch.ErrNotFound},
		{"too many pixels", bomb.Bytes(), 1, 0, docsearch.ErrTooLarge},
		{"unknown filter", odd.Bytes(), 1, 0, docsearch.ErrUnsupported},
	} {
		if _, err := open(t, tt.data, nil).(extract.Imager).Image(t.Context(), tt.page, tt.n); !errors.Is(err, tt.want) {
			t.Errorf("%s: Image = %v, want %v", tt.name, err, tt.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	b := pdftest.NewBuilder()
	oneImage("/BitsPerComponent 8/ColorSpace/DeviceGray", halves("\x40", "\xC0"))(b)
	d := open(t, b.Bytes(), nil)
	cancel()
	if _, err := d.(extract.Imager).Image(ctx, 1, 0); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled: %v", err)
	}
	d.Close()
	if _, err := d.(extract.Imager).Image(t.Context(), 1, 0); !errors.Is(err, docsearch.ErrClosed) {
		t.Errorf("closed: %v", err)
	}
}
