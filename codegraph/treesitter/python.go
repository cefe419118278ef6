package treesitter

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A python walks one tree.
type python struct {
	*tree
	b       lang.Builder
	globals map[int32]map[string]int32 // names declared global or nonlocal, with the scope they are bound in
}

func parsePython(t *tree) *lang.Facts {
	t.index()
	p := &python{tree: t, globals: map[int32]map[string]int32{}}
	if len(t.rec) > 0 {
		p.visit(0, lang.File, false)
	}
	p.b.Facts.Lang, p.b.Facts.Lines, p.b.Facts.Errors = "python", t.lineCount(), t.errors
	return &p.b.Facts
}

func (p *python) all(n, scope int32, cond bool) {
	for c := range p.children(n) {
		p.visit(c, scope, cond)
	}
}

func (p *python) line(n int32) int32 {
	l, _ := p.place(p.rec[n].start)
	return l
}

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (p *python) visit(n, scope int32, cond bool) int32 {
	if n < 0 {
		return lang.None
	}
	switch p.kind(n) {
	case "function_definition":
		p.function(n, n, nil, scope, cond)
	case "class_definition":
		p.class(n, n, nil, scope, cond)
	case "decorated_definition":
		var decs []int32
		for c := range p.children(n) {
			switch p.kind(c) {
			case "decorator":
				decs = append(decs, c)
			case "function_definition":
				p.function(c, n, decs, scope, cond)
			case "class_definition":
				p.class(c, n, decs, scope, cond)
			}
		}
	case "if_statement", "try_statement", "match_statement":
		p.all(n, scope, true)
	case "for_statement":
		right := p.visit(p.field(n, "right"), scope, cond)
		p.iterate(p.field(n, "right"), right, scope)
		p.bind(p.field(n, "left"), p.b.Of(lang.OpElem, right, ""), scope)
		p.visit(p.field(n, "body"), scope, cond)
		p.visit(p.field(n, "alternative"), scope, cond)
	case "with_item":
		v := p.field(n, "value")
		if v < 0 {
			v = p.child(n, 0)
		}
		if v >= 0 && p.kind(v) == "as_pattern" {
			x := p.visit(p.child(v, 0), scope, cond)
			enter := lang.None
			if x != lang.None {
				enter = p.b.Any(p.b.Call(p.b.Of(lang.OpAttr, x, "__enter__"), nil), p.b.Of(lang.OpElem, x, ""))
			}
			p.bind(p.asTarget(v), enter, scope)
			break
		}
		return p.visit(v, scope, cond)
	case "except_clause", "except_group_clause":
		for c := range p.children(n) {
			if p.kind(c) == "as_pattern" {
				x := p.visit(p.child(c, 0), scope, cond)
				p.bind(p.asTarget(c), p.instance(x), scope)
				continue
			}
			p.visit(c, scope, true)
		}
	case "import_statement", "future_import_statement":
		p.importModules(n, scope)
	case "import_from_statement":
		p.importFrom(n, scope)
	case "global_statement", "nonlocal_statement":
		to := lang.File
		if p.kind(n) == "nonlocal_statement" && scope != lang.File {
			to = p.b.Facts.Decls[scope].Parent
		}
		for c := range p.children(n) {
			if p.globals[scope] == nil {
				p.globals[scope] = map[string]int32{}
			}
			p.globals[scope][p.text(c)] = to
		}
	case "return_statement":
		x := p.visit(p.child(n, 0), scope, cond)
		if scope != lang.File {
			p.b.Bind(lang.Return, scope, "", x, p.line(n))
		}
	case "raise_statement":
		for c := range p.children(n) {
			x := p.visit(c, scope, cond)
			if k := p.kind(c); x != lang.None && (k == "identifier" || k == "attribute") { // raising a class makes an instance
				p.ref(lang.Call, n, c, scope, p.b.Call(x, nil), lang.None, lang.None)
			}
		}
	case "yield":
		x := p.visit(p.child(n, 0), scope, cond)
		if scope != lang.File {
			if strings.HasPrefix(strings.TrimPrefix(string(p.before(n, p.child(n, 0))), "yield"), " from") {
				x = p.b.Of(lang.OpElem, x, "")
			}
			if x == lang.None {
				x = p.b.Leaf(lang.OpUnknown, lang.File, "")
			}
			p.b.Bind(lang.Yield, scope, "", x, p.line(n))
		}
	case "assignment":
		x := p.visit(p.field(n, "right"), scope, cond)
		left := p.field(n, "left")
		if typ := p.field(n, "type"); typ >= 0 {
			p.annotate(left, p.typ(typ, scope), scope)
		}
		p.bind(left, x, scope)
		return x
	case "augmented_assignment":
		x := p.visit(p.field(n, "right"), scope, cond)
		left := p.field(n, "left")
		if left >= 0 && p.kind(left) == "identifier" { // __all__ += [...], lists that grow
			p.bind(left, x, scope)
		} else {
			p.visit(left, scope, cond)
		}
	case "named_expression":
		x := p.visit(p.field(n, "value"), scope, cond)
		p.bind(p.field(n, "name"), x, scope)
		return x
	case "expression_statement", "parenthesized_expression", "await":
		last := lang.None
		for c := range p.children(n) {
			last = p.visit(c, scope, cond)
		}
		return last
	case "comment", "type":
	case "identifier":
		return p.b.Name(scope, p.text(n))
	case "attribute":
		return p.b.Of(lang.OpAttr, p.visit(p.field(n, "object"), scope, cond), p.text(p.field(n, "attribute")))
	case "call":
		return p.call(n, scope)
	case "subscript":
		x := p.visit(p.field(n, "value"), scope, cond)
		sub := p.field(n, "subscript")
		p.visit(sub, scope, cond)
		return p.b.Of(lang.OpIndex, x, p.constant(sub))
	case "list", "tuple", "set", "expression_list":
		return p.b.Many(lang.OpList, p.args(n, scope))
	case "dictionary":
		var args []lang.Arg
		for c := range p.children(n) {
			switch p.kind(c) {
			case "pair":
				k := p.field(c, "key")
				p.visit(k, scope, cond)
				args = append(args, lang.Arg{Name: p.constant(k), X: p.visit(p.field(c, "value"), scope, cond)})
			case "dictionary_splat":
				args = append(args, lang.Arg{X: p.visit(p.child(c, 0), scope, cond), Spread: true})
			}
		}
		return p.b.Many(lang.OpDict, args)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		body := p.field(n, "body")
		for c := range p.children(n) {
			if c != body {
				p.visit(c, scope, cond)
			}
		}
		var x int32
		if body >= 0 && p.kind(body) == "pair" {
			p.visit(p.field(body, "key"), scope, cond)
			x = p.visit(p.field(body, "value"), scope, cond)
		} else {
			x = p.visit(body, scope, cond)
		}
		return p.b.Many(lang.OpDict, []lang.Arg{{X: x}})
	case "for_in_clause":
		right := p.visit(p.field(n, "right"), scope, cond)
		p.iterate(p.field(n, "right"), right, scope)
		p.bind(p.field(n, "left"), p.b.Of(lang.OpElem, right, ""), scope)
	case "lambda":
		return p.lambda(n, scope)
	case "conditional_expression":
		a := p.visit(p.child(n, 0), scope, cond)
		p.visit(p.child(n, 1), scope, cond)
		return p.b.Any(a, p.visit(p.child(n, 2), scope, cond))
	case "boolean_operator":
		a := p.visit(p.field(n, "left"), scope, cond)
		return p.b.Any(a, p.visit(p.field(n, "right"), scope, cond))
	case "string", "concatenated_string":
		p.all(n, scope, cond)
		return p.b.Leaf(lang.OpString, lang.File, p.constant(n))
	case "integer", "float", "true", "false", "comparison_operator", "not_operator":
		p.all(n, scope, cond)
		return p.b.Leaf(lang.OpExternal, lang.File, "")
	default:
		p.all(n, scope, cond)
	}
	return lang.None
}

