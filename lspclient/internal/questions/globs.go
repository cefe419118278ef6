package questions

import (
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
)

// pathFilter chooses paths by globs.
type pathFilter [][]string

// NewPathFilter checks the globs. No globs choose every path.
func NewPathFilter(globs []string) (pathFilter, error) {
	const most = 1000
	if len(globs) > most {
		return nil, fmt.Errorf("%d path patterns, the limit is %d: %w", len(globs), most, errs.TooLarge)
	}
	var f pathFilter
	for _, g := range globs {
		parts := strings.Split(strings.TrimPrefix(strings.TrimSuffix(g, "/"), "./"), "/")
		if strings.HasPrefix(g, "/") {
			parts = parts[1:]
		}
		for _, p := range parts {
			if _, err := path.Match(p, ""); err != nil || g == "" {
				return nil, fmt.Errorf("path pattern %q: must be a glob such as src/** or *.go: %w", excerpt.Clip(g, 100), path.ErrBadPattern)
			}
		}
		// Several ** in a row mean the same as one.
		parts = slices.CompactFunc(parts, func(a, b string) bool { return a == "**" && b == "**" })
		if len(parts) == 1 && parts[0] != "**" && !strings.HasPrefix(g, "/") {
			parts = []string{"**", parts[0]} // a file name, or the name of a folder around it
		}
		f = append(f, parts)
	}
	return f, nil
}

// Match reports whether one of the globs matches the path or a folder around it.
func (f pathFilter) Match(p string) bool {
	if len(f) == 0 {
		return true
	}
	parts := strings.Split(strings.TrimPrefix(p, "/"), "/")
	return slices.ContainsFunc(f, func(glob []string) bool { return globMatch(glob, parts) })
}

// globMatch matches part by part. It remembers for each part of the glob where matching may go on, so that its time is
// the product of the lengths whatever the glob.
func globMatch(glob, parts []string) bool {
	at := make([]bool, len(glob)+1) // at[i]: the first i parts of the glob match what was read
	at[0] = true
	for i := 0; i < len(glob) && glob[i] == "**"; i++ {
		at[i+1] = true
	}
	for _, p := range parts {
		next := make([]bool, len(glob)+1)
		for i, g := range glob {
			if !at[i] {
				continue
			}
			if g == "**" {
				next[i] = true
				if i+1 == len(glob) {
					return true
				}
			} else if ok, _ := path.Match(g, p); ok {
				next[i+1] = true
			}
		}
		for i, g := range glob {
			if next[i] && g == "**" {
				next[i+1] = true
			}
		}
		if next[len(glob)] {
			return true // what is left of the path lies below the folder that matched
		}
		at = next
	}
	return at[len(glob)]
}
