package blevestore

import (
	"context"
	"errors"
	"fmt"
	"hash/maphash"
	"io"
	"math"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"sync"

	"github.com/blevesearch/bleve/v2/index/scorch"
	index "github.com/blevesearch/bleve_index_api"
	segment "github.com/blevesearch/scorch_segment_api/v2"
	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/blevestore/internal/segments"
	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
)

// maxDamage is how many faults a check reports.
const maxDamage = 100

// checker collects what is wrong.
type checker struct {
	dir string

	mu   sync.Mutex // guards what follows
	bad  []error
	more int
}

func (c *checker) add(doc, format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if len(c.bad) == maxDamage {
		c.more++
		return
	}
	c.bad = append(c.bad, &driver.DamageError{Doc: doc, What: fmt.Sprintf(format, args...)})
}

// note adds an error that says that something is broken or missing; any other is returned.
func (c *checker) note(doc string, err error) error {
	if err == nil || !errors.Is(err, errs.Format) && !errors.Is(err, errs.NotFound) && !segments.IsNotExist(err) {
		return err
	}
	c.add(doc, "%v", err)
	return nil
}

func (c *checker) err() error {
	if c.more > 0 {
		c.bad = append(c.bad, &driver.DamageError{What: fmt.Sprintf("document index %s: %d more faults", c.dir, c.more)})
	}
	return errors.Join(c.bad...)
}

// checkFolder looks at the state on disk, beside whatever goes on: the checksum of every segment, every
// record, and whether the index finds each record by exactly the terms of its text. What changes meanwhile is not looked at.
func checkFolder(ctx context.Context, l *location) error {
	c := &checker{dir: l.dir}
	h, err := hold(ctx, filepath.Join(l.dir, indexDir))
	if err == nil {
		for i, f := range h.files {
			if err := c.note("", sumFile(ctx, f)); err != nil {
				h.close()
				return fmt.Errorf("document index %s: segment %s: %w", l.dir, h.Segments[i].Name, err)
			}
		}
		h.close()
	} else if err = c.note("", err); err != nil {
		return fmt.Errorf("document index %s: %w", l.dir, err)
	}
	ro, err := openStore(ctx, l.dir, true, l.trust)
	if err != nil {
		if err = c.note("", err); err != nil {
			return err
		}
		return c.err()
	}
	ro.following.Lock() // it stays with the state that it has
	err = c.content(ctx, ro)
	ro.following.Unlock()
	if cerr := ro.Close(); err == nil {
		err = cerr
	}
	if err = c.note("", err); err != nil {
		return err
	}
	return c.err()
}

// sumFile compares a segment with its checksum.
func sumFile(ctx context.Context, f *os.File) error {
	sum := &segmentCheck{name: f.Name()}
	buf := make([]byte, 1<<20)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		n, err := f.Read(buf)
		sum.write(buf[:n])
		if err == io.EOF {
			return sum.end()
		}
		if err != nil {
			return err
		}
	}
}

// content checks a state that stays as it is.
func (c *checker) content(ctx context.Context, s *store) (err error) {
	r, st := s.pin.Reader()
	defer r.Close()
	docs, err := s.List(ctx)
	if err != nil {
		return err
	}
	if len(docs) != st.Documents {
		c.add("", "document index %s: it holds %d documents, its statistics say %d", s.dir, len(docs), st.Documents)
	}
	p := &termSums{r: r, seed: maphash.MakeSeed()}
	if err := func() (err error) { defer segments.Guard(s.dir, &err)(); return p.read(ctx) }(); err != nil {
		if err = c.note("", err); err != nil {
			return err
		}
		p = nil // the records can be looked at all the same
	}
	var mu sync.Mutex // guards sum
	sum := map[driver.Kind]segments.Sums{}
	g, gctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for i, d := range docs {
		if gctx.Err() != nil {
			break
		}
		if i > 0 && d.ID == docs[i-1].ID {
			c.add(d.ID, "it is there twice")
		}
		g.Go(func() (err error) {
			defer func() { err = c.note(d.ID, err) }()
			defer segments.Guard(s.dir, &err)()
			one, err := c.document(gctx, s, d.ID, p)
			mu.Lock()
			defer mu.Unlock()
			for k, v := range one {
				t := sum[k]
				t.Records, t.Words, t.Idents, t.Heads = t.Records+v.Records, t.Words+v.Words, t.Idents+v.Idents, t.Heads+v.Heads
				sum[k] = t
			}
			return err
		})
	}
	if err := g.Wait(); err != nil {
		return err
	}
	if err := ctx.Err(); err != nil {
		return err
	}
	for _, k := range driver.Kinds() {
		if sum[k] != st.Kinds[k] {
			c.add("", "document index %s: its %s count %+v, its statistics say %+v", s.dir, k, sum[k], st.Kinds[k])
		}
	}
	if p == nil {
		return nil
	}
	return func() (err error) { defer segments.Guard(s.dir, &err)(); return c.leftOver(p) }()
}

