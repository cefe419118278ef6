package codegraph

import (
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

// A key names a record: the content, and how it was read.
type key struct {
	hash    [32]byte
	lang    string
	ext     string
	version int
}

// write appends a key.
func (k *key) write(w *codec.Writer) {
	w.Buf = append(w.Buf, k.hash[:]...)
	w.Text(k.lang)
	w.Text(k.ext)
	w.Uint(uint64(k.version))
}

// readKey reads what write wrote.
func readKey(r *codec.Reader) (k key) {
	if len(r.Buf) < len(k.hash) {
		r.Bad, r.Buf = true, nil
		return k
	}
	copy(k.hash[:], r.Buf)
	r.Buf = r.Buf[len(k.hash):]
	k.lang, k.ext, k.version = r.Text(), r.Text(), int(r.Uint())
	return k
}

// A record is what is kept of one file's bytes: the facts, and the words of each body for full-text search.
type record struct {
	facts  []byte                 // in their byte form, or nil when they are at hand as they are saved
	packed []byte                 // as they are saved, or nil
	pkg    string                 // Facts.Package
	words  *sourcetext.WordCounts // nil when they are not at hand
}

func newRecord(f *lang.Facts, words *sourcetext.WordCounts) *record {
	return &record{facts: f.Append(nil), pkg: f.Package, words: words}
}

// pack gives the facts as they are saved.
func (r *record) pack() []byte {
	if r.packed != nil {
		return r.packed
	}
	return codec.Pack(r.facts)
}

// slim keeps one form of the facts only.
func (r *record) slim() {
	if r.packed != nil {
		r.facts = nil
	}
}
