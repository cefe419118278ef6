package javascript

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// modules finds modules by relative paths, by the paths and base of the nearest tsconfig.json, and by the names, exports
// and imports of the repository's own packages.
type modules struct {
	t        lang.Tree
	configs  map[string][]*tsConfig // by folder of the importing file
	files    map[string]*tsConfig   // by path of the configuration; nil when it is broken or not there
	packages map[string]*npmPackage // by name
	dirs     map[string]*npmPackage // by folder
}

// A tsConfig is what a tsconfig.json says of modules, what it extends included.
type tsConfig struct {
	base    string // folder of baseUrl; "" with hasBase false when there is none
	hasBase bool
	rootDir []string // folders laid over one another
	paths   map[string][]string
	pathsAt string   // folder that paths are relative to
	refs    []string // further configurations that take part
}

// A npmPackage is a package.json.
type npmPackage struct {
	dir     string
	main    []string // what names the package's module, in order
	exports []exportTarget
	imports []exportTarget
}

// A exportTarget is one entry of exports or imports.
type exportTarget struct {
	key string
	to  []string // under all conditions, in the order written
}

const (
	maxExtends = 16  // configurations in one chain
	maxTargets = 512 // entries of one package.json
)

func newModules(t lang.Tree) *modules {
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

// exportTargets reads exports or imports: a path, a list, or a mapping of conditions or of keys to such. The order written is
// the order of conditions, so the mapping is read token by token.
func exportTargets(raw json.RawMessage, key string) []exportTarget {
	var out []exportTarget
	var walk func(d *json.Decoder, key string, depth int) bool
	walk = func(d *json.Decoder, key string, depth int) bool {
		t, err := d.Token()
		if err != nil || depth > 10 || len(out) > maxTargets {
			return false
		}
		switch t := t.(type) {
		case string:
			if i := slices.IndexFunc(out, func(x exportTarget) bool { return x.key == key }); i >= 0 {
				out[i].to = append(out[i].to, t)
			} else {
				out = append(out, exportTarget{key, []string{t}})
			}
		case json.Delim:
			for d.More() {
				k := key
				if t == '{' {
					name, err := d.Token()
					s, ok := name.(string)
					if err != nil || !ok {
						return false
					}
					if strings.HasPrefix(s, ".") || strings.HasPrefix(s, "#") {
						k = s
					}
				}
				if !walk(d, k, depth+1) {
					return false
				}
			}
			_, err := d.Token()
			return err == nil
		}
		return true
	}
	if len(raw) > 0 && !walk(json.NewDecoder(strings.NewReader(string(raw))), key, 0) {
		return nil // cut or too deep: nothing of it counts
	}
	return out
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
	name, sub := spec, ""
	for {
		if pkg := m.packages[name]; pkg != nil {
			return m.inPackage(pkg, sub)
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return lang.Module{}, false
		}
		name, sub = name[:i], path.Join(name[i+1:], sub)
	}
}

// mapped looks a module up by the paths and the base of a configuration.
func (m *modules) mapped(c *tsConfig, spec string) (lang.Module, bool) {
	best, rest, score := "", "", -1
	for pattern := range c.paths {
		if n, r := matchStar(pattern, spec); n > score || n >= 0 && n == score && pattern < best {
			best, rest, score = pattern, r, n
		}
	}
	if score >= 0 {
		for _, to := range c.paths[best] {
			if found, ok := m.built(path.Join(c.pathsAt, strings.Replace(to, "*", rest, 1))); ok {
				return found, true
			}
		}
	}
	if c.hasBase {
		return m.at(path.Join(c.base, spec))
	}
	return lang.Module{}, false
}

// overlaid looks for a relative module in the other folders of rootDirs.
func (m *modules) overlaid(dir, to string) (lang.Module, bool) {
	for _, c := range m.config(dir) {
		for _, root := range c.rootDir {
			rest, ok := strings.CutPrefix(to+"/", strings.TrimSuffix(root, "/")+"/")
			if !ok {
				continue
			}
			for _, other := range c.rootDir {
				if found, ok := m.at(path.Join(other, rest)); ok {
					return found, true
				}
			}
		}
	}
	return lang.Module{}, false
}

// packageOf gives the package that a folder is in.
func (m *modules) packageOf(dir string) *npmPackage {
	for {
		if p := m.dirs[dir]; p != nil {
			return p
		}
		if dir == "" {
			return nil
		}
		dir = core.Dir(dir)
	}
}

// inPackage gives a module of a package of the repository. What its exports name may be built from source that lies
// elsewhere; the source is what counts.
func (m *modules) inPackage(pkg *npmPackage, sub string) (lang.Module, bool) {
	key := "."
	if sub != "" {
		key = "./" + sub
	}
	if found, ok := m.target(pkg, pkg.exports, key); ok {
		return found, true
	}
	if sub == "" {
		for _, to := range pkg.main {
			if found, ok := m.built(path.Join(pkg.dir, to)); ok {
				return found, true
			}
		}
	}
	for _, in := range []string{"", "src", "lib", "source"} {
		if found, ok := m.at(path.Join(pkg.dir, in, sub)); ok {
			return found, true
		}
	}
	return lang.Module{}, false
}

func (m *modules) target(pkg *npmPackage, entries []exportTarget, key string) (lang.Module, bool) {
	var best *exportTarget
	rest, score := "", -1
	for i := range entries {
		if n, r := matchStar(entries[i].key, key); n > score {
			best, rest, score = &entries[i], r, n
		}
	}
	if best == nil {
		return lang.Module{}, false
	}
	for _, to := range best.to {
		if strings.HasPrefix(to, ".") {
			if found, ok := m.built(path.Join(pkg.dir, strings.ReplaceAll(to, "*", rest))); ok {
				return found, true
			}
		} else if strings.HasPrefix(key, "#") && !strings.HasPrefix(to, "#") { // imports may name a package
			if found, ok := m.Module(path.Join(pkg.dir, "package.json"), lang.Import{Module: to}); ok {
				return found, true
			}
		}
	}
	return lang.Module{}, false
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
		for _, in := range []string{"src", ""} {
			if found, ok := m.at(path.Join(path.Join(parts[:i]...), in, path.Join(parts[end:]...))); ok {
				return found, true
			}
		}
	}
	return lang.Module{}, false
}

