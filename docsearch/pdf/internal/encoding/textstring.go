package encoding

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf16"
)

// TextString decodes a text string object: UTF-16 with its mark, UTF-8 with its mark, else PDFDocEncoding.
func TextString(b []byte) string {
	switch {
	case len(b) >= 2 && b[0] == 0xFE && b[1] == 0xFF:
		return stripLanguage(decodeUTF16(b[2:], false))
	case len(b) >= 2 && b[0] == 0xFF && b[1] == 0xFE:
		return stripLanguage(decodeUTF16(b[2:], true))
	case len(b) >= 3 && b[0] == 0xEF && b[1] == 0xBB && b[2] == 0xBF:
		return strings.ToValidUTF8(string(b[3:]), "\uFFFD")
	}
	var s strings.Builder
	enc := All()["PDFDoc"]
	for _, c := range b {
		switch t := GlyphText(enc[c]); {
		case c == '\n' || c == '\r' || c == '\t':
			s.WriteByte(c)
		case c >= 32 && c < 127:
			s.WriteByte(c)
		case enc[c] != "" && t != "":
			s.WriteString(t)
		}
	}
	return s.String()
}

// stripLanguage drops the language codes that may stand between escape characters.
func stripLanguage(s string) string {
	if !strings.Contains(s, "\x1B") {
		return s
	}
	var b strings.Builder
	for {
		i := strings.IndexByte(s, 0x1B)
		if i < 0 {
			return b.String() + s
		}
		b.WriteString(s[:i])
		j := strings.IndexByte(s[i+1:], 0x1B)
		if j < 0 {
			return b.String() + s[i+1:]
		}
		s = s[i+j+2:]
	}
}

// maxStated is how many bytes of what a file says of itself are kept of each property.
const maxStated = 1 << 16

// Clean makes one line of a text of a document's metadata: without control characters, its spaces single.
func Clean(s string) string {
	if len(s) > maxStated {
		s = strings.ToValidUTF8(s[:maxStated], "")
	}
	s = strings.Map(func(r rune) rune {
		if unicode.IsControl(r) {
			return ' '
		}
		return r
	}, s)
	return strings.Join(strings.Fields(s), " ")
}

// decodeUTF16 decodes big-endian UTF-16 without its mark.
func decodeUTF16(b []byte, little bool) string {
	u := make([]uint16, 0, len(b)/2)
	for i := 0; i+1 < len(b); i += 2 {
		if little {
			u = append(u, uint16(b[i+1])<<8|uint16(b[i]))
		} else {
			u = append(u, uint16(b[i])<<8|uint16(b[i+1]))
		}
	}
	return string(slices.DeleteFunc(utf16.Decode(u), func(r rune) bool { return r == 0 }))
}
