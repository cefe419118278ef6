package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
)

// SearchOptions of [Graph.Search].
type SearchOptions struct {
	Limit int      // most hits; 0 means 10
	Kinds []Kind   // only these; empty means all
	Paths []string // only under these paths or path patterns (path.Match); empty means all
	Tests bool     // show test code too
	// Generated shows generated and vendored code too. What the query names exactly is shown even so, when all that has
	// that name is such code.
	Generated bool
	View      View // what Text holds; "" means Fold
}

// A SearchResult is the answer of [Graph.Search].
type SearchResult struct {
	Query           string      `json:"query"`
	Total           int         `json:"total"` // distinct entities found in the tiers visited
	Truncated       bool        `json:"truncated"`
	TestsHidden     int         `json:"tests_hidden"`     // entities found and left out because they are test code
	GeneratedHidden int         `json:"generated_hidden"` // those left out because they are generated or vendored, and not test code
	Hits            []EntityHit `json:"hits"`
}

// An EntityHit is an entity found.
type EntityHit struct {
	Entity
	Repo  string  `json:"repo,omitempty"` // of a [Set]: its name
	Tier  string  `json:"tier"`           // "name" or "body"
	Match string  `json:"match"`          // exact, case, prefix, subword, fuzzy; bm25
	Score float64 `json:"score"`          // comparable within one kind of match
	Text  string  `json:"text"`           // per View; "" when the source changed since it was indexed
	Lines []int   `json:"lines"`          // body hits: up to five lines that hold most words of the query, in order
}

// matches are the kinds of matches, best first.
var matches = [...]string{"exact", "case", "prefix", "subword", "fuzzy", "bm25"}

// Search finds entities by name first, and fills up with those whose text fits best (BM25), unless the query is the whole
// name of something that is there: an id, a place, "Class.method". The query is a name in any
// form that [Graph.Named] takes, a part of one, a place, or some words; names of code among other words count as names.
// Hits come by kind of match, score and id. Names score higher the more of the name the query says; among equals, what
// more edges reach and what lies less deep comes first.
func (g *Graph) Search(ctx context.Context, query string, o *SearchOptions) (*SearchResult, error) {
	return search(ctx, []Member{{Graph: g}}, query, o)
}

func (o *SearchOptions) withDefaults() (SearchOptions, error) {
	var opt SearchOptions
	if o != nil {
		opt = *o
	}
	if opt.Limit == 0 {
		opt.Limit = 10
	}
	if opt.View == "" {
		opt.View = Fold
	}
	var bad []error
	if opt.Limit < 0 {
		bad = append(bad, errors.New("codegraph: Limit is negative"))
	}
	if opt.View != Fold && opt.View != Preview && opt.View != Full {
		bad = append(bad, fmt.Errorf("codegraph: unknown view %q: use fold, preview or full", opt.View))
	}
	for _, k := range opt.Kinds {
		if k != KindDirectory && k != KindFile && k != KindClass && k != KindFunction {
			bad = append(bad, fmt.Errorf("codegraph: unknown entity kind %q: use directory, file, class or function", k))
		}
	}
	return opt, errors.Join(append(bad, checkPaths(opt.Paths))...)
}

// checkPaths tells which of the paths to search under are broken patterns.
func checkPaths(paths []string) error {
	var bad []error
	for _, p := range paths {
		if _, err := path.Match(p, ""); err != nil {
			bad = append(bad, fmt.Errorf("codegraph: path pattern %q: %w", p, err))
		}
	}
	return errors.Join(bad...)
}

// maxQuery bounds what is read of a query, in bytes.
const maxQuery = 10_000

