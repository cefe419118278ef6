package watchedfiles

import (
	"encoding/json"
	"path/filepath"
	"regexp"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/source"
)

// globPattern compiles a glob of the protocol: a string, or an object with a base and a pattern relative to it. A string
// that does not begin with a slash means paths relative to the workspace folder. Case does not count. Nil: not
// understood.
func globPattern(folder string, raw json.RawMessage) *regexp.Regexp {
	var glob string
	if json.Unmarshal(raw, &glob) == nil {
		if !strings.HasPrefix(glob, "/") && !filepath.IsAbs(glob) {
			return compileGlob(folder, glob)
		}
		return compileGlob("", glob)
	}
	var rel struct {
		BaseURI json.RawMessage `json:"baseUri"`
		Pattern string          `json:"pattern"`
	}
	if json.Unmarshal(raw, &rel) != nil {
		return nil
	}
	var base string
	if json.Unmarshal(rel.BaseURI, &base) != nil {
		var f struct{ URI string }
		if json.Unmarshal(rel.BaseURI, &f) != nil {
			return nil
		}
		base = f.URI
	}
	dir, ok := source.PathOf(base)
	if !ok {
		return nil
	}
	return compileGlob(dir, rel.Pattern)
}

// compileGlob turns "*", "?", "**", "{a,b}" and "[a-z]" into a regular expression; nil when the glob is broken.
func compileGlob(base, glob string) *regexp.Regexp {
	const maxGlob = 4096
	if len(glob) > maxGlob {
		return nil
	}
	var b strings.Builder
	b.WriteString("(?is)^")
	if base != "" {
		b.WriteString(regexp.QuoteMeta(strings.TrimSuffix(filepath.ToSlash(base), "/")) + "/")
		glob = strings.TrimPrefix(strings.TrimPrefix(glob, "./"), "/")
	}
	depth := 0
	for i := 0; i < len(glob); i++ {
		switch c := glob[i]; {
		case strings.HasPrefix(glob[i:], "**/"):
			b.WriteString("(?:.*/)?")
			i += 2
		case strings.HasPrefix(glob[i:], "**"):
			b.WriteString(".*")
			i++
		case c == '*':
			b.WriteString("[^/]*")
		case c == '?':
			b.WriteString("[^/]")
		case c == '{':
			b.WriteString("(?:")
			depth++
		case c == '}' && depth > 0:
			b.WriteString(")")
			depth--
		case c == ',' && depth > 0:
			b.WriteString("|")
		case c == '[':
			end := strings.IndexByte(glob[i:], ']')
			if end < 2 {
				return nil
			}
			set := glob[i+1 : i+end]
			if set[0] == '!' {
				set = "^" + set[1:]
			}
			b.WriteString("[" + strings.ReplaceAll(set, `\`, `\\`) + "]")
			i += end
		default:
			b.WriteString(regexp.QuoteMeta(glob[i : i+1]))
		}
	}
	if depth != 0 {
		return nil
	}
	b.WriteString("$")
	re, err := regexp.Compile(b.String())
	if err != nil {
		return nil
	}
	return re
}
