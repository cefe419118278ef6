package source

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

// IsText reports whether a text can be shown to a server.
func IsText(text []byte) bool {
	return utf8.Valid(text) && !slices.Contains(text, 0)
}

// MaxFile bounds the files that are read, in bytes: what is larger is no source that a server would read either.
const MaxFile = 16 << 20

// ReadFile reads a regular file of at most maxFile bytes, as UTF-8.
func ReadFile(abs string) (*Text, os.FileInfo, error) {
	info, err := os.Stat(abs)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w: not a regular file", abs, errs.Unsupported)
	}
	f, err := rootfs.Open(abs)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	room := max(0, min(info.Size(), MaxFile)) + bytes.MinRead // so that it need not grow, unless the file does
	buf := bytes.NewBuffer(make([]byte, 0, room))
	if _, err := buf.ReadFrom(io.LimitReader(f, MaxFile+1)); err != nil {
		return nil, nil, err
	}
	text := buf.Bytes()
	raw := text
	if len(text) > MaxFile {
		return nil, nil, fmt.Errorf("%s: %w: more than %d bytes", abs, errs.TooLarge, MaxFile)
	}
	if text = charset.UTF8(abs, text); !IsText(text) {
		return nil, nil, fmt.Errorf("%s: %w: not text", abs, errs.Unsupported)
	}
	c := NewText(text)
	c.BOM = bytes.HasPrefix(raw, []byte("\ufeff"))
	c.Transcoded = !bytes.HasSuffix(raw, text)
	return c, info, nil
}
