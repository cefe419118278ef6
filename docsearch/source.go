package docsearch

import (
	"bytes"
	"context"
	"io"
	"iter"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/folder"
	"github.com/findspot/findspot/docsearch/internal/ingest"
)

// A Source is one document to add.
type Source struct {
	// ID is the document's id, chosen by the caller: one line of valid UTF-8 of at most 256 bytes, without control characters and without blanks at its
	// ends. "" means the hex MD5 of Name.
	ID      string
	Name    string    // slash-separated path relative to the added folder
	Origin  string    // where the bytes come from: tells two documents of one name apart
	Size    int64     // bytes
	ModTime time.Time // zero: unknown
	// Open returns the bytes. It is called at most once for each call of Add, and not for a file that is too large.
	Open func() (io.ReadCloser, error)

	// ByContent gives the document an id by its content: the first 32 digits of its SHA-256 in hex. Content that is there already is unchanged, wherever it
	// came from; new content of a file is a new document, and the one of the old stays. A file that cannot be read has no id and is not remembered.
	ByContent   bool
	Collections []string // collections that the document is put into; those it is in already it stays in
	// Format [FormatMarkdown] keeps the Markdown of the pages beside the raw text, and reading calls that leave the choice to the document give it. ""
	// means as it was when the document was added last, and [FormatText] for a new one.
	Format   Format
	Password string // opens a locked document, where its extractor is an [extract.Unlocker]; it is not kept
	Retry    bool   // read a document again that failed, also when nothing changed

	extractor extract.Extractor // nil: by the extension of Name
	later     bool              // not the first document of its file, with which the time of the file is kept
}

func (s *Source) ingest() ingest.Source {
	return ingest.Source{
		ID: s.ID, Name: s.Name, Origin: s.Origin, Size: s.Size, ModTime: s.ModTime, Open: s.Open, ByContent: s.ByContent, Collections: s.Collections,
		Format: string(s.Format), Password: s.Password, Retry: s.Retry, Extractor: s.extractor, Later: s.later,
	}
}

// Bytes returns a source for bytes in memory. Its origin is "bytes".
func Bytes(name string, data []byte) Source {
	return Source{
		Name: name, Origin: "bytes", Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// Files walks root and yields its documents (.pdf, .txt, .md, .markdown, .html, .htm and .xhtml, in any case) sorted by their path. When root is
// a file it is yielded alone, whatever its extension, under its base name. In the place of a file of JSON Lines (.jsonl, .jsonl.gz) its
// documents are yielded, see [JSONLines].
//
// Files and folders whose name begins with a dot are left out, as are symbolic links that lead out of root or to a folder. A folder that
// cannot be read yields an [*IngestError], and the walk goes on.
func Files(root string) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		bad := func(name string, err error) bool { return yield(Source{}, &IngestError{Name: name, Err: err}) }
		folder.Files(root, bad, func(f folder.File) bool {
			if folder.IsJSONLines(f.Name) {
				return fileLines(f, yield)
			}
			return yield(Source{Name: f.Name, Origin: f.Path, Size: f.Info.Size(), ModTime: f.Info.ModTime(), Open: f.Open}, nil)
		})
	}
}

// CountFiles returns about how many documents [Files] will yield for root, and 0 when that cannot be told without unpacking a file, or
// ctx ended. No document is read; of files of JSON Lines the lines are counted.
func CountFiles(ctx context.Context, root string) int { return folder.Count(ctx, root) }
