package repository

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/textfiles"
)

// The bounds of a text search. Repositories are untrusted, and an agent reads the answer.
const (
	maxMatchLine = 300     // bytes of a line that are shown
	maxPattern   = 8 << 10 // bytes of a pattern: what it is compiled to takes a hundred times its size
)

// A TextSearch says what a search of text looks at.
type TextSearch struct {
	Regexp     bool   // the pattern is a regular expression (RE2 syntax); otherwise it is plain text
	Word       bool   // the match must not continue a word on either side
	IgnoreCase bool   // upper and lower case are the same
	Path       string // glob of the paths to search; "" means all
	Limit      int    // most lines to return; 0 means 100
}

// A Match is one line that matches.
type Match struct {
	Repo    string   `json:"repo,omitempty"`
	Path    string   `json:"path"`
	Line    int      `json:"line"`
	Col     int      `json:"col"`  // byte column of the first match
	Text    string   `json:"text"` // the line, without its end; long lines are cut around the first match
	Matches [][2]int `json:"matches"`
}

// Matches is what a search of text found.
type Matches struct {
	Total   int     // matching lines, all of them
	Files   int     // files searched
	Skipped int     // files left out: binary, too large or not readable
	Lines   []Match // by repository, path and line; never nil
}

// SearchText searches the files line by line, as they are on disk now. Files that .gitignore leaves out, binary files and large ones are not searched.
func (s *Store) SearchText(ctx context.Context, pattern string, o TextSearch) (*Matches, error) {
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("search text: the pattern: %w: %d bytes, the limit is %d", errs.TooLarge, len(pattern), maxPattern)
	}
	p, err := grep.Compile(pattern, grep.Options{Regexp: o.Regexp, Word: o.Word, IgnoreCase: o.IgnoreCase})
	if err != nil {
		return nil, err
	}
	if o.Limit <= 0 {
		o.Limit = 100
	}
	if _, err := path.Match(o.Path, ""); err != nil {
		return nil, fmt.Errorf("path pattern %q: %w", o.Path, err)
	}
	repos, err := s.Opened(ctx)
	if err != nil {
		return nil, err
	}
	res := &Matches{Lines: []Match{}}
	for _, r := range repos {
		err := searchLines(ctx, r, p, o.Path, res, func(m Match) {
			if len(res.Lines) < o.Limit {
				res.Lines = append(res.Lines, m)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	return res, nil
}

// searchLines passes each matching line to found and counts in res.
func searchLines(ctx context.Context, r *Repository, p *grep.Pattern, glob string, res *Matches, found func(Match)) error {
	list, err := r.Files(ctx)
	if err != nil {
		return err
	}
	for _, s := range list.Skips {
		if !s.Rule {
			res.Skipped++
		}
	}
	sought := textfiles.Seek(p.Needs, p.Fold)
	type looked struct {
		path    string
		skipped bool
		lines   []grep.Line
	}
	files := list.Files
	if glob != "" {
		files = slices.DeleteFunc(slices.Clone(files), func(f *textfiles.File) bool { return !grep.Glob(glob, f.Path) })
	}
	for in, err := range textfiles.Each(ctx, files, func(f *textfiles.File) looked {
		if f.Hides && !r.Policy().ShowSecrets {
			return looked{skipped: true}
		}
		look, err := f.Look(sought)
		if err != nil || look.Zero >= 0 && look.Zero < 8000 {
			return looked{skipped: true}
		}
		if look.Lacks {
			return looked{}
		}
		// Masking costs more than looking. What matches is masked and looked at again: a search must not tell what is under a mask.
		lines := slices.Collect(p.Lines(look.Text))
		if len(lines) > 0 && !r.Policy().ShowSecrets {
			if text, none := look.Masked(); !none {
				lines = slices.Collect(p.Lines(text))
			}
		}
		return looked{path: f.Path, lines: lines}
	}) {
		if err != nil {
			return err
		}
		if in.skipped {
			res.Skipped++
			continue
		}
		res.Files++
		for _, l := range in.lines {
			res.Total++
			line, shown := grep.Cut(strings.TrimSuffix(string(l.Text), "\r"), l.Spans, maxMatchLine)
			found(Match{Repo: r.Label(), Path: in.path, Line: l.N, Col: l.Spans[0][0] + 1, Text: line, Matches: shown})
		}
	}
	return nil
}
