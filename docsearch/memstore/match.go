package memstore

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
)

// A matcher decides and scores one query.
type matcher struct {
	q                            *driver.Query
	terms                        []driver.Term
	idf, headIDF                 []float64 // by term
	phrase                       float64   // sum of the idf of a phrase's parts
	meanWords, meanID, meanHeads float64
}

func newMatcher(k *kind, q *driver.Query) *matcher {
	m := &matcher{q: q, terms: driver.ScoreTerms(q.Groups)}
	m.meanWords = float64(k.words.length) / float64(k.records)
	m.meanID = float64(k.idents.length) / float64(k.records)
	m.meanHeads = float64(k.heads.length) / float64(k.records)
	for _, t := range m.terms {
		f := k.words
		if t.Ident {
			f = k.idents
		}
		idf := t.Weight * driver.IDF(k.records, f.df[t.Term])
		m.idf = append(m.idf, idf)
		m.headIDF = append(m.headIDF, t.Weight*driver.IDF(k.records, k.heads.df[t.Term]))
		if !t.Ident {
			m.phrase += idf
		}
	}
	return m
}

func (m *matcher) match(r *record) (score float64, ok bool) {
	if !slices.ContainsFunc(m.q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return 0, false
	}
	switch m.q.Match {
	case driver.MatchPhrase:
		n := count(r, m.q.Groups)
		if n == 0 {
			return 0, false
		}
		return driver.BM25(m.phrase, n, driver.LengthNorm(r.Words.Length, m.meanWords)), true
	case driver.MatchAll:
		for _, g := range m.q.Groups {
			if !g.Stop && !holds(r, driver.Clause{g}) {
				return 0, false
			}
		}
		ok = true
	}
	for i, t := range m.terms {
		f, mean := r.Words, m.meanWords
		if t.Ident {
			f, mean = r.Idents, m.meanID
		}
		if tf := len(f.Terms[t.Term]); tf > 0 {
			score += driver.BM25(m.idf[i], tf, driver.LengthNorm(f.Length, mean))
			ok = true
		}
	}
	if m.q.HeadWeight != 0 {
		for i, t := range m.terms {
			if tf := len(r.heads.Terms[t.Term]); tf > 0 && !t.Ident {
				score += m.q.HeadWeight * driver.BM25(m.headIDF[i], tf, driver.LengthNorm(r.heads.Length, m.meanHeads))
			}
		}
	}
	return score, ok
}

// admitted reports that a record holds what a query requires, and nothing that it excludes.
func admitted(q *driver.Query, r *record) bool {
	for _, c := range q.Require {
		if !holds(r, c) {
			return false
		}
	}
	for _, c := range q.Exclude {
		if holds(r, c) {
			return false
		}
	}
	return true
}

func holds(r *record, c driver.Clause) bool {
	return len(c) == 1 && c[0].Whole != "" && len(r.Idents.Terms[c[0].Whole]) > 0 || count(r, c) > 0
}

// count is [driver.PhraseCount], which is asked only where every word may be in the text.
func count(r *record, groups []driver.Group) int {
	for _, g := range groups {
		if g.Stop || g.Whole != "" && len(r.Words.Terms[g.Whole]) > 0 {
			continue
		}
		for _, p := range g.Parts {
			if len(r.Words.Terms[p]) == 0 {
				return 0
			}
		}
	}
	return driver.PhraseCount(r.Text, groups)
}
