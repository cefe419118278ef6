package gosyntax

import (
	"cmp"
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"go/ast"
	"go/parser"
	"go/token"
	"go/types"
	"io"
	"io/fs"
	"path"
	"runtime"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/charset"
)

// CheckOptions of [Check]. The zero value of each field is its default.
type CheckOptions struct {
	// Std holds the sources of the standard library, such as os.DirFS(runtime.GOROOT() + "/src"). Without them what goes through
	// a type of the standard library stays unknown, and so does what leads into it.
	Std fs.FS
	// GOOS and GOARCH choose the build; empty means those of this program.
	GOOS, GOARCH string
	// MaxFile is the largest file that is read, in bytes; 0 means 2 MB. MaxFiles is the most files that are read, those of the
	// standard library included; 0 means 20,000. What is over is left out.
	MaxFile, MaxFiles int
}

// Check type-checks the packages of a repository with go/types and gives what each name in them leads to, by place: calls and
// mentions of functions, methods and types, of interfaces the method of the interface. It needs no go command and no network.
// paths are the Go files, relative to fsys; go.mod and go.work files are read in their folders and those above. Imports
// that are in neither the repository nor o.Std are tolerated, and so are errors in the sources: what they leave unknown is left
// out. A file that the build leaves out is left out too. The list is sorted by place. The error is that of the context, which is
// asked between packages: one that is under way is finished.
func Check(ctx context.Context, fsys fs.FS, paths []string, o *CheckOptions) ([]lang.Observation, error) {
	var opt CheckOptions
	if o != nil {
		opt = *o
	}
	opt.GOOS, opt.GOARCH = cmp.Or(opt.GOOS, runtime.GOOS), cmp.Or(opt.GOARCH, runtime.GOARCH)
	opt.MaxFile, opt.MaxFiles = cmp.Or(opt.MaxFile, 2<<20), cmp.Or(opt.MaxFiles, 20_000)
	c := &checker{ctx: ctx, opt: opt, fsys: fsys, fset: token.NewFileSet(), files: map[string]*source{}, done: map[string]*types.Package{},
		by: "go/types " + runtime.Version()}
	c.tree = newCheckTree(fsys, paths, c)
	c.mods = newModules(c.tree)
	for _, dir := range c.tree.dirList {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		for _, name := range c.packages(dir) {
			c.check(dir, name)
		}
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	slices.SortFunc(c.out, func(a, b lang.Observation) int {
		return cmp.Or(strings.Compare(a.At.Path, b.At.Path), cmp.Compare(a.At.Line, b.At.Line), cmp.Compare(a.At.Col, b.At.Col))
	})
	return slices.Compact(c.out), nil
}

// A source is one file that was read.
type source struct {
	ast  *ast.File
	hash [32]byte
}

// A checker holds what is shared by the packages. It is used by one goroutine.
type checker struct {
	ctx   context.Context
	opt   CheckOptions
	fsys  fs.FS
	fset  *token.FileSet
	tree  *checkTree
	mods  *modules
	files map[string]*source        // nil: not readable
	done  map[string]*types.Package // by folder, or "std:" and import path; nil while it is checked
	read  int
	by    string
	out   []lang.Observation
}

const stdPrefix = "std:"

// file reads and parses one file, once; nil when it cannot be read.
func (c *checker) file(name string) *source {
	if s, ok := c.files[name]; ok {
		return s
	}
	c.files[name] = nil
	if c.read++; c.read > c.opt.MaxFiles {
		return nil
	}
	in, p := c.fsys, name
	if rest, ok := strings.CutPrefix(name, stdPrefix); ok {
		in, p = c.opt.Std, rest
	}
	f, err := in.Open(p)
	if err != nil {
		return nil
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, int64(c.opt.MaxFile)+1))
	if err != nil || len(raw) > c.opt.MaxFile {
		return nil
	}
	text := charset.UTF8(name, raw)
	tree, err := parser.ParseFile(c.fset, name, text, parser.SkipObjectResolution|parser.AllErrors)
	if tree == nil || err != nil && tree.Name == nil {
		return nil
	}
	s := &source{ast: tree, hash: sha256.Sum256(raw)}
	if constraint := constraintOf(text[:min(len(text), max(0, int(tree.Package-tree.FileStart)))]); constraint != "" {
		c.tree.builds[name] = constraint
	}
	c.files[name] = s
	return s
}

