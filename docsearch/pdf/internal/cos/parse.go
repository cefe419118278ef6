package cos

import (
	"errors"
	"fmt"
	"io"
	"math"

	"github.com/findspot/findspot/internal/errs"
)

// errShort says that an object goes on behind the bytes at hand.
var errShort = errors.New("object goes on")

// A parser reads objects from bytes. What it returns does not alias them.
type parser struct {
	in    []byte
	pos   int
	last  bool // the input ends where the bytes at hand do
	items int
	stack []Object
	dec   func([]byte) []byte // decrypts strings; may be nil
}

func (p *parser) end() error {
	if p.last {
		return io.ErrUnexpectedEOF
	}
	return errShort
}

// space skips white space and comments.
func (p *parser) space() { p.pos = SkipSpace(p.in, p.pos) }

// next reads an object, or a word that is none: a keyword, or a closing bracket.
func (p *parser) next(depth int) (o Object, word string, err error) {
	for {
		p.space()
		if p.pos >= len(p.in) {
			return nil, "", p.end()
		}
		c := p.in[p.pos]
		switch c {
		case '/':
			o, err = p.name()
			return o, "", err
		case '(':
			o, err = p.literal()
			return o, "", err
		case '<':
			if p.pos+1 >= len(p.in) && !p.last {
				return nil, "", errShort
			}
			if p.pos+1 < len(p.in) && p.in[p.pos+1] == '<' {
				p.pos += 2
				o, err = p.container(depth, true)
				return o, "", err
			}
			o, err = p.hex()
			return o, "", err
		case '[':
			p.pos++
			o, err = p.container(depth, false)
			return o, "", err
		case ']':
			p.pos++
			return nil, "]", nil
		case '>':
			if p.pos+1 >= len(p.in) && !p.last {
				return nil, "", errShort
			}
			p.pos++
			if p.pos < len(p.in) && p.in[p.pos] == '>' {
				p.pos++
				return nil, ">>", nil
			}
			continue
		case ')', '{', '}':
			p.pos++
			continue
		}
		if c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
			if o, ok := p.number(); ok {
				if p.pos >= len(p.in) && !p.last {
					return nil, "", errShort
				}
				return o, "", nil
			}
		}
		start := p.pos
		for p.pos < len(p.in) && classes[p.in[p.pos]] == Regular {
			p.pos++
		}
		if p.pos >= len(p.in) && !p.last {
			return nil, "", errShort
		}
		switch w := p.in[start:p.pos]; string(w) {
		case "true":
			return Bool(true), "", nil
		case "false":
			return Bool(false), "", nil
		default:
			return nil, keyword(w), nil
		}
	}
}

// keyword names a word without allocating for those that matter.
func keyword(w []byte) string {
	switch string(w) {
	case "R":
		return "R"
	case "null":
		return "null"
	case "obj":
		return "obj"
	case "endobj":
		return "endobj"
	case "stream":
		return "stream"
	case "endstream":
		return "endstream"
	case "xref":
		return "xref"
	case "trailer":
		return "trailer"
	case "startxref":
		return "startxref"
	}
	if len(w) > 6 && string(w[:6]) == "endobj" { // "endobj12 0 obj"
		return "endobj"
	}
	return string(w[:min(len(w), 32)])
}

