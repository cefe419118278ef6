package format

import (
	"bytes"
	"context"
	"fmt"
	"io"

	"golang.org/x/net/html"
	"golang.org/x/net/html/atom"

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

// A Link is a link of a document.
type Link struct{ Href, Text string }

// Links returns the links of HTML in UTF-8, at most so many, in order.
func Links(data []byte, limit int) (out []Link) {
	z := html.NewTokenizer(bytes.NewReader(data))
	z.SetMaxBuf(maxHTML)
	in := false
	for len(out) < limit {
		switch z.Next() {
		case html.ErrorToken:
			return out
		case html.StartTagToken:
			if t := z.Token(); t.DataAtom == atom.A {
				in = false
				for _, a := range t.Attr {
					if a.Key == "href" {
						out, in = append(out, Link{Href: a.Val}), true
					}
				}
			}
		case html.EndTagToken:
			if t := z.Token(); t.DataAtom == atom.A {
				in = false
			}
		case html.TextToken:
			if l := len(out) - 1; in && len(out[l].Text) < 1000 {
				out[l].Text += string(z.Text())
			}
		}
	}
	return out
}
