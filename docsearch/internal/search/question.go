package search

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/match"
	"github.com/findspot/findspot/docsearch/internal/query"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/relevance"
	"github.com/findspot/findspot/internal/text"
)

// How much is looked at for a question.
const (
	questionDocs   = 14  // documents whose passages are judged
	questionChunks = 20  // passages of one document, as the index has them
	questionTerms  = 400 // documents that are asked for each word
	pieceSize      = 420 // bytes of one piece
	nearShare      = .7  // of the nearest passage's nearness: a document with it is judged whatever words it holds
	meaningShare   = .6  // of the best document's score by words: what the nearest passage adds to its document's
	commonShare    = .4  // of what the best document has of the question: one with less shares common words alone
)

// A candidate is a document whose passages are judged for a question.
type candidate struct {
	entry   *catalog.Entry
	has     relevance.Mask // terms in it
	title   relevance.Mask
	score   float64
	records map[driver.Kind][]driver.RecordHit // that hold a term, best first, then those that only vectors found
	meaning *meaning                           // nil where no vector is near
}

// answers finds the pieces of documents that answer a question: documents by words and names, in each of them the passages that the index ranks best, and
// in those the sentences that [relevance.Question.Windows] judges best.
func (s *Search) answers(ctx context.Context, question string) error {
	q := relevance.Read(question)
	s.Question = q
	near, err := s.meanings(ctx, question)
	if err != nil {
		return err
	}
	docs, err := s.candidates(ctx, q, near)
	if err != nil {
		return err
	}
	best := 0.
	bestChunk, covered := math.SmallestNonzeroFloat64, 0.
	for _, d := range docs {
		best = max(best, d.score)
		covered = max(covered, q.Coverage(d.has))
		for _, c := range d.records[driver.KindChunk] {
			bestChunk = max(bestChunk, c.Score)
		}
	}
	for _, c := range docs {
		d := &Doc{Entry: c.entry, Tier: query.Any}
		if c.has == 0 {
			d.Tier = query.Semantic
		}
		if q.Coverage(c.has) < commonShare*covered && c.best() < nearShare {
			continue
		}
		if c.meaning != nil {
			d.Similarity = c.meaning.similarity
		}
		at := relevance.Setting{Vectors: near != nil, Title: c.title, Within: c.score / best, Named: slices.Contains(s.plan.Named, c.entry.ID)}
		err := s.pieces(ctx, q, c, d, at, bestChunk)
		if err == nil {
			err = s.objects(ctx, q, c, d, at)
		}
		if errors.Is(err, errs.NotFound) || errors.Is(err, errs.Stale) {
			continue // removed or replaced while we searched
		}
		if err != nil {
			return err
		}
		for _, p := range d.pieces {
			d.Score = max(d.Score, p.Score)
		}
		for _, o := range d.Objects {
			d.Score = max(d.Score, o.Score)
		}
		if d.Score > 0 {
			s.order = append(s.order, d)
		}
	}
	slices.SortStableFunc(s.order, func(a, b *Doc) int { return cmp.Compare(b.Score, a.Score) })
	s.total, s.exact, s.Tiers = len(s.order), false, query.Tiers()
	return nil
}

