package lint

import (
	"bytes"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"maps"
	"path"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
)

// The shape that packages have. What is beyond it stands in testdata/shape.txt, which may only grow shorter: who makes a package, file or type
// larger than this splits it instead of adding a line there.
const (
	maxFiles       = 30  // of a package, tests aside
	maxFileLines   = 600 // of a file
	maxMethodFiles = 5   // in which a type has methods
)

// TestShape compares what is larger than packages, files and types shall be, and how many names each public package exports, with a golden list.
func TestShape(t *testing.T) {
	files := map[string]int{}                          // by package
	exported := map[string]int{}                       // by package
	methods := map[string]map[string]map[string]bool{} // by package and type: the files
	var beyond []string
	eachFile(t, func(name string, src []byte) {
		dir := path.Dir(name)
		if n := bytes.Count(src, []byte("\n")); n > maxFileLines && !bytes.HasPrefix(src, []byte("// Code generated ")) {
			beyond = append(beyond, fmt.Sprintf("file %s: over %d lines", name, maxFileLines))
		}
		if strings.HasSuffix(name, "_test.go") || bytes.HasPrefix(src, []byte("//go:build ignore\n")) {
			return
		}
		files[dir]++
		f, err := parser.ParseFile(token.NewFileSet(), name, src, parser.SkipObjectResolution)
		if err != nil {
			t.Error(err)
			return
		}
		for _, d := range f.Decls {
			for _, n := range names(d) {
				if ast.IsExported(n) {
					exported[dir]++
				}
			}
			if fn, ok := d.(*ast.FuncDecl); ok && fn.Recv != nil {
				typ := receiver(fn.Recv.List[0].Type)
				if methods[dir] == nil {
					methods[dir] = map[string]map[string]bool{}
				}
				if methods[dir][typ] == nil {
					methods[dir][typ] = map[string]bool{}
				}
				methods[dir][typ][name] = true
			}
		}
	})
	for dir, n := range files {
		if n > maxFiles {
			beyond = append(beyond, fmt.Sprintf("package %s: over %d files", dir, maxFiles))
		}
	}
	for dir, types := range methods {
		for typ, in := range types {
			if len(in) > maxMethodFiles {
				beyond = append(beyond, fmt.Sprintf("type %s.%s: methods in %d files", dir, typ, len(in)))
			}
		}
	}
	slices.Sort(beyond)
	var out strings.Builder
	out.WriteString(strings.Join(beyond, "\n") + "\n\n")
	for _, dir := range slices.Sorted(maps.Keys(exported)) {
		if !slices.Contains(strings.Split(dir, "/"), "internal") && !strings.HasPrefix(dir, "examples") && !strings.HasPrefix(dir, "docs/") {
			fmt.Fprintf(&out, "exported %s: %d\n", dir, exported[dir])
		}
	}
	golden.Compare(t, "testdata/shape.txt", []byte(out.String()))
}

// names are the package-level names that a declaration makes; methods are none.
func names(d ast.Decl) []string {
	switch d := d.(type) {
	case *ast.FuncDecl:
		if d.Recv == nil {
			return []string{d.Name.Name}
		}
	case *ast.GenDecl:
		var out []string
		for _, s := range d.Specs {
			switch s := s.(type) {
			case *ast.TypeSpec:
				out = append(out, s.Name.Name)
			case *ast.ValueSpec:
				for _, n := range s.Names {
					out = append(out, n.Name)
				}
			}
		}
		return out
	}
	return nil
}

// receiver is the name of a receiver's type.
func receiver(x ast.Expr) string {
	switch x := x.(type) {
	case *ast.StarExpr:
		return receiver(x.X)
	case *ast.IndexExpr:
		return receiver(x.X)
	case *ast.Ident:
		return x.Name
	}
	return ""
}
