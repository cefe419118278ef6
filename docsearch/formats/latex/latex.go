package latex

import (
	"context"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// Bounds of what is read.
const (
	maxFile     = 32 << 20  // bytes of one file
	maxFiles    = 500       // included
	maxIncluded = 64 << 20  // bytes of all included files
	maxInclude  = 10        // files in files
	maxExpanded = 64 << 20  // bytes that macros make
	maxSteps    = 1_000_000 // macros expanded
	maxNested   = 200       // arguments in arguments
	maxAuthors  = 30_000    // bytes
)

// Options change what is read. The zero value, and nil, read the one file that is given.
type Options struct {
	// Files holds the files that a document may include, by slash paths. It must not lead out of its folder: that of an [os.Root], say, or
	// one of an archive. nil: none.
	Files fs.FS
	// Name is the path of the document in Files; what it includes is found from there, and "" means that it lies at the root. It also says
	// the name of the .bbl file.
	Name string
}

// An Extractor reads LaTeX. It is safe for concurrent use where its file system is.
type Extractor struct{ opt Options }

// New returns an extractor of LaTeX. opt may be nil.
func New(opt *Options) *Extractor {
	if opt == nil {
		opt = &Options{}
	}
	return &Extractor{*opt}
}

// WithFiles returns an extractor that reads included files; see [Options].
func (x *Extractor) WithFiles(files fs.FS, name string) extract.Extractor {
	return &Extractor{Options{files, name}}
}

// Version names the extractor. It says nothing of the files that it may include.
func (x *Extractor) Version() string { return "latex/2" }

// Open reads a document.
func (x *Extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	src, err := format.ReadSource(ctx, r, size, maxFile)
	if err != nil {
		return nil, err
	}
	// Once for the numbers, once for the text: a reference may stand before what it means.
	known := newRefs()
	var m *machine
	for range 2 {
		m = newMachine(ctx, known, &library{files: x.opt.Files, dir: path.Dir("/" + x.opt.Name)[1:], name: x.opt.Name})
		m.document(src)
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		known = m.refs.next()
	}
	return compose.Document(m.meta, m.page.End()), nil
}

// A library reads the files that a document includes.
type library struct {
	files fs.FS
	dir   string // of the document
	name  string
	count int
	bytes int64
}

// read returns the text of an included file, by its name as the document writes it, with one of the extensions where it has none. ok is false where
// it may not be read or is not there.
func (l *library) read(ctx context.Context, name string, extensions ...string) (text string, ok bool) {
	name = strings.TrimSpace(strings.Trim(strings.TrimSpace(name), `"`))
	if l.files == nil || l.count >= maxFiles || name == "" {
		return "", false
	}
	for _, e := range extensions {
		p := path.Join(l.dir, name+e)
		if !fs.ValidPath(p) || p == "." { // such as what lies above the root
			continue
		}
		f, err := l.files.Open(p)
		if err != nil {
			continue
		}
		text, ok = l.take(ctx, f)
		if cerr := f.Close(); ok && cerr == nil {
			return text, true
		}
	}
	return "", false
}

func (l *library) take(ctx context.Context, f fs.File) (string, bool) {
	info, err := f.Stat()
	if err != nil || !info.Mode().IsRegular() || info.Size() > maxFile || l.bytes+info.Size() > maxIncluded {
		return "", false
	}
	data, err := io.ReadAll(format.ContextReader(ctx, io.LimitReader(f, info.Size())))
	if err != nil {
		return "", false
	}
	text, err := format.ReadSource(ctx, strings.NewReader(string(data)), int64(len(data)), maxFile)
	if err != nil {
		return "", false
	}
	l.count++
	l.bytes += info.Size()
	return text, true
}
