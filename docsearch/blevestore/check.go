package blevestore

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
)

// maxTexts is how many texts one search reads to decide what the index cannot. See driver.Hits.
const maxTexts = 10_000

// check is a clause that records must hold, or must not.
type check struct {
	clause driver.Clause
	want   bool
	parts  []checkPart
}

// checkPart is what the postings of one part say.
type checkPart struct {
	yes   *roaring.Bitmap // hold the clause for sure; nil: none does
	maybe *roaring.Bitmap // may hold it, and those that do; nil: all
	sure  bool            // those of maybe hold it
}

func (e *eval) addCheck(c driver.Clause, want bool) error {
	ck, err := e.newCheck(c, want)
	if err == nil {
		for pi := range ck.parts {
			if len(c) != 1 || c[0].Whole == "" {
				continue
			}
			l, err := e.list(idents, c[0].Whole)
			if err != nil {
				return err
			}
			if ps := l.parts[pi]; ps != nil {
				ck.parts[pi].yes = ps.records
				ck.parts[pi].maybe = roaring.Or(ck.parts[pi].maybe, ps.records)
			}
		}
		e.checks = append(e.checks, ck)
	}
	return err
}

// newCheck looks up the words of a phrase.
func (e *eval) newCheck(c driver.Clause, want bool) (*check, error) {
	ck := &check{clause: c, want: want, parts: make([]checkPart, len(e.parts))}
	none := roaring.New()
	if len(c) == 0 { // is nowhere
		for pi := range ck.parts {
			ck.parts[pi] = checkPart{maybe: none, sure: true}
		}
		return ck, nil
	}
	records := func(pi int, term string) (*roaring.Bitmap, error) {
		l, err := e.list(words, term)
		if err != nil || l.parts[pi] == nil {
			return none, err
		}
		return l.parts[pi].records, nil
	}
	for pi := range ck.parts {
		p := &ck.parts[pi]
		for _, g := range c {
			if g.Stop {
				continue
			}
			var all []*roaring.Bitmap
			for _, t := range g.Parts {
				b, err := records(pi, t)
				if err != nil {
					return nil, err
				}
				all = append(all, b)
			}
			slices.SortFunc(all, func(a, b *roaring.Bitmap) int { return cmp.Compare(a.GetCardinality(), b.GetCardinality()) })
			set := all[0]
			for _, b := range all[1:] {
				set = roaring.And(set, b)
			}
			if g.Whole != "" {
				b, err := records(pi, g.Whole)
				if err != nil {
					return nil, err
				}
				set = roaring.Or(set, b)
			}
			if p.maybe == nil {
				p.maybe = set
			} else {
				p.maybe = roaring.And(p.maybe, set)
			}
		}
		if len(c) == 1 && len(c[0].Parts) == 1 && c[0].Whole == "" && !c[0].Stop {
			p.sure, p.yes = true, p.maybe
		}
	}
	return ck, nil
}

// open reports whether the text must decide if a record of a part holds the clause.
func (c *check) open(pi int, record uint32) bool {
	p := &c.parts[pi]
	return !p.sure && (p.yes == nil || !p.yes.Contains(record)) && (p.maybe == nil || p.maybe.Contains(record))
}

// phraseScore is how a phrase scores.
type phraseScore struct {
	idf     float64
	field   *scored
	lengths [][]uint32 // by part, beside what was found
}

// candidate is a record to be decided by its text.
type candidate struct {
	part, at uint32 // index in found
	bound    float64
	score    float64 // of a record that matches, else 0
}

// decide keeps of what was found those records that hold what they must. Their score is the one found, or with ph that of the
// phrase of the last check.
func (e *eval) decide(ph *phraseScore) error {
	var open []candidate
	texts := slices.ContainsFunc(e.checks, func(c *check) bool { return slices.ContainsFunc(c.parts, func(p checkPart) bool { return !p.sure }) })
	for pi, p := range e.parts {
		for i, r := range p.found {
			undecided := ph != nil
			for k := 0; texts && k < len(e.checks) && !undecided; k++ {
				undecided = e.checks[k].open(pi, r)
			}
			if undecided {
				open = append(open, candidate{part: uint32(pi), at: uint32(i), bound: p.score[i]})
			} else {
				e.scratch.matches = append(e.scratch.matches, match{p.base + r, p.score[i]})
			}
		}
	}
	if len(open) == 0 {
		return nil
	}
	if len(open) > maxTexts {
		open = bestBounds(open, maxTexts)
		e.atLeast = true
	}
	if err := e.readTexts(open, ph); err != nil {
		return err
	}
	for _, c := range open {
		if c.score != 0 {
			p := e.parts[c.part]
			e.scratch.matches = append(e.scratch.matches, match{p.base + p.found[c.at], c.score})
		}
	}
	return nil
}

// bestBounds returns the n candidates with the highest bounds, in the order in which they stood.
func bestBounds(all []candidate, n int) []candidate {
	bounds := make([]float64, len(all))
	for i, c := range all {
		bounds[i] = c.bound
	}
	slices.Sort(bounds)
	least := bounds[len(bounds)-n]
	above := 0
	for _, b := range bounds[len(bounds)-n:] {
		if b > least {
			above++
		}
	}
	equal := n - above
	kept := all[:0]
	for _, c := range all {
		if c.bound == least {
			if equal == 0 {
				continue
			}
			equal--
		}
		if c.bound >= least {
			kept = append(kept, c)
		}
	}
	return kept
}

// readTexts decides candidates by their texts, on all processors.
func (e *eval) readTexts(open []candidate, ph *phraseScore) error {
	const run = 32 // candidates taken at a time
	var next atomic.Int64
	g, ctx := errgroup.WithContext(e.ctx)
	for range min(runtime.GOMAXPROCS(0), (len(open)+run-1)/run) {
		g.Go(func() (err error) {
			defer guard(e.dir, &err)()
			phrases := make([]*driver.Phrase, len(e.checks))
			for {
				from := int(next.Add(run)) - run
				if from >= len(open) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				for i := range open[from:min(from+run, len(open))] {
					c := &open[from+i]
					if err := e.readText(c, phrases, ph); err != nil {
						return err
					}
				}
			}
		})
	}
	return g.Wait()
}

func (e *eval) readText(c *candidate, phrases []*driver.Phrase, ph *phraseScore) error {
	p := e.parts[c.part]
	r := p.found[c.at]
	return p.stored(r, "text", func(text []byte) {
		score := p.score[c.at]
		for i := len(e.checks) - 1; i >= 0; i-- {
			ck := e.checks[i]
			if !ck.open(int(c.part), r) {
				continue
			}
			if phrases[i] == nil {
				phrases[i] = driver.NewPhrase(ck.clause)
			}
			n := phrases[i].Count(text)
			if n > 0 != ck.want {
				return
			}
			if ph != nil && i == len(e.checks)-1 {
				score = driver.BM25Norm(ph.idf, n, ph.field.norm(ph.lengths[c.part][c.at]))
			}
		}
		c.score = score
	})
}
