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
	bad := unsafeAt(s, 0)
	if bad < 0 {
		return data
	}
	var b bytes.Buffer
	from := 0
	for bad >= 0 {
		b.WriteString(s[from:bad])
		r, n := utf8.DecodeRuneInString(s[bad:])
		switch {
		case r < 0x20: // between values: inside of strings JSON has it escaped
			b.WriteString(s[bad : bad+n])
		case r > 0xffff:
			hi, lo := utf16.EncodeRune(r)
			fmt.Fprintf(&b, `\u%04x\u%04x`, hi, lo)
		default:
			fmt.Fprintf(&b, `\u%04x`, r)
		}
		from = bad + n
		bad = unsafeAt(s, from)
	}
	b.WriteString(s[from:])
	return b.Bytes()
}