// iterate records the calls that a loop over x makes. They have no name: a loop over something unknown is no open
// reference.
func (p *python) iterate(n, x, scope int32) {
	if x == lang.None || p.b.Facts.Exprs[x].Op == lang.OpList || p.b.Facts.Exprs[x].Op == lang.OpDict {
		return
	}
	it := p.b.Call(p.b.Of(lang.OpAttr, x, "__iter__"), nil)
	p.ref(lang.Call, n, n, scope, it, lang.None, lang.None)
	p.ref(lang.Call, n, n, scope, p.b.Call(p.b.Of(lang.OpAttr, it, "__next__"), nil), lang.None, lang.None)
}

func (p *python) instance(x int32) int32 {
	if x == lang.None {
		return x
	}
	if e := &p.b.Facts.Exprs[x]; e.Op == lang.OpList { // except (A, B) as e
		var xs []int32
		for _, a := range e.Args {
			xs = append(xs, p.b.Of(lang.OpInstance, a.X, ""))
		}
		return p.b.Any(xs...)
	}
	return p.b.Of(lang.OpInstance, x, "")
}

func (p *python) asTarget(n int32) int32 {
	t := p.field(n, "alias")
	if t >= 0 && p.kind(t) == "as_pattern_target" {
		t = p.child(t, 0)
	}
	return t
}

