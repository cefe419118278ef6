package raster

import (
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// A colorSpace turns the components of a sample into red, green and blue from 0 to 1 (ISO 32000-1, 8.6). Calibration and
// profiles are not followed: a profile counts as the device space with its number of components. It is used by one goroutine.
type colorSpace struct {
	kind   string // "gray", "rgb", "cmyk" when that is all there is to it
	n      int    // components
	limits []float64
	rgb    func(c []float64) [3]float64
	table  [][3]float64 // of an indexed space, for its one component from 0
}

const maxColorSpaceDepth = 4

var (
	grayColor = &colorSpace{kind: "gray", n: 1, rgb: func(c []float64) [3]float64 { return [3]float64{c[0], c[0], c[0]} }}
	rgbColor  = &colorSpace{kind: "rgb", n: 3, rgb: func(c []float64) [3]float64 { return [3]float64{c[0], c[1], c[2]} }}
	cmykColor = &colorSpace{kind: "cmyk", n: 4, rgb: inkToLight}
)

// inkToLight is the simple conversion of ISO 32000-1, 10.3.5, multiplied out, which keeps dark mixtures apart.
func inkToLight(c []float64) (out [3]float64) {
	for i := range out {
		out[i] = (1 - bound(c[i], 0, 1)) * (1 - bound(c[3], 0, 1))
	}
	return out
}

// deviceSpace is the device space of n components, nil for other numbers.
func deviceSpace(n int) *colorSpace {
	switch n {
	case 1:
		return grayColor
	case 3:
		return rgbColor
	case 4:
		return cmykColor
	}
	return nil
}

// readColorSpace reads a colour space; nil when it cannot be read.
func readColorSpace(f *cos.Reader, o cos.Object, depth int) *colorSpace {
	if depth > maxColorSpaceDepth {
		return nil
	}
	o = f.Resolve(o)
	if n, ok := o.(cos.Name); ok {
		switch n {
		case "DeviceGray", "G", "CalGray":
			return grayColor
		case "DeviceRGB", "RGB", "CalRGB":
			return rgbColor
		case "DeviceCMYK", "CMYK":
			return cmykColor
		}
		return nil
	}
	a, _ := o.(cos.Array)
	if len(a) == 0 {
		return nil
	}
	switch name := f.Name(a[0]); {
	case len(a) == 1 || name == "CalGray" || name == "CalRGB":
		return readColorSpace(f, cos.Name(name), depth+1)
	case name == "ICCBased":
		d := f.Dict(a[1])
		if s := deviceSpace(int(f.NumOr(d["N"], 0))); s != nil {
			return s
		}
		return readColorSpace(f, d["Alternate"], depth+1)
	case name == "Lab":
		return readLab(f, f.Dict(a[1]))
	case (name == "Indexed" || name == "I") && len(a) >= 4:
		return readIndexed(f, a, depth)
	case (name == "Separation" || name == "DeviceN") && len(a) >= 4:
		return readInks(f, a, depth)
	}
	return nil
}

// readLab reads a CIE 1976 L*a*b* space (8.6.5.4).
func readLab(f *cos.Reader, d cos.Dict) *colorSpace {
	limits := []float64{0, 100, -100, 100, -100, 100}
	if r := f.Nums(d["Range"]); len(r) == 4 {
		copy(limits[2:], r)
	}
	g := func(x float64) float64 {
		if x >= 6.0/29 {
			return x * x * x
		}
		return 108.0 / 841 * (x - 4.0/29)
	}
	gamma := func(v float64) float64 {
		v = bound(v, 0, 1)
		if v <= .0031308 {
			return 12.92 * v
		}
		return 1.055*math.Pow(v, 1/2.4) - .055
	}
	return &colorSpace{n: 3, limits: limits, rgb: func(c []float64) [3]float64 {
		m := (c[0] + 16) / 116
		// Scaled to the white point of sRGB, so that white is white.
		x, y, z := .9505*g(m+c[1]/500), g(m), 1.089*g(m-c[2]/200)
		return [3]float64{
			gamma(3.2406*x - 1.5372*y - .4986*z), gamma(-.9689*x + 1.8758*y + .0415*z), gamma(.0557*x - .2040*y + 1.0570*z),
		}
	}}
}

// readIndexed reads a palette (8.6.6.3).
func readIndexed(f *cos.Reader, a cos.Array, depth int) *colorSpace {
	base := readColorSpace(f, a[1], depth+1)
	if base == nil || base.table != nil {
		return nil
	}
	top := int(bound(f.NumOr(a[2], 255), 0, 255))
	data := f.Str(a[3])
	if data == nil {
		var err error
		if data, err = f.Stream(a[3]); err != nil && len(data) == 0 {
			return nil
		}
	}
	s := &colorSpace{n: 1, limits: []float64{0, 255}, table: make([][3]float64, top+1)}
	c := make([]float64, base.n)
	for i := range s.table {
		for k := range c {
			v := 0.0
			if j := i*base.n + k; j < len(data) {
				v = float64(data[j]) / 255
			}
			if base.limits != nil {
				v = interpolate(v, 0, 1, base.limits[2*k], base.limits[2*k+1])
			}
			c[k] = v
		}
		s.table[i] = base.rgb(c)
	}
	s.rgb = func(c []float64) [3]float64 { return s.table[int(bound(c[0], 0, float64(top)))] }
	return s
}

// readInks reads a Separation or DeviceN space: its tints through the function into the alternate space (8.6.6.4). Where the
// function cannot be read, tints darken white.
func readInks(f *cos.Reader, a cos.Array, depth int) *colorSpace {
	n := 1
	if f.Name(a[0]) == "DeviceN" {
		if n = len(f.Array(a[1])); n == 0 || n > maxFunctionArgs {
			return nil
		}
	}
	base := readColorSpace(f, a[2], depth+1)
	fn, err := readFunction(f, a[3], 0)
	if base == nil || err != nil {
		return &colorSpace{n: n, rgb: func(c []float64) [3]float64 {
			v := 1.0
			for _, t := range c {
				v *= 1 - bound(t, 0, 1)
			}
			return [3]float64{v, v, v}
		}}
	}
	return &colorSpace{n: n, rgb: func(c []float64) [3]float64 {
		out := make([]float64, base.n)
		copy(out, fn(c))
		return base.rgb(out)
	}}
}

// decodeArray is the range that samples are mapped to: that of the image, or the space's own (8.9.5.2).
func (s *colorSpace) decodeArray(d []float64, bits int) []float64 {
	if len(d) >= 2*s.n {
		return d[:2*s.n]
	}
	if s.table != nil {
		return []float64{0, math.Pow(2, float64(bits)) - 1}
	}
	if s.limits != nil {
		return s.limits
	}
	out := make([]float64, 2*s.n)
	for i := range s.n {
		out[2*i+1] = 1
	}
	return out
}
