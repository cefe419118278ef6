package docsearch

import (
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/text"
)

// plan is what a query asks for.
type plan struct {
	phrase []driver.Group // the words in a row, inner stop words among them
	words  []driver.Group // the words for the other tiers, no stop words unless there are no others
	named  []string       // ids of documents that the query names by number
}

// opens are words that only say that something is wanted, when they begin a query.
var opens = map[string]bool{
	"find": true, "show": true, "tell": true, "give": true, "explain": true, "describe": true, "summarize": true,
	"summarise": true, "locate": true, "please": true, "retrieve": true, "let": true, "us": true, "want": true, "need": true,
	"know": true, "tells": true, "does": true, "many": true, "much": true, "may": true, "shall": true, "must": true,
}

// opensBefore are words that do so only before certain others: "search space" and "list length" are things.
var opensBefore = map[string]map[string]bool{
	"search": {"for": true}, "look": {"for": true, "up": true}, "list": {"all": true, "the": true, "of": true},
	"get": {"me": true, "the": true, "all": true}, "define": {"the": true}, "identify": {"the": true, "all": true},
}

// closes are such words at the end.
var closes = map[string]bool{"please": true, "thanks": true, "mean": true, "means": true}

// shortTokens splits a query into words and drops what only asks.
func shortTokens(query string) []text.Token {
	all := text.Tokens(query)
	ts := all
	for len(ts) > 1 {
		w := ts[0].Word
		if !ts[0].Stop && !opens[w] && !opensBefore[w][ts[1].Word] {
			break
		}
		ts = ts[1:]
	}
	for len(ts) > 1 && (ts[len(ts)-1].Stop || closes[ts[len(ts)-1].Word]) {
		ts = ts[:len(ts)-1]
	}
	if len(ts) == 1 && ts[0].Stop { // nothing but stop words: the wording itself is what is sought
		return all
	}
	return ts
}

func groupOf(t text.Token) driver.Group {
	g := driver.Group{Whole: t.Whole, Stop: t.Stop}
	for _, p := range t.Parts {
		g.Parts = append(g.Parts, p.Term)
	}
	return g
}

// numberWords may stand before a document number and belong to it.
var numberWords = map[string]bool{
	"ts": true, "tr": true, "3gpp": true, "etsi": true, "rfc": true, "spec": true, "specification": true, "standard": true,
	"document": true, "doc": true, "report": true,
}

// planQuery reads a query against the documents of the library.
func planQuery(query string, c *catalog) *plan {
	p := &plan{}
	all := text.Tokens(query)
	cut := make([]bool, len(all))
	for i, t := range all {
		n := docNumber(t.Word)
		if n == "" && i > 0 {
			n = docNumber(all[i-1].Word + " " + t.Word)
		}
		if n == "" {
			continue
		}
		var ids []string
		for _, e := range c.byName {
			if e.Status == StatusReady && slices.Contains(e.Numbers, n) {
				ids = append(ids, e.ID)
			}
		}
		if len(ids) == 0 {
			continue
		}
		p.named = append(p.named, ids...)
		cut[i] = true
		for j := i - 1; j >= 0 && (numberWords[all[j].Word] || all[j].Stop); j-- {
			cut[j] = true
		}
	}
	rest := query
	if len(p.named) > 0 {
		b := []byte(query)
		for i, t := range all {
			if cut[i] {
				for k := t.Start; k < t.End; k++ {
					b[k] = ' '
				}
			}
		}
		if ts := text.Tokens(string(b)); slices.ContainsFunc(ts, func(t text.Token) bool { return !t.Stop && !opens[t.Word] }) {
			rest = string(b)
		}
	}
	for _, t := range shortTokens(rest) {
		g := groupOf(t)
		p.phrase = append(p.phrase, g)
		if !g.Stop {
			p.words = append(p.words, g)
		}
	}
	if len(p.words) == 0 {
		p.words = p.phrase
	}
	return p
}

// onlyStops reports that the query holds no word that an index knows.
func (p *plan) onlyStops() bool {
	return !slices.ContainsFunc(p.phrase, func(g driver.Group) bool { return !g.Stop })
}
