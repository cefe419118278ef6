package textfiles

import (
	"bytes"
	"errors"
	"hash/maphash"
	"slices"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// A File is one file in the state in which its tree found it. It is safe for concurrent use.
type File struct {
	Path  string // slash-separated, relative to the root
	Hides bool   // its name says that it may hold secrets
	tree  *Tree
	stamp walk.Stamp            // zero: nothing is like it
	found time.Time             // when it was looked for, before it was read
	known atomic.Pointer[known] // nil: it is not known what is in it
	memo  atomic.Pointer[any]
}

// known is what is remembered of a file's text.
type known struct {
	sum    uint64
	zero   int   // offset of the first zero byte, -1 for none
	err    error // it is too large; then zero tells of its beginning
	filter filter
	clean  atomic.Bool // masking was seen to change nothing
}

// Text returns the text, which is not to be changed.
func (f *File) Text() ([]byte, error) {
	text, _, err := f.read()
	return text.text, err
}

// Sought are texts of which a file is to hold one.
type Sought [][]uint32

// Seek makes a set of texts to look for. With fold upper and lower case are the same.
func Seek(texts []string, fold bool) Sought {
	s := make(Sought, len(texts))
	for i, text := range texts {
		s[i] = grams(text, fold)
	}
	return s
}

// Kept is a text that is kept, with what is found out about it while it is.
type Kept struct {
	text  []byte
	parts atomic.Pointer[mask.Parts]
}

// A Look is what a question about some texts has to know of a file.
type Look struct {
	Lacks bool   // it holds none of them, and was not read
	Text  []byte // not to be changed
	Zero  int    // offset of the first zero byte, -1 for none
	known *known
	kept  *Kept
}

// Look looks for texts in a file.
func (f *File) Look(s Sought) (Look, error) {
	if k := f.known.Load(); k != nil && k.err == nil && len(s) > 0 && !slices.ContainsFunc(s, k.filter.has) {
		return Look{Lacks: true, Zero: k.zero}, nil
	}
	text, k, err := f.read()
	return Look{Text: text.text, Zero: k.zero, known: k, kept: text}, err
}

// Parts returns what is no code in the text of f, which was looked at.
func (l Look) Parts(f *File) mask.Parts {
	if p := l.kept.parts.Load(); p != nil {
		return *p
	}
	p := mask.Of(f.Path, l.Text)
	l.kept.parts.Store(&p)
	return p
}

// Masked returns the text with its secrets masked; none is false where there is one.
func (l Look) Masked() (text []byte, none bool) {
	if l.known.clean.Load() {
		return l.Text, true
	}
	masked := bytes.Clone(l.Text)
	none = secrets.Mask(masked) == 0
	l.known.clean.Store(none)
	return masked, none
}

func (f *File) read() (*Kept, *known, error) {
	k := f.known.Load()
	if k != nil && k.err != nil {
		return &Kept{}, k, k.err
	}
	if kept, ok := f.tree.texts.Get(f); ok && k != nil {
		return kept, k, nil
	}
	keeps := f.tree.keeps.Load()
	text, err := f.tree.readFile(f.Path)
	kept, sum, zero := &Kept{text: text}, maphash.Bytes(seed, text), bytes.IndexByte(text, 0)
	if err != nil {
		kept = &Kept{}
	}
	if k != nil && err == nil && k.sum == sum {
		f.tree.texts.Put(f, kept, len(text))
		return kept, k, nil
	}
	next := &known{sum: sum, zero: zero, err: err}
	switch {
	case !keeps:
	case err == nil:
		next.filter = newFilter(text)
		f.known.Store(next)
		f.tree.texts.Put(f, kept, len(text))
	case errors.Is(err, errs.TooLarge): // another error may pass
		f.known.Store(next)
	}
	return kept, next, err
}

// seed is that of the sums of texts.
var seed = maphash.MakeSeed()

// Memo returns what derive made of the file's text, which is done once while the tree keeps its files. derive must be the same function in all calls for a tree.
func (f *File) Memo(derive func(path string, text []byte) any) (any, error) {
	if m := f.memo.Load(); m != nil {
		return *m, nil
	}
	text, err := f.Text()
	if err != nil {
		return nil, err
	}
	m := derive(f.Path, text)
	if f.tree.keeps.Load() {
		f.memo.Store(&m)
	}
	return m, nil
}
