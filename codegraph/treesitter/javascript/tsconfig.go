package javascript

import (
	"cmp"
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A tsConfig is what a tsconfig.json says of modules, what it extends included.
type tsConfig struct {
	base    string // folder of baseUrl; "" with hasBase false when there is none
	hasBase bool
	rootDir []string // folders laid over one another
	paths   map[string][]string
	pathsAt string   // folder that paths are relative to
	refs    []string // further configurations that take part
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
		built := func(to string) (lang.Module, bool) {
			return m.built(path.Join(c.pathsAt, strings.Replace(to, "*", rest, 1)))
		}
		if found, ok := core.First(c.paths[best], built); ok {
			return found, true
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
			if found, ok := core.First(c.rootDir, func(other string) (lang.Module, bool) { return m.at(path.Join(other, rest)) }); ok {
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
		pkg, sub := m.named(to)
		if pkg == nil {
			return to
		}
		dir, to = pkg.dir, cmp.Or(sub, "tsconfig.json")
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
