package treesitter

import (
	"encoding/json"
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

func (s *script) importStatement(n, scope int32) {
	src := s.constant(s.field(n, "source"))
	base := lang.Import{Scope: lang.File, Module: src, Line: s.line(n)}
	add := func(name, alias string) {
		m := base
		m.Name, m.Alias = name, alias
		s.b.Facts.Imports = append(s.b.Facts.Imports, m)
	}
	if r := s.first(n, "import_require_clause"); r >= 0 { // import x = require("y")
		base.Module = s.constant(s.field(r, "source"))
		add("", s.text(s.child(r, 0)))
		return
	}
	clause := s.first(n, "import_clause")
	if clause < 0 {
		add("", "")
		return
	}
	for c := range s.children(clause) {
		switch s.kind(c) {
		case "identifier":
			add("default", s.text(c))
		case "namespace_import":
			add("*", s.text(s.child(c, 0)))
		case "named_imports":
			for i := range s.children(c) {
				if s.kind(i) != "import_specifier" {
					continue
				}
				name := s.key(s.field(i, "name"))
				alias := name
				if a := s.field(i, "alias"); a >= 0 {
					alias = s.text(a)
				}
				add(name, alias)
			}
		}
	}
}

func (s *script) exportStatement(n, scope int32) {
	src := s.constant(s.field(n, "source"))
	isDefault := strings.HasPrefix(strings.TrimSpace(strings.TrimPrefix(s.text(n), "export")), "default")
	add := func(name, as string) {
		s.b.Facts.Imports = append(s.b.Facts.Imports, lang.Import{Scope: lang.File, Module: src, Name: name, As: as, Line: s.line(n)})
	}
	if clause := s.first(n, "export_clause"); clause >= 0 {
		for c := range s.children(clause) {
			if s.kind(c) != "export_specifier" {
				continue
			}
			name := s.key(s.field(c, "name"))
			as := name
			if a := s.field(c, "alias"); a >= 0 {
				as = s.key(a)
			}
			add(name, as)
		}
		return
	}
	if ns := s.first(n, "namespace_export"); ns >= 0 {
		add("*", s.text(s.child(ns, 0)))
		return
	}
	if src != "" {
		add("*", "")
		return
	}
	for c := range s.children(n) {
		before := len(s.b.Facts.Decls)
		x := s.visit(c, scope)
		if !isDefault || s.kind(c) == "decorator" || s.kind(c) == "comment" {
			continue
		}
		if len(s.b.Facts.Decls) > before && x != lang.None && s.b.Facts.Exprs[x].Op == lang.OpDecl {
			d := &s.b.Facts.Decls[s.b.Facts.Exprs[x].Decl]
			d.Flags |= lang.DefaultExport
			if d.Name == "" || d.Kind == lang.Lambda { // export default () => ...
				d.Kind, d.Name = lang.Function, "default"
				d.Signature = lang.OneLine(string(s.src[d.Span.Start:max(d.Body, d.Span.Start)]))
			}
		}
		s.b.Bind(lang.Assign, lang.File, "default", x, s.line(c))
	}
}

// jsModules finds modules by relative paths, by the paths of the nearest tsconfig.json, and by the names of the
// repository's own packages.
type jsModules struct {
	t        lang.Tree
	configs  map[string]*tsConfig // by folder of the importing file
	packages map[string]string    // name to folder
}

type tsConfig struct {
	dir             string
	CompilerOptions struct {
		BaseURL string              `json:"baseUrl"`
		Paths   map[string][]string `json:"paths"`
	} `json:"compilerOptions"`
}

func newJSModules(t lang.Tree) *jsModules {
	m := &jsModules{t: t, configs: map[string]*tsConfig{}, packages: map[string]string{}}
	for _, p := range t.Configs("package.json") {
		b, _ := t.Config(p)
		var pkg struct{ Name string }
		if json.Unmarshal(b, &pkg) == nil && pkg.Name != "" { // a broken package.json names no package
			if _, ok := m.packages[pkg.Name]; !ok {
				m.packages[pkg.Name] = dirOf(p)
			}
		}
	}
	return m
}

var jsExts = []string{".ts", ".tsx", ".mts", ".cts", ".js", ".jsx", ".mjs", ".cjs", ".d.ts"}

func (m *jsModules) Module(from string, imp lang.Import) (lang.Module, bool) {
	spec := imp.Module
	if spec == "" {
		return lang.Module{}, false
	}
	if spec == "." || spec == ".." || strings.HasPrefix(spec, "./") || strings.HasPrefix(spec, "../") {
		return m.at(path.Join(dirOf(from), spec))
	}
	if c := m.config(dirOf(from)); c != nil {
		base := path.Join(c.dir, c.CompilerOptions.BaseURL)
		best, rest := "", ""
		for pattern := range c.CompilerOptions.Paths {
			pre, post, star := strings.Cut(pattern, "*")
			switch {
			case !star && pattern == spec:
				best, rest = pattern, ""
			case star && strings.HasPrefix(spec, pre) && strings.HasSuffix(spec, post) && len(spec) >= len(pre)+len(post) &&
				(best == "" || strings.Contains(best, "*") && len(pattern) > len(best)):
				best, rest = pattern, spec[len(pre):len(spec)-len(post)]
			}
		}
		for _, to := range c.CompilerOptions.Paths[best] {
			if found, ok := m.at(path.Join(base, strings.Replace(to, "*", rest, 1))); ok {
				return found, true
			}
		}
		if c.CompilerOptions.BaseURL != "" {
			if found, ok := m.at(path.Join(base, spec)); ok {
				return found, true
			}
		}
	}
	name, sub := spec, ""
	for {
		if dir, ok := m.packages[name]; ok {
			for _, in := range []string{"", "src"} {
				if found, ok := m.at(path.Join(dir, in, sub)); ok {
					return found, true
				}
			}
			return lang.Module{}, false
		}
		i := strings.LastIndexByte(name, '/')
		if i < 0 {
			return lang.Module{}, false
		}
		name, sub = name[:i], path.Join(name[i+1:], sub)
	}
}

// config gives the nearest tsconfig.json or jsconfig.json.
func (m *jsModules) config(dir string) *tsConfig {
	if c, ok := m.configs[dir]; ok {
		return c
	}
	var c *tsConfig
	for _, name := range []string{"tsconfig.json", "jsconfig.json"} {
		if b, ok := m.t.Config(strings.TrimPrefix(dir+"/"+name, "/")); ok {
			v := &tsConfig{dir: dir}
			if json.Unmarshal(plainJSON(b), v) == nil { // a broken configuration maps nothing
				c = v
			}
			break
		}
	}
	if c == nil && dir != "" {
		c = m.config(dirOf(dir))
	}
	m.configs[dir] = c
	return c
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

// at gives the module at a path as TypeScript and Node look for it.
func (m *jsModules) at(p string) (lang.Module, bool) {
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
	for _, e := range jsExts {
		if found, ok := one(p + e); ok {
			return found, true
		}
	}
	for from, to := range map[string][]string{".js": {".ts", ".tsx"}, ".jsx": {".tsx"}, ".mjs": {".mts"}, ".cjs": {".cts"}} {
		if s, ok := strings.CutSuffix(p, from); ok {
			for _, e := range to {
				if found, ok := one(s + e); ok {
					return found, true
				}
			}
		}
	}
	for _, e := range jsExts {
		if found, ok := one(path.Join(p, "index"+e)); ok {
			return found, true
		}
	}
	return lang.Module{}, false
}

// Sub gives nothing: a module's members are its exports.
func (m *jsModules) Sub(lang.Module, string) (lang.Module, bool) { return lang.Module{}, false }

var jsRules = lang.Rules{
	Family:       "javascript",
	Constructors: []string{"constructor"},
	Class:        "constructor",
	BlockScope:   true,
	Objects:      true,
	Config:       []string{"tsconfig.json", "jsconfig.json", "package.json"},
	Builtins: set(`Array ArrayBuffer Atomics BigInt Boolean DataView Date Error EvalError Function Infinity Intl JSON Map
Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError
URIError URL URLSearchParams WeakMap WeakRef WeakSet console decodeURI decodeURIComponent document encodeURI
encodeURIComponent eval exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt process
queueMicrotask require clearInterval clearTimeout setInterval setTimeout setImmediate structuredClone window Buffer
__dirname __filename alert AbortController TextDecoder TextEncoder Uint8Array Int8Array Uint16Array Int16Array
Uint32Array Int32Array Float32Array Float64Array describe it test expect beforeEach afterEach beforeAll afterAll jest`),
	Common: set(`add apply assign at bind call catch charAt clear close concat delete destroy emit end endsWith entries error
every exec filter finally find findIndex flat flatMap forEach get has hasOwnProperty includes indexOf info join keys
lastIndexOf length log map match next off on once open parse pipe pop push put read reduce reject remove replace
request resolve reverse search send set shift slice some sort splice split start startsWith stop stringify substr
substring test then toFixed toLowerCase toString toUpperCase trim unshift update use valueOf values warn write`),
}
