package pdf

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/extract"
)

// TestTypesetTables reads documents whose tables we know because we wrote them; see testdata/tables/README.md.
func TestTypesetTables(t *testing.T) {
	files, err := filepath.Glob("testdata/tables/*.pdf")
	if err != nil || len(files) == 0 {
		t.Fatalf("no documents: %v", err)
	}
	for _, name := range files {
		t.Run(filepath.Base(name), func(t *testing.T) {
			data, err := os.ReadFile(name)
			if err != nil {
				t.Fatal(err)
			}
			want, err := os.ReadFile(strings.TrimSuffix(name, ".pdf") + ".txt")
			if err != nil {
				t.Fatal(err)
			}
			if diff := cmp.Diff(string(want), tableText(t, data)); diff != "" {
				t.Errorf("tables (-want +got):\n%s", diff)
			}
		})
	}
}

// tableText writes the tables of a document with their spans.
func tableText(t *testing.T, data []byte) string {
	var b strings.Builder
	for p, err := range open(t, data, nil).Pages(context.Background(), 1, 0) {
		if err != nil {
			t.Fatal(err)
		}
		for i := range p.Tables {
			if b.Len() > 0 {
				b.WriteByte('\n')
			}
			writeTable(&b, p.Number, &p.Tables[i])
		}
	}
	return b.String()
}

func writeTable(b *strings.Builder, page int, t *extract.Table) {
	fmt.Fprintf(b, "page %d: %s", page, t.Caption)
	if t.Continued {
		fmt.Fprintf(b, " continued, %d repeated", t.Repeated)
	}
	b.WriteByte('\n')
	for i, c := range t.Cells {
		if i > 0 && t.Cells[i-1].Row == c.Row {
			b.WriteString(" | ")
		}
		b.WriteString(c.Text)
		if c.RowSpan > 1 || c.ColSpan > 1 {
			fmt.Fprintf(b, "<%d,%d>", c.RowSpan, c.ColSpan)
		}
		if i == len(t.Cells)-1 || t.Cells[i+1].Row != c.Row {
			b.WriteByte('\n')
		}
	}
}
