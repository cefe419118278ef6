package pdf

import (
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
)

// TestApart names the lines that stand apart from the running text, beside those that do not.
func TestApart(t *testing.T) {
	for _, tt := range []struct {
		file string
		page int
		want []string // beginnings of lines
	}{
		{"../../examples/testdata/papers/pss-detection.pdf", 1, []string{"1"}},
		{"../../examples/testdata/papers/pss-detection.pdf", 2, []string{"PSS PBCH SSS", "PBCH", "PBCH", "PBCH", "0 1 2 3", "OFDM symbol", "0", "56", "182", "239", "subcarrier",
			"Figure 1: The", "bols of 240", "bol 0.", "Table 1: Share", "mean error", "trials a row.", "SNR Detected", "(dB) 1 hyp.", "−12", "−9", "−6", "−3", "0 1.00", "3 1.00", "2"}},
		{"../../examples/testdata/papers/fs-12.401-cell-search.pdf", 3, []string{"FS 12.401 ", "- 3 -"}},
		{"../../examples/testdata/papers/sync-raster.pdf", 3, []string{"Figure 1: Power", "to-noise ratio"}},
	} {
		var got []string
		data, err := os.ReadFile(tt.file)
		if err != nil {
			t.Fatal(err)
		}
		p := read(t, data)[tt.page-1]
		lines := strings.Split(p.Text, "\n")
		for i, n := range p.Apart {
			if s := lines[n-1]; i < len(tt.want) && strings.HasPrefix(s, tt.want[i]) {
				got = append(got, tt.want[i])
			} else {
				got = append(got, s)
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%s p. %d (-want +got):\n%s", tt.file, tt.page, diff)
		}
	}
}

// TestBesideFigures: two figures side by side have boxes that reach into the text below the lower one, which is no lettering.
func TestBesideFigures(t *testing.T) {
	data, err := os.ReadFile(need.Shared(t, "pdf", "corpus", "papers-we-lo-distributed_systems__in-search-of-an-understandable-consensus-algorithm.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	p := read(t, data)[5]
	if got := p.Apart; len(got) < 6 || got[5] != 6 || got[6] == 7 || !strings.Contains(p.Markdown, "\ngiven term, on a first-come-first-served basis (note: Section 5.4 adds") {
		t.Errorf("apart %v of\n%.900s\n%.900s", got, p.Text, p.Markdown)
	}
}
