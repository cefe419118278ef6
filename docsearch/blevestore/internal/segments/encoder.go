package segments

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/text"
)

// maxVocabulary is how many terms an encoder remembers from one batch to the next.
const maxVocabulary = 1 << 18

// shortLayout is the most bytes of a layout that stands with the document itself. A longer one has an entry of its own,
// so that a listing need not read it.
const shortLayout = 1024

// encoder turns documents into items. It remembers the terms of words from one batch to the next, and its memory is used
// again. It works for one batch at a time: until that is written its items must stay.
type encoder struct {
	vocabulary *text.Vocabulary
	Workers    []*analyst
	items      int
	builder    builder
}

// analyst is what one goroutine of an encoder analyses with.
type analyst struct {
	counter *text.Counter
	bag     text.Bag
	times   []uint32 // by term: how often it stands in the present text; all zero in between
	near    []near   // by term: its neighbours in the present text; all zero in between
	hashes  []uint32 // by term: its [neighbour], or 0 when that is not known yet
	hashed  *text.Vocabulary
	arena   []uint64 // what bags are cut from
	notes   []uint32 // and their notes
}

// Encoders keeps an encoder for the next batch.
type Encoders struct {
	mu   sync.Mutex // guards what follows
	idle *encoder   // that nobody uses, or nil
}

// Take returns one that nobody uses; release gives it back.
func (s *Encoders) Take() *encoder {
	s.mu.Lock()
	defer s.mu.Unlock()
	e := s.idle
	s.idle = nil
	if e == nil || len(e.vocabulary.Terms()) > maxVocabulary {
		e = &encoder{vocabulary: text.NewVocabulary()}
		for range runtime.GOMAXPROCS(0) {
			e.Workers = append(e.Workers, &analyst{counter: text.NewCounter(e.vocabulary)})
		}
	}
	e.items = 0
	return e
}

func (s *Encoders) Release(e *encoder) {
	for _, a := range e.Workers {
		a.arena, a.notes = nil, nil
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.idle = e
}

func (e *encoder) Item(id string) *item {
	e.items++
	return &item{id: id, enc: e, order: e.items}
}

// Encode turns documents into items. The analysis runs on all processors.
func (e *encoder) Encode(ctx context.Context, docs []*driver.Document) ([]*item, []docSums, error) {
	type job struct {
		it  *item
		rec *driver.Record
		sum Sums
	}
	var items []*item
	var jobs []*job
	for _, d := range docs {
		if err := driver.CheckVectors(d); err != nil {
			return nil, nil, err
		}
		main := e.Item(MainID(d.ID))
		items = append(items, main)
		for i := range d.Records {
			r := &d.Records[i]
			it := main
			if r.Kind != driver.KindDocument || r.N != 0 {
				it = e.Item(RecordID(d.ID, r.Kind, r.N))
				items = append(items, it)
			}
			jobs = append(jobs, &job{it: it, rec: r})
		}
		items = append(items, e.vectorItems(d)...)
		if len(d.Layout) > shortLayout {
			it := e.Item(LayoutID(d.ID))
			it.Store("layout", d.Layout)
			items = append(items, it)
		}
	}
	var next atomic.Int64
	g, ctx := errgroup.WithContext(ctx)
	for _, a := range e.Workers {
		g.Go(func() error {
			for {
				i := int(next.Add(1)) - 1
				if i >= len(jobs) {
					return nil
				}
				if err := ctx.Err(); err != nil {
					return err
				}
				jobs[i].sum = a.Record(jobs[i].it, jobs[i].rec)
			}
		})
	}
	if err := g.Wait(); err != nil {
		return nil, nil, err
	}
	all := make([]docSums, len(docs))
	n, k := 0, 0
	for i, d := range docs {
		all[i] = docSums{}
		for range d.Records {
			all[i].add(jobs[n].rec, jobs[n].sum)
			n++
		}
		for items[k].id != MainID(d.ID) {
			k++
		}
		sums, err := json.Marshal(all[i])
		if err != nil {
			return nil, nil, err
		}
		items[k].Document(d.Data, sums)
		if len(d.Layout) <= shortLayout {
			items[k].Store("layout", d.Layout)
		}
	}
	for _, it := range items {
		it.Finish()
	}
	return items, all, nil
}

// Document adds what is stored of the document itself, but its layout.
func (it *item) Document(data, sums []byte) {
	it.keyword("type", "doc")
	it.Store("meta", data)
	it.Store("sums", sums)
}

// Record adds a record's terms and what is stored of it.
func (a *analyst) Record(it *item, r *driver.Record) Sums {
	a.bag.Reset()
	a.counter.Bag(r.Text, &a.bag)
	kind := letters[r.Kind]
	s := Sums{Records: 1, Words: a.bag.Length, Idents: len(a.bag.Idents)}
	terms, notes := a.neighbours(it.enc.vocabulary)
	it.bags = append(it.bags,
		bag{field: fieldNumber(kind + ".words"), length: s.Words, terms: terms, notes: notes},
		bag{field: fieldNumber(kind + ".idents"), length: s.Idents, terms: a.count(a.bag.Idents)})
	if s.Words > 0 {
		one := []uint64{uint64(it.enc.vocabulary.ID(LengthTerm))<<32 | uint64(s.Words)}
		it.bags = append(it.bags, bag{field: fieldNumber(kind + ".length"), length: 1, terms: one})
	}
	it.Store("start", strconv.AppendInt(nil, int64(r.Start), 10))
	it.Store("text", []byte(r.Text))
	if len(r.Data) > 0 {
		it.Store("data", r.Data)
	}
	if r.Heads != "" {
		a.bag.Reset()
		a.counter.Bag(r.Heads, &a.bag)
		s.Heads = a.bag.Length
		it.bags = append(it.bags, bag{field: fieldNumber(kind + ".heads"), length: s.Heads, terms: a.count(a.bag.Words)})
		it.Store("heads", []byte(r.Heads))
	}
	if r.Processed {
		it.Store("processed", []byte{'1'})
	}
	if r.Vector != nil {
		it.Store("vec", []byte{'1'}) // it is in a block
	}
	return s
}

// count returns each term once, with how often it stands in the list.
func (a *analyst) count(list []uint32) []uint64 {
	distinct := 0
	for _, t := range list {
		for int(t) >= len(a.times) {
			a.times = append(a.times, make([]uint32, max(1024, len(a.times)))...)
		}
		if a.times[t]++; a.times[t] == 1 {
			distinct++
		}
	}
	if cap(a.arena)-len(a.arena) < distinct {
		a.arena = make([]uint64, 0, max(1<<15, distinct))
	}
	from := len(a.arena)
	for _, t := range list {
		if n := a.times[t]; n > 0 {
			a.arena = append(a.arena, uint64(t)<<32|uint64(n))
			a.times[t] = 0
		}
	}
	return a.arena[from:len(a.arena):len(a.arena)]
}

// Decode is the reverse of record, for a record that is there, but for its vector.
func Decode(f map[string][]byte, id string, kind driver.Kind, n int) (*driver.Record, error) {
	start, err := strconv.Atoi(string(f["start"]))
	if err != nil {
		return nil, fmt.Errorf("document %s, %s record %d: %w: %v", id, kind, n, errs.Format, err)
	}
	return &driver.Record{
		Kind: kind, Doc: id, N: n, Start: start, Text: string(f["text"]), Data: f["data"], Heads: string(f["heads"]), Processed: f["processed"] != nil,
	}, nil
}
