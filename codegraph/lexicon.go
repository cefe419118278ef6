package codegraph

import (
	"path"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/internal/postings"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/text"
)

// entityWords are the words of a block's entities, by local number.
type entityWords struct {
	path string
	b    *block
	list *wordList // what they are made from, while it is at hand
	raw  [3][]byte // else the index of them, as it was saved

	once sync.Once
	made *wordIndex
	err  error
}

func newEntityWords(path string, b *block, list *wordList) *entityWords {
	return &entityWords{path: path, b: b, list: list}
}

// A wordIndex finds documents by words: words of their bodies and names, last names in lower case, and the stemmed parts of names.
type wordIndex struct{ bodies, names, parts *postings.Index }

// covers tells whether an index is one of a number of documents.
func (w *wordIndex) covers(docs uint32) bool {
	return w.bodies.Docs == docs && w.names.Docs == docs && w.parts.Docs == docs
}

// indexers gather a wordIndex.
type indexers struct{ bodies, names, parts *postings.Builder }

func newIndexers() *indexers {
	return &indexers{postings.NewBuilder(), postings.NewBuilder(), postings.NewBuilder()}
}

// add gathers the words of a block whose first entity is document first.
func (x *indexers) add(w *entityWords, first uint32, ids map[uint32]uint32) {
	for n := range w.b.nodes {
		if !w.b.live(n) {
			continue
		}
		doc := first + n
		name := nodeName(w.path, w.b, n)
		lower := strings.ToLower(name)
		x.names.Add(x.names.ID(lower), doc, 1)
		if n == 0 && !w.b.flag(flagDir) {
			if s := sourcetext.Stem(lower); s != lower {
				x.names.Add(x.names.ID(s), doc, 1)
			}
		}
		for _, p := range text.SplitIdent(sourcetext.Stem(name)) {
			p = text.Stem(p)
			x.parts.Add(x.parts.ID(p), doc, 1)
			x.bodies.Add(x.bodies.ID(p), doc, 2) // a name says more than what stands in the body
		}
		if w.list == nil {
			continue
		}
		terms := w.list.v.Terms()
		for word, count := range w.list.body(w.b.node(n, ndDecl)) {
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

func parseWordIndex(bodies, names, parts []byte) (*wordIndex, error) {
	var out wordIndex
	var err error
	for _, f := range []struct {
		raw []byte
		to  **postings.Index
	}{{bodies, &out.bodies}, {names, &out.names}, {parts, &out.parts}} {
		if *f.to, err = postings.Parse(f.raw); err != nil {
			return nil, err
		}
	}
	return &out, nil
}

// index gives the words of one block as an index of its own.
func (w *entityWords) index() (*wordIndex, error) {
	w.once.Do(func() {
		if w.raw[0] == nil {
			x := newIndexers()
			x.add(w, 0, map[uint32]uint32{})
			w.raw[0], w.raw[1], w.raw[2] = x.finish(w.b.nodes)
		}
		w.made, w.err = parseWordIndex(w.raw[0], w.raw[1], w.raw[2])
	})
	return w.made, w.err
}

// A lexicon is the index of the words of most blocks of a graph: of those that it was made from and that are still there.
type lexicon struct {
	first  []uint32       // by slot: its first document
	blocks []*entityWords // by slot: what it was made from

	// load gives the index when it is first needed.
	load func() (*wordIndex, error)
}

// newLexicon makes the lexicon of blocks, by slot, whose first entities have some numbers.
func newLexicon(first []uint32, blocks []*entityWords) *lexicon {
	l := &lexicon{first: first, blocks: blocks}
	l.load = sync.OnceValues(func() (*wordIndex, error) { return parseWordIndex(l.gather()) })
	return l
}

// gather writes the index of blocks whose words are at hand.
func (l *lexicon) gather() (bodies, names, parts []byte) {
	x := newIndexers()
	vocabularies := map[*text.Vocabulary]map[uint32]uint32{}
	for i, w := range l.blocks {
		if w == nil {
			continue
		}
		var ids map[uint32]uint32
		if w.list != nil {
			if ids = vocabularies[w.list.v]; ids == nil {
				ids = map[uint32]uint32{}
				vocabularies[w.list.v] = ids
			}
		}
		x.add(w, l.first[i], ids)
	}
	return x.finish(l.first[len(l.first)-1])
}

// nodeName gives the last name of a node.
func nodeName(p string, b *block, n uint32) string {
	if n == 0 {
		return path.Base(p)
	}
	return b.name(n)
}
