package ingest

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// Documents are written together until one of these is reached: a write costs a sync of the disk and a segment of the index,
// and segments cost their merging. Batches of 2,000 small documents take less than half of the processor's time that batches of 200 do.
const (
	batchRecords = 4000
	batchDocs    = 4000
	batchBytes   = 12 << 20               // of text
	batchTime    = 4 * time.Second        // since the first of them came
	batchIdle    = 300 * time.Millisecond // since the last of them came
)

// All adds sources several at a time, and yields them in their order; see docsearch.Library.AddAll. sources
// yields a [catalog.IngestError] for what is about one document; after any other error it ends.
func (in *Ingester) All(ctx context.Context, sources iter.Seq2[Source, error]) iter.Seq2[*Result, error] {
	return func(yield func(*Result, error) bool) {
		outer := ctx
		ctx, cancel := context.WithCancel(ctx)
		var futures <-chan chan *prepared
		var coming chan *prepared // the document that is waited for
		defer func() {            // what was read and is wanted no more; all who could send have ended
			in.abandon(coming)
			for f := range futures {
				in.abandon(f)
			}
		}()
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		futures = in.readAll(ctx, &wg, sources)

		a := &adder{in: in, outer: outer, ctx: ctx, yield: yield}
		timer := time.NewTimer(batchIdle)
		defer timer.Stop()
		next := futures // nil while a document is waited for
		defer func() { in.ended(a.batch) }()
		for {
			var timeout <-chan time.Time
			if len(a.batch) > 0 {
				timer.Reset(min(batchIdle, time.Until(a.since.Add(batchTime))))
				timeout = timer.C
			}
			select {
			case f, ok := <-next:
				if !ok {
					if a.flush() && outer.Err() != nil {
						yield(nil, outer.Err())
					}
					return
				}
				next, coming = nil, f
			case p := <-coming:
				if !a.add(p) {
					return
				}
				next, coming = futures, nil
			case <-timeout:
				if !a.flush() {
					return
				}
			case <-ctx.Done():
				yield(nil, outer.Err())
				return
			}
		}
	}
}

// abandon forgets a document that was read and will not be written, if there is one.
func (in *Ingester) abandon(f <-chan *prepared) {
	select {
	case p := <-f:
		in.ended([]*prepared{p})
	default: // none, or f is nil
	}
}

// readAll starts goroutines that prepare the sources, and returns the results in order.
func (in *Ingester) readAll(ctx context.Context, wg *sync.WaitGroup, sources iter.Seq2[Source, error]) <-chan chan *prepared {
	workers := in.opt.Workers
	if workers == 0 {
		workers = min(2, runtime.GOMAXPROCS(0))
	}
	type job struct {
		src Source
		out chan *prepared
	}
	jobs, futures := make(chan job), make(chan chan *prepared, workers)
	for range workers {
		wg.Go(func() {
			for j := range jobs {
				j.out <- in.prepare(ctx, j.src)
			}
		})
	}
	wg.Go(func() {
		defer close(futures)
		defer close(jobs)
		for src, err := range sources {
			out := make(chan *prepared, 1)
			select {
			case futures <- out:
			case <-ctx.Done():
				return
			}
			if err != nil {
				out <- &prepared{src: src, err: err}
				continue
			}
			select {
			case jobs <- job{src, out}:
			case <-ctx.Done():
				return
			}
		}
	})
	return futures
}

// adder collects prepared documents into batches.
type adder struct {
	in         *Ingester
	outer, ctx context.Context
	yield      func(*Result, error) bool
	batch      []*prepared
	since      time.Time       // when the first of the batch came
	ids        map[string]bool // of the documents of the batch that are to be written
	bases      map[string]bool // names of their sources
	records    int
	bytes      int
	done       int
}

// add takes the next document; it reports whether to go on.
func (a *adder) add(p *prepared) bool {
	if p.doc != nil && (a.ids[p.doc.ID] || p.naming != nil && a.bases[p.src.Name]) && !a.flush() { // one document twice, or one name
		return false
	}
	if len(a.batch) == 0 {
		a.since = time.Now()
	}
	a.batch = append(a.batch, p)
	if p.doc != nil {
		if a.ids == nil {
			a.ids, a.bases = map[string]bool{}, map[string]bool{}
		}
		a.ids[p.doc.ID] = true
		if p.naming != nil {
			a.bases[p.src.Name] = true
		}
		a.records += len(p.doc.Records)
		for i := range p.doc.Records {
			a.bytes += len(p.doc.Records[i].Text)
		}
	}
	if a.records >= batchRecords || a.bytes >= batchBytes || len(a.batch) >= batchDocs || time.Since(a.since) >= batchTime {
		return a.flush()
	}
	return true
}

// flush writes the batch and yields its documents; it reports whether to go on.
func (a *adder) flush() bool {
	batch := a.batch
	a.batch, a.ids, a.bases, a.records, a.bytes = nil, nil, nil, 0, 0
	if len(batch) == 0 {
		return true
	}
	defer a.in.ended(batch)
	if err := a.in.commit(a.ctx, batch); err != nil {
		if a.outer.Err() != nil {
			err = a.outer.Err()
		}
		a.yield(nil, err)
		return false
	}
	for _, p := range batch {
		a.done++
		a.in.progress(Progress{Doc: p.src.Name, Done: a.done, Stage: stageDone})
		if !a.yield(p.answer(), p.err) {
			return false
		}
		if _, ok := errors.AsType[*catalog.IngestError](p.err); p.err != nil && !ok {
			return false
		}
	}
	return true
}
