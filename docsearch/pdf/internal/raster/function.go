package raster

import (
	"errors"
	"fmt"
	"math"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
	"github.com/findspot/findspot/docsearch/pdf/internal/lexer"
)

// Bounds on functions.
const (
	maxFunctionDepth = 6
	maxFunctionArgs  = 32
	maxFunctionCode  = 10_000 // operators of a calculator function, and of one evaluation
)

// A function is a PDF function (ISO 32000-1, 7.10): numbers in, numbers out. It is used by one goroutine.
type function func(in []float64) []float64

var errFunction = errors.New("a function that cannot be read")

// readFunction reads a function object, or an array of functions of one result each.
func readFunction(f *cos.Reader, o cos.Object, depth int) (function, error) {
	if depth > maxFunctionDepth {
		return nil, errFunction
	}
	if a := f.Array(o); a != nil {
		if len(a) == 0 || len(a) > maxFunctionArgs {
			return nil, errFunction
		}
		parts := make([]function, len(a))
		for i := range a {
			var err error
			if parts[i], err = readFunction(f, a[i], depth+1); err != nil {
				return nil, err
			}
		}
		return func(in []float64) (out []float64) {
			for _, p := range parts {
				out = append(out, first(p(in)))
			}
			return out
		}, nil
	}
	d := f.Dict(o)
	domain, limits := f.Nums(d["Domain"]), f.Nums(d["Range"])
	if len(domain) < 2 || len(domain) > 2*maxFunctionArgs || len(limits) > 2*maxFunctionArgs {
		return nil, errFunction
	}
	var run function
	var err error
	switch f.NumOr(d["FunctionType"], -1) {
	case 0:
		run, err = readSampled(f, o, d, domain, limits)
	case 2:
		run, err = readExponential(f, d)
	case 3:
		run, err = readStitched(f, d, domain, depth)
	case 4:
		run, err = readCalculator(f, o)
	default:
		err = errFunction
	}
	if err != nil {
		return nil, err
	}
	return func(in []float64) []float64 {
		args := make([]float64, len(domain)/2)
		copy(args, in)
		for i := range args {
			args[i] = bound(args[i], domain[2*i], domain[2*i+1])
		}
		out := run(args)
		for i := range out {
			if 2*i+1 < len(limits) {
				out[i] = bound(out[i], limits[2*i], limits[2*i+1])
			}
		}
		return out
	}, nil
}

func first(v []float64) float64 {
	if len(v) == 0 {
		return 0
	}
	return v[0]
}

func bound(v, lo, hi float64) float64 {
	if !(v >= lo) { // and NaN
		return lo
	}
	return math.Min(v, hi)
}

func interpolate(v, x0, x1, y0, y1 float64) float64 {
	if x1 == x0 {
		return y0
	}
	return y0 + (v-x0)*(y1-y0)/(x1-x0)
}

// readSampled reads a function given by a table (7.10.2). Between samples the nearest in each direction but the first is taken,
// in the first it is interpolated.
func readSampled(f *cos.Reader, o cos.Object, d cos.Dict, domain, limits []float64) (function, error) {
	size, bits := f.Nums(d["Size"]), int(f.NumOr(d["BitsPerSample"], 8))
	data, err := f.Stream(o)
	m, n := len(domain)/2, len(limits)/2
	if err != nil && len(data) == 0 || len(size) < m || n == 0 || bits < 1 || bits > 32 {
		return nil, errFunction
	}
	total := n
	for i := range m {
		if size[i] < 1 || size[i] > 1<<16 {
			return nil, errFunction
		}
		if total *= int(size[i]); total > 1<<22 {
			return nil, errFunction
		}
	}
	encode, decode := f.Nums(d["Encode"]), f.Nums(d["Decode"])
	if len(decode) < 2*n {
		decode = limits
	}
	table := make([]float64, total)
	r := bitSamples{data: data}
	top := math.Pow(2, float64(bits)) - 1
	for i := range table {
		k := i % n
		table[i] = interpolate(float64(r.next(bits)), 0, top, decode[2*k], decode[2*k+1])
	}
	return func(in []float64) []float64 {
		at, step, next, frac := 0, n, 0, 0.0
		for i := range m {
			lo, hi := 0.0, size[i]-1
			if 2*i+1 < len(encode) {
				lo, hi = encode[2*i], encode[2*i+1]
			}
			e := bound(interpolate(in[i], domain[2*i], domain[2*i+1], lo, hi), 0, size[i]-1)
			if i == 0 {
				at += int(e) * step
				if frac = e - math.Floor(e); frac > 0 {
					next = step
				}
			} else {
				at += int(e+.5) * step
			}
			step *= int(size[i])
		}
		out := make([]float64, n)
		for k := range out {
			out[k] = table[at+k] + frac*(table[at+next+k]-table[at+k])
		}
		return out
	}, nil
}

