package manpage

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/spf13/cobra"
)

func TestWriteAll(t *testing.T) {
	run := func(*cobra.Command, []string) {}
	root := &cobra.Command{Use: "findspot", Short: "Answers", Run: run}
	docs := &cobra.Command{Use: "docs", Short: "Documents", Run: run}
	add := &cobra.Command{Use: "add PATH...", Short: "Add folders", Long: "Add folders.\n.no macro\n\nA back\\slash.", Example: "  findspot docs add --prefix a", Run: run}
	add.Flags().StringP("prefix", "p", "", "put it before - names")
	docs.AddCommand(add)
	root.AddCommand(docs)
	dir := filepath.Join(t.TempDir(), "man")
	names, err := WriteAll(dir, root)
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff([]string{"findspot.1", "findspot-docs.1", "findspot-docs-add.1"}, names); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	page, err := os.ReadFile(filepath.Join(dir, "findspot-docs-add.1"))
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		".SH NAME\nfindspot\\-docs\\-add \\- Add folders\n", ".SH SYNOPSIS\n.B findspot docs add PATH... [flags]\n", "\n\\&.no macro\n.PP\nA back\\eslash.\n",
		".TP\n.B \\-p, \\-\\-prefix NAME\nput it before \\- names\n", ".SH EXAMPLES\n.nf\n  findspot docs add \\-\\-prefix a\n.fi\n", ".BR findspot\\-docs (1)\n",
	} {
		if !strings.Contains(string(page), want) {
			t.Errorf("no %q in the page:\n%s", want, page)
		}
	}
}
