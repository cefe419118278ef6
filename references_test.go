package findspot_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill/evidence"
)

func receiverRepo(t *testing.T) *findspot.Workspace {
	t.Helper()
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.AddRepo(t.Context(), "examples/testdata/receiver", nil); err != nil {
		t.Fatal(err)
	}
	return ws
}

// TestReferenceAnswer asks for callers and looks at what was read of them.
func TestReferenceAnswer(t *testing.T) {
	ws := receiverRepo(t)
	ans, err := ws.ReferenceAnswer(t.Context(), "how is the PSS detected, and who calls detect_pss?", nil)
	if err != nil {
		t.Fatal(err)
	}
	if !ans.Asked || !ans.Complete || ans.Topic != "how is the PSS detected" || len(ans.Callers) != 1 || ans.Callers[0].Verdict != findspot.Found {
		t.Fatalf("asked %v, complete %v, topic %q, %d results", ans.Asked, ans.Complete, ans.Topic, len(ans.Callers))
	}
	res := ans.Callers[0]
	item := func(key string) evidence.Item {
		i := slices.IndexFunc(ans.Items, func(it evidence.Item) bool { return it.Key == key })
		if i < 0 {
			t.Fatalf("no item %s", key)
		}
		return ans.Items[i]
	}
	if it := item(res.Key); it.Kind != evidence.KindReference || it.At.Entity != "receiver/pss.py:detect_pss" || !strings.Contains(it.Text, "7 callers and 3 other uses (found)") ||
		!strings.Contains(it.Text, "Searched: code graph of") || !strings.Contains(it.Text, "text of") {
		t.Errorf("the verdict's item is %+v", it)
	}
	for _, c := range res.Callers {
		for _, site := range c.Sites {
			read := slices.ContainsFunc(c.Code, func(k string) bool {
				it := item(k)
				return it.At.Path == site.Path && it.At.Line <= site.Line && site.Line <= it.At.EndLine
			})
			if !read {
				t.Errorf("%s: line %d of %s was not read", c.Entity.ID, site.Line, site.Path)
			}
		}
		for _, k := range c.Code { // what was read is what stands there
			it := item(k)
			now, err := ws.Text(t.Context(), it.At)
			if err != nil || now != it.Text {
				t.Errorf("%s at %s: %v, %q", k, it.At, err, now)
			}
		}
	}

	few, err := ws.ReferenceAnswer(t.Context(), "who calls detect_pss?", &findspot.AskOptions{Bodies: 2})
	if err != nil {
		t.Fatal(err)
	}
	if c := few.Callers[0].Code; c.Read != 2 || len(c.Unread) != 8 || c.Complete || few.Complete {
		t.Errorf("with two bodies: %+v, complete %v", c, few.Complete)
	}
	if c := few.Callers[0].Callers; len(c) != 10 {
		t.Errorf("%d callers are named, want all 10", len(c))
	}
}

// TestReferenceAnswerObjects resolves what questions name.
func TestReferenceAnswerObjects(t *testing.T) {
	ws := receiverRepo(t)
	for _, tt := range []struct {
		question string
		symbols  []string
		missing  string // the name and the nearest of its near names
		assumed  string
	}{
		{"who calls the cell searcher?", []string{"receiver/cell_search.py:CellSearcher"}, "", "is no symbol here"},
		{"where is the detector used?", []string{"goreceiver/pss/detect.go:Detector"}, "", "of that name but for the case"},
		{"how does detect_pss work, and who calls it?", []string{"receiver/pss.py:detect_pss"}, "", `"it" was taken for detect_pss`},
		{"who calls the search method of TrackingSearcher", []string{"receiver/cell_search.py:TrackingSearcher.search"}, "", ""},
		{"who calls search in receiver/cell_search.py?", nil, "", "names 2 entities"},
		{"who calls main in receiver/cli.py?", []string{"receiver/cli.py:main"}, "", "was taken"},
		{"who calls detekt_pss", nil, "detekt_pss receiver/pss.py:detect_pss", ""},
		{"who uses CellSercher", nil, "CellSercher receiver/cell_search.py:CellSearcher", ""},
		{"who uses FrameBufferPool", nil, "FrameBufferPool", ""},
		{"who calls the shots", nil, "", ""},
		{"who uses the noise", nil, "", ""},
		{"what is detect_pss used for", nil, "", ""},
		{"where is THRESHOLD used", nil, "", ""},
	} {
		ans, err := ws.ReferenceAnswer(t.Context(), tt.question, &findspot.AskOptions{Bodies: -1})
		if err != nil {
			t.Errorf("%s: %v", tt.question, err)
			continue
		}
		var symbols []string
		for _, c := range ans.Callers {
			for _, e := range c.Symbols {
				symbols = append(symbols, e.ID)
			}
		}
		if tt.symbols != nil {
			if diff := cmp.Diff(tt.symbols, symbols); diff != "" {
				t.Errorf("%s (-want +got):\n%s", tt.question, diff)
			}
		}
		var missing []string
		for _, m := range ans.Missing {
			missing = append(missing, strings.TrimSpace(m.Asked+" "+strings.Join(m.Near[:min(1, len(m.Near))], "")))
		}
		if got := strings.Join(missing, ", "); got != tt.missing {
			t.Errorf("%s: missing %q, want %q", tt.question, got, tt.missing)
		}
		if got := strings.Join(ans.Assumptions, "\n"); !strings.Contains(got, tt.assumed) {
			t.Errorf("%s: assumed %q, want %q", tt.question, got, tt.assumed)
		}
		asks := tt.symbols != nil || tt.missing != "" || tt.assumed != "" || strings.Contains(tt.question, "THRESHOLD")
		if ans.Asked != asks {
			t.Errorf("%s: asked %v, want %v", tt.question, ans.Asked, asks)
		}
		if ans.Complete {
			t.Errorf("%s: complete though no code was read", tt.question)
		}
	}
}

// TestLongCallers reads of a long function the lines around its uses, and counts what cannot be read.
func TestLongCallers(t *testing.T) {
	var long strings.Builder
	long.WriteString("from core import used\n\n\ndef long():\n")
	for i := range 200 {
		if i == 20 || i == 150 {
			long.WriteString("    used()\n")
		} else {
			long.WriteString("    pass\n")
		}
	}
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	_, err := ws.AddRepo(t.Context(), write(t, map[string]string{
		"core.py": "def used(): pass\n", "long.py": long.String(),
		"wide.py": "from core import used\n\n\ndef wide():\n    x = '" + strings.Repeat("y", 40_000) + "'; used()\n",
	}), nil)
	if err != nil {
		t.Fatal(err)
	}
	ans, err := ws.ReferenceAnswer(t.Context(), "who calls used()?", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, it := range ans.Items {
		if it.At.Entity == "long.py:long" && it.Via == "source" {
			got = append(got, it.At.String())
		}
	}
	if diff := cmp.Diff([]string{"long.py:4-6", "long.py:17-33", "long.py:147-163"}, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	if c := ans.Callers[0].Code; ans.Complete || len(c.Unread) != 2 || !strings.HasPrefix(c.Unread[0], "wide.py:wide: lines 4 to 5 are over") {
		t.Errorf("complete %v, unread %q", ans.Complete, c.Unread)
	}
}
