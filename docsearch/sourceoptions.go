package docsearch

import (
	"iter"
	"path"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// A Format is the form in which a document's text is read.
type Format string

// The formats.
const (
	FormatText     Format = "text"     // the raw text, which all places are of
	FormatMarkdown Format = "markdown" // the pages' Markdown, a view that has no places of its own
)

// SourceOptions say how the documents of a folder are taken in; see [With].
type SourceOptions struct {
	// Prefix is put before the names, with a slash between: "left" makes "left/a.pdf" of "a.pdf". It does not change ids that a source has of its own.
	Prefix      string
	ByContent   bool     // see [Source.ByContent]
	Collections []string // see [Source.Collections]
	Format      Format   // see [Source.Format]
	Password    string   // see [Source.Password]
	Retry       bool     // see [Source.Retry]
	// LeftOut is [FilesOptions.LeftOut] for who walks a folder on the caller's behalf; [With] does not call it.
	LeftOut func(files map[string]int)
}

// With yields the sources with the options set for each; nil changes nothing.
func With(sources iter.Seq2[Source, error], o *SourceOptions) iter.Seq2[Source, error] {
	if o == nil {
		return sources
	}
	opt := *o
	return func(yield func(Source, error) bool) {
		for src, err := range sources {
			if err == nil {
				if p := strings.Trim(opt.Prefix, "/"); p != "" && src.ID == "" {
					src.Name = path.Join(p, src.Name)
				}
				src.ByContent = src.ByContent || opt.ByContent && src.ID == ""
				src.Collections = catalog.Union(src.Collections, opt.Collections)
				if src.Format == "" {
					src.Format = opt.Format
				}
				if src.Password == "" {
					src.Password = opt.Password
				}
				src.Retry = src.Retry || opt.Retry
			}
			if !yield(src, err) {
				return
			}
		}
	}
}
