package source

import (
	"bytes"
	"unicode/utf16"
)

// Encoding says what a server counts columns in.
type Encoding string

const (
	UTF8  Encoding = "utf-8"
	UTF16 Encoding = "utf-16" // the protocol's default
	UTF32 Encoding = "utf-32"
)

// Text is the text of a file with its line starts. Lines are the protocol's: they end with "\n", "\r\n" or "\r".
// Columns of a server are code units of its encoding within the line, from 0; ours are bytes, from 1.
type Text struct {
	Bytes  []byte
	Starts []int // offset of each line
	BOM    bool  // the file begins with a byte order mark, which is not in text
	// Transcoded: the file is in another encoding than UTF-8.
	Transcoded bool

	lf, ecma otherLines
}

func NewText(text []byte) *Text {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+1)
	if bytes.IndexByte(text, '\r') < 0 { // most files by far, and this way is ten times as fast
		for at := 0; ; {
			i := bytes.IndexByte(text[at:], '\n')
			if i < 0 {
				return &Text{Bytes: text, Starts: starts}
			}
			at += i + 1
			starts = append(starts, at)
		}
	}
	for i, b := range text {
		if b == '\n' || b == '\r' && (i+1 == len(text) || text[i+1] != '\n') {
			starts = append(starts, i+1)
		}
	}
	return &Text{Bytes: text, Starts: starts}
}

// Line returns the line, counted from 1, without its end. The second value is false when there is no such line.
func (c *Text) Line(n int) ([]byte, bool) {
	if n < 1 || n > len(c.Starts) {
		return nil, false
	}
	end := len(c.Bytes)
	if n < len(c.Starts) {
		end = c.Starts[n]
	}
	return bytes.TrimRight(c.Bytes[c.Starts[n-1]:end], "\r\n"), true
}

// Col converts a server's column to a byte column from 1. A column behind the end of the line means its end, as the
// protocol says; one inside a character means the character's start.
func (c *Text) Col(line int, units uint32, enc Encoding) (int, bool) {
	text, ok := c.Line(line)
	if !ok {
		return 0, false
	}
	return columnIn(text, units, enc) + 1, true
}

// Units converts a byte column from 1 to a server's column. A column inside a character means its start, one behind the
// end of the line its end.
func (c *Text) Units(line, col int, enc Encoding) (uint32, bool) {
	text, ok := c.Line(line)
	if !ok || col < 1 {
		return 0, false
	}
	return uint32(unitsIn(text[:min(col-1, len(text))], enc)), true
}

func unitsOf(r rune, size int, enc Encoding) int64 {
	switch enc {
	case UTF8:
		return int64(size)
	case UTF32:
		return 1
	}
	return int64(max(1, utf16.RuneLen(r)))
}

// IdentAt returns the half-open byte columns of the identifier that the column is on or just behind, else of the
// nearest one on the line; exact tells which. The last value is false when the line has none.
func (c *Text) IdentAt(line, col int) (start, end int, exact, ok bool) {
	text, ok := c.Line(line)
	if !ok {
		return 0, 0, false, false
	}
	best := -1
	for at := 0; at < len(text); {
		s, e := NextIdent(text, at)
		if s < 0 {
			break
		}
		at = e
		if s+1 <= col && col <= e+1 {
			return s + 1, e + 1, true, true
		}
		d := max(s+1-col, col-e-1)
		if best < 0 || d < best {
			best, start, end = d, s+1, e+1
		}
	}
	return start, end, false, best >= 0
}

// FindIdent returns the byte columns of the first identifier on the line that is name, from byte column col on.
func (c *Text) FindIdent(line, col int, name string) (start, end int, ok bool) {
	text, ok := c.Line(line)
	if !ok {
		return 0, 0, false
	}
	for at := max(0, col-1); ; {
		s, e := NextIdent(text, at)
		if s < 0 {
			return 0, 0, false
		}
		if string(text[s:e]) == name {
			return s + 1, e + 1, true
		}
		at = e
	}
}

// Encodings are what is offered unless the entry says otherwise.
func Encodings() []Encoding { return []Encoding{UTF8, UTF16, UTF32} }
