package docsearch

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

// stored is what the store keeps as the Data of a document.
type stored struct {
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
	Covered    bool `json:"covered,omitempty"`
	VectorSize int  `json:"vector_size,omitempty"` // numbers of the vectors of its passages
}

func (s *stored) data() ([]byte, error) { return json.Marshal(s) }

// The values of stored.Status and stored.Format that the catalog knows.
const (
	statusReady    = "ready"
	statusFailed   = "failed"
	markdownFormat = "markdown"
)

// entry is a document as it is held in memory, of which a library may have hundreds of thousands. It is not changed once it is in a catalog.
type entry struct {
	ID, Name, Title string
	Date            string
	Status          string
	Authors         []string
	Numbers         []string // see stored
	Collections     []string

	origin, recipe       string // one string for all that have the same
	hash                 string // bytes of Document.Hash
	size, modTime, added int64  // times in nanoseconds since 1970; modTime 0: unknown
	pages, lines         int32
	abstract             [2]int32
	Covered              bool   // see stored
	markdown             bool   // it is kept, and read by default
	vectors              string // name of the embedder that made them
	vectorSize           int32
	more                 *rest // nil for most
}

// rest is what few documents have.
type rest struct {
	institutions       []string
	url, reason, cause string
	pending            string // see Document
	badPage            int
}

// entry returns the compact form. Strings that many documents share go through share.
func (s *stored) entry(share func(string) string) *entry {
	e := &entry{
		ID: s.ID, Name: s.Name, Title: s.Title, Date: share(s.Date), Status: share(s.Status), Authors: s.Authors, Numbers: s.Numbers,
		origin: share(s.Origin), recipe: share(s.Recipe), size: s.Size, added: s.Added.UnixNano(), pages: int32(s.Pages), lines: int32(s.Lines),
		abstract: [2]int32{int32(s.Abstract[0]), int32(s.Abstract[1])}, markdown: s.Format == markdownFormat,
		Covered: s.Covered, vectors: share(s.Vectors), vectorSize: int32(s.VectorSize),
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
		e.modTime = s.ModTime.UnixNano()
	}
	if h, err := hex.DecodeString(s.Hash); err == nil {
		e.hash = string(h)
	}
	if r := (rest{s.Institutions, s.URL, s.Reason, s.Cause, s.Pending, s.BadPage}); r.institutions != nil || r.url+r.reason+r.cause+r.pending != "" || r.badPage != 0 {
		e.more = &r
	}
	return e
}

// stored returns the form that the store keeps, which the caller may change.
func (e *entry) stored() *stored {
	s := &stored{
		ID: e.ID, Name: e.Name, Title: e.Title, Authors: append([]string{}, e.Authors...), Date: e.Date, Origin: e.origin,
		Pages: int(e.pages), Lines: int(e.lines), Size: e.size, Hash: hex.EncodeToString([]byte(e.hash)), Status: e.Status,
		Collections: slices.Clone(e.Collections), Added: time.Unix(0, e.added).UTC(), Vectors: e.vectors,
		Covered: e.Covered, Recipe: e.recipe, Numbers: e.Numbers, Abstract: [2]int{int(e.abstract[0]), int(e.abstract[1])}, VectorSize: int(e.vectorSize),
	}
	if e.markdown {
		s.Format = markdownFormat
	}
	if e.modTime != 0 {
		s.ModTime = time.Unix(0, e.modTime).UTC()
	}
	if r := e.more; r != nil {
		s.Institutions, s.URL, s.Reason, s.Cause, s.BadPage = slices.Clone(r.institutions), r.url, r.reason, r.cause, r.badPage
		s.Pending = r.pending
	}
	return s
}

// same reports whether two entries are of the same content, taken in at the same time. Both may be nil.
func (e *entry) same(o *entry) bool {
	if e == nil || o == nil {
		return e == o
	}
	return e == o || e.added == o.added && e.hash == o.hash && e.recipe == o.recipe && e.origin == o.origin && e.Status == o.Status
}

// content tells one content of a document from the next.
func (e *entry) content() string { return e.hash + e.recipe }

func decodeStored(d *driver.Document) (*stored, error) {
	s := &stored{}
	if err := json.Unmarshal(d.Data, s); err != nil {
		return nil, fmt.Errorf("document %s: %w: %v", d.ID, errs.Format, err)
	}
	return s, nil
}

// list is the list of all documents of a store. What changes it patches it: reading it anew takes time with every document there is.
type list struct {
	store driver.Store

	mu sync.RWMutex // guards what follows

	loaded     bool
	writing    bool   // the change to the next generation is being written by this library
	generation uint64 // of the store

	byID    map[string]*entry
	keys    map[uint64]*entry              // by key of name, base name, title, number; see keysOf
	several map[uint64]map[*entry]struct{} // where a key has more than one
	members map[string]map[*entry]struct{} // by collection
	shared  map[string]string
	counts  map[string]int // by status
	vectors map[string]int // ready documents by the embedder that made their vectors
	sorted  []*entry       // by name; nil: not known
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
func keysOf(e *entry) []uint64 {
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
	if e.hash != "" && e.ID == contentID(e.hash) {
		out = append(out, key('o', e.origin))
	}
	return out
}

func (x *list) reset() {
	x.byID, x.keys, x.several = map[string]*entry{}, map[uint64]*entry{}, map[uint64]map[*entry]struct{}{}
	x.members, x.shared, x.counts, x.sorted = map[string]map[*entry]struct{}{}, map[string]string{}, map[string]int{}, nil
	x.vectors = map[string]int{}
}

func (x *list) share(s string) string {
	if t, ok := x.shared[s]; ok {
		return t
	}
	if len(x.shared) >= 100_000 { // origins of single files are shared by nobody
		clear(x.shared)
	}
	x.shared[s] = s
	return s
}

func (x *list) put(e *entry) {
	old := x.byID[e.ID]
	if old != nil {
		x.drop(old)
	}
	x.byID[e.ID] = e
	x.counts[e.Status]++
	if e.Status == statusReady {
		x.vectors[e.vectors]++
	}
	for _, k := range keysOf(e) {
		switch first := x.keys[k]; {
		case first == nil:
			x.keys[k] = e
		case first != e:
			if x.several[k] == nil {
				x.several[k] = map[*entry]struct{}{}
			}
			x.several[k][e] = struct{}{}
		}
	}
	for _, c := range e.Collections {
		if x.members[c] == nil {
			x.members[c] = map[*entry]struct{}{}
		}
		x.members[c][e] = struct{}{}
	}
	x.sorted = nil
}

func (x *list) drop(e *entry) {
	delete(x.byID, e.ID)
	x.counts[e.Status]--
	if e.Status == statusReady {
		x.vectors[e.vectors]--
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
func (x *list) found(k uint64, fits func(*entry) bool) []*entry {
	x.mu.RLock()
	defer x.mu.RUnlock()
	var out []*entry
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

func byName(a, b *entry) int {
	return cmp.Or(strings.Compare(a.Name, b.Name), strings.Compare(a.ID, b.ID))
}
