package locate

import (
	"cmp"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/codegraph/internal/report"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/internal/writtenname"
	"github.com/findspot/findspot/internal/bm25"
)

// A ranking is the work on one report in one graph.
type ranking struct {
	member query.Member
	l      *Locator
	g      *snapshot.Graph
	w      *Weights
	r      *report.Report
	q      *report.Words

	idf     []float64                      // of each term, as entities hold it
	sig     [numWeights][]float64          // of each signal of files the score of each slot
	body    []float64                      // of each node: BM25
	lead    []float64                      // of the words of the title alone
	lookups int                            // entities that names were looked up among
	ent     [numWeights]map[uint32]float64 // of each signal of classes and functions the score of nodes
	reasons map[reasonKey][]string

	// Known once the files of all graphs are scored.
	top   *[numWeights]float64 // of each signal the most of any file or entity
	past  *past                // nil for none
	meant bool                 // vectors were compared
	best  map[uint32]float64   // of each file that is shown the most of body
}

// A reasonKey is what reasons are found by: a signal, and a file or entity.
type reasonKey struct {
	weight factor
	node   uint32
}

// A ranked is a node with its score.
type ranked struct {
	in    *ranking
	node  uint32
	score float64
}

func newRanking(m Member, w *Weights, rep *report.Report, q *report.Words, history *History) *ranking {
	l := m.Locator
	r := &ranking{member: query.Member{Name: m.Name, Graph: l.g, Vectors: m.Vectors}, l: l, g: l.g, w: w, r: rep, q: q, reasons: map[reasonKey][]string{}, best: map[uint32]float64{}}
	for i := wFile; i <= wTogether; i++ {
		r.sig[i] = make([]float64, len(l.g.Slots))
	}
	for i := eBody; i <= eMeaning; i++ {
		r.ent[i] = map[uint32]float64{}
	}
	nodes, _ := l.g.Numbers()
	r.body = make([]float64, nodes)
	r.lead = make([]float64, len(r.body))
	r.idf = make([]float64, len(q.Terms))
	r.words()
	r.pathWords()
	r.names()
	r.covered()
	r.places()
	if history != nil {
		r.past = newPast(r.g, history)
		r.history()
	}
	return r
}

// addReason keeps a word of the report that a signal found.
func (r *ranking) addReason(w factor, n uint32, word string) {
	k := reasonKey{w, n}
	if list := r.reasons[k]; len(list) < maxWords && !slices.Contains(list, word) {
		r.reasons[k] = append(list, word)
	}
}

const (
	maxWords = 5  // words of a reason
	maxShown = 12 // words that lines and reasons are searched for
)

// words scores entities and files by the words that they hold.
func (r *ranking) words() {
	type posting struct{ node, count, length uint32 }
	var list []posting
	type run struct{ slot, count uint32 }
	var runs []run
	l := r.l
	file := r.sig[wFile]
	for i, t := range r.q.Terms {
		list, runs = list[:0], runs[:0]
		slot, end := uint32(0), uint32(0)
		l.s.Each(snapshot.Bodies, t.Term, func(n, count, length uint32) {
			list = append(list, posting{n, count, length})
			if n >= end || n < l.g.NodeAt[slot] {
				slot, _ = l.g.Place(n)
				end = l.g.NodeAt[slot+1]
				if l.kinds[slot]&slotNone == 0 {
					runs = append(runs, run{slot, 0})
				}
			}
			if l.kinds[slot]&slotNone == 0 {
				runs[len(runs)-1].count += count
			}
		})
		if len(list) == 0 {
			continue
		}
		idf := t.Weight * bm25.IDF(l.s.Docs, len(list))
		r.idf[i] = idf
		for _, p := range list {
			x := bm25.WeightBy(r.w[wK1], r.w[wB], idf, float64(p.count), float64(p.length), l.entity)
			r.body[p.node] += x
			if t.Title {
				r.lead[p.node] += x
			}
		}
		idf = t.Weight * bm25.IDF(l.files, len(runs))
		for _, p := range runs {
			file[p.slot] += bm25.WeightBy(r.w[wFileK1], r.w[wFileB], idf, float64(p.count), float64(l.lengths[p.slot]), l.mean)
		}
	}
	best, three := r.sig[wBest], r.sig[wThree]
	for s := range r.g.Slots {
		if r.l.kinds[s]&slotNone != 0 || file[s] == 0 {
			continue
		}
		var a, b, c float64
		for _, x := range r.body[r.g.NodeAt[s]:r.g.NodeAt[s+1]] {
			switch {
			case x > a:
				a, b, c = x, a, b
			case x > b:
				b, c = x, b
			case x > c:
				c = x
			}
		}
		best[s], three[s] = a, a+b+c
		r.sig[wLead][s] = slices.Max(r.lead[r.g.NodeAt[s]:r.g.NodeAt[s+1]])
	}
}