// constant gives the text of a constant key, "" when it is none.
func (p *python) constant(n int32) string {
	if n < 0 {
		return ""
	}
	switch p.kind(n) {
	case "integer":
		return p.text(n)
	case "unary_operator":
		if s := p.text(n); strings.HasPrefix(s, "-") && strings.Trim(s[1:], "0123456789") == "" {
			return s
		}
	case "string":
		if p.first(n, "interpolation") >= 0 {
			return ""
		}
		s := strings.TrimLeft(p.text(n), "rRbBuUfF")
		for _, q := range []string{`"""`, "'''", `"`, "'"} {
			if len(s) >= 2*len(q) && strings.HasPrefix(s, q) && strings.HasSuffix(s, q) {
				if s = s[len(q) : len(s)-len(q)]; len(s) > 80 {
					return ""
				}
				return s
			}
		}
	}
	return ""
}

func (p *python) scopeOf(scope int32, name string) int32 {
	if to, ok := p.globals[scope][name]; ok {
		return to
	}
	return scope
}

// bind gives a target a value.
func (p *python) bind(target, x, scope int32) {
	if target < 0 {
		return
	}
	switch p.kind(target) {
	case "identifier":
		name := p.text(target)
		if x == lang.None {
			x = p.b.Leaf(lang.OpUnknown, lang.File, "")
		}
		p.b.Bind(lang.Assign, p.scopeOf(scope, name), name, x, p.line(target))
	case "attribute":
		p.b.Set(lang.Assign, scope, p.visit(p.field(target, "object"), scope, false), p.text(p.field(target, "attribute")), x, p.line(target))
	case "subscript":
		sub := p.field(target, "subscript")
		p.visit(sub, scope, false)
		p.b.Set(lang.Store, scope, p.visit(p.field(target, "value"), scope, false), p.constant(sub), x, p.line(target))
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		i, star := 0, false
		for c := range p.children(target) {
			if p.kind(c) == "comment" {
				continue
			}
			key := itoa(i)
			if p.kind(c) == "list_splat_pattern" || p.kind(c) == "list_splat" {
				star = true
				p.bind(p.child(c, 0), p.b.Many(lang.OpDict, []lang.Arg{{X: p.b.Of(lang.OpElem, x, "")}}), scope)
				i++
				continue
			}
			if star {
				key = ""
			}
			p.bind(c, p.b.Of(lang.OpIndex, x, key), scope)
			i++
		}
	case "parenthesized_expression":
		p.bind(p.child(target, 0), x, scope)
	}
}

func (p *python) annotate(target, typ, scope int32) {
	if target < 0 {
		return
	}
	switch p.kind(target) {
	case "identifier":
		p.b.Bind(lang.Annotate, p.scopeOf(scope, p.text(target)), p.text(target), typ, p.line(target))
	case "attribute":
		p.b.Set(lang.Assign, scope, p.visit(p.field(target, "object"), scope, false), p.text(p.field(target, "attribute")),
			p.b.Of(lang.OpInstance, typ, ""), p.line(target))
	}
}

// args gives the positional and named arguments, or the elements, that are the children of a node.
func (p *python) args(n, scope int32) []lang.Arg {
	var args []lang.Arg
	for c := range p.children(n) {
		switch p.kind(c) {
		case "comment":
		case "keyword_argument":
			args = append(args, lang.Arg{Name: p.text(p.field(c, "name")), X: p.visit(p.field(c, "value"), scope, false)})
		case "list_splat":
			args = append(args, lang.Arg{X: p.visit(p.child(c, 0), scope, false), Spread: true})
		case "dictionary_splat":
			args = append(args, lang.Arg{Name: "**", X: p.visit(p.child(c, 0), scope, false), Spread: true})
		default:
			args = append(args, lang.Arg{X: p.visit(c, scope, false)})
		}
	}
	return args
}

