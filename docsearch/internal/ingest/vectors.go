package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/embedding"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// Embed makes the vectors that are missing; see docsearch.Library.Embed: of documents that were added while the embedder did not work, or before the library had one,
// or with another one. It returns how many documents it finished, and ends with the first error of the embedder or the store; what was done till then
// stays. Documents that change meanwhile are left to who changes them. A library without an embedder is an error wrapping [errs.Unsupported].
func (in *Ingester) Embed(ctx context.Context) (int, error) {
	emb := in.vectors
	if emb == nil {
		return 0, fmt.Errorf("vectors: %w: the library was opened without an embedder", errs.Unsupported)
	}
	c, err := in.docs.Current(ctx)
	if err != nil {
		return 0, err
	}
	var todo []*catalog.Entry
	for _, e := range c.ByName() {
		if e.Status == catalog.Ready && (e.Vectors != emb.Name() || e.Pending() != "") {
			todo = append(todo, e)
		}
	}
	done := 0
	for at := 0; at < len(todo); {
		var ps []*prepared
		for records := 0; at < len(todo) && records < batchRecords && len(ps) < batchDocs; at++ {
			p := &prepared{old: todo[at]}
			if err := in.restore(ctx, p); errors.Is(err, errs.NotFound) {
				continue
			} else if err != nil {
				return done, err
			}
			records += len(p.doc.Records)
			ps = append(ps, p)
		}
		if err := in.makeVectors(ctx, ps, true); err != nil {
			return done, err
		}
		if err := in.commit(ctx, ps); err != nil {
			return done, err
		}
		for _, p := range ps {
			if p.fresh == nil {
				continue
			}
			done++
			in.progress(Progress{Doc: p.fresh.Name, Done: done, Total: len(todo), Stage: stageEmbed})
		}
	}
	return done, nil
}

// restore takes a document out of the store, to be written again.
func (in *Ingester) restore(ctx context.Context, p *prepared) error {
	id := p.old.ID
	d, err := in.store.Get(ctx, id)
	if err != nil {
		return err
	}
	s, err := catalog.Decode(d)
	if err != nil {
		return err
	}
	doc := &driver.Document{ID: id, Layout: d.Layout}
	for _, kind := range driver.Kinds() {
		recs, err := in.store.Records(ctx, id, kind, nil)
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
func (in *Ingester) embed(ctx context.Context, ps []*prepared) error {
	emb := in.vectors
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
		if e := p.old; p.doc == nil && p.err == nil && e != nil && e.Status == catalog.Ready && e.Vectors != emb.Name() && emb.Paused() == nil {
			keep, touched := p.fresh, p.touched
			if err := in.restore(ctx, p); errors.Is(err, errs.NotFound) {
				p.fresh, p.touched, p.doc = keep, touched, nil
			} else if err != nil {
				return err
			} else if keep != nil { // its file has a new time
				p.fresh.ModTime, p.fresh.Collections = keep.ModTime, keep.Collections
			}
		}
	}
	return in.makeVectors(ctx, ps, false)
}

// makeVectors gives the passages of the documents their vectors. With must an embedder that does not work is an error; otherwise the documents say so.
func (in *Ingester) makeVectors(ctx context.Context, ps []*prepared, must bool) error {
	emb := in.vectors
	var texts []string
	var of []*driver.Record
	var whose []*prepared
	for _, p := range ps {
		if p.doc == nil || p.fresh.Status != catalog.Ready {
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
	err := emb.Paused()
	var vs *embedding.Vectors
	if must || err == nil {
		if vs, err = emb.Passages(ctx, texts); ctx.Err() != nil {
			return ctx.Err()
		}
	}
	if err != nil && must {
		return err
	}
	refused := map[*prepared]int{}
	for i, r := range of {
		r.Vector, r.Processed = nil, false
		if err == nil {
			r.Vector, r.Processed = vs.Made[i], !vs.Missing[i]
		}
		if !r.Processed {
			refused[whose[i]]++
		}
	}
	if err != nil {
		// Each document says so too, and no call fails.
		in.opt.Logger.Info("docsearch: vectors are left for later", "documents", len(ps), "reason", err.Error())
	}
	for _, p := range ps {
		switch {
		case p.doc == nil || p.fresh.Status != catalog.Ready:
			continue
		case err != nil && p.restored: // what it has is as good as before
			p.doc, p.fresh = nil, nil
			p.result.Pending = "vectors: " + err.Error()
			continue
		case err != nil:
			p.fresh.Vectors, p.fresh.Pending = "", "vectors: "+err.Error()
		default:
			p.fresh.Vectors, p.fresh.Pending, p.fresh.VectorSize = emb.Name(), "", vs.Size
			if n := refused[p]; n > 0 {
				p.fresh.Pending = fmt.Sprintf("vectors: %d passages have none: %v", n, vs.Refused)
			}
		}
		p.result.Vectors, p.result.Pending = p.fresh.Vectors, p.fresh.Pending
	}
	return nil
}
