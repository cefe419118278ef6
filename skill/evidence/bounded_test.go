package evidence

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestBoundedLedger: a ledger for a server keeps the newest items, gives no key twice, and forgets the rest.
func TestBoundedLedger(t *testing.T) {
	const limit = 1 << 20
	l := NewBoundedLedger(limit)
	keys := map[string]bool{}
	var last Item
	for i := range 5000 {
		last = l.Add(Item{Kind: KindText, Text: fmt.Sprint(i, strings.Repeat("x", 1000)), At: Place{Path: "a.py", Line: i + 1, EndLine: i + 1}})
		if keys[last.Key] {
			t.Fatalf("%s was given twice", last.Key)
		}
		keys[last.Key] = true
		if got, ok := l.Get(last.Key); !ok || got.Text != last.Text {
			t.Fatalf("Get(%s) = %v, %v right after it was added", last.Key, got, ok)
		}
		l.Record(Searched{Query: fmt.Sprint(i)})
	}
	for range 20_000 {
		l.Record(Searched{})
	}
	size := 0
	items := l.Items()
	for _, it := range items {
		size += itemSize(it)
		if got, ok := l.Get(it.Key); !ok || got.Text != it.Text {
			t.Errorf("Get(%s) = %v, %v", it.Key, got, ok)
		}
	}
	if size > limit || size < limit/2 || len(l.byKey) != len(items) || len(l.byID) != len(items) || items[len(items)-1].Key != last.Key {
		t.Errorf("%d items of %d bytes are kept, %d keys, %d places", len(items), size, len(l.byKey), len(l.byID))
	}
	if _, ok := l.Get("C1"); ok {
		t.Error("C1 is still known")
	}
	if again := l.Add(items[0]); again.Key != items[0].Key {
		t.Errorf("what is kept gets another key: %s, %s", again.Key, items[0].Key)
	}
	if n := len(l.Searches()); n < maxSearches || n > 2*maxSearches {
		t.Errorf("%d searches are kept", n)
	}
	whole := NewLedger()
	for _, it := range items {
		whole.Add(it)
	}
	if !slices.EqualFunc(whole.Items(), items, func(a, b Item) bool { return a.Text == b.Text }) {
		t.Error("a ledger without a bound forgets")
	}
}
