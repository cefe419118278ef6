package lspclient

import (
	"bytes"
	"unicode/utf16"
)

// encoding says what a server counts columns in.
type encoding string

const (
	utf8Columns  encoding = "utf-8"
	utf16Columns encoding = "utf-16" // the protocol's default
	utf32Columns encoding = "utf-32"
)

// content is the text of a file with its line starts. Lines are the protocol's: they end with "\n", "\r\n" or "\r".
// Columns of a server are code units of its encoding within the line, from 0; ours are bytes, from 1.
type content struct {
	text   []byte
	starts []int // offset of each line
	bom    bool  // the file begins with a byte order mark, which is not in text
	// foreign: the file is in another encoding than UTF-8.
	foreign bool

	lf, ecma otherLines
}

func newContent(text []byte) *content {
	starts := make([]int, 1, bytes.Count(text, []byte{'\n'})+1)
	if bytes.IndexByte(text, '\r') < 0 { // most files by far, and this way is ten times as fast
		for at := 0; ; {
			i := bytes.IndexByte(text[at:], '\n')
			if i < 0 {
				return &content{text: text, starts: starts}
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
	return &content{text: text, starts: starts}
}

// line returns the line, counted from 1, without its end. The second value is false when there is no such line.
func (c *content) line(n int) ([]byte, bool) {
	if n < 1 || n > len(c.starts) {
		return nil, false
	}
	end := len(c.text)
	if n < len(c.starts) {
		end = c.starts[n]
	}
	return bytes.TrimRight(c.text[c.starts[n-1]:end], "\r\n"), true
}

// col converts a server's column to a byte column from 1. A column behind the end of the line means its end, as the
// protocol says; one inside a character means the character's start.
func (c *content) col(line int, units uint32, enc encoding) (int, bool) {
	text, ok := c.line(line)
	if !ok {
		return 0, false
	}
	return columnIn(text, units, enc) + 1, true
}

// units converts a byte column from 1 to a server's column. A column inside a character means its start, one behind the
// end of the line its end.
func (c *content) units(line, col int, enc encoding) (uint32, bool) {
	text, ok := c.line(line)
	if !ok || col < 1 {
		return 0, false
	}
	return uint32(unitsIn(text[:min(col-1, len(text))], enc)), true
}

func unitsOf(r rune, size int, enc encoding) int64 {
	switch enc {
	case utf8Columns:
		return int64(size)
	case utf32Columns:
		return 1
	}
	return int64(max(1, utf16.RuneLen(r)))
}

// identAt returns the half-open byte columns of the identifier that the column is on or just behind, else of the
// nearest one on the line; exact tells which. The last value is false when the line has none.
func (c *content) identAt(line, col int) (start, end int, exact, ok bool) {
	text, ok := c.line(line)
	if !ok {
		return 0, 0, false, false
	}
	best := -1
	for at := 0; at < len(text); {
		s, e := nextIdent(text, at)
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

// findIdent returns the byte columns of the first identifier on the line that is name, from byte column col on.
func (c *content) findIdent(line, col int, name string) (start, end int, ok bool) {
	text, ok := c.line(line)
	if !ok {
		return 0, 0, false
	}
	for at := max(0, col-1); ; {
		s, e := nextIdent(text, at)
		if s < 0 {
			return 0, 0, false
		}
		if string(text[s:e]) == name {
			return s + 1, e + 1, true
		}
		at = e
	}
}
