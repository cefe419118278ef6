package rust

import (
	"bytes"
	"maps"
	"slices"
	"strconv"
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
		if head < 0 {
			continue
		}
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
				if k := p.Text(c); p.kind(c) == "identifier" && !stdDerives[k] && p.at(p.End(c)) != ':' {
					p.ref(lang.Use, c, scope, p.name(scope, k), k)
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

// hasAttribute tells whether one of the attributes has a name, and gives it.
func (p *walker) hasAttribute(attrs []int32, name string) (int32, bool) {
	for _, a := range attrs {
		a = p.First(a, "attribute")
		if p.Text(p.Child(a, 0)) == name {
			return a, true
		}
	}
	return -1, false
}

// declare adds the declaration of an item. Its span begins with its attributes; its signature ends at end.
func (p *walker) declare(n, scope int32, kind lang.DeclKind, attrs []int32, cond bool, end int32) int32 {
	name := p.Field(n, "name")
	start := p.Start(n)
	if len(attrs) > 0 {
		start = p.Start(attrs[0])
	}
	d := lang.Decl{Name: p.Text(name), Kind: kind, Parent: scope, Span: p.file.Span(start+p.delta, p.End(n)+p.delta), Body: end + p.delta}
	if name >= 0 {
		d.NameLine = p.line(name)
	}
	if cond {
		d.Flags |= lang.Conditional
	}
	if p.test {
		d.Flags |= lang.Test
	}
	d.Signature = lang.OneLine(strings.TrimRight(string(p.Src[p.Start(n):end]), " \t\n;"))
	i := p.b.Declare(d)
	p.nested[scopedName{scope, d.Name}] = i
	return i
}

// signatureEnd gives where the part before the body ends.
func (p *walker) signatureEnd(n int32) int32 {
	if b := p.Field(n, "body"); b >= 0 {
		return p.Start(b)
	}
	return p.End(n)
}

// parameters brings the type parameters of an item into scope and gives the function that ends them.
func (p *walker) parameters(n, scope, from int32) func() {
	old := map[string]int32{}
	set := func(name string, x int32) {
		if name == "" {
			return
		}
		if _, done := old[name]; !done {
			prev, ok := p.types[name]
			if !ok {
				prev = -2
			}
			old[name] = prev
		}
		p.types[name] = x
	}
	list := p.Field(n, "type_parameters")
	where := p.First(n, "where_clause")
	for c := range p.Children(list) { // all are there before any bound is read
		switch p.kind(c) {
		case "type_identifier":
			set(p.Text(c), p.unknown)
		case "constrained_type_parameter":
			if l := p.Field(c, "left"); p.kind(l) == "type_identifier" {
				set(p.Text(l), p.unknown)
			}
		case "optional_type_parameter":
			set(p.Text(p.paramName(p.Field(c, "name"))), p.unknown)
		}
	}
	bound := map[string][]int32{}
	read := func(left, bounds int32) {
		if left < 0 {
			return
		}
		if p.kind(left) != "type_identifier" {
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
				if x := p.b.Any(p.worth(xs)...); x != lang.None {
					set(name, x)
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
			if p.kind(c) == "type_identifier" && old[p.Text(c)] != 0 {
				later = append(later, predicate{left, bounds})
				return
			}
		}
		plain(left, bounds)
	}
	for c := range p.Children(list) {
		switch p.kind(c) {
		case "constrained_type_parameter":
			read(p.Field(c, "left"), p.Field(c, "bounds"))
		case "optional_type_parameter":
			in := p.Field(c, "name")
			if p.kind(in) == "constrained_type_parameter" {
				read(p.Field(in, "left"), p.Field(in, "bounds"))
			}
			p.typ(p.Field(c, "default_type"), scope)
		}
	}
	for c := range p.Children(where) {
		if p.kind(c) == "where_predicate" {
			read(p.Field(c, "left"), p.Field(c, "bounds"))
		}
	}
	settle()
	for _, l := range later {
		plain(l.left, l.bounds)
	}
	settle()
	return func() {
		for name, x := range old {
			if x == -2 {
				delete(p.types, name)
			} else {
				p.types[name] = x
			}
		}
	}
}

func (p *walker) paramName(n int32) int32 {
	if n >= 0 && p.kind(n) == "constrained_type_parameter" {
		return p.Field(n, "left")
	}
	return n
}

// An implFor is the impl block or trait around a function.
type implFor struct {
	name  string // of the type, for ids
	owner int32  // sketch of the type
	trait bool   // the block is the trait itself
	every bool   // the block is for a type parameter, or for a pointer to one
	of    bool   // the block is of a trait, for the type
}

func (p *walker) function(n, scope int32, attrs []int32, cond bool, in *implFor) {
	d := p.declare(n, scope, lang.Function, attrs, cond, p.signatureEnd(n))
	decl := &p.b.Facts.Decls[d]
	if p.kind(n) == "function_signature_item" && in == nil {
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
			p.b.Bind(lang.Alias, scope, p.Text(c), p.b.Decl(d), p.line(c))
		}
	}
	if _, ok := p.hasAttribute(attrs, "proc_macro"); ok {
		p.b.Bind(lang.Alias, scope, decl.Name+"!", p.b.Decl(d), decl.NameLine)
	}
	vars, locals, test, invoked := p.vars, p.locals, p.test, p.assoc
	p.vars, p.locals = map[string]int32{}, nil
	undo := p.parameters(n, d, scope)
	if in == nil {
		p.assoc = nil
	}
	params, static := p.values(n, d, in)
	decl = &p.b.Facts.Decls[d]
	decl.Params = params
	if static && in != nil {
		decl.Flags |= lang.Static
	}
	if t := p.Field(n, "return_type"); t >= 0 {
		p.b.Bind(lang.ReturnType, d, "", p.typ(t, d), p.line(t))
	} else {
		p.b.Bind(lang.ReturnType, d, "", p.external, p.line(n))
	}
	p.block(p.Field(n, "body"), d)
	undo()
	p.vars, p.locals, p.test, p.assoc = vars, locals, test, invoked
}

// values reads the parameters of a function and tells whether it has no receiver.
func (p *walker) values(n, d int32, in *implFor) ([]lang.Param, bool) {
	var out []lang.Param
	static := true
	receiver := func() {
		static = false
		q := lang.Param{Name: "self", Kind: lang.Receiver, Type: lang.None, Def: lang.None}
		x := p.b.Leaf(lang.OpThis, d, "")
		if in != nil && !in.trait {
			q.Type = in.owner
			x = p.instance(in.owner)
		}
		p.let("self", x)
		out = append(out, q)
	}
	for c := range p.Children(p.Field(n, "parameters")) {
		switch p.kind(c) {
		case "self_parameter":
			receiver()
		case "parameter":
			pat := p.Field(c, "pattern")
			if pat >= 0 && p.kind(pat) == "self" {
				receiver()
				continue
			}
			q := lang.Param{Type: p.typ(p.Field(c, "type"), d), Def: lang.None}
			if q.Type == p.unknown { // a type parameter without bounds
				q.Type = lang.None
			}
			if pat >= 0 && p.kind(pat) == "mut_pattern" {
				pat = p.First(pat, "identifier")
			}
			if pat >= 0 && p.kind(pat) == "identifier" {
				q.Name = p.Text(pat)
				p.let(q.Name, p.b.Name(d, q.Name))
			} else {
				p.bind(pat, p.instance(q.Type), d)
			}
			out = append(out, q)
		case "type_identifier", "variadic_parameter":
		}
	}
	return out, static
}

// structure reads a struct, a union or an enum. A variant is another name of its enum; the fields of variants are bound
// as attributes "Variant.field".
func (p *walker) structure(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.b.Decl(d), nil
	undo := p.parameters(n, d, scope)
	p.numbered(n, p.Field(n, "type_parameters"), p.self)
	body := p.Field(n, "body")
	p.fields(body, d, "")
	for v := range p.Children(body) {
		if p.kind(v) != "enum_variant" {
			continue
		}
		name := p.Text(p.Field(v, "name"))
		p.b.Bind(lang.Alias, d, name, p.self, p.line(v))
		p.fields(p.Field(v, "body"), d, name+".")
		p.expr(p.Field(v, "value"), scope)
	}
	undo()
	p.self, p.assoc = self, assoc
}

// fields binds the fields of a struct or variant. Their types are looked up around the class, whose own names are its
// fields and variants; what they mention, the class does.
func (p *walker) fields(body, d int32, prefix string) {
	scope := p.b.Facts.Decls[d].Parent
	i := 0
	if body < 0 {
		return
	}
	field := func(name string, n int32) {
		first := len(p.b.Facts.Refs)
		t := p.typ(n, scope)
		for j := first; j < len(p.b.Facts.Refs); j++ {
			p.b.Facts.Refs[j].Scope = d
		}
		p.b.Bind(lang.Annotate, d, prefix+name, t, p.line(n))
	}
	for c := range p.Children(body) {
		switch k := p.kind(c); {
		case k == "field_declaration":
			if t := p.Field(c, "type"); t >= 0 {
				field(p.Text(p.Field(c, "name")), t)
			}
		case p.kind(body) == "ordered_field_declaration_list" && p.FieldName(c) == "type":
			field(strconv.Itoa(i), c)
			i++
		}
	}
}

// trait reads a trait: a class that promises, whose methods are called where no more is known of a value.
func (p *walker) trait(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	p.b.Facts.Decls[d].Flags |= lang.Interface
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.b.Decl(d), map[string]int32{}
	undo := p.parameters(n, scope, scope)
	var bases []int32
	for c := range p.Children(p.Field(n, "bounds")) {
		if x := p.typ(c, scope); x != lang.None && x != p.external && x != p.unknown {
			bases = append(bases, x)
		}
	}
	p.b.Facts.Decls[d].Bases = bases
	in := &implFor{owner: p.self, trait: true}
	p.members(p.Field(n, "body"), d, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// impl reads an impl block. Its methods belong to the type it is for.
func (p *walker) impl(n, scope int32, cond bool) {
	self, assoc := p.self, p.assoc
	undo := p.parameters(n, scope, scope)
	t := p.Field(n, "type")
	p.self = lang.None
	if p.kind(t) == "generic_type" && !p.everyType(t) {
		refs := len(p.b.Facts.Refs)
		if head := p.typePath(p.Field(t, "type"), scope, true); head != lang.None && head != p.external && head != p.unknown {
			p.numbered(n, p.Field(t, "type_arguments"), head)
		}
		p.b.Facts.Refs = p.b.Facts.Refs[:refs]
	}
	owner := p.typ(t, scope)
	in := &implFor{name: p.typeLabel(t), owner: owner}
	in.every = p.everyType(t) // for all types that keep to a bound, not for the bound
	p.self, p.assoc = owner, map[string]int32{}
	held := p.held
	p.held = p.heldBy(t, scope)
	defer func() { p.held = held }()
	if trait := p.Field(n, "trait"); trait >= 0 {
		base := trait
		if p.kind(trait) == "generic_type" {
			base = p.Field(trait, "type")
		}
		in.of = true
		name := p.Text(p.lastName(base))
		x := p.typePath(base, scope, true)
		if base != trait {
			p.arguments(p.Field(trait, "type_arguments"), scope)
		}
		if x != lang.None && !in.every && owner != lang.None && owner != p.external && owner != p.unknown {
			p.b.Set(lang.Extend, scope, owner, "", x, p.line(n))
		}
		for c := range p.Children(p.Field(n, "body")) {
			if name == "Deref" && !in.every && p.kind(c) == "type_item" { // the members of its target are lent to it
				p.b.Set(lang.Extend, scope, owner, "", p.instance(p.typ(p.Field(c, "type"), scope)), p.line(c))
			}
		}
	}
	p.members(p.Field(n, "body"), scope, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// numbered makes the type parameters of an item, which are those named in list, the ones of a class by their place there.
func (p *walker) numbered(n, list, class int32) {
	own := map[string]bool{}
	for c := range p.Children(p.Field(n, "type_parameters")) {
		own[p.Text(p.parameter(c))] = true
	}
	i := 0
	for c := range p.Children(list) {
		if k := p.kind(c); k == "lifetime" || k == "lifetime_parameter" || k == "line_comment" || k == "block_comment" || k == "attribute_item" {
			continue
		}
		name := p.Text(p.parameter(c))
		if x, ok := p.types[name]; ok && own[name] && name != "" {
			if x == p.unknown || x == p.external {
				x = lang.None
			}
			p.types[name] = core.TypeParam(&p.b, class, i, x)
		}
		i++
	}
}

// parameter gives the name of a type parameter in a list of such, or of type arguments.
func (p *walker) parameter(n int32) int32 {
	switch p.kind(n) {
	case "type_identifier":
		return n
	case "constrained_type_parameter":
		return p.Field(n, "left")
	case "optional_type_parameter", "type_parameter":
		return p.paramName(p.Field(n, "name"))
	}
	return -1
}

// everyType tells whether a type is a type parameter or, where the methods of what is pointed to are not those of the
// pointer, a pointer to one or to a trait object.
func (p *walker) everyType(n int32) bool {
	for range 8 {
		switch p.kind(n) {
		case "type_identifier":
			_, param := p.types[p.Text(n)]
			return param
		case "reference_type":
			n = p.Field(n, "type")
			if p.kind(n) == "dynamic_type" {
				return true
			}
		case "generic_type":
			if last := p.Text(p.lastName(n)); !holders[last] || p.known[last] {
				return false
			}
			n = p.Child(p.Field(n, "type_arguments"), 0)
			if p.kind(n) == "dynamic_type" {
				return true
			}
		default:
			return false
		}
	}
	return false
}

// heldBy gives what the fields of a struct hold whose types are its type parameters, as an impl block names them.
func (p *walker) heldBy(t, scope int32) map[string]int32 {
	for p.kind(t) == "reference_type" {
		t = p.Field(t, "type")
	}
	if p.kind(t) != "generic_type" {
		return nil
	}
	fields := p.slots[p.Text(p.lastName(p.Field(t, "type")))]
	if len(fields) == 0 {
		return nil
	}
	var args []int32
	refs := len(p.b.Facts.Refs)
	for c := range p.Children(p.Field(t, "type_arguments")) {
		if p.kind(c) != "lifetime" {
			args = append(args, p.typ(c, scope))
		}
	}
	p.b.Facts.Refs = p.b.Facts.Refs[:refs] // they were mentioned before
	out := map[string]int32{}
	for _, name := range slices.Sorted(maps.Keys(fields)) {
		i := fields[name]
		if i < len(args) && args[i] != p.unknown && args[i] != lang.None {
			out[name] = p.instance(args[i])
		}
	}
	return out
}

// slot notes the fields of a struct whose types are its type parameters.
func (p *walker) slot(n int32) {
	params := map[string]int{}
	for c := range p.Children(p.Field(n, "type_parameters")) {
		switch p.kind(c) {
		case "type_identifier":
			params[p.Text(c)] = len(params)
		case "constrained_type_parameter":
			if l := p.Field(c, "left"); p.kind(l) == "type_identifier" {
				params[p.Text(l)] = len(params)
			}
		case "optional_type_parameter":
			params[p.Text(p.paramName(p.Field(c, "name")))] = len(params)
		}
	}
	if len(params) == 0 {
		return
	}
	note := func(field string, t int32) {
		for k := p.kind(t); k == "reference_type" || k == "generic_type"; k = p.kind(t) {
			if k == "reference_type" {
				t = p.Field(t, "type")
				continue
			}
			if !holders[p.Text(p.lastName(t))] {
				return
			}
			t = p.First(p.Field(t, "type_arguments"), "type_identifier", "generic_type", "reference_type")
		}
		if i, ok := params[p.Text(t)]; ok {
			name := p.Text(p.Field(n, "name"))
			if p.slots[name] == nil {
				p.slots[name] = map[string]int{}
			}
			p.slots[name][field] = i
		}
	}
	i := 0
	for c := range p.Children(p.Field(n, "body")) {
		switch {
		case p.kind(c) == "field_declaration":
			note(p.Text(p.Field(c, "name")), p.Field(c, "type"))
		case p.FieldName(c) == "type":
			note(strconv.Itoa(i), c)
			i++
		}
	}
}

// members reads the functions, constants and types of a trait or impl block; d is the parent of the functions.
func (p *walker) members(body, d, scope int32, in *implFor) {
	for c := range p.Children(body) {
		if k := p.kind(c); k == "type_item" || k == "associated_type" {
			x := p.typ(p.Field(c, "type"), scope)
			if k == "associated_type" {
				x = p.typ(p.Field(c, "bounds"), scope)
			}
			if x != lang.None {
				p.assoc[p.Text(p.Field(c, "name"))] = x
				if in.owner != p.external && in.owner != p.unknown && !in.every {
					p.b.Set(lang.Assign, scope, in.owner, p.Text(p.Field(c, "name")), x, p.line(c))
				}
			}
		}
	}
	var attrs []int32
	for c := range p.Children(body) {
		switch p.kind(c) {
		case "attribute_item":
			attrs = append(attrs, c)
			continue
		case "line_comment", "block_comment":
			continue
		case "function_item", "function_signature_item":
			test := p.test
			cond := p.attributes(attrs, scope)
			p.function(c, d, attrs, cond, in)
			p.test = test
		case "const_item":
			t := p.typ(p.Field(c, "type"), scope)
			x := p.expr(p.Field(c, "value"), scope)
			if t != lang.None && t != p.external {
				x = p.instance(t)
			}
			if in.owner != p.external && in.owner != p.unknown && !in.every {
				p.b.Set(lang.Assign, scope, in.owner, p.Text(p.Field(c, "name")), x, p.line(c))
			}
		case "type_item", "associated_type":
		default:
			p.expr(c, scope)
		}
		attrs = nil
	}
}

// typeLabel gives the name of a type for the ids of its methods.
func (p *walker) typeLabel(n int32) string {
	for n >= 0 {
		next := int32(-1)
		switch p.kind(n) {
		case "type_identifier", "primitive_type", "identifier":
			return p.Text(n)
		case "scoped_type_identifier", "generic_type":
			next = p.lastName(n)
		case "reference_type", "pointer_type":
			next = p.Field(n, "type")
		case "dynamic_type", "abstract_type":
			next = p.Field(n, "trait")
		case "array_type":
			return "[" + p.typeLabel(p.Field(n, "element")) + "]"
		case "tuple_type":
			return "tuple"
		case "unit_type":
			return "unit"
		case "function_type":
			return "fn"
		case "bracketed_type", "bounded_type", "higher_ranked_trait_bound":
			next = p.Child(n, 0)
		}
		n = next
	}
	return "impl"
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
		if name == "" || bytes.ContainsAny([]byte(said), " \n\t") {
			return
		}
		if len(p.said) < 4096 {
			p.said = append(p.said, said)
		}
		x := p.module("mod " + said)
		p.mods[scopedName{scope, name}] = x
		p.b.Bind(lang.Bring, scope, name, x, p.line(n))
		return
	}
	d := p.declare(n, scope, lang.Namespace, attrs, false, p.Start(body))
	dirs := p.inline[scope]
	p.inline[d] = append(dirs[:len(dirs):len(dirs)], name)
	vars, locals := p.vars, p.locals
	p.vars, p.locals = map[string]int32{}, nil
	p.items(body, d, nil)
	p.vars, p.locals = vars, locals
}
