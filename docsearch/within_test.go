package docsearch_test

import (
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/memstore"
)

// addAll adds a folder; what cannot be added is returned.
func addAll(t *testing.T, lib *docsearch.Library, root string) (bad []error) {
	t.Helper()
	for _, err := range lib.AddAll(t.Context(), docsearch.Files(root)) {
		if errors.As(err, new(*docsearch.IngestError)) {
			bad = append(bad, err)
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return bad
}

func listed(t *testing.T, lib *docsearch.Library) string {
	t.Helper()
	docs, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	var out []string
	for _, d := range docs {
		out = append(out, d.Name)
	}
	return strings.Join(out, " ")
}

// TestWithinCounts: no number tells how much there is beside.
func TestWithinCounts(t *testing.T) {
	lib := open(t, nil)
	top := tree(t, map[string]string{
		"ours/a.txt": "The receiver tunes.\n", "theirs/b.txt": "The receiver waits for the preamble.\n", "theirs/c.txt": "The receiver sleeps.\n",
	})
	addAll(t, lib, filepath.Join(top, "ours"))
	addAll(t, lib, filepath.Join(top, "theirs"))
	part := lib.Within(filepath.Join(top, "ours"))
	res := search(t, part, "receiver", nil)
	if got := (docsearch.Searched{Documents: 1, Tiers: res.Searched.Tiers}); cmp.Diff(got, res.Searched) != "" || res.Total != 1 || !res.TotalExact || len(res.Hits) != 1 {
		t.Errorf("Search = %d of %d, searched %+v", len(res.Hits), res.Total, res.Searched)
	}
	if res := search(t, part, "preambel", nil); len(res.Suggestions) != 0 || len(res.Hits) != 0 {
		t.Errorf("a word of another document is suggested: %+v", res.Suggestions)
	}
	if res := search(t, lib, "preambel", nil); len(res.Suggestions) != 1 {
		t.Errorf("without the limit nothing is suggested: the test tests nothing: %+v", res)
	}
	if res := search(t, part, "receiver", &docsearch.SearchOptions{Docs: docIDs(t, lib)}); len(res.Hits) != 1 {
		t.Errorf("Search of named documents finds %v", names(res))
	}
	seen, err := part.CheckSources(t.Context(), 0)
	if err != nil || seen.Documents != 1 || !seen.Complete {
		t.Errorf("CheckSources = %+v, %v", seen, err)
	}
	rep, err := part.Check(t.Context())
	if err != nil || rep.Documents != 1 || rep.Store || len(rep.Problems) != 0 {
		t.Errorf("Check = %+v, %v", rep, err)
	}
	if err := part.Backup(t.Context(), filepath.Join(t.TempDir(), "copy"), nil); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Backup = %v", err)
	}
	if _, err := part.Resolve(t.Context(), "zzz"); err == nil || !strings.Contains(err.Error(), "holds 1 documents") {
		t.Errorf("Resolve counts others: %v", err)
	}
	if all := lib.Within(top); listed(t, all) != "a.txt b.txt c.txt" || search(t, all, "receiver", nil).Searched.Chunks != 3 {
		t.Errorf("a limit that leaves nothing out is none: %s", listed(t, all))
	}
	if none := lib.Within(); listed(t, none) != "" || search(t, none, "receiver", nil).Total != 0 {
		t.Error("without roots there are documents")
	}
	inner := part.Within(filepath.Join(top, "theirs"))
	if got := listed(t, inner); got != "" {
		t.Errorf("a part of a part has %q", got)
	}
}

func docIDs(t *testing.T, lib *docsearch.Library) []string {
	t.Helper()
	var ids []string
	if err := lib.Origins(t.Context(), func(id, _ string) { ids = append(ids, id) }); err != nil {
		t.Fatal(err)
	}
	return ids
}

// TestWithinStore: the store itself refuses what is left out, whatever a library knows or asks by mistake.
func TestWithinStore(t *testing.T) {
	ctx, all := t.Context(), memstore.New()
	lib, err := docsearch.New(all, nil)
	if err != nil {
		t.Fatal(err)
	}
	top := tree(t, map[string]string{"ours/a.txt": "The receiver tunes.\n", "theirs/b.txt": "The okapimark receiver.\n"})
	addAll(t, lib, top)
	hidden, err := lib.Resolve(ctx, "theirs/b.txt")
	if err != nil {
		t.Fatal(err)
	}
	ours, err := lib.Resolve(ctx, "ours/a.txt")
	if err != nil {
		t.Fatal(err)
	}
	for _, walked := range []bool{true, false} {
		store := docsearch.Limited(all, filepath.Join(top, "ours"))
		if walked {
			if err := store.(driver.Walker).Walk(ctx, func(*driver.Document) error { return nil }); err != nil {
				t.Fatal(err)
			}
		} else if docs, err := store.List(ctx); err != nil || len(docs) != 1 || docs[0].ID != ours.ID {
			t.Errorf("List = %+v, %v", docs, err)
		}
		_, getErr := store.Get(ctx, hidden.ID)
		_, recordsErr := store.Records(ctx, hidden.ID, driver.KindChunk, nil)
		for name, err := range map[string]error{"Get": getErr, "Records": recordsErr, "Delete": store.Delete(ctx, hidden.ID),
			"SetData": store.SetData(ctx, map[string][]byte{ours.ID: []byte("{}"), hidden.ID: []byte("{}")})} {
			if !errors.Is(err, docsearch.ErrNotFound) {
				t.Errorf("walked %v: %s of a document that is left out = %v", walked, name, err)
			}
		}
		for _, docs := range [][]string{nil, {hidden.ID}, {hidden.ID, ours.ID}} {
			hits, err := store.Search(ctx, &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: driver.Groups("receiver"), Docs: docs, Limit: 9, PerDoc: 1})
			if err != nil {
				t.Fatal(err)
			}
			for _, h := range hits.Hits {
				if h.Doc != ours.ID {
					t.Errorf("walked %v: Search in %v finds %s", walked, docs, h.Doc)
				}
			}
			if hits.Total != len(hits.Hits) {
				t.Errorf("walked %v: Search in %v counts %d, and finds %d", walked, docs, hits.Total, len(hits.Hits))
			}
		}
		hits, err := store.Search(ctx, &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: driver.Groups("receiver")})
		if err != nil || hits.Total != 1 {
			t.Errorf("walked %v: a count alone is %+v, %v", walked, hits, err)
		}
	}
}

