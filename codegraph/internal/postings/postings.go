package postings

import (
	"bytes"
	"cmp"
	"encoding/binary"
	"fmt"
	"slices"
	"sort"
	"sync/atomic"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/internal/errs"
)

// An Index says which documents, numbered from 0, hold a term, and how often. It is immutable; in memory it is what
// it is on disk: words of 32 bits, little endian, then bytes.
//
//	words   numbers of terms, documents, bytes of text, bytes of lists; for each term where it ends in the text; where its
//	        list ends; for each document its length in terms
//	text    the terms, sorted
//	lists   numbers of variable length: twice the distance to the document before, and one more when its count follows
type Index struct {
	raw         []byte
	Terms, Docs uint32
	text, lists []byte

	// fetch reads a part of the lists, when they are not at hand. What it could not read is in failed.
	Fetch  func(from, to uint32) ([]byte, error)
	failed atomic.Pointer[error]
}

const HeadWords = 4

// Parse takes the bytes of an index apart, without copying them.
func Parse(raw []byte) (*Index, error) {
	v, err := ParseHead(raw, uint64(len(raw)))
	if err == nil {
		v.lists = raw[uint64(len(raw))-uint64(codec.Uint32(raw, 3)):]
	}
	return v, err
}

// HeadSize gives how many bytes stand before the lists, of which the first words are given.
func HeadSize(raw []byte) uint64 {
	if len(raw) < 4*HeadWords {
		return 0
	}
	return 4*(HeadWords+2*uint64(codec.Uint32(raw, 0))+uint64(codec.Uint32(raw, 1))) + uint64(codec.Uint32(raw, 2))
}

// ParseHead is Parse for what stands before the lists, of an index of a number of bytes.
func ParseHead(raw []byte, size uint64) (*Index, error) {
	bad := fmt.Errorf("%w: word lists", errs.Format)
	if len(raw) < 4*HeadWords || HeadSize(raw) > uint64(len(raw)) {
		return nil, bad
	}
	v := &Index{raw: raw, Terms: codec.Uint32(raw, 0), Docs: codec.Uint32(raw, 1)}
	text, lists := uint64(codec.Uint32(raw, 2)), uint64(codec.Uint32(raw, 3))
	head := 4 * (HeadWords + 2*uint64(v.Terms) + uint64(v.Docs))
	if head+text+lists != size {
		return nil, bad
	}
	v.text = raw[head : head+text]
	var a, b uint32
	for i := range v.Terms {
		x, y := codec.Uint32(raw, HeadWords+i), codec.Uint32(raw, HeadWords+v.Terms+i)
		if x < a || y < b || uint64(x) > text || uint64(y) > lists {
			return nil, bad
		}
		a, b = x, y
	}
	return v, nil
}

// Term gives a term; the bytes are not to be changed.
func (v *Index) Term(i uint32) []byte {
	from := uint32(0)
	if i > 0 {
		from = codec.Uint32(v.raw, HeadWords+i-1)
	}
	return v.text[from:codec.Uint32(v.raw, HeadWords+i)]
}

// Length gives the number of terms of a document.
func (v *Index) Length(doc uint32) uint32 { return codec.Uint32(v.raw, HeadWords+2*v.Terms+doc) }

// From gives the number of the first term that is not before s, which may be terms.
func (v *Index) From(s string) uint32 {
	return uint32(sort.Search(int(v.Terms), func(i int) bool { return string(v.Term(uint32(i))) >= s }))
}

// Find gives the number of a term.
func (v *Index) Find(s string) (uint32, bool) {
	i := v.From(s)
	return i, i < v.Terms && string(v.Term(i)) == s
}

// part gives the bytes of a list.
func (v *Index) part(from, to uint32) []byte {
	if v.Fetch == nil {
		return v.lists[from:to]
	}
	b, err := v.Fetch(from, to)
	if err != nil {
		v.failed.Store(&err)
	}
	return b
}

// Err tells why a list came out empty, nil when all could be read.
func (v *Index) Err() error {
	if err := v.failed.Load(); err != nil {
		return *err
	}
	return nil
}

// Whole gives the same with all lists at hand.
func (v *Index) Whole() (*Index, error) {
	if v.Fetch == nil {
		return v, nil
	}
	lists, err := v.Fetch(0, codec.Uint32(v.raw, 3))
	if err != nil {
		return nil, err
	}
	return &Index{raw: v.raw, Terms: v.Terms, Docs: v.Docs, text: v.text, lists: lists}, nil
}

