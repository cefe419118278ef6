package segments

import (
	"context"
	"slices"

	"github.com/RoaringBitmap/roaring/v2"

	"github.com/findspot/findspot/docsearch/driver"
)

// Search answers a query with a view.
func Search(ctx context.Context, dir string, v *View, q *driver.Query) (_ *driver.Hits, err error) {
	k := v.stats.Kinds[q.Kind]
	if k.Records == 0 || !slices.ContainsFunc(q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return &driver.Hits{}, nil
	}
	if q.PerDoc <= 0 {
		none := *q
		none.Limit = 0
		q = &none
	}
	e := &eval{ctx: ctx, dir: dir, v: v, q: q, records: k.Records, lists: map[listKey]*list{}, scratch: v.scratch()}
	defer func() {
		if err == nil { // else it may not be clean
			v.pool.Put(e.scratch)
		}
	}()
	for i, total := range [...]int{words: k.Words, idents: k.Idents, heads: k.Heads} {
		e.fields[i] = scored{name: letters[q.Kind] + [...]string{words: ".words", idents: ".idents", heads: ".heads"}[i], mean: float64(total) / float64(k.Records)}
	}
	if err := e.open(); err != nil || e.nothing {
		return &driver.Hits{}, err
	}
	if err := e.match(); err != nil {
		return nil, err
	}
	return e.group()
}

// The fields of a record that are scored.
const (
	words = iota
	idents
	heads
)

// scored is a field with what its lengths do to the score.
type scored struct {
	name  string
	mean  float64
	norms []float64 // by length
}

// norm is what [driver.BM25] adds to the number of times in a field of this length.
func (f *scored) norm(length uint32) float64 {
	if int(length) < len(f.norms) {
		return f.norms[length]
	}
	return driver.LengthNorm(int(length), f.mean)
}

// prepare tabulates the norms of usual lengths.
func (f *scored) prepare() {
	if f.norms != nil {
		return
	}
	f.norms = make([]float64, 1024)
	for i := range f.norms {
		f.norms[i] = driver.LengthNorm(i, f.mean)
	}
}

// eval evaluates one query over the postings of a view.
type eval struct {
	ctx     context.Context
	dir     string
	v       *View
	q       *driver.Query
	records int
	fields  [3]scored
	terms   []driver.Term
	parts   []*part
	partOf  []int // by shard: index in parts, or -1
	nothing bool  // no document is in scope
	lists   map[listKey]*list
	lengths []uint32 // of the words, by record
	checks  []*check
	scratch *scratch

	atLeast bool
}

type listKey struct {
	field int
	term  string
}

// list is the postings of a term.
type list struct {
	df    int
	parts []*postings // by part; nil: none
}

// part is the work on one shard.
type part struct {
	*shard
	scope *roaring.Bitmap // the only records; nil: all that are not deleted
	walk  walk
	found []uint32 // records that may match, in order
	score []float64
}

// open makes the parts of the view and looks at what the query asks for.
func (e *eval) open() error {
	var only []bool // by ordinal
	if e.q.Docs != nil {
		only = make([]bool, len(e.v.docs)+1)
		e.nothing = true
		for _, id := range e.q.Docs {
			if o := e.v.ordinal(id); o != 0 {
				only[o], e.nothing = true, false
			}
		}
		if e.nothing {
			return nil
		}
	}
	e.partOf = make([]int, len(e.scratch.shards))
	for si, s := range e.scratch.shards {
		p := &part{shard: s}
		e.partOf[si] = -1
		if only != nil {
			var in []uint32
			for i, o := range e.v.parents[s.base : s.base+s.n] {
				if only[o] {
					in = append(in, uint32(i))
				}
			}
			if len(in) == 0 {
				continue
			}
			p.scope = roaring.BitmapOf(in...)
			if s.deleted != nil {
				p.scope.AndNot(s.deleted)
			}
		}
		e.partOf[si] = len(e.parts)
		e.parts = append(e.parts, p)
	}
	e.terms = driver.ScoreTerms(e.q.Groups)
	var err error
	e.lengths, err = e.v.wordCounts(e.q.Kind)
	return err
}

// list returns the postings of a term in all shards, those out of scope too, whose records count as well.
func (e *eval) list(field int, term string) (*list, error) {
	key := listKey{field, term}
	if l := e.lists[key]; l != nil {
		return l, nil
	}
	if err := e.ctx.Err(); err != nil {
		return nil, err
	}
	l := &list{parts: make([]*postings, len(e.parts))}
	for si, s := range e.scratch.shards {
		ps, err := s.Postings(e.fields[field].name, term)
		if err != nil {
			return nil, err
		}
		if ps == nil {
			continue
		}
		l.df += ps.live
		if pi := e.partOf[si]; pi >= 0 {
			l.parts[pi] = ps
		}
	}
	e.lists[key] = l
	return l, nil
}

