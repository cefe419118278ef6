package codegraph

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A linker joins the facts of all files. It works on one state, in one goroutine, in the order of paths, so that equal
// states give equal graphs.
type linker struct {
	ctx    context.Context
	tree   *tree
	reader lang.Reader
	files  []*file
	byPath map[string]*file
	dirs   map[string]*file // stand for directories that edges lead to
	decls  []declRef        // all declarations of all files, numbered through

	updates   int         // that it made
	limit     int         // links of readers after which it is not updated any more
	holding   bool        // actions do not take back what they gave
	final     bool        // they do, and it is noted
	held      []cellID    // actions that would have
	withdrawn []sourceKey // what was taken back
	linked    []*file     // files whose linkage was made since this was last emptied, with repetitions
	resolvers map[string]lang.Resolver
	methods   map[string]map[string][]int32 // per family and name, for the last resort
	include   *includes
	evaluation
}

// A file is one file's facts while they are linked.
type file struct {
	path    string
	facts   *lang.Facts // without expressions and references
	table   *lang.Table // these
	rules   *lang.Rules
	family  string
	res     lang.Resolver
	out     linkage // what the linker found
	index   int32   // its number
	ids     []int32 // numbers of its declarations
	link    cellID
	cells   []cellID        // of its expressions
	boxes   map[int32]int32 // its containers, by expression
	actions []*action
	asked   map[cellID]bool  // receivers that were given expressions or methods of this file
	givers  map[*action]bool // actions of other files that give them
	names   map[scoped]*named
	stars   []int32           // star imports of the file's scope
	spaces  map[int32]int32   // a namespace opened again, with the declaration that opened it first
	brings  map[int32][]int32 // by scope: the expressions whose names are all brought in
	mods    map[int32]*module // by import
	test    bool

	siblings      []*file
	siblingsKnown bool
}

func (f *file) expr(x int32) lang.Expr { return f.table.At(x) }

type scoped struct {
	scope int32
	name  string
}

// named is all that may bind one name in one scope.
type named struct {
	decls, imports, binds []int32
	param                 int32 // its index, or -1

	cell cellID
}

type declRef struct {
	f *file
	d int32
}

func (r declRef) decl() *lang.Decl { return &r.f.facts.Decls[r.d] }

// link finds the linkage of every file of a state.
func link(ctx context.Context, s *scanner, st *state) (*linker, error) {
	l := &linker{ctx: ctx, byPath: map[string]*file{}, dirs: map[string]*file{}, resolvers: map[string]lang.Resolver{},
		methods: map[string]map[string][]int32{}}
	l.tree = newTree(st)
	l.shuffle = s.shuffle
	rules := map[string]*lang.Rules{}
	for _, fe := range slices.Concat(s.langs, []lang.Frontend{plainText{}}) {
		r := fe.Rules()
		rules[fe.Name()] = &r
		l.resolvers[fe.Name()] = fe.Resolver(l.tree)
	}
	for i, p := range st.paths() {
		if i%256 == 0 && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		fs := st.files[p]
		facts, table, err := s.facts(fs, &l.reader)
		if err != nil {
			return nil, fmt.Errorf("codegraph: %s: %w", p, err)
		}
		f := &file{path: p, facts: facts, table: table, rules: rules[fs.key.lang], res: l.resolvers[fs.key.lang], index: int32(len(l.files)),
			mods: map[int32]*module{}, test: isTestPath(p)}
		if f.family = f.rules.Family; f.family == "" {
			f.family = fs.key.lang
		}
		for d := range f.facts.Decls {
			f.ids = append(f.ids, int32(len(l.decls)))
			l.decls = append(l.decls, declRef{f, int32(d)})
		}
		l.files = append(l.files, f)
		l.byPath[p] = f
	}
	for _, f := range l.files {
		l.scopes(f)
	}
	s.opt.Progress(Progress{Done: len(l.files), Total: len(l.files), Stage: "link"})
	if err := l.resolve(); err != nil {
		return nil, err
	}
	return l, nil
}

