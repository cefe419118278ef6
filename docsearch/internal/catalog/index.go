package catalog

import (
	"cmp"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"hash/maphash"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// Stored is what the store keeps as the Data of a document.
type Stored struct {
	ID           string    `json:"id"`
	Name         string    `json:"name"`
	Title        string    `json:"title"`
	Authors      []string  `json:"authors"`
	Institutions []string  `json:"institutions,omitempty"`
	Date         string    `json:"date,omitempty"`
	URL          string    `json:"url,omitempty"`
	Origin       string    `json:"origin"`
	Pages        int       `json:"pages"`
	Lines        int       `json:"lines"`
	Size         int64     `json:"size"`
	Hash         string    `json:"hash"`
	Status       string    `json:"status"`
	Reason       string    `json:"reason,omitempty"`
	Vectors      string    `json:"vectors,omitempty"`
	Pending      string    `json:"pending,omitempty"`
	Added        time.Time `json:"added"`
	Format       string    `json:"format,omitempty"`
	Collections  []string  `json:"collections,omitempty"`

	Recipe   string    `json:"recipe"`             // how the content was turned into text and records
	ModTime  time.Time `json:"mod_time,omitzero"`  // of the file
	Numbers  []string  `json:"numbers,omitempty"`  // document numbers in its name and title: "38331"
	Abstract [2]int    `json:"abstract"`           // bytes of the raw text
	Cause    string    `json:"cause,omitempty"`    // sentinel of a failure, by name
	BadPage  int       `json:"bad_page,omitempty"` // page that a failure is about
	// Covered says that the chunk records hold the whole text, each word of it in one piece. It is false in libraries of before feature version 4.
	Covered    bool       `json:"covered,omitempty"`
	VectorSize int        `json:"vector_size,omitempty"` // numbers of the vectors of its passages
	Includes   []Included `json:"includes,omitempty"`    // files whose text is part of it
}

func (s *Stored) Data() ([]byte, error) { return json.Marshal(s) }

// The values of stored.Status and stored.Format that the catalog knows.
const (
	Ready    = "ready"
	Failed   = "failed"
	Markdown = "markdown"
)

// Entry is a document as it is held in memory, of which a library may have hundreds of thousands. It is not changed once it is in a catalog.
type Entry struct {
	ID, Name, Title string
	Date            string
	Status          string
	Authors         []string
	Numbers         []string // see stored
	Collections     []string

	Origin, Recipe       string // one string for all that have the same
	Hash                 string // bytes of Document.Hash
	Size, ModTime, Added int64  // times in nanoseconds since 1970; modTime 0: unknown
	Pages, Lines         int32
	Abstract             [2]int32
	Covered              bool   // see stored
	Markdown             bool   // it is kept, and read by default
	Vectors              string // name of the embedder that made them
	VectorSize           int32
	more                 *rest // nil for most
}

// rest is what few documents have.
type rest struct {
	institutions       []string
	url, reason, cause string
	pending            string // see Document
	badPage            int
	includes           []Included
}

// Entry returns the compact form. Strings that many documents share go through share.
func (s *Stored) Entry(share func(string) string) *Entry {
	e := &Entry{
		ID: s.ID, Name: s.Name, Title: s.Title, Date: share(s.Date), Status: share(s.Status), Authors: s.Authors, Numbers: s.Numbers,
		Origin: share(s.Origin), Recipe: share(s.Recipe), Size: s.Size, Added: s.Added.UnixNano(), Pages: int32(s.Pages), Lines: int32(s.Lines),
		Abstract: [2]int32{int32(s.Abstract[0]), int32(s.Abstract[1])}, Markdown: s.Format == Markdown,
		Covered: s.Covered, Vectors: share(s.Vectors), VectorSize: int32(s.VectorSize),
	}
	if e.Name == e.ID {
		e.Name = e.ID // one string
	}
	if len(e.Authors) == 0 {
		e.Authors = nil
	}
	for _, c := range s.Collections {
		e.Collections = append(e.Collections, share(c))
	}
	if !s.ModTime.IsZero() {
		e.ModTime = s.ModTime.UnixNano()
	}
	if h, err := hex.DecodeString(s.Hash); err == nil {
		e.Hash = string(h)
	}
	if r := (rest{s.Institutions, s.URL, s.Reason, s.Cause, s.Pending, s.BadPage, s.Includes}); r.institutions != nil || r.includes != nil || r.url+r.reason+r.cause+r.pending != "" || r.badPage != 0 {
		e.more = &r
	}
	return e
}

// Stored returns the form that the store keeps, which the caller may change.
func (e *Entry) Stored() *Stored {
	s := &Stored{
		ID: e.ID, Name: e.Name, Title: e.Title, Authors: append([]string{}, e.Authors...), Date: e.Date, Origin: e.Origin,
		Pages: int(e.Pages), Lines: int(e.Lines), Size: e.Size, Hash: hex.EncodeToString([]byte(e.Hash)), Status: e.Status,
		Collections: slices.Clone(e.Collections), Added: time.Unix(0, e.Added).UTC(), Vectors: e.Vectors,
		Covered: e.Covered, Recipe: e.Recipe, Numbers: e.Numbers, Abstract: [2]int{int(e.Abstract[0]), int(e.Abstract[1])}, VectorSize: int(e.VectorSize),
	}
	if e.Markdown {
		s.Format = Markdown
	}
	if e.ModTime != 0 {
		s.ModTime = time.Unix(0, e.ModTime).UTC()
	}
	if r := e.more; r != nil {
		s.Institutions, s.URL, s.Reason, s.Cause, s.BadPage = slices.Clone(r.institutions), r.url, r.reason, r.cause, r.badPage
		s.Pending, s.Includes = r.pending, r.includes
	}
	return s
}

// Same reports whether two entries are of the same content, taken in at the same time. Both may be nil.
func (e *Entry) Same(o *Entry) bool {
	if e == nil || o == nil {
		return e == o
	}
	return e == o || e.Added == o.Added && e.Hash == o.Hash && e.Recipe == o.Recipe && e.Origin == o.Origin && e.Status == o.Status
}

// Content tells one content of a document from the next.
func (e *Entry) Content() string { return e.Hash + e.Recipe }

func Decode(d *driver.Document) (*Stored, error) {
	s := &Stored{}
	if err := json.Unmarshal(d.Data, s); err != nil {
		return nil, fmt.Errorf("document %s: %w: %v", d.ID, errs.Format, err)
	}
	return s, nil
}

// List is the list of all documents of a store. What changes it patches it: reading it anew takes time with every document there is.
type List struct {
	store driver.Store

	mu sync.RWMutex // guards what follows

	loaded     bool
	writing    bool   // the change to the next generation is being written by this library
	generation uint64 // of the store

	byID    map[string]*Entry
	keys    map[uint64]*Entry              // by key of name, base name, title, number; see keysOf
	several map[uint64]map[*Entry]struct{} // where a key has more than one
	members map[string]map[*Entry]struct{} // by collection
	shared  map[string]string
	counts  map[string]int // by status
	vectors map[string]int // ready documents by the embedder that made their vectors
	sorted  []*Entry       // by name; nil: not known
}

var keySeed = maphash.MakeSeed()

func key(kind byte, s string) uint64 {
	var h maphash.Hash
	h.SetSeed(keySeed)
	h.WriteByte(kind)
	h.WriteString(s)
	return h.Sum64()
}

// keysOf returns the keys that an entry is found by.
func keysOf(e *Entry) []uint64 {
	name := text.Fold(e.Name)
	out := []uint64{key('n', name)}
	if base := path.Base(name); base != name {
		out = append(out, key('n', base))
	}
	if t := text.Fold(e.Title); t != "" {
		out = append(out, key('t', t))
	}
	for _, n := range e.Numbers {
		out = append(out, key('#', n))
	}
	if base := Base(e.Name); base != e.Name && e.ID == NameID(e.Name) {
		out = append(out, key('b', NameID(base)))
	}
	if e.Hash != "" && e.ID == ContentID(e.Hash) {
		out = append(out, key('o', e.Origin))
	}
	return out
}

func (x *List) reset() {
	x.byID, x.keys, x.several = map[string]*Entry{}, map[uint64]*Entry{}, map[uint64]map[*Entry]struct{}{}
	x.members, x.shared, x.counts, x.sorted = map[string]map[*Entry]struct{}{}, map[string]string{}, map[string]int{}, nil
	x.vectors = map[string]int{}
}

func (x *List) share(s string) string {
	if t, ok := x.shared[s]; ok {
		return t
	}
	if len(x.shared) >= 100_000 { // origins of single files are shared by nobody
		clear(x.shared)
	}
	x.shared[s] = s
	return s
}

func (x *List) put(e *Entry) {
	old := x.byID[e.ID]
	if old != nil {
		x.drop(old)
	}
	x.byID[e.ID] = e
	x.counts[e.Status]++
	if e.Status == Ready {
		x.vectors[e.Vectors]++
	}
	for _, k := range keysOf(e) {
		switch first := x.keys[k]; {
		case first == nil:
			x.keys[k] = e
		case first != e:
			if x.several[k] == nil {
				x.several[k] = map[*Entry]struct{}{}
			}
			x.several[k][e] = struct{}{}
		}
	}
	for _, c := range e.Collections {
		if x.members[c] == nil {
			x.members[c] = map[*Entry]struct{}{}
		}
		x.members[c][e] = struct{}{}
	}
	x.sorted = nil
}

func (x *List) drop(e *Entry) {
	delete(x.byID, e.ID)
	x.counts[e.Status]--
	if e.Status == Ready {
		x.vectors[e.Vectors]--
	}
	for _, k := range keysOf(e) {
		more := x.several[k]
		if x.keys[k] != e {
			delete(more, e)
		} else {
			delete(x.keys, k)
			for next := range more {
				x.keys[k] = next
				delete(more, next)
				break
			}
		}
		if more != nil && len(more) == 0 {
			delete(x.several, k)
		}
	}
	for _, c := range e.Collections {
		if delete(x.members[c], e); len(x.members[c]) == 0 {
			delete(x.members, c)
		}
	}
	x.sorted = nil
}

// found returns the entries of a key that fit, by name.
func (x *List) found(k uint64, fits func(*Entry) bool) []*Entry {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var out []*Entry
	if e := x.keys[k]; e != nil && fits(e) {
		out = append(out, e)
	}
	for e := range x.several[k] {
		if fits(e) {
			out = append(out, e)
		}
	}
	slices.SortFunc(out, byName)
	return out
}

func byName(a, b *Entry) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
}
