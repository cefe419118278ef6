package pdf

import (
	"math"
	"strconv"

	"github.com/findspot/findspot/docsearch/pdf/internal/cos"
)

// tokenKind says what a token of a content stream or CMap is.
type tokenKind uint8

const (
	tokEOF tokenKind = iota
	tokNumber
	tokString // literal or hexadecimal, decoded
	tokName
	tokKeyword // operators, true, false, null
	tokArrayOpen
	tokArrayClose
	tokDictOpen
	tokDictClose
)

// A token is one lexical piece of a content stream. Bytes alias the input where nothing had to be decoded.
type token struct {
	kind  tokenKind
	num   float64
	bytes []byte
	pos   int // offset of its first byte
}

// A lexer cuts a content stream, a CMap or the clear text part of a Type 1 font into tokens (ISO 32000-1, 7.2).
// It never fails: bytes that fit nothing are skipped. What it returns stays valid until release is called.
type lexer struct {
	in  []byte
	pos int
	mem lexerMemory

	within int // tokens in arrays and dictionaries since the last operator
}

// A lexerMemory holds what tokens and operands point to besides the input.
type lexerMemory struct {
	decoded []byte    // strings and names that had to be decoded
	items   []operand // elements of finished arrays and dictionaries
	open    []operand // elements of those being read
}

// keptOperands is how many operands, and 16 times as many bytes, a lexer's memory may keep for later use.
const keptOperands = 1 << 14

// release gives the memory of all tokens and operands back for those to come.
func (l *lexer) release() {
	l.within = 0
	if cap(l.mem.items) > keptOperands || cap(l.mem.open) > keptOperands || cap(l.mem.decoded) > 16*keptOperands {
		l.mem = lexerMemory{}
		return
	}
	l.mem.decoded, l.mem.items = l.mem.decoded[:0], l.mem.items[:0]
}

func (l *lexer) skipSpace() {
	for l.pos < len(l.in) {
		c := l.in[l.pos]
		if c == '%' {
			for l.pos < len(l.in) && l.in[l.pos] != '\n' && l.in[l.pos] != '\r' {
				l.pos++
			}
			continue
		}
		if cos.Class(c) != cos.Space {
			return
		}
		l.pos++
	}
}

// next returns the next token; at the end its kind is tokEOF.
func (l *lexer) next() token {
	for {
		l.skipSpace()
		if l.pos >= len(l.in) {
			return token{kind: tokEOF, pos: l.pos}
		}
		start := l.pos
		c := l.in[l.pos]
		switch c {
		case '(':
			return token{kind: tokString, bytes: l.literal(), pos: start}
		case '<':
			if l.pos+1 < len(l.in) && l.in[l.pos+1] == '<' {
				l.pos += 2
				return token{kind: tokDictOpen, pos: start}
			}
			return token{kind: tokString, bytes: l.hex(), pos: start}
		case '>':
			if l.pos+1 < len(l.in) && l.in[l.pos+1] == '>' {
				l.pos += 2
				return token{kind: tokDictClose, pos: start}
			}
			l.pos++
		case '[':
			l.pos++
			return token{kind: tokArrayOpen, pos: start}
		case ']':
			l.pos++
			return token{kind: tokArrayClose, pos: start}
		case '/':
			return token{kind: tokName, bytes: l.name(), pos: start}
		case ')', '{', '}':
			l.pos++
		default:
			if c >= '0' && c <= '9' || c == '+' || c == '-' || c == '.' {
				if v, n, ok := number(l.in[l.pos:]); ok {
					l.pos += n
					return token{kind: tokNumber, num: v, pos: start}
				}
			}
			for l.pos < len(l.in) && cos.Class(l.in[l.pos]) == cos.Regular {
				l.pos++
			}
			return token{kind: tokKeyword, bytes: l.in[start:l.pos], pos: start}
		}
	}
}

// number reads a number at the start of b and how many bytes it takes. Producers write "--5", "5-3" and "1.2.3";
// readers take what makes sense of the beginning. A run that begins like a number and goes on with letters is none.
func number(b []byte) (v float64, n int, ok bool) {
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
func (l *lexer) literal() []byte {
	l.pos++
	start, depth := l.pos, 1
	i := start
	for ; i < len(l.in); i++ { // the common case has no escapes: alias the input
		c := l.in[i]
		if c == '\\' || c == '\r' {
			break
		}
		if c == '(' {
			depth++
		} else if c == ')' {
			if depth--; depth == 0 {
				l.pos = i + 1
				return l.in[start:i]
			}
		}
	}
	return l.decode(start, cos.AppendLiteral)
}

// decode decodes what begins at start into the memory, and goes behind it.
func (l *lexer) decode(start int, appendTo func(out, in []byte) ([]byte, int, bool)) []byte {
	at := len(l.mem.decoded)
	out, n, _ := appendTo(l.mem.decoded, l.in[start:])
	l.pos = start + n
	return l.keep(out, at)
}

// keep takes what was appended to the decoded bytes from at on.
func (l *lexer) keep(out []byte, at int) []byte {
	l.mem.decoded = out
	return out[at:len(out):len(out)]
}

// hex decodes a string in angle brackets.
func (l *lexer) hex() []byte { return l.decode(l.pos+1, cos.AppendHex) }

// name decodes a name, without its slash.
func (l *lexer) name() []byte {
	l.pos++
	start := l.pos
	escaped := false
	for l.pos < len(l.in) && cos.Class(l.in[l.pos]) == cos.Regular {
		escaped = escaped || l.in[l.pos] == '#'
		l.pos++
	}
	raw := l.in[start:l.pos]
	if !escaped {
		return raw
	}
	at := len(l.mem.decoded)
	return l.keep(cos.AppendName(l.mem.decoded, raw), at)
}

// An operand is a value on the operand stack. The kinds are those of tokens; an array holds its elements, a
// dictionary its keys and values in turn.
type operand struct {
	kind  tokenKind
	num   float64
	bytes []byte
	items []operand
}

const (
	maxOperandDepth = 32
	maxOperandItems = 1 << 18 // tokens in all arrays and dictionaries before one operator
)

// value reads the rest of the operand that begins with t.
func (l *lexer) value(t token, depth int) operand {
	o := operand{kind: t.kind, num: t.num, bytes: t.bytes}
	if t.kind != tokArrayOpen && t.kind != tokDictOpen {
		return o
	}
	base := len(l.mem.open)
	for {
		t := l.next()
		if t.kind == tokEOF || t.kind == tokArrayClose || t.kind == tokDictClose {
			break
		}
		if l.within++; l.within >= maxOperandItems {
			break // the rest reads as operands of their own
		}
		if depth >= maxOperandDepth {
			continue
		}
		if t.kind == tokArrayOpen || t.kind == tokDictOpen {
			v := l.value(t, depth+1) // before the append: it uses the same memory
			l.mem.open = append(l.mem.open, v)
		} else {
			l.mem.open = append(l.mem.open, operand{kind: t.kind, num: t.num, bytes: t.bytes})
		}
	}
	at := len(l.mem.items)
	l.mem.items = append(l.mem.items, l.mem.open[base:]...)
	l.mem.open = l.mem.open[:base]
	o.items = l.mem.items[at:len(l.mem.items):len(l.mem.items)]
	return o
}

// get returns the value of key in a dictionary operand.
func (o operand) get(key string) (operand, bool) {
	if o.kind != tokDictOpen {
		return operand{}, false
	}
	for i := 0; i+1 < len(o.items); i += 2 {
		if o.items[i].kind == tokName && string(o.items[i].bytes) == key {
			return o.items[i+1], true
		}
	}
	return operand{}, false
}