// readExponential reads C0 + x^N (C1 - C0) (7.10.3).
func readExponential(f *cos.Reader, d cos.Dict) (function, error) {
	c0, c1, n := f.Nums(d["C0"]), f.Nums(d["C1"]), f.NumOr(d["N"], 1)
	if c0 == nil {
		c0 = []float64{0}
	}
	if c1 == nil {
		c1 = []float64{1}
	}
	if len(c0) != len(c1) || len(c0) > maxFunctionArgs {
		return nil, errFunction
	}
	return func(in []float64) []float64 {
		p := math.Pow(in[0], n)
		out := make([]float64, len(c0))
		for i := range out {
			out[i] = c0[i] + p*(c1[i]-c0[i])
		}
		return out
	}, nil
}

// readStitched reads a function put together from others (7.10.4).
func readStitched(f *cos.Reader, d cos.Dict, domain []float64, depth int) (function, error) {
	list, bounds, encode := f.Array(d["Functions"]), f.Nums(d["Bounds"]), f.Nums(d["Encode"])
	if len(list) == 0 || len(list) > 256 || len(bounds) < len(list)-1 || len(encode) < 2*len(list) {
		return nil, errFunction
	}
	parts := make([]function, len(list))
	for i := range list {
		var err error
		if parts[i], err = readFunction(f, list[i], depth+1); err != nil {
			return nil, err
		}
	}
	return func(in []float64) []float64 {
		k := 0
		for k < len(parts)-1 && in[0] >= bounds[k] {
			k++
		}
		lo, hi := domain[0], domain[1]
		if k > 0 {
			lo = bounds[k-1]
		}
		if k < len(parts)-1 {
			hi = bounds[k]
		}
		return parts[k]([]float64{interpolate(in[0], lo, hi, encode[2*k], encode[2*k+1])})
	}, nil
}

// A calcOp is an operator or number of a calculator function, or a block of them.
type calcOp struct {
	num   float64
	name  string // "" for a number, "{" for a block
	block []calcOp
}

// readCalculator reads a function written in PostScript's words (7.10.5).
func readCalculator(f *cos.Reader, o cos.Object) (function, error) {
	data, err := f.Stream(o)
	if err != nil && len(data) == 0 {
		return nil, errFunction
	}
	// The lexer of content streams does not know braces, so they are told apart here.
	var words []string
	at := -1
	for i, c := range data {
		if c == '{' || c == '}' || cos.Class(c) == cos.Space {
			if at >= 0 {
				words = append(words, string(data[at:i]))
				at = -1
			}
			if c == '{' || c == '}' {
				words = append(words, string(c))
			}
		} else if at < 0 {
			at = i
		}
		if len(words) > maxFunctionCode {
			return nil, errFunction
		}
	}
	if len(words) == 0 || words[0] != "{" {
		return nil, errFunction
	}
	code, _, err := calcBlock(words[1:], 0)
	if err != nil {
		return nil, err
	}
	return func(in []float64) []float64 {
		m := calcMachine{stack: append(make([]float64, 0, 32), in...), left: maxFunctionCode}
		m.run(code)
		return m.stack
	}, nil
}

func calcBlock(words []string, depth int) (out []calcOp, rest []string, err error) {
	for len(words) > 0 {
		w := words[0]
		words = words[1:]
		switch {
		case w == "}":
			return out, words, nil
		case w == "{":
			if depth > 16 {
				return nil, nil, errFunction
			}
			var b []calcOp
			if b, words, err = calcBlock(words, depth+1); err != nil {
				return nil, nil, err
			}
			out = append(out, calcOp{name: "{", block: b})
		default:
			if v, n, ok := lexer.ParseNumber([]byte(w)); ok && n == len(w) {
				out = append(out, calcOp{num: v})
			} else {
				out = append(out, calcOp{name: w})
			}
		}
	}
	return nil, nil, fmt.Errorf("%w: no end of a block", errFunction)
}

type calcMachine struct {
	stack []float64
	left  int
}

func (m *calcMachine) pop() float64 {
	n := len(m.stack)
	if n == 0 {
		return 0
	}
	v := m.stack[n-1]
	m.stack = m.stack[:n-1]
	return v
}

func (m *calcMachine) push(v float64) {
	if len(m.stack) < 100 {
		m.stack = append(m.stack, v)
	}
}

