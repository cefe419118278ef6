package lspclient

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"slices"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/rootfs"
)

// isText reports whether a text can be shown to a server.
func isText(text []byte) bool {
	return utf8.Valid(text) && !slices.Contains(text, 0)
}

// maxFile bounds the files that are read, in bytes: what is larger is no source that a server would read either.
const maxFile = 16 << 20

// readFile reads a regular file of at most maxFile bytes, as UTF-8.
func readFile(abs string) (*content, os.FileInfo, error) {
	info, err := os.Stat(abs)
	if err != nil {
		return nil, nil, err
	}
	if !info.Mode().IsRegular() {
		return nil, nil, fmt.Errorf("%s: %w: not a regular file", abs, ErrUnsupported)
	}
	f, err := rootfs.Open(abs)
	if err != nil {
		return nil, nil, err
	}
	defer f.Close()
	if info, err = f.Stat(); err != nil {
		return nil, nil, err
	}
	room := max(0, min(info.Size(), maxFile)) + bytes.MinRead // so that it need not grow, unless the file does
	buf := bytes.NewBuffer(make([]byte, 0, room))
	if _, err := buf.ReadFrom(io.LimitReader(f, maxFile+1)); err != nil {
		return nil, nil, err
	}
	text := buf.Bytes()
	raw := text
	if len(text) > maxFile {
		return nil, nil, fmt.Errorf("%s: %w: more than %d bytes", abs, ErrTooLarge, maxFile)
	}
	if text = charset.UTF8(abs, text); !isText(text) {
		return nil, nil, fmt.Errorf("%s: %w: not text", abs, ErrUnsupported)
	}
	c := newContent(text)
	c.bom = bytes.HasPrefix(raw, []byte("\ufeff"))
	c.foreign = !bytes.HasSuffix(raw, text)
	return c, info, nil
}
