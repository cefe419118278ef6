package cos

// What a byte is to the syntax (ISO 32000-1, 7.2.2). Objects, content streams and CMaps share it.
const (
	Regular = iota
	Space
	Delimiter
)

var classes = func() (t [256]uint8) {
	for _, c := range []byte{0, 9, 10, 12, 13, 32} {
		t[c] = Space
	}
	for _, c := range []byte("()<>[]{}/%") {
		t[c] = Delimiter
	}
	return t
}()

// Class returns what a byte is.
func Class(c byte) uint8 { return classes[c] }

// SkipSpace returns where white space and comments end that begin at an offset.
func SkipSpace(b []byte, at int) int {
	for ; at < len(b); at++ {
		if b[at] == '%' {
			for at < len(b) && b[at] != '\n' && b[at] != '\r' {
				at++
			}
		} else if classes[b[at]] != Space {
			return at
		}
	}
	return len(b)
}

// HexDigit returns the value of a hexadecimal digit, -1 for any other byte.
func HexDigit(c byte) int {
	switch {
	case c >= '0' && c <= '9':
		return int(c - '0')
	case c >= 'a' && c <= 'f':
		return int(c-'a') + 10
	case c >= 'A' && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}

// AppendLiteral decodes a string in parentheses, whose opening one stands before in, and appends it to out. n is how many
// bytes of in it takes; closed is false when in ends before the string does.
func AppendLiteral(out, in []byte) (_ []byte, n int, closed bool) {
	depth := 1
	for i := 0; i < len(in); i++ {
		c := in[i]
		switch c {
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return out, i + 1, true
			}
		case '\r': // an end of line reads as "\n", however it is written
			if i+1 < len(in) && in[i+1] == '\n' {
				i++
			}
			c = '\n'
		case '\\':
			if i++; i >= len(in) {
				return out, len(in), false
			}
			switch e := in[i]; e {
			case 'n':
				c = '\n'
			case 'r':
				c = '\r'
			case 't':
				c = '\t'
			case 'b':
				c = '\b'
			case 'f':
				c = '\f'
			case '\r':
				if i+1 < len(in) && in[i+1] == '\n' {
					i++
				}
				continue
			case '\n':
				continue
			case '0', '1', '2', '3', '4', '5', '6', '7':
				v := int(e - '0')
				for k := 0; k < 2 && i+1 < len(in) && in[i+1] >= '0' && in[i+1] <= '7'; k++ {
					i++
					v = v*8 + int(in[i]-'0')
				}
				c = byte(v)
			default:
				c = e
			}
		}
		out = append(out, c)
	}
	return out, len(in), false
}

// AppendHex decodes a string in angle brackets, whose opening one stands before in, and appends it to out; an odd last digit
// counts as followed by 0. n and closed are those of [AppendLiteral].
func AppendHex(out, in []byte) (_ []byte, n int, closed bool) {
	high := -1
	for n < len(in) {
		c := in[n]
		n++
		if c == '>' {
			closed = true
			break
		}
		switch d := HexDigit(c); {
		case d < 0:
		case high < 0:
			high = d
		default:
			out = append(out, byte(high<<4|d))
			high = -1
		}
	}
	if high >= 0 {
		out = append(out, byte(high<<4))
	}
	return out, n, closed
}

// AppendName decodes the #xx escapes of a name and appends it to out.
func AppendName(out, raw []byte) []byte {
	for i := 0; i < len(raw); i++ {
		if raw[i] == '#' && i+2 < len(raw) && HexDigit(raw[i+1]) >= 0 && HexDigit(raw[i+2]) >= 0 {
			out = append(out, byte(HexDigit(raw[i+1])<<4|HexDigit(raw[i+2])))
			i += 2
			continue
		}
		out = append(out, raw[i])
	}
	return out
}
