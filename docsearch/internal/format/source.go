package format

import (
	"context"
	"fmt"
	"io"

	"github.com/findspot/findspot/internal/errs"
)

// ReadSource returns the text of a file of at most limit bytes as [Text] decodes it, with "\n" as the end of its lines. What is larger wraps
// errs.TooLarge, and what is no text errs.Format.
func ReadSource(ctx context.Context, r io.ReaderAt, size, limit int64) (string, error) {
	if size > limit {
		return "", fmt.Errorf("%w: %d bytes, the limit is %d", errs.TooLarge, size, limit)
	}
	data, err := io.ReadAll(ContextReader(ctx, io.NewSectionReader(r, 0, size)))
	if err != nil {
		return "", err
	}
	return decodeText(data)
}