// config gives the configurations of the nearest folder that has one: tsconfig.json or jsconfig.json, and those it refers to.
func (m *modules) config(dir string) []*tsConfig {
	if c, ok := m.configs[dir]; ok {
		return c
	}
	var out []*tsConfig
	found := false
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		p := path.Join(dir, name)
		if _, ok := m.t.Config(p); !ok {
			continue
		}
		found = true
		if c := m.load(p, 0); c != nil {
			out = append(out, c)
			for _, r := range c.refs {
				if o := m.load(r, 0); o != nil && (len(o.paths) > 0 || o.hasBase) && !slices.Contains(out, o) {
					out = append(out, o)
				}
			}
		}
		break
	}
	if !found && dir != "" {
		out = m.config(core.Dir(dir))
	}
	m.configs[dir] = out
	return out
}

// load reads one configuration with what it extends.
func (m *modules) load(p string, depth int) *tsConfig {
	if c, ok := m.files[p]; ok {
		return c
	}
	b, ok := m.t.Config(p)
	if !ok || depth > maxExtends {
		return nil
	}
	m.files[p] = nil // a circle ends here
	var v struct {
		Extends         any
		References      []struct{ Path string }
		CompilerOptions struct {
			BaseURL  *string             `json:"baseUrl"`
			RootDirs []string            `json:"rootDirs"`
			Paths    map[string][]string `json:"paths"`
		} `json:"compilerOptions"`
	}
	if json.Unmarshal(plainJSON(b), &v) != nil { // a broken configuration maps nothing
		return nil
	}
	dir := core.Dir(p)
	c := &tsConfig{}
	for _, e := range stringsOf(v.Extends) { // later ones win
		if base := m.load(m.extended(dir, e), depth+1); base != nil {
			if base.hasBase {
				c.base, c.hasBase = base.base, true
			}
			if base.paths != nil {
				c.paths, c.pathsAt = base.paths, base.pathsAt
			}
			if base.rootDir != nil {
				c.rootDir = base.rootDir
			}
		}
	}
	if u := v.CompilerOptions.BaseURL; u != nil {
		c.base, c.hasBase = path.Join(dir, *u), true
	}
	if v.CompilerOptions.Paths != nil {
		c.paths, c.pathsAt = v.CompilerOptions.Paths, dir
		if c.hasBase {
			c.pathsAt = c.base
		}
	}
	for _, r := range v.CompilerOptions.RootDirs {
		c.rootDir = append(c.rootDir, path.Join(dir, r))
	}
	for i, r := range v.References {
		if i == 64 {
			break
		}
		to := path.Join(dir, r.Path)
		if !strings.HasSuffix(to, ".json") {
			to = path.Join(to, "tsconfig.json")
		}
		c.refs = append(c.refs, to)
	}
	m.files[p] = c
	return c
}