// List yields the documents that hold a term, in order, with its count in each.
func (v *Index) List(i uint32) func(func(doc, count uint32) bool) {
	return func(yield func(uint32, uint32) bool) {
		from := uint32(0)
		if i > 0 {
			from = codec.Uint32(v.raw, HeadWords+v.Terms+i-1)
		}
		r := codec.Reader{Buf: v.part(from, codec.Uint32(v.raw, HeadWords+v.Terms+i))}
		doc := uint64(0)
		for len(r.Buf) > 0 {
			d := r.Uint()
			doc += d >> 1
			count := uint64(1)
			if d&1 != 0 {
				count = r.Uint()
			}
			if r.Bad || doc >= uint64(v.Docs) || !yield(uint32(doc), uint32(count)) {
				return
			}
		}
	}
}

// A Builder gathers an index.
type Builder struct {
	ids   map[string]uint32
	terms []string
	found []posting
	sizes []uint32 // by document
}

type posting struct{ term, doc, count uint32 }

// NewBuilder returns a builder that holds nothing.
func NewBuilder() *Builder { return &Builder{ids: map[string]uint32{}} }

// ID gives the number of a term, for Add.
func (w *Builder) ID(term string) uint32 {
	i, ok := w.ids[term]
	if !ok {
		i = uint32(len(w.terms))
		w.ids[term] = i
		w.terms = append(w.terms, term)
	}
	return i
}

// Add says that a document holds a term; the same may be said in parts.
func (w *Builder) Add(term, doc, count uint32) {
	w.found = append(w.found, posting{term, doc, count})
	for uint32(len(w.sizes)) <= doc {
		w.sizes = append(w.sizes, 0)
	}
	w.sizes[doc] += count
}

// Finish writes what was gathered, for a number of documents.
func (w *Builder) Finish(docs uint32) []byte {
	order := make([]uint32, len(w.terms))
	for i := range order {
		order[i] = uint32(i)
	}
	slices.SortFunc(order, func(x, y uint32) int { return cmp.Compare(w.terms[x], w.terms[y]) })
	// The lists by term: count, then place.
	starts := make([]uint32, len(w.terms)+1)
	for _, p := range w.found {
		starts[p.term+1]++
	}
	for i := range w.terms {
		starts[i+1] += starts[i]
	}
	type item struct{ doc, count uint32 }
	items := make([]item, len(w.found))
	next := slices.Clone(starts)
	for _, p := range w.found {
		items[next[p.term]] = item{p.doc, p.count}
		next[p.term]++
	}
	var text, lists bytes.Buffer
	head := make([]byte, 0, 4*(HeadWords+2*len(order)+int(docs)))
	put := func(v uint32) { head = binary.LittleEndian.AppendUint32(head, v) }
	ends := make([]uint32, 0, len(order))
	for range HeadWords {
		put(0)
	}
	var l codec.Writer
	for _, t := range order {
		list := items[starts[t]:starts[t+1]]
		if len(list) == 0 {
			continue
		}
		if !slices.IsSortedFunc(list, func(x, y item) int { return cmp.Compare(x.doc, y.doc) }) {
			slices.SortFunc(list, func(x, y item) int { return cmp.Compare(x.doc, y.doc) })
		}
		l.Buf = l.Buf[:0]
		last := uint32(0)
		for i := 0; i < len(list); {
			it, j := list[i], i+1
			for ; j < len(list) && list[j].doc == it.doc; j++ {
				it.count += list[j].count
			}
			v := uint64(it.doc-last) << 1
			last = it.doc
			if it.count > 1 {
				l.Uint(v | 1)
				l.Uint(uint64(it.count))
			} else {
				l.Uint(v)
			}
			i = j
		}
		text.WriteString(w.terms[t])
		lists.Write(l.Buf)
		put(uint32(text.Len()))
		ends = append(ends, uint32(lists.Len()))
	}
	for _, e := range ends {
		put(e)
	}
	for d := range docs {
		n := uint32(0)
		if int(d) < len(w.sizes) {
			n = w.sizes[d]
		}
		put(n)
	}
	for i, v := range [...]uint32{uint32(len(ends)), docs, uint32(text.Len()), uint32(lists.Len())} {
		binary.LittleEndian.PutUint32(head[4*i:], v)
	}
	return slices.Concat(head, text.Bytes(), lists.Bytes())
}
