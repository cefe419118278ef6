package api

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"os"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/secrets"
)

// masking masks originals. It holds a whole text and its copies in memory, of up to several times [docsearch.MaxFile]: a few at once, however many ask.
type masking struct {
	places chan struct{}
}

const (
	maxMasking = 2       // texts at once
	maxHeld    = 1 << 20 // bytes of a text that stays in memory while it is sent
)

func newMasking() *masking { return &masking{places: make(chan struct{}, maxMasking)} }

// open gives a file without its secrets, as maskedText does. It waits for a place, which a slow client does not keep: a long text is sent from a file.
func (m *masking) open(ctx context.Context, name string, r io.Reader) (text io.ReadSeekCloser, masked int, err error) {
	select {
	case m.places <- struct{}{}:
		defer func() { <-m.places }()
	case <-ctx.Done():
		return nil, 0, ctx.Err()
	}
	if err := ctx.Err(); err != nil { // both were ready
		return nil, 0, err
	}
	raw, err := io.ReadAll(r)
	if err != nil {
		return nil, 0, err
	}
	out, n := maskedText(name, raw)
	if len(out) <= maxHeld {
		return held{bytes.NewReader(bytes.Clone(out))}, n, nil // raw may be longer
	}
	f, err := spool(out)
	return f, n, err
}

// held is a text in memory.
type held struct{ *bytes.Reader }

func (held) Close() error { return nil }

// spooled is a text in a file that is gone when it is closed.
type spooled struct {
	*os.File
	gone bool // its name is
}

func spool(text []byte) (io.ReadSeekCloser, error) {
	f, err := os.CreateTemp("", "findspot-masked-*")
	if err != nil {
		return nil, err
	}
	s := &spooled{File: f}
	s.gone = os.Remove(f.Name()) == nil // where that works already, a crash leaves nothing
	_, err = f.Write(text)
	if err == nil {
		_, err = f.Seek(0, io.SeekStart)
	}
	if err != nil {
		return nil, errors.Join(err, s.Close())
	}
	return s, nil
}

func (s *spooled) Close() error {
	err := s.File.Close()
	if !s.gone {
		err = errors.Join(err, os.Remove(s.Name()))
	}
	return err
}

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