// inBuild tells whether a file is in the build.
func (c *checker) inBuild(name string) bool {
	b := c.mods.build(name)
	return b == nil || b.expr.Eval(func(tag string) bool {
		switch {
		case tag == "unix":
			return unix[c.opt.GOOS]
		case tag == "linux" && c.opt.GOOS == "android":
			return true
		case tag == "cgo":
			return false
		case strings.HasPrefix(tag, "go1."):
			return true
		}
		return tag == c.opt.GOOS || tag == c.opt.GOARCH || tag == "gc"
	})
}

// packages lists the names of package clauses in a folder.
func (c *checker) packages(dir string) []string {
	var out []string
	for _, p := range c.tree.Files(dir) {
		if name := c.mods.packageOf(p); name != "" && !slices.Contains(out, name) {
			out = append(out, name)
		}
	}
	return out
}

// check checks one package of the repository with its tests, and notes what its names lead to. Other packages see it without
// the tests.
func (c *checker) check(dir, name string) {
	var plain, tests []*ast.File
	for _, p := range c.tree.Files(dir) {
		if c.mods.packageOf(p) != name || !c.inBuild(p) {
			continue
		}
		s := c.file(p)
		switch {
		case s == nil:
		case strings.HasSuffix(p, "_test.go"):
			tests = append(tests, s.ast)
		default:
			plain = append(plain, s.ast)
		}
	}
	all := slices.Concat(plain, tests)
	if len(all) == 0 {
		return
	}
	info := &types.Info{Uses: map[*ast.Ident]types.Object{}}
	c.types(dir, all, info, false)
	for _, f := range all {
		c.observe(f, info)
	}
}

// types checks files as one package. An error in them, even one that ends the checker, leaves unknown what it touches.
func (c *checker) types(dir string, files []*ast.File, info *types.Info, heads bool) (pkg *types.Package) {
	pkg = types.NewPackage(dir, files[0].Name.Name)
	defer func() { _ = recover() }() // go/types promises nothing for sources that are broken enough
	conf := types.Config{Importer: imports{c, dir}, Error: func(error) {}, FakeImportC: true, IgnoreFuncBodies: heads, DisableUnusedImportCheck: true,
		Sizes: types.SizesFor("gc", c.opt.GOARCH)}
	types.NewChecker(&conf, c.fset, pkg, info).Files(files) //nolint:errcheck // errors are tolerated
	return pkg
}

// imports finds what a package in a folder imports.
type imports struct {
	c   *checker
	dir string
}

var errNotHere = errors.New("not in the repository")

func (i imports) Import(p string) (*types.Package, error) {
	if p == "unsafe" {
		return types.Unsafe, nil
	}
	if err := i.c.ctx.Err(); err != nil {
		return nil, err
	}
	from := path.Join(i.dir, "x.go")
	if rest, ok := strings.CutPrefix(i.dir, stdPrefix); ok {
		return i.c.std(p, rest)
	}
	if d, ok := i.c.mods.packageDir(from, p); ok && i.c.tree.HasDir(d) && len(i.c.tree.Files(d)) > 0 {
		return i.c.load(d)
	}
	return i.c.std(p, "")
}

// load gives a package of the repository as others see it.
func (c *checker) load(dir string) (*types.Package, error) {
	if p, ok := c.done[dir]; ok {
		if p == nil {
			return nil, fmt.Errorf("%s imports itself", dir)
		}
		return p, nil
	}
	c.done[dir] = nil
	m, ok := c.mods.Module(path.Join(dir, "x.go"), lang.Import{Module: "./"})
	if !ok {
		return nil, errNotHere
	}
	return c.withoutBodies(dir, m.Files)
}

