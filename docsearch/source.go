package docsearch

import (
	"bytes"
	"cmp"
	"context"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"maps"
	"path"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/folder"
	"github.com/findspot/findspot/docsearch/internal/ingest"
)

// A Source is one document to add.
type Source struct {
	// ID is the document's id, chosen by the caller: one line of valid UTF-8 of at most 256 bytes, without control characters and without blanks at its
	// ends. "" means the hex MD5 of Name; where documents of other files have that name, of Name with folders of Origin before it, see the package's Guarantees.
	ID      string
	Name    string    // slash-separated path relative to the added folder
	Origin  string    // where the bytes come from: tells two documents of one name apart; of a file its absolute path
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
	// Refuse leaves the library as it was when the document cannot be read: nothing is remembered of it, and what had its name stays. Else it is
	// remembered as failed, so that it is not read again until it changes.
	Refuse bool

	extractor extract.Extractor // nil: by the extension of Name
	files     fs.FS             // what the document may include
	path      string            // of the document in files
	later     bool              // not the first document of its file, with which the time of the file is kept
}

func (s *Source) ingest() ingest.Source {
	return ingest.Source{
		ID: s.ID, Name: s.Name, Origin: s.Origin, Size: s.Size, ModTime: s.ModTime, Open: s.Open, ByContent: s.ByContent, Collections: s.Collections,
		Format: string(s.Format), Password: s.Password, Retry: s.Retry, Refuse: s.Refuse, Extractor: s.extractor, Files: s.files, Path: s.path, Later: s.later,
	}
}

// Bytes returns a source for bytes in memory. Its origin is "bytes".
func Bytes(name string, data []byte) Source {
	return Source{
		Name: name, Origin: "bytes", Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// Files walks root and yields its documents sorted by their path, those of the endings that [New] knows without any [Options.Extractors], and PDFs: .pdf, .txt,
// .md, .markdown, .html, .htm and .xhtml, in any case. [Library.Files] goes by the extractors of a library. When root is a file it is yielded alone, whatever its
// extension, under its base name. In the place of a file of JSON Lines (.jsonl, .jsonl.gz) its documents are yielded, see [JSONLines].
//
// Files and folders whose name begins with a dot are left out, as are symbolic links that lead out of root or to a folder. A folder that
// cannot be read yields an [*IngestError], and the walk goes on.
func Files(root string) iter.Seq2[Source, error] { return files(root, builtIn, nil, nil) }

// CountFiles returns about how many documents [Files] will yield for root, and 0 when that cannot be told without unpacking a file, or
// ctx ended. No document is read; of files of JSON Lines the lines are counted.
func CountFiles(ctx context.Context, root string) int { return folder.Count(ctx, root, builtIn) }

// builtIn are the endings of [Files].
func builtIn(ext string) bool { return ext == ".pdf" || textExtractor(ext) != nil }

// FilesOptions says how [Library.Files] goes through a folder.
type FilesOptions struct {
	// LeftOut is called when the walk has come to its end, with the number of files that no extractor of the library reads, by ending: in lower case
	// with its dot, "" for names without one. It is called from the goroutine that ranges over the files, or from one of [Library.AddAll], which has
	// ended when the iteration has; not where nothing was left out. nil: these files are passed over in silence.
	LeftOut func(files map[string]int)
}

// FormatEndings puts the counts of [FilesOptions.LeftOut] into words, most first: ".rst 12, .png 3, no extension 1". After the first eight the rest is counted.
func FormatEndings(files map[string]int) string {
	const most = 8
	exts := slices.SortedFunc(maps.Keys(files), func(a, b string) int { return cmp.Or(cmp.Compare(files[b], files[a]), strings.Compare(a, b)) })
	var out []string
	rest := 0
	for i, ext := range exts {
		if i >= most && len(exts) > most+1 {
			rest += files[ext]
			continue
		}
		out = append(out, fmt.Sprintf("%s %d", cmp.Or(ext, "no extension"), files[ext]))
	}
	if rest > 0 {
		out = append(out, fmt.Sprintf("%d others", rest))
	}
	return strings.Join(out, ", ")
}

// files walks root. other says of a file of an ending that is read that it is of another format; nil: none is.
func files(root string, reads func(ext string) bool, other func(folder.File) bool, leftOut func(map[string]int)) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		left, whole := map[string]int{}, true
		folder.Walk{
			Reads:   reads,
			LeftOut: func(ext string) { left[ext]++ },
			Bad: func(name string, err error) bool {
				whole = yield(Source{}, &IngestError{Name: name, Err: err})
				return whole
			},
			Each: func(f folder.File) bool {
				if other != nil && other(f) {
					left[strings.ToLower(path.Ext(f.Name))]++
					return true
				}
				if folder.IsJSONLines(f.Name) {
					whole = fileLines(f, yield)
				} else {
					whole = yield(Source{Name: f.Name, Origin: f.Path, Size: f.Info.Size(), ModTime: f.Info.ModTime(), Open: f.Open, files: f.Files, path: f.Name}, nil)
				}
				return whole
			},
		}.Files(root)
		if whole && leftOut != nil && len(left) > 0 {
			leftOut(left)
		}
	}
}
