package findspot_test

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

// TestWhatIsShownCanBeQuoted takes quotes out of everything that the tools for documents return, and verifies them against the
// workspace: what a reader was shown is there. The places are then given back to a reading tool, unchanged.
func TestWhatIsShownCanBeQuoted(t *testing.T) {
	ws := filled(t, nil)
	ctx := t.Context()
	tools := byName(ws.Tools(&findspot.ToolsOptions{Profile: findspot.ProfileFull}))
	lib, err := ws.Docs(ctx)
	if err != nil {
		t.Fatal(err)
	}
	list, err := lib.List(ctx, nil)
	if err != nil {
		t.Fatal(err)
	}
	rng := rand.New(rand.NewPCG(7, 7))
	type call struct {
		tool string
		args map[string]any
	}
	var calls []call
	for _, d := range list.Documents {
		calls = append(calls, call{"read_abstract", map[string]any{"doc": d.ID}}, call{"read_file", map[string]any{"doc": d.ID}})
		for p := 1; p <= d.Pages; p++ {
			calls = append(calls, call{"view_file", map[string]any{"doc": d.ID, "page": p}})
		}
		sections, err := lib.Sections(ctx, d.ID)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range sections {
			calls = append(calls, call{"read_section", map[string]any{"doc": d.ID, "section": s.Heading()}}, call{"view_file", map[string]any{"doc": d.ID, "section": s.Heading(), "max_lines": 3}})
		}
		whole, err := lib.Read(ctx, d.ID, nil)
		if err != nil {
			t.Fatal(err)
		}
		words := strings.Fields(whole.Text)
		for range 40 { // of words in a row, and of words that stand apart
			n, at := 1+rng.IntN(4), rng.IntN(len(words)-40)
			query := strings.Join(words[at:at+n], " ")
			calls = append(calls, call{"search_internal", map[string]any{"query": query}}, call{"search_file", map[string]any{"doc": d.ID, "pattern": query}},
				call{"ask", map[string]any{"question": query + " " + words[at+30]}})
		}
	}
	items, quotes, refused, skipped := 0, 0, 0, map[string]int{}
	for _, c := range calls {
		args, err := json.Marshal(c.args)
		if err != nil {
			t.Fatal(err)
		}
		res, err := tools[c.tool].Call(ctx, args)
		if err != nil {
			skipped[c.tool]++
			continue
		}
		for _, it := range res.Items {
			if !it.IsDocument() || strings.HasPrefix(it.Note, "Markdown") {
				continue
			}
			items++
			words := strings.Fields(it.Text)
			for range 4 {
				at := rng.IntN(len(words))
				quote := strings.Join(words[at:at+1+rng.IntN(min(25, len(words)-at))], " ")
				if evidence.VerifyQuote(ctx, heldText{it}, it, quote) != nil { // no quote of the text itself: no word, or part of one
					continue
				}
				quotes++
				if err := evidence.VerifyQuote(ctx, ws, it, quote); err != nil {
					if refused++; refused <= 5 {
						t.Errorf("%s %s: %s %s: %v\ntext: %s", c.tool, args, it.Kind, it.At, err, it.Text)
					}
				}
			}
			view := fmt.Sprintf(`{"doc":%q,"first":%d,"last":%d}`, it.At.Doc, it.At.Line, max(it.At.EndLine, it.At.Line))
			if it.At.Line == 0 {
				view = fmt.Sprintf(`{"doc":%q,"page":%d}`, it.At.Doc, it.At.Page)
			}
			if _, err := tools["view_file"].Call(ctx, json.RawMessage(view)); err != nil {
				t.Errorf("%s: view_file does not take the place %s: %v", c.tool, it.At, err)
			}
		}
	}
	t.Logf("%d calls, %d items, %d quotes, %d refused; failed calls %v", len(calls), items, quotes, refused, skipped)
	if quotes < 1000 {
		t.Errorf("%d quotes are too few to say anything", quotes)
	}
}

// heldText is the text of one item as if it were its source.
type heldText struct{ it evidence.Item }

func (h heldText) Text(context.Context, evidence.Place) (string, error) { return h.it.Text, nil }
