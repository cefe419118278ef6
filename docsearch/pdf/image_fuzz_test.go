package pdf

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// FuzzImage decodes foreign image data under dictionaries of all kinds. What is handed out has the size that is said of it.
func FuzzImage(f *testing.F) {
	dicts := []string{
		"/BitsPerComponent 8/ColorSpace/DeviceRGB/Filter/DCTDecode",
		"/BitsPerComponent 8/ColorSpace/DeviceCMYK/Filter/DCTDecode/Decode[1 0 1 0 1 0 1 0]",
		"/BitsPerComponent 8/ColorSpace[/Indexed/DeviceRGB 255 %d 0 R]/Filter/DCTDecode",
		"/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/CCITTFaxDecode/DecodeParms<</K 1/Columns 120>>",
		"/ImageMask true/Filter/CCITTFaxDecode/DecodeParms<</K -1/Columns 97>>",
		"/BitsPerComponent 1/ColorSpace/DeviceGray/Filter/JBIG2Decode/DecodeParms<</JBIG2Globals %d 0 R>>",
		"/BitsPerComponent 2/ColorSpace[/Separation/A/DeviceRGB<</FunctionType 4/Domain[0 1]>>]",
		"/BitsPerComponent 16/ColorSpace[/DeviceN[/A/B]/DeviceCMYK %d 0 R]",
		"/BitsPerComponent 4/ColorSpace[/Lab<<>>]/SMask %d 0 R",
		"/BitsPerComponent 8/ColorSpace/DeviceGray/Mask %d 0 R/Filter/RunLengthDecode",
		"/BitsPerComponent 8/Filter/LZWDecode/DecodeParms<</Predictor 12/Columns 120/Colors 3>>",
	}
	red := jpegData(f, uniform(120, 100, color.RGBA{200, 10, 10, 255}))
	for i := range dicts {
		f.Add(byte(i), []byte(red), []byte("{ dup 1 exch sub 0 }"))
		f.Add(byte(i), []byte(white4), []byte(jbig2White()))
	}
	f.Fuzz(func(t *testing.T, kind byte, data, other []byte) {
		b := pdftest.NewBuilder()
		side := b.Stream("/Type/XObject/Subtype/Image/Width 7/Height 5/BitsPerComponent 8/ColorSpace/DeviceGray/FunctionType 4/Domain[0 1 0 1]/Range[0 1 0 1 0 1 0 1]", string(other))
		dict := dicts[int(kind)%len(dicts)]
		if strings.Contains(dict, "%d") {
			dict = fmt.Sprintf(dict, side)
		}
		oneImage(dict, string(data))(b)
		got, err := open(t, b.Bytes(), nil).(extract.Imager).Image(t.Context(), 1, 0)
		if err != nil {
			if strings.Contains(err.Error(), "internal fault") {
				t.Error(err)
			}
			return
		}
		if got.Format == "png" {
			c, _, err := image.DecodeConfig(bytes.NewReader(got.Data))
			if err != nil || c.Width != got.Width || c.Height != got.Height {
				t.Errorf("%d by %d, %v, said to be %d by %d", c.Width, c.Height, err, got.Width, got.Height)
			}
		}
	})
}
