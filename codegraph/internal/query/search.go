package query

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"math"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/relevance"
	"github.com/findspot/findspot/internal/text"
)

// SearchOptions of [Search].
type SearchOptions struct {
	Limit     int
	Kinds     []uint8  // of package model; empty means all
	Paths     []string // patterns, checked by [CheckPaths]; empty means all
	Tests     bool
	Generated bool // what the query names exactly is shown even so, when all that has that name is such code
	View      View // what Text holds
}

// A SearchResult is the answer of [Search].
type SearchResult struct {
	Total, TestsHidden, GeneratedHidden int
	Truncated                           bool
	Hits                                []Hit
	Readings                            []Reading // of a question
	Compared                            int       // entities whose vectors were compared
	VectorsError                        error     // why they were not
}

// A Hit is an entity found.
type Hit struct {
	snapshot.Node        // its id as the set shows it
	Repo          string // name of the member
	Match         string // exact, case, prefix, subword, fuzzy; bm25, vector
	Score         float64
	Similarity    float64 // the cosine of its vector and the query's, where that is near; else 0
	Text          string  // "" when the source changed since it was indexed
	Lines         []int   // of a match in the body
}

// matches are the kinds of matches, best first.
var matches = [...]string{"exact", "case", "prefix", "subword", "fuzzy", Body}

// Body is the kind of matches in the texts of entities, and Meaning of those that only their vectors found.
const (
	Body    = "bm25"
	Meaning = "vector"
)

// CheckPaths reports the paths to search under that are malformed patterns.
func CheckPaths(paths []string) error {
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

// Search finds entities by name first, and fills up with those whose text fits best, on one scale of scores for all graphs.
func Search(ctx context.Context, in []Member, query string, opt *SearchOptions) (*SearchResult, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	read := strings.TrimSpace(query[:min(len(query), maxQuery)])
	terms := text.Terms(read)
	var finders []*finder
	n, whole := 0, false
	res := &SearchResult{}
	for _, m := range in {
		name, local, _ := cutMember(read)
		if name == "" || len(in) == 1 && m.Name == "" {
			local = read
		} else if name != m.Name {
			continue // an id of another one
		}
		f := newFinder(m, opt)
		f.byName(local)
		finders = append(finders, f)
		n += len(f.hits)
		whole = whole || f.whole(local)
	}
	if n < opt.Limit && !whole {
		if err := inBodies(ctx, finders, read, res); err != nil {
			return nil, err
		}
	}
	var all []found
	for _, f := range finders {
		res.TestsHidden += len(f.hidden)
		res.GeneratedHidden += len(f.generated)
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
		return a.in.g.ByID(a.node, b.node)
	})
	res.Total = len(all)
	if len(all) > opt.Limit {
		all, res.Truncated = all[:opt.Limit], true
	}
	for _, h := range all {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		hit, err := h.in.show(h, terms)
		if err != nil {
			return nil, err
		}
		res.Hits = append(res.Hits, hit)
	}
	return res, nil
}

// show makes a hit of what was found. A source that changed since it was indexed leaves the text empty.
func (f *finder) show(h found, terms []string) (Hit, error) {
	hit := Hit{Node: f.member.node(h.node), Repo: f.member.Name, Match: matches[h.rank], Score: h.score, Similarity: h.similarity}
	if h.wordless {
		hit.Match = Meaning
	}
	var err error
	if hit.Match == Body {
		if f.matcher == nil {
			f.matcher = f.texts.Matcher(terms)
		}
		if hit.Lines, err = f.matcher.Lines(h.node, 5); err != nil && !errors.Is(err, errs.Stale) {
			return hit, err
		}
	}
	if hit.Text, err = f.texts.Text(h.node, f.opt.View, false); err != nil && !errors.Is(err, errs.Stale) {
		return hit, err
	}
	return hit, nil
}

type found struct {
	in    *finder
	node  uint32
	rank  int // of the match, in matches
	score float64

	similarity float64 // the cosine of its vector and the question's, where that is near
	wordless   bool    // no word of the question brought it
	vectorless bool    // it has no vector, though it is to have one
}

// A finder gathers the hits of one graph.
type finder struct {
	member    Member
	g         *snapshot.Graph
	s         *snapshot.Words
	texts     *Texts
	matcher   *Matcher // of the words; nil: nothing was shown yet
	opt       *SearchOptions
	hits      []found
	found     map[uint32]bool
	hidden    map[uint32]bool // test code left out
	generated map[uint32]bool // generated and vendored code left out
}

func newFinder(m Member, opt *SearchOptions) *finder {
	return &finder{member: m, g: m.Graph, opt: opt, s: m.Graph.Words(), texts: NewTexts(m.Graph), found: map[uint32]bool{}, hidden: map[uint32]bool{}, generated: map[uint32]bool{}}
}

// allowed tells whether an entity may be shown, and counts what is hidden as test code or generated code.
func (f *finder) allowed(n uint32, tests, generated bool) bool {
	if len(f.opt.Kinds) > 0 && !slices.Contains(f.opt.Kinds, f.g.Kind(n)) {
		return false
	}
	if len(f.opt.Paths) > 0 && !Under(f.g.Path(n), f.opt.Paths) {
		return false
	}
	if !tests && f.g.IsTest(n) {
		f.hidden[n] = true
		return false
	}
	if !generated && f.g.IsGenerated(n) {
		f.generated[n] = true
		return false
	}
	return true
}

func (f *finder) add(n uint32, match string, score float64) {
	f.addIf(n, match, score, f.opt.Tests, f.opt.Generated)
}

