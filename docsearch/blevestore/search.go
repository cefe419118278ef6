package blevestore

import (
	"cmp"
	"context"
	"math"
	"slices"

	index "github.com/blevesearch/bleve_index_api"

	"github.com/findspot/findspot/docsearch/driver"
)

// match is one record that matches.
type match struct {
	doc   uint64 // internal number
	score float64
}

func (s *store) Search(ctx context.Context, q *driver.Query) (_ *driver.Hits, err error) {
	defer guard(s.dir, &err)()
	v, release, err := s.acquire(ctx)
	if err != nil {
		return nil, err
	}
	defer release()
	k := v.stats.Kinds[q.Kind]
	if k.Records == 0 || !slices.ContainsFunc(q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return &driver.Hits{}, nil
	}
	e := &eval{
		ctx: ctx, v: v, q: q, records: k.Records, words: letters[q.Kind] + ".words", idents: letters[q.Kind] + ".idents",
		heads: letters[q.Kind] + ".heads", meanHeads: float64(k.Heads) / float64(k.Records),
		meanWords: float64(k.Words) / float64(k.Records), meanIdents: float64(k.Idents) / float64(k.Records),
	}
	if q.Docs != nil {
		e.only = make(map[uint32]bool, len(q.Docs))
		for _, id := range q.Docs {
			if n := v.ord[id]; n != 0 {
				e.only[n] = true
			}
		}
		if len(e.only) == 0 {
			return &driver.Hits{}, nil
		}
	}
	defer e.close()
	var ms []match
	switch q.Match {
	case driver.MatchPhrase:
		ms, err = e.phrase()
	case driver.MatchAll:
		ms, err = e.all()
	default:
		ms, err = e.any()
	}
	if err != nil {
		return nil, err
	}
	if ms, err = e.admit(ms); err != nil {
		return nil, err
	}
	return e.group(ms)
}

// eval evaluates one query over bleve's postings.
type eval struct {
	ctx                   context.Context
	v                     *view
	q                     *driver.Query
	only                  map[uint32]bool // ordinals of the only documents; nil: all
	records               int
	words, idents, heads  string // field names
	meanWords, meanIdents float64
	meanHeads             float64
	open                  []*cursor
	steps                 int
}

// cursor reads one posting list forward.
type cursor struct {
	r   index.TermFieldReader
	buf index.TermFieldDoc
	cur *index.TermFieldDoc // nil before the first and after the last
	df  int
	end bool
}

func (e *eval) close() {
	for _, c := range e.open {
		c.r.Close()
	}
}

func (e *eval) cursor(term, field string) (*cursor, error) {
	r, err := e.v.r.TermFieldReader(e.ctx, []byte(term), field, true, true, false)
	if err != nil {
		return nil, err
	}
	c := &cursor{r: r, df: int(r.Count())}
	e.open = append(e.open, c)
	return c, nil
}

// next moves to the next record in scope.
func (e *eval) next(c *cursor) (bool, error) {
	for !c.end {
		if e.steps++; e.steps%4096 == 0 && e.ctx.Err() != nil {
			return false, e.ctx.Err()
		}
		d, err := c.r.Next(c.buf.Reset())
		if err != nil {
			return false, err
		}
		c.cur = d
		if d == nil {
			c.end = true
			break
		}
		if e.only == nil || e.only[e.v.parents[d.ID.Value()]] {
			return true, nil
		}
	}
	return false, nil
}

// seek moves to the record with this number and reports whether the list holds it. Numbers must not fall.
func (e *eval) seek(c *cursor, doc uint64) (bool, error) {
	if c.end {
		return false, nil
	}
	if c.cur != nil && c.cur.ID.Value() >= doc {
		return c.cur.ID.Value() == doc, nil
	}
	if e.steps++; e.steps%4096 == 0 && e.ctx.Err() != nil {
		return false, e.ctx.Err()
	}
	// Advance may keep the id it is given.
	d, err := c.r.Advance(index.NewIndexInternalID(nil, doc), c.buf.Reset())
	if err != nil {
		return false, err
	}
	if c.cur = d; d == nil {
		c.end = true
		return false, nil
	}
	return d.ID.Value() == doc, nil
}

// length recovers a field's length, which bleve keeps as 1/√length.
func (c *cursor) length() int { return int(math.Round(1 / (c.cur.Norm * c.cur.Norm))) }

// docs returns the numbers of all records in the list, in order.
func (e *eval) docs(c *cursor) ([]uint64, error) {
	out := make([]uint64, 0, c.df)
	for {
		ok, err := e.next(c)
		if err != nil || !ok {
			return out, err
		}
		out = append(out, c.cur.ID.Value())
	}
}

