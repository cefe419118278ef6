package link

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/codegraph/lang"
)

// A Linker joins the facts of all files. It works on one state, in one goroutine, in the order of paths, so that equal
// states give equal graphs.
type Linker struct {
	prog        *program
	modules     *modules
	solver      *solver
	deps        *dependencies
	ev          *evaluator
	names       *names
	exports     *exports
	classes     *classes
	members     *members
	containers  *containers
	externals   *externals
	flows       *flows
	results     *results
	actions     *actions
	inc         *inclusion
	included    *includedNames
	defs        *definitions
	overloads   *overloads
	conversions *conversions
	linkKind    cellKind

	dirs    map[string]*File // stand for directories that edges lead to
	scratch Linkage          // memory of linkFile
	linked  []*File          // files whose linkage was made since this was last emptied, with repetitions
	Updates int              // that it made
	limit   int              // links of readers after which it is not updated any more
	most    cellID           // cells after which it is not
	moving  bool             // what resolvers answer may have changed
}

// A File is one file's facts while they are linked.
type File struct {
	Path      string
	Facts     *lang.Facts // without expressions and references
	table     *lang.Table // these
	rules     *lang.Rules
	family    string
	res       lang.Resolver
	Linkage   Linkage // what the linker found
	index     int32   // its number
	ids       []int32 // numbers of its declarations
	link      cellID
	cells     []cellID        // of its expressions
	boxes     map[int32]int32 // its containers, by expression
	actions   []*action
	asked     map[cellID]bool  // receivers that were given expressions or methods of this file
	givers    map[*action]bool // actions of other files that give them
	names     nameTable
	stars     []int32           // star imports of the file's scope
	spaces    map[int32]int32   // a namespace opened again, with the declaration that opened it first
	wildcards map[int32][]int32 // by scope: the expressions whose names are all brought in
	lang      string
	mods      map[int32]*module // by import; nil where that leads outside

	modsNamed map[string]*module // by the name of the module alone
	test      bool

	siblings      []*File
	siblingsKnown bool
}

func (f *File) expr(x int32) lang.Expr { return f.table.At(x) }

type declRef struct {
	f *File
	d int32
}

func (r declRef) decl() *lang.Decl { return &r.f.Facts.Decls[r.d] }

// A Source is one state of a repository, as its linker sees it.
type Source interface {
	// Paths lists the files, sorted.
	Paths() []string
	// Lang names the front end of a file, "" for one that none reads or that is not there.
	Lang(p string) string
	// Package gives the package that a file says it is of.
	Package(p string) string
	// Facts decodes the facts of a file.
	Facts(p string, r *lang.Reader) (*lang.Facts, *lang.Table, error)
	// Configs gives the configuration files, by path.
	Configs() map[string][]byte
}

// Options of [New].
type Options struct {
	Track   bool                             // the linker can be updated
	Shuffle func(n int, swap func(i, j int)) // for tests: another order of equations
}

// New links a state: it finds the linkage of every file.
func New(ctx context.Context, langs []lang.Frontend, src Source, o Options) (*Linker, error) {
	l := newLinker(langs, o)
	l.modules.makeResolvers(src)
	for i, p := range src.Paths() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		facts, table, err := src.Facts(p, &l.prog.reader)
		if err != nil {
			return nil, fmt.Errorf("codegraph: %s: %w", p, err)
		}
		f := l.prog.addFile(p, src.Lang(p), facts, table)
		f.res = l.modules.resolvers[f.lang]
		for d := range f.Facts.Decls {
			f.ids = append(f.ids, int32(len(l.prog.decls)))
			l.prog.decls = append(l.prog.decls, declRef{f, int32(d)})
		}
	}
	for _, f := range l.prog.Files {
		l.prog.scopes(f)
	}
	if err := l.resolve(ctx); err != nil {
		return nil, err
	}
	if !o.Track {
		for _, f := range l.prog.Files {
			f.release()
		}
	}
	return l, nil
}