// document reads one document with all its records, and counts them.
func (c *checker) document(ctx context.Context, s *store, id string, p *termSums) (map[driver.Kind]segments.Sums, error) {
	if _, err := s.Get(ctx, id); err != nil {
		return nil, err
	}
	count := map[driver.Kind]segments.Sums{}
	for _, k := range driver.Kinds() {
		recs, err := s.Records(ctx, id, k, nil)
		if err != nil {
			return count, err
		}
		for i := range recs {
			rec := &recs[i]
			a, heads := driver.Analyze(rec.Text), driver.Analyze(rec.Heads).Words
			t := count[k]
			t.Records, t.Words, t.Idents, t.Heads = t.Records+1, t.Words+a.Words.Length, t.Idents+a.Idents.Length, t.Heads+heads.Length
			count[k] = t
			if p == nil {
				continue
			}
			same, err := p.same(segments.RecordID(id, k, rec.N), segments.Letter(k), map[string]driver.Field{"words": a.Words, "idents": a.Idents, "heads": heads})
			if err != nil {
				return count, err
			}
			if !same {
				c.add(id, "%s record %d: the index does not find it by the terms of its text: add the document again", k, rec.N)
			}
		}
	}
	return count, nil
}

// leftOver looks for records that the index finds and that belong to no document.
func (c *checker) leftOver(p *termSums) error {
	for n, v := range p.sums {
		if v == 0 || p.seen[n] {
			continue
		}
		id, err := p.r.ExternalID(index.NewIndexInternalID(nil, uint64(n)))
		if err != nil {
			return err
		}
		c.add("", "the index finds a record %q that belongs to no document", id)
	}
	return nil
}

// termSums holds a sum over all terms of each record, so that they can be compared with what its text has without keeping them.
type termSums struct {
	r    index.IndexReader
	seed maphash.Seed
	sums []uint64 // by internal number
	seen []bool   // records that were compared
}

// mix makes a number of one term of a record. Numbers are added, so that the order does not matter.
func (p *termSums) mix(field, term string, times, length int) uint64 {
	// Lengths are kept as a float of 24 bits, which is exact up to here.
	length = min(length, 1<<20)
	var h maphash.Hash
	h.SetSeed(p.seed)
	h.WriteString(field)
	h.WriteByte(0)
	h.WriteString(term)
	for _, n := range []int{times, length} {
		var b [8]byte
		for i := range b {
			b[i] = byte(uint64(n) >> (8 * i))
		}
		h.Write(b[:])
	}
	return h.Sum64() | 1
}

func (p *termSums) read(ctx context.Context) error {
	all, err := p.r.DocIDReaderAll()
	if err != nil {
		return err
	}
	defer all.Close()
	top := -1
	for {
		id, err := all.Next()
		if err != nil {
			return err
		}
		if id == nil {
			break
		}
		top = max(top, int(id.Value()))
	}
	if top > math.MaxUint32 {
		return fmt.Errorf("%w: record number %d", errs.Format, top)
	}
	p.sums, p.seen = make([]uint64, top+1), make([]bool, top+1)
	for _, k := range driver.Kinds() {
		for _, name := range []string{"words", "idents", "heads", "length"} {
			if err := p.field(ctx, segments.Letter(k)+"."+name); err != nil {
				return err
			}
		}
	}
	return nil
}

// field adds the terms of a field. It goes through the segments itself: the engine reads their dictionaries in goroutines of its own, where
// a panic over a broken file would end the program.
func (p *termSums) field(ctx context.Context, field string) error {
	parts, err := segments.Of(p.r)
	if err != nil {
		return err
	}
	base := uint64(0)
	for _, s := range parts {
		dict, err := s.Segment().Dictionary(field)
		if err != nil {
			return err
		}
		sh := segments.NewShard(s.Segment(), nil, base)
		if err := sh.CheckTerms(field); err != nil {
			return err
		}
		terms := dict.AutomatonIterator(nil, nil, nil)
		for {
			e, err := terms.Next()
			if err != nil {
				return err
			}
			if e == nil {
				break
			}
			if err := ctx.Err(); err != nil {
				return err
			}
			if _, err := sh.Postings(field, e.Term); err != nil { // which checks them
				return err
			}
			if err := p.term(s, dict, base, field, e.Term); err != nil {
				return err
			}
		}
		base += s.Segment().Count()
	}
	return nil
}

// term adds a term of the segment whose first record has the number base.
func (p *termSums) term(s *scorch.SegmentSnapshot, dict segment.TermDictionary, base uint64, field, term string) error {
	list, err := dict.PostingsList([]byte(term), s.Deleted(), nil)
	if err != nil {
		return err
	}
	for it := list.Iterator(true, true, false, nil); ; {
		d, err := it.Next()
		if err != nil || d == nil {
			return err
		}
		n := base + d.Number()
		if n >= uint64(len(p.sums)) {
			return fmt.Errorf("%w: the term %q of %s is in record %d, there are %d", errs.Format, term, field, n, len(p.sums))
		}
		length := 0
		if !strings.HasSuffix(field, ".words") { // which have notes of their neighbours there
			length = int(math.Round(1 / (d.Norm() * d.Norm())))
		}
		p.sums[n] += p.mix(field, term, int(d.Frequency()), length)
	}
}

// same reports whether the index finds the record by these terms and no others.
func (p *termSums) same(id, kind string, fields map[string]driver.Field) (bool, error) {
	num, err := p.r.InternalID(id)
	if err != nil {
		return false, err
	}
	if num == nil {
		return false, nil
	}
	n := num.Value()
	var want uint64
	for name, f := range fields {
		length := f.Length
		if name == "words" {
			length = 0
		}
		for term, places := range f.Terms {
			want += p.mix(kind+"."+name, term, len(places), length)
		}
	}
	if n := fields["words"].Length; n > 0 {
		want += p.mix(kind+".length", segments.LengthTerm, n, 1)
	}
	if n >= uint64(len(p.sums)) {
		return false, nil
	}
	p.seen[n] = true
	return p.sums[n] == want, nil
}
