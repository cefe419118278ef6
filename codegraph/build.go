package codegraph

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"log/slog"

	"github.com/findspot/findspot/codegraph/internal/scan"
	"github.com/findspot/findspot/codegraph/internal/update"
	"github.com/findspot/findspot/codegraph/lang"
)

// Options of [Build] and [Open].
type Options struct {
	MaxFile  int64        // bytes; larger files are skipped; 0 means 2 MB
	Ignore   []string     // more patterns in the syntax of .gitignore, relative to the root
	Workers  int          // files parsed at a time; 0 means the number of processors
	Logger   *slog.Logger // nil discards
	Facts    string       // only [Open]: a folder in which indexes share what they read of equal files, see [Open]; "" shares nothing
	ReadOnly bool         // only [Open]: read what another process keeps up to date, without its lock and without looking at the sources
	// TrustIndex, only [Open]: use folders of the index and of facts that another user owns or everybody may write in. Links are refused all the same.
	TrustIndex bool
	// Embedder, only [Open], makes vectors of functions and classes, so that plain questions also find what is put in other words; nil: none. It does so in the
	// background, from Open until Close, and keeps them in Facts, where other indexes and later processes find those of equal files;
	// see [Index.Embed]. Tests and generated code have none. The text of the code is handed to the embedder.
	Embedder Embedder
	Progress func(Progress) // called from one goroutine at a time, never after the call returns; must not block
}

// Progress is how far a pass has come.
type Progress struct {
	Path  string `json:"path"`  // the file just read
	Done  int    `json:"done"`  // files read
	Total int    `json:"total"` // files to read; 0 when unknown
	Stage string `json:"stage"` // "parse", "link"; "embed" in [Index.Embed], which counts functions and classes
}

// withDefaults gives the options as package update takes them.
func (o *Options) withDefaults() (update.Options, error) {
	var v Options
	if o != nil {
		v = *o
	}
	var bad []error
	if v.MaxFile < 0 {
		bad = append(bad, errors.New("codegraph: MaxFile is negative"))
	}
	if v.Workers < 0 {
		bad = append(bad, errors.New("codegraph: Workers is negative"))
	}
	if v.Logger == nil {
		v.Logger = slog.New(slog.DiscardHandler)
	}
	progress := func(string, int, int) {}
	if v.Progress != nil {
		progress = func(path string, done, total int) {
			stage := "parse"
			if path == "" {
				stage = "link"
			}
			v.Progress(Progress{path, done, total, stage})
		}
	}
	return update.Options{
		Options: scan.Options{MaxFile: cmp.Or(v.MaxFile, 2<<20), Ignore: v.Ignore, Workers: v.Workers, Logger: v.Logger, Progress: progress},
		Facts:   v.Facts, ReadOnly: v.ReadOnly, TrustIndex: v.TrustIndex,
	}, errors.Join(bad...)
}

// Build reads a whole repository and links its graph in memory. A file that cannot be read is skipped and listed by
// [Graph.Skipped]; an error means that ctx ended or that the root could not be read.
func Build(ctx context.Context, fsys fs.FS, langs []lang.Frontend, o *Options) (*Graph, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	b, err := update.NewBuilder(fsys, langs, opt)
	if err != nil {
		return nil, err
	}
	s, err := b.Build(ctx)
	if err != nil {
		return nil, err
	}
	return newGraph(s), nil
}
