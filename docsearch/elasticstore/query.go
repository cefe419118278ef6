package elasticstore

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/score"
)

const (
	// maxClauses bounds the terms of one request; a server takes 1,024 clauses.
	maxClauses = 400
	// maxFilters bounds the words and phrases of one request that must be held, or must not: one is several clauses.
	maxFilters = 60
	// maxVariants bounds the ways in which the words of a phrase can be laid out: a word with a whole takes the places of its
	// parts or, where a line end cut it, one.
	maxVariants = 16
)

// scoreScript is BM25 of a count: the same as [driver.BM25], but for the server's rounding to 32 bits.
const scoreScript = "double f = Math.rint(_score); return (float)(params.w * f / (f + 1.2 * (0.25 + 0.75 * doc[params.l].value / params.m)));"

// scored is a query for the score of a count with a weight, an idf times what else the term weighs.
func scored(count object, weight float64, length string, mean float64) object {
	return object{"script_score": object{
		"query": count, "script": object{"source": scoreScript, "params": object{"w": weight, "l": length, "m": mean}},
	}}
}

// A plan is a query as the server is asked.
type plan struct {
	query   object // matches and, when decided, scores
	decided bool   // the server decides which records match; else it only narrows and the texts decide
}

// build makes the query of everything but the documents that count. sc holds the statistics.
func build(q *driver.Query, sc *score.Scorer) plan {
	p := plan{decided: true}
	var filter, not []any
	for i, c := range q.Require {
		if i >= maxFilters {
			p.decided = false
			break
		}
		f, exact := holds(c)
		filter, p.decided = append(filter, f), p.decided && exact
	}
	for i, c := range q.Exclude {
		if i >= maxFilters {
			p.decided = false
			break
		}
		f, exact := holds(c)
		if exact {
			not = append(not, f)
		}
		p.decided = p.decided && exact
	}
	b := object{}
	switch q.Match {
	case driver.MatchPhrase:
		vs := variants(q.Groups)
		if vs == nil {
			p.decided = false
			filter = append(filter, words(q.Groups))
			break
		}
		b["must"] = scored(counted(vs), sc.Phrase, "word_count", sc.MeanWords)
	default:
		if q.Match == driver.MatchAll {
			for i, g := range q.Groups {
				if g.Stop {
					continue
				}
				if i >= maxFilters {
					p.decided = false
					break
				}
				f, exact := holds(driver.Clause{g})
				filter, p.decided = append(filter, f), p.decided && exact
			}
		}
		n := len(sc.Terms)
		if q.HeadWeight != 0 {
			n *= 2
		}
		if n > maxClauses || !p.decided {
			p.decided = false
			filter = append(filter, anyTerm(sc.Terms))
			break
		}
		var should, heads []any
		for i, t := range sc.Terms {
			field, length, mean := "words", "word_count", sc.MeanWords
			if t.Ident {
				field, length, mean = "idents", "ident_count", sc.MeanIdents
			}
			should = append(should, scored(term1(field, term(t.Term)), sc.IDF[i], length, mean))
			if q.HeadWeight != 0 && !t.Ident && sc.MeanHeads > 0 {
				heads = append(heads, scored(term1("head_words", term(t.Term)), q.HeadWeight*sc.HeadIDF[i], "head_count", sc.MeanHeads))
			}
		}
		b["must"] = object{"bool": object{"should": should, "minimum_should_match": 1}}
		if heads != nil {
			b["should"] = heads
		}
	}
	if len(filter) > 0 {
		b["filter"] = filter
	}
	if not != nil {
		b["must_not"] = not
	}
	p.query = object{"bool": b}
	return p
}

// holds is a query for the records that hold a clause, and whether it finds those alone; else it finds more.
func holds(c driver.Clause) (object, bool) {
	vs := variants(c)
	var phrase object
	exact := vs != nil
	if exact {
		phrase = counted(vs)
	} else {
		phrase = words(c)
	}
	if len(c) == 1 && c[0].Whole != "" {
		return object{"bool": object{"should": []any{phrase, term1("idents", term(c[0].Whole))}, "minimum_should_match": 1}}, exact
	}
	return phrase, exact
}

// variants returns the rows of places in which groups can stand, or nil when there are too many or they are too long.
func variants(groups []driver.Group) [][]string {
	if len(groups) == 0 || len(groups) > maxClauses {
		return nil
	}
	rows := [][]string{nil}
	for _, g := range groups {
		var parts []string
		for _, p := range g.Parts {
			if g.Stop {
				parts = append(parts, stopTerm(p))
			} else {
				parts = append(parts, term(p))
			}
		}
		if g.Whole != "" && 2*len(rows) > maxVariants {
			return nil
		}
		var next [][]string
		for _, row := range rows {
			next = append(next, append(slices.Clip(row), parts...))
			if g.Whole != "" {
				next = append(next, append(slices.Clip(row), term(g.Whole)))
			}
		}
		rows = next
	}
	for _, row := range rows {
		if len(row) > 2*maxClauses {
			return nil
		}
	}
	return rows
}

// counted is a query whose score is the number of places at which one of the rows stands.
func counted(rows [][]string) object {
	var all []any
	for _, row := range rows {
		if len(row) == 1 {
			all = append(all, object{"term": object{"words": object{"value": row[0]}}})
			continue
		}
		joined := row[0]
		for _, t := range row[1:] {
			joined += " " + t
		}
		// The server adds up the count of a phrase once for each of its words.
		all = append(all, object{"match_phrase": object{"words": object{"query": joined, "analyzer": "findspot_plain", "boost": 1 / float64(len(row))}}})
	}
	if len(all) == 1 {
		return all[0].(object)
	}
	return object{"bool": object{"should": all, "minimum_should_match": 1}}
}

// word is a query for the parts of a group, in any place, or its whole as one place.
func word(g driver.Group) object {
	var parts []any
	for _, p := range g.Parts {
		parts = append(parts, term1("words", term(p)))
	}
	all := object{"bool": object{"filter": parts}}
	if g.Whole == "" {
		return all
	}
	return object{"bool": object{"should": []any{all, term1("words", term(g.Whole))}, "minimum_should_match": 1}}
}

// words is a query for what may hold groups in a row: it has all of the first ones.
func words(groups []driver.Group) object {
	var out []any
	n := 0
	for _, g := range groups {
		if g.Stop {
			continue
		}
		if n += len(g.Parts) + 1; n > maxClauses {
			break
		}
		out = append(out, word(g))
	}
	if out == nil {
		return object{"match_all": object{}}
	}
	return object{"bool": object{"filter": out}}
}

// anyTerm is a query for records that hold one of many terms. It does not score.
func anyTerm(terms []driver.Term) object {
	byField := map[string][]string{}
	for _, t := range terms {
		field := "words"
		if t.Ident {
			field = "idents"
		}
		byField[field] = append(byField[field], term(t.Term))
	}
	var should []any
	for _, field := range []string{"words", "idents"} {
		if byField[field] != nil {
			should = append(should, object{"terms": object{field: byField[field]}})
		}
	}
	return object{"bool": object{"should": should, "minimum_should_match": 1}}
}
