package source

import (
	"bytes"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"github.com/findspot/findspot/lspclient/internal/protocol"
)

// LineRule says what ends a line for a server. By the protocol that is "\n", "\r\n" or "\r", and so it is for callers; but
// servers count lines as their language does, and the two differ behind the first odd character in a file.
type LineRule string

const (
	protocolLines LineRule = ""
	// lfLines: "\n" alone, with or without "\r" before it.
	lfLines LineRule = "lf"
	// askLFLines: "\n" alone in questions, and what the protocol says in answers.
	askLFLines LineRule = "ask-lf"
	// ecmaLines: as in ECMAScript (ECMA-262, 12.3) also U+2028 and U+2029.
	ecmaLines LineRule = "ecmascript"
	// SplitLines: lines are counted as the protocol says, and columns are cut at the ends of what str.splitlines of Python
	// takes for lines, so that some places cannot be asked about.
	SplitLines LineRule = "splitlines"
)

// LineRules are all of them.
func LineRules() []LineRule {
	return []LineRule{protocolLines, lfLines, askLFLines, ecmaLines, SplitLines}
}

// otherLines are the starts of lines by a rule that is not the protocol's.
type otherLines struct {
	once   sync.Once
	starts []int // nil when they are those of the protocol
}

// LineStarts returns the starts of lines by a rule.
func (c *Text) LineStarts(rule LineRule) []int {
	var o *otherLines
	switch rule {
	case lfLines:
		o = &c.lf
	case ecmaLines:
		o = &c.ecma
	default:
		return c.Starts
	}
	o.once.Do(func() {
		switch rule {
		case lfLines:
			if n := bytes.Count(c.Bytes, []byte{'\n'}); n+1 == len(c.Starts) {
				return
			}
			o.starts = []int{0}
			for at := 0; ; {
				i := bytes.IndexByte(c.Bytes[at:], '\n')
				if i < 0 {
					return
				}
				at += i + 1
				o.starts = append(o.starts, at)
			}
		case ecmaLines:
			for at := 0; ; {
				i := bytes.Index(c.Bytes[at:], []byte("\xe2\x80"))
				if i < 0 {
					break
				}
				if at += i + 2; at < len(c.Bytes) && (c.Bytes[at] == 0xa8 || c.Bytes[at] == 0xa9) {
					o.starts = append(o.starts, at+1)
				}
			}
			if o.starts != nil {
				o.starts = append(o.starts, c.Starts...)
				slices.Sort(o.starts)
			}
		}
	})
	if o.starts == nil {
		return c.Starts
	}
	return o.starts
}

// FromServer converts a server's position to our line and byte column. A column behind the end of the line means its end,
// as the protocol says; one inside a character means the character's start.
func (c *Text) FromServer(p protocol.Position, enc Encoding, rule LineRule) (line, col int, ok bool) {
	starts := c.LineStarts(rule)
	if len(starts) == len(c.Starts) {
		col, ok = c.Col(int(p.Line)+1, p.Character, enc)
		return int(p.Line) + 1, col, ok
	}
	if int64(p.Line) >= int64(len(starts)) {
		return 0, 0, false
	}
	at, end := starts[p.Line], len(c.Bytes)
	if int(p.Line)+1 < len(starts) {
		end = starts[p.Line+1]
	}
	row := bytes.TrimRight(c.Bytes[at:end], "\r\n")
	if rule == ecmaLines && end < len(c.Bytes) {
		row = bytes.TrimSuffix(bytes.TrimSuffix(row, []byte("\u2028")), []byte("\u2029"))
	}
	line, col = c.Place(at + columnIn(row, p.Character, enc))
	return line, col, true
}

// ToServer converts a line and byte column to a server's position. A column inside a character means its start, one behind
// the end of the line its end. It reports false for a place that does not exist.
func (c *Text) ToServer(line, col int, enc Encoding, rule LineRule) (protocol.Position, bool) {
	if rule == askLFLines {
		rule = lfLines
	}
	units, ok := c.Units(line, col, enc)
	starts := c.LineStarts(rule)
	if !ok || len(starts) == len(c.Starts) {
		return protocol.Position{Line: uint32(max(0, line-1)), Character: units}, ok
	}
	row, _ := c.Line(line)
	at := c.Starts[line-1] + min(col-1, len(row))
	n, found := slices.BinarySearch(starts, at)
	if !found {
		n--
	}
	return protocol.Position{Line: uint32(n), Character: uint32(unitsIn(c.Bytes[starts[n]:at], enc))}, true
}

// columnIn returns the offset in a line of a column in units.
func columnIn(row []byte, units uint32, enc Encoding) int {
	at := 0
	for left := int64(units); at < len(row) && left > 0; {
		r, size := utf8.DecodeRune(row[at:])
		n := unitsOf(r, size, enc)
		if left < n {
			break
		}
		left -= n
		at += size
	}
	return at
}

// unitsIn counts the units of a text, up to the last whole character.
func unitsIn(text []byte, enc Encoding) int64 {
	var n int64
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		if r == utf8.RuneError && size == 1 && !utf8.FullRune(text[at:]) {
			break
		}
		n += unitsOf(r, size, enc)
		at += size
	}
	return n
}

// splitEnds are the ends of lines of str.splitlines beside those of the protocol.
const splitEnds = "\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// SplitWidth returns how many characters the n-th line has, from 0, where lines are those of str.splitlines; odd tells
// whether a text has other lines by that than by the protocol.
func SplitWidth(text []byte, n int) (width int64, odd bool) {
	if !bytes.ContainsAny(text, splitEnds) {
		return 0, false
	}
	line := 0
	for at := 0; at < len(text); {
		r, size := utf8.DecodeRune(text[at:])
		at += size
		switch {
		case r == '\r' && at < len(text) && text[at] == '\n':
		case r == '\n' || r == '\r' || strings.ContainsRune(splitEnds, r):
			if line == n && r != '\n' && r != '\r' {
				width++ // it stays at the end of the line
			}
			if line++; line > n {
				return width, true
			}
		case line == n:
			width++
		}
	}
	return width, true
}
