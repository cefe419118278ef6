package docsearch_test

import (
	"context"
	"encoding/binary"
	"math/rand/v2"
	"os"
	"path/filepath"
	"regexp"
	"runtime/metrics"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/docsearch/pdf"
)

// A hostileStore gives a library what somebody else has put into the store: documents, layouts and records that were patched.
type hostileStore struct {
	driver.Store
	patches []byte
}

// A patch is twelve bytes: what is patched, how, where (uint32), the value (uint32), two that are left out.
const patchSize = 12

var jsonNumber = regexp.MustCompile(`-?\d+`)

var hostileNumbers = []int{-1, 0, 1, 2, 1 << 20, 1<<31 - 1, 1 << 31, 1 << 40, 1<<63 - 1, -1 << 63}

// patched applies the patches for a kind of data to it.
func (s *hostileStore) patched(what byte, data []byte) []byte {
	for p := s.patches; len(p) >= patchSize; p = p[patchSize:] {
		if p[0]%4 != what || len(data) == 0 {
			continue
		}
		n, v := int(binary.LittleEndian.Uint32(p[2:])), binary.LittleEndian.Uint32(p[6:])
		switch p[1] % 3 {
		case 0:
			all := jsonNumber.FindAllIndex(data, -1)
			if len(all) == 0 {
				continue
			}
			at := all[n%len(all)]
			data = slices.Concat(data[:at[0]], []byte(strconv.Itoa(hostileNumbers[int(v)%len(hostileNumbers)])), data[at[1]:])
		case 1:
			data = slices.Clone(data)
			data[n%len(data)] = byte(v)
		case 2:
			data = data[:n%len(data)]
		}
	}
	return data
}

func (s *hostileStore) Get(ctx context.Context, id string) (*driver.Document, error) {
	d, err := s.Store.Get(ctx, id)
	if err != nil {
		return nil, err
	}
	out := *d
	out.Data, out.Layout = s.patched(0, d.Data), s.patched(1, d.Layout)
	return &out, nil
}

func (s *hostileStore) List(ctx context.Context) ([]*driver.Document, error) {
	list, err := s.Store.List(ctx)
	for i, d := range list {
		c := *d
		c.Data = s.patched(0, d.Data)
		list[i] = &c
	}
	return list, err
}

func (s *hostileStore) Records(ctx context.Context, id string, kind driver.Kind, ns []int) ([]driver.Record, error) {
	list, err := s.Store.Records(ctx, id, kind, ns)
	for i := range list {
		r := &list[i]
		r.Data = s.patched(2, r.Data)
		r.Text = string(s.patched(3, []byte(r.Text)))
		if start, err := strconv.Atoi(string(s.patched(3, []byte(strconv.Itoa(r.Start))))); err == nil {
			r.Start = start
		}
	}
	return list, err
}

// allocated is how much memory was ever asked for, in bytes.
func allocated() uint64 {
	m := []metrics.Sample{{Name: "/gc/heap/allocs:bytes"}}
	metrics.Read(m)
	return m[0].Value.Uint64()
}

// storedLibrary is a store with documents of text, of sections and of a PDF with figures and tables.
func storedLibrary(t testing.TB) driver.Store {
	t.Helper()
	s := memstore.New()
	lib, err := docsearch.New(s, &docsearch.Options{Extractors: map[string]extract.Extractor{".pdf": pdf.New(nil)}})
	if err != nil {
		t.Fatal(err)
	}
	text := "Title of it\n\nAbstract\n\nWhat it says of common words.\n\n1 Introduction\n\n" + strings.Repeat("Some common words of a text that is long enough.\n", 400) + "\n2 Methods\n\nThe end.\n"
	sources := []docsearch.Source{docsearch.Bytes("a.txt", []byte(text)), docsearch.Bytes("b.md", []byte("# One\n\ncommon\n\n## Two\n\nwords\n"))}
	papers, err := filepath.Glob(filepath.Join("..", "examples", "testdata", "papers", "*.pdf"))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range papers[:min(len(papers), 1)] {
		data, err := os.ReadFile(p)
		if err != nil {
			t.Fatal(err)
		}
		src := docsearch.Bytes("c.pdf", data)
		src.Format = docsearch.FormatMarkdown
		sources = append(sources, src)
	}
	for _, src := range sources {
		if _, err := lib.Add(t.Context(), src); err != nil {
			t.Fatal(err)
		}
	}
	return s
}

// exerciseStored asks everything of a store with patches. An error is an answer; a panic and too much memory are none.
func exerciseStored(t *testing.T, s driver.Store, patches []byte) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
	defer cancel()
	before := allocated()
	lib, err := docsearch.New(&hostileStore{s, patches}, nil)
	if err != nil {
		t.Fatal(err)
	}
	_, _ = lib.Collections(ctx)
	_, _ = lib.Check(ctx)
	_, _ = lib.CheckSources(ctx, time.Second)
	for _, q := range []string{"common words", `"common words"`, "introduction", "table figure"} {
		_, _ = lib.Search(ctx, q, nil)
		_, _ = lib.Search(ctx, q, &docsearch.SearchOptions{Section: "2"})
	}
	docs, _ := s.List(ctx)
	for _, d := range docs {
		_, _ = lib.Info(ctx, d.ID)
		_, _ = lib.Read(ctx, d.ID, nil)
		_, _ = lib.Abstract(ctx, d.ID)
		_, _ = lib.Page(ctx, d.ID, 1)
		_, _ = lib.Page(ctx, d.ID, 2)
		_, _ = lib.View(ctx, d.ID, docsearch.Lines{First: 3, Last: 9})
		_, _ = lib.View(ctx, d.ID, docsearch.Lines{First: 300, Last: 900})
		_, _ = lib.Find(ctx, d.ID, "common", nil)
		_, _ = lib.Sections(ctx, d.ID)
		_, _ = lib.Section(ctx, d.ID, "1")
		_, _, _ = lib.Objects(ctx, d.ID, 1)
		_, _ = lib.Markdown(ctx, d.ID, 1, 0)
	}
	if ctx.Err() != nil {
		t.Error("it hangs")
	}
	if used := allocated() - before; used > 1<<30 {
		t.Errorf("%d MB were asked for", used>>20)
	}
}

func FuzzStored(f *testing.F) {
	s := storedLibrary(f)
	for what := range byte(4) {
		for n := range uint32(40) {
			f.Add(storedPatch(what, byte(n%3), n*7, n))
		}
	}
	f.Fuzz(func(t *testing.T, patches []byte) { exerciseStored(t, s, patches) })
}

func storedPatch(what, how byte, at, value uint32) []byte {
	b := binary.LittleEndian.AppendUint32([]byte{what, how}, at)
	return append(binary.LittleEndian.AppendUint32(b, value), 0, 0)
}

// What FuzzStored tries, at random places.
func TestStoredAtRandom(t *testing.T) {
	rounds := 60
	if n, err := strconv.Atoi(os.Getenv("FINDSPOT_DAMAGES")); err == nil {
		rounds = n
	}
	s, r := storedLibrary(t), rand.New(rand.NewPCG(21, 9))
	for range rounds {
		var patches []byte
		for range 1 + r.IntN(4) {
			patches = append(patches, storedPatch(byte(r.IntN(4)), byte(r.IntN(6)%3), r.Uint32(), r.Uint32())...)
		}
		if !t.Run("", func(t *testing.T) { exerciseStored(t, s, patches) }) {
			t.Fatalf("patches %x", patches)
		}
	}
}
