package evidence

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
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
	limit int // bytes of items that are kept; 0: all are

	mu       sync.Mutex // guards all below
	items    []Item
	gone     int            // items before those, which were forgotten
	size     int            // bytes of items
	byID     map[string]int // place and text hash to number of the item, from 0 for the first ever
	byKey    map[string]int
	docs     int
	code     int
	searched []Searched
}

// NewLedger returns an empty ledger.
func NewLedger() *Ledger {
	return &Ledger{byID: map[string]int{}, byKey: map[string]int{}}
}

// NewBoundedLedger returns a ledger that keeps at most so many bytes of items: for a server, whose clients ask for more without end. Beyond
// them the oldest items are forgotten: [Ledger.Get] no longer knows their keys, which are not given again. It keeps the last 10,000 searches.
func NewBoundedLedger(bytes int) *Ledger {
	l := NewLedger()
	l.limit = max(bytes, 1)
	return l
}

// maxSearches is how many searches a bounded ledger keeps.
const maxSearches = 10_000

// at returns the item of a number.
func (l *Ledger) at(n int) *Item { return &l.items[n-l.gone] }

// keep takes an item in that has its key and hash, under the id of its place and text.
func (l *Ledger) keep(id string, it Item) {
	n := l.gone + len(l.items)
	l.byID[id], l.byKey[it.Key] = n, n
	l.items = append(l.items, it)
	l.size += itemSize(it)
	if l.limit == 0 || l.size <= l.limit {
		return
	}
	cut := 0
	for l.size > l.limit/4*3 && cut < len(l.items)-1 { // a quarter at once, so that not every item moves the rest
		old := l.items[cut]
		l.size -= itemSize(old)
		delete(l.byID, old.At.identity()+old.Hash)
		delete(l.byKey, old.Key)
		cut++
	}
	l.gone += cut
	l.items = slices.Clone(l.items[cut:])
}

// itemSize is about what an item takes in memory.
func itemSize(it Item) int {
	return 512 + len(it.Text) + len(it.Note) + len(it.At.Title) + len(it.At.Name) + len(it.At.Path) + len(it.At.Entity) + 16*len(it.Matches)
}

// Add gives the item its key and hash and returns it with them. An item with the place and the text of an earlier one
// gets that one's key; the ledger then keeps what it first saw. A key or hash already set in it is not believed.
func (l *Ledger) Add(it Item) Item {
	it.Hash = Hash(it.Text)
	id := it.At.identity() + it.Hash
	l.mu.Lock()
	defer l.mu.Unlock()
	if n, ok := l.byID[id]; ok {
		it.Key = l.at(n).Key
		return it
	}
	if it.IsDocument() {
		l.docs++
		it.Key = "D" + strconv.Itoa(l.docs)
	} else {
		l.code++
		it.Key = "C" + strconv.Itoa(l.code)
	}
	kept := it
	kept.Matches = slices.Clone(it.Matches)
	l.keep(id, kept)
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
	return *l.at(n), true
}

// Items returns the items that are kept in the order of first sight.
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
	if l.limit > 0 && len(l.searched) > 2*maxSearches {
		l.searched = slices.Clone(l.searched[len(l.searched)-maxSearches:])
	}
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

var wholeKey = lazyregexp.New(`^([DC])([1-9]\d{0,8})$`)

// Restore adds an item under the key that it has, as a record or an answer file gives it back. It fails with an error
// wrapping the house's format error when the key is none, belongs to another item, or the item has another one, and when
// the hash is not that of the text.
func (l *Ledger) Restore(it Item) error {
	m := wholeKey.FindStringSubmatch(it.Key)
	if m == nil || (m[1] == "D") != it.IsDocument() {
		return fmt.Errorf("key %q: is none for a %s: %w", it.Key, cmpKind(it), errs.Format)
	}
	if it.Hash != Hash(it.Text) {
		return fmt.Errorf("key %s: the text does not match its hash: %w", it.Key, errs.Format)
	}
	number, err := strconv.Atoi(m[2])
	if err != nil {
		return fmt.Errorf("key %s: %w", it.Key, err)
	}
	id := it.At.identity() + it.Hash
	l.mu.Lock()
	defer l.mu.Unlock()
	had, known := l.byID[id]
	if known && l.at(had).Key == it.Key {
		return nil
	}
	if _, taken := l.byKey[it.Key]; taken || known {
		return fmt.Errorf("key %s: one key for two items, or two keys for one: %w", it.Key, errs.Format)
	}
	if m[1] == "D" {
		l.docs = max(l.docs, number)
	} else {
		l.code = max(l.code, number)
	}
	it.Matches = slices.Clone(it.Matches)
	l.keep(id, it)
	return nil
}

func cmpKind(it Item) string {
	if it.Kind == "" {
		return "piece of evidence"
	}
	return it.Kind
}
