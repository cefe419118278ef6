package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
)

// SearchOptions of [Graph.Search].
type SearchOptions struct {
	Limit int      // most hits; 0 means 10
	Kinds []Kind   // only these; empty means all
	Paths []string // only under these paths or path patterns (path.Match); empty means all
	Tests bool     // show test code too
	View  View     // what Text holds; "" means Fold
}

// A SearchResult is the answer of [Graph.Search].
type SearchResult struct {
	Query       string      `json:"query"`
	Total       int         `json:"total"` // distinct entities found in the tiers visited
	Truncated   bool        `json:"truncated"`
	TestsHidden int         `json:"tests_hidden"` // entities found and left out because they are test code
	Hits        []EntityHit `json:"hits"`
}

// An EntityHit is an entity found.
type EntityHit struct {
	Entity
	Tier  string  `json:"tier"`  // "name" or "body"
	Match string  `json:"match"` // exact, case, prefix, subword, fuzzy; bm25
	Score float64 `json:"score"` // comparable within one kind of match
	Text  string  `json:"text"`  // per View; "" when the source changed since it was indexed
	Lines []int   `json:"lines"` // body hits: up to five lines that hold most words of the query, in order
}

// bodyWords are the words of the bodies, by node, and of the file that a node is in.
type bodyWords struct {
	words [][]string // the distinct words of a record, by node (shared between the nodes of one file)
	list  [][]uint32
}

type searchIndex struct {
	terms  map[string][]uint32 // stemmed sub-words of last names
	lower  []string            // distinct last names, lower case, sorted
	bodies *bm25.Index
}

func (g *Graph) searching() *searchIndex {
	g.searchOnce.Do(func() {
		s := &searchIndex{terms: map[string][]uint32{}, bodies: bm25.New()}
		for name := range g.names {
			s.lower = append(s.lower, name)
		}
		slices.Sort(s.lower)
		for i := range g.nodes {
			var bag []string
			for _, w := range text.SplitIdent(stem(g.nodeName(uint32(i)))) {
				w = text.Stem(w)
				if l := s.terms[w]; len(l) == 0 || l[len(l)-1] != uint32(i) {
					s.terms[w] = append(l, uint32(i))
				}
				bag = append(bag, w, w)
			}
			for _, w := range g.bodies.list[i] {
				bag = append(bag, g.bodies.words[i][w])
			}
			s.bodies.Add(bag)
		}
		g.search = s
	})
	return g.search
}

// stem is a file's name without its extension.
func stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}

var matchRank = map[string]int{"exact": 0, "case": 1, "prefix": 2, "subword": 3, "fuzzy": 4, "bm25": 5}

// Search finds entities by name first, and fills up with those whose text fits best (BM25). The query is a name, a part
// of one, an id, or some words. Hits come by kind of match, score and id.
func (g *Graph) Search(ctx context.Context, query string, o *SearchOptions) (*SearchResult, error) {
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
	for _, p := range opt.Paths {
		if _, err := path.Match(p, ""); err != nil {
			bad = append(bad, fmt.Errorf("codegraph: path pattern %q: %w", p, err))
		}
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	f := finder{g: g, opt: opt, s: g.searching(), found: map[uint32]int{}, hidden: map[uint32]bool{}}
	f.names(strings.TrimSpace(query))
	if len(f.hits) < opt.Limit {
		f.inBodies(query)
	}
	slices.SortStableFunc(f.hits, func(a, b found) int {
		return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(b.score, a.score), cmp.Compare(a.node, b.node))
	})
	res := &SearchResult{Query: query, Total: len(f.hits), TestsHidden: len(f.hidden), Hits: []EntityHit{}}
	if len(f.hits) > opt.Limit {
		f.hits, res.Truncated = f.hits[:opt.Limit], true
	}
	cache := map[string][]byte{}
	terms := text.Terms(query)
	for _, h := range f.hits {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hit := EntityHit{Entity: g.entity(h.node), Tier: "name", Match: h.match, Score: h.score, Lines: []int{}}
		if h.match == "bm25" {
			hit.Tier = "body"
			lines, err := g.matching(h.node, terms, cache)
			if err != nil && !errors.Is(err, ErrStale) {
				return nil, err
			}
			hit.Lines = append(hit.Lines, lines...)
		}
		t, err := g.text(h.node, opt.View, cache)
		if err != nil && !errors.Is(err, ErrStale) {
			return nil, err
		}
		hit.Text = t
		res.Hits = append(res.Hits, hit)
	}
	return res, nil
}