// std gives a package of the standard library; from is the folder of the importing one when that is one too.
func (c *checker) std(p, from string) (*types.Package, error) {
	if c.opt.Std == nil {
		return nil, errNotHere
	}
	for _, dir := range []string{p, path.Join("vendor", p)} {
		if dir != p && from == "" || !fs.ValidPath(dir) {
			continue
		}
		if pkg, ok := c.done[stdPrefix+dir]; ok {
			if pkg == nil {
				return nil, errNotHere
			}
			return pkg, nil
		}
		list, err := fs.ReadDir(c.opt.Std, dir)
		if err != nil {
			continue
		}
		var files []string
		for _, e := range list {
			if n := e.Name(); strings.HasSuffix(n, ".go") && !strings.HasSuffix(n, "_test.go") {
				files = append(files, stdPrefix+dir+"/"+n)
			}
		}
		return c.withoutBodies(stdPrefix+dir, files)
	}
	return nil, errNotHere
}

// withoutBodies checks a package without the bodies of its functions.
func (c *checker) withoutBodies(key string, paths []string) (*types.Package, error) {
	c.done[key] = nil
	var files []*ast.File
	for _, p := range paths {
		if s := c.file(p); s != nil && c.inBuild(p) && s.ast.Name.Name != "documentation" && (len(files) == 0 || s.ast.Name.Name == files[0].Name.Name) {
			files = append(files, s.ast)
		}
	}
	if len(files) == 0 {
		return nil, errNotHere
	}
	pkg := c.types(key, files, nil, true)
	pkg.MarkComplete()
	c.done[key] = pkg
	return pkg, nil
}

// observe notes what the names of a file lead to.
func (c *checker) observe(f *ast.File, info *types.Info) {
	name := c.fset.Position(f.FileStart).Filename
	hash := c.files[name].hash
	called, skip := map[*ast.Ident]bool{}, map[*ast.Ident]bool{}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.CallExpr:
			if id := lastIdent(n.Fun); id != nil {
				called[id] = true
			}
		case *ast.StructType: // embedding is no mention, and neither is the type of a receiver
			for _, f := range n.Fields.List {
				if id := lastIdent(f.Type); id != nil && len(f.Names) == 0 {
					skip[id] = true
				}
			}
		case *ast.InterfaceType:
			for _, m := range n.Methods.List {
				if id := lastIdent(m.Type); id != nil && len(m.Names) == 0 {
					skip[id] = true
				}
			}
		case *ast.FuncDecl:
			if n.Recv != nil && len(n.Recv.List) > 0 {
				if id := lastIdent(n.Recv.List[0].Type); id != nil {
					skip[id] = true
				}
			}
		}
		return true
	})
	for id, obj := range info.Uses {
		if skip[id] || c.fset.File(id.Pos()) != c.fset.File(f.FileStart) {
			continue
		}
		call := called[id]
		switch o := obj.(type) {
		case *types.Func:
			obj = o.Origin()
		case *types.TypeName:
			call = false // a conversion
			if t, ok := types.Unalias(o.Type()).(*types.Named); ok {
				obj = t.Origin().Obj()
			} else {
				continue
			}
		default:
			continue
		}
		x := lang.Observation{At: c.place(id.Pos(), len(id.Name)), Name: obj.Name(), Call: call, By: c.by, Hash: hash}
		if to := c.place(obj.Pos(), len(obj.Name())); obj.Pos().IsValid() && !strings.HasPrefix(to.Path, stdPrefix) {
			x.To = to
		}
		c.out = append(c.out, x)
	}
}

func (c *checker) place(p token.Pos, n int) lang.Place {
	at := c.fset.PositionFor(p, false)
	return lang.Place{Path: at.Filename, Line: int32(at.Line), Col: int32(at.Column), EndLine: int32(at.Line), EndCol: int32(at.Column + n)}
}

// lastIdent gives the name by which an expression refers to a function or type.
func lastIdent(e ast.Expr) *ast.Ident {
	for {
		switch x := e.(type) {
		case *ast.Ident:
			return x
		case *ast.SelectorExpr:
			return x.Sel
		case *ast.ParenExpr:
			e = x.X
		case *ast.StarExpr:
			e = x.X
		case *ast.IndexExpr:
			e = x.X
		case *ast.IndexListExpr:
			e = x.X
		default:
			return nil
		}
	}
}
