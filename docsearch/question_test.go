package docsearch_test

import (
	"errors"
	"strings"
	"testing"

	"github.com/findspot/findspot/docsearch"
)

// files is a library in which a phrase of a question stands in many places, and its answer in one.
func files(t *testing.T) *docsearch.Library {
	lib := open(t, nil)
	add(t, lib, "gfs.txt", "The Meadow File System\n\nThe Meadow File System is old. The Meadow File System is named after a meadow. Some call it the Meadow File System.\n\n"+
		strings.Repeat("Clients ask the master where the parts of a file lie, and then ask the servers. ", 20)+
		"\n\nFiles are divided into chunks. Each chunk has a size of 64 MB, which is much larger than usual.\n")
	add(t, lib, "other.txt", "A chunk of wood has a size too. The file of a carpenter is large.\n")
	add(t, lib, "third.txt", "Nothing of all this is said here.\n")
	return lib
}

func TestQuestion(t *testing.T) {
	lib := files(t)
	const question = "How large are chunks in the Meadow File System?"
	if res := search(t, lib, question, nil); res.Mode != docsearch.ModeWords {
		t.Fatalf("not asked for: mode %q", res.Mode)
	}
	var o docsearch.SearchOptions
	o.Answering(question)
	res := search(t, lib, question, &o)
	if res.Mode != docsearch.ModeQuestion {
		t.Fatalf("mode %q", res.Mode)
	}
	if len(res.Hits) == 0 || res.Hits[0].Name != "gfs.txt" || len(res.Hits[0].Passages) == 0 {
		t.Fatalf("%s", res)
	}
	p := res.Hits[0].Passages[0]
	if !strings.Contains(p.Snippet, "64 MB") || len(p.Snippet) > 420 || p.Score <= 0 || p.Signals["kind"] == 0 {
		t.Errorf("first is %q, %v", p.Snippet, p.Signals)
	}
	for i, q := range res.Hits[0].Passages[1:] {
		if q.Score > res.Hits[0].Passages[i].Score {
			t.Errorf("piece %d is better than the one before", i+2)
		}
		if q.Start < p.End && p.Start < q.End {
			t.Errorf("%q and %q overlap", p.Snippet, q.Snippet)
		}
	}
	text, err := lib.View(t.Context(), res.Hits[0].Doc, docsearch.Lines{First: p.LineStart, Last: p.LineEnd})
	if err != nil || !strings.Contains(strings.Join(strings.Fields(text.Text), " "), p.Snippet) {
		t.Errorf("lines %d to %d are %q, %v, not %q", p.LineStart, p.LineEnd, text.Text, err, p.Snippet)
	}
	if strings.Contains(res.String(), "third.txt") || !strings.Contains(res.String(), "By what answers the question") {
		t.Errorf("%s", res)
	}
}

// What only the tiers give, and what is no sentence, is asked of the tiers.
func TestNoQuestion(t *testing.T) {
	lib := files(t)
	for query, o := range map[string]*docsearch.SearchOptions{
		"Meadow File System":                     nil,
		"How large are chunks?":                  {Tiers: docsearch.Tiers()},
		"How large are the chunks?":              {Strict: true},
		"How large are all chunks?":              {Literal: true},
		"How large is a chunk?":                  {Kinds: []string{"text"}},
		"How long is a chunk?":                   {Section: "1"},
		"How big is a chunk?":                    {Snippet: 100},
		"How large is a chunk?  ":                {Mode: docsearch.ModeWords},
		`How large is "a chunk" of a file?`:      nil,
		"How large is a chunk of a file -meadow": nil,
		"What of wfooble and xqzzy?":             nil, // the texts were read to make sure
	} {
		if o == nil {
			o = &docsearch.SearchOptions{}
		}
		o.Answering(query)
		if res := search(t, lib, query, o); res.Mode != docsearch.ModeWords {
			t.Errorf("%q, %+v: mode %q", query, o, res.Mode)
		}
	}
	for _, o := range []docsearch.SearchOptions{{Kinds: []string{"text"}}, {Section: "1"}, {Tiers: docsearch.Tiers()}} {
		o.Mode = docsearch.ModeQuestion
		if _, err := lib.Search(t.Context(), "How large is a chunk?", &o); !errors.Is(err, docsearch.ErrUnsupported) {
			t.Errorf("%+v: %v", o, err)
		}
	}
}

// A document that the question names by its number comes first.
func TestQuestionNamesDocument(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "38331-h60.txt", "3GPP TS 38.331\n\nThe timer T300 runs for 400 ms here.\n")
	add(t, lib, "36331-h60.txt", "3GPP TS 36.331\n\nHow long the timer T300 runs is said here: the timer T300 runs for 100 ms.\n")
	for number, want := range map[string]string{"38.331": "400 ms", "36.331": "100 ms"} {
		res := search(t, lib, "How long does the timer T300 run in "+number+"?", &docsearch.SearchOptions{Mode: docsearch.ModeQuestion})
		if len(res.Hits) == 0 || !strings.Contains(res.Hits[0].Passages[0].Snippet, want) {
			t.Errorf("%s: %s", number, res)
		}
	}
}

// Sentences that follow one another and both answer are one piece, longer than one; a list comes whole.
func TestQuestionJoinsPieces(t *testing.T) {
	lib := open(t, nil)
	add(t, lib, "mast.txt", "The antenna gain of the north mast is measured each spring with a horn whose own gain is known, and whose place is marked on the ground by a stone. "+
		"The antenna gain of the north mast is the mean of three days, and what rain did is taken off by the table that the weather station keeps for this. "+
		"The antenna gain of the north mast is then measured against that of the south mast, so that an error of the horn would show in both of them. "+
		"The antenna gain of the north mast goes into the log with the names of those who measured it, and with the numbers of all instruments used.\n")
	add(t, lib, "lamps.txt", strings.Repeat("Grass is cut in summer by a man from the village, who brings his own scythe. ", 20)+
		"\n\nThe mast carries these kinds of lamps:\n"+strings.Repeat("- red ones for planes, which come over the sea at night\n", 10)+"- white ones for the road\n\nNothing else is carried.\n")
	res := search(t, lib, "How is the antenna gain of the north mast measured?", &docsearch.SearchOptions{Mode: docsearch.ModeQuestion})
	p := res.Hits[0].Passages[0]
	if n := p.End - p.Start; n <= 420 || n > 840 {
		t.Errorf("the first piece has %d bytes: %q", n, p.Snippet)
	}
	res = search(t, lib, "Which kinds of lamps are carried?", &docsearch.SearchOptions{Mode: docsearch.ModeQuestion})
	if p := res.Hits[0].Passages[0]; !strings.Contains(p.Snippet, "white ones") || strings.Contains(p.Snippet, "Nothing else") {
		t.Errorf("the list is %q", p.Snippet)
	}
}
