package docsearch

import (
	"errors"
	"fmt"
	"log/slog"
	"maps"
	"strings"

	"github.com/findspot/findspot/chunk"
	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// MaxFile is the default of [Options.MaxFile]: 100 MB.
const MaxFile = 104_857_600

// Options says how documents are read. The zero value reads text, Markdown and HTML.
type Options struct {
	// Extractors reads files by their extension, lower case with the dot (".pdf"). Text (.txt), Markdown (.md,
	// .markdown) and HTML (.html, .htm, .xhtml) are built in and can be replaced.
	Extractors map[string]extract.Extractor
	Splitter   chunk.Splitter // cuts the raw text into the passages that are searched; nil means chunk.Fixed(nil)
	MaxFile    int64          // bytes; a larger file is refused before it is read; 0 means MaxFile
	Workers    int            // documents read at a time by AddAll; 0 means 2, or 1 on one processor
	// Embedder makes vectors of passages, titles and captions, and of queries, so that a search also finds what is put in other
	// words; nil: none. The store must be a driver.VectorStore. Adding does not wait for it: vectors are made in the background once
	// documents are in, which words find meanwhile, until the library is closed; [Library.EmbedState] says how far it is, and
	// [Library.Embed] makes all that are missing. Where it fails it is tried again. Vectors that an embedder of another name
	// made are not used, and made anew.
	Embedder Embedder
	Logger   *slog.Logger // nil discards
	// Progress is called from one goroutine at a time, must not block, and is not called after the call it
	// reports on has returned.
	Progress func(Progress)
}

// Progress is one step of taking documents in.
type Progress struct {
	Doc   string `json:"doc"`   // name of the document
	Done  int    `json:"done"`  // documents finished
	Total int    `json:"total"` // documents in all; 0: unknown
	Page  int    `json:"page"`  // page read last
	Pages int    `json:"pages"` // pages of the document
	// Stage is "read" while pages are being read, "embed" when the vectors of the document were made by [Library.Embed], and "done" when the
	// document is in the library, or was found unchanged, or failed.
	Stage string `json:"stage"`
}

func (o *Options) withDefaults() (Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	var bad []error
	if v.MaxFile < 0 {
		bad = append(bad, fmt.Errorf("option MaxFile: %d is negative", v.MaxFile))
	}
	if v.Workers < 0 {
		bad = append(bad, fmt.Errorf("option Workers: %d is negative", v.Workers))
	}
	all := map[string]extract.Extractor{}
	for _, ext := range []string{".txt", ".md", ".markdown", ".html", ".htm", ".xhtml"} {
		all[ext] = textExtractor(ext)
	}
	maps.Copy(all, v.Extractors)
	for ext, x := range all {
		if x == nil {
			bad = append(bad, fmt.Errorf("the extractor for %q is nil", ext))
		}
		if !strings.HasPrefix(ext, ".") || ext != strings.ToLower(ext) {
			bad = append(bad, fmt.Errorf("extension %q must be lower case and begin with a dot", ext))
		}
	}
	v.Extractors = all
	if v.Splitter == nil {
		v.Splitter = chunk.Fixed(nil)
	}
	if v.MaxFile == 0 {
		v.MaxFile = MaxFile
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	return v, errors.Join(bad...)
}

// textExtractor returns what reads files of a built-in ending; nil for others.
func textExtractor(ext string) extract.Extractor {
	switch ext {
	case ".txt":
		return format.Text{}
	case ".md", ".markdown":
		return format.Text{Markdown: true}
	case ".html", ".htm", ".xhtml":
		return format.HTML{}
	}
	return nil
}