// search asks the graphs, one scale of scores for all.
func search(ctx context.Context, in []Member, query string, o *SearchOptions) (*SearchResult, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	read := strings.TrimSpace(query[:min(len(query), maxQuery)])
	terms := text.Terms(read)
	var finders []*finder
	n, whole := 0, false
	for _, m := range in {
		name, local, _ := cutMember(read)
		if name == "" || len(in) == 1 && m.Name == "" {
			local = read
		} else if name != m.Name {
			continue // an id of another one
		}
		f := &finder{member: m, g: m.Graph, opt: opt, s: m.Graph.wordsearch(), found: map[uint32]bool{}, hidden: map[uint32]bool{}, made: map[uint32]bool{}}
		f.byName(local)
		finders = append(finders, f)
		n += len(f.hits)
		whole = whole || f.whole(local)
	}
	if n < opt.Limit && !whole {
		by := bm25.Stats{With: map[string]int{}}
		for _, f := range finders {
			if f.s.err != nil {
				return nil, f.s.err
			}
			by.Add(f.s.stats(terms))
		}
		for _, f := range finders {
			f.inBodies(by, terms)
			if err := f.s.base.Bodies.Err(); err != nil {
				return nil, err
			}
		}
	}
	res := &SearchResult{Query: query, Hits: []EntityHit{}}
	var all []found
	for _, f := range finders {
		res.TestsHidden += len(f.hidden)
		res.GeneratedHidden += len(f.made)
		all = append(all, f.hits...)
	}
	slices.SortStableFunc(all, func(a, b found) int {
		if c := cmp.Compare(a.rank, b.rank); c != 0 {
			return c
		}
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		if a.in != b.in {
			return strings.Compare(a.in.member.Name, b.in.member.Name)
		}
		return a.in.g.byID(a.node, b.node)
	})
	res.Total = len(all)
	if len(all) > opt.Limit {
		all, res.Truncated = all[:opt.Limit], true
	}
	caches := map[*finder]map[string][]byte{}
	for _, h := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		cache := caches[h.in]
		if cache == nil {
			cache = map[string][]byte{}
			caches[h.in] = cache
		}
		hit, err := h.in.show(h, terms, cache)
		if err != nil {
			return nil, err
		}
		res.Hits = append(res.Hits, hit)
	}
	return res, nil
}

// show makes a hit of what was found. A source that changed since it was indexed leaves the text empty.
func (f *finder) show(h found, terms []string, cache map[string][]byte) (EntityHit, error) {
	e := f.g.entity(h.node)
	e.ID = f.member.id(e.ID)
	hit := EntityHit{Entity: e, Repo: f.member.Name, Tier: "name", Match: matches[h.rank], Score: h.score, Lines: []int{}}
	if hit.Match == "bm25" {
		hit.Tier = "body"
		lines, err := f.g.matching(h.node, terms, 5, cache)
		if err != nil && !errors.Is(err, ErrStale) {
			return hit, err
		}
		hit.Lines = append(hit.Lines, lines...)
	}
	t, err := f.g.text(h.node, f.opt.View, false, cache)
	if err != nil && !errors.Is(err, ErrStale) {
		return hit, err
	}
	hit.Text = t
	return hit, nil
}

// matching gives up to a number of lines of an entity, or of the comment above it, that hold most of the words.
func (g *Graph) matching(n uint32, terms []string, most int, cache map[string][]byte) ([]int, error) {
	e := g.entity(n)
	if e.Kind == KindDirectory {
		return nil, nil
	}
	src, err := g.source(e.Path, cache)
	if err != nil {
		return nil, err
	}
	first := e.Line
	if start, _, _ := g.extent(n); e.Kind != KindFile {
		first -= strings.Count(string(src[sourcetext.CommentAbove(string(src), int32(start)):start]), "\n")
	}
	type scored struct{ line, n int }
	var list []scored
	memo := memos.Get()
	defer memos.Put(memo)
	held := make([]bool, len(terms))
	at := 0
	for line := range strings.Lines(string(src)) {
		if at++; at > e.EndLine {
			break
		}
		if at < first || !mayHold(strings.ToLower(line), terms) {
			continue
		}
		clear(held)
		hold := func(word string) {
			for i, t := range terms {
				held[i] = held[i] || t == word
			}
		}
		memo.Each(line, func(t *text.Token, _ int) { // what text.Terms lists
			if t.Stop {
				return
			}
			for i := range t.Parts {
				hold(t.Parts[i].Term)
			}
			if t.Whole != "" {
				hold(t.Whole)
			}
		})
		have := 0
		for _, h := range held {
			have += b2i(h)
		}
		if have > 0 {
			list = append(list, scored{at, have})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.n - a.n })
	var out []int
	for _, l := range list[:min(most, len(list))] {
		out = append(out, l.line)
	}
	slices.Sort(out)
	return out, nil
}

// mayHold tells quickly whether a line in lower case may hold one of the stems: words begin as their stems do, but for
// the last letters and for accents.
func mayHold(line string, stems []string) bool {
	if strings.IndexFunc(line, func(r rune) bool { return r >= utf8.RuneSelf }) >= 0 {
		return true
	}
	for _, w := range stems {
		if strings.Contains(line, beginning(w)) {
			return true
		}
	}
	return false
}

func beginning(stem string) string { return stem[:max(min(len(stem), 1), len(stem)-2)] }

type found struct {
	in    *finder
	node  uint32
	rank  int // of the match, in matches
	score float64
}

