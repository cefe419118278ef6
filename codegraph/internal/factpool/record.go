package factpool

import (
	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Key names a record: the content, and how it was read.
type Key struct {
	Hash    [32]byte
	Lang    string
	Ext     string
	Version int
}

// Write appends a key.
func (k *Key) Write(w *codec.Writer) {
	w.Buf = append(w.Buf, k.Hash[:]...)
	w.Text(k.Lang)
	w.Text(k.Ext)
	w.Uint(uint64(k.Version))
}

// ReadKey reads what write wrote.
func ReadKey(r *codec.Reader) (k Key) {
	if len(r.Buf) < len(k.Hash) {
		r.Bad, r.Buf = true, nil
		return k
	}
	copy(k.Hash[:], r.Buf)
	r.Buf = r.Buf[len(k.Hash):]
	k.Lang, k.Ext, k.Version = r.Text(), r.Text(), int(r.Uint())
	return k
}

// A Record is what is kept of one file's bytes: the facts, and the words of each body for full-text search.
type Record struct {
	Facts  []byte                 // in their byte form, or nil when they are at hand as they are saved
	Packed []byte                 // as they are saved, or nil
	Pkg    string                 // Facts.Package
	Words  *sourcetext.WordCounts // nil when they are not at hand
}

// NewRecord is the record of facts that were just read.
func NewRecord(f *lang.Facts, words *sourcetext.WordCounts) *Record {
	return &Record{Facts: factcodec.Encode(f), Pkg: f.Package, Words: words}
}

// Pack gives the facts as they are saved.
func (r *Record) Pack() []byte {
	if r.Packed != nil {
		return r.Packed
	}
	return codec.Pack(r.Facts)
}

// Slim keeps one form of the facts only.
func (r *Record) Slim() {
	if r.Packed != nil {
		r.Facts = nil
	}
}
