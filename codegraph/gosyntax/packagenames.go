package gosyntax

import (
	"go/ast"
	"path"
	"slices"
	"strconv"
	"strings"
)

// importName guesses the name of a package from its path: gopkg.in/yaml.v3, github.com/x/go-y/v2.
func importName(p string) string {
	base := path.Base(p)
	if isVersion(base) && strings.Contains(p, "/") {
		base = path.Base(path.Dir(p))
	}
	if i := strings.LastIndexByte(base, '.'); i > 0 && isVersion(base[i+1:]) {
		base = base[:i]
	}
	base = strings.TrimPrefix(base, "go-")
	base = strings.TrimSuffix(strings.TrimSuffix(base, "-go"), ".go")
	if i := strings.LastIndexByte(base, '-'); i >= 0 {
		base = base[i+1:]
	}
	return base
}

func isVersion(s string) bool {
	return len(s) > 1 && s[0] == 'v' && strings.Trim(s[1:], "0123456789") == ""
}

// findPackageNames finds the names of imported packages that the file does not use under the name that their path suggests. A package
// that is imported is used, or the file would not compile: so the names before a dot that nothing else in the file explains are
// compared with the path.
func findPackageNames(f *ast.File) map[string]string {
	var paths []string
	taken := map[string]bool{}
	for _, s := range f.Imports {
		p, err := strconv.Unquote(s.Path.Value)
		switch {
		case err != nil:
		case s.Name != nil:
			taken[s.Name.Name] = true
		case isStandard(p):
			taken[importName(p)] = true
		default:
			paths = append(paths, p)
		}
	}
	if len(paths) == 0 {
		return nil
	}
	bases := map[string]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		if s, ok := n.(*ast.SelectorExpr); ok {
			if id, ok := s.X.(*ast.Ident); ok {
				bases[id.Name] = true
			}
		}
		return true
	})
	paths = slices.DeleteFunc(paths, func(p string) bool {
		name := importName(p)
		if bases[name] {
			taken[name] = true
		}
		return bases[name]
	})
	out := map[string]string{}
	for _, p := range paths {
		best := ""
		for name := range bases {
			if !taken[name] && mayBeNamed(p, name) && (len(name) > len(best) || len(name) == len(best) && name < best) {
				best = name
			}
		}
		if best != "" {
			out[p], taken[best] = best, true
		}
	}
	return out
}

// mayBeNamed tells whether a package with an import path may have a name: the name stands in the last two parts of the path, or
// one of these, without its marks, in the name.
func mayBeNamed(p, name string) bool {
	parts := strings.Split(p, "/")
	for _, part := range parts[max(0, len(parts)-2):] {
		plain := strings.ToLower(strings.NewReplacer("-", "", ".", "", "_", "").Replace(part))
		if n := strings.ToLower(strings.ReplaceAll(name, "_", "")); strings.Contains(plain, n) && (len(n) > 2 || n == plain) ||
			len(plain) > 2 && strings.Contains(n, plain) {
			return true
		}
	}
	return false
}
