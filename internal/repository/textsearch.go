package repository

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
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
	re, err := grep.Compile(pattern, grep.Options{Regexp: o.Regexp, Word: o.Word, IgnoreCase: o.IgnoreCase})
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
		err := searchLines(ctx, r, re, o.Path, res, func(m Match) {
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
func searchLines(ctx context.Context, r *Repository, re *regexp.Regexp, glob string, res *Matches, found func(Match)) error {
	o := walk.Options{
		Keep: func(p string, _ fs.DirEntry) bool { return glob == "" || grep.Glob(glob, p) },
		Skip: func(_, _ string, rule bool) {
			if !rule {
				res.Skipped++
			}
		},
	}
	return walk.Files(ctx, r.FS, o, func(p string, d fs.DirEntry) error {
		if _, secret := secrets.Name(p); secret && !r.Policy().ShowSecrets {
			res.Skipped++
			return nil
		}
		data, err := r.Text(p)
		if err != nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			res.Skipped++
			return nil
		}
		res.Files++
		// Masking costs more than looking. What matches is masked and looked at again: a search must not tell what is under a mask.
		if !slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(grep.Line(re, line)) > 0 }) {
			return nil
		}
		r.Policy().Mask(data)
		for n, line := range bytes.Split(data, []byte("\n")) {
			spans := grep.Line(re, line)
			if len(spans) == 0 {
				continue
			}
			res.Total++
			text, shown := grep.Cut(strings.TrimSuffix(string(line), "\r"), spans, maxMatchLine)
			found(Match{Repo: r.Label(), Path: p, Line: n + 1, Col: spans[0][0] + 1, Text: text, Matches: shown})
		}
		return nil
	})
}