// makeResolvers makes the resolvers for a state.
func (ms *modules) makeResolvers(src Source) {
	ms.tree = newTree(src)
	ms.resolvers = map[string]lang.Resolver{}
	for _, fe := range slices.Concat(ms.langs, []lang.Frontend{sourcetext.PlainText{}}) {
		if ms.prog.rules[fe.Name()] == nil {
			r := fe.Rules()
			ms.prog.rules[fe.Name()] = &r
		}
		ms.resolvers[fe.Name()] = fe.Resolver(ms.tree)
	}
}

// addFile adds a file whose declarations have no numbers yet.
func (pr *program) addFile(p, language string, facts *lang.Facts, table *lang.Table) *File {
	f := &File{Path: p, lang: language, Facts: facts, table: table, rules: pr.rules[language], index: int32(len(pr.Files)),
		mods: map[int32]*module{}, test: sourcetext.IsTestPath(p)}
	if f.family = f.rules.Family; f.family == "" {
		f.family = language
	}
	pr.Files = append(pr.Files, f)
	pr.byPath[p] = f
	return f
}

// release drops what only linking needs: the graph is made of declarations and the linkage.
func (f *File) release() {
	f.Facts.Imports, f.Facts.Bindings = nil, nil
	f.table, f.names, f.cells, f.boxes, f.actions, f.mods, f.wildcards = nil, nameTable{}, nil, nil, nil, nil, nil
}

// constructor tells whether a declaration is a constructor called like its class.
func (f *File) constructor(d *lang.Decl) bool {
	if d.Kind != lang.Function || d.Parent == lang.File || !slices.Contains(f.rules.Constructors, "") {
		return false
	}
	c := &f.Facts.Decls[d.Parent]
	return c.Kind == lang.Class && c.Name == d.Name
}

// space gives the scope that holds the names of a scope: the same, but for a namespace opened again.
func (f *File) space(scope int32) int32 {
	if s, ok := f.spaces[scope]; ok {
		return s
	}
	return scope
}

// tree shows a state to the resolvers.
type tree struct {
	src     Source
	dirs    map[string][]string // files directly in each directory that holds files, at any depth
	configs map[string][]string
}

func newTree(src Source) *tree {
	t := &tree{src: src, dirs: map[string][]string{"": nil}, configs: map[string][]string{}}
	for _, p := range src.Paths() {
		if src.Lang(p) == "" { // no language has modules of such files
			continue
		}
		d := dirOf(p)
		t.dirs[d] = append(t.dirs[d], p)
		for d != "" {
			d = dirOf(d)
			if _, ok := t.dirs[d]; ok {
				break
			}
			t.dirs[d] = nil
		}
	}
	for p := range src.Configs() {
		t.configs[path.Base(p)] = append(t.configs[path.Base(p)], p)
	}
	for _, l := range t.configs {
		slices.Sort(l)
	}
	return t
}

func dirOf(p string) string {
	if i := strings.LastIndexByte(p, '/'); i >= 0 {
		return p[:i]
	}
	return ""
}

func (t *tree) HasFile(p string) bool { return t.src.Lang(p) != "" }
func (t *tree) HasDir(p string) bool  { _, ok := t.dirs[p]; return ok }
func (t *tree) Dirs() []string {
	out := make([]string, 0, len(t.dirs))
	for d := range t.dirs {
		if d != "" {
			out = append(out, d)
		}
	}
	slices.Sort(out)
	return out
}

func (t *tree) Files(dir string) []string      { return t.dirs[dir] }
func (t *tree) Config(p string) ([]byte, bool) { b, ok := t.src.Configs()[p]; return b, ok }
func (t *tree) Configs(base string) []string   { return t.configs[base] }
func (t *tree) Package(p string) string        { return t.src.Package(p) }

// Files lists all files, in the order in which they came.
func (l *Linker) Files() []*File { return l.prog.Files }
