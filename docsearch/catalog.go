package docsearch

import (
	"cmp"
	"context"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash/maphash"
	"maps"
	"path"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/querytext"
	"github.com/findspot/findspot/internal/text"
)

// stored is what the store keeps as the Data of a document.
type stored struct {
	Document
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

func (s *stored) data() ([]byte, error) {
	c := *s
	c.Change = ""
	return json.Marshal(&c)
}

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
		abstract: [2]int32{int32(s.Abstract[0]), int32(s.Abstract[1])}, markdown: s.Format == FormatMarkdown,
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
		Document: Document{
			ID: e.ID, Name: e.Name, Title: e.Title, Authors: append([]string{}, e.Authors...), Date: e.Date, Origin: e.origin,
			Pages: int(e.pages), Lines: int(e.lines), Size: e.size, Hash: hex.EncodeToString([]byte(e.hash)), Status: e.Status,
			Collections: slices.Clone(e.Collections), Added: time.Unix(0, e.added).UTC(), Vectors: e.vectors,
		},
		Covered: e.Covered, Recipe: e.recipe, Numbers: e.Numbers, Abstract: [2]int{int(e.abstract[0]), int(e.abstract[1])}, VectorSize: int(e.vectorSize),
	}
	if e.markdown {
		s.Format = FormatMarkdown
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

// document returns a copy that the caller may keep and change.
func (e *entry) document() *Document { return &e.stored().Document }

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
		return nil, fmt.Errorf("document %s: %w: %v", d.ID, ErrFormat, err)
	}
	return s, nil
}

