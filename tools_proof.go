package findspot

import (
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
)

// scope says in words what a search for entities was limited to; "" for all code.
func (in entitySearchInput) scope() string {
	var out []string
	if len(in.Kinds) > 0 {
		out = append(out, "kinds "+strings.Join(in.Kinds, ","))
	}
	if len(in.Paths) > 0 {
		out = append(out, "paths "+strings.Join(in.Paths, ","))
	}
	return strings.Join(out, "; ")
}

// scope says in words what a search in text was limited to; "" for all files.
func (in textInput) scope() string {
	if in.Path == "" {
		return ""
	}
	return "path " + in.Path
}

// codeRead reports whether no file of any repository was read as code, and how many could not be read, as of the last refresh.
// A search that found nothing says nothing about those.
func (w *Workspace) codeRead() (empty bool, unread int, err error) {
	repos, err := w.knownRepos()
	if err != nil {
		return false, 0, err
	}
	empty = true
	for _, r := range repos {
		g := r.Graph()
		for _, s := range g.Skipped() {
			unread += b2i(!s.Rule)
		}
		for e := range g.Entities() {
			if e.Kind != codegraph.KindDirectory {
				empty = false
				break
			}
		}
	}
	return empty, unread, nil
}

// otherwise counts the lines that a search which found none would have found in other letter case and within words.
func (t *toolset) otherwise(ctx context.Context, in textInput, res *TextMatches) (int, error) {
	if res.Total > 0 || in.IgnoreCase && !in.Word {
		return 0, nil
	}
	wide, err := t.w.SearchText(ctx, in.Pattern, &GrepOptions{Regexp: in.Regexp, IgnoreCase: true, Path: in.Path, Limit: 1})
	if err != nil {
		return 0, err
	}
	return wide.Total, nil
}

// maySlip reports whether a search found nothing although each of its words is nearly one that stands somewhere: that such a word is nowhere does not
// say that what was meant is. A query that has one word without any near one stays unfound however it is mended.
func maySlip(res *docsearch.Results) bool {
	if res.Total > 0 || len(res.Suggestions) == 0 {
		return false
	}
	return !slices.ContainsFunc(res.Read.Words, func(word string) bool {
		return !slices.ContainsFunc(res.Suggestions, func(g docsearch.Suggestion) bool { return strings.EqualFold(g.Word, word) })
	})
}