// matching gives up to five lines of an entity that hold most of the words.
func (g *Graph) matching(n uint32, terms []string, cache map[string][]byte) ([]int, error) {
	e := g.entity(n)
	if e.Kind == KindDirectory {
		return nil, nil
	}
	src, err := g.source(e.Path, cache)
	if err != nil {
		return nil, err
	}
	type scored struct{ line, n int }
	var list []scored
	at := 0
	for line := range strings.Lines(string(src)) {
		if at++; at < e.Line || at > e.EndLine {
			continue
		}
		have := 0
		words := text.Terms(line)
		for _, t := range terms {
			if slices.Contains(words, t) {
				have++
			}
		}
		if have > 0 {
			list = append(list, scored{at, have})
		}
	}
	slices.SortStableFunc(list, func(a, b scored) int { return b.n - a.n })
	var out []int
	for _, l := range list[:min(5, len(list))] {
		out = append(out, l.line)
	}
	slices.Sort(out)
	return out, nil
}

type found struct {
	node  uint32
	match string
	rank  int
	score float64
}

type finder struct {
	g      *Graph
	s      *searchIndex
	opt    SearchOptions
	hits   []found
	found  map[uint32]int
	hidden map[uint32]bool
}

func (f *finder) allowed(n uint32) bool {
	e := f.g.entity(n)
	if len(f.opt.Kinds) > 0 && !slices.Contains(f.opt.Kinds, e.Kind) {
		return false
	}
	if len(f.opt.Paths) > 0 && !slices.ContainsFunc(f.opt.Paths, func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		ok, _ := path.Match(p, e.Path) // checked before
		return ok || e.Path == p || strings.HasPrefix(e.Path, p+"/")
	}) {
		return false
	}
	if e.Test && !f.opt.Tests {
		f.hidden[n] = true
		return false
	}
	return true
}

func (f *finder) add(n uint32, match string, score float64) {
	if _, ok := f.found[n]; ok || !f.allowed(n) {
		return
	}
	f.found[n] = len(f.hits)
	f.hits = append(f.hits, found{n, match, matchRank[match], score})
}

func (f *finder) names(query string) {
	if query == "" {
		return
	}
	lower := strings.ToLower(query)
	for _, e := range f.g.Named(query) {
		n, _ := f.g.find(e.ID)
		if isSuffix(e.ID, query) {
			f.add(n, "exact", 1)
		} else {
			f.add(n, "case", 1)
		}
	}
	one := !strings.ContainsAny(query, " \t\n")
	if one && len(lower) >= 3 {
		i, _ := slices.BinarySearch(f.s.lower, lower)
		for ; i < len(f.s.lower) && strings.HasPrefix(f.s.lower[i], lower); i++ {
			for _, n := range f.g.nodesNamed(f.s.lower[i]) {
				f.add(n, "prefix", float64(len(lower))/float64(len(f.s.lower[i])))
			}
		}
	}
	f.subwords(query)
	if one && len(f.hits) == 0 && len(lower) >= 4 {
		most := 1 + len(lower)/8
		for _, name := range f.s.lower {
			if d := distance(lower, name, most); d <= most {
				for _, n := range f.g.nodesNamed(name) {
					f.add(n, "fuzzy", 1-float64(d)/float64(len(lower)))
				}
			}
		}
	}
}

// subwords finds names that hold all words of the query, such as "dispatch request" in dispatch_request.
func (f *finder) subwords(query string) {
	var words []string
	for _, w := range strings.Fields(query) {
		if text.IsStop(strings.ToLower(w)) {
			continue
		}
		for _, p := range text.SplitIdent(w) {
			words = append(words, text.Stem(p))
		}
	}
	if len(words) == 0 {
		return
	}
	count := map[uint32]int{}
	slices.Sort(words)
	words = slices.Compact(words)
	for _, w := range words {
		for _, n := range f.s.terms[w] {
			count[n]++
		}
	}
	var nodes []uint32
	for n, c := range count {
		if c == len(words) {
			nodes = append(nodes, n)
		}
	}
	slices.Sort(nodes)
	for _, n := range nodes {
		f.add(n, "subword", float64(len(words))/float64(max(len(words), len(text.SplitIdent(stem(f.g.nodeName(n)))))))
	}
}

func (f *finder) inBodies(query string) {
	hits := f.s.bodies.Search(text.Terms(query), 0, func(doc int) bool {
		_, known := f.found[uint32(doc)]
		return !known && f.allowed(uint32(doc))
	})
	for _, h := range hits {
		f.add(uint32(h.Doc), "bm25", h.Score)
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

// distance is the number of bytes to insert, delete or replace to make a into b, or most+1 when it is more than most.
func distance(a, b string, most int) int {
	if d := len(a) - len(b); d > most || -d > most {
		return most + 1
	}
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diag, best := row[0], i+1
		row[0] = i + 1
		for j := range len(b) {
			c := diag
			if a[i] != b[j] {
				c = 1 + min(diag, row[j], row[j+1])
			}
			diag, row[j+1] = row[j+1], c
			best = min(best, c)
		}
		if best > most {
			return most + 1
		}
	}
	return min(row[len(b)], most+1)
}