// addIf is add for a caller that says itself whether test code and generated code count.
func (f *finder) addIf(n uint32, match string, score float64, tests, generated bool) {
	if !f.found[n] && f.allowed(n, tests, generated) {
		f.found[n] = true
		delete(f.generated, n)
		f.hits = append(f.hits, found{in: f, node: n, rank: slices.Index(matches[:], match), score: score})
	}
}

// whole tells whether the query is a path, a place or a qualified name, and was found: then its words are not looked for in bodies.
func (f *finder) whole(query string) bool {
	w, ok := writtenname.Parse(query)
	return ok && (w.Path != "" && len(w.Parts)+w.Line > 0 || len(w.Parts) > 1) && slices.ContainsFunc(f.hits, func(h found) bool { return h.rank == 0 })
}

// weight orders entities of equal names: from 0 to 1, higher the more edges reach one, the less deep it lies, and for
// classes and functions before files and directories.
func (f *finder) weight(n uint32) float64 {
	in := math.Log1p(float64(f.g.Reached(n)))
	w := .6 * in / (in + 3)
	id := f.g.ID(n)
	w += .2 / float64(1+strings.Count(id[len(f.g.Path(n)):], ".")) // the root's id is its path
	switch f.g.Kind(n) {
	case model.Class:
		w += .2
	case model.Function:
		w += .15
	case model.File:
		w += .1
	}
	return w
}

// grades are the scores of names by Match.Grade.
var grades = [...]float64{.95, .85, .8, .7}

// byName finds names, strictest first.
func (f *finder) byName(query string) {
	if query == "" {
		return
	}
	if f.resolved(query, 0); f.whole(query) {
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

// resolved adds what a written name means, with less off the score.
func (f *finder) resolved(name string, less float64) {
	w, ok := writtenname.Parse(name)
	place := ok && w.Path != "" // who writes the path of a test wants to see it
	list := Resolve(f.g, name)
	// A name that only generated code has means that code.
	only := !slices.ContainsFunc(list, func(m Match) bool {
		return !m.Fold && !f.g.IsGenerated(m.Node) && (f.opt.Tests || !f.g.IsTest(m.Node))
	})
	for _, m := range list {
		score := grades[m.Grade] + .05*f.weight(m.Node) - less
		match := "exact"
		if m.Fold {
			match = "case"
		}
		tests := f.opt.Tests || place && !m.Fold
		f.addIf(m.Node, match, score, tests, f.opt.Generated || (place || only) && !m.Fold)
	}
}

var (
	codeName = lazyregexp.New(`[\pL\pN_$./:#\\-]*(?:[\pL\pN]_[\pL\pN]|_[\pL\pN]|[\pL\pN][.:/#][\pL\pN_]|::|\p{Ll}\p{Lu}|[\pL\pN]\(\))[\pL\pN_$./:#()-]*`)
)

// maxMentioned bounds the names looked up in one query.
const maxMentioned = 16

// mentioned adds the names that stand among other words and are written as code is: with an underscore, in camel case,
// with a dot, a colon, a slash or parentheses inside.
func (f *finder) mentioned(query string) {
	for i, w := range codeName.FindAllString(query, maxMentioned) { // what is named first is likely what is meant
		f.resolved(strings.Trim(w, ".:/#-"), .3+.01*float64(i))
	}
}

// owned tells whether the names before the last of a written name stand in an id.
func (f *finder) owned(n uint32, w writtenname.Name) bool {
	id := strings.ToLower(f.g.ID(n))
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
	for name := range f.s.WithPrefix(last) {
		for _, n := range f.s.Named(name) {
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
		for name := range f.s.WithPrefix("") {
			d := distance(last, name, most)
			if d > most {
				continue
			}
			for _, n := range f.s.Named(name) {
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

// plainShare is the weight of hits in prose, which has the words of a question more often than code does.
const plainShare = .5

// inBodies adds what fits by the words of bodies, those of a question as [rank] orders it.
func inBodies(ctx context.Context, finders []*finder, read string, res *SearchResult) error {
	q := relevance.Read(read)
	w := &wording{terms: text.Terms(read)}
	var err error
	if isQuestion(read) {
		w, err = word(finders, q)
	} else {
		q = nil
		w.by, err = statistics(finders, w.terms)
	}
	if err != nil {
		return err
	}
	res.Readings = w.readings
	var list []found
	for _, f := range finders {
		for _, h := range f.s.Search(w.by, w.terms, w.weigh, func(n uint32) bool { return !f.found[n] && f.allowed(n, f.opt.Tests, f.opt.Generated) }) {
			if f.g.IsPlain(h.Node) {
				h.Score *= plainShare
			}
			list = append(list, found{in: f, node: h.Node, score: h.Score})
		}
		if err := f.s.Err(); err != nil {
			return err
		}
	}
	if q != nil {
		rank(q, list)
	}
	if isPlain(read) {
		near, err := nearest(ctx, finders, read, func(f *finder, n uint32) bool { return !f.found[n] && f.allowed(n, f.opt.Tests, f.opt.Generated) })
		if err != nil {
			return err
		}
		if near != nil {
			list = near.fuse(finders, list)
			res.Compared, res.VectorsError = near.compared, near.failed
		}
	}
	for _, h := range list {
		if h.in.found[h.node] || !h.in.allowed(h.node, h.in.opt.Tests, h.in.opt.Generated) {
			continue
		}
		h.rank = len(matches) - 1
		h.in.found[h.node] = true
		delete(h.in.generated, h.node)
		h.in.hits = append(h.in.hits, h)
	}
	return nil
}

// Under tells whether a path is one of paths, is below one, or matches one as a pattern. Without paths all are.
func Under(at string, paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		ok, _ := path.Match(p, at) // checked before
		return ok || at == p || strings.HasPrefix(at, p+"/")
	})
}
