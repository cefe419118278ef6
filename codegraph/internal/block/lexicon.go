package block

import (
	"path"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// Words are the words of a block's entities, by local number.
type Words struct {
	Path string
	B    *Block
	List *sourcetext.WordCounts // what they are made from, while it is at hand
	Raw  [3][]byte              // else the index of them, as it was saved

	once sync.Once
	made *WordIndex
	err  error
}

// NewWords are the words of a block, made from what was counted in its source.
func NewWords(path string, b *Block, list *sourcetext.WordCounts) *Words {
	return &Words{Path: path, B: b, List: list}
}

// A WordIndex finds documents by words: words of their bodies and names, last names in lower case, and the stemmed parts of names.
type WordIndex struct{ Bodies, Names, Parts *postings.Index }

// Covers tells whether an index is one of a number of documents.
func (w *WordIndex) Covers(docs uint32) bool {
	return w.Bodies.Docs == docs && w.Names.Docs == docs && w.Parts.Docs == docs
}

// indexers gather a wordIndex.
type indexers struct{ bodies, names, parts *postings.Builder }

func newIndexers() *indexers {
	return &indexers{postings.NewBuilder(), postings.NewBuilder(), postings.NewBuilder()}
}

// add gathers the words of a block whose first entity is document first.
func (x *indexers) add(w *Words, first uint32, ids map[uint32]uint32) {
	for n := range w.B.Nodes {
		if !w.B.Live(n) {
			continue
		}
		doc := first + n
		name := NameOf(w.Path, w.B, n)
		lower := strings.ToLower(name)
		x.names.Add(x.names.ID(lower), doc, 1)
		if n == 0 && !w.B.Flag(FlagDir) {
			if s := sourcetext.Stem(lower); s != lower {
				x.names.Add(x.names.ID(s), doc, 1)
			}
		}
		for _, p := range text.SplitIdent(sourcetext.Stem(name)) {
			p = text.Stem(p)
			x.parts.Add(x.parts.ID(p), doc, 1)
			x.bodies.Add(x.bodies.ID(p), doc, 2) // a name says more than what stands in the body
		}
		if w.List == nil {
			continue
		}
		terms := w.List.Vocabulary.Terms()
		for word, count := range w.List.Body(w.B.Node(n, NodeDecl)) {
			id, ok := ids[word]
			if !ok {
				id = x.bodies.ID(terms[word])
				ids[word] = id
			}
			x.bodies.Add(id, doc, count)
		}
	}
}

func (x *indexers) finish(docs uint32) (bodies, names, parts []byte) {
	return x.bodies.Finish(docs), x.names.Finish(docs), x.parts.Finish(docs)
}

func parseWordIndex(bodies, names, parts []byte) (*WordIndex, error) {
	var out WordIndex
	var err error
	for _, f := range []struct {
		raw []byte
		to  **postings.Index
	}{{bodies, &out.Bodies}, {names, &out.Names}, {parts, &out.Parts}} {
		if *f.to, err = postings.Parse(f.raw); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// Index gives the words of one block as an index of its own.
func (w *Words) Index() (*WordIndex, error) {
	w.once.Do(func() {
		if w.Raw[0] == nil {
			x := newIndexers()
			x.add(w, 0, map[uint32]uint32{})
			w.Raw[0], w.Raw[1], w.Raw[2] = x.finish(w.B.Nodes)
		}
		w.made, w.err = parseWordIndex(w.Raw[0], w.Raw[1], w.Raw[2])
	})
	return w.made, w.err
}

// A Lexicon is the index of the words of most blocks of a graph: of those that it was made from and that are still there.
type Lexicon struct {
	First  []uint32 // by slot: its first document
	Blocks []*Words // by slot: what it was made from

	// load gives the index when it is first needed.
	Load func() (*WordIndex, error)
}

// NewLexicon makes the lexicon of blocks, by slot, whose first entities have some numbers.
func NewLexicon(first []uint32, blocks []*Words) *Lexicon {
	l := &Lexicon{First: first, Blocks: blocks}
	l.Load = sync.OnceValues(func() (*WordIndex, error) { return parseWordIndex(l.Gather()) })
	return l
}

// Gather writes the index of blocks whose words are at hand.
func (l *Lexicon) Gather() (bodies, names, parts []byte) {
	x := newIndexers()
	vocabularies := map[*text.Vocabulary]map[uint32]uint32{}
	for i, w := range l.Blocks {
		if w == nil {
			continue
		}
		var ids map[uint32]uint32
		if w.List != nil {
			if ids = vocabularies[w.List.Vocabulary]; ids == nil {
				ids = map[uint32]uint32{}
				vocabularies[w.List.Vocabulary] = ids
			}
		}
		x.add(w, l.First[i], ids)
	}
	return x.finish(l.First[len(l.First)-1])
}

// NameOf gives the last name of a node.
func NameOf(p string, b *Block, n uint32) string {
	if n == 0 {
		return path.Base(p)
	}
	return b.Name(n)
}
