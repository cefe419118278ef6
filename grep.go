package findspot

import (
	"bytes"
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// The bounds of a text search. Repositories are untrusted, and an agent reads the answer.
const (
	grepMaxLine = 300 // bytes of a line that are shown
)

// GrepOptions says what a text search looks at.
type GrepOptions struct {
	Regexp     bool   // the pattern is a regular expression (RE2 syntax); otherwise it is plain text
	Word       bool   // the match must not continue a word on either side
	IgnoreCase bool   // upper and lower case are the same
	Path       string // glob of the paths to search, such as "src/*.py" or "*.go" (a pattern without "/" is matched with the file name); "" means all
	Limit      int    // most lines to return; 0 means 100
}

// TextMatch is one line that matches.
type TextMatch struct {
	Repo    string   `json:"repo,omitempty"` // name of the repository, when it has one
	Path    string   `json:"path"`
	Line    int      `json:"line"`    // from 1
	Col     int      `json:"col"`     // byte column of the first match, from 1
	Text    string   `json:"text"`    // the line, without its end; long lines are cut around the first match
	Matches [][2]int `json:"matches"` // byte ranges of Text, half-open
}

// TextMatches is the answer to a text search.
type TextMatches struct {
	Pattern   string      `json:"pattern"`
	Total     int         `json:"total"`     // matching lines, all of them
	Files     int         `json:"files"`     // files searched
	Skipped   int         `json:"skipped"`   // files left out: binary, too large or not readable
	Truncated bool        `json:"truncated"` // there are more lines than Matches
	Matches   []TextMatch `json:"matches"`   // by repository, path and line; never nil
}

// maxPattern bounds a pattern in bytes: what it is compiled to takes a hundred times its size.
const maxPattern = 8 << 10

// SearchText searches the files of all repositories of the workspace line by line, as they are on disk now. Files that
// .gitignore leaves out, binary files and files over 4 MB are not searched. Text in other encodings is searched, and
// shown, as UTF-8. It is for broad patterns, strings and
// comments; who calls or uses a symbol is a question for [Workspace.Callers]. A pattern of more than 8192 bytes is [ErrTooLarge].
func (w *Workspace) SearchText(ctx context.Context, pattern string, o *GrepOptions) (*TextMatches, error) {
	opt := GrepOptions{}
	if o != nil {
		opt = *o
	}
	if len(pattern) > maxPattern {
		return nil, fmt.Errorf("search text: the pattern: %w: %d bytes, the limit is %d", ErrTooLarge, len(pattern), maxPattern)
	}
	re, err := grep.Compile(pattern, grep.Options{Regexp: opt.Regexp, Word: opt.Word, IgnoreCase: opt.IgnoreCase})
	if err != nil {
		return nil, err
	}
	if opt.Limit <= 0 {
		opt.Limit = 100
	}
	if _, err := path.Match(opt.Path, ""); err != nil {
		return nil, fmt.Errorf("path pattern %q: %w", opt.Path, err)
	}
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	res := &TextMatches{Pattern: pattern, Matches: []TextMatch{}}
	for _, r := range repos {
		err := searchRepo(ctx, r, re, opt.Path, res, func(m TextMatch) {
			if len(res.Matches) < opt.Limit {
				res.Matches = append(res.Matches, m)
			}
		})
		if err != nil {
			return nil, err
		}
	}
	res.Truncated = res.Total > len(res.Matches)
	return res, nil
}

// searchRepo passes each matching line to found and counts in res.
func searchRepo(ctx context.Context, r *repository.Repository, re *regexp.Regexp, glob string, res *TextMatches, found func(TextMatch)) error {
	o := walk.Options{
		Keep: func(p string, _ fs.DirEntry) bool { return glob == "" || grep.Glob(glob, p) },
		Skip: func(_, _ string, rule bool) { res.Skipped += b2i(!rule) },
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
			text, shown := grep.Cut(strings.TrimSuffix(string(line), "\r"), spans, grepMaxLine)
			found(TextMatch{Repo: r.Label(), Path: p, Line: n + 1, Col: spans[0][0] + 1, Text: text, Matches: shown})
		}
		return nil
	})
}