// candidates are the documents that hold most of a question, best first.
func (s *Search) candidates(ctx context.Context, q *relevance.Question, near map[string]*meaning) ([]*candidate, error) {
	by := map[string]*candidate{}
	get := func(id string) (*candidate, error) {
		if c := by[id]; c != nil {
			return c, nil
		}
		e := s.c.Get(id)
		if e == nil {
			var err error
			if e, _, err = s.docs.Get(ctx, id); err != nil {
				return nil, err
			}
		}
		c := &candidate{entry: e, records: map[driver.Kind][]driver.RecordHit{}, title: q.Mask(e.Title + " " + strings.Join(e.Authors, " ") + " " + nameWords(e.Name))}
		by[id] = c
		return c, nil
	}
	df := make([]int, len(q.Terms))
	has := map[string]relevance.Mask{}
	for i, t := range q.Terms {
		hits, err := s.store.Search(ctx, &driver.Query{Kind: driver.KindChunk, Match: driver.MatchAny, Groups: []driver.Group{groupOf(t)}, Docs: s.in.IDs, Limit: questionTerms, PerDoc: 1})
		if err != nil {
			return nil, err
		}
		df[i] = hits.Total
		for _, h := range hits.Hits {
			has[h.Doc] |= 1 << i
		}
	}
	q.Weigh(s.in.Ready, func(i int) int { return df[i] })
	var groups []driver.Group
	for _, t := range q.Terms {
		groups = append(groups, groupOf(t))
	}
	for _, k := range []struct {
		kind   driver.Kind
		perDoc int
		boost  float64
	}{{driver.KindChunk, questionChunks, 1}, {driver.KindDocument, 1, s.opt.Boosts.Title}, {driver.KindTable, 2, s.opt.Boosts.Captions}, {driver.KindFigure, 1, s.opt.Boosts.Captions}} {
		hits, err := s.store.Search(ctx, &driver.Query{Kind: k.kind, Match: driver.MatchAny, Groups: groups, Docs: s.in.IDs, Limit: 60, PerDoc: k.perDoc, HeadWeight: s.opt.Boosts.Headings,
			Require: s.plan.Require, Exclude: s.plan.Exclude})
		if err != nil {
			return nil, err
		}
		for _, h := range hits.Hits {
			c, err := get(h.Doc)
			if errors.Is(err, errs.NotFound) {
				continue
			}
			if err != nil {
				return nil, err
			}
			c.score += k.boost * h.Records[0].Score
			c.records[k.kind] = h.Records
		}
	}
	for id, m := range near {
		c, err := get(id)
		if errors.Is(err, errs.NotFound) {
			continue
		}
		if err != nil {
			return nil, err
		}
		c.meaning = m
		c.add(m)
	}
	best := 0.
	for _, c := range by {
		best = max(best, c.score)
	}
	var out []*candidate
	best = cmp.Or(best, 1)
	for id, c := range by {
		c.score += meaningShare * best * c.best()
		c.has = has[id] | c.title
		c.score *= .3 + .7*q.Coverage(c.has)
		if slices.Contains(s.plan.Named, id) {
			c.score *= 3
		}
		out = append(out, c)
	}
	slices.SortFunc(out, func(a, b *candidate) int {
		return cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.entry.Name, b.entry.Name))
	})
	return out[:min(len(out), questionDocs)], nil
}

// best is how near the nearest passage is, from 0 to 1.
func (c *candidate) best() float64 {
	if c.meaning == nil {
		return 0
	}
	return c.meaning.best
}

// add adds the passages that only vectors found.
func (c *candidate) add(m *meaning) {
	list := c.records[driver.KindChunk]
	for _, n := range slices.Sorted(maps.Keys(m.near)) {
		if !slices.ContainsFunc(list, func(r driver.RecordHit) bool { return r.N == n }) {
			list = append(list, driver.RecordHit{N: n})
		}
	}
	c.records[driver.KindChunk] = list
}

func groupOf(t relevance.Term) driver.Group {
	if !t.Whole {
		return driver.Group{Parts: []string{t.Stem}}
	}
	g := driver.Group{Whole: t.Stem}
	for _, w := range text.Tokens(t.Written) {
		for _, p := range w.Parts {
			g.Parts = append(g.Parts, p.Term)
		}
	}
	return g
}

// nameWords are the words of a document's name without the ending.
func nameWords(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		name = name[:i]
	}
	return strings.Map(func(r rune) rune {
		if r == '/' || r == '_' || r == '-' || r == '.' {
			return ' '
		}
		return r
	}, name)
}

