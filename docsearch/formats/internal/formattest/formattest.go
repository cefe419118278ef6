package formattest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/golden"
)

// Read returns what an extractor makes of bytes, in a form to compare: the meta data, then each page with its text, headings, tables and figures.
func Read(ctx context.Context, x extract.Extractor, data []byte) (string, error) {
	d, err := x.Open(ctx, bytes.NewReader(data), int64(len(data)))
	if err != nil {
		return "", err
	}
	defer d.Close()
	var b strings.Builder
	meta, err := json.MarshalIndent(d.Meta(), "", "  ")
	if err != nil {
		return "", err
	}
	fmt.Fprintf(&b, "%s\n", meta)
	for p, err := range d.Pages(ctx, 1, 0) {
		if err != nil {
			return "", err
		}
		fmt.Fprintf(&b, "== page %d\n%s", p.Number, p.Text)
		for _, h := range p.Headings {
			fmt.Fprintf(&b, "-- heading %d, line %d: %s\n", h.Level, h.Line, h.Text)
		}
		for _, t := range p.Tables {
			fmt.Fprintf(&b, "-- table %q\n", t.Caption)
			for _, c := range t.Cells {
				if c.RowSpan > 1 || c.ColSpan > 1 {
					fmt.Fprintf(&b, "   cell %d,%d over %d rows, %d columns: %s\n", c.Row, c.Col, c.RowSpan, c.ColSpan, c.Text)
				}
			}
		}
		for _, f := range p.Figures {
			fmt.Fprintf(&b, "-- figure %q\n", f.Caption)
		}
		if strings.Contains(p.Markdown, "\n```") || strings.HasPrefix(p.Markdown, "```") {
			for line := range strings.Lines(p.Markdown) {
				if strings.HasPrefix(line, "```") && len(line) > 4 || strings.HasPrefix(line, "In [") {
					fmt.Fprintf(&b, "-- markdown %s\n", strings.TrimSpace(line))
				}
			}
		}
	}
	return b.String(), nil
}

// Golden compares what an extractor makes of each document testdata/*ext with the file of its name and ".golden" beside it.
func Golden(t *testing.T, x extract.Extractor, ext string) {
	t.Helper()
	names, err := filepath.Glob("testdata/*" + ext)
	if err != nil || len(names) == 0 {
		t.Fatalf("no documents testdata/*%s: %v", ext, err)
	}
	for _, name := range names {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			got, err := Read(t.Context(), x, data)
			if err != nil {
				t.Fatal(err)
			}
			golden.Compare(t, name+".golden", []byte(got))
		})
	}
}

// Fuzz runs a fuzz target: whatever the bytes are, an extractor returns errors of the shared kinds, and pages in UTF-8 whose headings stand on their
// lines and whose tables are rectangles.
func Fuzz(f *testing.F, x extract.Extractor, exts ...string) {
	f.Helper()
	for _, ext := range exts {
		names, err := filepath.Glob("testdata/*" + ext)
		if err != nil {
			f.Fatal(err)
		}
		for _, name := range names {
			data, err := os.ReadFile(name)
			if err != nil {
				f.Fatal(err)
			}
			f.Add(data)
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) { Check(t, x, data) })
}

// Check fails a test where an extractor does not keep what [Fuzz] says.
func Check(t *testing.T, x extract.Extractor, data []byte) {
	t.Helper()
	d, err := x.Open(t.Context(), bytes.NewReader(data), int64(len(data)))
	if err != nil {
		shared(t, err)
		return
	}
	defer d.Close()
	n := 0
	for p, err := range d.Pages(t.Context(), 1, 0) {
		n++
		if err != nil {
			shared(t, err)
			continue
		}
		if p.Number != n {
			t.Errorf("page %d comes as number %d", n, p.Number)
		}
		if !utf8.ValidString(p.Text) || !utf8.ValidString(p.Markdown) {
			t.Errorf("page %d is not UTF-8", n)
		}
		lines := strings.Split(p.Text, "\n")
		for _, h := range p.Headings {
			if h.Line < 1 || h.Line > len(lines) || lines[h.Line-1] != h.Text {
				t.Errorf("page %d: heading %q is not on line %d", n, h.Text, h.Line)
			}
		}
		for _, tb := range p.Tables {
			for _, r := range tb.Rows {
				if len(r) != len(tb.Rows[0]) {
					t.Errorf("page %d: rows of %d and %d cells", n, len(tb.Rows[0]), len(r))
				}
			}
		}
	}
	if m := d.Meta(); m.Pages != n {
		t.Errorf("%d pages of %d", n, m.Pages)
	}
}

func shared(t *testing.T, err error) {
	t.Helper()
	for _, e := range []error{errs.Format, errs.TooLarge, errs.Encrypted, errs.Unsupported, errs.NotFound} {
		if errors.Is(err, e) {
			return
		}
	}
	t.Errorf("an error of no shared kind: %v", err)
}

// Hostile checks an extractor on each piece, written again and again to 64 KB: what takes more than time in proportion would not end.
func Hostile(t *testing.T, x extract.Extractor, pieces ...string) {
	t.Helper()
	for _, p := range pieces {
		start := time.Now()
		Check(t, x, []byte(strings.Repeat(p, (64<<10)/len(p))))
		t.Logf("%q: %v", p, time.Since(start).Round(time.Millisecond))
	}
}
