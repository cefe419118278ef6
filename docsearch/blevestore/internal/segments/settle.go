package segments

import (
	"cmp"
	"slices"
)

// What the index cannot decide is read, the records of the highest bounds first. A search may stop counting when it has read minTexts and
// its best documents are settled, and stops at maxTexts. See driver.Hits.
const (
	minTexts = 1_000
	maxTexts = 10_000
	readStep = 250 // texts read between two looks at whether the best are settled
)

// decideTexts reads the texts of candidates and adds those that match to the matches.
func (e *eval) decideTexts(open []candidate, ph *phraseScore) error {
	if len(open) <= minTexts {
		return e.readAll(open, ph)
	}
	// The higher bound first; of equal ones that which wins a tie.
	parent := func(c candidate) uint32 { return e.v.parents[e.parts[c.part].base+e.parts[c.part].found[c.at]] }
	order := func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.bound, a.bound), cmp.Compare(parent(a), parent(b)))
	}
	slices.SortFunc(open, order)
	var top leaders
	counted := 0 // matches that top knows
	for read := 0; ; {
		n := min(readStep, len(open))
		if read == 0 {
			n = minTexts
		}
		if err := e.readAll(open[:n], ph); err != nil {
			return err
		}
		read, open = read+n, open[n:]
		if len(open) == 0 {
			return nil
		}
		for _, m := range e.scratch.matches[counted:] {
			top.add(e.v.parents[m.record], m.score)
		}
		counted = len(e.scratch.matches)
		docs, settled := top.settled(max(e.q.Limit, 0), open[0].bound, parent(open[0]))
		if !settled && read < maxTexts {
			continue
		}
		e.atLeast = true
		// Of the documents that are returned all records are looked at that may be returned with them.
		for _, m := range e.scratch.matches {
			if of, ok := docs[e.v.parents[m.record]]; ok {
				of.scores = append(of.scores, m.score)
			}
		}
		for _, of := range docs {
			slices.SortFunc(of.scores, func(a, b float64) int { return cmp.Compare(b, a) })
		}
		open = slices.DeleteFunc(open, func(c candidate) bool {
			of, ok := docs[parent(c)]
			return !ok || e.q.PerDoc <= 0 || len(of.scores) >= e.q.PerDoc && of.scores[e.q.PerDoc-1] > c.bound
		})
		return e.readAll(open[:min(len(open), maxTexts)], ph)
	}
}

// readAll reads texts and adds the records that match to the matches.
func (e *eval) readAll(open []candidate, ph *phraseScore) error {
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

// scoresOf is the scores of the records of a document that match, the best first.
type scoresOf struct{ scores []float64 }

// leaders is the best scores of documents.
type leaders struct{ best map[uint32]float64 }

func (l *leaders) add(doc uint32, score float64) {
	if l.best == nil {
		l.best = map[uint32]float64{}
	}
	l.best[doc] = max(l.best[doc], score)
}

// settled returns the best documents, and whether there are limit of them which no record can get among whose score is at most bound, and
// at that score its document at least doc.
func (l *leaders) settled(limit int, bound float64, doc uint32) (docs map[uint32]*scoresOf, ok bool) {
	if limit == 0 {
		return nil, true
	}
	all := make([]uint32, 0, len(l.best))
	for o := range l.best {
		all = append(all, o)
	}
	slices.SortFunc(all, func(a, b uint32) int { return cmp.Or(cmp.Compare(l.best[b], l.best[a]), cmp.Compare(a, b)) })
	all = all[:min(limit, len(all))]
	docs = make(map[uint32]*scoresOf, len(all))
	for _, o := range all {
		docs[o] = &scoresOf{}
	}
	if len(all) < limit {
		return docs, false
	}
	last := all[limit-1]
	return docs, bound < l.best[last] || bound == l.best[last] && doc >= last
}
