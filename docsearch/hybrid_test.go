package docsearch_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/vector"
)

// hitNames returns "name(tier)" of the hits in order.
func hitNames(res *docsearch.Results) string {
	var out []string
	for _, h := range res.Hits {
		out = append(out, fmt.Sprintf("%s(%s)", strings.TrimSuffix(h.Name, ".txt"), h.Tier))
	}
	return strings.Join(out, " ")
}

func TestHybrid(t *testing.T) {
	ctx := t.Context()
	emb := &hashed{name: "hash", size: 512, same: [][]string{{"car", "automobil", "vehicl"}, {"bread", "loaf"}}}
	lib := openOver(t, memstore.New(), emb)
	for name, body := range map[string]string{
		"car":  "The car is fast.\n",
		"auto": "An automobile, fast or not, must stop.\n",
		"far":  "A vehicle of another kind entirely, with many other words that lead away from it: steam, rails, boilers and smoke.\n",
		"loaf": "A loaf of rye.\n",
		"fast": "A fast is a time without food, and fast is quick.\n",
	} {
		addText(t, lib, name+".txt", body)
	}
	embed(t, lib)
	for _, tt := range []struct {
		name, query string
		o           docsearch.SearchOptions
		want        string
	}{
		{"words", "fast car", docsearch.SearchOptions{Mode: docsearch.ModeWords}, "car(all) fast(any) auto(any)"},
		{"vectors", "fast car", docsearch.SearchOptions{Mode: docsearch.ModeVectors}, "car(semantic) auto(semantic) fast(semantic) far(semantic) loaf(semantic)"},
		{"hybrid", "fast car", docsearch.SearchOptions{Mode: docsearch.ModeHybrid}, "car(all) auto(any) fast(any) far(semantic) loaf(semantic)"},
		{"hybrid is the default", "fast car", docsearch.SearchOptions{}, "car(all) auto(any) fast(any) far(semantic) loaf(semantic)"},
		{"no word in common", "bread", docsearch.SearchOptions{Limit: 1}, "loaf(semantic)"},
		{"tiers mean words", "fast car", docsearch.SearchOptions{Tiers: []docsearch.Tier{docsearch.TierAll}}, "car(all)"},
		{"a minus holds for vectors", "fast car -stop", docsearch.SearchOptions{Limit: 2}, "car(all) fast(any)"},
		{"quotes hold for vectors", `car "must stop"`, docsearch.SearchOptions{}, "auto(any)"},
		{"nothing has a title", "fast car", docsearch.SearchOptions{Kinds: []string{"titles"}}, ""},
	} {
		res, err := lib.Search(ctx, tt.query, &tt.o)
		if err != nil {
			t.Fatal(err)
		}
		if got := hitNames(res); got != tt.want {
			t.Errorf("%s: %s, want %s", tt.name, got, tt.want)
		}
	}

	res, err := lib.Search(ctx, "fast car", nil)
	if err != nil || res.Total != 5 || !res.TotalExact || res.Searched.Vectors != 5 || res.Truncated {
		t.Errorf("totals %d, %v, %+v, %v; want all 5", res.Total, res.TotalExact, res.Searched, err)
	}
	// Similarity counts from half as far below 0, where texts without a word in common lie, as 1 is above it.
	nearness := func(i int) float64 { return (res.Hits[i].Similarity + .5) / (res.Hits[0].Similarity + .5) }
	// The first of both lists; and the fourth, which the vectors alone found.
	if got, want := fmt.Sprintf("%.6f %.6f", res.Hits[0].Score, res.Hits[3].Score), fmt.Sprintf("%.6f %.6f", 1., .8*nearness(3)); got != want {
		t.Errorf("scores %s, want %s", got, want)
	}
	// The second has one word of the two, in the wider of two tiers.
	if got, most := res.Hits[1].Score-.8*nearness(1), .2*.5; got <= 0 || got > most+1e-9 {
		t.Errorf("the words of the second count %f, want some of %f", got, most)
	}
	last := res.Hits[4]
	if len(last.Passages) != 1 || last.Passages[0].Tier != docsearch.TierSemantic || last.Passages[0].Snippet != "A loaf of rye." || len(last.Passages[0].Matches) != 0 {
		t.Errorf("a passage without a word of the query: %+v", last.Passages)
	}
	if res.Hits[0].Similarity <= res.Hits[4].Similarity || res.Hits[0].Similarity > 1.0001 {
		t.Errorf("similarities %v and %v", res.Hits[0].Similarity, res.Hits[4].Similarity)
	}

	// Pages of a hybrid search make up the whole of it.
	var pages []string
	for cursor, n := "", 0; n < 9; n++ {
		res, err := lib.Search(ctx, "fast car", &docsearch.SearchOptions{Limit: 2, Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		pages = append(pages, hitNames(res))
		if cursor = res.Next; cursor == "" {
			break
		}
	}
	if got, want := strings.Join(pages, " "), hitNames(res); got != want {
		t.Errorf("pages %s, want %s", got, want)
	}
}

// Titles and captions have vectors: titles where they alone are searched, and captions where nothing of their document is nearer.
func TestTitlesAndCaptionsHaveVectors(t *testing.T) {
	emb := &hashed{name: "hash", size: 512, same: [][]string{{"car", "automobil", "vehicl"}}}
	lib := openOver(t, memstore.New(), emb)
	addText(t, lib, "a.html", `<title>Vehicles</title><p>Of steam, rails, boilers and smoke.</p><figure><img src="x.png"><figcaption>An automobile</figcaption></figure><p>The end.</p>`)
	addText(t, lib, "b.html", `<title>Bread</title><p>A car.</p><figure><img src="x.png"><figcaption>A loaf of rye</figcaption></figure><p>The end.</p>`)
	embed(t, lib)
	for _, tt := range []struct {
		name    string
		o       docsearch.SearchOptions
		want    string
		figures string // of the first hit
	}{
		{"titles", docsearch.SearchOptions{Kinds: []string{"titles"}, Limit: 1}, "a.html(semantic)", ""},
		{"figures", docsearch.SearchOptions{Kinds: []string{"figures"}, Limit: 1}, "a.html(semantic)", "An automobile"},
		{"a caption is the nearest", docsearch.SearchOptions{Doc: "a.html"}, "a.html(semantic)", "An automobile"},
		{"a passage is nearer than the caption", docsearch.SearchOptions{Doc: "b.html"}, "b.html(phrase)", ""},
		{"vectors", docsearch.SearchOptions{Mode: docsearch.ModeVectors, Kinds: []string{"titles"}, Limit: 1}, "a.html(semantic)", ""},
	} {
		res, err := lib.Search(t.Context(), "car", &tt.o)
		if err != nil {
			t.Fatal(err)
		}
		figures := ""
		for _, f := range res.Hits[0].Figures {
			figures += f.Caption
		}
		if got := hitNames(res); got != tt.want || figures != tt.figures {
			t.Errorf("%s: %s with figures %q, want %s with %q", tt.name, got, figures, tt.want, tt.figures)
		}
	}
}

// For a question, vectors are a signal among others, and bring what has no word of it.
func TestQuestionWithVectors(t *testing.T) {
	emb := &hashed{name: "hash", size: 512, same: [][]string{{"car", "automobil", "vehicl"}, {"stop", "halt"}}}
	lib := openOver(t, memstore.New(), emb)
	for name, body := range map[string]string{
		"halt":  "An automobile has to halt there.\n",
		"car":   "The car is fast. It is red.\n",
		"bread": "A loaf of rye. Nothing else.\n",
	} {
		addText(t, lib, name+".txt", body)
	}
	embed(t, lib)
	const question = "Where does a car stop?"
	var o docsearch.SearchOptions
	o.Answering(question)
	res, err := lib.Search(t.Context(), question, &o)
	if err != nil || res.Mode != docsearch.ModeQuestion || hitNames(res) != "car(any) halt(semantic)" || res.Searched.Vectors != 3 {
		t.Fatalf("%s %+v, %v", hitNames(res), res, err)
	}
	if p := res.Hits[1].Passages[0]; p.Snippet != "An automobile has to halt there." || p.Signals["meaning"] != 1 || res.Hits[1].Similarity <= res.Hits[0].Similarity {
		t.Errorf("%+v", res.Hits[1])
	}
	emb.set(errors.New("out of order"), "")
	if res, err = lib.Search(t.Context(), "Where does the car stop?", &o); err != nil || hitNames(res) != "car(any)" || !strings.Contains(res.Searched.VectorsError, "out of order") {
		t.Errorf("an embedder that does not work: %s, %+v, %v", hitNames(res), res, err)
	}
}

func TestHybridFails(t *testing.T) {
	ctx := t.Context()
	s, emb := memstore.New(), &hashed{name: "hash", size: 64}
	lib := openOver(t, s, emb)
	addText(t, lib, "a.txt", "The car is fast.\n")
	embed(t, lib)
	emb.set(errors.New("out of order"), "")
	res, err := lib.Search(ctx, "car", nil)
	if err != nil || hitNames(res) != "a(phrase)" || !strings.Contains(res.Searched.VectorsError, "out of order") || res.Searched.Vectors != 0 {
		t.Errorf("an embedder that does not work: %+v, %v", res, err)
	}
	for _, m := range []docsearch.Mode{docsearch.ModeHybrid, docsearch.ModeVectors} {
		if _, err := lib.Search(ctx, "car", &docsearch.SearchOptions{Mode: m}); err == nil || !strings.Contains(err.Error(), "out of order") {
			t.Errorf("mode %s with an embedder that does not work: %v", m, err)
		}
		if _, err := openOver(t, s, nil).Search(ctx, "car", &docsearch.SearchOptions{Mode: m}); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("mode %s without an embedder: %v, want Unsupported", m, err)
		}
	}
	if _, err := lib.Search(ctx, "car", &docsearch.SearchOptions{Mode: "magic"}); !errors.Is(err, docsearch.ErrUnsupported) {
		t.Errorf("a mode that is none: %v, want Unsupported", err)
	}

	// The vectors of another model are not compared.
	other := openOver(t, s, questioner{&hashed{name: "other", size: 32, fail: errors.New("out of order")}})
	res, err = other.Search(ctx, "fast", &docsearch.SearchOptions{Mode: docsearch.ModeVectors})
	if err != nil || len(res.Hits) != 0 || res.Searched.Vectors != 0 {
		t.Errorf("two models: %s of %+v, %v; want none", hitNames(res), res, err)
	}
}

// A questioner makes vectors of queries, whatever becomes of other texts.
type questioner struct{ *hashed }

func (q questioner) EmbedQueries(ctx context.Context, texts []string) ([][]float32, error) {
	return (&hashed{size: q.size}).Embed(ctx, texts)
}

func TestHybridShowsTheNearest(t *testing.T) {
	emb := &hashed{name: "hash", size: 512, same: [][]string{{"car", "automobil"}}}
	lib, err := docsearch.New(memstore.New(), &docsearch.Options{Embedder: emb, Splitter: chunk.Sentences(&chunk.SentencesOptions{Runes: 600})})
	if err != nil {
		t.Fatal(err)
	}
	filler := strings.Repeat("Filler follows without end and says nothing at all. ", 11) + "\n\n"
	addText(t, lib, "long.txt", "A car of the train. "+filler+"The car ferry. "+filler+"Car pools. "+filler+"Automobile automobile automobile.\n")
	embed(t, lib)
	res, err := lib.Search(t.Context(), "car", &docsearch.SearchOptions{Passages: 2})
	if err != nil || len(res.Hits) != 1 {
		t.Fatal(res, err)
	}
	var tiers []string
	for _, p := range res.Hits[0].Passages {
		tiers = append(tiers, string(p.Tier))
	}
	if got := strings.Join(tiers, " "); got != "phrase semantic" {
		t.Errorf("tiers of the passages: %s, want phrase semantic", got)
	}
}

// narrow adds to all vectors of an embedder the same large part, so that all cosines are above .8.
type narrow struct{ docsearch.Embedder }

func (n narrow) Embed(ctx context.Context, texts []string) ([][]float32, error) {
	vs, err := n.Embedder.Embed(ctx, texts)
	for i, v := range vs {
		if unit, ok := vector.Unit(v); ok {
			vs[i] = append(unit, 2)
		} else {
			vs[i] = append(v, 0)
		}
	}
	return vs, err
}

// Words do not count more where a model's cosines lie close together.
func TestHybridNarrow(t *testing.T) {
	var want string
	for _, e := range []docsearch.Embedder{&hashed{name: "hash", size: 512}, narrow{&hashed{name: "narrow", size: 512}}} {
		lib := openOver(t, memstore.New(), e)
		for name, body := range map[string]string{
			"car": "The car is fast, and it is red.\n", "fast": "A fast is a time without food, and fast is quick, fast.\n", "red": "A red car stood by the road for years.\n",
		} {
			addText(t, lib, name+".txt", body)
		}
		embed(t, lib)
		res, err := lib.Search(t.Context(), "red car stood fast", nil)
		if err != nil {
			t.Fatal(err)
		}
		got := hitNames(res)
		for _, h := range res.Hits {
			got += fmt.Sprintf(" %.4f", h.Score)
		}
		if want == "" {
			want = got
		}
		if got != want {
			t.Errorf("%s: %s, want %s", e.Name(), got, want)
		}
	}
}