// entries is the list of all documents. What changes it patches it: reading it anew takes time with every document there is.
type entries struct {
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

func (x *entries) reset() {
	x.byID, x.keys, x.several = map[string]*entry{}, map[uint64]*entry{}, map[uint64]map[*entry]struct{}{}
	x.members, x.shared, x.counts, x.sorted = map[string]map[*entry]struct{}{}, map[string]string{}, map[string]int{}, nil
	x.vectors = map[string]int{}
}

func (x *entries) share(s string) string {
	if t, ok := x.shared[s]; ok {
		return t
	}
	if len(x.shared) >= 100_000 { // origins of single files are shared by nobody
		clear(x.shared)
	}
	x.shared[s] = s
	return s
}

func (x *entries) put(e *entry) {
	old := x.byID[e.ID]
	if old != nil {
		x.drop(old)
	}
	x.byID[e.ID] = e
	x.counts[e.Status]++
	if e.Status == StatusReady {
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

func (x *entries) drop(e *entry) {
	delete(x.byID, e.ID)
	x.counts[e.Status]--
	if e.Status == StatusReady {
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
func (x *entries) found(k uint64, fits func(*entry) bool) []*entry {
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

// catalog is what one call sees of the documents.
type catalog struct {
	all        *entries
	some       map[string]*entry // the only documents; nil: all
	generation uint64
	ready      int
	failed     int
	chunks     int  // passages of all
	behind     bool // the store holds the next generation already
}

// list returns the catalog of the present state.
func (l *Library) list(ctx context.Context) (*catalog, error) {
	st, err := l.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	x := &l.entries
	snapshot := func() *catalog {
		return &catalog{all: x, generation: x.generation, ready: x.counts[StatusReady], failed: x.counts[StatusFailed], chunks: st.Records[driver.KindChunk], behind: x.generation < st.Generation}
	}
	current := func() bool {
		return x.loaded && (x.generation >= st.Generation || x.writing && x.generation+1 == st.Generation)
	}
	x.mu.RLock()
	if current() {
		defer x.mu.RUnlock()
		return snapshot(), nil
	}
	x.mu.RUnlock()
	x.mu.Lock()
	defer x.mu.Unlock()
	if current() {
		return snapshot(), nil
	}
	// What comes after these statistics and is in the list already does no harm.
	if st, err = l.store.Stats(ctx); err != nil {
		return nil, err
	}
	x.loaded = false
	x.reset()
	err = walkStore(ctx, l.store, func(d *driver.Document) error {
		s, err := decodeStored(d)
		if err == nil {
			x.put(s.entry(x.share))
		}
		return err
	})
	if err != nil {
		return nil, err
	}
	after, err := l.store.Stats(ctx)
	if err != nil {
		return nil, err
	}
	st.Records = after.Records // a store that is limited knows of them now
	x.loaded, x.generation = true, st.Generation
	return snapshot(), nil
}

// walkStore calls each for all documents, without their layouts.
func walkStore(ctx context.Context, store driver.Store, each func(*driver.Document) error) error {
	if w, ok := store.(driver.Walker); ok {
		return w.Walk(ctx, each)
	}
	docs, err := store.List(ctx)
	for _, d := range docs {
		if err == nil {
			err = each(d)
		}
	}
	return err
}

// change runs one change of the store and patches the list of documents with what it did. l.writing is held.
func (l *Library) change(ctx context.Context, write func() error, put []*stored, drop string) error {
	x := &l.entries
	mark := func(on bool) {
		x.mu.Lock()
		x.writing = on
		x.mu.Unlock()
	}
	mark(true)
	if err := write(); err != nil {
		mark(false)
		return err
	}
	// The state after the change is asked for whatever became of ctx.
	st, err := l.store.Stats(context.WithoutCancel(ctx))
	x.mu.Lock()
	defer x.mu.Unlock()
	x.writing = false
	if err != nil || !x.loaded || st.Generation != x.generation+1 {
		x.loaded = false // read anew when it is next asked for
		return nil
	}
	for _, s := range put {
		x.put(s.entry(x.share))
	}
	if e := x.byID[drop]; e != nil {
		x.drop(e)
	}
	x.generation = st.Generation
	return nil
}

// only returns the catalog of some documents. Its count of passages stays that of the library.
func (c *catalog) only(ids []string) *catalog {
	out := &catalog{all: c.all, generation: c.generation, some: make(map[string]*entry, len(ids)), chunks: c.chunks}
	for _, id := range ids {
		e := c.get(id)
		if e == nil || out.some[id] != nil {
			continue
		}
		out.some[id] = e
		switch e.Status {
		case StatusReady:
			out.ready++
		case StatusFailed:
			out.failed++
		}
	}
	return out
}

// get returns a document by its id, or nil.
func (c *catalog) get(id string) *entry {
	if c.some != nil {
		return c.some[id]
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return c.all.byID[id]
}

// len returns the number of documents.
func (c *catalog) len() int {
	if c.some != nil {
		return len(c.some)
	}
	c.all.mu.RLock()
	defer c.all.mu.RUnlock()
	return len(c.all.byID)
}

// byName returns all documents by name. The list is shared: it must not be changed.
func (c *catalog) byName() []*entry {
	if c.some != nil {
		return slices.SortedFunc(maps.Values(c.some), byName)
	}
	c.all.mu.RLock()
	sorted := c.all.sorted
	c.all.mu.RUnlock()
	if sorted != nil {
		return sorted
	}
	c.all.mu.Lock()
	defer c.all.mu.Unlock()
	if c.all.sorted == nil {
		c.all.sorted = slices.SortedFunc(maps.Values(c.all.byID), byName)
	}
	return c.all.sorted
}

// withNumber returns the documents with a document number, by name.
func (c *catalog) withNumber(n string) []*entry {
	return c.within(c.all.found(key('#', n), func(e *entry) bool { return slices.Contains(e.Numbers, n) }))
}

// numbered returns the ids of the ready ones of them.
func (c *catalog) numbered(n string) []string {
	var ids []string
	for _, e := range c.withNumber(n) {
		if e.Status == StatusReady {
			ids = append(ids, e.ID)
		}
	}
	return ids
}

// within leaves out what is not in the catalog.
func (c *catalog) within(es []*entry) []*entry {
	if c.some == nil {
		return es
	}
	return slices.DeleteFunc(es, func(e *entry) bool { return c.some[e.ID] == nil })
}

// get returns one document by its id, with what the store has of it.
func (l *Library) get(ctx context.Context, id string) (*entry, *driver.Document, error) {
	d, err := l.store.Get(ctx, id)
	if err != nil {
		return nil, nil, err
	}
	s, err := decodeStored(d)
	if err != nil {
		return nil, nil, err
	}
	return s.entry(func(s string) string { return s }), d, nil
}

// resolve finds the document that ref names; see [Library.Resolve].
func (l *Library) resolve(ctx context.Context, ref string) (*entry, error) {
	c, err := l.list(ctx)
	if err != nil {
		return nil, err
	}
	if c.get(ref) == nil && c.behind {
		// A search may have found it already.
		if e, _, err := l.get(ctx, ref); err == nil || !errors.Is(err, ErrNotFound) {
			return e, err
		}
	}
	return c.resolve(ref)
}

func (c *catalog) resolve(ref string) (*entry, error) {
	for _, id := range []string{ref, strings.ToLower(ref)} {
		if e := c.get(id); e != nil {
			return e, nil
		}
	}
	want := text.Fold(strings.TrimSpace(ref))
	if want == "" {
		return nil, fmt.Errorf("document %q: %w: an empty reference names none", ref, ErrNotFound)
	}
	number := querytext.DocNumber(want)
	for _, step := range []func() []*entry{
		func() []*entry {
			return c.all.found(key('n', text.Fold(ref)), func(e *entry) bool { return e.Name == ref })
		},
		func() []*entry {
			return c.all.found(key('n', want), func(e *entry) bool { return text.Fold(e.Name) == want || path.Base(text.Fold(e.Name)) == want })
		},
		func() []*entry {
			if number == "" {
				return nil
			}
			return c.withNumber(number)
		},
		func() []*entry {
			return c.all.found(key('t', want), func(e *entry) bool { return text.Fold(e.Title) == want })
		},
		func() (out []*entry) {
			for _, e := range c.byName() {
				if strings.Contains(text.Fold(e.Name), want) || strings.Contains(text.Fold(e.Title), want) {
					out = append(out, e)
				}
			}
			return out
		},
	} {
		switch found := c.within(step()); len(found) {
		case 0:
		case 1:
			return found[0], nil
		default:
			amb := &AmbiguousError{Ref: ref, Total: len(found)}
			for _, e := range found[:min(len(found), 100)] {
				amb.Candidates = append(amb.Candidates, e.document())
			}
			return nil, amb
		}
	}
	return nil, fmt.Errorf("document %q: %w%s", ref, ErrNotFound, near(c, want))
}

// near lists names that share a word with want.
func near(c *catalog, want string) string {
	words := map[string]bool{}
	for _, w := range text.Terms(want) {
		words[w] = true
	}
	var names []string
	for _, e := range c.byName() {
		if len(names) == 3 {
			break
		}
		// A term begins as its word does; telling so is cheaper than finding the terms.
		folded := text.Fold(e.Name + " " + e.Title)
		may := false
		for w := range words {
			may = may || strings.Contains(folded, w[:max(1, len(w)-1)])
		}
		if may && slices.ContainsFunc(text.Terms(e.Name+" "+e.Title), func(w string) bool { return words[w] }) {
			names = append(names, e.Name)
		}
	}
	switch n := c.len(); {
	case len(names) > 0:
		return "; similar: " + strings.Join(names, ", ")
	case n == 0:
		return "; the library is empty"
	default:
		return fmt.Sprintf("; the library holds %d documents", n)
	}
}

// failure returns the error that the document failed with when it was read.
func (e *entry) failure() error {
	r := e.more
	if r == nil {
		r = &rest{}
	}
	err := &remembered{reason: r.reason}
	for _, c := range causes {
		if c.name == r.cause {
			err.cause = c.err
		}
	}
	return &IngestError{Name: e.Name, Page: r.badPage, Err: err}
}

// pending returns [Document.Pending].
func (e *entry) pending() string {
	if e.more == nil {
		return ""
	}
	return e.more.pending
}

func (e *entry) cause() string {
	if e.more == nil {
		return ""
	}
	return e.more.cause
}