// TestWithinRoots: what a root means.
func TestWithinRoots(t *testing.T) {
	lib := open(t, nil)
	top := tree(t, map[string]string{"a/one.txt": "One.\n", "a/in/two.txt": "Two.\n", "ab/three.txt": "Three.\n"})
	addAll(t, lib, top)
	add(t, lib, "memory.txt", "Four.\n")
	link := filepath.Join(top, "link")
	if err := os.Symlink(filepath.Join(top, "a"), link); err != nil {
		t.Skip("no links here:", err)
	}
	t.Chdir(top)
	for _, tt := range []struct {
		roots []string
		want  string
	}{
		{[]string{filepath.Join(top, "a")}, "a/in/two.txt a/one.txt"},
		{[]string{"a/"}, "a/in/two.txt a/one.txt"},
		{[]string{link}, "a/in/two.txt a/one.txt"},
		{[]string{"ab/../a/in", "ab"}, "a/in/two.txt ab/three.txt"},
		{[]string{"a/one.txt"}, "a/one.txt"},
		{[]string{"nothing"}, ""},
		{[]string{string(filepath.Separator)}, "a/in/two.txt a/one.txt ab/three.txt"},
		{[]string{"bytes"}, ""},
	} {
		if got := listed(t, lib.Within(tt.roots...)); got != tt.want {
			t.Errorf("Within(%q) has %q, want %q", tt.roots, got, tt.want)
		}
	}
	// A link that leads elsewhere later does not widen the limit; a folder that comes later is taken.
	part := lib.Within(link, "late")
	if got := listed(t, part); got != "a/in/two.txt a/one.txt" {
		t.Fatalf("through a link: %q", got)
	}
	if err := errors.Join(os.Remove(link), os.Symlink(filepath.Join(top, "ab"), link), os.Mkdir("late", 0o755), os.WriteFile("late/five.txt", []byte("Five.\n"), 0o644)); err != nil {
		t.Fatal(err)
	}
	addAll(t, lib, "late")
	if got := listed(t, part); got != "a/in/two.txt a/one.txt five.txt" {
		t.Errorf("after the link was moved and a folder came: %q", got)
	}
}

