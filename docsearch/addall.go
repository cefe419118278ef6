package docsearch

import (
	"context"
	"errors"
	"iter"
	"runtime"
	"sync"
	"time"
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

// AddAll takes documents in as [Library.Add] does, several at a time, and yields them in the order of sources. A document that cannot
// be read is yielded with an [*IngestError], and so is an error of sources; the documents after it follow. Any other error
// (ctx ended, the store broke) is the last one.
//
// When a document is yielded it is in the library, whatever happens next. Breaking the loop stops the work; documents not
// yielded may or may not be in.
func (l *Library) AddAll(ctx context.Context, sources iter.Seq2[Source, error]) iter.Seq2[*Document, error] {
	return func(yield func(*Document, error) bool) {
		outer := ctx
		ctx, cancel := context.WithCancel(ctx)
		var futures <-chan chan *prepared
		var coming chan *prepared // the document that is waited for
		defer func() {            // what was read and is wanted no more; all who could send have ended
			l.abandon(coming)
			for f := range futures {
				l.abandon(f)
			}
		}()
		var wg sync.WaitGroup
		defer wg.Wait()
		defer cancel()
		futures = l.readAll(ctx, &wg, sources)

		a := &adder{l: l, outer: outer, ctx: ctx, yield: yield}
		timer := time.NewTimer(batchIdle)
		defer timer.Stop()
		next := futures // nil while a document is waited for
		defer func() { l.ended(a.batch) }()
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
func (l *Library) abandon(f <-chan *prepared) {
	select {
	case p := <-f:
		l.ended([]*prepared{p})
	default: // none, or f is nil
	}
}

// readAll starts goroutines that prepare the sources, and returns the results in order.
func (l *Library) readAll(ctx context.Context, wg *sync.WaitGroup, sources iter.Seq2[Source, error]) <-chan chan *prepared {
	workers := l.opt.Workers
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
				j.out <- l.prepare(ctx, j.src)
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
	l          *Library
	outer, ctx context.Context
	yield      func(*Document, error) bool
	batch      []*prepared
	since      time.Time       // when the first of the batch came
	ids        map[string]bool // of the documents of the batch that are to be written
	records    int
	bytes      int
	done       int
}

// add takes the next document; it reports whether to go on.
func (a *adder) add(p *prepared) bool {
	if p.doc != nil && a.ids[p.doc.ID] && !a.flush() { // one document twice
		return false
	}
	if len(a.batch) == 0 {
		a.since = time.Now()
	}
	a.batch = append(a.batch, p)
	if p.doc != nil {
		if a.ids == nil {
			a.ids = map[string]bool{}
		}
		a.ids[p.doc.ID] = true
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
	a.batch, a.ids, a.records, a.bytes = nil, nil, 0, 0
	if len(batch) == 0 {
		return true
	}
	defer a.l.ended(batch)
	if err := a.l.commit(a.ctx, batch); err != nil {
		if a.outer.Err() != nil {
			err = a.outer.Err()
		}
		a.yield(nil, err)
		return false
	}
	for _, p := range batch {
		a.done++
		a.l.progress(Progress{Doc: p.src.Name, Done: a.done, Stage: StageDone})
		if !a.yield(p.document(), public(p.err)) {
			return false
		}
		if _, ok := errors.AsType[*IngestError](public(p.err)); p.err != nil && !ok {
			return false
		}
	}
	return true
}
