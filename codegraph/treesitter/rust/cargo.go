package rust

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// A cargoPackage is what a manifest says of a package, as far as names go.
// https://doc.rust-lang.org/cargo/reference/manifest.html
type cargoPackage struct {
	dir  string
	name string
	lib  string // the library's name in source code
	file string // the library's root file, from the folder
	deps map[string]cargoDep
}

type cargoDep struct {
	name string // of the package
	path string // its folder from the root of the repository; "" when only the name is known
}

// root gives the root file of the package's library.
func (p *cargoPackage) root(t lang.Tree) (string, bool) {
	f := path.Join(p.dir, p.file)
	return f, t.HasFile(f)
}

var (
	tomlString = lazyregexp.New(`^\s*(?:"([^"]*)"|'([^']*)')`)
	tomlPath   = lazyregexp.New(`\bpath\s*=\s*["']([^"']*)["']`)
	tomlName   = lazyregexp.New(`\bpackage\s*=\s*["']([^"']*)["']`)
)

// readCargo reads the manifests of a repository, those of the deepest folders first.
func readCargo(t lang.Tree) []*cargoPackage {
	var out []*cargoPackage
	shared := map[string]cargoDep{} // dependencies of workspaces
	for _, p := range t.Configs("Cargo.toml") {
		b, _ := t.Config(p)
		c := readManifest(core.Dir(p), string(b), shared)
		if c.name != "" {
			out = append(out, c)
		}
	}
	for _, c := range out {
		for k, d := range c.deps {
			if w, ok := shared[k]; ok && d.path == "" {
				c.deps[k] = w
			}
		}
	}
	slices.SortStableFunc(out, func(a, b *cargoPackage) int { return len(b.dir) - len(a.dir) })
	return out
}

func crateName(s string) string { return strings.ReplaceAll(s, "-", "_") }

func readManifest(dir, text string, shared map[string]cargoDep) *cargoPackage {
	c := &cargoPackage{dir: dir, file: "src/lib.rs", deps: map[string]cargoDep{}}
	section := ""
	var deps map[string]cargoDep // of the section under way
	single := ""                 // the dependency that the section is about
	for line := range strings.Lines(text) {
		line = strings.TrimSpace(line)
		if strings.HasPrefix(line, "[") {
			section = strings.Trim(strings.TrimSpace(strings.SplitN(line, "#", 2)[0]), "[]")
			deps, single = nil, ""
			parts := strings.Split(section, ".")
			i := slices.IndexFunc(parts, func(s string) bool { return strings.HasSuffix(s, "dependencies") })
			if i >= 0 {
				deps = c.deps
				if parts[0] == "workspace" {
					deps = shared
				}
				if i == len(parts)-2 {
					single = crateName(strings.Trim(parts[i+1], `"'`))
					deps[single] = cargoDep{name: strings.Trim(parts[i+1], `"'`)}
				}
			}
			continue
		}
		key, value, ok := strings.Cut(line, "=")
		if !ok || strings.HasPrefix(line, "#") {
			continue
		}
		key = strings.TrimSpace(key)
		str := ""
		if s := tomlString.FindStringSubmatch(value); s != nil {
			str = s[1] + s[2]
		}
		switch {
		case deps != nil && single != "":
			d := deps[single]
			switch key {
			case "path":
				d.path = joinDir(dir, str)
			case "package":
				d.name = str
			}
			deps[single] = d
		case deps != nil:
			name, sub, _ := strings.Cut(key, ".")
			name = strings.Trim(name, `"'`)
			k := crateName(name)
			d, have := deps[k]
			if !have {
				d.name = name
			}
			if s := tomlPath.FindStringSubmatch(value); s != nil {
				d.path = joinDir(dir, s[1])
			}
			if s := tomlName.FindStringSubmatch(value); s != nil {
				d.name = s[1]
			}
			if sub == "path" {
				d.path = joinDir(dir, str)
			}
			deps[k] = d
		case section == "package" && key == "name":
			c.name = str
			if c.lib == "" {
				c.lib = crateName(str)
			}
		case section == "lib" && key == "name":
			c.lib = crateName(str)
		case section == "lib" && key == "path":
			c.file = str
		}
	}
	return c
}

// joinDir gives a folder from the root of the repository.
func joinDir(dir, rel string) string {
	if p := path.Join(dir, rel); p != "." {
		return p
	}
	return ""
}