// TestWithinAdds: what is added is there; what is left out is neither shown, replaced nor removed by it.
func TestWithinAdds(t *testing.T) {
	lib := open(t, nil)
	top := tree(t, map[string]string{"ours/a.txt": "Ours.\n", "theirs/same.txt": "Theirs is secret.\n", "theirs/moved.txt": "It will move.\n"})
	addAll(t, lib, filepath.Join(top, "theirs"))
	secret := add(t, lib, "memory.txt", "A secret from memory.\n")
	part := lib.Within(filepath.Join(top, "ours"))
	addAll(t, part, filepath.Join(top, "ours"))
	if got := listed(t, part); got != "a.txt" {
		t.Fatalf("at first there is %q", got)
	}

	for name, content := range map[string]string{"same.txt": "Ours of that name.\n", "memory.txt": "Other words.\n"} {
		d, err := part.Add(t.Context(), docsearch.Bytes(name, []byte(content)))
		var conflict *docsearch.ConflictError
		if d != nil || !errors.As(err, &conflict) || conflict.Have != "" || strings.Contains(err.Error(), "theirs") {
			t.Errorf("Add(%s) over a document that is left out = %+v, %v", name, d, err)
		}
		if err := part.Remove(t.Context(), name); !errors.Is(err, docsearch.ErrNotFound) {
			t.Errorf("Remove(%s) = %v", name, err)
		}
	}
	third := tree(t, map[string]string{"same.txt": "A third.\n"})
	if bad := addAll(t, part, third); len(bad) != 0 {
		t.Errorf("a folder with a name that is left out: %v", bad)
	}
	if got, want := listed(t, part), filepath.Base(third)+"//same.txt a.txt"; got != want {
		t.Errorf("with a third of that name there is %q, want %q", got, want)
	}
	if err := part.Remove(t.Context(), "same.txt"); err != nil {
		t.Error(err)
	}
	if got, err := lib.Read(t.Context(), secret.ID, nil); err != nil || got.Text != "A secret from memory.\n" {
		t.Errorf("what is left out is now %+v, %v", got, err)
	}
	for _, src := range []docsearch.Source{
		{Name: "other name.txt", ID: secret.ID, Origin: "bytes", Open: docsearch.Bytes("", []byte("A secret from memory.\n")).Open},
		{Name: "memory.txt", ID: secret.ID, Origin: "elsewhere", Open: docsearch.Bytes("", []byte("A secret from memory.\n")).Open},
	} {
		if d, err := part.Add(t.Context(), src); d != nil || !errors.As(err, new(*docsearch.ConflictError)) {
			t.Errorf("Add of its content as %q from %q = %+v, %v", src.Name, src.Origin, d, err)
		}
	}

	upload := add(t, part, "upload.txt", "The upload tunes.\n")
	if d := add(t, part, "memory.txt", "A secret from memory.\n"); d.Change != docsearch.Unchanged {
		t.Errorf("the same name and content: %+v", d)
	}
	if got := listed(t, part); got != "a.txt memory.txt upload.txt" {
		t.Errorf("with what was added there is %q", got)
	}
	if res := search(t, part, "upload", nil); len(res.Hits) != 1 || res.Searched.Documents != 3 {
		t.Errorf("Search of what was added: %v in %d", names(res), res.Searched.Documents)
	}
	if d := add(t, part, "upload.txt", "Another upload.\n"); d.Change != docsearch.Replaced {
		t.Errorf("an upload is replaced: %+v", d)
	}
	if _, err := part.Collect(t.Context(), "mine", []string{upload.ID}); err != nil {
		t.Error(err)
	}
	if err := part.Remove(t.Context(), "upload.txt"); err != nil {
		t.Error(err)
	}
	add(t, lib, "upload.txt", "It is no more ours.\n")
	if got := listed(t, part); got != "a.txt memory.txt" {
		t.Errorf("after it was removed, and added beside: %q", got)
	}

	// A folder that was moved takes its documents along.
	if err := os.Rename(filepath.Join(top, "theirs", "moved.txt"), filepath.Join(top, "ours", "moved.txt")); err != nil {
		t.Fatal(err)
	}
	if bad := addAll(t, part, filepath.Join(top, "ours")); len(bad) != 0 {
		t.Errorf("what moved here is refused: %v", bad)
	}
	if got := listed(t, part); got != "a.txt memory.txt moved.txt" {
		t.Errorf("after a move: %q", got)
	}
	// Of one file both are the same document.
	for _, err := range part.AddAll(t.Context(), docsearch.Files(filepath.Join(top, "theirs"))) {
		if err != nil {
			t.Error(err)
		}
	}
	if got := listed(t, part); got != "a.txt memory.txt moved.txt same.txt" {
		t.Errorf("after the other folder was added too: %q", got)
	}
}

