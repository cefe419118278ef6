package callers

import (
	"bytes"
	"context"
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/grep"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/internal/textfiles"
	"github.com/findspot/findspot/internal/walk"
)

// The bounds of looking into the source of modules.
const (
	maxModuleFiles = 3000
	maxModuleBytes = 64 << 20
)

// foreignInterface names an imported module that may call an exported method of a Go type through an interface: a file
// that names the type imports it, and its source declares a method of that name in an interface, or is not at hand in a
// vendor folder or the module cache. It is "" when there is none. A value that reaches code outside through the empty
// interface alone is called by its interfaces too, and those are in some module that is imported where the value is made.
func (s *search) foreignInterface(ctx context.Context, owner codegraph.Entity, method string) string {
	if !ast.IsExported(method) {
		return ""
	}
	word, err := grep.Compile(owner.Name, grep.Options{Word: true})
	if err != nil {
		return ""
	}
	own, versions := map[string]bool{}, map[string]string{}
	imports := map[string]bool{}
	files, err := s.r.Files(ctx)
	if err != nil {
		return "that could not be listed"
	}
	sought := textfiles.Seek(word.Needs, false)
	for _, f := range files.Files {
		switch p := f.Path; {
		case path.Base(p) == "go.mod":
			if data, err := f.Text(); err == nil {
				goMod(data, own, versions)
			}
		case strings.HasSuffix(p, ".go"):
			look, err := f.Look(sought)
			if err != nil || look.Lacks || !word.Match(look.Text) {
				continue // what cannot be read was counted by the search of the text
			}
			f, _ := parser.ParseFile(token.NewFileSet(), "", look.Text, parser.ImportsOnly)
			if f == nil {
				continue
			}
			dir := path.Dir(owner.Path)
			here := path.Dir(p) == dir
			var list []string
			for _, i := range f.Imports {
				if q, err := strconv.Unquote(i.Path.Value); err == nil {
					list = append(list, q)
					here = here || dir == "." || strings.HasSuffix(q, "/"+dir) || path.Base(q) == path.Base(dir)
				}
			}
			for _, q := range list {
				imports[q] = imports[q] || here // in other files another type has the name
			}
		}
	}
	done := map[string]bool{}
	for imp, here := range imports {
		if !here {
			continue
		}
		first, _, _ := strings.Cut(imp, "/")
		if !strings.Contains(first, ".") || within(imp, own) != "" {
			continue // of the standard library, or of the repository
		}
		module := within(imp, versions)
		if module == "" {
			module = imp
		}
		if done[module] {
			continue
		}
		done[module] = true
		if declares(ctx, s.moduleSource(module, versions[module]), method) {
			return module
		}
	}
	return ""
}

// within gives the longest of the modules that an import path belongs to, "" for none.
func within[V any](imp string, modules map[string]V) string {
	for p := imp; p != "." && p != "/" && p != ""; p = path.Dir(p) {
		if _, ok := modules[p]; ok {
			return p
		}
	}
	return ""
}

var (
	modModule  = lazyregexp.New(`(?m)^module\s+"?([^\s"]+)"?`)
	modRequire = lazyregexp.New(`(?m)^(?:require\s+|[ \t]+)([\pL\pN.~_/-]+\.[\pL\pN.~_/-]+)\s+(v[0-9A-Za-z.+-]+)`)
)

// goMod notes the module of a go.mod file and the versions that it requires.
func goMod(data []byte, own map[string]bool, versions map[string]string) {
	if m := modModule.FindSubmatch(data); m != nil {
		own[string(m[1])] = true
	}
	for _, m := range modRequire.FindAllSubmatch(data, -1) {
		versions[string(m[1])] = string(m[2])
	}
}

// moduleSource returns the source of a module, nil when it is not at hand.
func (s *search) moduleSource(module, version string) *rootfs.Dir {
	if !fs.ValidPath(module) || strings.ContainsAny(module, "\\:") {
		return nil
	}
	if _, err := s.r.FS.Stat("vendor/" + module); err == nil {
		return rootfs.New(filepath.Join(s.r.Root, "vendor", filepath.FromSlash(module)))
	}
	if version == "" || strings.ContainsAny(version, "/\\") {
		return nil
	}
	cache := os.Getenv("GOMODCACHE")
	if cache == "" {
		gopath, _, _ := strings.Cut(os.Getenv("GOPATH"), string(filepath.ListSeparator))
		if gopath == "" {
			home, err := os.UserHomeDir()
			if err != nil {
				return nil
			}
			gopath = filepath.Join(home, "go")
		}
		cache = filepath.Join(gopath, "pkg", "mod")
	}
	var b strings.Builder // capitals are written as "!" and the small letter there
	for _, r := range module + "@" + version {
		if 'A' <= r && r <= 'Z' {
			b.WriteByte('!')
			r += 'a' - 'A'
		}
		b.WriteRune(r)
	}
	dir := filepath.Join(cache, filepath.FromSlash(b.String()))
	if info, err := os.Stat(dir); err != nil || !info.IsDir() {
		return nil
	}
	return rootfs.New(dir)
}

// declares reports whether an interface in the source has a method of that name. It is true when that cannot be told.
func declares(ctx context.Context, src *rootfs.Dir, method string) bool {
	if src == nil {
		return true
	}
	files, size, found := 0, 0, false
	err := walk.Files(ctx, src, walk.Options{All: true}, func(p string, _ fs.DirEntry) error {
		if !strings.HasSuffix(p, ".go") || strings.HasSuffix(p, "_test.go") {
			return nil
		}
		data, err := src.Read(ctx, p, repository.MaxFile)
		files++
		size += len(data)
		if err != nil || files > maxModuleFiles || size > maxModuleBytes {
			found = true
			return errStop
		}
		if !bytes.Contains(data, []byte(method)) {
			return nil
		}
		f, err := parser.ParseFile(token.NewFileSet(), "", data, parser.SkipObjectResolution)
		if err != nil {
			found = true
			return errStop
		}
		ast.Inspect(f, func(n ast.Node) bool {
			if t, ok := n.(*ast.InterfaceType); ok {
				for _, m := range t.Methods.List {
					for _, id := range m.Names {
						found = found || id.Name == method
					}
				}
			}
			return !found
		})
		if found || bytes.Contains(data, []byte("MethodByName")) {
			found = true
			return errStop
		}
		return nil
	})
	return found || err != nil && !errors.Is(err, errStop)
}

// errStop ends a walk that has found what it looked for.
var errStop = errors.New("stop")