// pieces judges the passages of one document.
func (s *Search) pieces(ctx context.Context, q *relevance.Question, c *candidate, d *Doc, at relevance.Setting, bestChunk float64) error {
	lay, err := s.texts.Layout(ctx, c.entry)
	if err != nil {
		return err
	}
	hits := c.records[driver.KindChunk]
	var ns []int
	for _, h := range hits {
		ns = append(ns, h.N)
	}
	if len(ns) == 0 {
		return nil
	}
	recs, err := s.store.Records(ctx, c.entry.ID, driver.KindChunk, ns)
	if err != nil {
		return err
	}
	texts, starts := make([]relevance.Text, len(recs)), make([]int, len(recs))
	whole := make([]string, len(recs)) // the texts with what follows them
	for i, rec := range recs {
		if whole[i], err = s.texts.Slice(ctx, c.entry, lay, rec.Start-pieceSize, rec.Start+len(rec.Text)+pieceSize); err != nil {
			return err
		}
		at.Heads, at.Rank = q.Mask(rec.Heads), hits[i].Score/bestChunk
		if c.meaning != nil {
			at.Meaning = c.meaning.near[rec.N]
		}
		starts[i] = max(rec.Start-pieceSize, 0)
		txt := whole[i][:max(min(rec.Start+len(rec.Text)-starts[i], len(whole[i])), 0)] // a damaged index may say anything
		texts[i] = relevance.Text{Text: txt, Ends: chunk.SentenceEnds(txt), From: rec.Start - starts[i], At: at}
	}
	windows := q.Windows(texts, pieceSize)
	for i := range windows {
		w := &windows[i]
		w.End = relevance.Grow(whole[w.Text], w.Start, w.End, pieceSize)
		w.Start += starts[w.Text]
		w.End += starts[w.Text]
	}
	for _, w := range best(windows, max(s.opt.Passages, 1)) {
		txt, err := s.texts.Slice(ctx, c.entry, lay, w.Start, w.End)
		if err != nil {
			return err
		}
		p := Passage{Start: w.Start, End: w.End, Score: w.Score, Page: lay.Page(w.Start), Signals: w.Signals}
		tokens := match.Tokens(txt)
		if p.Tier = query.Semantic; w.Terms != 0 {
			p.Tier = s.tierOf(tokens)
		}
		if p.Tier.Rank() < d.Tier.Rank() {
			d.Tier = p.Tier
		}
		spans := inRows(txt, match.WordSpans(tokens, s.plan.Variants[0].Words))
		if len(spans) > 0 {
			snip := match.Snip(txt, spans, nil, len(txt))
			p.Snippet, p.Matches = snip.Text, snip.Matches
		} else {
			p.Snippet, p.Matches = strings.Join(strings.Fields(txt), " "), [][2]int{}
		}
		if p.LineStart, err = s.texts.LineOf(ctx, c.entry, lay, p.Start); err != nil {
			return err
		}
		p.LineEnd = p.LineStart + strings.Count(txt, "\n")
		d.pieces = append(d.pieces, p)
	}
	return nil
}

// best chooses the best pieces of a document, at most n of them, that do not overlap. One that follows or precedes a better one, and is nearly as good, makes it longer.
func best(windows []relevance.Window, n int) (out []relevance.Window) {
	slices.SortStableFunc(windows, func(a, b relevance.Window) int { return cmp.Compare(b.Score, a.Score) })
	for _, w := range windows {
		if len(out) == n {
			break
		}
		if slices.ContainsFunc(out, func(p relevance.Window) bool { return w.Start < p.End && p.Start < w.End }) {
			continue
		}
		i := slices.IndexFunc(out, func(p relevance.Window) bool {
			return w.Text == p.Text && (w.Start >= p.End && w.Start-p.End <= 2 || p.Start >= w.End && p.Start-w.End <= 2) && w.Score >= joinedShare*p.Score && max(p.End, w.End)-min(p.Start, w.Start) <= 2*pieceSize
		})
		if i < 0 {
			out = append(out, w)
			continue
		}
		out[i].Start, out[i].End = min(out[i].Start, w.Start), max(out[i].End, w.End)
	}
	return out
}

// joinedShare is what a piece must have of the score of the one beside it to become a part of it.
const joinedShare = .8

// inRows joins words with nothing but blanks between them.
func inRows(txt string, spans []match.Span) []match.Span {
	var out []match.Span
	for _, sp := range spans {
		if n := len(out); n > 0 && strings.TrimSpace(txt[out[n-1].End:sp.Start]) == "" {
			out[n-1].End = sp.End
			continue
		}
		out = append(out, sp)
	}
	return out
}

