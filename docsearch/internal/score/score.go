package score

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
)

// Sums are the statistics of the records of a kind: how many there are, and the tokens of their fields.
type Sums struct{ Records, Words, Idents, Heads int }

// A Scorer matches and scores records for one query. It is used by one goroutine at a time.
type Scorer struct {
	Query                            *driver.Query
	Terms                            []driver.Term
	IDF, HeadIDF                     []float64 // by term, with its weight
	Phrase                           float64   // sum of the idf of a phrase's parts
	MeanWords, MeanIdents, MeanHeads float64

	row              *driver.Phrase   // all groups
	words            []*driver.Phrase // each group
	require, exclude []*driver.Phrase
}

// The fields of a record.
const (
	Words  = "words"
	Idents = "idents"
	Heads  = "head_words"
)

// New returns the scorer of a query. df says how many records hold a term in a field; that of heads is asked only where they count.
func New(q *driver.Query, k Sums, df func(field, term string) int) *Scorer {
	sc := &Scorer{Query: q, Terms: driver.ScoreTerms(q.Groups), row: driver.NewPhrase(q.Groups)}
	for _, g := range q.Groups {
		sc.words = append(sc.words, driver.NewPhrase([]driver.Group{g}))
	}
	for _, c := range q.Require {
		sc.require = append(sc.require, driver.NewPhrase(c))
	}
	for _, c := range q.Exclude {
		sc.exclude = append(sc.exclude, driver.NewPhrase(c))
	}
	n := float64(k.Records)
	sc.MeanWords, sc.MeanIdents, sc.MeanHeads = float64(k.Words)/n, float64(k.Idents)/n, float64(k.Heads)/n
	for _, t := range sc.Terms {
		field, heads := Words, 0
		if t.Ident {
			field = Idents
		} else if q.HeadWeight != 0 {
			heads = df(Heads, t.Term)
		}
		idf := t.Weight * driver.IDF(k.Records, df(field, t.Term))
		sc.IDF = append(sc.IDF, idf)
		sc.HeadIDF = append(sc.HeadIDF, t.Weight*driver.IDF(k.Records, heads))
		if !t.Ident {
			sc.Phrase += idf
		}
	}
	return sc
}

// A Record is what is scored. Heads is called when they count.
type Record struct {
	Text string
	driver.Analysis
	Heads func() driver.Field
}

// Match scores a record, when it matches the query and its clauses.
func (sc *Scorer) Match(r *Record) (score float64, ok bool) {
	q := sc.Query
	if !slices.ContainsFunc(q.Groups, func(g driver.Group) bool { return !g.Stop }) {
		return 0, false
	}
	for i, c := range q.Require {
		if !r.holds(c, sc.require[i]) {
			return 0, false
		}
	}
	for i, c := range q.Exclude {
		if r.holds(c, sc.exclude[i]) {
			return 0, false
		}
	}
	switch q.Match {
	case driver.MatchPhrase:
		n := r.count(q.Groups, sc.row)
		if n == 0 {
			return 0, false
		}
		return driver.BM25(sc.Phrase, n, driver.LengthNorm(r.Words.Length, sc.MeanWords)), true
	case driver.MatchAll:
		for i, g := range q.Groups {
			if !g.Stop && !r.holds(driver.Clause{g}, sc.words[i]) {
				return 0, false
			}
		}
		ok = true
	}
	for i, t := range sc.Terms {
		f, mean := r.Words, sc.MeanWords
		if t.Ident {
			f, mean = r.Idents, sc.MeanIdents
		}
		if tf := len(f.Terms[t.Term]); tf > 0 {
			score += driver.BM25(sc.IDF[i], tf, driver.LengthNorm(f.Length, mean))
			ok = true
		}
	}
	if ok && q.HeadWeight != 0 {
		f := r.Heads()
		for i, t := range sc.Terms {
			if tf := len(f.Terms[t.Term]); tf > 0 && !t.Ident {
				score += q.HeadWeight * driver.BM25(sc.HeadIDF[i], tf, driver.LengthNorm(f.Length, sc.MeanHeads))
			}
		}
	}
	return score, ok
}

func (r *Record) holds(c driver.Clause, row *driver.Phrase) bool {
	return len(c) == 1 && c[0].Whole != "" && len(r.Idents.Terms[c[0].Whole]) > 0 || r.count(c, row) > 0
}

// count is [driver.PhraseCount], which is asked only where every word may be in the text.
func (r *Record) count(groups []driver.Group, row *driver.Phrase) int {
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
	return row.Count([]byte(r.Text))
}