func (p *python) call(n, scope int32) int32 {
	fn, list := p.field(n, "function"), p.field(n, "arguments")
	var args []lang.Arg
	if list >= 0 && p.kind(list) == "generator_expression" {
		args = []lang.Arg{{X: p.visit(list, scope, false)}}
	} else if list >= 0 {
		args = p.args(list, scope)
	}
	if fn >= 0 && p.kind(fn) == "identifier" {
		switch name := p.text(fn); {
		case name == "super":
			return p.b.Leaf(lang.OpSuper, scope, "")
		case name == "type" && len(args) == 1:
			return p.b.Of(lang.OpAttr, args[0].X, "__class__")
		case name == "getattr" && len(args) >= 2 && args[1].X != lang.None:
			if e := p.b.Facts.Exprs[args[1].X]; e.Op == lang.OpString && e.Name != "" {
				return p.b.Of(lang.OpAttr, args[0].X, e.Name)
			}
		case (name == "next" || name == "iter") && len(args) > 0:
			if name == "next" {
				return p.b.Of(lang.OpElem, args[0].X, "")
			}
			return args[0].X
		}
	}
	callee := p.visit(fn, scope, false)
	if p.b.LastName(callee) == "import_module" && len(args) > 0 && args[0].X != lang.None {
		if e := p.b.Facts.Exprs[args[0].X]; e.Op == lang.OpString && e.Name != "" {
			p.ref(lang.Call, n, fn, scope, p.b.Call(callee, args), callee, lang.None)
			return p.b.Leaf(lang.OpModule, lang.File, e.Name)
		}
	}
	x := p.b.Call(callee, args)
	p.ref(lang.Call, n, fn, scope, x, callee, lang.None)
	return x
}

// ref adds a reference whose place is the last name of its callee.
func (p *python) ref(kind lang.RefKind, n, fn, scope, x, callee, decl int32) {
	at := fn
	if fn < 0 {
		at = n
	} else if p.kind(fn) == "attribute" {
		at = p.field(fn, "attribute")
	}
	if at < 0 || x == lang.None {
		return
	}
	s := p.span(p.rec[at].start, p.rec[at].end)
	p.b.Facts.Refs = append(p.b.Facts.Refs, lang.Ref{Kind: kind, Scope: scope, X: x, Decl: decl, Name: p.b.LastName(callee),
		Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol})
}

func (p *python) lambda(n, scope int32) int32 {
	r := p.rec[n]
	d := p.b.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: p.span(r.start, r.end)})
	params := p.params(p.field(n, "parameters"), scope, false)
	p.b.Facts.Decls[d].Params = params
	p.b.Bind(lang.Return, d, "", p.visit(p.field(n, "body"), d, false), p.line(n))
	return p.b.Decl(d)
}

// params reads parameters. Defaults and annotations are looked up in the scope around the function.
func (p *python) params(n, scope int32, receiver bool) []lang.Param {
	var out []lang.Param
	named := false
	for c := range p.children(n) {
		q := lang.Param{Type: lang.None, Def: lang.None}
		name := c
		switch p.kind(c) {
		case "identifier":
		case "default_parameter":
			name = p.field(c, "name")
			q.Def = p.visit(p.field(c, "value"), scope, false)
		case "typed_default_parameter":
			name = p.field(c, "name")
			q.Type = p.typ(p.field(c, "type"), scope)
			q.Def = p.visit(p.field(c, "value"), scope, false)
		case "typed_parameter":
			name = p.child(c, 0)
			q.Type = p.typ(p.field(c, "type"), scope)
		case "list_splat_pattern", "dictionary_splat_pattern":
		case "keyword_separator":
			named = true
			continue
		default:
			continue
		}
		if name >= 0 {
			switch p.kind(name) {
			case "list_splat_pattern":
				q.Kind, name, named = lang.Rest, p.child(name, 0), true
			case "dictionary_splat_pattern":
				q.Kind, name = lang.RestNamed, p.child(name, 0)
			default:
				if named {
					q.Kind = lang.Named
				} else if receiver && len(out) == 0 {
					q.Kind = lang.Receiver
				}
			}
		}
		q.Name = p.text(name)
		out = append(out, q)
	}
	return out
}

// header gives the signature of a definition and where it ends.
func (p *python) header(n int32) (string, int32) {
	end := p.rec[n].start
	for _, f := range []string{"name", "type_parameters", "parameters", "superclasses", "return_type"} {
		if c := p.field(n, f); c >= 0 {
			end = max(end, p.rec[c].end)
		}
	}
	sig := lang.OneLine(string(p.src[p.rec[n].start:end]))
	for end < p.rec[n].end && p.src[end] != '\n' {
		if end++; p.src[end-1] == ':' {
			break
		}
	}
	return sig, end
}

