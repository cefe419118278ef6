package raster

import (
	"bytes"
	"context"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"io"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/internal/errs"
)

// A JPEGHeader is what the markers before the first scan say.
type JPEGHeader struct {
	Width, Height, comps, bits int
	adobe                      int // the Adobe transform: 0 none, 1 YCbCr, 2 YCCK; -1: no such marker
}

// readJPEG reads the markers up to the frame header (ITU-T T.81, annex B). ok is false when there is none.
func readJPEG(b []byte) (h JPEGHeader, ok bool) {
	h.adobe = -1
	i := bytes.Index(b, []byte{0xFF, 0xD8})
	if i < 0 {
		return h, false
	}
	for i += 2; i+4 <= len(b); {
		if b[i] != 0xFF {
			i++
			continue
		}
		mark := b[i+1]
		if mark == 0xFF {
			i++
			continue
		}
		if mark == 0 || mark == 1 || mark >= 0xD0 && mark <= 0xD8 {
			i += 2
			continue
		}
		n := int(b[i+2])<<8 | int(b[i+3])
		body := b[min(i+4, len(b)):min(max(i+4, i+2+n), len(b))]
		switch {
		case mark == 0xD9 || mark == 0xDA:
			return h, h.comps > 0
		case mark == 0xEE && len(body) >= 12 && string(body[:5]) == "Adobe":
			h.adobe = int(body[11])
		case mark >= 0xC0 && mark <= 0xCF && mark != 0xC4 && mark != 0xC8 && mark != 0xCC && len(body) >= 6:
			h.bits = int(body[0])
			h.Height, h.Width, h.comps = int(body[1])<<8|int(body[2]), int(body[3])<<8|int(body[4]), int(body[5])
		}
		i += 2 + n
	}
	return h, h.comps > 0
}

// withAdobe puts an Adobe marker in front that says how the components are transformed.
func withAdobe(b []byte, transform byte) []byte {
	i := bytes.Index(b, []byte{0xFF, 0xD8})
	if i < 0 {
		return b
	}
	mark := []byte{0xFF, 0xD8, 0xFF, 0xEE, 0, 14, 'A', 'd', 'o', 'b', 'e', 0, 100, 0, 0, 0, 0, transform}
	return append(mark, b[i+2:]...)
}

// JPEGFile returns the image as a JPEG file that every viewer shows rightly, or ok false when it must be decoded: it has ink
// components, or colours that its dictionary changes.
func JPEGFile(f *cos.Reader, m *Dict, data []byte, parms cos.Dict) (out []byte, h JPEGHeader, ok bool) {
	h, ok = readJPEG(data)
	if !ok || m.Stencil || h.comps != 1 && h.comps != 3 || h.Width < 1 || h.Height < 1 {
		return nil, h, false
	}
	cs := readColorSpace(f, m.cs, 0)
	if cs != nil && (cs.n != h.comps || cs.kind == "") {
		return nil, h, false
	}
	for i, v := range m.decode {
		if i < 2*h.comps && v != float64(i&1) {
			return nil, h, false
		}
	}
	if h.comps == 3 && h.adobe < 0 && f.NumOr(parms["ColorTransform"], 1) == 0 {
		data = withAdobe(data, 0)
	}
	if i := bytes.Index(data, []byte{0xFF, 0xD8}); i > 0 {
		data = data[i:]
	}
	return data, h, true
}

// decodeJPEG decodes a JPEG image in the colour space of its dictionary.
func decodeJPEG(f *cos.Reader, m *Dict, data []byte, parms cos.Dict) (image.Image, error) {
	h, ok := readJPEG(data)
	if !ok {
		return nil, fmt.Errorf("%w: DCTDecode: no frame", errs.Format)
	}
	if h.Width < 1 || h.Height < 1 || h.Height > maxColorPixels/h.Width {
		return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, h.Width, h.Height)
	}
	transform := f.NumOr(parms["ColorTransform"], 1)
	switch {
	case h.comps == 4 && h.adobe < 0: // ISO 32000-1, table 13: no transform unless it is asked for
		t := byte(0)
		if _, ok := f.Num(parms["ColorTransform"]); ok && transform != 0 {
			t = 2
		}
		data = withAdobe(data, t)
	case h.comps == 3 && h.adobe < 0 && transform == 0:
		data = withAdobe(data, 0)
	}
	img, err := jpeg.Decode(&ctxBytes{ctx: f.Context(), b: data})
	if f.Context().Err() != nil {
		return nil, f.Context().Err()
	}
	if err != nil {
		return nil, fmt.Errorf("%w: DCTDecode: %v", errs.Format, err)
	}
	cs := readColorSpace(f, m.cs, 0)
	if cs == nil || cs.n != h.comps {
		cs = deviceSpace(h.comps)
	}
	if cs == nil {
		return nil, fmt.Errorf("%w: DCTDecode: %d components", errs.Unsupported, h.comps)
	}
	decode := cs.decodeArray(m.decode, 8)
	plain := cs.kind == "gray" || cs.kind == "rgb"
	for i := range decode {
		plain = plain && decode[i] == float64(i&1)
	}
	if plain && !m.Stencil {
		return img, nil
	}
	// The components as they are in the file go through the Decode array and the colour space.
	b := img.Bounds()
	s := &samples{w: b.Dx(), h: b.Dy(), bits: 8, cs: cs, decode: decode, stride: b.Dx() * cs.n}
	s.data = make([]byte, s.stride*s.h)
	for y := range s.h {
		if y&63 == 0 && f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		dst := s.data[y*s.stride:]
		switch v := img.(type) {
		case *image.Gray:
			copy(dst[:s.w], v.Pix[y*v.Stride:])
		case *image.CMYK: // image/jpeg takes ink to be stored inverted, as Photoshop does, and turns it round
			src := v.Pix[y*v.Stride:]
			for i := range 4 * s.w {
				dst[i] = 255 - src[i]
			}
		default:
			for x := range s.w {
				c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
				dst[3*x], dst[3*x+1], dst[3*x+2] = c.R, c.G, c.B
			}
		}
	}
	return s.image(f)
}

// ctxBytes reads bytes until the context is done.
type ctxBytes struct {
	ctx context.Context
	b   []byte
}

func (r *ctxBytes) Read(p []byte) (int, error) {
	if err := r.ctx.Err(); err != nil {
		return 0, err
	}
	if len(r.b) == 0 {
		return 0, io.EOF
	}
	n := copy(p, r.b[:min(len(r.b), 64<<10)])
	r.b = r.b[n:]
	return n, nil
}
