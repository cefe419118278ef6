package render

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/figure"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/raster"
	"github.com/findspot/findspot/internal/errs"
)

// maxComposed bounds the pixels of a picture that is put together from several images.
const maxComposed = 25_000_000

// Figure makes a file of a figure's images.
func Figure(f *cos.Reader, fig *figure.Figure, pictures []content.Image) (*extract.Image, error) {
	if len(fig.Images) == 1 {
		return pictureImage(f, &pictures[fig.Images[0]], fig.Box)
	}
	var layers []*content.Image
	for _, i := range fig.Images {
		layers = append(layers, &pictures[i])
	}
	w, h := fig.PixelWidth, fig.PixelHeight
	if m := layers[0].Matrix; math.Abs(m[1]) > math.Abs(m[0]) { // turned: the pixels are as shown
		w, h = h, w
	}
	return composeImage(f, layers, fig.Box, w, h, false)
}

// pictureImage makes a file of one image, the way round it is shown; but a slanted one, and JPEG 2000, as it is stored.
func pictureImage(f *cos.Reader, p *content.Image, box geometry.Rect) (*extract.Image, error) {
	out := &extract.Image{BBox: extract.Box(box.Round())}
	m, err := raster.ReadDict(f, p.Object)
	if err != nil {
		return nil, err
	}
	data, rest, _ := f.Encoded(p.Object) // a fault comes again, and is reported, where the image is decoded
	if f.Context().Err() != nil {
		return nil, f.Context().Err()
	}
	if len(rest) == 1 && len(data) > 0 && f.Dict(m.Dict["SMask"]) == nil {
		switch rest[0].Name {
		case "JPXDecode":
			if m.Width < 1 || m.Height > raster.MaxPixels/m.Width {
				return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, m.Width, m.Height)
			}
			out.Data, out.Format, out.Width, out.Height = data, "jp2", m.Width, m.Height
			return out, nil
		case "DCTDecode":
			if b, h, ok := raster.JPEGFile(f, m, data, rest[0].Parms); ok && !turned(p) {
				if h.Height > raster.MaxPixels/h.Width {
					return nil, fmt.Errorf("%w: an image of %d by %d pixels", errs.TooLarge, h.Width, h.Height)
				}
				out.Data, out.Format, out.Width, out.Height = b, "jpeg", h.Width, h.Height
				return out, nil
			}
		}
	}
	img, err := raster.Decode(f, p.Object, p.Fill)
	if errors.Is(err, raster.ErrJPX) && len(data) > 0 { // its mask is left out
		out.Data, out.Format, out.Width, out.Height = data, "jp2", m.Width, m.Height
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	if m.Stencil {
		onPaper(img)
	}
	if turned(p) {
		img = orient(p, img)
	}
	return encodePNG(f, out, img)
}

// turned reports whether an image is shown turned by a multiple of 90 degrees, or mirrored.
func turned(p *content.Image) bool {
	slack := .002 * (math.Abs(p.Matrix[0]) + math.Abs(p.Matrix[1]) + math.Abs(p.Matrix[2]) + math.Abs(p.Matrix[3]))
	level := math.Abs(p.Matrix[1]) <= slack && math.Abs(p.Matrix[2]) <= slack
	upended := math.Abs(p.Matrix[0]) <= slack && math.Abs(p.Matrix[3]) <= slack
	return upended || level && (p.Matrix[0] < 0 || p.Matrix[3] > 0)
}

// orient returns the image the way round that it is shown.
func orient(p *content.Image, img image.Image) image.Image {
	b := img.Bounds()
	w, h := b.Dx(), b.Dy()
	swap := math.Abs(p.Matrix[1]) > math.Abs(p.Matrix[0])
	ow, oh := w, h
	if swap {
		ow, oh = h, w
	}
	from := func(x, y int) (sx, sy int) { // the pixel that is shown there
		if swap {
			if sx, sy = y, x; p.Matrix[1] < 0 {
				sx = w - 1 - y
			}
			if p.Matrix[2] > 0 {
				sy = h - 1 - x
			}
			return sx, sy
		}
		if sx, sy = x, y; p.Matrix[0] < 0 {
			sx = w - 1 - x
		}
		if p.Matrix[3] > 0 {
			sy = h - 1 - y
		}
		return sx, sy
	}
	bounds := image.Rect(0, 0, ow, oh)
	move := func(dst, src []byte, stride int) {
		for y := range oh {
			for x := range ow {
				sx, sy := from(x, y)
				dst[y*ow+x] = src[sy*stride+sx]
			}
		}
	}
	switch v := img.(type) {
	case *image.Paletted:
		out := image.NewPaletted(bounds, v.Palette)
		move(out.Pix, v.Pix, v.Stride)
		return out
	case *image.Gray:
		out := image.NewGray(bounds)
		move(out.Pix, v.Pix, v.Stride)
		return out
	}
	out := image.NewNRGBA(bounds)
	for y := range oh {
		for x := range ow {
			sx, sy := from(x, y)
			out.Set(x, y, img.At(b.Min.X+sx, b.Min.Y+sy))
		}
	}
	return out
}