func (p *python) declare(n, whole int32, kind lang.DeclKind, scope int32, cond bool) int32 {
	name := p.field(n, "name")
	d := lang.Decl{Name: p.text(name), Kind: kind, Parent: scope, Span: p.span(p.rec[whole].start, p.rec[n].end)}
	if name >= 0 {
		d.NameLine = p.line(name)
	}
	if cond {
		d.Flags |= lang.Conditional
	}
	d.Signature, d.Body = p.header(n)
	return p.b.Declare(d)
}

func (p *python) decorators(d int32, decs []int32, scope int32) {
	var list []int32
	for _, n := range decs {
		c := p.child(n, 0)
		x := p.visit(c, scope, false)
		if x == lang.None {
			continue
		}
		list = append(list, x)
		callee, fn := x, c
		if e := &p.b.Facts.Exprs[x]; e.Op == lang.OpCall { // @f(...): what f gives is called
			callee = lang.None
		}
		decl := &p.b.Facts.Decls[d]
		switch name := p.b.LastName(x); name {
		case "property", "cached_property", "setter", "getter", "deleter", "abstractproperty", "lazy_property":
			decl.Flags |= lang.Property
		case "staticmethod", "abstractstaticmethod":
			decl.Flags |= lang.Static
		case "classmethod", "abstractclassmethod":
			decl.Flags |= lang.ClassMethod
		}
		p.ref(lang.Decorator, n, fn, scope, x, callee, p.b.Decl(d))
	}
	p.b.Facts.Decls[d].Decorated = list
}

func (p *python) function(n, whole int32, decs []int32, scope int32, cond bool) {
	d := p.declare(n, whole, lang.Function, scope, cond)
	p.decorators(d, decs, scope)
	method := scope != lang.File && p.b.Facts.Decls[scope].Kind == lang.Class
	decl := &p.b.Facts.Decls[d]
	if method && decl.Name == "__new__" || decl.Name == "__init_subclass__" || decl.Name == "__class_getitem__" {
		decl.Flags |= lang.ClassMethod
	}
	params := p.params(p.field(n, "parameters"), scope, method && decl.Flags&lang.Static == 0)
	p.b.Facts.Decls[d].Params = params
	if t := p.field(n, "return_type"); t >= 0 {
		p.b.Bind(lang.ReturnType, d, "", p.typ(t, scope), p.line(t))
	}
	p.visit(p.field(n, "body"), d, false)
}

func (p *python) class(n, whole int32, decs []int32, scope int32, cond bool) {
	d := p.declare(n, whole, lang.Class, scope, cond)
	p.decorators(d, decs, scope)
	var bases []int32
	for _, a := range p.args(p.field(n, "superclasses"), scope) {
		if a.Name == "" && a.X != lang.None && !a.Spread {
			if e := p.b.Facts.Exprs[a.X]; e.Op == lang.OpIndex && e.X != lang.None { // Generic[T], Base[int]
				a.X = e.X
			}
			bases = append(bases, a.X)
		}
	}
	p.b.Facts.Decls[d].Bases = bases
	p.visit(p.field(n, "body"), d, false)
}

func (p *python) importModules(n, scope int32) {
	for c := range p.children(n) {
		m := lang.Import{Scope: scope, Line: p.line(n)}
		switch p.kind(c) {
		case "dotted_name":
			m.Module = p.text(c)
			m.Alias, _, m.Dotted = strings.Cut(m.Module, ".")
		case "aliased_import":
			m.Module, m.Alias = p.text(p.field(c, "name")), p.text(p.field(c, "alias"))
		default:
			continue
		}
		p.b.Facts.Imports = append(p.b.Facts.Imports, m)
	}
}

func (p *python) importFrom(n, scope int32) {
	from := p.field(n, "module_name")
	if from < 0 {
		return
	}
	m := lang.Import{Scope: scope, Line: p.line(n), Module: p.text(from)}
	if p.kind(from) == "relative_import" {
		m.Module = p.text(p.first(from, "dotted_name"))
		m.Level = int32(strings.Count(p.text(p.first(from, "import_prefix")), "."))
	}
	for c := range p.children(n) {
		if c == from {
			continue
		}
		m.Line = p.line(c)
		switch p.kind(c) {
		case "wildcard_import":
			m.Name, m.Alias = "*", ""
		case "dotted_name":
			m.Name = p.text(c)
			m.Alias = m.Name
		case "aliased_import":
			m.Name, m.Alias = p.text(p.field(c, "name")), p.text(p.field(c, "alias"))
		default:
			continue
		}
		p.b.Facts.Imports = append(p.b.Facts.Imports, m)
	}
}
