package findspot

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/secrets"
	"github.com/findspot/findspot/internal/walk"
)

// The bounds of a text search. Repositories are untrusted, and an agent reads the answer.
const (
	grepMaxFile = 4 << 20 // bytes; larger files are counted as skipped
	grepMaxLine = 300     // bytes of a line that are shown
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
	re, err := grepPattern(pattern, opt)
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
		err := r.grep(ctx, re, opt.Path, res, func(m TextMatch) {
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

func grepPattern(pattern string, o GrepOptions) (*regexp.Regexp, error) {
	if pattern == "" {
		return nil, errors.New("search text: the pattern is empty")
	}
	expr := pattern
	if !o.Regexp {
		expr = regexp.QuoteMeta(pattern)
	} else if _, err := regexp.Compile(pattern); err != nil {
		return nil, fmt.Errorf("search text: pattern %q is no regular expression (RE2 syntax): %w", pattern, err)
	}
	if o.Word {
		expr = `(?:^|[^\pL\pN_])(` + expr + `)(?:$|[^\pL\pN_])`
	} else {
		expr = `(` + expr + `)`
	}
	if o.IgnoreCase {
		expr = "(?i)" + expr
	}
	re, err := regexp.Compile(expr)
	if err != nil {
		return nil, fmt.Errorf("search text: pattern %q is no regular expression (RE2 syntax): %w", pattern, err)
	}
	return re, nil
}

// grep passes each matching line to found and counts in res.
func (r *repo) grep(ctx context.Context, re *regexp.Regexp, glob string, res *TextMatches, found func(TextMatch)) error {
	o := walk.Options{
		Keep: func(p string, _ fs.DirEntry) bool { return glob == "" || globMatch(glob, p) },
		Skip: func(_, _ string, rule bool) { res.Skipped += b2i(!rule) },
	}
	return walk.Files(ctx, r.fsys, o, func(p string, d fs.DirEntry) error {
		if _, secret := secrets.Name(p); secret && !r.w.opt.ShowSecrets {
			res.Skipped++
			return nil
		}
		data, err := r.text(p)
		if err != nil || bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
			res.Skipped++
			return nil
		}
		res.Files++
		// Masking costs more than looking. What matches is masked and looked at again: a search must not tell what is under a mask.
		if !slices.ContainsFunc(bytes.Split(data, []byte("\n")), func(line []byte) bool { return len(matchLine(re, line)) > 0 }) {
			return nil
		}
		if !r.w.opt.ShowSecrets {
			secrets.Mask(data)
		}
		for n, line := range bytes.Split(data, []byte("\n")) {
			spans := matchLine(re, line)
			if len(spans) == 0 {
				continue
			}
			res.Total++
			text, shown := cutLine(strings.TrimSuffix(string(line), "\r"), spans)
			found(TextMatch{Repo: r.label(), Path: p, Line: n + 1, Col: spans[0][0] + 1, Text: text, Matches: shown})
		}
		return nil
	})
}

// matchLine returns the byte ranges of the pattern's group in a line. The surroundings that a word match looks at may
// belong to two matches, so each search begins at the end of the last group.
func matchLine(re *regexp.Regexp, line []byte) [][2]int {
	var out [][2]int
	for at := 0; at <= len(line) && len(out) < 50; {
		// A rune before the start must be seen by the word rule, but not matched.
		from := at
		if at > 0 {
			_, n := utf8.DecodeLastRune(line[:at])
			from = at - n
		}
		m := re.FindSubmatchIndex(line[from:])
		if m == nil {
			break
		}
		s, e := from+m[2], from+m[3]
		if s < at { // overlaps the last match
			at++
			continue
		}
		out = append(out, [2]int{s, e})
		at = max(e, at+1)
	}
	return out
}

// cutLine shortens a long line around its first match and moves the ranges with it.
func cutLine(line string, spans [][2]int) (string, [][2]int) {
	if len(line) <= grepMaxLine {
		return line, spans
	}
	from := max(0, min(spans[0][0]-grepMaxLine/3, len(line)-grepMaxLine))
	for from > 0 && !utf8.RuneStart(line[from]) {
		from--
	}
	to := min(len(line), from+grepMaxLine)
	for to < len(line) && !utf8.RuneStart(line[to]) {
		to--
	}
	out := [][2]int{}
	for _, s := range spans {
		if s[0] < to {
			out = append(out, [2]int{s[0] - from, min(s[1], to) - from})
		}
	}
	return line[from:to], out
}

// globMatch matches a path with a glob. "**" matches any number of folders; a glob without "/" is matched with the
// file's name; a glob that names a folder matches what is in it.
func globMatch(glob, p string) bool {
	glob = strings.TrimPrefix(strings.TrimSuffix(glob, "/"), "./")
	if !strings.Contains(glob, "/") {
		if ok, _ := path.Match(glob, path.Base(p)); ok {
			return true
		}
	}
	return globParts(strings.Split(glob, "/"), strings.Split(p, "/"))
}

func globParts(glob, p []string) bool {
	for len(glob) > 0 {
		if glob[0] == "**" {
			return slices.ContainsFunc(tails(p), func(t []string) bool { return globParts(glob[1:], t) })
		}
		if len(p) == 0 {
			return false
		}
		if ok, _ := path.Match(glob[0], p[0]); !ok {
			return false
		}
		glob, p = glob[1:], p[1:]
	}
	return true // what is left of p lies below the folder that matched
}

func tails(p []string) [][]string {
	out := make([][]string, 0, len(p)+1)
	for i := range len(p) + 1 {
		out = append(out, p[i:])
	}
	return out
}
