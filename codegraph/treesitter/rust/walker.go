package rust

import (
	"context"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one file into facts, and the small trees of what stands in macro calls.
//
// Local variables and type parameters are resolved here, by their lexical scope: a name in a sketch is that of an item.
type walker struct {
	*core.Tree            // the tree under way: that of the file, or of the inside of a macro call
	file       *core.Tree // the tree of the file
	delta      int32      // from offsets of the tree under way to offsets of the file
	ctx        context.Context
	err        error // the context's, when it ended a parse

	b                 lang.Builder
	vars              map[string]int32 // a variable with its place in locals
	locals            []local
	types             map[string]int32          // type parameters, with what bounds them
	self              int32                     // the type that Self means, or None
	slots             map[string]map[string]int // by struct: fields whose type is a type parameter, with its number
	held              map[string]int32          // what such fields hold in the impl under way
	assoc             map[string]int32          // associated types of the impl under way
	test              bool                      // within test code
	known             map[string]bool           // names that items, uses and modules of the file bind
	invoked           map[string]bool           // macros that the file calls
	mods              map[scopedName]int32      // modules in files of their own, by scope and name
	nested            map[scopedName]int32      // declarations by scope and name
	used              map[scopedName]bool       // names that uses bring, by scope
	globs             map[int32]bool            // scopes that bring in everything of something
	modules           map[string]int32          // sketches of modules
	names             map[scopedName]int32      // sketches of names
	inline            map[int32][]string        // namespaces, with their path in the file
	said              []string                  // modules in files of their own, as the resolver reads them
	budget            int                       // bytes of macro calls that may still be parsed
	depth             int                       // macro calls within macro calls
	crates            []string                  // crates whose macros are brought in
	external, unknown int32
}

type scopedName struct {
	scope int32
	name  string
}

type local struct {
	name string
	x    int32
	prev int32 // the place it hides, or -1
}

func parse(ctx context.Context, t *core.Tree) (*lang.Facts, error) {
	t.IndexLines(t.Src)
	p := &walker{Tree: t, file: t, ctx: ctx, vars: map[string]int32{}, types: map[string]int32{}, self: lang.None, known: map[string]bool{},
		invoked: map[string]bool{}, mods: map[scopedName]int32{}, nested: map[scopedName]int32{}, used: map[scopedName]bool{}, globs: map[int32]bool{},
		modules: map[string]int32{}, names: map[scopedName]int32{}, inline: map[int32][]string{}, slots: map[string]map[string]int{}, budget: 4*len(t.Src) + 1<<16}
	p.external = p.b.Leaf(lang.OpExternal, lang.File, "")
	p.unknown = p.b.Leaf(lang.OpUnknown, lang.File, "")
	p.scan()
	if len(t.Nodes) > 0 {
		p.items(0, lang.File, nil)
	}
	p.b.Facts.Package = strings.Join(p.said, " ")
	return t.Facts(&p.b, "rust"), p.err
}

// scan gathers the names that the file binds outside of functions' variables, and the macros it calls.
func (p *walker) scan() {
	for n := range int32(len(p.Nodes)) {
		switch k := p.kind(n); k {
		case "mod_item", "struct_item", "enum_item", "union_item", "trait_item", "type_item", "function_item", "const_item", "static_item":
			p.known[p.Text(p.Field(n, "name"))] = true
			if k == "struct_item" {
				p.slot(n)
			}
		case "extern_crate_declaration":
			p.known[p.Text(p.Field(n, "name"))] = true
			p.known[p.Text(p.Field(n, "alias"))] = true
		case "use_declaration":
			p.leaves(p.Field(n, "argument"), nil, func(l useLeaf) { p.known[l.alias] = true })
		case "macro_invocation":
			p.invoked[lastSegment(p.Text(p.Field(n, "macro")))] = true
		case "identifier": // in token trees a macro call is a name before a mark
			if p.at(p.End(n)) == '!' {
				p.invoked[p.Text(n)] = true
			}
		}
	}
}

func lastSegment(path string) string {
	if i := strings.LastIndex(path, "::"); i >= 0 {
		return strings.TrimSpace(path[i+2:])
	}
	return path
}

func (p *walker) line(n int32) int32 {
	l, _ := p.file.Place(p.Start(max(n, 0)) + p.delta)
	return l
}

func (p *walker) place(n int32) lang.Span {
	n = max(n, 0)
	return p.file.Span(p.Start(n)+p.delta, p.End(n)+p.delta)
}

// name gives the sketch of an item's name.
func (p *walker) name(scope int32, name string) int32 {
	k := scopedName{scope, name}
	x, ok := p.names[k]
	if !ok {
		x = p.b.Name(scope, name)
		p.names[k] = x
	}
	return x
}

// module gives the sketch of a module that the resolver knows.
func (p *walker) module(name string) int32 {
	x, ok := p.modules[name]
	if !ok {
		x = p.b.Leaf(lang.OpModule, lang.File, name)
		p.modules[name] = x
	}
	return x
}

// either gives the sketch of x, or y where x leads nowhere in the repository.
func (p *walker) either(x, y int32) int32 {
	switch {
	case x == lang.None || x == p.unknown:
		return y
	case y == lang.None || y == x:
		return x
	}
	return p.b.Expr(lang.Expr{Op: lang.OpElse, X: x, Scope: lang.File, Args: []lang.Arg{{X: y}}})
}

func (p *walker) tuple(xs ...int32) int32 {
	args := make([]lang.Arg, len(xs))
	for i, x := range xs {
		args[i].X = x
	}
	return p.b.Many(lang.OpTuple, args)
}

// part gives the sketch of a numbered part of a container; see the table of containers.
func (p *walker) part(x int32, key string) int32 {
	if x == p.unknown || x == p.external {
		return x
	}
	return p.b.Of(lang.OpIndex, x, key)
}

// instance gives an instance of the type of a sketch.
func (p *walker) instance(x int32) int32 {
	if x == p.external || x == p.unknown {
		return x
	}
	return p.b.Of(lang.OpInstance, x, "")
}

// let gives a variable its value from here on.
func (p *walker) let(name string, x int32) {
	if name == "_" || name == "" {
		return
	}
	if x == lang.None {
		x = p.unknown
	}
	prev := int32(-1)
	if i, ok := p.vars[name]; ok {
		prev = i
	}
	name = strings.Clone(name)
	p.vars[name] = int32(len(p.locals))
	p.locals = append(p.locals, local{name, x, prev})
}

// leave ends the variables made since there were n.
func (p *walker) leave(n int) {
	for len(p.locals) > n {
		l := p.locals[len(p.locals)-1]
		p.locals = p.locals[:len(p.locals)-1]
		if l.prev < 0 {
			delete(p.vars, l.name)
		} else {
			p.vars[l.name] = l.prev
		}
	}
}

// variable gives the value of a local variable.
func (p *walker) variable(name string) (int32, bool) {
	i, ok := p.vars[name]
	if !ok {
		return lang.None, false
	}
	return p.locals[i].x, true
}

// ref records a reference at a node. A call has the expression of the whole call.
func (p *walker) ref(kind lang.RefKind, at, scope, x int32, name string) {
	if x == lang.None || x == p.unknown || x == p.external {
		return
	}
	p.addRef(kind, at, scope, x, name)
}

func (p *walker) addRef(kind lang.RefKind, at, scope, x int32, name string) {
	at = max(at, 0)
	r := lang.Ref{Kind: kind, Scope: scope, X: x, Decl: lang.None, Name: strings.Clone(name)}
	p.b.Facts.Refs = append(p.b.Facts.Refs, p.file.Ref(r, p.Start(at)+p.delta, p.End(at)+p.delta))
}

// items reads the items of a file, a module or a block. Uses come last: they look at what the others declare.
func (p *walker) items(n, scope int32, only func(kind string) bool) {
	var attrs, uses []int32
	for c := range p.Children(n) {
		k := p.kind(c)
		if only != nil && !only(k) && k != "attribute_item" {
			attrs = nil
			continue
		}
		switch k {
		case "attribute_item":
			attrs = append(attrs, c)
			continue
		case "line_comment", "block_comment":
			continue
		case "use_declaration":
			uses = append(uses, c)
			p.leaves(p.Field(c, "argument"), nil, func(l useLeaf) { p.used[scopedName{scope, l.alias}] = true; p.globs[scope] = p.globs[scope] || l.glob })
		default:
			p.item(c, scope, attrs)
		}
		attrs = nil
	}
	for _, u := range uses {
		p.use(u, scope)
	}
}

// item reads one item, or whatever else stands among items.
func (p *walker) item(n, scope int32, attrs []int32) {
	test := p.test
	cond := p.attributes(attrs, scope)
	switch p.kind(n) {
	case "mod_item":
		p.mod(n, scope, attrs)
	case "foreign_mod_item":
		p.items(p.Field(n, "body"), scope, nil)
	case "function_item", "function_signature_item":
		p.function(n, scope, attrs, cond, nil)
	case "struct_item", "union_item", "enum_item":
		p.structure(n, scope, attrs, cond)
	case "trait_item":
		p.trait(n, scope, attrs, cond)
	case "impl_item":
		p.impl(n, scope, cond)
	case "type_item":
		undo := p.parameters(n, scope, scope)
		p.b.Bind(lang.Alias, scope, p.Text(p.Field(n, "name")), p.typ(p.Field(n, "type"), scope), p.line(n))
		undo()
	case "const_item", "static_item":
		p.constant(n, scope)
	case "extern_crate_declaration":
		p.externCrate(n, scope, attrs)
	case "macro_definition":
		p.macro(n, scope, attrs, cond)
	case "expression_statement":
		p.expr(n, scope)
	default:
		p.expr(n, scope)
	}
	p.test = test
}

// constant reads a const or static outside of impl blocks.
func (p *walker) constant(n, scope int32) {
	t := p.typ(p.Field(n, "type"), scope)
	x := p.scoped(func() int32 { return p.expr(p.Field(n, "value"), scope) })
	if name := p.Text(p.Field(n, "name")); name != "_" && name != "" {
		p.b.Bind(lang.Annotate, scope, name, t, p.line(n))
		p.b.Bind(lang.Assign, scope, name, x, p.line(n))
	}
}

// scoped runs f and ends the variables it makes.
func (p *walker) scoped(f func() int32) int32 {
	n := len(p.locals)
	x := f()
	p.leave(n)
	return x
}

// at is the byte at an offset, 0 behind the end.
func (p *walker) at(off int32) byte {
	if off < 0 || int(off) >= len(p.Src) {
		return 0
	}
	return p.Src[off]
}

// capital tells whether a name begins as those of types and variants do.
func capital(name string) bool { return name != "" && name[0] >= 'A' && name[0] <= 'Z' }

// kind is the kind of a node, "" of none.
func (p *walker) kind(n int32) string {
	if n < 0 {
		return ""
	}
	return p.Tree.Kind(n)
}
