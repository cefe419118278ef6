package lexer

import (
	"math"
	"strconv"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// Kind says what a token of a content stream or CMap is.
type Kind uint8

// The kinds of tokens.
const (
	EOF Kind = iota
	Number
	String // literal or hexadecimal, decoded
	Name
	Keyword // operators, true, false, null
	ArrayOpen
	ArrayClose
	DictOpen
	DictClose
)

// A Token is one lexical piece of a content stream. Bytes alias the input where nothing had to be decoded.
type Token struct {
	Kind  Kind
	Num   float64
	Bytes []byte
	Pos   int // offset of its first byte
}

// A Lexer cuts a content stream, a CMap or the clear text part of a Type 1 font into tokens (ISO 32000-1, 7.2).
// It never fails: bytes that fit nothing are skipped. What it returns stays valid until Release is called.
type Lexer struct {
	Input  []byte
	Pos    int
	Memory Memory

	within int // tokens in arrays and dictionaries since the last operator
}

// A Memory holds what tokens and operands point to besides the input.
type Memory struct {
	decoded []byte    // strings and names that had to be decoded
	items   []Operand // elements of finished arrays and dictionaries
	open    []Operand // elements of those being read
}

// Forget drops what the memory points to: the input would else stay as long as the memory does.
func (m *Memory) Forget() {
	clear(m.items[:cap(m.items)])
	clear(m.open[:cap(m.open)])
}

// keptOperands is how many operands, and 16 times as many bytes, a lexer's memory may keep for later use.
const keptOperands = 1 << 14

// Release gives the memory of all tokens and operands back for those to come.
func (l *Lexer) Release() {
	l.within = 0
	if cap(l.Memory.items) > keptOperands || cap(l.Memory.open) > keptOperands || cap(l.Memory.decoded) > 16*keptOperands {
		l.Memory = Memory{}
		return
	}
	l.Memory.decoded, l.Memory.items = l.Memory.decoded[:0], l.Memory.items[:0]
}

// Next returns the next token; at the end its kind is EOF.
func (l *Lexer) Next() Token {
	for {
		l.Pos = cos.SkipSpace(l.Input, l.Pos)
		if l.Pos >= len(l.Input) {
			return Token{Kind: EOF, Pos: l.Pos}
		}
		start := l.Pos
		c := l.Input[l.Pos]
		switch c {
		case '(':
			return Token{Kind: String, Bytes: l.literal(), Pos: start}
		case '<':
			if l.Pos+1 < len(l.Input) && l.Input[l.Pos+1] == '<' {
				l.Pos += 2
				return Token{Kind: DictOpen, Pos: start}
			}
			return Token{Kind: String, Bytes: l.hex(), Pos: start}
		case '>':
			if l.Pos+1 < len(l.Input) && l.Input[l.Pos+1] == '>' {
				l.Pos += 2
				return Token{Kind: DictClose, Pos: start}
			}
			l.Pos++
		case '[':
			l.Pos++
			return Token{Kind: ArrayOpen, Pos: start}
		case ']':
			l.Pos++
			return Token{Kind: ArrayClose, Pos: start}
		case '/':
			return Token{Kind: Name, Bytes: l.name(), Pos: start}
		case ')', '{', '}':
			l.Pos++
		default:
			if c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
				if v, n, ok := ParseNumber(l.Input[l.Pos:]); ok {
					l.Pos += n
					return Token{Kind: Number, Num: v, Pos: start}
				}
			}
			for l.Pos < len(l.Input) && cos.Class(l.Input[l.Pos]) == cos.Regular {
				l.Pos++
			}
			return Token{Kind: Keyword, Bytes: l.Input[start:l.Pos], Pos: start}
		}
	}
}

// ParseNumber reads a number at the start of b and how many bytes it takes. Producers write "--5", "5-3" and "1.2.3";
// readers take what makes sense of the beginning. A run that begins like a number and goes on with letters is none.
func ParseNumber(b []byte) (v float64, n int, ok bool) {
	neg := false
	for n < len(b) && (b[n] == '+' || b[n] == '-') {
		neg = neg || b[n] == '-'
		n++
	}
	var whole, frac float64
	scale := 1.0
	digits, dot := 0, false
	for ; n < len(b); n++ {
		c := b[n]
		if c >= '0' && c <= '9' {
			digits++
			if dot {
				if scale < 1e15 {
					frac = frac*10 + float64(c-'0')
					scale *= 10
				}
			} else if whole < 1e18 {
				whole = whole*10 + float64(c-'0')
			}
		} else if c == '.' && !dot {
			dot = true
		} else {
			break
		}
	}
	if digits == 0 && !dot {
		return 0, 0, false
	}
	if n < len(b) && cos.Class(b[n]) == cos.Regular {
		c := b[n]
		if c != '-' && c != '.' {
			if digits == 0 || c >= 0x80 || !(c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z') {
				return 0, 0, false
			}
			if c == 'e' || c == 'E' { // not PDF, but seen
				end := n
				for end < len(b) && cos.Class(b[end]) == cos.Regular {
					end++
				}
				if f, err := strconv.ParseFloat(string(b[:end]), 64); err == nil && !math.IsInf(f, 0) {
					return f, end, true
				}
			}
			// "0.5w" or "12Tf": a number and an operator run together.
		} else {
			for n < len(b) && (b[n] == '-' || b[n] == '.' || b[n] >= '0' && b[n] <= '9') {
				n++
			}
		}
	}
	v = whole + frac/scale
	if neg {
		v = -v
	}
	return v, n, true
}

