package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"
)

// Searched records one search: what was asked of which tool, how thoroughly, and how many results there were.
type Searched struct {
	Tool   string   `json:"tool"`
	Query  string   `json:"query"`
	Tiers  []string `json:"tiers,omitempty"`  // the tiers that were visited, strictest first
	Full   bool     `json:"full"`             // nothing was left out: every tier, and the stored text where the tool scans it
	Total  int      `json:"total"`            // distinct results in those tiers
	Fresh  bool     `json:"fresh"`            // the sources were checked against the index within the call
	Scope  string   `json:"scope,omitempty"`  // what it was limited to, such as a document id; empty: everything
	Size   int      `json:"size,omitempty"`   // documents or files that were searched; 0: not stated
	Empty  bool     `json:"empty,omitempty"`  // there was nothing to search in: an empty index
	Failed string   `json:"failed,omitempty"` // why the search gave no answer
}

// A Ledger gives keys to evidence and remembers what was searched. It is safe for concurrent use.
type Ledger struct {
	mu       sync.Mutex // guards all below
	items    []Item
	byID     map[string]int // place and text hash to index in items
	byKey    map[string]int
	docs     int
	code     int
	searched []Searched
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{byID: map[string]int{}, byKey: map[string]int{}}
}

// Add gives the item its key and hash and returns it with them. An item with the place and the text of an earlier one
// gets that one's key; the ledger then keeps what it first saw. A key or hash already set in it is not believed.
func (l *Ledger) Add(it Item) Item {
	it.Hash = Hash(it.Text)
	id := it.At.identity() + it.Hash
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.byID[id]; ok {
		it.Key = l.items[n].Key
		return it
	}
	if it.IsDocument() {
		l.docs++
		it.Key = "D" + strconv.Itoa(l.docs)
	} else {
		l.code++
		it.Key = "C" + strconv.Itoa(l.code)
	}
	l.byID[id] = len(l.items)
	l.byKey[it.Key] = len(l.items)
	kept := it
	kept.Matches = slices.Clone(it.Matches)
	l.items = append(l.items, kept)
	return it
}

// Get returns the item with that key.
func (l *Ledger) Get(key string) (Item, bool) {
	l.mu.Lock()
	defer l.mu.Unlock()
	n, ok := l.byKey[key]
	if !ok {
		return Item{}, false
	}
	return l.items[n], true
}

// Items returns all items in the order of first sight.
func (l *Ledger) Items() []Item {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.items)
}

// Record remembers a search.
func (l *Ledger) Record(s Searched) {
	s.Tiers = slices.Clone(s.Tiers)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.searched = append(l.searched, s)
}

// Searches returns what was recorded, in order.
func (l *Ledger) Searches() []Searched {
	l.mu.Lock()
	defer l.mu.Unlock()
	return slices.Clone(l.searched)
}

// None decides whether "nothing was found" is proven by what is recorded. It is when there was at least one search and
// every one of them was answered, left nothing out, ran on a fresh index that holds something, and had no results.
// Otherwise why names the first search that falls short.
func (l *Ledger) None() (verified bool, why string) {
	return NoneIn(l.Searches())
}

// NoneIn is [Ledger.None] over the given searches, for a run that shares its ledger with others.
func NoneIn(searches []Searched) (verified bool, why string) {
	if len(searches) == 0 {
		return false, "nothing was searched"
	}
	for _, s := range searches {
		what := fmt.Sprintf("%s %q", s.Tool, s.Query)
		switch {
		case s.Failed != "":
			return false, fmt.Sprintf("%s gave no answer: %s", what, s.Failed)
		case s.Total != 0:
			return false, fmt.Sprintf("%s has %d results", what, s.Total)
		case s.Empty:
			return false, what + " had nothing to search in"
		case !s.Full && len(s.Tiers) == 0:
			return false, what + " could not tell"
		case !s.Fresh:
			return false, what + " ran on an index that was not checked against its sources"
		case !s.Full:
			return false, fmt.Sprintf("%s left something out (tiers visited: %s)", what, strings.Join(s.Tiers, ", "))
		}
	}
	return true, fmt.Sprintf("%d searches on a fresh index, in every tier, found nothing%s", len(searches), within(searches))
}

// maxWithin bounds the limits that a reason names.
const maxWithin = 5

// within says what the searches were limited to: that nothing was found proves nothing beyond.
func within(searches []Searched) string {
	var scopes []string
	more := 0
	for _, s := range searches {
		switch {
		case s.Scope == "" || slices.Contains(scopes, s.Scope):
		case len(scopes) < maxWithin:
			scopes = append(scopes, s.Scope)
		default:
			more++
		}
	}
	if len(scopes) == 0 {
		return ""
	}
	out := ", limited to: " + strings.Join(scopes, "; ")
	if more > 0 {
		out += fmt.Sprintf("; and %d more limits", more)
	}
	return out
}
