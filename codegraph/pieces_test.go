package codegraph_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// A piece of code near the beginning of its function begins with it, and no piece begins with what only closes a block.
func TestPiecesBegin(t *testing.T) {
	filler := strings.Repeat("\tstep(\"a line that has nothing to do with it\")\n", 12)
	src := "package mast\n\n// Tune sets the antenna.\n" +
		strings.Repeat("// This comment goes on and on for the sake of its length.\n", 4) + "func Tune() {\n\tstep(\"measure the carrier of the beacon\")\n" + filler + "}\n\nfunc Watch() {\n" + filler +
		"\tif late() {\n\t}\n\tstep(\"the siren wails at midnight\")\n" + filler + "}\n\nfunc step(string) {}\nfunc late() bool { return true }\n"
	g, err := codegraph.Build(t.Context(), fstest.MapFS{"mast.go": {Data: []byte(src)}}, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	for question, want := range map[string]struct{ name, begins, has string }{
		"How is the carrier of the beacon measured?": {"Tune", "// Tune sets", "carrier of the beacon"},
		"When does the siren wail?":                  {"Watch", "", "siren wails"},
	} {
		list, err := g.Pieces(t.Context(), question, nil)
		if err != nil || len(list) == 0 {
			t.Fatalf("%s: %v, %v", question, list, err)
		}
		p := list[0]
		if !strings.HasSuffix(p.ID, ":"+want.name) || !strings.HasPrefix(p.Text, want.begins) || !strings.Contains(p.Text, want.has) {
			t.Errorf("%s: %s %q", question, p.ID, p.Text)
		}
		if strings.HasPrefix(strings.TrimSpace(p.Text), "}") {
			t.Errorf("%s: begins with what closes: %q", question, p.Text)
		}
		lines := strings.Split(src, "\n")
		if got := strings.Join(lines[p.First-1:p.Last], "\n"); got != p.Text {
			t.Errorf("%s: lines %d to %d are %q, not %q", question, p.First, p.Last, got, p.Text)
		}
	}
}