// extended gives the path of a configuration that another one extends: relative, or in a package of the repository.
func (m *modules) extended(dir, to string) string {
	if !strings.HasPrefix(to, ".") {
		name, sub := to, ""
		for {
			if pkg := m.packages[name]; pkg != nil {
				dir, to = pkg.dir, sub
				if to == "" {
					to = "tsconfig.json"
				}
				break
			}
			i := strings.LastIndexByte(name, '/')
			if i < 0 {
				return to
			}
			name, sub = name[:i], path.Join(name[i+1:], sub)
		}
	}
	p := path.Join(dir, to)
	if _, ok := m.t.Config(p); ok {
		return p
	}
	if _, ok := m.t.Config(p + ".json"); ok {
		return p + ".json"
	}
	return path.Join(p, "tsconfig.json")
}

func stringsOf(v any) []string {
	switch v := v.(type) {
	case string:
		return []string{v}
	case []any:
		var out []string
		for _, x := range v {
			if s, ok := x.(string); ok && len(out) < maxExtends {
				out = append(out, s)
			}
		}
		return out
	}
	return nil
}

// plainJSON takes comments and trailing commas out.
func plainJSON(b []byte) []byte {
	out := make([]byte, 0, len(b))
	for i := 0; i < len(b); i++ {
		switch {
		case b[i] == '"':
			j := i + 1
			for j < len(b) && b[j] != '"' {
				if b[j] == '\\' {
					j++
				}
				j++
			}
			j = min(j, len(b)-1)
			out = append(out, b[i:j+1]...)
			i = j
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '/':
			for i < len(b) && b[i] != '\n' {
				i++
			}
		case b[i] == '/' && i+1 < len(b) && b[i+1] == '*':
			for i += 2; i+1 < len(b) && (b[i] != '*' || b[i+1] != '/'); i++ {
			}
			i++
		case b[i] == '}' || b[i] == ']':
			j := len(out)
			for j > 0 && strings.IndexByte(" \t\r\n", out[j-1]) >= 0 {
				j--
			}
			if j > 0 && out[j-1] == ',' {
				out = append(out[:j-1], out[j:]...)
			}
			out = append(out, b[i])
		default:
			out = append(out, b[i])
		}
	}
	return out
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
	one := func(f string) (lang.Module, bool) {
		return lang.Module{Files: []string{f}}, f != "" && m.t.HasFile(f)
	}
	if found, ok := one(p); ok {
		return found, true
	}
	for _, e := range extensions {
		if found, ok := one(p + e); ok {
			return found, true
		}
	}
	for _, w := range sourceExtensions {
		if s, ok := strings.CutSuffix(p, w[0]); ok {
			for _, e := range w[1:] {
				if found, ok := one(s + e); ok {
					return found, true
				}
			}
		}
	}
	if pkg := m.dirs[p]; pkg != nil {
		for _, to := range pkg.main {
			if to := path.Join(p, to); to != p {
				if found, ok := one(to); ok {
					return found, true
				}
				for _, e := range extensions {
					if found, ok := one(to + e); ok {
						return found, true
					}
				}
			}
		}
	}
	for _, e := range extensions {
		if found, ok := one(path.Join(p, "index"+e)); ok {
			return found, true
		}
	}
	return lang.Module{}, false
}

// Sub gives nothing: a module's members are its exports.
func (m *modules) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }
