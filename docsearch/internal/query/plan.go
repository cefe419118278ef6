package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/querytext"
)

// A Plan is what a query asks for.
type Plan struct {
	Variants         []Variant        // the query itself, then with synonyms put in
	Require, Exclude []driver.Clause  // phrases that every passage holds, and that none may hold
	Named            []string         // ids of documents that the query names by number
	Spoken           []querytext.Word // the words that count, for suggestions
	Reading          Reading
}

// A Variant is one wording of a query.
type Variant struct {
	Phrase   []driver.Group  // the words in a row, inner stop words among them
	Words    []driver.Group  // the words for the other tiers, no stop words unless there are no others
	Require  []driver.Clause // synonyms of several words, which are nothing when they stand apart
	Synonyms []string        // what was put in: "PSS = primary synchronization signal"
}

// A Reading is how a query was understood; see docsearch.Read. Its slices are never nil.
type Reading struct {
	Words, Phrases, Without, Ignored, Named []string
	Synonyms                                []Synonym
	Notes                                   []string
}

// A Synonym is a term of a query with what means the same.
type Synonym struct {
	Term string
	As   []string
}

// maxVariants bounds the wordings that synonyms make of one query: each is a search of its own.
const maxVariants = 12

// unit is a word of a query, or several in a row that a glossary knows as one term.
type unit struct {
	words  []querytext.Word
	term   string // as written, when the glossary has others for it
	others []glossaryTerm
}

func (u *unit) stop() bool { return len(u.words) == 1 && u.words[0].Stop && len(u.others) == 0 }

// plain reports that the unit may be one of the words that only ask.
func (u *unit) plain() bool { return len(u.words) == 1 && len(u.others) == 0 && !u.words[0].Quoted }

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

// shorten drops the words at the ends that only ask.
func shorten(all []unit) []unit {
	us := all
	for len(us) > 1 && us[0].plain() {
		w := us[0].words[0].Word
		if !us[0].stop() && !opens[w] && !opensBefore[w][us[1].words[0].Word] {
			break
		}
		us = us[1:]
	}
	for len(us) > 1 && us[len(us)-1].plain() && (us[len(us)-1].stop() || closes[us[len(us)-1].words[0].Word]) {
		us = us[:len(us)-1]
	}
	if len(us) == 1 && us[0].stop() { // nothing but stop words: the wording itself is what is sought
		return all
	}
	return us
}

// NearGroups returns the words that docsearch.SearchOptions.Near asks for.
func NearGroups(near string) []driver.Group {
	var out []driver.Group
	for _, u := range shorten(unitsOf(querytext.Words(near, false), nil)) {
		out = append(out, groupsOf(u.words)...)
	}
	return out
}

func groupOf(w querytext.Word) driver.Group {
	g := driver.Group{Whole: w.Whole, Stop: w.Stop}
	for _, p := range w.Parts {
		g.Parts = append(g.Parts, p.Term)
	}
	return g
}

func groupsOf(ws []querytext.Word) []driver.Group {
	var out []driver.Group
	for _, w := range ws {
		out = append(out, groupOf(w))
	}
	return out
}

// numberWords may stand before a document number and belong to it.
var numberWords = map[string]bool{
	"ts": true, "tr": true, "3gpp": true, "etsi": true, "rfc": true, "spec": true, "specification": true, "standard": true,
	"document": true, "doc": true, "report": true,
}

// New reads a query, or with literal prose without signs; the glossary may be nil. numbered returns the ids of the documents in scope that have a
// document number.
func New(query string, literal bool, glossary *Glossary, numbered func(number string) []string) *Plan {
	p := &Plan{Reading: Reading{
		Words: []string{}, Phrases: []string{}, Without: []string{}, Ignored: []string{}, Named: []string{}, Synonyms: []Synonym{}, Notes: []string{},
	}}
	segs, notes := []querytext.Segment{{Text: query}}, []string(nil)
	if !literal {
		segs, notes = querytext.Parse(query)
	}
	p.Reading.Notes = append(p.Reading.Notes, notes...)
	if slices.ContainsFunc(segs, func(s querytext.Segment) bool { return s.Minus }) && !slices.ContainsFunc(segs, func(s querytext.Segment) bool { return !s.Minus && len(querytext.Words(s.Text, false)) > 0 }) {
		p.Reading.Notes = append(p.Reading.Notes, "there are only words to leave out: they are read as words to find")
		segs = []querytext.Segment{{Text: query}}
	}
	var all []querytext.Word
	for _, s := range segs {
		ws := querytext.Words(s.Text, s.Quoted)
		written := strings.Join(strings.Fields(s.Text), " ")
		switch {
		case len(ws) == 0 && (s.Quoted || s.Minus):
			p.Reading.Notes = append(p.Reading.Notes, fmt.Sprintf("there is no word in %q: it asks for nothing", s.Text))
		case s.Minus && OnlyStops(groupsOf(ws)):
			p.Reading.Notes = append(p.Reading.Notes, fmt.Sprintf("%q is common everywhere: it is not left out", written))
		case s.Minus:
			p.Exclude = append(p.Exclude, groupsOf(ws))
			p.Reading.Without = append(p.Reading.Without, written)
		case s.Quoted:
			p.Require = append(p.Require, groupsOf(ws))
			p.Reading.Phrases = append(p.Reading.Phrases, written)
			all = append(all, ws...)
		default:
			all = append(all, ws...)
		}
	}
	all = p.numbers(all, numbered)
	units := unitsOf(all, glossary)
	kept := shorten(units)
	p.vary(kept)
	first := slices.IndexFunc(units, func(u unit) bool { return len(kept) > 0 && &u.words[0] == &kept[0].words[0] })
	for i, u := range units {
		if i < first || i >= first+len(kept) || u.stop() && !u.words[0].Quoted {
			p.Reading.Ignored = append(p.Reading.Ignored, u.words[0].Written)
		}
	}
	return p
}

