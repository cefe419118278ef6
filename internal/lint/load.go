package lint

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"go/importer"
	"go/token"
	"go/types"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
)

// Module is the import path of this module.
const Module = "github.com/findspot/findspot"

// Package is a package as go list describes it.
type Package struct {
	ImportPath string
	Name       string
	Dir        string
	Standard   bool     // of the standard library
	Export     string   // file with export data; empty where nothing can be exported
	Imports    []string // direct, without those of tests
	GoFiles    []string // file names in Dir
	CgoFiles   []string
	Module     *struct{ Path string } // nil for the standard library
	Error      *struct{ Err string }
}

// Own reports whether the package belongs to this module.
func (p *Package) Own() bool {
	return p.ImportPath == Module || strings.HasPrefix(p.ImportPath, Module+"/")
}

// Room returns the path of a package of this module relative to its root: "docsearch/pdf"; for the root itself, ".".
func (p *Package) Room() string {
	if p.ImportPath == Module {
		return "."
	}
	return strings.TrimPrefix(p.ImportPath, Module+"/")
}

// Public reports whether other modules can import the package.
func (p *Package) Public() bool {
	return p.Own() && p.Name != "main" && !slices.Contains(strings.Split(p.Room(), "/"), "internal")
}

// Root returns the folder of the module that the working directory lies in.
func Root(ctx context.Context) (string, error) {
	out, err := exec.CommandContext(ctx, "go", "env", "GOMOD").Output()
	if err != nil {
		return "", fmt.Errorf("go env GOMOD: %w", err)
	}
	mod := strings.TrimSpace(string(out))
	if mod == "" || mod == os.DevNull {
		return "", errors.New("the working directory lies in no module")
	}
	return filepath.Dir(mod), nil
}

// Graph is the packages of the module and everything that they import.
type Graph struct {
	Packages map[string]*Package // by import path
	fset     *token.FileSet
	importer types.Importer
}

// Load runs go list in the root folder of the module. It compiles what has changed, for the types.
func Load(ctx context.Context, root string) (*Graph, error) {
	cmd := exec.CommandContext(ctx, "go", "list", "-deps", "-export",
		"-json=ImportPath,Name,Dir,Standard,Export,Imports,GoFiles,CgoFiles,Module,Error", "./...")
	cmd.Dir = root
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w\n%s", err, stderr.Bytes())
	}
	g := &Graph{Packages: map[string]*Package{}, fset: token.NewFileSet()}
	for dec := json.NewDecoder(bytes.NewReader(out)); ; {
		p := new(Package)
		if err := dec.Decode(p); errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		g.Packages[p.ImportPath] = p
	}
	g.importer = importer.ForCompiler(g.fset, "gc", func(path string) (io.ReadCloser, error) {
		p := g.Packages[path]
		if p == nil || p.Export == "" {
			return nil, fmt.Errorf("no export data for %s", path)
		}
		return os.Open(p.Export)
	})
	return g, nil
}

// Own returns the packages of this module, sorted by import path.
func (g *Graph) Own() []*Package {
	var own []*Package
	for _, p := range g.Packages {
		if p.Own() {
			own = append(own, p)
		}
	}
	slices.SortFunc(own, func(a, b *Package) int { return strings.Compare(a.ImportPath, b.ImportPath) })
	return own
}

// Links returns the import paths of everything that the package links, itself included, sorted.
func (g *Graph) Links(path string) []string {
	seen := map[string]bool{}
	var visit func(path string)
	visit = func(path string) {
		p := g.Packages[path]
		if p == nil || seen[path] {
			return
		}
		seen[path] = true
		for _, imp := range p.Imports {
			visit(imp)
		}
	}
	visit(path)
	paths := make([]string, 0, len(seen))
	for path := range seen {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

// Types returns the exported declarations of a package.
func (g *Graph) Types(path string) (*types.Package, error) { return g.importer.Import(path) }
