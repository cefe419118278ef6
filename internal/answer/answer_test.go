package answer

import (
	"context"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch"
)

// What looks like a question for callers, and names nothing in code, is searched for in documents as any other question.
func TestQuestionOfNoSymbol(t *testing.T) {
	for question, want := range map[string]string{
		"who uses the shots":         "who uses the shots",
		"who calls `detect_pss`?":    "who calls `detect_pss`",
		"how is the raster defined?": "how is the raster defined",
	} {
		var asked []string
		ans, err := Ask(t.Context(), Rooms{Documents: func(_ context.Context, query string, _ *docsearch.SearchOptions) (*docsearch.Results, error) {
			asked = append(asked, query)
			return &docsearch.Results{}, nil
		}}, question, Options{})
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff([]string{want}, asked); diff != "" {
			t.Errorf("%q (-want +got):\n%s", question, diff)
		}
		if diff := cmp.Diff(asked, ans.Searched.Queries); diff != "" {
			t.Errorf("%q: Searched.Queries (-want +got):\n%s", question, diff)
		}
	}
}

// A question for a document takes one piece of each: more of one would hide the others.
func TestPiecesOfDocuments(t *testing.T) {
	for question, want := range map[string]int{"Which paper describes the raster?": 1, "Is there a paper about rasters?": 1, "How large is the raster?": piecePassages} {
		got := 0
		_, err := Ask(t.Context(), Rooms{Documents: func(_ context.Context, _ string, o *docsearch.SearchOptions) (*docsearch.Results, error) {
			got = o.Passages
			return &docsearch.Results{}, nil
		}}, question, Options{})
		if err != nil || got != want {
			t.Errorf("%q: %d pieces of a document, want %d; %v", question, got, want, err)
		}
	}
}