// numbers takes the numbers of documents out of the query's words, unless nothing would be left, with the words that belong to them.
func (p *Plan) numbers(all []querytext.Word, numbered func(string) []string) []querytext.Word {
	cut := make([]bool, len(all))
	for i, t := range all {
		if t.Quoted {
			continue
		}
		n := querytext.DocNumber(t.Word)
		if n == "" && i > 0 && !all[i-1].Quoted {
			n = querytext.DocNumber(all[i-1].Word + " " + t.Word)
		}
		if n == "" {
			continue
		}
		ids := numbered(n)
		if len(ids) == 0 {
			continue
		}
		for _, id := range ids {
			if !slices.Contains(p.Named, id) && len(p.Named) < maxNamed {
				p.Named = append(p.Named, id)
			}
		}
		cut[i] = true
		for j := i - 1; j >= 0 && !all[j].Quoted && (numberWords[all[j].Word] || all[j].Stop); j-- {
			cut[j] = true
		}
	}
	if len(p.Named) == 0 {
		return all
	}
	p.Reading.Named = p.Named
	var rest, gone []querytext.Word
	for i, t := range all {
		if cut[i] {
			gone = append(gone, t)
		} else {
			rest = append(rest, t)
		}
	}
	if !slices.ContainsFunc(rest, func(t querytext.Word) bool { return !t.Stop && !opens[t.Word] }) {
		return all
	}
	for _, t := range gone {
		p.Reading.Ignored = append(p.Reading.Ignored, t.Written)
	}
	return rest
}

// maxNamed bounds the documents that a query names by number: there are editions of one specification, but not hundreds.
const maxNamed = 32

// unitsOf joins the words that a glossary knows as one term.
func unitsOf(ws []querytext.Word, g *Glossary) []unit {
	var out []unit
	for i := 0; i < len(ws); {
		u := unit{words: ws[i : i+1]}
		if g != nil && !ws[i].Quoted {
			if term, others, n := g.at(ws[i:]); n > 0 {
				u = unit{ws[i : i+n], term, others}
			}
		}
		out = append(out, u)
		i += len(u.words)
	}
	return out
}

// vary sets the wordings: the query's own, then those with one synonym put in, then with more.
func (p *Plan) vary(units []unit) {
	for _, u := range units {
		for _, w := range u.words {
			if !w.Stop {
				p.Reading.Words = append(p.Reading.Words, w.Written)
				p.Spoken = append(p.Spoken, w)
			}
		}
		if len(u.others) > 0 {
			s := Synonym{Term: u.term, As: []string{}}
			for _, o := range u.others {
				s.As = append(s.As, o.written)
			}
			p.Reading.Synonyms = append(p.Reading.Synonyms, s)
		}
	}
	type choice []int // by unit: 0 for its own words, else the synonym's number
	queue, cut := []choice{make(choice, len(units))}, false
	for len(queue) > 0 {
		c := queue[0]
		queue = queue[1:]
		if v := wording(units, c); len(v.Phrase) > 0 {
			p.Variants = append(p.Variants, v)
		}
		// Only units after the last replaced one: each choice comes once.
		last := len(units) - 1
		for last >= 0 && c[last] == 0 {
			last--
		}
		for i := last + 1; i < len(units); i++ {
			for k := range units[i].others {
				if len(p.Variants)+len(queue) >= maxVariants {
					cut = true
					break
				}
				d := slices.Clone(c)
				d[i] = k + 1
				queue = append(queue, d)
			}
		}
	}
	if cut {
		p.Reading.Notes = append(p.Reading.Notes, fmt.Sprintf("the glossary has more synonyms than one search takes: the first %d wordings are searched", maxVariants))
	}
}

// wording puts the chosen synonyms in.
func wording(units []unit, c []int) Variant {
	var v Variant
	for i, u := range units {
		gs := groupsOf(u.words)
		if c[i] > 0 {
			o := u.others[c[i]-1]
			gs = groupsOf(o.words)
			v.Synonyms = append(v.Synonyms, u.term+" = "+o.written)
			if !OnlyStops(gs) && (len(gs) > 1 || len(gs[0].Parts) > 1) {
				v.Require = append(v.Require, gs)
			}
		}
		v.Phrase = append(v.Phrase, gs...)
	}
	for _, g := range v.Phrase {
		if !g.Stop {
			v.Words = append(v.Words, g)
		}
	}
	if len(v.Words) == 0 {
		v.Words = v.Phrase
	}
	return v
}

// OnlyStops reports that there is no word that an index knows.
func OnlyStops(gs []driver.Group) bool {
	return !slices.ContainsFunc(gs, func(g driver.Group) bool { return !g.Stop })
}

// OnlyStops reports that no wording holds a word that an index knows.
func (p *Plan) OnlyStops() bool {
	return !slices.ContainsFunc(p.Variants, func(v Variant) bool { return !OnlyStops(v.Phrase) })
}
