package message

import (
	"encoding/json"
	"math"
	"reflect"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"google.golang.org/protobuf/proto"
	"google.golang.org/protobuf/testing/protocmp"
	"google.golang.org/protobuf/types/known/timestamppb"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/extract"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
)

func TestFill(t *testing.T) {
	token := "gh" + "p_0123456789abcdefghijABCDEFGHIJ012345"
	when := time.Date(2026, 11, 22, 10, 0, 0, 0, time.UTC)
	got := Fill[v1.SearchResults](&docsearch.Results{
		Query: "bad \xff bytes", Total: math.MaxInt,
		Hits: []docsearch.Hit{{
			Doc: "d", Title: token,
			Passages: []docsearch.Passage{{Page: 1, Matches: [][2]int{{0, 3}, {5, 9}}, Signals: map[string]float64{"words": 0.5}}},
			Figures:  []docsearch.FigureHit{{BBox: extract.Box{X0: 1, Y0: 2, X1: 3, Y1: 4}}},
			Tables:   []docsearch.TableHit{{Rows: [][]string{{"a", "b"}, {}}}},
		}, {}},
		Freshness: docsearch.Freshness{Generation: 1 << 40, Checked: when},
	}, true)
	want := &v1.SearchResults{
		Query: "bad \uFFFD bytes", Total: math.MaxInt32,
		Hits: []*v1.DocumentHit{{
			Doc: "d", Title: got.Hits[0].Title,
			Passages: []*v1.Passage{{Page: 1, Matches: []*v1.Span{{Start: 0, End: 3}, {Start: 5, End: 9}}, Signals: map[string]float64{"words": 0.5}}},
			Figures:  []*v1.FigureHit{{Bbox: []float64{1, 2, 3, 4}}},
			Tables:   []*v1.TableHit{{Rows: []*v1.Row{{Cells: []string{"a", "b"}}, {}}}},
		}, {}},
		Read: nil, Freshness: &v1.Freshness{Generation: 1 << 40, Checked: timestamppb.New(when)},
	}
	if diff := cmp.Diff(want, got, protocmp.Transform()); diff != "" {
		t.Errorf("Fill (-want +got):\n%s", diff)
	}
	if len(got.Hits[0].Title) != len(token) || got.Hits[0].Title == token {
		t.Errorf("the token is %q", got.Hits[0].Title)
	}
	if _, err := proto.Marshal(got); err != nil {
		t.Error(err)
	}
}

// TestNested: types that hold themselves, at once from many goroutines.
func TestNested(t *testing.T) {
	in := &lspclient.SymbolResult{Symbols: []lspclient.Symbol{{Name: "a", Children: []lspclient.Symbol{{Name: "b", Children: []lspclient.Symbol{{Name: "c"}}}}}}}
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			got := Fill[v1.FileSymbols](in, false)
			if got.Symbols[0].Children[0].Children[0].Name != "c" {
				t.Errorf("Fill = %v", got)
			}
		})
	}
	wg.Wait()
}

func TestPlain(t *testing.T) {
	got := Fill[v1.ToolResult](&skill.Result{Text: "t", Data: map[string]any{"n": 1, "list": []any{"x", nil, true}}}, true)
	data, err := got.Data.MarshalJSON()
	var back any
	if err == nil {
		err = json.Unmarshal(data, &back)
	}
	if diff := cmp.Diff(map[string]any{"n": 1.0, "list": []any{"x", nil, true}}, back); err != nil || diff != "" {
		t.Errorf("%s: %v", diff, err)
	}
	if v := Plain(make(chan int), true); v != nil {
		t.Errorf("a channel is %v", v)
	}
}

// TestMissing: what is not there is named, in lists and maps too.
func TestMissing(t *testing.T) {
	type inner struct {
		Title string `json:"title"`
		Other string `json:"other"`
	}
	type outer struct {
		Documents []inner        `json:"documents"`
		Total     string         `json:"total"` // of another type
		Left      map[string]int `json:"left"`
		Hidden    int            `json:"-"`
	}
	want := []string{"outer.documents.other", "outer.total (string to int32)", "outer.left"}
	if diff := cmp.Diff(want, Missing(reflect.TypeFor[outer](), reflect.TypeFor[*v1.DocumentList]())); diff != "" {
		t.Errorf("Missing (-want +got):\n%s", diff)
	}
}
