package sourcetext

import (
	"encoding/binary"
	"iter"
	"slices"
	"sync"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/text"
)

// A WordCounter counts the words of the files of one pass, which share their numbers. It is safe for concurrent use.
type WordCounter struct {
	vocabulary *text.Vocabulary
	counters   sync.Pool // of *fileCounter
}

// NewWordCounter returns a counter with numbers of its own.
func NewWordCounter() *WordCounter { return &WordCounter{vocabulary: text.NewVocabulary()} }

// A WordCounts holds the words of one file's bodies: for the file itself and for each declaration the numbers of the distinct
// words with their counts.
type WordCounts struct {
	Vocabulary *text.Vocabulary
	packed     []byte   // of each body: how much every word's number is more than that of the one before, and how often it is there
	ends       []uint32 // of the bodies in packed: of the file, and of every declaration
}

// Body gives the words of a body with their counts, in the order of their numbers: 0 for the file, declaration + 1.
func (w *WordCounts) Body(i uint32) iter.Seq2[uint32, uint32] {
	return func(yield func(word, count uint32) bool) {
		if int(i) >= len(w.ends) {
			return
		}
		b := w.packed[:w.ends[i]]
		if i > 0 {
			b = b[w.ends[i-1]:]
		}
		word := uint64(0)
		for len(b) > 0 {
			more, n := binary.Uvarint(b)
			count, m := binary.Uvarint(b[n:])
			b = b[n+m:]
			word += more
			if !yield(uint32(word), uint32(count)) {
				return
			}
		}
	}
}

// A fileCounter counts the words of files, one after another, and remembers what written words become.
type fileCounter struct {
	*text.Counter
	lists  [][]uint32 // of the file at hand: the words of each body, in order
	packed []byte     // memory of wordList.packed
}

// Count splits the words of a file among the innermost classes and functions around them; the comment above a declaration
// is of it.
func (s *WordCounter) Count(f *lang.Facts, src []byte) *WordCounts {
	c, ok := s.counters.Get().(*fileCounter)
	if !ok {
		c = &fileCounter{Counter: text.NewCounter(s.vocabulary)}
	}
	defer s.counters.Put(c)
	for len(c.lists) <= len(f.Decls) {
		c.lists = append(c.lists, nil)
	}
	lists := c.lists[:len(f.Decls)+1]
	for i := range lists {
		lists[i] = lists[i][:0]
	}
	all := string(src)
	add := func(owner int32, from, to int32) {
		if from < to {
			c.Each(all[from:to], func(id uint32) { lists[owner+1] = append(lists[owner+1], id) })
		}
	}
	// Declarations are nested or apart; a stack of the open ones gives each stretch of text its owner.
	type open struct{ decl, end int32 }
	stack := []open{{lang.File, int32(len(src))}}
	at := int32(0)
	closeUntil := func(pos int32) {
		for len(stack) > 1 && stack[len(stack)-1].end <= pos {
			top := stack[len(stack)-1]
			add(top.decl, at, top.end)
			at = max(at, top.end)
			stack = stack[:len(stack)-1]
		}
	}
	for i := range f.Decls {
		d := &f.Decls[i]
		if d.Kind == lang.Lambda || d.Span.Start < at && d.Span.End <= at {
			continue
		}
		closeUntil(d.Span.Start)
		top := stack[len(stack)-1]
		from := max(at, CommentAbove(all, d.Span.Start))
		add(top.decl, at, from)
		at = from
		stack = append(stack, open{int32(i), min(d.Span.End, top.end)})
	}
	closeUntil(int32(len(src)))
	add(lang.File, at, int32(len(src)))
	out := &WordCounts{Vocabulary: s.vocabulary, ends: make([]uint32, len(lists))}
	for i, l := range lists {
		slices.Sort(l)
		last := uint32(0)
		for from := 0; from < len(l); {
			to := from + 1
			for to < len(l) && l[to] == l[from] {
				to++
			}
			c.packed = binary.AppendUvarint(binary.AppendUvarint(c.packed, uint64(l[from]-last)), uint64(to-from))
			last, from = l[from], to
		}
		out.ends[i] = uint32(len(c.packed))
	}
	out.packed = slices.Clone(c.packed)
	c.packed = c.packed[:0]
	return out
}