// any scores every record that holds a term of the query.
func (e *eval) any() ([]match, error) {
	scores := e.v.takeScores()
	acc := *scores
	var touched []uint64
	defer func() {
		for _, d := range touched {
			acc[d] = 0
		}
		e.v.scores.Put(scores)
	}()
	for _, t := range driver.ScoreTerms(e.q.Groups) {
		c, idf, mean, err := e.term(t)
		if err != nil {
			return nil, err
		}
		for {
			ok, err := e.next(c)
			if err != nil {
				return nil, err
			}
			if !ok {
				break
			}
			d := c.cur.ID.Value()
			if acc[d] == 0 {
				touched = append(touched, d)
			}
			acc[d] += driver.BM25(idf, int(c.cur.Freq), c.length(), mean)
		}
	}
	out := make([]match, len(touched))
	slices.Sort(touched)
	for i, d := range touched {
		out[i] = match{d, acc[d]}
	}
	return out, e.addHeads(out)
}

// addHeads adds the scores of the heads to records in the order of their numbers.
func (e *eval) addHeads(ms []match) error {
	if e.q.HeadWeight == 0 {
		return nil
	}
	for _, t := range driver.ScoreTerms(e.q.Groups) {
		if t.Ident {
			continue
		}
		c, err := e.cursor(t.Term, e.heads)
		if err != nil {
			return err
		}
		idf := t.Weight * driver.IDF(e.records, c.df)
		for i := range ms {
			ok, err := e.seek(c, ms[i].doc)
			if err != nil {
				return err
			}
			if ok {
				ms[i].score += e.q.HeadWeight * driver.BM25(idf, int(c.cur.Freq), c.length(), e.meanHeads)
			}
		}
	}
	return nil
}

func (e *eval) term(t driver.Term) (c *cursor, idf, mean float64, err error) {
	field, mean := e.words, e.meanWords
	if t.Ident {
		field, mean = e.idents, e.meanIdents
	}
	c, err = e.cursor(t.Term, field)
	if err != nil {
		return nil, 0, 0, err
	}
	return c, t.Weight * driver.IDF(e.records, c.df), mean, nil
}

// everyGroup returns the records that match every group, stop words aside. exact is that of groupDocs.
func (e *eval) everyGroup(exact bool) (docs []uint64, err error) {
	some := false
	for _, g := range e.q.Groups {
		if g.Stop {
			continue
		}
		if docs, err = e.groupDocs(g, docs, some, exact); err != nil || len(docs) == 0 {
			return nil, err
		}
		some = true
	}
	return docs, nil
}

// all scores the records that match every group.
func (e *eval) all() ([]match, error) {
	docs, err := e.everyGroup(true)
	if len(docs) == 0 || err != nil {
		return nil, err
	}
	out := make([]match, len(docs))
	for i, d := range docs {
		out[i].doc = d
	}
	for _, t := range driver.ScoreTerms(e.q.Groups) {
		c, idf, mean, err := e.term(t)
		if err != nil {
			return nil, err
		}
		for i := range out {
			ok, err := e.seek(c, out[i].doc)
			if err != nil {
				return nil, err
			}
			if ok {
				out[i].score += driver.BM25(idf, int(c.cur.Freq), c.length(), mean)
			}
		}
	}
	return out, e.addHeads(out)
}

// groupDocs returns the records that match one group, among those of within when given, in order. With exact unset, or for a
// phrase to be checked later, records that hold all parts anywhere are enough and the whole is looked for in the words.
func (e *eval) groupDocs(g driver.Group, within []uint64, given, exact bool) ([]uint64, error) {
	docs, have := within, given
	for _, p := range g.Parts {
		c, err := e.cursor(p, e.words)
		if err != nil {
			return nil, err
		}
		if docs, err = e.narrow(c, docs, have); err != nil {
			return nil, err
		}
		have = true
	}
	if exact && len(g.Parts) > 1 {
		kept := make([]uint64, 0, len(docs))
		for _, d := range docs {
			n, err := e.count(d, []driver.Group{g})
			if err != nil {
				return nil, err
			}
			if n > 0 {
				kept = append(kept, d)
			}
		}
		docs = kept
	}
	if g.Whole == "" {
		return docs, nil
	}
	for _, field := range []string{e.idents, e.words} {
		if !exact && field == e.idents {
			continue
		}
		c, err := e.cursor(g.Whole, field)
		if err != nil {
			return nil, err
		}
		more, err := e.narrow(c, within, given)
		if err != nil {
			return nil, err
		}
		docs = union(docs, more)
	}
	return docs, nil
}

// narrow keeps the records of docs that the list holds, or returns the whole list.
func (e *eval) narrow(c *cursor, docs []uint64, given bool) ([]uint64, error) {
	if !given {
		return e.docs(c)
	}
	out := make([]uint64, 0, min(len(docs), c.df))
	for _, d := range docs {
		ok, err := e.seek(c, d)
		if err != nil {
			return nil, err
		}
		if ok {
			out = append(out, d)
		}
		if c.end {
			break
		}
	}
	return out, nil
}