// scopes fills the tables of names.
func (l *linker) scopes(f *file) {
	f.names = make(map[scoped]*named, len(f.facts.Decls)+len(f.facts.Imports)+len(f.facts.Bindings)/2)
	at := func(scope int32, name string) *named {
		k := scoped{f.space(scope), name}
		n := f.names[k]
		if n == nil {
			n = &named{param: -1}
			f.names[k] = n
		}
		return n
	}
	fam := l.methods[f.family]
	if fam == nil {
		fam = map[string][]int32{}
		l.methods[f.family] = fam
	}
	for i := range f.facts.Decls {
		d := &f.facts.Decls[i]
		if d.Kind == lang.Namespace {
			if n := f.names[scoped{f.space(d.Parent), d.Name}]; n != nil {
				if j := slices.IndexFunc(n.decls, func(j int32) bool { return f.facts.Decls[j].Kind == lang.Namespace }); j >= 0 {
					if f.spaces == nil {
						f.spaces = map[int32]int32{}
					}
					f.spaces[int32(i)] = n.decls[j]
					continue
				}
			}
		}
		if d.Kind != lang.Lambda && d.Flags&lang.Hidden == 0 && d.Name != "" {
			name := d.Name
			if f.constructor(d) { // a constructor is no member: the name means the class
				name = ""
			}
			n := at(d.Parent, name)
			n.decls = append(n.decls, int32(i))
		}
		if d.Kind == lang.Function && (d.Receiver != "" || d.Parent != lang.File && f.facts.Decls[d.Parent].Kind == lang.Class) {
			fam[d.Name] = append(fam[d.Name], f.ids[i])
		}
		for p := range d.Params {
			if d.Params[p].Name != "" {
				at(int32(i), d.Params[p].Name).param = int32(p)
			}
		}
	}
	for i, m := range f.facts.Imports {
		switch {
		case m.Name == "*" && m.Scope == lang.File && m.Alias == "" && m.As == "":
			f.stars = append(f.stars, int32(i))
		case m.Alias != "":
			n := at(m.Scope, m.Alias)
			n.imports = append(n.imports, int32(i))
		}
	}
	for i, b := range f.facts.Bindings {
		if b.Target == lang.None && b.Name != "" && (b.Kind == lang.Assign || b.Kind == lang.Annotate || b.Kind == lang.Alias || b.Kind == lang.Bring) {
			if b.Name == "*" && b.Kind == lang.Bring {
				if f.brings == nil {
					f.brings = map[int32][]int32{}
				}
				f.brings[f.space(b.Scope)] = append(f.brings[f.space(b.Scope)], b.Value)
				continue
			}
			n := at(b.Scope, b.Name)
			n.binds = append(n.binds, int32(i))
		}
	}
}

// constructor tells whether a declaration is a constructor called like its class.
func (f *file) constructor(d *lang.Decl) bool {
	if d.Kind != lang.Function || d.Parent == lang.File || !slices.Contains(f.rules.Constructors, "") {
		return false
	}
	c := &f.facts.Decls[d.Parent]
	return c.Kind == lang.Class && c.Name == d.Name
}

// space gives the scope that holds the names of a scope: the same, but for a namespace opened again.
func (f *file) space(scope int32) int32 {
	if s, ok := f.spaces[scope]; ok {
		return s
	}
	return scope
}

// lookup gives what binds a name in a scope, nil when nothing does.
func (f *file) lookup(scope int32, name string) *named { return f.names[scoped{f.space(scope), name}] }

// tree shows a state to the resolvers.
type tree struct {
	st      *state
	dirs    map[string][]string // files directly in each directory that holds files, at any depth
	configs map[string][]string
}

func newTree(st *state) *tree {
	t := &tree{st: st, dirs: map[string][]string{"": nil}, configs: map[string][]string{}}
	for _, p := range st.paths() {
		if st.files[p].key.lang == "" { // no language has modules of such files
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
	for p := range st.configs {
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

func (t *tree) HasFile(p string) bool { f := t.st.files[p]; return f != nil && f.key.lang != "" }
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
func (t *tree) Config(p string) ([]byte, bool) { b, ok := t.st.configs[p]; return b, ok }
func (t *tree) Configs(base string) []string   { return t.configs[base] }
func (t *tree) Package(p string) string {
	if f := t.st.files[p]; f != nil {
		return f.pkg
	}
	return ""
}