// A finder gathers the hits of one graph.
type finder struct {
	member Member
	g      *Graph
	s      *wordSearch
	opt    SearchOptions
	hits   []found
	found  map[uint32]bool
	hidden map[uint32]bool // test code left out
	made   map[uint32]bool // generated and vendored code left out
}

// allowed tells whether an entity may be shown; test code, and generated code, as far as it is asked for or meant.
func (f *finder) allowed(n uint32, tests, generated bool) bool {
	if len(f.opt.Kinds) > 0 && !slices.Contains(f.opt.Kinds, f.g.nodeKind(n)) {
		return false
	}
	if len(f.opt.Paths) > 0 && !under(f.g.nodePath(n), f.opt.Paths) {
		return false
	}
	if !tests && f.g.isTest(n) {
		f.hidden[n] = true
		return false
	}
	if !generated && f.g.isGenerated(n) {
		f.made[n] = true
		return false
	}
	return true
}

func (f *finder) add(n uint32, match string, score float64) {
	if !f.found[n] && f.allowed(n, f.opt.Tests, f.opt.Generated) {
		f.put(n, match, score)
	}
}

func (f *finder) put(n uint32, match string, score float64) {
	f.found[n] = true
	delete(f.made, n)
	f.hits = append(f.hits, found{f, n, slices.Index(matches[:], match), score})
}

// whole tells whether the query is a path, a place or a name under another one, and was found: then the words of it say
// nothing about bodies.
func (f *finder) whole(query string) bool {
	w, ok := writtenname.Parse(query)
	return ok && (w.Path != "" && len(w.Parts)+w.Line > 0 || len(w.Parts) > 1) && slices.ContainsFunc(f.hits, func(h found) bool { return h.rank == 0 })
}

// weight orders entities of equal names: from 0 to 1, higher the more edges reach one, the less deep it lies, and for
// classes and functions before files and directories.
func (f *finder) weight(n uint32) float64 {
	in := math.Log1p(float64(f.g.reached(n)))
	w := .6 * in / (in + 3)
	id := f.g.nodeID(n)
	w += .2 / float64(1+strings.Count(id[len(f.g.nodePath(n)):], ".")) // the root's id is its path
	switch f.g.nodeKind(n) {
	case KindClass:
		w += .2
	case KindFunction:
		w += .15
	case KindFile:
		w += .1
	}
	return w
}

// grades are the scores of names by how they were meant, see nameMatch.
var grades = [...]float64{.95, .85, .8, .7}

// byName finds names, strictest first.
func (f *finder) byName(query string) {
	if query == "" {
		return
	}
	if f.meant(query, 0); f.whole(query) {
		return
	}
	written, ok := writtenname.Parse(query)
	last := ""
	if ok && len(written.Parts) > 0 {
		last = strings.ToLower(written.Parts[len(written.Parts)-1])
	} else if ok && written.Line == 0 {
		last = strings.ToLower(path.Base(written.Path))
	}
	if !ok {
		f.mentioned(query)
	}
	if len(last) >= 3 {
		f.prefixed(written, last)
	}
	f.subwords(query)
	if len(f.hits) == 0 && len(last) >= 4 && len(last) <= maxFuzzy {
		f.near(written, last)
	}
}

// meant adds what a written name means; less is taken off the score.
func (f *finder) meant(name string, less float64) {
	w, ok := writtenname.Parse(name)
	place := ok && w.Path != "" // who writes the path of a test wants to see it
	list := f.g.meant(name)
	// A name that only generated code has means that code.
	only := !slices.ContainsFunc(list, func(m nameMatch) bool {
		return !m.fold && !f.g.isGenerated(m.node) && (f.opt.Tests || !f.g.isTest(m.node))
	})
	for _, m := range list {
		score := grades[m.grade] + .05*f.weight(m.node) - less
		match := "exact"
		if m.fold {
			match = "case"
		}
		if place && !m.fold && !f.found[m.node] && f.allowed(m.node, true, true) {
			f.put(m.node, match, score)
			continue
		}
		if only && !m.fold && !f.found[m.node] && f.allowed(m.node, f.opt.Tests, true) {
			f.put(m.node, match, score)
			continue
		}
		f.add(m.node, match, score)
	}
}

var (
	codeName = regexp.MustCompile(`[\pL\pN_$./:#\\-]*(?:[\pL\pN]_[\pL\pN]|_[\pL\pN]|[\pL\pN][.:/#][\pL\pN_]|::|\p{Ll}\p{Lu}|[\pL\pN]\(\))[\pL\pN_$./:#()-]*`)
)

// maxMentioned bounds the names looked up in one query.
const maxMentioned = 16

