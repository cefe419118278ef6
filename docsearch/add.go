package docsearch

import (
	"context"
	"errors"
	"iter"

	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/ingest"
)

// Add takes one document in, or finds that it is unchanged; the Change of the answer says which. The document is searchable,
// and safe on disk where the store has one, when Add returns. What Add cannot read it remembers as failed, and returns that
// document along with an [*ingestError]. Such a document is read again when its content, its extractor or the options change.
func (l *Library) Add(ctx context.Context, src Source) (*Document, error) {
	res, err := l.in.Add(ctx, src.ingest())
	return added(res), public(err)
}

// added is the document of a result, nil for none.
func added(res *ingest.Result) *Document {
	if res == nil {
		return nil
	}
	d := storedDocument(res.Stored)
	d.Change = Change(res.Change)
	return d
}

// A sourceError is an error of the sources that [Library.AddAll] got, on its way to who ranges over the answer.
type sourceError struct{ error }

// AddAll takes documents in as [Library.Add] does, several at a time, and yields them in the order of sources. A document that cannot
// be read is yielded with an [*IngestError], and so is an error of sources; the documents after it follow. Any other error
// (ctx ended, the store broke) is the last one.
//
// When a document is yielded it is in the library, whatever happens next. Breaking the loop stops the work; documents not
// yielded may or may not be in.
func (l *Library) AddAll(ctx context.Context, sources iter.Seq2[Source, error]) iter.Seq2[*Document, error] {
	inner := func(yield func(ingest.Source, error) bool) {
		for src, err := range sources {
			if errors.As(err, new(*IngestError)) { // the documents after it follow
				err = &catalog.IngestError{Err: sourceError{err}}
			}
			if !yield(src.ingest(), err) {
				return
			}
		}
	}
	return func(yield func(*Document, error) bool) {
		for res, err := range l.in.All(ctx, inner) {
			if ie, ok := err.(*catalog.IngestError); ok {
				if of, ok := ie.Err.(sourceError); ok {
					err = of.error
				}
			}
			if !yield(added(res), public(err)) {
				return
			}
		}
	}
}

// Embed makes the vectors that are missing: of documents that were added while the embedder did not work, or before the library had one,
// or with another one. It returns how many documents it finished, and ends with the first error of the embedder or the store; what was done till then
// stays. Documents that change meanwhile are left to who changes them. A library without an embedder is an error wrapping [ErrUnsupported].
func (l *Library) Embed(ctx context.Context) (int, error) { return l.in.Embed(ctx) }