// literal decodes a string in parentheses.
func (l *Lexer) literal() []byte {
	l.Pos++
	start, depth := l.Pos, 1
	i := start
	for ; i < len(l.Input); i++ { // the common case has no escapes: alias the input
		c := l.Input[i]
		if c == '\\' || c == '\r' {
			break
		}
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 {
				l.Pos = i + 1
				return l.Input[start:i]
			}
		}
	}
	return l.decode(start, cos.AppendLiteral)
}

// decode decodes what begins at start into the memory, and goes behind it.
func (l *Lexer) decode(start int, appendTo func(out, in []byte) ([]byte, int, bool)) []byte {
	at := len(l.Memory.decoded)
	out, n, _ := appendTo(l.Memory.decoded, l.Input[start:])
	l.Pos = start + n
	return l.keep(out, at)
}

// keep takes what was appended to the decoded bytes from at on.
func (l *Lexer) keep(out []byte, at int) []byte {
	l.Memory.decoded = out
	return out[at:len(out):len(out)]
}

// hex decodes a string in angle brackets.
func (l *Lexer) hex() []byte { return l.decode(l.Pos+1, cos.AppendHex) }

// name decodes a name, without its slash.
func (l *Lexer) name() []byte {
	l.Pos++
	start := l.Pos
	escaped := false
	for l.Pos < len(l.Input) && cos.Class(l.Input[l.Pos]) == cos.Regular {
		escaped = escaped || l.Input[l.Pos] == '#'
		l.Pos++
	}
	raw := l.Input[start:l.Pos]
	if !escaped {
		return raw
	}
	at := len(l.Memory.decoded)
	return l.keep(cos.AppendName(l.Memory.decoded, raw), at)
}

// An Operand is a value on the operand stack. The kinds are those of tokens; an array holds its elements, a
// dictionary its keys and values in turn.
type Operand struct {
	Kind  Kind
	Num   float64
	Bytes []byte
	Items []Operand
}

const (
	maxOperandDepth = 32
	maxOperandItems = 1 << 18 // tokens in all arrays and dictionaries before one operator
)

// Value reads the rest of the operand that begins with t.
func (l *Lexer) Value(t Token, depth int) Operand {
	o := Operand{Kind: t.Kind, Num: t.Num, Bytes: t.Bytes}
	if t.Kind != ArrayOpen && t.Kind != DictOpen {
		return o
	}
	base := len(l.Memory.open)
	for {
		t := l.Next()
		if t.Kind == EOF || t.Kind == ArrayClose || t.Kind == DictClose {
			break
		}
		if l.within++; l.within >= maxOperandItems {
			break // the rest reads as operands of their own
		}
		if depth >= maxOperandDepth {
			continue
		}
		if t.Kind == ArrayOpen || t.Kind == DictOpen {
			v := l.Value(t, depth+1) // before the append: it uses the same memory
			l.Memory.open = append(l.Memory.open, v)
		} else {
			l.Memory.open = append(l.Memory.open, Operand{Kind: t.Kind, Num: t.Num, Bytes: t.Bytes})
		}
	}
	at := len(l.Memory.items)
	l.Memory.items = append(l.Memory.items, l.Memory.open[base:]...)
	l.Memory.open = l.Memory.open[:base]
	o.Items = l.Memory.items[at:len(l.Memory.items):len(l.Memory.items)]
	return o
}

// Get returns the value of key in a dictionary operand.
func (o Operand) Get(key string) (Operand, bool) {
	if o.Kind != DictOpen {
		return Operand{}, false
	}
	for i := 0; i+1 < len(o.Items); i += 2 {
		if o.Items[i].Kind == Name && string(o.Items[i].Bytes) == key {
			return o.Items[i+1], true
		}
	}
	return Operand{}, false
}

// Object is the operand as an object.
func (o Operand) Object(depth int) cos.Object {
	if depth > maxOperandDepth {
		return nil
	}
	switch o.Kind {
	case Number:
		if o.Num == math.Trunc(o.Num) && math.Abs(o.Num) < 1<<53 {
			return cos.Integer(o.Num)
		}
		return cos.Float(o.Num)
	case String:
		return cos.String(o.Bytes)
	case Name:
		return cos.Name(o.Bytes)
	case Keyword:
		switch string(o.Bytes) {
		case "true":
			return cos.Bool(true)
		case "false":
			return cos.Bool(false)
		}
	case ArrayOpen:
		a := make(cos.Array, len(o.Items))
		for i := range o.Items {
			a[i] = o.Items[i].Object(depth + 1)
		}
		return a
	case DictOpen:
		d := cos.Dict{}
		for i := 0; i+1 < len(o.Items); i += 2 {
			if v := o.Items[i+1].Object(depth + 1); v != nil && o.Items[i].Kind == Name {
				d[string(o.Items[i].Bytes)] = v
			}
		}
		return d
	}
	return nil
}
