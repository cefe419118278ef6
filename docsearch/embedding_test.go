package docsearch_test

import (
	"context"
	"errors"
	"fmt"
	"hash/fnv"
	"iter"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/text"
)

// hashed is an embedder without a model: every word counts in one place of the vector, and words of one line of same count in
// one place, as if they meant one thing.
type hashed struct {
	name string
	size int
	same [][]string

	mu     sync.Mutex // guards what follows
	fail   error      // of every call
	refuse string     // texts that hold it are refused
	texts  []string

	gate chan struct{} // calls wait until it is closed; nil: they do not
}

// set says what becomes of the calls that follow.
func (h *hashed) set(fail error, refuse string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.fail, h.refuse = fail, refuse
}

func (h *hashed) Name() string { return h.name }

func (h *hashed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	if h.gate != nil {
		select {
		case <-h.gate:
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.fail != nil {
		return nil, h.fail
	}
	var out [][]float32
	for _, s := range texts {
		if h.refuse != "" && strings.Contains(s, h.refuse) {
			return nil, fmt.Errorf("%w: it holds %q", docsearch.ErrUnsupported, h.refuse)
		}
		v := make([]float32, h.size)
		for _, w := range text.Terms(s) {
			for _, line := range h.same {
				for _, other := range line {
					if w == other {
						w = line[0]
					}
				}
			}
			f := fnv.New32a()
			f.Write([]byte(w))
			v[int(f.Sum32()%uint32(h.size))]++
		}
		out = append(out, v)
	}
	h.texts = append(h.texts, texts...)
	return out, ctx.Err()
}

var sentences = chunk.Sentences(&chunk.SentencesOptions{Runes: 60})

func openOver(t *testing.T, s driver.Store, e docsearch.Embedder) *docsearch.Library {
	t.Helper()
	lib, err := docsearch.New(s, &docsearch.Options{Embedder: e, Splitter: sentences})
	if err != nil {
		t.Fatal(err)
	}
	return lib
}

func addText(t *testing.T, lib *docsearch.Library, name, body string) *docsearch.Document {
	t.Helper()
	d, err := lib.Add(t.Context(), docsearch.Bytes(name, []byte(body)))
	if err != nil {
		t.Fatal(err)
	}
	return d
}

// processed returns how many passages of a document are done, how many have a vector, and how many there are.
func processed(t *testing.T, s driver.Store, id string) string {
	t.Helper()
	recs, err := s.Records(t.Context(), id, driver.KindChunk, nil)
	if err != nil {
		t.Fatal(err)
	}
	done, vectors := 0, 0
	for _, r := range recs {
		if r.Processed {
			done++
		}
		if r.Vector != nil {
			vectors++
		}
	}
	return fmt.Sprintf("%d %d %d", done, vectors, len(recs))
}

const twoPassages = "The first sentence speaks of apples and of pears that fall.\nThe second sentence speaks of rockets and engines.\n"

// embed makes the vectors that are missing.
func embed(t *testing.T, lib *docsearch.Library) int {
	t.Helper()
	n, err := lib.Embed(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return n
}

// document returns what a library says of its document of an id.
func document(t *testing.T, lib *docsearch.Library, id string) *docsearch.Document {
	t.Helper()
	docs, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d.ID == id {
			return d
		}
	}
	t.Fatalf("no document %s", id)
	return nil
}

// made waits until the background has made the vectors of all documents.
func made(t *testing.T, lib *docsearch.Library) {
	t.Helper()
	for {
		st, err := lib.EmbedState(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if st.Done == st.Documents && !st.Running {
			return
		}
		time.Sleep(time.Millisecond)
	}
}

func TestEmbedBesideAdding(t *testing.T) {
	gate := make(chan struct{})
	s, emb := memstore.New(), &hashed{name: "hash", size: 64, gate: gate}
	lib := openOver(t, s, emb)
	d := addText(t, lib, "a.txt", twoPassages) // while the embedder does not answer
	if got := processed(t, s, d.ID); got != "0 0 2" || d.Vectors != "" || d.Pending != "" {
		t.Errorf("added: processed %s, document %+v; want it without vectors", got, d)
	}
	if st, err := lib.EmbedState(t.Context()); err != nil || st.Documents != 1 || st.Done != 0 || !st.Running {
		t.Errorf("EmbedState = %+v, %v; want one document to do", st, err)
	}
	if res, err := lib.Search(t.Context(), "rockets", &docsearch.SearchOptions{Mode: docsearch.ModeWords}); err != nil || res.Total != 1 {
		t.Errorf("words find %+v, %v; want the document", res, err)
	}
	close(gate)
	made(t, lib)
	if got := processed(t, s, d.ID); got != "2 2 2" || document(t, lib, d.ID).Vectors != "hash" {
		t.Errorf("processed %s, document %+v; want vectors of hash", got, document(t, lib, d.ID))
	}
	if d := addText(t, lib, "a.txt", twoPassages); d.Change != docsearch.Unchanged || embed(t, lib) != 0 {
		t.Errorf("an unchanged document: %s, and something is left to do", d.Change)
	}

	// Without an embedder nothing is left to do, and vectors go with the content they are of.
	plain := openOver(t, memstore.New(), nil)
	if d := addText(t, plain, "a.txt", twoPassages); d.Vectors != "" || d.Pending != "" {
		t.Errorf("without an embedder: %+v", d)
	}
	if _, err := plain.Embed(t.Context()); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Embed without an embedder: %v, want Unsupported", err)
	}
	if _, err := plain.EmbedState(t.Context()); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("EmbedState without an embedder: %v, want Unsupported", err)
	}
	again := openOver(t, s, nil)
	if d := addText(t, again, "a.txt", "New content has none of the vectors.\n"); d.Vectors != "" || processed(t, s, d.ID) != "1 0 1" {
		t.Errorf("replaced without an embedder: %+v, %s", d, processed(t, s, d.ID))
	}
}

// Closing does not wait for what is left, which the next library that has the embedder does once something is added.
func TestEmbedResumes(t *testing.T) {
	s, emb := memstore.New(), &hashed{name: "hash", size: 64, gate: make(chan struct{})}
	first, err := openOver(t, s, nil).With(&docsearch.Options{Embedder: emb, Splitter: sentences})
	if err != nil {
		t.Fatal(err)
	}
	addText(t, first, "a.txt", twoPassages)
	addText(t, first, "b.txt", "Of bread and loaves.\n")
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	lib := openOver(t, s, &hashed{name: "hash", size: 64})
	if d := addText(t, lib, "b.txt", "Of bread and loaves.\n"); d.Change != docsearch.Unchanged {
		t.Errorf("%s, want unchanged", d.Change)
	}
	made(t, lib)
}

func TestEmbedLater(t *testing.T) {
	s, emb := memstore.New(), &hashed{name: "hash", size: 64, fail: errors.New("no route to it")}
	lib := openOver(t, s, emb)
	for i := range 5 {
		addText(t, lib, fmt.Sprintf("%d.txt", i), twoPassages)
	}
	for {
		st, err := lib.EmbedState(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		if st.Error != "" {
			if !strings.Contains(st.Error, "no route to it") || st.Done != 0 || !st.Running {
				t.Errorf("state %+v, want the embedder's error, and that it is tried again", st)
			}
			break
		}
		time.Sleep(time.Millisecond)
	}
	if n, err := lib.Embed(t.Context()); n != 0 || err == nil || !strings.Contains(err.Error(), "no route") {
		t.Errorf("Embed = %d, %v; want the embedder's error", n, err)
	}
	res, err := lib.Search(t.Context(), "rockets", nil)
	if err != nil || res.Total != 5 || !strings.Contains(res.Searched.VectorsError, "no route") {
		t.Errorf("words find %+v, %v; want 5 documents, and why vectors found none", res, err)
	}
	emb.set(nil, "")
	if n := embed(t, lib); n != 5 {
		t.Errorf("Embed = %d; want 5", n)
	}
	docs, err := lib.Documents(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range docs {
		if d.Vectors != "hash" || d.Pending != "" || processed(t, s, d.ID) != "2 2 2" {
			t.Errorf("after Embed: %+v, %s", d, processed(t, s, d.ID))
		}
	}
	if n := embed(t, lib); n != 0 {
		t.Errorf("Embed again = %d; want 0", n)
	}

	// Another model makes vectors of its own.
	other := openOver(t, s, &hashed{name: "other", size: 32})
	if n := embed(t, other); n != 5 {
		t.Errorf("Embed with another embedder = %d; want 5", n)
	}
	text, err := other.Read(t.Context(), docs[3].ID, nil)
	if err != nil || text.Text != twoPassages {
		t.Errorf("the text after it all: %+v, %v", text, err)
	}
}

func TestEmbedRefused(t *testing.T) {
	s, emb := memstore.New(), &hashed{name: "hash", size: 64, refuse: "rockets"}
	lib := openOver(t, s, emb)
	var sources iter.Seq2[docsearch.Source, error] = func(yield func(docsearch.Source, error) bool) {
		for i := range 6 {
			body := twoPassages
			if i > 0 {
				body = fmt.Sprintf("Nothing of the kind is in document number %d.\n", i)
			}
			if !yield(docsearch.Bytes(fmt.Sprintf("%d.txt", i), []byte(body)), nil) {
				return
			}
		}
	}
	wants := map[string]string{}
	for d, err := range lib.AddAll(t.Context(), sources) {
		if err != nil {
			t.Fatal(err)
		}
		want := "1 1 1"
		if d.Name == "0.txt" {
			want = "1 1 2"
		}
		wants[d.ID] = want
	}
	made(t, lib)
	for id, want := range wants {
		d := document(t, lib, id)
		if got := processed(t, s, d.ID); got != want || d.Vectors != "hash" || (d.Pending != "") != (d.Name == "0.txt") {
			t.Errorf("%s: processed %s, want %s; %+v", d.Name, got, want, d)
		}
	}
	emb.set(nil, "")
	if n := embed(t, lib); n != 1 {
		t.Errorf("Embed = %d; want the one document", n)
	}
}

// wrong gives vectors that no one should.
type wrong func(texts []string) [][]float32

func (w wrong) Name() string { return "hash" }
func (w wrong) Embed(_ context.Context, texts []string) ([][]float32, error) {
	return w(texts), nil
}

func TestEmbedWrong(t *testing.T) {
	s := memstore.New()
	first := openOver(t, s, &hashed{name: "hash", size: 64})
	addText(t, first, "a.txt", twoPassages)
	embed(t, first)
	for _, tt := range []struct {
		name string
		w    wrong
		want string
	}{
		{"another size under the name", func(ts []string) [][]float32 { return [][]float32{{1, 2}, {3, 4}}[:len(ts)] }, "have 2 numbers, but those stored under this name have 64"},
		{"sizes differ", func([]string) [][]float32 { return [][]float32{{1, 2}, {3}} }, "vectors of 2 and of 1 numbers"},
		{"too few", func([]string) [][]float32 { return nil }, "0 vectors for 2 texts"},
		{"empty", func([]string) [][]float32 { return [][]float32{{}, {}} }, "a vector of 0 numbers"},
	} {
		lib := openOver(t, s, tt.w)
		d := addText(t, lib, tt.name+".txt", twoPassages)
		if _, err := lib.Embed(t.Context()); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, want %q", tt.name, err, tt.want)
		}
		if d = document(t, lib, d.ID); d.Vectors != "" || d.Status != docsearch.StatusReady {
			t.Errorf("%s: %+v", tt.name, d)
		}
		if err := lib.Remove(t.Context(), d.ID); err != nil {
			t.Fatal(err)
		}
	}
	zero := openOver(t, memstore.New(), wrong(func(ts []string) [][]float32 { return [][]float32{{0, 0}, {0, 1}}[:len(ts)] }))
	d := addText(t, zero, "zero.txt", twoPassages)
	embed(t, zero)
	if d = document(t, zero, d.ID); d.Pending != "" || d.Vectors != "hash" {
		t.Errorf("a text without a direction: %+v", d)
	}
}
