package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/errs"
)

// opened is the content of a source.
type opened struct {
	io.ReaderAt
	io.Closer
	size int64
	sum  string // bytes of its SHA-256
}

// hash opens a source and reads it once. The result must be closed.
func hash(ctx context.Context, src Source, limit int64) (_ *opened, err error) {
	if src.Size > limit {
		return nil, tooLarge(src.Size, limit)
	}
	r, size, closer, err := open(src, limit)
	if err != nil {
		return nil, err
	}
	h := sha256.New()
	buf := make([]byte, min(size+1, 1<<16)) // documents of a few lines need no more
	n, err := io.CopyBuffer(h, format.ContextReader(ctx, io.NewSectionReader(r, 0, size)), buf)
	if err == nil && n != size {
		err = fmt.Errorf("%w: the file became shorter while it was read: add it again", errs.Stale)
	}
	if err != nil {
		closer.Close()
		return nil, err
	}
	return &opened{r, closer, size, string(h.Sum(nil))}, nil
}

func tooLarge(size, limit int64) error {
	return fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, limit)
}

// open returns the bytes of a source, in memory unless they can be read at any place.
func open(src Source, limit int64) (io.ReaderAt, int64, io.Closer, error) {
	if src.Open == nil {
		return nil, 0, nil, errors.New("the source has no Open function")
	}
	rc, err := src.Open()
	if err != nil {
		return nil, 0, nil, err
	}
	if f, ok := rc.(*os.File); ok {
		info, err := f.Stat()
		if err == nil && !info.Mode().IsRegular() {
			err = fmt.Errorf("%w: not a regular file", errs.Unsupported)
		}
		if err == nil && info.Size() > limit {
			err = tooLarge(info.Size(), limit)
		}
		if err != nil {
			f.Close()
			return nil, 0, nil, err
		}
		return f, info.Size(), f, nil
	}
	if m, ok := rc.(inMemory); ok {
		return m, m.Size(), m, nil
	}
	data, err := io.ReadAll(io.LimitReader(rc, limit+1))
	if cerr := rc.Close(); err == nil {
		err = cerr
	}
	if err == nil && int64(len(data)) > limit {
		err = tooLarge(int64(len(data)), limit)
	}
	if err != nil {
		return nil, 0, nil, err
	}
	return bytes.NewReader(data), int64(len(data)), io.NopCloser(nil), nil
}

// inMemory is a source's bytes that are in memory already.
type inMemory interface {
	io.ReaderAt
	io.Closer
	Size() int64
}
