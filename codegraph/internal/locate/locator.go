package locate

import (
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// A Locator is what [Locate] knows of a graph before it is asked.
type Locator struct {
	g       *snapshot.Graph
	s       *snapshot.Words
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
	slotGenerated // generated or vendored
	slotPlain     // of no language that we know
	slotAside     // beside the code: examples, benchmarks, documentation, scripts
)

// New prepares a graph, or the one below its overlay.
func New(g *snapshot.Graph) *Locator {
	if o := g.Overlay(); o != nil {
		g = o.Base
	}
	words := g.Words()
	l := &Locator{g: g, s: words, lengths: words.Lengths(), kinds: make([]slotKind, len(g.Slots)), words: make([]uint8, len(g.Slots)),
		paths: map[string][]uint32{}, bases: map[string][]uint32{}}
	total, entities := uint64(0), 0
	stems := map[string][]string{} // of parts of paths
	for i := range g.Slots {
		b := g.Slots[i].Block
		if b == nil || b.Flag(block.FlagDir) {
			l.kinds[i] = slotNone
			continue
		}
		l.files++
		total += uint64(l.lengths[i])
		entities += b.Lives
		p := g.Slots[i].Path
		if b.Test(0) {
			l.kinds[i] |= slotTest
		}
		if b.Flag(block.FlagVendored | block.FlagGenerated) {
			l.kinds[i] |= slotGenerated
		}
		if codec.Uint32(b.Raw, block.HeaderLang) == 0 {
			l.kinds[i] |= slotPlain
		}
		if sourcetext.IsAsidePath(p) {
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

// sources unmarks files as tests that count as such only by a folder named test or testing, and that other code imports: tests are written
// with them, as with django/test.
func (l *Locator) sources() {
	g := l.g
	var candidates []uint32
	for i := range g.Slots {
		if l.kinds[i]&(slotNone|slotTest) == slotTest && byFolderAlone(g.Slots[i].Path) {
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

// imported tells whether non-test code imports a file, what is in it, or its folder as a package.
func (l *Locator) imported(s uint32) bool {
	if dir, ok := l.g.SlotAt(snapshot.ParentPath(l.g.Slots[s].Path)); ok && l.importedBy(dir, s) {
		return true
	}
	return l.importedBy(s, s)
}

// importedBy tells whether non-test code outside the file s imports a folder or file or what is in it.
func (l *Locator) importedBy(of, s uint32) bool {
	b := l.g.Slots[of].Block
	for n := range b.Nodes {
		if !b.Live(n) {
			continue
		}
		for e := range l.g.Adjacent(l.g.NodeAt[of]+n, true) {
			if l.g.EdgeKind(e) == model.Import {
				src, _ := l.g.Ends(e)
				if t, _ := l.g.Place(src); t != s && l.kinds[t]&(slotNone|slotTest) == 0 {
					return true
				}
			}
		}
	}
	return false
}

// byFolderAlone tells whether a file counts as a test only because of inner folders named test or testing.
func byFolderAlone(p string) bool {
	dirs := strings.Split(path.Dir(p), "/")
	for i, d := range dirs {
		if (d == "test" || d == "testing") && i > 0 {
			dirs[i] = "_"
		}
	}
	return !sourcetext.IsTestPath(path.Join(path.Join(dirs...), path.Base(p)))
}
