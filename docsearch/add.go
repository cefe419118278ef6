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

// Embed makes the vectors that are missing, and returns when none is: those that the background has not come to yet (see [Options.Embedder]), those of
// documents that were added before the library had an embedder, or with another one, and those that the embedder refused before. It returns how many
// documents it finished, and ends with the first error of the embedder or the store; what was done till then stays. Documents that change meanwhile are
// left to who changes them. A library without an embedder is an error wrapping [ErrUnsupported].
func (l *Library) Embed(ctx context.Context) (int, error) { return l.in.Embed(ctx) }

// An EmbedState says how far the making of vectors is.
type EmbedState struct {
	Documents int    `json:"documents"`       // that can be read
	Done      int    `json:"done"`            // of those, documents with vectors of the library's embedder
	Running   bool   `json:"running"`         // vectors are being made in the background
	Error     string `json:"error,omitempty"` // why they cannot be at the moment; it is tried again
}

// EmbedState returns how far the making of vectors is. A library without an embedder is an error wrapping [ErrUnsupported].
func (l *Library) EmbedState(ctx context.Context) (*EmbedState, error) {
	done, all, running, failed, err := l.in.Vectors(ctx)
	if err != nil {
		return nil, err
	}
	st := &EmbedState{Documents: all, Done: done, Running: running}
	if failed != nil {
		st.Error = failed.Error()
	}
	return st, nil
}
