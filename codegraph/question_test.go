package codegraph_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
)

// questioned is a small program and what comes beside it.
func questioned(t *testing.T) *codegraph.Graph {
	t.Helper()
	var many strings.Builder
	many.WriteString("package many\n")
	for i := range 12 {
		fmt.Fprintf(&many, "\n// Keep%d holds a picture.\nfunc Keep%d() {}\n", i, i)
	}
	fs := fstest.MapFS{}
	for name, src := range map[string]string{
		"users/grant.go":    "package users\n\n// Role is what somebody may do in the house.\ntype Role int\n\nfunc MakeSuperuser(name string) {\n\tput(name, 1)\n}\n\nfunc put(string, Role) {}\n",
		"paint/brush.go":    "package paint\n\n// Dry waits for the varnish of a canvas.\nfunc Dry() {\n\tsit()\n\tsit()\n\tsit()\n\tsit()\n}\n\nfunc sit() {}\n",
		"examples/brush.go": "package main\n\n// dry waits for the varnish of a canvas.\nfunc dry() {}\n",
		"rust/scrape.go":    "package rust\n\nfunc Hull() {\n\twipe(\"the anchor\")\n}\n\nfunc wipe(string) {}\n",
		"anchor/chain.go":   "package anchor\n\nfunc Hull() {\n\tlay(\"the anchor\")\n\tlay(\"all of it\")\n}\n\nfunc lay(string) {}\n",
		"roles/kinds.go":    "package roles\n\n// Rigging tightens the stays.\ntype Rigging struct{}\n\n// Tend tightens the stays one after another, from bow to stern.\nfunc Tend() {\n\tturn()\n\tturn()\n}\n\nfunc turn() {}\n",
		"many/many.go":      many.String(),
		"image/image.go":    "package image\n\n// Image is drawn.\nfunc Image() {}\n",
	} {
		fs[name] = &fstest.MapFile{Data: []byte(src)}
	}
	g, err := codegraph.Build(t.Context(), fs, []lang.Frontend{gosyntax.Frontend()}, nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestQuestions(t *testing.T) {
	g := questioned(t)
	for _, tt := range []struct {
		why, question, want string
		kinds               []codegraph.Kind
	}{
		{"a word that the code lacks has synonyms", "how does somebody become an administrator", "users/grant.go:MakeSuperuser", nil},
		{"code comes before examples, shorter or not", "what waits for the varnish of a canvas", "paint/brush.go:Dry", nil},
		{"functions come before classes, shorter or not", "where are the stays made tightens", "roles/kinds.go:Tend", nil},
		{"the names around an entity count, shorter or not", "what happens to the anchor and its chain", "anchor/chain.go:Hull", []codegraph.Kind{codegraph.KindFunction}},
	} {
		res, err := g.Search(t.Context(), tt.question, &codegraph.SearchOptions{Kinds: tt.kinds})
		if err != nil {
			t.Fatal(err)
		}
		if len(res.Hits) == 0 || res.Hits[0].ID != tt.want {
			t.Errorf("%s: Search(%q) = %v, want %s first", tt.why, tt.question, res, tt.want)
		}
	}
}

// Readings are of words that hardly any function has, in questions alone.
func TestReadings(t *testing.T) {
	g := questioned(t)
	reading := []codegraph.Reading{{Word: "administrator", As: "superuser", Functions: 1}}
	for _, tt := range []struct {
		query string
		want  []codegraph.Reading
	}{
		{"how does somebody become an administrator", reading},
		{"an administrator", nil},                        // no question
		{"what is users.Role for an administrator", nil}, // it names code
		{"how is a picture held here", nil},              // the code has the word
	} {
		res, err := g.Search(t.Context(), tt.query, nil)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(tt.want, res.Readings); diff != "" {
			t.Errorf("Search(%q): readings (-want +got):\n%s", tt.query, diff)
		}
	}
	if got, want := reading[0].String(), "administrator ~ superuser: 1 function"; got != want {
		t.Errorf("String() = %q, want %q", got, want)
	}
}

// A piece that has a synonym answers, as one with the word of the question would.
func TestPiecesBySynonyms(t *testing.T) {
	list, err := questioned(t).Pieces(t.Context(), "how does somebody become an administrator", nil)
	if err != nil || len(list) == 0 || list[0].ID != "users/grant.go:MakeSuperuser" {
		t.Fatalf("Pieces = %v, %v", list, err)
	}
}