func union(a, b []uint64) []uint64 {
	if len(b) == 0 {
		return a
	}
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}

// text returns the text of a record.
func (e *eval) text(doc uint64) (string, error) {
	if err := e.ctx.Err(); err != nil {
		return "", err
	}
	ext, err := e.v.r.ExternalID(index.NewIndexInternalID(nil, doc))
	if err != nil {
		return "", err
	}
	f, err := fields(e.v.r, ext)
	return string(f["text"]), err
}

// count returns how often the groups stand in a row in a record.
func (e *eval) count(doc uint64, groups []driver.Group) (int, error) {
	s, err := e.text(doc)
	return driver.PhraseCount(s, groups), err
}

// phrase scores the records that hold all groups in a row.
func (e *eval) phrase() ([]match, error) {
	docs, err := e.everyGroup(false)
	if len(docs) == 0 || err != nil {
		return nil, err
	}
	var idf float64
	var lists []*cursor
	for _, t := range driver.ScoreTerms(e.q.Groups) {
		c, one, _, err := e.term(t)
		if err != nil {
			return nil, err
		}
		if !t.Ident {
			idf += one
			lists = append(lists, c)
			continue
		}
		if c, err = e.cursor(t.Term, e.words); err != nil { // a word that a line end cut
			return nil, err
		}
		lists = append(lists, c)
	}
	var out []match
	for _, d := range docs {
		n, err := e.count(d, e.q.Groups)
		if err != nil {
			return nil, err
		}
		if n == 0 {
			continue
		}
		for _, c := range lists {
			ok, err := e.seek(c, d)
			if err != nil {
				return nil, err
			}
			if ok {
				out = append(out, match{d, driver.BM25(idf, n, c.length(), e.meanWords)})
				break
			}
		}
	}
	return out, nil
}

// admit keeps the records that hold what the query requires, and nothing that it excludes.
func (e *eval) admit(ms []match) ([]match, error) {
	if len(e.q.Require)+len(e.q.Exclude) == 0 {
		return ms, nil
	}
	var out []match
	for _, m := range ms {
		s, err := e.text(m.doc)
		if err != nil {
			return nil, err
		}
		idents := driver.Analyze(s).Idents.Terms
		holds := func(c driver.Clause) bool {
			return len(c) == 1 && c[0].Whole != "" && len(idents[c[0].Whole]) > 0 || driver.PhraseCount(s, c) > 0
		}
		if !slices.ContainsFunc(e.q.Exclude, holds) && !slices.ContainsFunc(e.q.Require, func(c driver.Clause) bool { return !holds(c) }) {
			out = append(out, m)
		}
	}
	return out, nil
}

// group picks the best documents and their best records.
func (e *eval) group(ms []match) (*driver.Hits, error) {
	best := make(map[uint32]float64) // by ordinal
	for _, m := range ms {
		o := e.v.parents[m.doc]
		if s, ok := best[o]; !ok || m.score > s {
			best[o] = m.score
		}
	}
	res := &driver.Hits{Total: len(best)}
	top := make([]uint32, 0, len(best))
	for o := range best {
		top = append(top, o)
	}
	slices.SortFunc(top, func(a, b uint32) int { return cmp.Or(cmp.Compare(best[b], best[a]), cmp.Compare(a, b)) })
	top = top[:min(len(top), e.q.Limit)]
	records := make(map[uint32][]match, len(top))
	for _, o := range top {
		records[o] = nil
	}
	for _, m := range ms {
		o := e.v.parents[m.doc]
		if list, ok := records[o]; ok {
			records[o] = append(list, m)
		}
	}
	for _, o := range top {
		h, err := e.hit(e.v.docs[o-1], records[o])
		if err != nil {
			return nil, err
		}
		res.Hits = append(res.Hits, *h)
	}
	return res, nil
}

func (e *eval) hit(doc string, ms []match) (*driver.Hit, error) {
	slices.SortFunc(ms, func(a, b match) int { return cmp.Compare(b.score, a.score) })
	// Ties are broken by the record's number, which is read only for the records that may be returned.
	n := min(len(ms), e.q.PerDoc)
	for n > 0 && n < len(ms) && ms[n].score == ms[n-1].score {
		n++
	}
	h := &driver.Hit{Doc: doc}
	for _, m := range ms[:n] {
		ext, err := e.v.r.ExternalID(index.NewIndexInternalID(nil, m.doc))
		if err != nil {
			return nil, err
		}
		num, err := recordN(ext)
		if err != nil {
			return nil, err
		}
		h.Records = append(h.Records, driver.RecordHit{N: num, Score: m.score})
	}
	slices.SortFunc(h.Records, func(a, b driver.RecordHit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(a.N, b.N))
	})
	h.Records = h.Records[:min(len(h.Records), e.q.PerDoc)]
	return h, nil
}