// idf is the weight of a term of the query in a field.
func (e *eval) idf(t driver.Term, l *list) float64 {
	return t.Weight * driver.IDF(e.records, l.df)
}

func fieldOf(t driver.Term) int {
	if t.Ident {
		return idents
	}
	return words
}

// match fills e.scratch.matches with the records that match.
func (e *eval) match() error {
	for _, c := range e.q.Require {
		if err := e.addCheck(c, true); err != nil {
			return err
		}
	}
	for _, c := range e.q.Exclude {
		if err := e.addCheck(c, false); err != nil {
			return err
		}
	}
	switch e.q.Match {
	case driver.MatchPhrase:
		return e.phrase()
	case driver.MatchAll:
		for i, g := range e.q.Groups {
			said := slices.ContainsFunc(e.q.Groups[:i], func(h driver.Group) bool {
				return h.Stop == g.Stop && h.Whole == g.Whole && slices.Equal(h.Parts, g.Parts)
			})
			if !g.Stop && !said {
				if err := e.addCheck(driver.Clause{g}, true); err != nil {
					return err
				}
			}
		}
		return e.all()
	default:
		return e.any()
	}
}

// any scores every record that holds a term of the query.
func (e *eval) any() error {
	if e.q.Docs != nil || len(e.checks) > 0 {
		return e.anyAmong()
	}
	for pi, p := range e.parts {
		acc := e.scratch.sums(int(p.n))
		dead := deadBits(p.deleted, p.n)
		for _, t := range e.terms {
			l, err := e.list(fieldOf(t), t.Term)
			if err != nil {
				return err
			}
			if l.parts[pi] != nil {
				if err := e.add(acc, p, l.parts[pi], fieldOf(t), e.idf(t, l), 0, dead); err != nil {
					return err
				}
			}
		}
		if e.q.HeadWeight != 0 {
			for _, t := range e.terms {
				if t.Ident {
					continue
				}
				l, err := e.list(heads, t.Term)
				if err != nil {
					return err
				}
				if l.parts[pi] != nil {
					if err := e.add(acc, p, l.parts[pi], heads, e.idf(t, l), e.q.HeadWeight, dead); err != nil {
						return err
					}
				}
			}
		}
		for i, s := range acc {
			if s != 0 {
				acc[i] = 0
				e.scratch.matches = append(e.scratch.matches, match{p.base + uint32(i), s})
			}
		}
	}
	return nil
}

// add adds the scores of one list. With a weight only records that match already get them.
func (e *eval) add(acc []float64, p *part, ps *postings, field int, idf, weight float64, dead []uint64) error {
	f := &e.fields[field]
	f.prepare()
	norms, own := f.norms, e.lengths[p.base:p.base+p.n]
	w := &p.walk
	ps.walk(w)
	for n := 0; w.next(); n++ {
		if n%64 == 0 && e.ctx.Err() != nil {
			return e.ctx.Err()
		}
		b := &w.read
		if weight == 0 && dead == nil && field == words {
			for i, r := range b.records[:b.n] {
				tf, length := float64(b.times[i]), own[r]
				var norm float64
				if int(length) < len(norms) {
					norm = norms[length]
				} else {
					norm = f.norm(length)
				}
				acc[r] += idf * tf / (tf + norm)
			}
			continue
		}
		for i, r := range b.records[:b.n] {
			if dead != nil && dead[r>>6]&(1<<(r&63)) != 0 {
				continue
			}
			length := b.notes[i]
			if field == words {
				length = own[r]
			}
			s := driver.BM25(idf, int(b.times[i]), f.norm(length))
			switch {
			case weight == 0:
				acc[r] += s
			case acc[r] != 0:
				acc[r] += weight * s
			}
		}
	}
	return nil
}

// deadBits is a set of deleted records as a table, or nil.
func deadBits(deleted *roaring.Bitmap, n uint32) []uint64 {
	if deleted == nil || deleted.IsEmpty() {
		return nil
	}
	bits := make([]uint64, n/64+1)
	it := deleted.Iterator()
	for it.HasNext() {
		if r := it.Next(); r < n {
			bits[r>>6] |= 1 << (r & 63)
		}
	}
	return bits
}

// anyAmong is any where not all records may match.
func (e *eval) anyAmong() error {
	for pi := range e.parts {
		var sets []*roaring.Bitmap
		for _, t := range e.terms {
			l, err := e.list(fieldOf(t), t.Term)
			if err != nil {
				return err
			}
			if l.parts[pi] != nil {
				sets = append(sets, l.parts[pi].records)
			}
		}
		e.narrow(pi, roaring.FastOr(sets...))
		if err := e.scoreFound(pi); err != nil {
			return err
		}
	}
	return e.decide(nil)
}

// all scores the records that match every group, which checks hold.
func (e *eval) all() error {
	for pi := range e.parts {
		e.narrow(pi, nil)
		if err := e.scoreFound(pi); err != nil {
			return err
		}
	}
	return e.decide(nil)
}

