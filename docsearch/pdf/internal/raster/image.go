package raster

import (
	"errors"
	"fmt"
	"image"
	"image/color"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/ccitt"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/jbig2"
	"github.com/findspot/findspot/internal/errs"
)

// Bounds on decoded pictures.
const (
	MaxPixels      = 100_000_000 // of a picture that is handed on as it is, or of one bit a pixel
	maxColorPixels = 40_000_000  // of a picture that is decoded to gray or colour
)

// ErrJPX says that a picture is JPEG 2000, which is handed on and not decoded.
var ErrJPX = fmt.Errorf("%w: JPEG 2000 is not decoded", errs.Unsupported)

// samples are the decoded bytes of an image, as its dictionary describes them.
type samples struct {
	data   []byte
	stride int // bytes of a row
	w, h   int
	bits   int
	cs     *colorSpace
	decode []float64
}

// Dict is what the dictionary of an image says.
type Dict struct {
	Width, Height, bits int
	Stencil             bool
	cs                  cos.Object
	decode              []float64
	Dict                cos.Dict
}

// ReadDict reads what an image says of itself.
func ReadDict(f *cos.Reader, o cos.Object) (*Dict, error) {
	s, ok := f.Resolve(o).(*cos.Stream)
	if !ok {
		return nil, fmt.Errorf("%w: image object %d: not a stream", errs.Format, cos.ObjectNumber(o))
	}
	d := s.Dict
	stencil, _ := f.Resolve(d["ImageMask"]).(cos.Bool)
	m := &Dict{
		Width: int(bound(f.NumOr(d["Width"], 0), 0, 1<<24)), Height: int(bound(f.NumOr(d["Height"], 0), 0, 1<<24)),
		bits: int(f.NumOr(d["BitsPerComponent"], 8)), Stencil: bool(stencil), cs: d["ColorSpace"], decode: f.Nums(d["Decode"]), Dict: d,
	}
	if m.Stencil {
		m.bits = 1
	}
	return m, nil
}

// Decode decodes an image XObject: to one of two colours for one bit a pixel, to gray, or to colour; with an alpha channel where it
// has a mask. A stencil is painted in fill. What was decoded before damage is returned without
// an error, as viewers show it, unless there is nothing.
func Decode(f *cos.Reader, obj cos.Object, fill [3]float64) (image.Image, error) {
	m, err := ReadDict(f, obj)
	if err != nil {
		return nil, err
	}
	data, rest, err := f.Encoded(obj)
	if f.Context().Err() != nil {
		return nil, f.Context().Err()
	}
	if err != nil && len(data) == 0 {
		return nil, fmt.Errorf("image object %d: %w", cos.ObjectNumber(obj), err)
	}
	img, err := unpack(f, fill, m, data, rest)
	if err != nil {
		return nil, fmt.Errorf("image object %d: %w", cos.ObjectNumber(obj), err)
	}
	if m.Stencil {
		return img, nil
	}
	if o := m.Dict["SMask"]; f.Dict(o) != nil {
		return withAlpha(f, img, o, false)
	}
	if s, ok := f.Resolve(m.Dict["Mask"]).(*cos.Stream); ok {
		return withAlpha(f, img, s, true)
	}
	return img, nil
}

func unpack(f *cos.Reader, fill [3]float64, m *Dict, data []byte, rest []cos.Filter) (image.Image, error) {
	if len(rest) > 1 {
		return nil, fmt.Errorf("%w: the filter %s after %s", errs.Unsupported, rest[1].Name, rest[0].Name)
	}
	name := ""
	var parms cos.Dict
	if len(rest) == 1 {
		name, parms = rest[0].Name, rest[0].Parms
	}
	switch name {
	case "DCTDecode":
		return decodeJPEG(f, m, data, parms)
	case "JPXDecode":
		return nil, ErrJPX
	}
	if m.Width < 1 || m.Height < 1 || m.Height > MaxPixels/m.Width {
		return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, m.Width, m.Height)
	}
	s := &samples{data: data, w: m.Width, h: m.Height, bits: m.bits}
	var err error
	switch name {
	case "":
	case "CCITTFaxDecode":
		err = decodeFax(f, s, data, parms)
	case "JBIG2Decode":
		err = decodeJBIG2(f, s, data, parms)
	default:
		err = fmt.Errorf("%w: the filter %s", errs.Unsupported, name)
	}
	if err != nil {
		return nil, err
	}
	if m.Stencil {
		return s.stencil(m, fill), nil
	}
	if s.cs = readColorSpace(f, m.cs, 0); s.cs == nil {
		if m.cs != nil || name == "" {
			guessSpace(f, s)
		} else {
			s.cs = grayColor
		}
	}
	if s.cs == nil {
		return nil, fmt.Errorf("%w: the colour space", errs.Unsupported)
	}
	s.decode = s.cs.decodeArray(m.decode, s.bits)
	return s.image(f)
}

