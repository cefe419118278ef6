package blevestore_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/judged"
	"github.com/findspot/findspot/internal/need"
)

// relevanceSets are folders of the shared relevance folder.
var relevanceSets = []string{"cranfield", "cisi", "med", "npl"}

func readSet(t *testing.T, dir string) *judged.Set {
	t.Helper()
	set, err := judged.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// libraryOf opens a library of the set's documents: texts that begin with their titles.
func libraryOf(t *testing.T, set *judged.Set, o *blevestore.Options) *docsearch.Library {
	t.Helper()
	lib, err := blevestore.Open(t.Context(), t.TempDir(), o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { lib.Close() })
	sources := func(yield func(docsearch.Source, error) bool) {
		for _, d := range set.Docs {
			if !yield(docsearch.Bytes(d.ID+".txt", []byte(d.Title+"\n\n"+d.Text+"\n")), nil) {
				return
			}
		}
	}
	for d, err := range lib.AddAll(t.Context(), sources) {
		if err != nil && !strings.Contains(err.Error(), "no text") || err == nil && d.Pending != "" {
			t.Fatal(d, err)
		}
	}
	return lib
}

// score returns the mean nDCG@10 of the judged queries.
func score(t *testing.T, set *judged.Set, lib *docsearch.Library, o *docsearch.SearchOptions) float64 {
	t.Helper()
	var sum float64
	for _, q := range set.Queries {
		res, err := lib.Search(t.Context(), q.Text, o)
		if err != nil {
			t.Fatal(err)
		}
		var ranking []string
		for _, h := range res.Hits {
			ranking = append(ranking, strings.TrimSuffix(h.Name, ".txt"))
		}
		sum += set.NDCG(q.ID, ranking)
	}
	return sum / float64(len(set.Grades))
}

// TestRelevance keeps nDCG@10 on public judgements in a golden file, so that a change of the ranking shows.
func TestRelevance(t *testing.T) {
	if testing.Short() {
		t.Skip("four collections take some seconds")
	}
	need.NoRace(t)
	root := need.Shared(t, "relevance")
	var report bytes.Buffer
	for _, name := range relevanceSets {
		if only := os.Getenv("FINDSPOT_RELEVANCE"); only != "" && !strings.Contains(only, name) {
			continue
		}
		set := readSet(t, filepath.Join(root, name))
		lib := libraryOf(t, set, nil)
		words := score(t, set, lib, &docsearch.SearchOptions{Tiers: []docsearch.Tier{docsearch.TierAny}, Literal: true})
		all := score(t, set, lib, &docsearch.SearchOptions{Literal: true})
		related := score(t, set, lib, &docsearch.SearchOptions{Literal: true, Related: true})
		fmt.Fprintf(&report, "%-10s any %.3f  all tiers %.3f  related %.3f\n", name, words, all, related)
	}
	t.Logf("\n%s", report.String())
	if os.Getenv("FINDSPOT_RELEVANCE") == "" {
		golden.Compare(t, filepath.Join("testdata", "relevance.txt"), report.Bytes())
	}
}