// container reads the rest of an array or dictionary. A word that only stands between objects ends it: its own end was
// lost. So does the end of the input.
func (p *parser) container(depth int, dict bool) (Object, error) {
	if depth >= maxDepth {
		return nil, fmt.Errorf("%w: nested deeper than %d", errs.TooLarge, maxDepth)
	}
	base := len(p.stack)
	defer func() { p.stack = p.stack[:base] }()
loop:
	for {
		before := p.pos
		o, word, err := p.next(depth + 1)
		if err == io.ErrUnexpectedEOF {
			break
		}
		if err != nil {
			return nil, err
		}
		switch word {
		case "":
		case "null":
			o = nil
		case "]":
			if !dict {
				break loop
			}
			continue
		case ">>":
			if !dict { // the array's own end was lost
				p.pos = before
			}
			break loop
		case "R":
			n := len(p.stack)
			if n < base+2 {
				continue
			}
			num, ok1 := p.stack[n-2].(Integer)
			gen, ok2 := p.stack[n-1].(Integer)
			if !ok1 || !ok2 {
				continue
			}
			p.stack = p.stack[:n-1]
			p.stack[n-2] = ref(num, gen)
			p.items-- // three words, one element
			continue
		case "obj", "endobj", "stream", "endstream", "xref", "trailer", "startxref":
			p.pos = before
			break loop
		default:
			continue
		}
		if p.items++; p.items > maxItems {
			return nil, fmt.Errorf("%w: object of over %d elements", errs.TooLarge, maxItems)
		}
		p.stack = append(p.stack, o)
	}
	list := p.stack[base:]
	if !dict {
		return append(make(Array, 0, len(list)), list...), nil
	}
	d := make(Dict, len(list)/2)
	for i := 0; i+1 < len(list); {
		k, ok := list[i].(Name)
		if !ok {
			i++
			continue
		}
		if v := list[i+1]; v != nil {
			d[string(k)] = v
		}
		i += 2
	}
	return d, nil
}

// ref returns a reference, or nil when there can be no such object.
func ref(num, gen Integer) Object {
	if num <= 0 || num > maxObjects || gen < 0 || gen > 65535 {
		return nil
	}
	return Ref{int(num), int(gen)}
}

// number reads an integer or a real. Producers write "--5", "5-3" and "1.2.3"; readers take what makes sense of the
// beginning.
func (p *parser) number() (Object, bool) {
	b, n, neg := p.in[p.pos:], 0, false
	for n < len(b) && (b[n] == '+' || b[n] == '-') {
		neg = neg || b[n] == '-'
		n++
	}
	var whole int64
	var big float64 // the number when it does not fit
	frac, scale := 0.0, 1.0
	digits, dot := 0, false
	for ; n < len(b); n++ {
		c := b[n]
		if c >= '0' && c <= '9' {
			digits++
			switch {
			case dot && scale < 1e15:
				frac = frac*10 + float64(c-'0')
				scale *= 10
			case dot:
			case whole < math.MaxInt64/10-1 && big == 0:
				whole = whole*10 + int64(c-'0')
			default:
				if big == 0 {
					big = float64(whole)
				}
				big = min(big*10, 1e300)
			}
		} else if c == '.' && !dot {
			dot = true
		} else {
			break
		}
	}
	if digits == 0 && !dot {
		if n > 0 && (n >= len(b) || classes[b[n]] != Regular) { // a sign alone reads as 0
			p.pos += n
			return Integer(0), true
		}
		return nil, false
	}
	for n < len(b) && (b[n] == '-' || b[n] == '.' || dot && b[n] >= '0' && b[n] <= '9') { // "5-3", "1.2.3"
		for n++; n < len(b) && b[n] >= '0' && b[n] <= '9'; n++ {
		}
	}
	if n < len(b) && classes[b[n]] == Regular && digits == 0 {
		return nil, false
	}
	p.pos += n
	if !dot && big == 0 {
		if neg {
			whole = -whole
		}
		return Integer(whole), true
	}
	v := float64(whole) + frac/scale
	if big != 0 {
		v = big
	}
	if neg {
		v = -v
	}
	return Float(v), true
}

// name reads a name, #xx escapes included.
func (p *parser) name() (Object, error) {
	start := p.pos + 1
	i, escaped := start, false
	for i < len(p.in) && classes[p.in[i]] == Regular {
		escaped = escaped || p.in[i] == '#'
		i++
	}
	if i >= len(p.in) && !p.last {
		return nil, errShort
	}
	p.pos = i
	raw := p.in[start:i]
	if !escaped {
		if o, ok := commonNames[string(raw)]; ok {
			return o, nil
		}
		return Name(raw), nil
	}
	return Name(AppendName(nil, raw)), nil
}

