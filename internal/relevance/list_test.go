package relevance_test

import (
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/relevance"
)

func TestGrow(t *testing.T) {
	for _, tt := range []struct{ name, piece, rest, want string }{
		{"no list", "A sentence.", " Another sentence.\n", ""},
		{"a colon", "There are three:", "\n- one\n- two\n- three\n\nThen more.", "\n- one\n- two\n- three"},
		{"a colon before a paragraph", "It does the following:", "\n\nFirst it waits,\nthen it goes.\n\nMore.", "\n\nFirst it waits,\nthen it goes."},
		{"within a list", "Three:\n1. one", "\n2. two\n3. three\nand its end\n\nMore.", "\n2. two\n3. three\nand its end"},
		{"not over a heading", "There are:", "\n- one\n\n# Next\n- two", "\n- one"},
		{"items as long as there is room", "There are:", "\n- " + strings.Repeat("x", 40) + "\n- " + strings.Repeat("y", 90), "\n- " + strings.Repeat("x", 40)},
		{"a list behind what is no list", "A sentence.", "\n- one\n- two", ""},
		{"the end", "There are:", "", ""},
		{"bullets", "Both:\n• one", "\n• two\n", "\n• two"},
		{"letters", "Both:\n(a) one", "\n(b) two\n", "\n(b) two"},
	} {
		txt := "Before. " + tt.piece + tt.rest
		start := len("Before. ")
		end := start + len(tt.piece)
		if got := txt[end:relevance.Grow(txt, start, end, 100)]; got != tt.want {
			t.Errorf("%s: grew by %q, want %q", tt.name, got, tt.want)
		}
	}
}

func FuzzGrow(f *testing.F) {
	f.Add("There are:\n- one\n- two", 10, 40)
	f.Fuzz(func(t *testing.T, txt string, end, size int) {
		if len(txt) > 64<<10 || size < 0 || end < 0 || end > len(txt) {
			return
		}
		if got := relevance.Grow(txt, end/2, end, size); got < end || got > len(txt) || got-end > size {
			t.Fatalf("from %d to %d of %d, %d at most", end, got, len(txt), size)
		}
	})
}

func TestDefinitions(t *testing.T) {
	const text = "A lease is used by each server, and it is long. The lease of one server is shown below. Clients hold it.\n\nThe server is old. " +
		"A lease is a right that ends by itself. It is kept. The server gives one out. "
	for _, tt := range []struct{ question, text, want string }{
		{"What is a lease?", text, "A lease is"},
		{"What is a lease?", "We speak of the lease and it is here. What the server grants for a time is called a lease. It is good. ", "called a lease"},
		{"What does quorum mean?", "These need the quorum. Each of them has one.\n\nquorum: more than half of the servers\n\n", "quorum: more"},
		{"What is the `burst` setting?", "The file is \"burst\". It is long.\n\n* **`burst`** *(uint64, OPTIONAL)* - specifies how much more is allowed.\n\n", "specifies"},
	} {
		if got := best(t, tt.question, tt.text, 70); !strings.Contains(got, tt.want) {
			t.Errorf("%s %q", tt.question, got)
		}
	}
}

func TestNear(t *testing.T) {
	for _, tt := range []struct {
		pieces []map[string]float64
		extra  float64
		want   bool
	}{
		{nil, 1, false},
		{[]map[string]float64{{"around": 1}}, 0, true}, // one word is near none
		{[]map[string]float64{{"around": .4, "nearness": .1}, {"around": .9}}, 0, false},
		{[]map[string]float64{{"around": .4}, {"nearness": .3}}, 0, true},
		{[]map[string]float64{{"around": .5}}, .12, true},
	} {
		if got := relevance.Near(tt.pieces, tt.extra); got != tt.want {
			t.Errorf("%v: %v", tt, got)
		}
	}
}