// onPaper sets a stencil on white, and one that is white in black.
func onPaper(img image.Image) {
	p, ok := img.(*image.Paletted)
	if !ok {
		return
	}
	for i, c := range p.Palette {
		n := color.NRGBAModel.Convert(c).(color.NRGBA)
		switch {
		case n.A == 0:
			p.Palette[i] = color.NRGBA{255, 255, 255, 255}
		case n.R > 230 && n.G > 230 && n.B > 230:
			p.Palette[i] = color.NRGBA{0, 0, 0, 255}
		}
	}
}

func encodePNG(f *cos.Reader, out *extract.Image, img image.Image) (*extract.Image, error) {
	var b bytes.Buffer
	enc := png.Encoder{CompressionLevel: png.BestSpeed}
	if err := enc.Encode(&ctxWriter{f.Context(), &b}, img); err != nil {
		if f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		return nil, err
	}
	out.Data, out.Format, out.Width, out.Height = b.Bytes(), "png", img.Bounds().Dx(), img.Bounds().Dy()
	return out, nil
}

// A ctxWriter fails when the context is done.
type ctxWriter struct {
	ctx context.Context
	b   *bytes.Buffer
}

func (w *ctxWriter) Write(p []byte) (int, error) {
	if err := w.ctx.Err(); err != nil {
		return 0, err
	}
	return w.b.Write(p)
}

// composeImage paints images over one another on white, as the page shows them, into a picture of w by h pixels of a box. When
// none of them can be decoded, the first fault is the error.
func composeImage(f *cos.Reader, layers []*content.Image, box geometry.Rect, w, h int, gray bool) (*extract.Image, error) {
	if box.Width() <= 0 || box.Height() <= 0 {
		return nil, fmt.Errorf("%w: an empty box", errs.Format)
	}
	w, h = max(w, 1), max(h, 1)
	if n := float64(w) * float64(h); n > maxComposed {
		s := math.Sqrt(maxComposed / n)
		w, h = max(1, int(float64(w)*s)), max(1, int(float64(h)*s))
	}
	c := &composer{f: f, box: box, out: image.NewNRGBA(image.Rect(0, 0, w, h))}
	for i := range c.out.Pix {
		c.out.Pix[i] = 255
	}
	drawn := 0
	var fault error
	for _, p := range layers {
		img, err := raster.Decode(f, p.Object, p.Fill)
		if err == nil {
			err = c.paint(p, img)
		}
		if f.Context().Err() != nil {
			return nil, f.Context().Err()
		}
		if err != nil {
			if fault == nil {
				fault = err
			}
			continue
		}
		drawn++
	}
	if drawn == 0 {
		if fault == nil {
			fault = fmt.Errorf("%w: no image", errs.NotFound)
		}
		return nil, fault
	}
	var img image.Image = c.out
	if gray {
		g := image.NewGray(c.out.Rect)
		for i := range g.Pix {
			r, gr, b := int(c.out.Pix[4*i]), int(c.out.Pix[4*i+1]), int(c.out.Pix[4*i+2])
			g.Pix[i] = byte((299*r + 587*gr + 114*b + 500) / 1000)
		}
		img = g
	}
	return encodePNG(f, &extract.Image{BBox: extract.Box(box.Round())}, img)
}

type composer struct {
	f   *cos.Reader
	box geometry.Rect
	out *image.NRGBA
}

