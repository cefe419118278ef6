package docsearch

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/catalog"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/internal/rootfs"
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
	Password string // opens a locked document, where its extractor is an [Unlocker]; it is not kept
	Retry    bool   // read a document again that failed, also when nothing changed

	extractor extract.Extractor // nil: by the extension of Name
	later     bool              // not the first document of its file, with which the time of the file is kept
}

// id returns the id of the source's document.
func (s *Source) id() string {
	if s.ID != "" {
		return s.ID
	}
	return catalog.NameID(s.Name)
}

// Bytes returns a source for bytes in memory. Its origin is "bytes".
func Bytes(name string, data []byte) Source {
	return Source{
		Name: name, Origin: "bytes", Size: int64(len(data)),
		Open: func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(data)), nil },
	}
}

// extensions are the files that [Files] finds.
var extensions = []string{".pdf", ".txt", ".md", ".markdown", ".html", ".htm", ".xhtml"}

// Files walks root and yields its documents (.pdf, .txt, .md, .markdown, .html, .htm and .xhtml, in any case) sorted by their path. When root is
// a file it is yielded alone, whatever its extension, under its base name. In the place of a file of JSON Lines (.jsonl, .jsonl.gz) its
// documents are yielded, see [JSONLines].
//
// Files and folders whose name begins with a dot are left out, as are symbolic links that lead out of root or to a folder. A folder that
// cannot be read yields an [*IngestError], and the walk goes on.
func Files(root string) iter.Seq2[Source, error] {
	return func(yield func(Source, error) bool) {
		files(root, yield, func(f sourceFile) bool {
			if IsJSONLines(f.name) {
				return f.lines(yield)
			}
			return yield(f.source(), nil)
		})
	}
}

// A sourceFile is a file that holds a document, or several.
type sourceFile struct {
	name string // slash path below the folder
	path string // where it was found, absolute
	info fs.FileInfo
	open func() (io.ReadCloser, error)
}

func (f sourceFile) source() Source {
	return Source{Name: f.name, Origin: f.path, Size: f.info.Size(), ModTime: f.info.ModTime(), Open: f.open}
}

// files calls each for the files of root in order, and yield for what cannot be read.
func files(root string, yield func(Source, error) bool, each func(sourceFile) bool) {
	abs, err := filepath.Abs(root)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	var info fs.FileInfo
	if err == nil {
		info, err = os.Stat(abs)
	}
	switch {
	case err != nil:
		yield(Source{}, &IngestError{Name: root, Err: plainPathError(err)})
	case info.IsDir():
		w := folderWalk{rootfs.New(abs), abs, yield, each}
		w.folder(".")
	case !info.Mode().IsRegular():
		yield(Source{}, &IngestError{Name: root, Err: fmt.Errorf("%w: neither a file nor a folder", ErrUnsupported)})
	default:
		each(sourceFile{filepath.Base(root), abs, info, func() (io.ReadCloser, error) { return rootfs.Open(abs) }})
	}
}

// CountFiles returns about how many documents [Files] will yield for root, and 0 when that cannot be told without unpacking a file, or
// ctx ended. No document is read; of files of JSON Lines the lines are counted.
func CountFiles(ctx context.Context, root string) int {
	n, known := 0, true
	count := func(f sourceFile) bool {
		switch {
		case !IsJSONLines(f.name):
			n++
		case strings.HasSuffix(strings.ToLower(f.name), ".gz"):
			known = false
		default:
			lines, err := countLines(ctx, f)
			if n += lines; err != nil {
				known = false
			}
		}
		return known && ctx.Err() == nil
	}
	files(root, func(Source, error) bool { return true }, count)
	if !known || ctx.Err() != nil {
		return 0
	}
	return n
}

func countLines(ctx context.Context, file sourceFile) (n int, err error) {
	f, err := file.open()
	if err != nil {
		return 0, err
	}
	defer f.Close() // read only
	buf := make([]byte, 256<<10)
	for {
		k, err := format.ContextReader(ctx, f).Read(buf)
		n += bytes.Count(buf[:k], []byte("\n"))
		if err == io.EOF {
			return n, nil
		}
		if err != nil {
			return n, err
		}
	}
}

// A folderWalk goes through a folder of documents.
type folderWalk struct {
	root  *rootfs.Dir
	abs   string
	yield func(Source, error) bool
	each  func(sourceFile) bool
}

// folder goes through the folder of a slash path. It reports whether to go on.
func (w folderWalk) folder(dir string) bool {
	entries, err := w.root.ReadDir(dir)
	if err != nil && !w.yield(Source{}, &IngestError{Name: filepath.Join(w.abs, filepath.FromSlash(dir)), Err: plainPathError(err)}) {
		return false
	}
	// A folder sorts as its files do, by the whole path.
	key := func(e fs.DirEntry) string {
		if e.IsDir() {
			return e.Name() + "/"
		}
		return e.Name()
	}
	slices.SortFunc(entries, func(a, b fs.DirEntry) int { return strings.Compare(key(a), key(b)) })
	for _, e := range entries {
		name := path.Join(dir, e.Name())
		switch {
		case strings.HasPrefix(e.Name(), "."):
			continue
		case e.IsDir():
			if !w.folder(name) {
				return false
			}
			continue
		case !slices.Contains(extensions, strings.ToLower(path.Ext(e.Name()))) && !IsJSONLines(e.Name()):
			continue
		}
		info, err := w.root.Stat(name)
		switch {
		case errors.Is(err, fs.ErrNotExist) && e.Type()&fs.ModeSymlink == 0:
			continue // removed while we walked
		case errors.Is(err, ErrRefused):
			continue // a link that leads out
		case err != nil:
			if !w.yield(Source{}, &IngestError{Name: name, Err: plainPathError(err)}) {
				return false
			}
			continue
		case !info.Mode().IsRegular():
			continue
		}
		open := func() (io.ReadCloser, error) { return w.root.Open(name) }
		if !w.each(sourceFile{name, filepath.Join(w.abs, filepath.FromSlash(name)), info, open}) {
			return false
		}
	}
	return true
}

// plainPathError drops the name of the system call, which tells a user nothing.
func plainPathError(err error) error {
	if pe, ok := errors.AsType[*fs.PathError](err); ok {
		return fmt.Errorf("%s: %w", pe.Path, pe.Err)
	}
	return err
}