// tierOf says how strictly a piece matches the query.
func (s *Search) tierOf(tokens []match.Token) query.Tier {
	v := &s.plan.Variants[0]
	switch {
	case len(match.PhraseSpans(tokens, v.Phrase)) > 0:
		return query.Phrase
	case match.EveryWord(v.Words, match.AllSpans(tokens, v.Words)):
		return query.All
	}
	return query.Any
}

// An Object is a figure, or some rows of a table, that answer a question.
type Object struct {
	Kind    driver.Kind
	N       int
	First   int // of a table: rows from First to before Last; the head is row 0
	Last    int
	Text    string // of a figure: what answers of its caption and of the words in it
	Score   float64
	Signals relevance.Signals
}

// objects judges the tables of a document row by row, each with the head and the caption, and its figures by what is read of them.
func (s *Search) objects(ctx context.Context, q *relevance.Question, c *candidate, d *Doc, at relevance.Setting) error {
	at.Rank, at.Vectors = at.Within, false
	for _, kind := range []driver.Kind{driver.KindTable, driver.KindFigure} {
		for _, h := range c.records[kind] {
			recs, err := s.store.Records(ctx, c.entry.ID, kind, []int{h.N})
			if err != nil {
				return err
			}
			at.Heads = q.Mask(recs[0].Heads)
			o := Object{Kind: kind, N: h.N}
			ok := false
			if kind == driver.KindTable {
				ok, err = o.rows(q, recs[0], at)
			} else {
				for _, w := range q.Windows([]relevance.Text{{Text: recs[0].Text, Ends: chunk.SentenceEnds(recs[0].Text), At: at}}, pieceSize) {
					if !ok || w.Score > o.Score {
						ok, o.Score, o.Signals, o.Text = true, w.Score, w.Signals, recs[0].Text[w.Start:w.End]
					}
				}
			}
			if err != nil {
				return fmt.Errorf("document %q: %w", c.entry.Name, err)
			}
			if ok && !d.shows(o.Text) {
				d.Objects = append(d.Objects, o)
			}
		}
	}
	return nil
}

// shows reports whether a piece of a document has most of a caption already.
func (d *Doc) shows(caption string) bool {
	words := strings.Join(strings.Fields(caption), " ")
	words = words[:len(words)*2/3]
	return words != "" && slices.ContainsFunc(d.pieces, func(p Passage) bool { return strings.Contains(p.Snippet, words) })
}

// rows chooses the rows of a table that answer best.
func (o *Object) rows(q *relevance.Question, rec driver.Record, at relevance.Setting) (bool, error) {
	var table struct {
		Caption string     `json:"caption"`
		Rows    [][]string `json:"rows"`
	}
	if err := json.Unmarshal(rec.Data, &table); err != nil {
		return false, fmt.Errorf("table %d: %w: %v", rec.N, errs.Format, err)
	}
	if len(table.Rows) == 0 {
		return false, nil
	}
	head := table.Caption + "\n" + strings.Join(table.Rows[0], " | ")
	scores := make([]float64, len(table.Rows))
	best := -1
	for i, row := range table.Rows {
		if i == 0 && len(table.Rows) > 1 {
			continue
		}
		w, ok := q.Judge(head+"\n"+strings.Join(row, " | "), at)
		if !ok {
			continue
		}
		if scores[i] = w.Score; best < 0 || w.Score > o.Score {
			best, o.Score, o.Signals = i, w.Score, w.Signals
		}
	}
	if best < 0 {
		return false, nil
	}
	// The rows behind that are as good, as many as a piece holds.
	size := len(head)
	o.First = best
	for o.Last = best; o.Last < len(table.Rows) && scores[o.Last] >= o.Score; o.Last++ {
		if size += len(strings.Join(table.Rows[o.Last], " | ")) + 1; size > pieceSize && o.Last > best {
			break
		}
	}
	return true, nil
}
