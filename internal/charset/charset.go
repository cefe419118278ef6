package charset

import (
	"bytes"
	"encoding/binary"
	"unicode/utf16"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// Version grows when [UTF8] gives another text for the same path and bytes.   1: first.
const Version = 1

// UTF8 gives the text of a file in UTF-8, without a byte order mark. It depends on the extension of path and on the bytes
// alone, keeps every end of line where it is, and never has more than three bytes for one of raw, which it does not change. The
// text is read by these rules, of which the first that fits counts:
//
//   - A byte order mark says that it is UTF-8 or UTF-16. Half a character of it is U+FFFD, as is what an encoding below lacks.
//   - Python (.py, .pyi, .pyw) is in the encoding that one of its first two lines names, as PEP 263 has it.
//   - Valid UTF-8 is that.
//   - Anything else is Windows-1252, of which Latin-1 is a part. Where at least as many characters are valid UTF-8, it is UTF-8
//     with some faults, and only those are taken for Windows-1252.
//
// What is no text (it has a zero byte, or too many control characters where the encoding is not told) is returned as it is. So the result is
// text when it is valid UTF-8 without a zero byte.
func UTF8(path string, raw []byte) []byte {
	switch {
	case bytes.HasPrefix(raw, []byte("\xff\xfe")):
		return wide(raw, binary.LittleEndian)
	case bytes.HasPrefix(raw, []byte("\xfe\xff")):
		return wide(raw, binary.BigEndian)
	}
	text := bytes.TrimPrefix(raw, []byte("\xef\xbb\xbf"))
	if len(text) == len(raw) && isPython(path) {
		if e := named(cookie(raw)); e != nil && bytes.IndexByte(raw, 0) < 0 {
			if out, err := e.NewDecoder().Bytes(raw); err == nil && bytes.Count(out, []byte("\n")) == bytes.Count(raw, []byte("\n")) {
				return out
			}
		}
	}
	if utf8.Valid(text) {
		return text
	}
	if binaryBytes(raw) {
		return raw
	}
	return western(text)
}

// wide reads UTF-16 behind its byte order mark.
func wide(raw []byte, order binary.ByteOrder) []byte {
	out := make([]byte, 0, len(raw))
	bad, units := 0, 0
	for at := 2; at < len(raw); units++ {
		if at+1 == len(raw) {
			out, bad = utf8.AppendRune(out, utf8.RuneError), bad+1
			break
		}
		r := rune(order.Uint16(raw[at:]))
		at += 2
		if utf16.IsSurrogate(r) {
			low := rune(0)
			if at+1 < len(raw) {
				low = rune(order.Uint16(raw[at:]))
			}
			if r = utf16.DecodeRune(r, low); r == utf8.RuneError {
				bad++
			} else {
				at += 2
			}
		}
		out = utf8.AppendRune(out, r)
	}
	if bad > 1+units/64 { // bytes of something else that begin like a mark
		return raw
	}
	return out
}

// binaryBytes tells bytes that are no text in an encoding of one byte for a character.
func binaryBytes(b []byte) bool {
	controls := 0
	for _, c := range b {
		switch {
		case c == 0:
			return true
		case c < ' ' && c != '\t' && c != '\n' && c != '\r' && c != '\f' && c != '\v' && c != 0x1b, c == 0x7f:
			controls++
		}
	}
	return controls > 1+len(b)/64
}

// western reads Windows-1252, or UTF-8 with faults.
func western(b []byte) []byte {
	valid, faults := 0, 0
	for at := 0; at < len(b); {
		r, n := utf8.DecodeRune(b[at:])
		switch {
		case r == utf8.RuneError && n == 1:
			faults++
		case n > 1:
			valid++
		}
		at += n
	}
	keep := valid >= faults
	out := make([]byte, 0, len(b)+len(b)/8)
	for at := 0; at < len(b); {
		r, n := rune(b[at]), 1
		if keep {
			r, n = utf8.DecodeRune(b[at:])
		}
		if n == 1 {
			r = charmap.Windows1252.DecodeByte(b[at])
		}
		out = utf8.AppendRune(out, r)
		at += n
	}
	return out
}
