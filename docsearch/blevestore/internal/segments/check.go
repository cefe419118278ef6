package segments

import (
	"cmp"
	"runtime"
	"slices"
	"sync/atomic"

	"github.com/RoaringBitmap/roaring/v2"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
)

// check is a clause that records must hold, or must not.
type check struct {
	clause driver.Clause
	want   bool
	parts  []checkPart
	pairs  []pair
}

// pair is two words that stand side by side wherever the clause does, stop words aside, but in the records of unless.
type pair struct {
	first, second *list
	behind        uint32 // neighbours of a note: of second, for first
	before        uint32
	unless        []*list
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
	if err := e.addPairs(ck); err != nil {
		return nil, err
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

// addPairs looks up the neighbours in a clause.
func (e *eval) addPairs(ck *check) error {
	var last string // the word before
	var lastWhole *list
	some := false
	for _, g := range ck.clause {
		if g.Stop {
			continue
		}
		var whole *list
		if g.Whole != "" {
			var err error
			if whole, err = e.list(words, g.Whole); err != nil {
				return err
			}
		}
		for i, t := range g.Parts {
			if some {
				p := pair{behind: neighbour(t), before: neighbour(last)}
				var err error
				if p.first, err = e.list(words, last); err != nil {
					return err
				}
				if p.second, err = e.list(words, t); err != nil {
					return err
				}
				for _, w := range [...]*list{whole, lastWhole} {
					if w != nil {
						p.unless = append(p.unless, w)
					}
				}
				// A query may say a thing a thousand times.
				if !slices.ContainsFunc(ck.pairs, func(q pair) bool {
					return q.first == p.first && q.second == p.second && slices.Equal(q.unless, p.unless)
				}) {
					ck.pairs = append(ck.pairs, p)
				}
			}
			last, some = t, true
			if i == 0 {
				lastWhole = whole
			}
		}
	}
	return nil
}

// refine takes records of the set, which are in scope, out of those that may hold the clause where the notes say that two of its words are
// nowhere neighbours. It returns those that are left of the set and may hold the clause, or nil when nothing was looked at.
func (c *check) refine(e *eval, pi int, set *roaring.Bitmap) *roaring.Bitmap {
	cp := &c.parts[pi]
	if cp.sure || len(c.pairs) == 0 || cp.maybe == nil {
		return nil
	}
	open := roaring.And(set, cp.maybe)
	if cp.yes != nil {
		open.AndNot(cp.yes)
	}
	records := open.ToArray()
	p := e.parts[pi]
	for _, pr := range c.pairs {
		if len(records) == 0 || e.ctx.Err() != nil { // which the next step reports
			break
		}
		drop := make([]bool, len(records))
		look := func(l *list, half func(uint32) uint32, h uint32) {
			ps := l.parts[pi]
			if ps == nil {
				return // the whole is there, or the record would not be
			}
			times, notes := e.scratch.numbers(len(records))
			ps.pick(records, times, notes, &p.walk)
			for i, tf := range times {
				if tf != 0 && !isNear(half(notes[i]), tf, h) {
					drop[i] = true
				}
			}
		}
		look(pr.first, behind, pr.behind)
		look(pr.second, before, pr.before)
		kept := records[:0]
		for i, r := range records {
			keep := !drop[i]
			for k := 0; !keep && k < len(pr.unless); k++ {
				ps := pr.unless[k].parts[pi]
				keep = ps != nil && ps.records.Contains(r)
			}
			if keep {
				kept = append(kept, r)
			}
		}
		records = kept
	}
	cp.maybe = roaring.BitmapOf(records...)
	if cp.yes != nil {
		cp.maybe.Or(cp.yes)
	}
	return cp.maybe
}

// open reports whether the text must decide if a record of a part holds the clause.
func (c *check) open(pi int, record uint32) bool {
	p := &c.parts[pi]
	return !p.sure && (p.yes == nil || !p.yes.Contains(record)) && (p.maybe == nil || p.maybe.Contains(record))
}

// phraseScore is how a phrase scores.
type phraseScore struct {
	idf   float64
	field *scored
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
	return e.decideTexts(open, ph)
}

// readTexts decides candidates by their texts, on all processors.
func (e *eval) readTexts(open []candidate, ph *phraseScore) error {
	const run = 32 // candidates taken at a time
	var next atomic.Int64
	g, ctx := errgroup.WithContext(e.ctx)
	for range min(runtime.GOMAXPROCS(0), (len(open)+run-1)/run) {
		g.Go(func() (err error) {
			defer Guard(e.dir, &err)()
			phrases := make([]*driver.Phrase, len(e.checks))
			defer func() {
				for _, p := range phrases[:min(len(phrases), 4)] {
					if p != nil {
						e.v.phrases.Put(p)
					}
				}
			}()
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
				p, ok := e.v.phrases.Get().(*driver.Phrase)
				if !ok {
					p = driver.NewPhrase(nil)
				}
				p.Reset(ck.clause)
				phrases[i] = p
			}
			n := phrases[i].Count(text)
			if n > 0 != ck.want {
				return
			}
			if ph != nil && i == len(e.checks)-1 {
				score = driver.BM25(ph.idf, n, ph.field.norm(e.lengths[p.base+r]))
			}
		}
		c.score = score
	})
}