// guessSpace takes the device space that fits the number of bytes.
func guessSpace(f *cos.Reader, s *samples) {
	for _, n := range []int{1, 3, 4} {
		if len(s.data) >= (s.w*n*s.bits+7)/8*s.h {
			s.cs = deviceSpace(n)
		}
	}
}

// decodeFax decodes Group 3 and 4 (ISO 32000-1, 7.4.6).
func decodeFax(f *cos.Reader, s *samples, data []byte, parms cos.Dict) error {
	flag := func(key string, def bool) bool {
		if v, ok := f.Resolve(parms[key]).(cos.Bool); ok {
			return bool(v)
		}
		return def
	}
	p := ccitt.Params{
		K: int(bound(f.NumOr(parms["K"], 0), -1, 1)), Columns: int(bound(f.NumOr(parms["Columns"], 1728), 0, 1<<20)), Rows: s.h,
		ByteAlign: flag("EncodedByteAlign", false), EndOfBlock: flag("EndOfBlock", true),
	}
	if p.Columns < 1 || p.Rows > MaxPixels/p.Columns {
		return fmt.Errorf("%w: rows of %d pixels", errs.TooLarge, p.Columns)
	}
	pix, rows, _, err := ccitt.Decode(f.Context(), data, p)
	if f.Context().Err() != nil {
		return f.Context().Err()
	}
	if rows == 0 {
		if err == nil {
			err = errors.New("no rows")
		}
		return fmt.Errorf("%w: CCITTFaxDecode: %v", errs.Format, err)
	}
	if !flag("BlackIs1", false) {
		for i := range pix {
			pix[i] = ^pix[i]
		}
	}
	s.data, s.stride, s.bits = pix, (p.Columns+7)/8, 1
	s.w = min(s.w, p.Columns)
	return nil
}

// decodeJBIG2 decodes JBIG2 (ISO 32000-1, 7.4.7), of which 1 is black.
func decodeJBIG2(f *cos.Reader, s *samples, data []byte, parms cos.Dict) error {
	var globals []byte
	if o := parms["JBIG2Globals"]; f.Resolve(o) != nil {
		var err error
		if globals, err = f.Stream(o); err != nil && len(globals) == 0 {
			return fmt.Errorf("JBIG2Globals: %w", err)
		}
	}
	// Its own size may differ from what the dictionary says, but not by much.
	pix, w, h, err := jbig2.Decode(f.Context(), data, globals, min(MaxPixels/2, 2*s.w*s.h+1<<20))
	if f.Context().Err() != nil {
		return f.Context().Err()
	}
	if pix == nil {
		return fmt.Errorf("%w: JBIG2Decode: %v", errs.Format, err)
	}
	for i := range pix {
		pix[i] = ^pix[i]
	}
	s.data, s.stride, s.bits = pix, (w+7)/8, 1
	s.w, s.h = min(s.w, w), min(s.h, h)
	if s.w < 1 || s.h < 1 {
		return fmt.Errorf("%w: JBIG2Decode: a picture of %d by %d", errs.Format, w, h)
	}
	return nil
}

// row returns the bytes of a row; what is missing is zero.
func (s *samples) row(y, need int) []byte {
	at := y * s.stride
	if at+need <= len(s.data) {
		return s.data[at : at+need]
	}
	out := make([]byte, need)
	if at < len(s.data) {
		copy(out, s.data[at:])
	}
	return out
}

// bilevel makes an image of one bit a pixel in the colours of 0 and 1.
func (s *samples) bilevel(zero, one color.Color) image.Image {
	if s.stride == 0 {
		s.stride = (s.w + 7) / 8
	}
	img := image.NewPaletted(image.Rect(0, 0, s.w, s.h), color.Palette{zero, one})
	for y := range s.h {
		src, dst := s.row(y, (s.w+7)/8), img.Pix[y*img.Stride:]
		for x := range s.w {
			dst[x] = src[x>>3] >> (7 - x&7) & 1
		}
	}
	return img
}

// stencil paints where the mask is 0, or 1 when Decode says so (8.9.6.2).
func (s *samples) stencil(m *Dict, fill [3]float64) image.Image {
	ink := color.NRGBA{level(fill[0]), level(fill[1]), level(fill[2]), 255}
	if len(m.decode) >= 2 && m.decode[0] > m.decode[1] {
		return s.bilevel(color.NRGBA{}, ink)
	}
	return s.bilevel(ink, color.NRGBA{})
}

func level(v float64) uint8 { return uint8(bound(v, 0, 1)*255 + .5) }

