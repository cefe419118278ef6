package formats_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/formats"
)

func TestFormats(t *testing.T) {
	for _, tt := range []struct {
		x                   extract.Extractor
		in, text, title, of string
	}{
		{formats.Text(), "# One\r\ntwo\n", "# One\ntwo\n", "", ""},
		{formats.Markdown(), "# One\r\ntwo\n", "# One\ntwo\n", "One", "One"},
		{formats.HTML(), "<nav>menu</nav><h1>One</h1><p>two<script>three</script>", "One\n\ntwo\n", "One", "One"},
	} {
		d, err := tt.x.Open(t.Context(), strings.NewReader(tt.in), int64(len(tt.in)))
		if err != nil {
			t.Fatalf("%s: %v", tt.x.Version(), err)
		}
		defer d.Close()
		n := 0
		for p, err := range d.Pages(t.Context(), 1, 0) {
			n++
			if err != nil || p.Text != tt.text || (len(p.Headings) > 0) != (tt.of != "") || tt.of != "" && p.Headings[0].Text != tt.of {
				t.Errorf("%s: page %+v, %v, want text %q and heading %q", tt.x.Version(), p, err, tt.text, tt.of)
			}
		}
		if n != 1 || d.Meta().Title != tt.title {
			t.Errorf("%s: %d pages, title %q, want 1 and %q", tt.x.Version(), n, d.Meta().Title, tt.title)
		}
		if _, err := tt.x.Open(t.Context(), strings.NewReader("%PDF-1.4"), 8); !errors.Is(err, docsearch.ErrFormat) {
			t.Errorf("%s: a PDF gives %v, want ErrFormat", tt.x.Version(), err)
		}
	}
}
