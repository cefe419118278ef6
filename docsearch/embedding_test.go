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
	calls  int
	texts  []string
}

func (h *hashed) Name() string { return h.name }

func (h *hashed) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.calls++
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

func openOver(t *testing.T, s driver.Store, e docsearch.Embedder) *docsearch.Library {
	t.Helper()
	lib, err := docsearch.New(s, &docsearch.Options{Embedder: e, Splitter: chunk.Sentences(&chunk.SentencesOptions{Runes: 60})})
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

func TestEmbedOnAdd(t *testing.T) {
	s, emb := memstore.New(), &hashed{name: "hash", size: 64}
	lib := openOver(t, s, emb)
	d := addText(t, lib, "a.txt", twoPassages)
	if got := processed(t, s, d.ID); got != "2 2 2" || d.Vectors != "hash" || d.Pending != "" {
		t.Errorf("processed %s, document %+v; want 2 2 2 and vectors of hash", got, d)
	}
	calls := emb.calls
	if d := addText(t, lib, "a.txt", twoPassages); d.Change != docsearch.Unchanged || emb.calls != calls {
		t.Errorf("an unchanged document: %s, %d more calls", d.Change, emb.calls-calls)
	}
	docs, err := lib.Documents(t.Context())
	if err != nil || len(docs) != 1 || docs[0].Vectors != "hash" {
		t.Errorf("Documents = %+v, %v", docs, err)
	}

	// Without an embedder nothing is left to do, and vectors go with the content they are of.
	plain := openOver(t, memstore.New(), nil)
	if d := addText(t, plain, "a.txt", twoPassages); d.Vectors != "" || d.Pending != "" {
		t.Errorf("without an embedder: %+v", d)
	}
	if _, err := plain.Embed(t.Context()); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("Embed without an embedder: %v, want Unsupported", err)
	}
	again := openOver(t, s, nil)
	if d := addText(t, again, "a.txt", "New content has none of the vectors.\n"); d.Vectors != "" || processed(t, s, d.ID) != "1 0 1" {
		t.Errorf("replaced without an embedder: %+v, %s", d, processed(t, s, d.ID))
	}
}

func TestEmbedLater(t *testing.T) {
	s, emb := memstore.New(), &hashed{name: "hash", size: 64, fail: errors.New("no route to it")}
	lib := openOver(t, s, emb)
	for i := range 5 {
		d := addText(t, lib, fmt.Sprintf("%d.txt", i), twoPassages)
		if d.Status != docsearch.StatusReady || d.Vectors != "" || !strings.Contains(d.Pending, "no route to it") || processed(t, s, d.ID) != "0 0 2" {
			t.Fatalf("a document without vectors: %+v, %s", d, processed(t, s, d.ID))
		}
	}
	if emb.calls > 2 {
		t.Errorf("%d calls of an embedder that does not work, want one and its repetition", emb.calls)
	}
	res, err := lib.Search(t.Context(), "rockets", nil)
	if err != nil || res.Total != 5 {
		t.Errorf("words find %+v, %v; want 5 documents", res, err)
	}
	if n, err := lib.Embed(t.Context()); n != 0 || err == nil || !strings.Contains(err.Error(), "no route") {
		t.Errorf("Embed = %d, %v; want the embedder's error", n, err)
	}
	emb.fail = nil
	if n, err := lib.Embed(t.Context()); n != 5 || err != nil {
		t.Errorf("Embed = %d, %v; want 5", n, err)
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
	if n, err := lib.Embed(t.Context()); n != 0 || err != nil {
		t.Errorf("Embed again = %d, %v; want 0", n, err)
	}

	// Another model: adding again makes its vectors, and so does Embed.
	other := openOver(t, s, &hashed{name: "other", size: 32})
	if d := addText(t, other, "0.txt", twoPassages); d.Change != docsearch.Unchanged || d.Vectors != "other" {
		t.Errorf("added again with another embedder: %+v", d)
	}
	if n, err := other.Embed(t.Context()); n != 4 || err != nil {
		t.Errorf("Embed with another embedder = %d, %v; want 4", n, err)
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
	for d, err := range lib.AddAll(t.Context(), sources) {
		if err != nil {
			t.Fatal(err)
		}
		want := "1 1 1"
		if d.Name == "0.txt" {
			want = "1 1 2"
		}
		if got := processed(t, s, d.ID); got != want || d.Vectors != "hash" || (d.Pending != "") != (d.Name == "0.txt") {
			t.Errorf("%s: processed %s, want %s; %+v", d.Name, got, want, d)
		}
	}
	emb.refuse = ""
	if n, err := lib.Embed(t.Context()); n != 1 || err != nil {
		t.Errorf("Embed = %d, %v; want the one document", n, err)
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
	addText(t, openOver(t, s, &hashed{name: "hash", size: 64}), "a.txt", twoPassages)
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
		d := addText(t, openOver(t, s, tt.w), tt.name+".txt", twoPassages)
		if !strings.Contains(d.Pending, tt.want) || d.Vectors != "" || d.Status != docsearch.StatusReady {
			t.Errorf("%s: %+v, want %q", tt.name, d, tt.want)
		}
	}
	zero := openOver(t, memstore.New(), wrong(func(ts []string) [][]float32 { return [][]float32{{0, 0}, {0, 1}}[:len(ts)] }))
	if d := addText(t, zero, "zero.txt", twoPassages); d.Pending != "" || d.Vectors != "hash" {
		t.Errorf("a text without a direction: %+v", d)
	}
}