// mentioned adds the names that stand among other words and are written as code is: with an underscore, in camel case,
// with a dot, a colon, a slash or parentheses inside.
func (f *finder) mentioned(query string) {
	for i, w := range codeName.FindAllString(query, maxMentioned) { // what is named first is likely what is meant
		f.meant(strings.Trim(w, ".:/#-"), .3+.01*float64(i))
	}
}

// owned tells whether the names before the last of a written name stand in an id.
func (f *finder) owned(n uint32, w writtenname.Name) bool {
	id := strings.ToLower(f.g.nodeID(n))
	if w.Path != "" && len(w.Parts) > 0 && !strings.Contains(id, strings.ToLower(w.Path)) {
		return false
	}
	for i := 0; i+1 < len(w.Parts); i++ {
		if !strings.Contains(id, strings.ToLower(w.Parts[i])) {
			return false
		}
	}
	return true
}

// prefixed finds names that begin with the last of a written name.
func (f *finder) prefixed(w writtenname.Name, last string) {
	for name := range f.s.names(last) {
		for _, n := range f.g.nodesNamed(name) {
			if f.owned(n, w) {
				f.add(n, "prefix", .9*float64(len(last))/float64(len(name))+.1*f.weight(n))
			}
		}
	}
}

// maxFuzzy bounds the length of names that are compared letter by letter.
const maxFuzzy = 64

// near finds names that differ by a few letters, those under the right owner alone when there are some.
func (f *finder) near(w writtenname.Name, last string) {
	most := 1 + len(last)/8
	for _, strict := range []bool{true, false} {
		for name := range f.g.names {
			d := distance(last, name, most)
			if d > most {
				continue
			}
			for _, n := range f.g.nodesNamed(name) {
				if !strict || f.owned(n, w) {
					f.add(n, "fuzzy", .9*(1-float64(d)/float64(len(last)))+.1*f.weight(n))
				}
			}
		}
		if len(f.hits) > 0 || len(w.Parts) < 2 {
			return
		}
	}
}

// plainShare is what a hit counts in text that is no code: prose has the words of a question more often than code does.
const plainShare = .5

func (f *finder) inBodies(by bm25.Stats, terms []string) {
	for _, h := range f.s.bodies(by, terms, func(n uint32) bool { return !f.found[n] && f.allowed(n, f.opt.Tests, f.opt.Generated) }) {
		if f.g.isPlain(h.node) {
			h.score *= plainShare
		}
		f.add(h.node, "bm25", h.score)
	}
}

// Near gives up to n existing ids similar to a written id or name, nearest first.
func (g *Graph) Near(name string, n int) []string {
	if n <= 0 || name == "" {
		return []string{}
	}
	last := strings.ToLower(name)
	if i := strings.LastIndexAny(last, ".:/"); i >= 0 && i+1 < len(last) {
		last = last[i+1:]
	}
	type near struct {
		id string
		d  int
	}
	var list []near
	most := 1 + len(last)/4
	for other := range g.names {
		var d int
		switch {
		case other == last:
			d = 0
		case len(last) >= 3 && (strings.HasPrefix(other, last) || strings.HasPrefix(last, other) && len(other) >= 3):
			d = 1
		default:
			d = distance(last, other, most)
		}
		if d > most {
			continue
		}
		for _, i := range g.nodesNamed(other) {
			id := g.nodeID(i)
			list = append(list, near{id, d*1000 + distance(strings.ToLower(name), strings.ToLower(id), 200)})
		}
	}
	slices.SortFunc(list, func(a, b near) int { return cmp.Or(cmp.Compare(a.d, b.d), strings.Compare(a.id, b.id)) })
	out := []string{}
	for _, l := range list {
		if !slices.Contains(out, l.id) {
			if out = append(out, l.id); len(out) == n {
				break
			}
		}
	}
	return out
}

// distance is the number of bytes to insert, delete or replace, or of neighbours to swap, to make a into b, or most+1 when
// it is more than most.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	before, above, row := make([]int, len(b)+1), make([]int, len(b)+1), make([]int, len(b)+1)
	for j := range row {
		above[j] = j
	}
	for i := range len(a) {
		row[0] = i + 1
		best := row[0]
		for j := range len(b) {
			c := above[j]
			if a[i] != b[j] {
				c = 1 + min(c, row[j], above[j+1])
				if i > 0 && j > 0 && a[i] == b[j-1] && a[i-1] == b[j] {
					c = min(c, 1+before[j-1])
				}
			}
			row[j+1] = c
			best = min(best, c)
		}
		if best > most {
			return most + 1
		}
		before, above, row = above, row, before
	}
	return min(above[len(b)], most+1)
}
