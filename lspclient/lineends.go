package lspclient

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// lineRule says what ends a line for a server. By the protocol that is "\n", "\r\n" or "\r", and so it is for callers; but
// servers count lines as their language does, and the two differ behind the first odd character in a file.
type lineRule string

const (
	protocolLines lineRule = ""
	// lfLines: "\n" alone, with or without "\r" before it.
	lfLines lineRule = "lf"
	// askLFLines: "\n" alone in questions, and what the protocol says in answers.
	askLFLines lineRule = "ask-lf"
	// ecmaLines: as in ECMAScript (ECMA-262, 12.3) also U+2028 and U+2029.
	ecmaLines lineRule = "ecmascript"
	// cutLines: lines are counted as the protocol says, and columns are cut at the ends of what str.splitlines of Python
	// takes for lines, so that some places cannot be asked about.
	cutLines lineRule = "splitlines"
)

var lineRules = []lineRule{protocolLines, lfLines, askLFLines, ecmaLines, cutLines}

// otherLines are the starts of lines by a rule that is not the protocol's.
type otherLines struct {
	once   sync.Once
	starts []int // nil when they are those of the protocol
}

// by returns the starts of lines by a rule.
func (c *content) by(rule lineRule) []int {
	var o *otherLines
	switch rule {
	case lfLines:
		o = &c.lf
	case ecmaLines:
		o = &c.ecma
	default:
		return c.starts
	}
	o.once.Do(func() {
		switch rule {
		case lfLines:
			if n := bytes.Count(c.text, []byte{'\n'}); n+1 == len(c.starts) {
				return
			}
			o.starts = []int{0}
			for at := 0; ; {
				i := bytes.IndexByte(c.text[at:], '\n')
				if i < 0 {
					return
				}
				at += i + 1
				o.starts = append(o.starts, at)
			}
		case ecmaLines:
			for at := 0; ; {
				i := bytes.Index(c.text[at:], []byte("\xe2\x80"))
				if i < 0 {
					break
				}
				if at += i + 2; at < len(c.text) && (c.text[at] == 0xa8 || c.text[at] == 0xa9) {
					o.starts = append(o.starts, at+1)
				}
			}
			if o.starts != nil {
				o.starts = append(o.starts, c.starts...)
				slices.Sort(o.starts)
			}
		}
	})
	if o.starts == nil {
		return c.starts
	}
	return o.starts
}

// fromServer converts a server's position to our line and byte column. A column behind the end of the line means its end,
// as the protocol says; one inside a character means the character's start.
func (c *content) fromServer(p protocol.Position, enc encoding, rule lineRule) (line, col int, ok bool) {
	starts := c.by(rule)
	if len(starts) == len(c.starts) {
		col, ok = c.col(int(p.Line)+1, p.Character, enc)
		return int(p.Line) + 1, col, ok
	}
	if int64(p.Line) >= int64(len(starts)) {
		return 0, 0, false
	}
	at, end := starts[p.Line], len(c.text)
	if int(p.Line)+1 < len(starts) {
		end = starts[p.Line+1]
	}
	row := bytes.TrimRight(c.text[at:end], "\r\n")
	if rule == ecmaLines && end < len(c.text) {
		row = bytes.TrimSuffix(bytes.TrimSuffix(row, []byte("\u2028")), []byte("\u2029"))
	}
	line, col = c.position(at + columnIn(row, p.Character, enc))
	return line, col, true
}

// toServer converts a line and byte column to a server's position. A column inside a character means its start, one behind
// the end of the line its end. It reports false for a place that does not exist.
func (c *content) toServer(line, col int, enc encoding, rule lineRule) (protocol.Position, bool) {
	if rule == askLFLines {
		rule = lfLines
	}
	units, ok := c.units(line, col, enc)
	starts := c.by(rule)
	if !ok || len(starts) == len(c.starts) {
		return protocol.Position{Line: uint32(max(0, line-1)), Character: units}, ok
	}
	row, _ := c.line(line)
	at := c.starts[line-1] + min(col-1, len(row))
	n, found := slices.BinarySearch(starts, at)
	if !found {
		n--
	}
	return protocol.Position{Line: uint32(n), Character: uint32(unitsIn(c.text[starts[n]:at], enc))}, true
}

// columnIn returns the offset in a line of a column in units.
func columnIn(row []byte, units uint32, enc encoding) int {
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
func unitsIn(text []byte, enc encoding) int64 {
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

// lines returns the session's rule.
func (s *session) lines() lineRule { return lineRule(s.srv.spec.Lines) }

// placeOf converts a position of the server in a text.
func (s *session) placeOf(text *content, p protocol.Position) (line, col int, ok bool) {
	return text.fromServer(p, s.encoding, s.lines())
}

// positionOf converts a place in a text to a position of the server. The error says why the server cannot be asked there.
func (s *session) positionOf(text *content, line, col int) (protocol.Position, error) {
	p, ok := text.toServer(line, col, s.encoding, s.lines())
	if !ok {
		return p, fmt.Errorf("there is no line %d, column %d: %w", line, col, ErrNotFound)
	}
	if s.lines() == cutLines {
		if width, odd := splitWidth(text.text, int(p.Line)); odd && width < int64(p.Character) {
			return p, fmt.Errorf("%s cannot be asked about line %d, column %d: the file holds a form feed, U+2028 or the like, which it takes for the end of a line; ask about another use of the name, or another server: %w",
				s.label, line, col, ErrUnsupported)
		}
	}
	return p, nil
}

// splitEnds are the ends of lines of str.splitlines beside those of the protocol.
const splitEnds = "\v\f\x1c\x1d\x1e\u0085\u2028\u2029"

// splitWidth returns how many characters the n-th line has, from 0, where lines are those of str.splitlines; odd tells
// whether a text has other lines by that than by the protocol.
func splitWidth(text []byte, n int) (width int64, odd bool) {
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
