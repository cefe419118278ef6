package api

import (
	"bytes"
	"encoding/json"
	"io"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/secrets"
)

// packed reports whether a file is of a format whose bytes are not its text: a PDF, or a zip as those of Office and EPUB. What only has such a name is text all
// the same, kept as a document that could not be read.
func packed(end string, f io.ReaderAt) bool {
	head := make([]byte, 1024) // a PDF may begin behind other bytes
	n, _ := f.ReadAt(head, 0)  // what cannot be read here cannot be read later, which tells why
	switch head = head[:n]; end {
	case ".pdf":
		return bytes.Contains(head, []byte("%PDF-"))
	case ".docx", ".pptx", ".xlsx", ".epub":
		return bytes.HasPrefix(head, []byte("PK\x03\x04"))
	}
	return false
}

// maskedText gives the text of a file without its secrets, in UTF-8, and how many there were; raw is overwritten. Without any it is raw as it was.
func maskedText(name string, raw []byte) ([]byte, int) {
	tries := []string{""}
	if bytes.IndexByte(raw, 0) >= 0 {
		tries = []string{"", "\xff\xfe", "\xfe\xff"} // UTF-16 may come without its mark
	}
	for _, mark := range tries {
		text := raw
		if mark != "" {
			text = append([]byte(mark), raw...)
		}
		text = charset.UTF8(name, text)
		n := 0
		if end := ending(name); end == ".ipynb" || end == ".json" {
			text, n = maskStrings(text)
		}
		if n += secrets.Mask(text); n > 0 {
			return text, n
		}
	}
	return raw, 0
}

// maskStrings masks within the strings of JSON, where an escape such as \n hides the beginning of a secret.
func maskStrings(text []byte) (out []byte, masked int) {
	for at := 0; at < len(text); {
		from := bytes.IndexByte(text[at:], '"')
		if from < 0 {
			return append(out, text[at:]...), masked
		}
		from += at
		to, escaped := from+1, false
		for ; to < len(text) && text[to] != '"'; to++ {
			if text[to] == '\\' {
				to, escaped = to+1, true
			}
		}
		to = min(to+1, len(text))
		out = append(out, text[at:from]...)
		literal := text[from:to]
		var s string
		if escaped && json.Unmarshal(literal, &s) == nil {
			if clean, n := secrets.MaskString(s); n > 0 {
				if b, err := json.Marshal(clean); err == nil { // it is of a string
					literal, masked = b, masked+n
				}
			}
		}
		out = append(out, literal...)
		at = to
	}
	return out, masked
}
