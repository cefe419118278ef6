package findspot_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
)

func TestSearchText(t *testing.T) {
	ws := open(t, t.TempDir(), nil)
	dir := write(t, map[string]string{
		"a.py": "total = totals\nTOTAL = total\n", "sub/b.go": "package b // total\n", "bin.dat": "total\x00", "long.txt": strings.Repeat("x", 5000) + " total " + strings.Repeat("y", 5000),
		".gitignore": "skipme/\n", "skipme/c.py": "total\n",
	})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for _, tt := range []struct {
		pattern string
		o       *findspot.GrepOptions
		want    []string
	}{
		{"total", &findspot.GrepOptions{Word: true}, []string{"a.py:1:1 [total]", "a.py:2:9 [total]", "long.txt:1:5002 [total]", "sub/b.go:1:14 [total]"}},
		{"total", &findspot.GrepOptions{Path: "a.py"}, []string{"a.py:1:1 [total total]", "a.py:2:9 [total]"}},
		{"t[o]tal", &findspot.GrepOptions{Regexp: true, IgnoreCase: true, Word: true, Path: "*.py"}, []string{"a.py:1:1 [total]", "a.py:2:1 [TOTAL total]"}},
		{"total", &findspot.GrepOptions{Path: "sub/**"}, []string{"sub/b.go:1:14 [total]"}},
		{"nothing", nil, nil},
	} {
		res, err := ws.SearchText(t.Context(), tt.pattern, tt.o)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, m := range res.Matches {
			var words []string
			for _, r := range m.Matches {
				words = append(words, m.Text[r[0]:r[1]])
			}
			got = append(got, fmt.Sprintf("%s:%d:%d %v", m.Path, m.Line, m.Col, words))
			if len(m.Text) > 400 {
				t.Errorf("a line of %d bytes was returned", len(m.Text))
			}
		}
		if diff := cmp.Diff(tt.want, got); diff != "" {
			t.Errorf("SearchText(%q, %+v) (-want +got):\n%s", tt.pattern, tt.o, diff)
		}
	}
	if _, err := ws.SearchText(t.Context(), strings.Repeat("x", 8<<10+1), nil); !errors.Is(err, findspot.ErrTooLarge) {
		t.Errorf("a pattern of more than 8192 bytes: %v, want ErrTooLarge", err)
	}
}

// A phrase of the question that is everywhere in a document leaves room for the passage that holds all its words.
func TestCommonPhraseHidesNothing(t *testing.T) {
	filler := strings.Repeat("Filler text stands here and says nothing of it.\n", 100)
	src := write(t, map[string]string{"spec.txt": strings.Repeat("The remote receiver unit is named.\n"+filler, 4) +
		"A receiver that is remote keeps the pseudonym in its unit.\n" + filler})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if err := addDocs(t.Context(), ws, src); err != nil {
		t.Fatal(err)
	}
	ans, err := ws.Ask(t.Context(), "how does the remote receiver unit keep a pseudonym", nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, it := range ans.Items {
		if strings.Contains(it.Text, "pseudonym") {
			return
		}
	}
	t.Errorf("Ask = %+v, want the passage of the pseudonym among them", ans.Items)
}
