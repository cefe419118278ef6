package ingest

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/rawtext"
	"github.com/findspot/findspot/internal/errs"
)

// fillRecords is how many records get their vectors before they are written. Texts are embedded some dozens a second, so that this is some seconds of work.
const fillRecords = 512

// Embed makes the vectors that are missing; see docsearch.Library.Embed. What makes them in the background stops for it.
func (in *Ingester) Embed(ctx context.Context) (int, error) {
	if in.vectors == nil {
		return 0, noEmbedder()
	}
	in.filler.Stop()
	n, err := in.embedMissing(ctx, true, in.progress)
	if err != nil { // the background goes on
		in.filler.Wake()
	}
	return n, err
}

// embedMissing makes the vectors of the documents that have none of the embedder, some documents at a time, so that little is lost when it breaks off. It
// returns how many documents it finished. With refused it also tries what the embedder refused before. Documents that change meanwhile are left to who
// changes them.
func (in *Ingester) embedMissing(ctx context.Context, refused bool, progress func(Progress)) (int, error) {
	select { // one at a time
	case in.embedding <- struct{}{}:
		defer func() { <-in.embedding }()
	case <-ctx.Done():
		return 0, ctx.Err()
	}
	c, err := in.docs.Current(ctx)
	if err != nil {
		return 0, err
	}
	var todo []*catalog.Entry
	for _, e := range c.ByName() {
		if in.withoutVectors(e) || refused && e.Status == catalog.Ready && e.Pending() != "" {
			todo = append(todo, e)
		}
	}
	done := 0
	for at := 0; at < len(todo); {
		var ps []*prepared
		for records := 0; at < len(todo) && records < fillRecords; at++ {
			p := &prepared{old: todo[at]}
			if err := in.restore(ctx, p); errors.Is(err, errs.NotFound) {
				continue
			} else if err != nil {
				return done, err
			}
			records += len(p.doc.Records)
			ps = append(ps, p)
		}
		if err := in.makeVectors(ctx, ps); err != nil {
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
			progress(Progress{Doc: p.fresh.Name, Done: done, Total: len(todo), Stage: stageEmbed})
		}
	}
	return done, nil
}

// withoutVectors reports whether a document has no vectors of the embedder, if there is one.
func (in *Ingester) withoutVectors(e *catalog.Entry) bool {
	return in.vectors != nil && e != nil && e.Status == catalog.Ready && e.Vectors != in.vectors.Name()
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

// makeVectors gives the records of documents their vectors. Its error is that of the embedder, or of ctx.
func (in *Ingester) makeVectors(ctx context.Context, ps []*prepared) error {
	var texts []string
	var of []*driver.Record
	var whose []*prepared
	for _, p := range ps {
		ends, err := rawtext.ChunkEnds(p.doc)
		if err != nil {
			return err
		}
		for i := range p.doc.Records {
			r := &p.doc.Records[i]
			r.Vector, r.Processed = nil, true
			if txt := embedded(r, ends); strings.TrimSpace(txt) != "" {
				texts, of, whose = append(texts, txt), append(of, r), append(whose, p)
			}
		}
	}
	vs, err := in.vectors.Make(ctx, texts)
	if err != nil {
		return err
	}
	refused := map[*prepared]int{}
	for i, r := range of {
		r.Vector, r.Processed = vs.Made[i], !vs.Missing[i]
		if !r.Processed {
			refused[whose[i]]++
		}
	}
	for _, p := range ps {
		p.fresh.Vectors, p.fresh.Pending, p.fresh.VectorSize = in.vectors.Name(), "", vs.Size
		if n := refused[p]; n > 0 {
			p.fresh.Pending = fmt.Sprintf("vectors: %d of its texts have none: %v", n, vs.Refused)
		}
	}
	return nil
}

// embedded returns the text of a record that its vector is of: a passage without what it has in common with the next one, a title, a caption; a figure or table
// without a caption is known by its first line.
func embedded(r *driver.Record, ends map[int]int) string {
	switch r.Kind {
	case driver.KindChunk:
		if end, ok := ends[r.N]; ok && r.Start < end && end-r.Start < len(r.Text) {
			return r.Text[:end-r.Start]
		}
		return r.Text
	case driver.KindDocument: // authors and keywords follow
		title, _, _ := strings.Cut(r.Text, "\n")
		return title
	default:
		line, _, _ := strings.Cut(strings.TrimSpace(r.Text), "\n")
		return line
	}
}

// Vectors returns how many of the documents that can be read have vectors of the embedder, how many there are, whether vectors are being made in the
// background, and why they cannot be at the moment.
func (in *Ingester) Vectors(ctx context.Context) (done, all int, running bool, failed, err error) {
	if in.vectors == nil {
		return 0, 0, false, nil, noEmbedder()
	}
	c, err := in.docs.Current(ctx)
	if err != nil {
		return 0, 0, false, nil, err
	}
	for _, e := range c.ByName() {
		if e.Status == catalog.Ready {
			all++
			if !in.withoutVectors(e) {
				done++
			}
		}
	}
	running, failed = in.filler.State()
	return done, all, running, failed, nil
}

func noEmbedder() error {
	return fmt.Errorf("vectors: %w: the library was opened without an embedder", errs.Unsupported)
}
