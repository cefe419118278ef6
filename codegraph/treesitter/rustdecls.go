package treesitter

import (
	"bytes"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// attributes reads what stands before an item: it mentions the macros of the repository that are applied, notes test
// code, and tells whether the item is there on a condition only.
func (p *rust) attributes(attrs []int32, scope int32) bool {
	cond := false
	for _, a := range attrs {
		a = p.first(a, "attribute")
		head := p.child(a, 0)
		if head < 0 {
			continue
		}
		args := p.field(a, "arguments")
		switch name := p.text(head); name {
		case "cfg", "cfg_attr":
			cond = true
			if text := p.text(args); strings.Contains(text, "test") && !strings.Contains(text, "not(test") {
				p.test = true
			}
		case "test", "bench", "tokio::test", "rstest", "test_case", "proptest", "quickcheck", "async_std::test":
			p.test = true
		case "derive":
			for c := range p.children(args) {
				if k := p.text(c); p.kind(c) == "identifier" && !rustDerives[k] && p.at(p.rec[c].end) != ':' {
					p.ref(lang.Use, c, scope, p.name(scope, k), k)
				}
			}
		case "allow", "warn", "deny", "forbid", "expect", "inline", "doc", "must_use", "deprecated", "repr", "path", "macro_use", "macro_export", "derive_const",
			"ignore", "should_panic", "non_exhaustive", "cold", "track_caller", "no_mangle", "link", "export_name", "serde", "feature", "default":
		default:
			if x := p.path(head, scope); x != lang.None {
				at := p.lastName(head)
				p.ref(lang.Use, at, scope, x, p.text(at))
			}
		}
	}
	return cond
}

var rustDerives = words(`Clone Copy Debug Default PartialEq Eq PartialOrd Ord Hash`)

// hasAttribute tells whether one of the attributes has a name, and gives it.
func (p *rust) hasAttribute(attrs []int32, name string) (int32, bool) {
	for _, a := range attrs {
		a = p.first(a, "attribute")
		if p.text(p.child(a, 0)) == name {
			return a, true
		}
	}
	return -1, false
}

// declare adds the declaration of an item. Its span begins with its attributes; its signature ends at end.
func (p *rust) declare(n, scope int32, kind lang.DeclKind, attrs []int32, cond bool, end int32) int32 {
	name := p.field(n, "name")
	start := p.rec[n].start
	if len(attrs) > 0 {
		start = p.rec[attrs[0]].start
	}
	d := lang.Decl{Name: p.text(name), Kind: kind, Parent: scope, Span: p.file.span(start+p.delta, p.rec[n].end+p.delta), Body: end + p.delta}
	if name >= 0 {
		d.NameLine = p.line(name)
	}
	if cond {
		d.Flags |= lang.Conditional
	}
	if p.test {
		d.Flags |= lang.Test
	}
	d.Signature = lang.OneLine(strings.TrimRight(string(p.src[p.rec[n].start:end]), " \t\n;"))
	i := p.b.Declare(d)
	p.nested[modKey{scope, d.Name}] = i
	return i
}

// signatureEnd gives where the part before the body ends.
func (p *rust) signatureEnd(n int32) int32 {
	if b := p.field(n, "body"); b >= 0 {
		return p.rec[b].start
	}
	return p.rec[n].end
}

// parameters brings the type parameters of an item into scope and gives the function that ends them.
func (p *rust) parameters(n, scope, from int32) func() {
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
	list := p.field(n, "type_parameters")
	where := p.first(n, "where_clause")
	for c := range p.children(list) { // all are there before any bound is read
		switch p.kind(c) {
		case "type_identifier":
			set(p.text(c), p.unknown)
		case "constrained_type_parameter":
			if l := p.field(c, "left"); p.kind(l) == "type_identifier" {
				set(p.text(l), p.unknown)
			}
		case "optional_type_parameter":
			set(p.text(p.paramName(p.field(c, "name"))), p.unknown)
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
		name := p.text(left)
		for c := range p.children(bounds) {
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
		for c := max(bounds, 0); bounds >= 0 && c < p.rec[bounds].next; c++ {
			if p.kind(c) == "type_identifier" && old[p.text(c)] != 0 {
				later = append(later, predicate{left, bounds})
				return
			}
		}
		plain(left, bounds)
	}
	for c := range p.children(list) {
		switch p.kind(c) {
		case "constrained_type_parameter":
			read(p.field(c, "left"), p.field(c, "bounds"))
		case "optional_type_parameter":
			in := p.field(c, "name")
			if p.kind(in) == "constrained_type_parameter" {
				read(p.field(in, "left"), p.field(in, "bounds"))
			}
			p.typ(p.field(c, "default_type"), scope)
		}
	}
	for c := range p.children(where) {
		if p.kind(c) == "where_predicate" {
			read(p.field(c, "left"), p.field(c, "bounds"))
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

func (p *rust) paramName(n int32) int32 {
	if n >= 0 && p.kind(n) == "constrained_type_parameter" {
		return p.field(n, "left")
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

func (p *rust) function(n, scope int32, attrs []int32, cond bool, in *implFor) {
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
		if c := p.child(p.field(name, "arguments"), 0); c >= 0 {
			p.b.Bind(lang.Alias, scope, p.text(c), p.b.Decl(d), p.line(c))
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
	if t := p.field(n, "return_type"); t >= 0 {
		p.b.Bind(lang.ReturnType, d, "", p.typ(t, d), p.line(t))
	} else {
		p.b.Bind(lang.ReturnType, d, "", p.external, p.line(n))
	}
	p.block(p.field(n, "body"), d)
	undo()
	p.vars, p.locals, p.test, p.assoc = vars, locals, test, invoked
}

// values reads the parameters of a function and tells whether it has no receiver.
func (p *rust) values(n, d int32, in *implFor) ([]lang.Param, bool) {
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
	for c := range p.children(p.field(n, "parameters")) {
		switch p.kind(c) {
		case "self_parameter":
			receiver()
		case "parameter":
			pat := p.field(c, "pattern")
			if pat >= 0 && p.kind(pat) == "self" {
				receiver()
				continue
			}
			q := lang.Param{Type: p.typ(p.field(c, "type"), d), Def: lang.None}
			if q.Type == p.unknown { // a type parameter without bounds
				q.Type = lang.None
			}
			if pat >= 0 && p.kind(pat) == "mut_pattern" {
				pat = p.first(pat, "identifier")
			}
			if pat >= 0 && p.kind(pat) == "identifier" {
				q.Name = p.text(pat)
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
func (p *rust) structure(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.b.Decl(d), nil
	undo := p.parameters(n, d, scope)
	p.numbered(n, p.field(n, "type_parameters"), p.self)
	body := p.field(n, "body")
	p.fields(body, d, "")
	for v := range p.children(body) {
		if p.kind(v) != "enum_variant" {
			continue
		}
		name := p.text(p.field(v, "name"))
		p.b.Bind(lang.Alias, d, name, p.self, p.line(v))
		p.fields(p.field(v, "body"), d, name+".")
		p.expr(p.field(v, "value"), scope)
	}
	undo()
	p.self, p.assoc = self, assoc
}

// fields binds the fields of a struct or variant. Their types are looked up around the class, whose own names are its
// fields and variants; what they mention, the class does.
func (p *rust) fields(body, d int32, prefix string) {
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
	for c := range p.children(body) {
		switch k := p.kind(c); {
		case k == "field_declaration":
			if t := p.field(c, "type"); t >= 0 {
				field(p.text(p.field(c, "name")), t)
			}
		case p.kind(body) == "ordered_field_declaration_list" && p.fieldName(c) == "type":
			field(itoa(i), c)
			i++
		}
	}
}

// trait reads a trait: a class that promises, whose methods are called where no more is known of a value.
func (p *rust) trait(n, scope int32, attrs []int32, cond bool) {
	d := p.declare(n, scope, lang.Class, attrs, cond, p.signatureEnd(n))
	p.b.Facts.Decls[d].Flags |= lang.Interface
	self, assoc := p.self, p.assoc
	p.self, p.assoc = p.b.Decl(d), map[string]int32{}
	undo := p.parameters(n, scope, scope)
	var bases []int32
	for c := range p.children(p.field(n, "bounds")) {
		if x := p.typ(c, scope); x != lang.None && x != p.external && x != p.unknown {
			bases = append(bases, x)
		}
	}
	p.b.Facts.Decls[d].Bases = bases
	in := &implFor{owner: p.self, trait: true}
	p.members(p.field(n, "body"), d, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// impl reads an impl block. Its methods belong to the type it is for.
func (p *rust) impl(n, scope int32, cond bool) {
	self, assoc := p.self, p.assoc
	undo := p.parameters(n, scope, scope)
	t := p.field(n, "type")
	p.self = lang.None
	if p.kind(t) == "generic_type" && !p.everyType(t) {
		refs := len(p.b.Facts.Refs)
		if head := p.typePath(p.field(t, "type"), scope, true); head != lang.None && head != p.external && head != p.unknown {
			p.numbered(n, p.field(t, "type_arguments"), head)
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
	if trait := p.field(n, "trait"); trait >= 0 {
		base := trait
		if p.kind(trait) == "generic_type" {
			base = p.field(trait, "type")
		}
		in.of = true
		name := p.text(p.lastName(base))
		x := p.typePath(base, scope, true)
		if base != trait {
			p.arguments(p.field(trait, "type_arguments"), scope)
		}
		if x != lang.None && !in.every && owner != lang.None && owner != p.external && owner != p.unknown {
			p.b.Set(lang.Extend, scope, owner, "", x, p.line(n))
		}
		for c := range p.children(p.field(n, "body")) {
			if name == "Deref" && !in.every && p.kind(c) == "type_item" { // the members of its target are lent to it
				p.b.Set(lang.Extend, scope, owner, "", p.instance(p.typ(p.field(c, "type"), scope)), p.line(c))
			}
		}
	}
	p.members(p.field(n, "body"), scope, scope, in)
	undo()
	p.self, p.assoc = self, assoc
}

// numbered makes the type parameters of an item, which are those named in list, the ones of a class by their place there.
func (p *rust) numbered(n, list, class int32) {
	own := map[string]bool{}
	for c := range p.children(p.field(n, "type_parameters")) {
		own[p.text(p.parameter(c))] = true
	}
	i := 0
	for c := range p.children(list) {
		if k := p.kind(c); k == "lifetime" || k == "lifetime_parameter" || k == "line_comment" || k == "block_comment" || k == "attribute_item" {
			continue
		}
		name := p.text(p.parameter(c))
		if x, ok := p.types[name]; ok && own[name] && name != "" {
			if x == p.unknown || x == p.external {
				x = lang.None
			}
			p.types[name] = typeParam(&p.b, class, i, x)
		}
		i++
	}
}

// parameter gives the name of a type parameter in a list of such, or of type arguments.
func (p *rust) parameter(n int32) int32 {
	switch p.kind(n) {
	case "type_identifier":
		return n
	case "constrained_type_parameter":
		return p.field(n, "left")
	case "optional_type_parameter", "type_parameter":
		return p.paramName(p.field(n, "name"))
	}
	return -1
}

// everyType tells whether a type is a type parameter or, where the methods of what is pointed to are not those of the
// pointer, a pointer to one or to a trait object.
func (p *rust) everyType(n int32) bool {
	for range 8 {
		switch p.kind(n) {
		case "type_identifier":
			_, param := p.types[p.text(n)]
			return param
		case "reference_type":
			n = p.field(n, "type")
			if p.kind(n) == "dynamic_type" {
				return true
			}
		case "generic_type":
			if last := p.text(p.lastName(n)); !rustHolders[last] || p.known[last] {
				return false
			}
			n = p.child(p.field(n, "type_arguments"), 0)
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
func (p *rust) heldBy(t, scope int32) map[string]int32 {
	for p.kind(t) == "reference_type" {
		t = p.field(t, "type")
	}
	if p.kind(t) != "generic_type" {
		return nil
	}
	fields := p.slots[p.text(p.lastName(p.field(t, "type")))]
	if len(fields) == 0 {
		return nil
	}
	var args []int32
	refs := len(p.b.Facts.Refs)
	for c := range p.children(p.field(t, "type_arguments")) {
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
func (p *rust) slot(n int32) {
	params := map[string]int{}
	for c := range p.children(p.field(n, "type_parameters")) {
		switch p.kind(c) {
		case "type_identifier":
			params[p.text(c)] = len(params)
		case "constrained_type_parameter":
			if l := p.field(c, "left"); p.kind(l) == "type_identifier" {
				params[p.text(l)] = len(params)
			}
		case "optional_type_parameter":
			params[p.text(p.paramName(p.field(c, "name")))] = len(params)
		}
	}
	if len(params) == 0 {
		return
	}
	note := func(field string, t int32) {
		for k := p.kind(t); k == "reference_type" || k == "generic_type"; k = p.kind(t) {
			if k == "reference_type" {
				t = p.field(t, "type")
				continue
			}
			if !rustHolders[p.text(p.lastName(t))] {
				return
			}
			t = p.first(p.field(t, "type_arguments"), "type_identifier", "generic_type", "reference_type")
		}
		if i, ok := params[p.text(t)]; ok {
			name := p.text(p.field(n, "name"))
			if p.slots[name] == nil {
				p.slots[name] = map[string]int{}
			}
			p.slots[name][field] = i
		}
	}
	i := 0
	for c := range p.children(p.field(n, "body")) {
		switch {
		case p.kind(c) == "field_declaration":
			note(p.text(p.field(c, "name")), p.field(c, "type"))
		case p.fieldName(c) == "type":
			note(itoa(i), c)
			i++
		}
	}
}

// members reads the functions, constants and types of a trait or impl block; d is the parent of the functions.
func (p *rust) members(body, d, scope int32, in *implFor) {
	for c := range p.children(body) {
		if k := p.kind(c); k == "type_item" || k == "associated_type" {
			x := p.typ(p.field(c, "type"), scope)
			if k == "associated_type" {
				x = p.typ(p.field(c, "bounds"), scope)
			}
			if x != lang.None {
				p.assoc[p.text(p.field(c, "name"))] = x
				if in.owner != p.external && in.owner != p.unknown && !in.every {
					p.b.Set(lang.Assign, scope, in.owner, p.text(p.field(c, "name")), x, p.line(c))
				}
			}
		}
	}
	var attrs []int32
	for c := range p.children(body) {
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
			t := p.typ(p.field(c, "type"), scope)
			x := p.expr(p.field(c, "value"), scope)
			if t != lang.None && t != p.external {
				x = p.instance(t)
			}
			if in.owner != p.external && in.owner != p.unknown && !in.every {
				p.b.Set(lang.Assign, scope, in.owner, p.text(p.field(c, "name")), x, p.line(c))
			}
		case "type_item", "associated_type":
		default:
			p.expr(c, scope)
		}
		attrs = nil
	}
}

// typeLabel gives the name of a type for the ids of its methods.
func (p *rust) typeLabel(n int32) string {
	for n >= 0 {
		next := int32(-1)
		switch p.kind(n) {
		case "type_identifier", "primitive_type", "identifier":
			return p.text(n)
		case "scoped_type_identifier", "generic_type":
			next = p.lastName(n)
		case "reference_type", "pointer_type":
			next = p.field(n, "type")
		case "dynamic_type", "abstract_type":
			next = p.field(n, "trait")
		case "array_type":
			return "[" + p.typeLabel(p.field(n, "element")) + "]"
		case "tuple_type":
			return "tuple"
		case "unit_type":
			return "unit"
		case "function_type":
			return "fn"
		case "bracketed_type", "bounded_type", "higher_ranked_trait_bound":
			next = p.child(n, 0)
		}
		n = next
	}
	return "impl"
}

// mod reads a module: its items, or the name of its file.
func (p *rust) mod(n, scope int32, attrs []int32) {
	name := p.text(p.field(n, "name"))
	body := p.field(n, "body")
	if body < 0 {
		dirs := p.inline[scope]
		said := strings.Join(append(dirs[:len(dirs):len(dirs)], name), "/")
		if a, ok := p.hasAttribute(attrs, "path"); ok {
			if s := p.first(p.field(a, "value"), "string_content"); s >= 0 {
				said = "=" + strings.Join(append(dirs[:len(dirs):len(dirs)], p.text(s)), "/")
			}
		}
		if name == "" || bytes.ContainsAny([]byte(said), " \n\t") {
			return
		}
		if len(p.said) < 4096 {
			p.said = append(p.said, said)
		}
		x := p.module("mod " + said)
		p.mods[modKey{scope, name}] = x
		p.b.Bind(lang.Bring, scope, name, x, p.line(n))
		return
	}
	d := p.declare(n, scope, lang.Namespace, attrs, false, p.rec[body].start)
	dirs := p.inline[scope]
	p.inline[d] = append(dirs[:len(dirs):len(dirs)], name)
	vars, locals := p.vars, p.locals
	p.vars, p.locals = map[string]int32{}, nil
	p.items(body, d, nil)
	p.vars, p.locals = vars, locals
}