// narrow sets the records of a part that may match: those of the set, or with nil of the lists of the checks, in scope.
func (e *eval) narrow(pi int, set *roaring.Bitmap) {
	p := e.parts[pi]
	own := set != nil // may be changed
	and := func(b *roaring.Bitmap) {
		switch {
		case set == nil:
			set = b
		case own:
			set.And(b)
		default:
			set, own = roaring.And(set, b), true
		}
	}
	sets := []*roaring.Bitmap{}
	if p.scope != nil {
		sets = append(sets, p.scope)
	}
	for _, c := range e.checks {
		if c.want && c.parts[pi].maybe != nil {
			sets = append(sets, c.parts[pi].maybe)
		}
	}
	slices.SortFunc(sets, func(a, b *roaring.Bitmap) int { return int(a.GetCardinality()) - int(b.GetCardinality()) })
	for _, s := range sets {
		and(s)
	}
	not := func(b *roaring.Bitmap) {
		if b == nil || set == nil {
			return
		}
		if own {
			set.AndNot(b)
		} else {
			set, own = roaring.AndNot(set, b), true
		}
	}
	if p.scope == nil {
		not(p.deleted)
	}
	for _, c := range e.checks {
		if !c.want {
			not(c.parts[pi].yes)
		}
	}
	p.found = nil
	if set != nil {
		for _, c := range e.checks {
			if kept := c.refine(e, pi, set); kept != nil && c.want {
				and(kept)
			}
		}
		p.found = set.ToArray()
	}
	p.score = make([]float64, len(p.found))
}

// scoreFound sums the scores of the records found in a part.
func (e *eval) scoreFound(pi int) error {
	p := e.parts[pi]
	if len(p.found) == 0 {
		return nil
	}
	sum := func(field int, t driver.Term, weight float64) error {
		if err := e.ctx.Err(); err != nil {
			return err
		}
		l, err := e.list(field, t.Term)
		if err != nil || l.parts[pi] == nil {
			return err
		}
		times, notes := e.scratch.numbers(len(p.found))
		l.parts[pi].pick(p.found, times, notes, &p.walk)
		f, idf := &e.fields[field], e.idf(t, l)
		f.prepare()
		for i, tf := range times {
			if tf == 0 {
				continue
			}
			length := notes[i]
			if field == words {
				length = e.lengths[p.base+p.found[i]]
			}
			if s := driver.BM25(idf, int(tf), f.norm(length)); weight == 0 {
				p.score[i] += s
			} else {
				p.score[i] += weight * s
			}
		}
		return nil
	}
	for _, t := range e.terms {
		if err := sum(fieldOf(t), t, 0); err != nil {
			return err
		}
	}
	if e.q.HeadWeight == 0 {
		return nil
	}
	for _, t := range e.terms {
		if t.Ident {
			continue
		}
		if err := sum(heads, t, e.q.HeadWeight); err != nil {
			return err
		}
	}
	return nil
}

// phrase scores the records that hold all groups in a row.
func (e *eval) phrase() error {
	c, err := e.newCheck(driver.Clause(e.q.Groups), true)
	if err != nil {
		return err
	}
	var idf float64
	for _, t := range e.terms {
		if !t.Ident {
			l, err := e.list(words, t.Term)
			if err != nil {
				return err
			}
			idf += e.idf(t, l)
		}
	}
	e.checks = append(e.checks, c)
	f := &e.fields[words]
	f.prepare()
	ph := &phraseScore{idf: idf, field: f}
	for pi, p := range e.parts {
		e.narrow(pi, nil)
		if len(p.found) == 0 {
			continue
		}
		least := make([]uint32, len(p.found))
		seen := map[string]bool{}
		for _, g := range e.q.Groups {
			if g.Stop || g.Whole != "" || seen[g.Parts[0]] {
				continue
			}
			seen[g.Parts[0]] = true
			if err := e.ctx.Err(); err != nil {
				return err
			}
			// A phrase stands no more often than a word of it that has one form.
			l, err := e.list(words, g.Parts[0])
			if err != nil {
				return err
			}
			times, notes := e.scratch.numbers(len(p.found))
			l.parts[pi].pick(p.found, times, notes, &p.walk)
			for i, tf := range times {
				if least[i] == 0 || tf < least[i] {
					least[i] = tf
				}
			}
		}
		for i, n := range least {
			length := e.lengths[p.base+p.found[i]]
			if n == 0 { // all words have several forms: no more often than there are words
				n = 2*length + 2
			}
			p.score[i] = driver.BM25(idf, int(n), f.norm(length))
		}
	}
	if g := e.q.Groups; len(g) == 1 && len(g[0].Parts) == 1 && g[0].Whole == "" { // the index has counted it
		ph = nil
		e.checks = e.checks[:len(e.checks)-1]
	}
	return e.decide(ph)
}