// paint draws an image through its matrix. Where it is shown smaller than it is, neighbours are averaged.
func (c *composer) paint(p *content.Image, img image.Image) error {
	inv, ok := p.Matrix.Inverse()
	if !ok {
		return fmt.Errorf("%w: an image without an area", errs.Format)
	}
	b := img.Bounds()
	iw, ih := b.Dx(), b.Dy()
	w, h := c.out.Rect.Dx(), c.out.Rect.Dy()
	sx, sy := c.box.Width()/float64(w), c.box.Height()/float64(h) // points a pixel
	area := p.Box.Intersect(c.box)
	x0, x1 := max(0, int((area.X0-c.box.X0)/sx)), min(w, int(math.Ceil((area.X1-c.box.X0)/sx)))
	y0, y1 := max(0, int((area.Y0-c.box.Y0)/sy)), min(h, int(math.Ceil((area.Y1-c.box.Y0)/sy)))
	// How many pixels of the image one step to the right and one down cover.
	dux, dvx := inv[0]*sx*float64(iw), inv[1]*sx*float64(ih)
	duy, dvy := inv[2]*sy*float64(iw), inv[3]*sy*float64(ih)
	n := int(math.Min(4, math.Max(1, math.Round(math.Max(math.Hypot(dux, dvx), math.Hypot(duy, dvy))))))
	for y := y0; y < y1; y++ {
		if y&15 == 0 && c.f.Context().Err() != nil {
			return c.f.Context().Err()
		}
		for x := x0; x < x1; x++ {
			var r, g, bl, a, count uint32
			for k := range n * n {
				px := c.box.X0 + (float64(x)+(float64(k%n)+.5)/float64(n))*sx
				py := c.box.Y0 + (float64(y)+(float64(k/n)+.5)/float64(n))*sy
				u, v := inv.Apply(px, py)
				if u < 0 || u >= 1 || v <= 0 || v > 1 {
					count++
					continue
				}
				cr, cg, cb, ca := img.At(b.Min.X+int(u*float64(iw)), b.Min.Y+min(ih-1, int((1-v)*float64(ih)))).RGBA()
				r, g, bl, a, count = r+cr>>8, g+cg>>8, bl+cb>>8, a+ca>>8, count+1
			}
			if a == 0 {
				continue
			}
			dst := c.out.Pix[c.out.PixOffset(x, y):]
			for i, v := range [3]uint32{r, g, bl} {
				dst[i] = byte(min(255, v/count+uint32(dst[i])*(255-a/count)/255))
			}
		}
	}
	return nil
}

const maxScanDPI = 600.0

// Cover is the part of the page that a box takes.
func Cover(b geometry.Rect, c *content.Canvas) float64 {
	b = b.Intersect(geometry.NewRect(0, 0, c.Width, c.Height))
	if b.IsEmpty() || c.Width*c.Height <= 0 {
		return 0
	}
	return b.Width() * b.Height() / (c.Width * c.Height)
}

// Page is the picture of a scanned page as it is shown. One upright image is handed on; strips, layers and turned ones are
// put together.
func Page(f *cos.Reader, c *content.Canvas) (*extract.Image, error) {
	page := geometry.NewRect(0, 0, c.Width, c.Height)
	var layers []*content.Image
	density := 150.0 / 72 // pixels a point
	for i := range c.Images {
		p := &c.Images[i]
		if p.Box.Intersect(page).IsEmpty() || p.PixelWidth < 1 || p.PixelHeight < 1 {
			continue
		}
		layers = append(layers, p)
		if Cover(p.Box, c) > .02 {
			w, h := math.Hypot(p.Matrix[0], p.Matrix[1]), math.Hypot(p.Matrix[2], p.Matrix[3])
			if w > 0 && h > 0 {
				density = math.Max(density, math.Min(maxScanDPI/72, math.Max(float64(p.PixelWidth)/w, float64(p.PixelHeight)/h)))
			}
		}
	}
	if len(layers) == 0 {
		return nil, fmt.Errorf("%w: no image", docsearch.ErrNotFound)
	}
	if p := layers[0]; len(layers) == 1 && upright(p) {
		return pictureImage(f, p, p.Matrix.Box(0, 0, 1, 1))
	}
	return composeImage(f, layers, page, int(c.Width*density+.5), int(c.Height*density+.5), true)
}

// upright reports whether an image is shown as it is stored, not turned, mirrored or slanted.
func upright(p *content.Image) bool {
	slack := .002 * (math.Abs(p.Matrix[0]) + math.Abs(p.Matrix[3]))
	return p.Matrix[0] > 0 && p.Matrix[3] < 0 && math.Abs(p.Matrix[1]) <= slack && math.Abs(p.Matrix[2]) <= slack
}
