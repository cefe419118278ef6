package raster

import (
	"bytes"
	"math"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/pdftest"
)

// readTest reads a function that is object 3 of a file.
func readTest(t *testing.T, b *pdftest.Builder) (function, error) {
	t.Helper()
	data := b.Bytes()
	f, err := cos.Open(t.Context(), bytes.NewReader(data), int64(len(data)), nil)
	if err != nil {
		t.Fatal(err)
	}
	return readFunction(cos.NewReader(t.Context(), f, nil), cos.Ref{Num: 3}, 0)
}

func TestCalculator(t *testing.T) {
	for code, want := range map[string][]float64{
		"{ 2 mul exch 1 add }":                     {6, 11}, // of 10 and 3
		"{ 5 3 1 roll }":                           {5, 10, 3},
		"{ sub abs neg }":                          {-7},
		"{ pop 4 div dup floor exch ceiling }":     {2, 3},
		"{ idiv }":                                 {3},
		"{ mod }":                                  {1},
		"{ gt { 1 } { 0 } ifelse }":                {1},
		"{ 2 copy lt { exch } if pop }":            {10},
		"{ pop 1 bitshift -2 bitshift }":           {5},
		"{ pop 0 div }":                            {0},
		"{ and }":                                  {2},
		"{ pop dup atan }":                         {45},
		"{ pop pop -1 0 atan }":                    {270},
		"{ pop pop 9 sqrt 90 sin 100 log }":        {3, 1, 2},
		"{ 1 index exch pop }":                     {10, 10},
		"{ pop pop 2.5 round -2.5 truncate true }": {3, -2, 1},
		"{ unknown }":                              {0},
	} {
		b := pdftest.NewBuilder()
		limits := bytes.Repeat([]byte("-1000 1000 "), len(want))
		b.Stream("/FunctionType 4/Domain[-100 100 -100 100]/Range["+string(limits)+"]", code)
		f, err := readTest(t, b)
		if err != nil {
			t.Errorf("%s: %v", code, err)
			continue
		}
		if d := cmp.Diff(want, f([]float64{10, 3}), cmpopts.EquateApprox(0, 1e-9)); d != "" {
			t.Errorf("%s (-want +got):\n%s", code, d)
		}
	}
}

func TestFunctions(t *testing.T) {
	exponential := "<</FunctionType 2/Domain[0 1]/N 2/C0[0 1]/C1[1 0]>>"
	for name, c := range map[string]struct {
		dict, data string
		in, want   []float64
	}{
		"exponential":         {exponential, "", []float64{.5}, []float64{.25, .75}},
		"outside its domain":  {exponential, "", []float64{3}, []float64{1, 0}},
		"stitched":            {"<</FunctionType 3/Domain[0 1]/Bounds[.5]/Encode[0 1 1 0]/Functions[" + exponential + exponential + "]>>", "", []float64{.75}, []float64{.25, .75}},
		"sampled":             {"/FunctionType 0/Domain[0 1]/Range[0 1]/Size[3]/BitsPerSample 8", "\x00\xff\x00", []float64{.25}, []float64{.5}},
		"sampled, a corner":   {"/FunctionType 0/Domain[0 1 0 1]/Range[0 1]/Size[2 2]/BitsPerSample 8", "\x00\x33\x66\xff", []float64{1, 1}, []float64{1}},
		"sampled, cut":        {"/FunctionType 0/Domain[0 1]/Range[0 1]/Size[3]/BitsPerSample 8", "\x00", []float64{1}, []float64{0}},
		"several, one number": {"[" + exponential + exponential + "]", "", []float64{.5}, []float64{.25, .25}},
	} {
		t.Run(name, func(t *testing.T) {
			b := pdftest.NewBuilder()
			if c.dict[0] == '/' {
				b.Stream(c.dict, c.data)
			} else {
				b.Add(c.dict)
			}
			f, err := readTest(t, b)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(c.want, f(c.in), cmpopts.EquateApprox(0, 1e-9)); d != "" {
				t.Errorf("(-want +got):\n%s", d)
			}
		})
	}
}

func TestBrokenFunctions(t *testing.T) {
	for _, dict := range []string{
		"<</FunctionType 9/Domain[0 1]>>", "<</FunctionType 2>>", "<</FunctionType 3/Domain[0 1]/Functions[3 0 R]/Bounds[]/Encode[0 1]>>", "null",
		"<</FunctionType 0/Domain[0 1]/Range[0 1]/Size[0]>>",
	} {
		b := pdftest.NewBuilder()
		b.Add(dict)
		if _, err := readTest(t, b); err == nil {
			t.Errorf("%s: no error", dict)
		}
	}
}

func TestBitSamples(t *testing.T) {
	r := bitSamples{data: []byte{0b1011_0010, 0xFF}}
	for i, want := range []uint32{0b101, 0b10010, 0xF, 0xF0} {
		bits := []int{3, 5, 4, 8}[i]
		if got := r.next(bits); got != want {
			t.Errorf("number %d of %d bits: %b, want %b", i, bits, got, want)
		}
	}
	if math.IsNaN(interpolate(1, 2, 2, 0, 5)) || interpolate(.5, 0, 1, 10, 20) != 15 {
		t.Error("interpolate")
	}
}