// TestWithinVectors: what is near in meaning is looked for among its own documents too.
func TestWithinVectors(t *testing.T) {
	lib := openOver(t, memstore.New(), &hashed{name: "hash", size: 512, same: [][]string{{"car", "automobil"}}})
	top := tree(t, map[string]string{"ours/a.txt": "An automobile must stop.\n", "theirs/b.txt": "The car is fast.\n"})
	addAll(t, lib, top)
	embed(t, lib)
	part := lib.Within(filepath.Join(top, "ours"))
	for _, mode := range []docsearch.Mode{docsearch.ModeVectors, docsearch.ModeHybrid} {
		res := search(t, part, "fast car", &docsearch.SearchOptions{Mode: mode})
		if len(res.Hits) != 1 || res.Hits[0].Name != "ours/a.txt" || res.Searched.Vectors != 1 || res.Total != 1 {
			t.Errorf("%s: %v of %d, %d vectors", mode, names(res), res.Total, res.Searched.Vectors)
		}
	}
}

// TestWithinClose: one closes the other, and a second time says so.
func TestWithinClose(t *testing.T) {
	lib := open(t, nil)
	part := lib.Within(t.TempDir())
	if err := part.Close(); err != nil {
		t.Fatal(err)
	}
	for _, err := range []error{part.Close(), lib.Close()} {
		if !errors.Is(err, docsearch.ErrClosed) {
			t.Errorf("a second Close = %v", err)
		}
	}
	if _, err := part.Documents(t.Context()); !errors.Is(err, docsearch.ErrClosed) {
		t.Errorf("Documents after Close = %v", err)
	}
}

// TestWithinWhileAdding: nothing of the others is seen while both grow.
func TestWithinWhileAdding(t *testing.T) {
	lib := open(t, nil)
	top := tree(t, map[string]string{"ours/a.txt": "The receiver tunes.\n", "theirs/b.txt": "The okapimark receiver.\n"})
	part := lib.Within(filepath.Join(top, "ours"))
	addAll(t, part, filepath.Join(top, "ours"))
	var wg sync.WaitGroup
	wg.Go(func() {
		for i := range 50 {
			name := filepath.Join(top, "theirs", string(rune('b'+i%20))+".txt")
			if err := os.WriteFile(name, []byte("The okapimark receiver "+strings.Repeat("again ", i)+"\n"), 0o644); err != nil {
				t.Error(err)
			}
			for _, err := range lib.AddAll(t.Context(), docsearch.Files(name)) {
				if err != nil {
					t.Error(err)
				}
			}
		}
	})
	wg.Go(func() {
		for range 100 {
			res, err := part.Search(t.Context(), "okapimark receiver", nil)
			if err != nil {
				t.Error(err)
				return
			}
			data, err := json.Marshal(res.Hits)
			if err != nil || len(res.Hits) != 1 || res.Total != 1 || strings.Contains(string(data), "okapimark") {
				t.Errorf("a search beside: %d hits of %d, %v", len(res.Hits), res.Total, err)
				return
			}
		}
	})
	wg.Wait()
}
