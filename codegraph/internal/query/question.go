package query

import (
	"cmp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/relevance"
)

// A wording is the words that bodies are searched for.
type wording struct {
	terms    []string  // stems
	weights  []float64 // of terms; nil when all count alike
	by       bm25.Stats
	readings []Reading
}

// A Reading says that a word of a question that hardly any code has was also read as another one.
type Reading struct {
	Word      string
	As        string
	Functions int // that have the other word
}

// The bounds of a question in plain words.
const (
	leastWords = 4  // a shorter query is more likely a name
	hardlyAny  = 10 // functions that have a word of which synonyms are searched for too
	synonymy   = .8 // what a synonym counts, against a word of the question
	questionK1 = 1.2
	questionB  = .35 // how much the length of a body counts: less than for names of things, which long bodies have by chance
)

// weigh is what a term counts in a body.
func (w *wording) weigh(term int, idf, count, length, mean float64) float64 {
	if w.weights == nil {
		return bm25.Weight(idf, count, length, mean)
	}
	return w.weights[term] * bm25.WeightBy(questionK1, questionB, idf, count, length, mean)
}

// isQuestion tells whether a query is several plain words, with no name of code among them.
func isQuestion(query string) bool {
	return len(strings.Fields(query)) >= leastWords && !codeName.MatchString(query)
}

// isPlain tells whether a query is more than a name: its vector says something.
func isPlain(query string) bool {
	return len(strings.Fields(query)) > 1 && !codeName.MatchString(query)
}

// statistics are those of all graphs for some words.
func statistics(finders []*finder, terms []string) (bm25.Stats, error) {
	by := bm25.Stats{With: map[string]int{}}
	for _, f := range finders {
		if err := f.s.Err(); err != nil {
			return by, err
		}
		by.Add(f.s.Stats(terms))
	}
	return by, nil
}

// word takes the words of a question, and synonyms of those that hardly any code has: who wrote the code says it otherwise. Words that the code has
// stay alone, since for them its authors' own use is the better guide.
func word(finders []*finder, q *relevance.Question) (*wording, error) {
	w := &wording{}
	for _, t := range q.Terms {
		w.terms = append(w.terms, t.Stem)
		w.weights = append(w.weights, 1)
	}
	by, err := statistics(finders, w.terms)
	if err != nil {
		return nil, err
	}
	q.Weigh(by.Docs, func(i int) int { return by.With[w.terms[i]] })
	for i, t := range q.Terms {
		if functionsWith(finders, t.Stem) > hardlyAny {
			continue
		}
		for _, s := range synonyms()[t.Stem] {
			if slices.Contains(w.terms, s.stem) {
				continue
			}
			q.Accept(i, s.stem)
			w.terms = append(w.terms, s.stem)
			w.weights = append(w.weights, synonymy)
			w.readings = append(w.readings, Reading{Word: strings.ToLower(t.Written), As: s.written})
		}
	}
	if w.by, err = statistics(finders, w.terms); err != nil {
		return nil, err
	}
	for i := range w.readings {
		w.readings[i].Functions = functionsWith(finders, w.terms[len(q.Terms)+i])
	}
	w.readings = slices.DeleteFunc(w.readings, func(r Reading) bool { return r.Functions == 0 })
	return w, nil
}

// functionsWith counts the functions that have a word, those of tests and generated ones aside.
func functionsWith(finders []*finder, term string) (n int) {
	for _, f := range finders {
		f.s.Each(snapshot.Bodies, term, func(d, _, _ uint32) {
			if f.g.Kind(d) == model.Function && !f.g.IsTest(d) && !f.g.IsGenerated(d) {
				n++
			}
		})
	}
	return n
}

// What is left of the score of an entity for a question.
const (
	notFunction = .7 // where something is done is in a function
	notOwn      = .5 // examples, documentation, what is built from the code
)

// questionRanked is how many entities have their names compared with the question.
const questionRanked = 400

// rank orders what was found by words for a question, best first, in place: by the score of its words, against the best, and by the share of the question
// that its id holds.
func rank(q *relevance.Question, list []found) {
	slices.SortFunc(list, byScore)
	if len(list) == 0 {
		return
	}
	best := list[0].score
	for i := range list {
		r := &list[i]
		r.score /= best
		if i < questionRanked {
			r.score += q.Coverage(q.Mask(r.in.g.ID(r.node)))
		}
		if r.in.g.Kind(r.node) != model.Function {
			r.score *= notFunction
		}
		if sourcetext.IsAsidePath(r.in.g.Path(r.node)) {
			r.score *= notOwn
		}
	}
	slices.SortFunc(list, byScore)
}

func byScore(a, b found) int {
	if c := cmp.Or(cmp.Compare(b.score, a.score), strings.Compare(a.in.member.Name, b.in.member.Name)); c != 0 {
		return c
	}
	return a.in.g.ByID(a.node, b.node)
}