// commonNames saves allocating the names that every file repeats.
var commonNames = func() map[string]Object {
	m := map[string]Object{}
	for _, s := range []string{
		"Type", "Page", "Pages", "Parent", "Kids", "Count", "Contents", "Resources", "MediaBox", "CropBox", "Rotate", "Annots",
		"Font", "XObject", "ExtGState", "ProcSet", "PDF", "Text", "ImageB", "ImageC", "ImageI", "ColorSpace", "Pattern", "Shading",
		"Properties", "Length", "Filter", "FlateDecode", "DecodeParms", "Predictor", "Columns", "Subtype", "Type0", "Type1",
		"TrueType", "BaseFont", "Encoding", "FirstChar", "LastChar", "Widths", "FontDescriptor", "ToUnicode", "DescendantFonts",
		"Identity-H", "Form", "Image", "BBox", "Matrix", "Group", "S", "Transparency", "CS", "DeviceRGB", "DeviceGray", "I", "K",
		"P", "Pg", "StructElem", "StructParents", "Tabs", "Annot", "Link", "Rect", "Border", "A", "Dest", "URI", "D", "XYZ", "F",
		"Differences", "Span", "Width", "Height", "BitsPerComponent", "SMask", "Nums", "Limits", "Names", "Title", "Prev", "Next",
	} {
		m[s] = Name(s)
	}
	return m
}()

func (p *parser) str(b []byte) Object {
	if p.dec != nil {
		b = p.dec(b)
	}
	return String(b)
}

// literal reads a string in parentheses.
func (p *parser) literal() (Object, error) { return p.quoted(AppendLiteral) }

// hex reads a string in angle brackets.
func (p *parser) hex() (Object, error) { return p.quoted(AppendHex) }

func (p *parser) quoted(decode func(out, in []byte) ([]byte, int, bool)) (Object, error) {
	out, n, closed := decode(nil, p.in[p.pos+1:])
	if !closed && !p.last {
		return nil, errShort
	}
	p.pos += 1 + n
	return p.str(out), nil
}

// integer reads an unsigned integer in front of which white space may stand. It reports false without one.
func (p *parser) integer() (int64, bool) {
	p.space()
	start, v := p.pos, int64(0)
	for p.pos < len(p.in) && p.in[p.pos] >= '0' && p.in[p.pos] <= '9' {
		if v < 1<<50 {
			v = v*10 + int64(p.in[p.pos]-'0')
		}
		p.pos++
	}
	return v, p.pos > start
}

// header reads "N G obj". It reports false when something else stands there.
func (p *parser) header() (num, gen int, ok bool) {
	n, ok1 := p.integer()
	g, ok2 := p.integer()
	p.space()
	if !ok1 || !ok2 || n > maxObjects || len(p.in)-p.pos < 3 || string(p.in[p.pos:p.pos+3]) != "obj" {
		return 0, 0, false
	}
	p.pos += 3
	return int(n), int(min(g, 65535)), true
}

// body reads the object behind a header. For a stream, data is where its bytes begin, else -1.
func (p *parser) body() (o Object, data int, err error) {
	o, word, err := p.next(0)
	if err != nil {
		return nil, -1, err
	}
	switch word {
	case "", "null":
	case "endobj", "stream", "endstream", "obj":
		return nil, -1, nil
	default:
		return nil, -1, fmt.Errorf("%q where an object should be", word)
	}
	if num, ok := o.(Integer); ok { // the object may be a reference
		after := p.pos
		gen, word, err := p.next(0)
		if err == errShort {
			return nil, -1, err
		}
		if g, ok := gen.(Integer); ok && err == nil && word == "" {
			if _, word, err = p.next(0); word == "R" {
				return ref(num, g), -1, nil
			} else if err == errShort {
				return nil, -1, err
			}
		}
		p.pos = after
		return o, -1, nil
	}
	if _, ok := o.(Dict); !ok {
		return o, -1, nil
	}
	p.space()
	if len(p.in)-p.pos < len("stream")+80 && !p.last {
		return nil, -1, errShort
	}
	rest := p.in[p.pos:]
	if len(rest) < 6 || string(rest[:6]) != "stream" {
		return o, -1, nil
	}
	i := 6
	for i < len(rest) && i < 70 && (rest[i] == ' ' || rest[i] == '\t') {
		i++
	}
	switch {
	case i < len(rest) && rest[i] == '\n':
		i++
	case i+1 < len(rest) && rest[i] == '\r' && rest[i+1] == '\n':
		i += 2
	case i < len(rest) && rest[i] == '\r':
		i++
	default:
		i = 6
	}
	return o, p.pos + i, nil
}
