package main

import (
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// What asks the operating system for something of the process, which may be that of a server: package env has it instead.
var ofProcess = []string{
	"os.Getwd", "os.Chdir", "os.Getenv", "os.LookupEnv", "os.Environ", "os.Setenv", "os.ExpandEnv", "os.Stdin", "os.Stdout", "os.Stderr", "os.Exit", "os.Args",
	"os.UserHomeDir", "os.UserCacheDir", "os.UserConfigDir", "filepath.Abs", "exec.LookPath", "debug.SetGCPercent", "signal.Notify", "signal.NotifyContext", "rootfs.Create", "rootfs.Output",
}

// What takes a path, which must be absolute: made by Env.Path.
var ofPaths = []string{
	"os.Open", "os.OpenFile", "os.OpenRoot", "os.Create", "os.Stat", "os.Lstat", "os.ReadFile", "os.WriteFile", "os.Mkdir", "os.MkdirAll", "os.ReadDir", "os.DirFS", "os.Remove",
	"os.RemoveAll", "os.Rename", "skill.Dir", "findspot.Open", "filepath.EvalSymlinks",
}

// Paths that are absolute already.
var absolute = map[string]string{
	"app.go: os.MkdirAll(dir)":           "in the cache folder",
	"docsindex.go: os.ReadDir(dir)":      "of the origin of a document",
	"doctor.go: os.Stat(r.Root)":         "root of a repository",
	"doctor.go: os.Stat(dir)":            "roomCheck and folderChecks have it from Path and CacheDir",
	"doctor.go: os.Remove(f.Name())":     "in such a folder",
	"forward.go: os.Stat(me)":            "this program",
	"serve.go: findspot.Open(dir)":       "Env.Workspace has it from Path",
	"serve.go: os.Stat(a)":               "the same",
	"serve.go: os.Stat(b)":               "of the server",
	"serve.go: os.Stat(r.Root)":          "root of a repository",
	"skillrecord.go: os.Lstat(file)":     "made of Path above",
	"skillrecord.go: os.ReadFile(file)":  "made of Path above",
	"skillrecord.go: os.OpenRoot(s.dir)": "from folderOf",
}

// TestNothingOfTheProcess keeps commands fit to run in the process of a server, see package env.
func TestNothingOfTheProcess(t *testing.T) {
	used := map[string]bool{}
	err := filepath.WalkDir(".", func(name string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || name == filepath.Join("internal", "env")):
			return filepath.SkipDir
		case !strings.HasSuffix(name, ".go") || strings.HasSuffix(name, "_test.go") || name == "main.go":
			return nil
		}
		tokens := token.NewFileSet()
		f, err := parser.ParseFile(tokens, name, nil, parser.SkipObjectResolution)
		if err != nil {
			return err
		}
		ast.Inspect(f, func(n ast.Node) bool {
			switch n := n.(type) {
			case *ast.SelectorExpr:
				if s := written(n); slices.Contains(ofProcess, s) {
					t.Errorf("%s: %s is of the process that runs: take it from the Env", tokens.Position(n.Pos()), s)
				}
			case *ast.CallExpr:
				s := written(n.Fun)
				if filepath.Dir(name) != "." || !slices.Contains(ofPaths, s) || len(n.Args) == 0 {
					return true // packages below take absolute paths
				}
				arg := n.Args[0]
				if s == "findspot.Open" {
					arg = n.Args[1]
				}
				call, ok := arg.(*ast.CallExpr)
				if ok && strings.HasSuffix(written(call.Fun), ".Path") {
					return true
				}
				what := fmt.Sprintf("%s: %s(%s)", name, s, written(arg))
				if used[what] = true; absolute[what] == "" {
					t.Errorf("%s: %s: make the path absolute with Env.Path", tokens.Position(n.Pos()), what)
				}
			}
			return true
		})
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	for what := range absolute {
		if !used[what] {
			t.Errorf("%q: there is no such call any more", what)
		}
	}
}

// written is a name, or a chain of them, as the source has it.
func written(n ast.Expr) string {
	switch n := n.(type) {
	case *ast.Ident:
		return n.Name
	case *ast.SelectorExpr:
		return written(n.X) + "." + n.Sel.Name
	case *ast.CallExpr:
		return written(n.Fun) + "()"
	}
	return ""
}
