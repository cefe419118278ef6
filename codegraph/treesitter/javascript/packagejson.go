package javascript

import (
	"encoding/json"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

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

// packageOf gives the package that a folder is in.
func (m *modules) packageOf(dir string) *npmPackage {
	for m.dirs[dir] == nil && dir != "" {
		dir = core.Dir(dir)
	}
	return m.dirs[dir]
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
		if found, ok := core.First(pkg.main, func(to string) (lang.Module, bool) { return m.built(path.Join(pkg.dir, to)) }); ok {
			return found, true
		}
	}
	return core.First([]string{"", "src", "lib", "source"}, func(in string) (lang.Module, bool) { return m.at(path.Join(pkg.dir, in, sub)) })
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
	return core.First(best.to, func(to string) (lang.Module, bool) {
		switch {
		case strings.HasPrefix(to, "."):
			return m.built(path.Join(pkg.dir, strings.ReplaceAll(to, "*", rest)))
		case strings.HasPrefix(key, "#") && !strings.HasPrefix(to, "#"): // imports may name a package
			return m.Module(path.Join(pkg.dir, "package.json"), lang.Import{Module: to})
		}
		return lang.Module{}, false
	})
}