// pathWords scores files by the words of their paths.
func (r *ranking) pathWords() {
	l := r.l
	for _, t := range r.q.Terms {
		list := l.paths[t.Term]
		if len(list) == 0 {
			continue
		}
		idf := t.Weight * bm25.IDF(l.files, len(list))
		for _, s := range list {
			r.sig[wPath][s] += idf / (1 + .15*float64(l.words[s]))
			r.addReason(wPath, r.g.NodeAt[s], t.Term)
		}
	}
	for _, scope := range r.r.Scopes {
		want := strings.Split(scope, "/")
		for s := range r.g.Slots {
			if l.kinds[s]&slotNone != 0 {
				continue
			}
			if x := inScope(strings.ToLower(r.g.Slots[s].Path), want); x > 0 {
				r.sig[wScope][s] = max(r.sig[wScope][s], x)
				r.addReason(wScope, r.g.NodeAt[s], scope)
			}
		}
	}
}

// inScope tells how well a path, in lower case, fits what a title begins with: 1 for a folder or file of that name, less for
// what lies deeper or has more in its name.
func inScope(p string, want []string) float64 {
	own := strings.Split(p, "/")
	own[len(own)-1] = sourcetext.Stem(own[len(own)-1])
	best := 0.
	for i := 0; i+len(want) <= len(own); i++ {
		if slices.Equal(own[i:i+len(want)], want) {
			best = max(best, 1/(1+.2*float64(max(len(own)-i-len(want)-1, 0))))
		}
	}
	return best
}

// names scores what has the names that stand in the report.
func (r *ranking) names() {
	for _, m := range r.q.Names {
		if len(m.Parts) > 1 {
			r.qualified(m)
		}
		last := m.Parts[len(m.Parts)-1]
		nodes := r.exact(last)
		if len(nodes) == 0 || len(nodes) > 60 {
			continue
		}
		x := m.Weight / math.Pow(float64(len(nodes)), r.w[wRare])
		for _, n := range nodes {
			if m.Plain {
				r.ent[eWord][n] += x
				r.addReason(eWord, n, last)
				continue
			}
			s, _ := r.g.Place(n)
			r.sig[wNamed][s] += x
			r.ent[eNamed][n] += x
			r.addReason(wNamed, r.g.NodeAt[s], last)
			r.addReason(eNamed, n, last)
		}
	}
}

// covered scores what has a name whose parts are words of the report: the more of the name, the rarer the parts, the better.
func (r *ranking) covered() {
	type part struct{ node, length uint32 }
	var list []part
	score, parts := make([]float64, len(r.body)), make([]uint8, len(r.body))
	var found []part
	for _, t := range r.q.Terms {
		list = list[:0]
		r.l.s.Each(snapshot.Parts, t.Term, func(n, _, length uint32) { list = append(list, part{n, length}) })
		if len(list) == 0 {
			continue
		}
		idf := t.Weight * bm25.IDF(r.l.s.Docs, len(list))
		for _, p := range list {
			if p.length < 2 || parts[p.node] == math.MaxUint8 {
				continue // a name of one word is what words score
			}
			if score[p.node] += idf; parts[p.node] == 1 {
				found = append(found, p)
			}
			parts[p.node]++
		}
	}
	for _, p := range found {
		s, i := r.g.Place(p.node)
		if r.l.kinds[s]&slotNone != 0 {
			continue
		}
		share := float64(parts[p.node]) / float64(p.length)
		x := score[p.node] * share * share
		r.sig[wCovered][s] = max(r.sig[wCovered][s], x)
		if i > 0 {
			r.ent[eCovered][p.node] = x
		}
	}
}

// exact gives the classes and functions with a name in exact case; test code only when there is no other.
func (r *ranking) exact(name string) []uint32 {
	var out, tests []uint32
	r.l.s.Each(snapshot.Names, strings.ToLower(name), func(n, _, _ uint32) {
		s, i := r.g.Place(n)
		if i == 0 || r.l.kinds[s]&slotNone != 0 || r.g.Slots[s].Block.Name(i) != name {
			return
		}
		if r.l.kinds[s]&(slotTest|slotGenerated) != 0 || r.g.Slots[s].Block.Test(i) && r.l.kinds[s]&slotTest == 0 {
			tests = append(tests, n)
		} else {
			out = append(out, n)
		}
	})
	if len(out) == 0 {
		return tests
	}
	return out
}

// Bounds of looking up qualified names: entities with their last names for all of a report, and for how many a look-up counts that
// finds none.
const (
	maxLookups  = 400_000
	emptyLookup = 100
)

