package docsearch

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
)

// embedding is what a library knows of its embedder.
type embedding struct {
	mu   sync.Mutex // guards what follows
	size int        // numbers of the vectors that the library holds under the embedder's name; 0: not known
	down time.Time  // when documents that are added ask it again
	why  error      // for waiting until then

	queries map[string][]float32 // vectors of the queries asked last
}

// embedPause is how long documents are added without vectors after the embedder failed. One that does not answer would hold
// up each of them.
const embedPause = 10 * time.Second

// maxQueryVectors is how many queries have their vectors kept: pages of one search ask for one.
const maxQueryVectors = 64

// Embed makes the vectors that are missing: of documents that were added while the embedder did not work, or before the library had one,
// or with another one. It returns how many documents it finished, and ends with the first error of the embedder or the store; what was done till then
// stays. Documents that change meanwhile are left to who changes them. A library without an embedder is an error wrapping [ErrUnsupported].
func (l *Library) Embed(ctx context.Context) (int, error) {
	emb := l.opt.Embedder
	if emb == nil {
		return 0, fmt.Errorf("vectors: %w: the library was opened without an embedder", ErrUnsupported)
	}
	c, err := l.docs.Current(ctx)
	if err != nil {
		return 0, err
	}
	var todo []*catalog.Entry
	for _, e := range c.ByName() {
		if e.Status == StatusReady && (e.Vectors != emb.Name() || e.Pending() != "") {
			todo = append(todo, e)
		}
	}
	done := 0
	for at := 0; at < len(todo); {
		var ps []*prepared
		for records := 0; at < len(todo) && records < batchRecords && len(ps) < batchDocs; at++ {
			p := &prepared{old: todo[at]}
			if err := l.restore(ctx, p); errors.Is(err, ErrNotFound) {
				continue
			} else if err != nil {
				return done, err
			}
			records += len(p.doc.Records)
			ps = append(ps, p)
		}
		if err := l.makeVectors(ctx, ps, true); err != nil {
			return done, err
		}
		if err := l.commit(ctx, ps); err != nil {
			return done, err
		}
		for _, p := range ps {
			if p.fresh == nil {
				continue
			}
			done++
			l.progress(Progress{Doc: p.fresh.Name, Done: done, Total: len(todo), Stage: StageEmbed})
		}
	}
	return done, nil
}

// restore takes a document out of the store, to be written again.
func (l *Library) restore(ctx context.Context, p *prepared) error {
	id := p.old.ID
	d, err := l.store.Get(ctx, id)
	if err != nil {
		return err
	}
	s, err := catalog.Decode(d)
	if err != nil {
		return err
	}
	doc := &driver.Document{ID: id, Layout: d.Layout}
	for _, kind := range driver.Kinds() {
		recs, err := l.store.Records(ctx, id, kind, nil)
		if err != nil {
			return err
		}
		doc.Records = append(doc.Records, recs...)
	}
	p.fresh, p.doc, p.touched, p.restored = s, doc, false, true
	if p.result == nil {
		p.result = p.old.Stored()
	}
	return nil
}

// embed completes what is to be written with vectors: the new documents, and those that are unchanged and have none of this embedder. One that the
// embedder fails is written without. The error is that of ctx or the store.
func (l *Library) embed(ctx context.Context, ps []*prepared) error {
	emb := l.opt.Embedder
	if emb == nil {
		for _, p := range ps {
			if p.doc == nil || p.restored {
				continue
			}
			for i := range p.doc.Records {
				p.doc.Records[i].Processed = true
			}
		}
		return nil
	}
	for _, p := range ps {
		if e := p.old; p.doc == nil && p.err == nil && e != nil && e.Status == StatusReady && e.Vectors != emb.Name() && l.paused() == nil {
			keep, touched := p.fresh, p.touched
			if err := l.restore(ctx, p); errors.Is(err, ErrNotFound) {
				p.fresh, p.touched, p.doc = keep, touched, nil
			} else if err != nil {
				return err
			} else if keep != nil { // its file has a new time
				p.fresh.ModTime, p.fresh.Collections = keep.ModTime, keep.Collections
			}
		}
	}
	return l.makeVectors(ctx, ps, false)
}

// paused returns why the embedder is not asked at the moment, or nil.
func (l *Library) paused() error {
	l.embedding.mu.Lock()
	defer l.embedding.mu.Unlock()
	if time.Now().Before(l.embedding.down) {
		return l.embedding.why
	}
	return nil
}

