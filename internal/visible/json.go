package visible

import (
	"bytes"
	"fmt"
	"unicode/utf16"
	"unicode/utf8"
)

// JSON returns the same JSON value with everything that Text writes out as \uXXXX escapes, so that the bytes are safe on a terminal and in a log.
// data is valid JSON; blanks between its values stay.
func JSON(data []byte) []byte {
	s := string(data)
	bad := unsafe(s)
	if len(bad) == 0 {
		return data
	}
	var b bytes.Buffer
	from := 0
	for _, at := range bad {
		b.WriteString(s[from:at])
		r, n := utf8.DecodeRuneInString(s[at:])
		switch {
		case r < 0x20: // between values: inside of strings JSON has it escaped
			b.WriteString(s[at : at+n])
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		from = at + n
	}
	b.WriteString(s[from:])
	return b.Bytes()
}
