package rust

import (
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// attributes reads what stands before an item: it mentions the macros of the repository that are applied, notes test
// code, and tells whether the item is there on a condition only.
func (p *walker) attributes(attrs []int32, scope int32) bool {
	cond := false
	for _, a := range attrs {
		a = p.First(a, "attribute")
		head := p.Child(a, 0)
		args := p.Field(a, "arguments")
		switch name := p.Text(head); name {
		case "cfg", "cfg_attr":
			cond = true
			if text := p.Text(args); strings.Contains(text, "test") && !strings.Contains(text, "not(test") {
				p.test = true
			}
		case "test", "bench", "tokio::test", "rstest", "test_case", "proptest", "quickcheck", "async_std::test":
			p.test = true
		case "derive":
			for c := range p.Children(args) {
				if k := p.Text(c); p.Kind(c) == "identifier" && !stdDerives[k] && p.at(p.End(c)) != ':' {
					p.ref(lang.Use, c, scope, p.B.Name(scope, k), k)
				}
			}
		case "allow", "warn", "deny", "forbid", "expect", "inline", "doc", "must_use", "deprecated", "repr", "path", "macro_use", "macro_export", "derive_const",
			"ignore", "should_panic", "non_exhaustive", "cold", "track_caller", "no_mangle", "link", "export_name", "serde", "feature", "default":
		default:
			if x := p.path(head, scope); x != lang.None {
				at := p.lastName(head)
				p.ref(lang.Use, at, scope, x, p.Text(at))
			}
		}
	}
	return cond
}

var stdDerives = core.Words(`Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash`)

// declare adds the declaration of an item. Its span begins with its attributes; its signature ends at end.
func (p *walker) declare(n, scope int32, kind lang.DeclKind, attrs []int32, cond bool, end int32) int32 {
	name := p.Field(n, "name")
	start := p.Start(n)
	if len(attrs) > 0 {
		start = p.Start(attrs[0])
	}
	d := lang.Decl{Name: p.Text(name), Kind: kind, Parent: scope, Span: p.Span(start, p.End(n))}
	d.Body = d.Span.Start + end - start
	if name >= 0 {
		d.NameLine = p.Line(name)
	}
	if cond {
		d.Flags |= lang.Conditional
	}
	if p.test {
		d.Flags |= lang.Test
	}
	d.Signature = lang.OneLine(strings.TrimRight(string(p.Src[p.Start(n):end]), " \t\n;"))
	i := p.B.Declare(d)
	p.nested[scopedName{scope, d.Name}] = i
	return i
}

// parameters brings the type parameters of an item into scope and gives the function that ends them.
func (p *walker) parameters(n, scope, from int32) func() {
	around, own := p.types, map[string]bool{}
	p.types = maps.Clone(around)
	list := p.Field(n, "type_parameters")
	where := p.First(n, "where_clause")
	for c := range p.Children(list) { // all are there before any bound is read
		if name := p.typeParam(c); name != "" {
			own[name], p.types[name] = true, p.unknown
		}
	}
	bound := map[string][]int32{}
	read := func(left, bounds int32) {
		if !p.Is(left, "type_identifier") {
			p.typ(left, scope)
			p.typ(bounds, scope)
			return
		}
		name := p.Text(left)
		for c := range p.Children(bounds) {
			if x := p.typ(c, scope); x != lang.None {
				bound[name] = append(bound[name], x)
			}
		}
	}
	settle := func() {
		for _, name := range slices.Sorted(maps.Keys(bound)) { // in one order: facts are a function of the bytes
			xs := bound[name]
			if _, ok := p.types[name]; ok {
				if x := p.B.Any(p.informative(xs)...); x != lang.None {
					p.types[name] = x
				}
			}
		}
		clear(bound)
	}
	type predicate struct{ left, bounds int32 }
	var later []predicate
	plain := read
	read = func(left, bounds int32) { // bounds that name other parameters come when these are known
		for c := max(bounds, 0); bounds >= 0 && c < p.Next(bounds); c++ {
			if p.Kind(c) == "type_identifier" && own[p.Text(c)] {
				later = append(later, predicate{left, bounds})
				return
			}
		}
		plain(left, bounds)
	}
	for c := range p.Children(list) {
		switch p.Kind(c) {
		case "constrained_type_parameter":
			read(p.Field(c, "left"), p.Field(c, "bounds"))
		case "optional_type_parameter":
			in := p.Field(c, "name")
			if p.Kind(in) == "constrained_type_parameter" {
				read(p.Field(in, "left"), p.Field(in, "bounds"))
			}
			p.typ(p.Field(c, "default_type"), scope)
		}
	}
	for c := range p.Of(where, "where_predicate") {
		read(p.Field(c, "left"), p.Field(c, "bounds"))
	}
	settle()
	for _, l := range later {
		plain(l.left, l.bounds)
	}
	settle()
	return func() { p.types = around }
}

// An implBlock is the impl block or trait around a function.
type implBlock struct {
	name  string // of the type, for ids
	owner int32  // sketch of the type
	trait bool   // the block is the trait itself
	every bool   // the block is for a type parameter, or for a pointer to one
	of    bool   // the block is of a trait, for the type
}

func (p *walker) function(n, scope int32, attrs []int32, cond bool, in *implBlock) {
	d := p.declare(n, scope, lang.Function, attrs, cond, p.signatureEnd(n))
	decl := p.Declared(d)
	if p.Kind(n) == "function_signature_item" && in == nil {
		decl.Flags |= lang.Forward
	}
	if in != nil && !in.trait {
		decl.Receiver, decl.Owner = in.name, in.owner
		if in.every {
			decl.Owner = p.unknown
		}
		decl.Flags |= lang.Hidden
		if in.of { // a type's own methods come before those that it has by traits (The Rust Reference, "Method-call expressions")
			decl.Flags |= lang.Secondary
		}
	}
	if name, ok := p.hasAttribute(attrs, "proc_macro_derive"); ok {
		if c := p.Child(p.Field(name, "arguments"), 0); c >= 0 {
			p.B.Bind(lang.Alias, scope, p.Text(c), p.B.Decl(d), p.Line(c))
		}
	}
	if _, ok := p.hasAttribute(attrs, "proc_macro"); ok {
		p.B.Bind(lang.Alias, scope, decl.Name+"!", p.B.Decl(d), decl.NameLine)
	}
	vars, test, invoked := p.vars, p.test, p.assoc
	p.vars = core.Names[int32]{}
	undo := p.parameters(n, d, scope)
	if in == nil {
		p.assoc = nil
	}
	params, static := p.values(n, d, in)
	decl = p.Declared(d)
	decl.Params = params
	if static && in != nil {
		decl.Flags |= lang.Static
	}
	result, at := p.external, n
	if t := p.Field(n, "return_type"); t >= 0 {
		result, at = p.typ(t, d), t
	}
	p.B.Bind(lang.ReturnType, d, "", result, p.Line(at))
	p.block(p.Field(n, "body"), d)
	undo()
	p.vars, p.test, p.assoc = vars, test, invoked
}

// values reads the parameters of a function and tells whether it has no receiver.
func (p *walker) values(n, d int32, in *implBlock) ([]lang.Param, bool) {
	var out []lang.Param
	static := true
	receiver := func() {
		static = false
		q := core.Param("self")
		q.Kind = lang.Receiver
		x := p.B.Leaf(lang.OpThis, d, "")
		if in != nil && !in.trait {
			q.Type = in.owner
			x = p.instance(in.owner)
		}
		p.declareVar("self", x)
		out = append(out, q)
	}
	for c := range p.Of(p.Field(n, "parameters"), "self_parameter", "parameter") {
		pat := p.Field(c, "pattern")
		if p.Is(c, "self_parameter") || p.Is(pat, "self") {
			receiver()
			continue
		}
		q := core.Param("")
		if q.Type = p.typ(p.Field(c, "type"), d); q.Type == p.unknown { // a type parameter without bounds
			q.Type = lang.None
		}
		if p.Is(pat, "mut_pattern") {
			pat = p.First(pat, "identifier")
		}
		if p.Is(pat, "identifier") {
			q.Name = p.Text(pat)
			p.declareVar(q.Name, p.B.Name(d, q.Name))
		} else {
			p.bind(pat, p.instance(q.Type), d)
		}
		out = append(out, q)
	}
	return out, static
}

// mod reads a module: its items, or the name of its file.
func (p *walker) mod(n, scope int32, attrs []int32) {
	name := p.Text(p.Field(n, "name"))
	body := p.Field(n, "body")
	if body < 0 {
		dirs := p.inline[scope]
		said := strings.Join(append(dirs[:len(dirs):len(dirs)], name), "/")
		if a, ok := p.hasAttribute(attrs, "path"); ok {
			if s := p.First(p.Field(a, "value"), "string_content"); s >= 0 {
				said = "=" + strings.Join(append(dirs[:len(dirs):len(dirs)], p.Text(s)), "/")
			}
		}
		if name == "" || strings.ContainsAny(said, " \n\t") {
			return
		}
		if len(p.moduleDecls) < 4096 {
			p.moduleDecls = append(p.moduleDecls, said)
		}
		x := p.Module("mod " + said)
		p.mods[scopedName{scope, name}] = x
		p.B.Bind(lang.Using, scope, name, x, p.Line(n))
		return
	}
	d := p.declare(n, scope, lang.Namespace, attrs, false, p.Start(body))
	dirs := p.inline[scope]
	p.inline[d] = append(dirs[:len(dirs):len(dirs)], name)
	vars := p.vars
	p.vars = core.Names[int32]{}
	p.items(body, d)
	p.vars = vars
}

// items reads the items of a file, a module or a block, and gives the value of a block's last expression. Use declarations come
// last: they refer to what the others declare.
func (p *walker) items(n, scope int32) int32 {
	last, block := lang.None, p.Is(n, "block")
	var attrs, uses []int32
	for c := range p.Parts(n) {
		switch k := p.Kind(c); {
		case k == "attribute_item":
			attrs = append(attrs, c)
			continue
		case k == "use_declaration":
			uses = append(uses, c)
			p.useTree(p.Field(c, "argument"), nil, func(l useLeaf) {
				p.useNames[scopedName{scope, l.alias}] = true
				p.globUses[scope] = p.globUses[scope] || l.glob
			})
		case !block || itemKinds[k]:
			p.item(c, scope, attrs)
		default:
			last = p.expr(c, scope)
			if k == "expression_statement" && p.at(p.End(c)-1) == ';' {
				last = lang.None
			}
		}
		attrs = nil
	}
	for _, u := range uses {
		p.use(u, scope)
	}
	return last
}

var itemKinds = core.Words(`mod_item foreign_mod_item function_item struct_item union_item enum_item trait_item impl_item type_item const_item
	static_item extern_crate_declaration macro_definition function_signature_item`)

// item reads one item, or whatever else stands among items.
func (p *walker) item(n, scope int32, attrs []int32) {
	test := p.test
	cond := p.attributes(attrs, scope)
	switch p.Kind(n) {
	case "mod_item":
		p.mod(n, scope, attrs)
	case "foreign_mod_item":
		p.items(p.Field(n, "body"), scope)
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
		p.B.Bind(lang.Alias, scope, p.Text(p.Field(n, "name")), p.typ(p.Field(n, "type"), scope), p.Line(n))
		undo()
	case "const_item", "static_item":
		p.constant(n, scope)
	case "extern_crate_declaration":
		p.externCrate(n, scope, attrs)
	case "macro_definition":
		p.macro(n, scope, attrs, cond)
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
		p.B.Bind(lang.Annotate, scope, name, t, p.Line(n))
		p.B.Bind(lang.Assign, scope, name, x, p.Line(n))
	}
}