// image turns samples into an image.
func (s *samples) image(f *cos.Reader) (image.Image, error) {
	switch s.bits {
	case 1, 2, 4, 8, 16:
	default:
		return nil, fmt.Errorf("%w: %d bits per component", errs.Format, s.bits)
	}
	need := (s.w*s.cs.n*s.bits + 7) / 8
	if s.stride == 0 {
		s.stride = need
	}
	need = min(need, s.stride)
	if s.cs.n == 1 && s.bits <= 8 {
		return s.mapped(f, need)
	}
	if s.h > maxColorPixels/s.w {
		return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, s.w, s.h)
	}
	img := image.NewNRGBA(image.Rect(0, 0, s.w, s.h))
	plain := s.bits == 8 && s.cs.kind == "rgb"
	for i := range s.decode {
		plain = plain && s.decode[i] == float64(i&1)
	}
	top := math.Pow(2, float64(s.bits)) - 1
	c := make([]float64, s.cs.n)
	raw, last := make([]uint32, s.cs.n), make([]uint32, s.cs.n)
	var r, g, b uint8
	known := false // r, g and b are the colour of last
	for y := range s.h {
		if y&63 == 0 && f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		src, dst := s.row(y, need), img.Pix[y*img.Stride:]
		if plain {
			for x := range s.w {
				dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = src[3*x], src[3*x+1], src[3*x+2], 255
			}
			continue
		}
		bits := bitSamples{data: src}
		for x := range s.w {
			same := known
			for k := range raw {
				if s.bits == 8 {
					raw[k] = uint32(src[min(x*s.cs.n+k, len(src)-1)])
				} else {
					raw[k] = bits.next(s.bits)
				}
				same = same && raw[k] == last[k]
			}
			if !same {
				for k := range c {
					c[k] = s.decode[2*k] + float64(raw[k])*(s.decode[2*k+1]-s.decode[2*k])/top
				}
				v := s.cs.rgb(c)
				r, g, b = level(v[0]), level(v[1]), level(v[2])
				copy(last, raw)
				known = true
			}
			dst[4*x], dst[4*x+1], dst[4*x+2], dst[4*x+3] = r, g, b, 255
		}
	}
	return img, nil
}

// mapped makes an image of one component through a table of all its values: bilevel, gray, or colour.
func (s *samples) mapped(f *cos.Reader, need int) (image.Image, error) {
	top := 1<<s.bits - 1
	table := make([]color.NRGBA, top+1)
	gray := true
	for i := range table {
		v := s.cs.rgb([]float64{s.decode[0] + float64(i)*(s.decode[1]-s.decode[0])/float64(top)})
		table[i] = color.NRGBA{level(v[0]), level(v[1]), level(v[2]), 255}
		gray = gray && table[i].R == table[i].G && table[i].G == table[i].B
	}
	if s.bits == 1 {
		return s.bilevel(table[0], table[1]), nil
	}
	if s.h > maxColorPixels*2/s.w {
		return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, s.w, s.h)
	}
	bounds := image.Rect(0, 0, s.w, s.h)
	var out image.Image
	var pix []byte
	if gray {
		g := image.NewGray(bounds)
		out, pix = g, g.Pix
	} else {
		p := image.NewPaletted(bounds, make(color.Palette, len(table)))
		for i := range table {
			p.Palette[i] = table[i]
		}
		out, pix = p, p.Pix
	}
	per := 8 / s.bits
	for y := range s.h {
		if y&63 == 0 && f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		src, dst := s.row(y, need), pix[y*s.w:]
		for x := range s.w {
			v := 0
			if x/per < len(src) {
				v = int(src[x/per]) >> (8 - s.bits - x%per*s.bits) & top
			}
			if gray {
				dst[x] = table[v].R
			} else {
				dst[x] = byte(v)
			}
		}
	}
	return out, nil
}

// withAlpha applies a soft mask, or with stencil an explicit mask, that may have another size (8.9.6.3, 11.6.5.3). A mask
// that cannot be read hides nothing.
func withAlpha(f *cos.Reader, img image.Image, o cos.Object, stencil bool) (image.Image, error) {
	m, err := Decode(f, o, [3]float64{})
	if f.Context().Err() != nil {
		return nil, f.Context().Err()
	}
	b := img.Bounds()
	if err != nil || b.Dy() > maxColorPixels/max(b.Dx(), 1) {
		return img, nil
	}
	mb := m.Bounds()
	alpha := func(x, y int) uint8 {
		c := m.At(mb.Min.X+x*mb.Dx()/b.Dx(), mb.Min.Y+y*mb.Dy()/b.Dy())
		if stencil { // painted where the stencil would paint
			_, _, _, a := c.RGBA()
			return uint8(a >> 8)
		}
		return color.GrayModel.Convert(c).(color.Gray).Y
	}
	opaque := true
	out := image.NewNRGBA(b)
	for y := range b.Dy() {
		if y&63 == 0 && f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		for x := range b.Dx() {
			c := color.NRGBAModel.Convert(img.At(b.Min.X+x, b.Min.Y+y)).(color.NRGBA)
			c.A = alpha(x, y)
			opaque = opaque && c.A == 255
			out.SetNRGBA(b.Min.X+x, b.Min.Y+y, c)
		}
	}
	if opaque {
		return img, nil
	}
	return out, nil
}
