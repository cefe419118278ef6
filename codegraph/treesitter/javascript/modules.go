package javascript

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds modules by relative paths, by the paths and base of the nearest tsconfig.json, and by the names, exports
// and imports of the repository's own packages.
type modules struct {
	core.Flat
	t        lang.Tree
	configs  map[string][]*tsConfig // by folder of the importing file
	files    map[string]*tsConfig   // by path of the configuration; nil when it is broken or not there
	packages map[string]*npmPackage // by name
	dirs     map[string]*npmPackage // by folder
}

const (
	maxExtends = 16  // configurations in one chain
	maxTargets = 512 // entries of one package.json
)

func newModules(t lang.Tree) lang.Resolver {
	m := &modules{t: t, configs: map[string][]*tsConfig{}, files: map[string]*tsConfig{}, packages: map[string]*npmPackage{},
		dirs: map[string]*npmPackage{}}
	for _, p := range t.Configs("package.json") {
		b, _ := t.Config(p)
		var v struct {
			Name                        string
			Source, Main, Module, Types any
			Exports, Imports            json.RawMessage
		}
		if json.Unmarshal(b, &v) != nil { // a broken package.json names nothing
			continue
		}
		pkg := &npmPackage{dir: core.Dir(p), exports: exportTargets(v.Exports, "."), imports: exportTargets(v.Imports, "")}
		for _, x := range []any{v.Source, v.Module, v.Main, v.Types} {
			if s, ok := x.(string); ok && s != "" {
				pkg.main = append(pkg.main, s)
			}
		}
		m.dirs[pkg.dir] = pkg
		if v.Name != "" && m.packages[v.Name] == nil {
			m.packages[v.Name] = pkg
		}
	}
	return m
}

// matchStar gives how specific a pattern with at most one star fits spec (-1: not), and what the star stands for.
func matchStar(pattern, spec string) (int, string) {
	pre, post, star := strings.Cut(pattern, "*")
	switch {
	case !star && pattern == spec:
		return len(spec) + 1, ""
	case star && strings.HasPrefix(spec, pre) && strings.HasSuffix(spec, post) && len(spec) >= len(pre)+len(post):
		return len(pre), spec[len(pre) : len(spec)-len(post)]
	}
	return -1, ""
}

var extensions = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts", ".d.mts", ".d.cts"}

// Module looks in the order of TypeScript's own resolution: relative, paths, imports of the package, packages by name.
func (m *modules) Module(from string, imp lang.Import) (lang.Module, bool) {
	spec := imp.Module
	if i := strings.IndexByte(spec, '?'); i > 0 { // "./x.svg?raw": a bundler's wish
		spec = spec[:i]
	}
	if spec == "" {
		return lang.Module{}, false
	}
	dir := core.Dir(from)
	if spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") {
		to := path.Join(dir, spec)
		if found, ok := m.at(to); ok {
			return found, true
		}
		return m.overlaid(dir, to)
	}
	for _, c := range m.config(dir) {
		if found, ok := m.mapped(c, spec); ok {
			return found, true
		}
	}
	if strings.HasPrefix(spec, "#") {
		if pkg := m.packageOf(dir); pkg != nil {
			return m.target(pkg, pkg.imports, spec)
		}
		return lang.Module{}, false
	}
	if pkg, sub := m.named(spec); pkg != nil {
		return m.inPackage(pkg, sub)
	}
	return lang.Module{}, false
}

// named gives the package of the repository that a module is named after, and what follows its name.
func (m *modules) named(spec string) (pkg *npmPackage, sub string) {
	for name := spec; ; {
		if pkg := m.packages[name]; pkg != nil {
			return pkg, sub
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return nil, ""
		}
		name, sub = name[:i], path.Join(name[i+1:], sub)
	}
}

// outputDirs are folders that builds write to.
var outputDirs = core.Words("dist build lib out esm cjs es dist-esm dist-cjs output types umd")

// built gives the module at a path or, when that is what a build writes, the source it is written from.
func (m *modules) built(p string) (lang.Module, bool) {
	if found, ok := m.at(p); ok {
		return found, true
	}
	stem := p
	for _, e := range []string{".d.ts", ".d.mts", ".d.cts", ".js", ".mjs", ".cjs", ".jsx"} {
		if s, ok := strings.CutSuffix(p, e); ok {
			stem = s
			break
		}
	}
	if stem != p {
		if found, ok := m.at(stem); ok {
			return found, true
		}
	}
	parts := strings.Split(stem, "/")
	for i, part := range parts[:max(len(parts)-1, 0)] {
		if !outputDirs[part] {
			continue
		}
		end := i + 1
		for end < len(parts)-1 && outputDirs[parts[end]] {
			end++
		}
		before, after := path.Join(parts[:i]...), path.Join(parts[end:]...)
		if found, ok := core.First([]string{path.Join(before, "src", after), path.Join(before, after)}, m.at); ok {
			return found, true
		}
	}
	return lang.Module{}, false
}

// sourceExtensions are the endings that an import may write for a source with another one.
var sourceExtensions = [][]string{{".js", ".ts", ".tsx", ".jsx", ".d.ts"}, {".jsx", ".tsx"}, {".mjs", ".mts", ".d.mts"}, {".cjs", ".cts", ".d.cts"}}

// at gives the module at a path as TypeScript and Node search for it.
func (m *modules) at(p string) (lang.Module, bool) {
	if strings.HasPrefix(p, "..") {
		return lang.Module{}, false
	}
	if p == "." {
		p = ""
	}
	tries := withExtensions(nil, p)
	for _, w := range sourceExtensions {
		if s, ok := strings.CutSuffix(p, w[0]); ok {
			for _, e := range w[1:] {
				tries = append(tries, s+e)
			}
		}
	}
	if pkg := m.dirs[p]; pkg != nil {
		for _, to := range pkg.main {
			if to := path.Join(p, to); to != p {
				tries = withExtensions(tries, to)
			}
		}
	}
	tries = append(tries, withExtensions(nil, path.Join(p, "index"))[1:]...)
	return core.First(tries, func(f string) (lang.Module, bool) { return core.One(m.t, f) })
}

// withExtensions adds a path, and the path with each extension.
func withExtensions(list []string, p string) []string {
	list = append(list, p)
	for _, e := range extensions {
		list = append(list, p+e)
	}
	return list
}
