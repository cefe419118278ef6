package codegraph

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// A locator is what [Graph.Locate] knows of a graph before it is asked.
type locator struct {
	g       *Graph
	s       *wordSearch
	lengths []uint32            // of each slot: the words of all that is in it
	kinds   []slotKind          // of each slot
	files   int                 // slots that are files
	mean    float64             // length of files
	entity  float64             // length of entities
	paths   map[string][]uint32 // files by the stemmed words of their paths
	bases   map[string][]uint32 // by their names, in lower case
	words   []uint8             // of each slot: number of words of its path
}

// A slotKind says what a file is for the ranking.
type slotKind uint8

const (
	slotNone slotKind = 1 << iota // no file
	slotTest
	slotMade  // generated or vendored
	slotPlain // of no language that we know
	slotAside // beside the code: examples, benchmarks, documentation, scripts
)

// locator gives the graph's, made when it is first asked for.
func (g *Graph) locator() *locator {
	if g.over != nil {
		return g.over.base.locator()
	}
	g.locOnce.Do(func() { g.loc = newLocator(g) })
	return g.loc
}

func newLocator(g *Graph) *locator {
	l := &locator{g: g, s: g.wordsearch(), lengths: make([]uint32, len(g.slots)), kinds: make([]slotKind, len(g.slots)), words: make([]uint8, len(g.slots)),
		paths: map[string][]uint32{}, bases: map[string][]uint32{}}
	s := l.s
	for i := range s.stay {
		if s.stay[i] {
			for d := s.first[i]; d < s.first[i+1]; d++ {
				l.lengths[i] += s.base.Bodies.Length(d)
			}
		}
	}
	for _, later := range s.later {
		for d := range later.Bodies.Docs {
			l.lengths[later.slot] += later.Bodies.Length(d)
		}
	}
	total, entities := uint64(0), 0
	stems := map[string][]string{} // of parts of paths
	for i := range g.slots {
		b := g.slots[i].b
		if b == nil || b.Flag(block.FlagDir) {
			l.kinds[i] = slotNone
			continue
		}
		l.files++
		total += uint64(l.lengths[i])
		entities += b.Lives
		p := g.slots[i].path
		if b.Test(0) {
			l.kinds[i] |= slotTest
		}
		if b.Flag(block.FlagVendored | block.FlagGenerated) {
			l.kinds[i] |= slotMade
		}
		if codec.Uint32(b.Raw, block.HeaderLang) == 0 {
			l.kinds[i] |= slotPlain
		}
		if isAside(p) {
			l.kinds[i] |= slotAside
		}
		base := strings.ToLower(path.Base(p))
		l.bases[base] = append(l.bases[base], uint32(i))
		seen := map[string]bool{}
		for c := range strings.SplitSeq(p, "/") {
			words, ok := stems[c]
			if !ok {
				for _, w := range text.SplitIdent(sourcetext.Stem(c)) {
					words = append(words, text.Stem(w))
				}
				stems[c] = words
			}
			for _, w := range words {
				if !seen[w] {
					seen[w] = true
					l.paths[w] = append(l.paths[w], uint32(i))
				}
			}
		}
		l.words[i] = uint8(min(len(seen), 255))
	}
	if l.files > 0 {
		l.mean, l.entity = float64(total)/float64(l.files), float64(total)/float64(max(entities, 1))
	}
	l.sources()
	return l
}

// sources takes the mark of a test off files that have it by a folder named test or testing alone and that code which is
// no test imports: they are what tests are written with, such as django/test.
func (l *locator) sources() {
	g := l.g
	var candidates []uint32
	for i := range g.slots {
		if l.kinds[i]&(slotNone|slotTest) == slotTest && byFolderAlone(g.slots[i].path) {
			candidates = append(candidates, uint32(i))
		}
	}
	for again := true; again; {
		again = false
		for i, s := range candidates {
			if l.kinds[s]&slotTest != 0 && l.imported(s) {
				l.kinds[s] &^= slotTest
				again = i > 0 // what it imports may stand before it
			}
		}
	}
}

// imported tells whether code that is no test imports a file, what is in it, or its folder as a package.
func (l *locator) imported(s uint32) bool {
	if dir, ok := l.g.slotAt(parentPath(l.g.slots[s].path)); ok && l.importedBy(dir, s) {
		return true
	}
	return l.importedBy(s, s)
}

// importedBy tells whether code that is no test, and not the file itself, imports a folder or a file or what is in it.
func (l *locator) importedBy(of, s uint32) bool {
	b := l.g.slots[of].b
	for n := range b.Nodes {
		if !b.Live(n) {
			continue
		}
		for e := range l.g.adjacent(l.g.nodeAt[of]+n, true) {
			if l.g.edgeKind(e) == model.Import {
				src, _ := l.g.ends(e)
				if t, _ := l.g.place(src); t != s && l.kinds[t]&(slotNone|slotTest) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// byFolderAlone tells whether a file is taken for a test because of folders named test or testing that are not the outermost, and of
// nothing else.
func byFolderAlone(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	for i, d := range dirs {
		if (d == "test" || d == "testing") && i > 0 {
			dirs[i] = "_"
		}
	}
	return !sourcetext.IsTestPath(path.Join(path.Join(dirs...), path.Base(p)))
}

// asideFolders are the folders of code that shows, measures or builds what a repository is for.
var asideFolders = map[string]bool{
	"example": true, "examples": true, "_examples": true, "demo": true, "demos": true, "sample": true, "samples": true, "tutorial": true, "tutorials": true, "galleries": true,
	"bench": true, "benches": true, "benchmark": true, "benchmarks": true, "asv_bench": true, "asv_benchmarks": true, "playground": true, "playgrounds": true, "sandbox": true,
	"doc": true, "docs": true, "documentation": true, "website": true, "site": true, "sites": true, "scripts": true, "script": true, "ci": true, ".github": true, ".circleci": true,
	"fixtures": true, "__fixtures__": true, "e2e": true, "fuzz": true,
}

// isAside tells a file beside the code by its folders, or by its name: what configures a build, or declares types alone.
func isAside(p string) bool {
	for dir := path.Dir(p); dir != "." && dir != "/"; dir = path.Dir(dir) {
		d := strings.ToLower(path.Base(dir))
		if asideFolders[d] || strings.HasPrefix(d, "test-") || strings.HasPrefix(d, "test_") || strings.HasPrefix(d, "tests-") || strings.HasPrefix(d, "tests_") {
			return true
		}
	}
	name := strings.ToLower(path.Base(p))
	s := sourcetext.Stem(name)
	return strings.HasSuffix(name, ".d.ts") || strings.HasSuffix(s, ".config") || s == "gulpfile" || s == "gruntfile"
}