// makeVectors gives the passages of the documents their vectors. With must an embedder that does not work is an error; otherwise the documents say so.
func (l *Library) makeVectors(ctx context.Context, ps []*prepared, must bool) error {
	emb := l.opt.Embedder
	var texts []string
	var of []*driver.Record
	var whose []*prepared
	for _, p := range ps {
		if p.doc == nil || p.fresh.Status != StatusReady {
			continue
		}
		ends, err := rawtext.ChunkEnds(p.doc)
		if err != nil {
			return err
		}
		for i := range p.doc.Records {
			r := &p.doc.Records[i]
			r.Processed = true
			if r.Kind != driver.KindChunk {
				continue
			}
			txt := r.Text
			if end, ok := ends[r.N]; ok && r.Start < end && end-r.Start < len(txt) {
				txt = txt[:end-r.Start]
			}
			if strings.TrimSpace(txt) != "" {
				texts, of, whose = append(texts, txt), append(of, r), append(whose, p)
			}
		}
	}
	err := l.paused()
	var vs *vectors
	if must || err == nil {
		if vs, err = embedAll(ctx, emb, texts); err == nil {
			err = l.fits(ctx, vs)
		}
		if ctx.Err() != nil {
			return ctx.Err()
		}
		l.embedding.mu.Lock()
		l.embedding.why, l.embedding.down = err, time.Time{}
		if err != nil {
			l.embedding.down = time.Now().Add(embedPause)
		}
		l.embedding.mu.Unlock()
	}
	if err != nil && must {
		return err
	}
	refused := map[*prepared]int{}
	for i, r := range of {
		r.Vector, r.Processed = nil, false
		if err == nil {
			r.Vector, r.Processed = vs.made[i], !vs.missing[i]
		}
		if !r.Processed {
			refused[whose[i]]++
		}
	}
	if err != nil {
		// Each document says so too, and no call fails.
		l.opt.Logger.Info("docsearch: vectors are left for later", "documents", len(ps), "reason", err.Error())
	}
	for _, p := range ps {
		switch {
		case p.doc == nil || p.fresh.Status != StatusReady:
			continue
		case err != nil && p.restored: // what it has is as good as before
			p.doc, p.fresh = nil, nil
			p.result.Pending = "vectors: " + err.Error()
			continue
		case err != nil:
			p.fresh.Vectors, p.fresh.Pending = "", "vectors: "+err.Error()
		default:
			p.fresh.Vectors, p.fresh.Pending, p.fresh.VectorSize = emb.Name(), "", vs.size
			if n := refused[p]; n > 0 {
				p.fresh.Pending = fmt.Sprintf("vectors: %d passages have none: %v", n, vs.refused)
			}
		}
		p.result.Vectors, p.result.Pending = p.fresh.Vectors, p.fresh.Pending
	}
	return nil
}

// fits compares the size of vectors with that of those which the library holds under the name of their embedder.
func (l *Library) fits(ctx context.Context, vs *vectors) error {
	have, err := l.vectorSize(ctx)
	if err != nil {
		return err
	}
	if vs.size == 0 {
		return nil
	}
	if have != 0 && have != vs.size {
		return fmt.Errorf("embedder %s: %w: its vectors have %d numbers, and those that the library holds under this name have %d: another model needs another name, and the vectors are made anew",
			l.opt.Embedder.Name(), ErrUnsupported, vs.size, have)
	}
	l.embedding.mu.Lock()
	defer l.embedding.mu.Unlock()
	l.embedding.size = vs.size
	return nil
}

// vectorSize returns the size of the vectors that the library holds under the name of its embedder, or 0.
func (l *Library) vectorSize(ctx context.Context) (int, error) {
	l.embedding.mu.Lock()
	size := l.embedding.size
	l.embedding.mu.Unlock()
	if size != 0 {
		return size, nil
	}
	c, err := l.docs.Current(ctx)
	if err != nil {
		return 0, err
	}
	return c.VectorSize(l.opt.Embedder.Name()), nil
}

// queryVector returns the vector of a query, which is nil when the query has no direction.
func (l *Library) queryVector(ctx context.Context, query string) ([]float32, error) {
	l.embedding.mu.Lock()
	v, ok := l.embedding.queries[query]
	l.embedding.mu.Unlock()
	if ok {
		return v, nil
	}
	v, err := embedQuery(ctx, l.opt.Embedder, query)
	if err == nil && v != nil {
		err = l.fits(ctx, &vectors{size: len(v)})
	}
	if err != nil {
		return nil, err
	}
	l.embedding.mu.Lock()
	defer l.embedding.mu.Unlock()
	if l.embedding.queries == nil || len(l.embedding.queries) >= maxQueryVectors {
		l.embedding.queries = map[string][]float32{}
	}
	l.embedding.queries[query] = v
	return v, nil
}