func truth(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func (m *calcMachine) run(code []calcOp) {
	for i := 0; i < len(code) && m.left > 0; i++ {
		m.left--
		c := &code[i]
		switch c.name {
		case "":
			m.push(c.num)
		case "{": // the blocks before if and ifelse
			if i+1 < len(code) && code[i+1].name == "if" {
				if m.pop() != 0 {
					m.run(c.block)
				}
				i++
			} else if i+2 < len(code) && code[i+2].name == "ifelse" {
				if m.pop() != 0 {
					m.run(c.block)
				} else {
					m.run(code[i+1].block)
				}
				i += 2
			}
		default:
			m.operator(c.name)
		}
	}
}

func (m *calcMachine) operator(op string) {
	switch op {
	case "true", "false":
		m.push(truth(op == "true"))
	case "pop":
		m.pop()
	case "dup":
		v := m.pop()
		m.push(v)
		m.push(v)
	case "exch":
		b, a := m.pop(), m.pop()
		m.push(b)
		m.push(a)
	case "copy":
		if n := int(m.pop()); n > 0 && n <= len(m.stack) && n <= maxFunctionArgs {
			for _, v := range m.stack[len(m.stack)-n:] {
				m.push(v)
			}
		}
	case "index":
		if n := int(m.pop()); n >= 0 && n < len(m.stack) {
			m.push(m.stack[len(m.stack)-1-n])
		}
	case "roll":
		j, n := int(m.pop()), int(m.pop())
		if n > 0 && n <= len(m.stack) {
			s := m.stack[len(m.stack)-n:]
			j = (j%n + n) % n
			t := append(append([]float64{}, s[n-j:]...), s[:n-j]...)
			copy(s, t)
		}
	default:
		if f := calcOne[op]; f != nil {
			m.push(f(m.pop()))
			return
		}
		b, a := m.pop(), m.pop()
		if f := calcTwo[op]; f != nil {
			m.push(f(a, b))
		} else {
			m.push(0)
		}
	}
}

// calcOne are the operators that take one number (ISO 32000-1, 7.10.5.2).
var calcOne = map[string]func(a float64) float64{
	"abs": math.Abs, "ceiling": math.Ceil, "floor": math.Floor, "truncate": math.Trunc, "cvi": math.Trunc,
	"neg":   func(a float64) float64 { return -a },
	"cvr":   func(a float64) float64 { return a },
	"not":   func(a float64) float64 { return truth(a == 0) },
	"round": func(a float64) float64 { return math.Floor(a + .5) },
	"sqrt":  func(a float64) float64 { return math.Sqrt(math.Max(a, 0)) },
	"sin":   func(a float64) float64 { return math.Sin(a * math.Pi / 180) },
	"cos":   func(a float64) float64 { return math.Cos(a * math.Pi / 180) },
	"ln":    func(a float64) float64 { return math.Log(math.Max(a, 1e-300)) },
	"log":   func(a float64) float64 { return math.Log10(math.Max(a, 1e-300)) },
}

// calcTwo are those that take two. What cannot be divided is nought.
var calcTwo = map[string]func(a, b float64) float64{
	"add": func(a, b float64) float64 { return a + b },
	"sub": func(a, b float64) float64 { return a - b },
	"mul": func(a, b float64) float64 { return a * b },
	"div": func(a, b float64) float64 { return whole(b != 0, a/b) },
	"idiv": func(a, b float64) float64 {
		return whole(math.Trunc(b) != 0, math.Trunc(math.Trunc(a)/math.Trunc(b)))
	},
	"mod": func(a, b float64) float64 { return whole(math.Trunc(b) != 0, math.Mod(math.Trunc(a), math.Trunc(b))) },
	"exp": math.Pow,
	"atan": func(a, b float64) float64 { // from 0 to 360 degrees
		v := math.Atan2(a, b) * 180 / math.Pi
		if v < 0 {
			v += 360
		}
		return v
	},
	"eq":  func(a, b float64) float64 { return truth(a == b) },
	"ne":  func(a, b float64) float64 { return truth(a != b) },
	"gt":  func(a, b float64) float64 { return truth(a > b) },
	"ge":  func(a, b float64) float64 { return truth(a >= b) },
	"lt":  func(a, b float64) float64 { return truth(a < b) },
	"le":  func(a, b float64) float64 { return truth(a <= b) },
	"and": func(a, b float64) float64 { return float64(int64(a) & int64(b)) },
	"or":  func(a, b float64) float64 { return float64(int64(a) | int64(b)) },
	"xor": func(a, b float64) float64 { return float64(int64(a) ^ int64(b)) },
	"bitshift": func(a, b float64) float64 {
		n := int64(max(min(b, 32), -32))
		return whole(n > -32 && n < 32, float64(int64(a)<<max(n, 0)>>max(-n, 0)))
	},
}

// whole is v where that can be said, else nought.
func whole(ok bool, v float64) float64 {
	if ok {
		return v
	}
	return 0
}

// bitSamples reads numbers of so many bits in a row; behind the end there are zeros.
type bitSamples struct {
	data []byte
	pos  int
}

func (r *bitSamples) next(bits int) (v uint32) {
	for ; bits > 0; bits-- {
		v <<= 1
		if i := r.pos >> 3; i < len(r.data) {
			v |= uint32(r.data[i] >> (7 - r.pos&7) & 1)
		}
		r.pos++
	}
	return v
}