// qualified scores what a qualified name leads to.
func (r *ranking) qualified(m report.Name) {
	parts := m.Parts
	for len(parts) > 1 && r.lookups < maxLookups {
		r.lookups += emptyLookup
		r.l.s.Each(snapshot.Names, strings.ToLower(parts[len(parts)-1]), func(_, _, _ uint32) { r.lookups++ })
		nodes := query.Resolve(r.g, strings.Join(parts, "."))
		var best []uint32
		for _, x := range nodes {
			if !x.Fold && (len(best) == 0 || x.Grade == nodes[0].Grade) {
				best = append(best, x.Node)
			}
		}
		if len(best) > 0 && len(best) <= 20 {
			x := m.Weight * float64(len(parts)) / float64(len(m.Parts)) / math.Pow(float64(len(best)), r.w[wRare])
			for _, n := range best {
				s, _ := r.g.Place(n)
				if r.l.kinds[s]&slotNone != 0 {
					continue
				}
				r.sig[wModule][s] += x
				r.ent[eModule][n] += x
				r.addReason(wModule, r.g.NodeAt[s], strings.Join(m.Parts, "."))
				r.addReason(eModule, n, strings.Join(m.Parts, "."))
			}
			return
		}
		parts = parts[:len(parts)-1]
	}
}

// places scores what tracebacks and paths lead to.
func (r *ranking) places() {
	depth := 0
	for _, f := range r.r.Frames {
		if f.Last {
			depth = 0
		}
		s, ok := r.fileOf(f.Path)
		if !ok {
			continue
		}
		x := math.Pow(.75, float64(depth))
		if r.l.kinds[s]&slotTest == 0 {
			depth++
		}
		r.sig[wFrame][s] = max(r.sig[wFrame][s], x)
		r.addReason(wFrame, r.g.NodeAt[s], f.String())
		if n, ok := r.nodeOf(s, f); ok {
			r.ent[eFrame][n] = max(r.ent[eFrame][n], x)
			r.addReason(eFrame, n, f.String())
		}
	}
	for _, p := range r.q.Places {
		place, line := p.Path, 0
		if w, ok := writtenname.Parse(p.Path); ok && w.Line > 0 {
			place, line = w.Path, w.Line
		}
		if s, ok := r.fileOf(place); ok {
			r.sig[wPlace][s] = max(r.sig[wPlace][s], p.Weight)
			r.addReason(wPlace, r.g.NodeAt[s], p.Path)
			if line > 0 {
				if n, ok := r.nodeOf(s, report.Frame{Line: line}); ok {
					r.ent[eFrame][n] = max(r.ent[eFrame][n], .5)
					r.addReason(eFrame, n, p.Path)
				}
			}
		}
	}
}

// fileOf gives the file that a path from another machine means: the one that shares most of its end, if that is more than the name alone or
// no other file has that name.
func (r *ranking) fileOf(p string) (uint32, bool) {
	parts := strings.Split(strings.Trim(p, "/"), "/")
	var best []uint32
	most, mostSame := 0, 0
	for _, s := range r.l.bases[strings.ToLower(parts[len(parts)-1])] {
		n, same := sameEnd(r.g.Slots[s].Path, parts)
		switch c := cmp.Or(cmp.Compare(n, most), cmp.Compare(same, mostSame)); {
		case n == 0 || c < 0:
			continue
		case c > 0:
			most, mostSame, best = n, same, best[:0]
		}
		best = append(best, s)
	}
	if len(best) > 1 { // sources before tests
		code := slices.DeleteFunc(slices.Clone(best), func(s uint32) bool { return r.l.kinds[s] != 0 })
		if len(code) > 0 {
			best = code
		}
	}
	if len(best) != 1 {
		return 0, false
	}
	// A frame in an installed package that shares only the file's name is of another package.
	installed := strings.Contains(p, "site-packages") || strings.HasPrefix(p, "/usr/")
	if most == 1 && installed && strings.Contains(r.g.Slots[best[0]].Path, "/") {
		return 0, false
	}
	return best[0], true
}

// sameEnd counts the names at the end of a path that equal those of another ignoring case, and those that equal them exactly.
func sameEnd(p string, parts []string) (n, same int) {
	for n < len(parts) {
		i := strings.LastIndexByte(p, '/')
		own, other := p[i+1:], parts[len(parts)-1-n]
		if !strings.EqualFold(own, other) {
			break
		}
		n++
		if own == other {
			same++
		}
		if i < 0 {
			break
		}
		p = p[:i]
	}
	return n, same
}

// nodeOf gives the class or function that a frame stands in: by its name, else by the line.
func (r *ranking) nodeOf(s uint32, f report.Frame) (uint32, bool) {
	b := r.g.Slots[s].Block
	name := f.Name
	if i := strings.LastIndexAny(name, ".:/#"); i >= 0 {
		name = name[i+1:]
	}
	found, near := uint32(0), 1<<30
	for n := uint32(1); n < b.Nodes; n++ {
		if !b.Live(n) || name == "" || b.Name(n) != name {
			continue
		}
		if d := max(int(b.Node(n, block.NodeLine))-f.Line, f.Line-int(b.Node(n, block.NodeEndLine)), 0); d < near {
			found, near = n, d
		}
	}
	if found > 0 {
		return r.g.NodeAt[s] + found, true
	}
	if f.Line > 0 && (name == "" || name[0] == '<' || name[0] == '{') {
		if n, ok := r.g.Enclosing(r.g.Slots[s].Path, f.Line); ok && n != r.g.NodeAt[s] {
			return n, true
		}
	}
	return 0, false
}
