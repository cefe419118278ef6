package python

import (
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

func (p *walker) lambda(n, scope int32) int32 {
	d := p.B.Declare(lang.Decl{Kind: lang.Lambda, Parent: scope, Span: p.Span(p.Start(n), p.End(n))})
	params := p.params(p.Field(n, "parameters"), scope, false)
	p.Declared(d).Params = params
	p.newScope(func() { p.B.Bind(lang.Return, d, "", p.value(p.Field(n, "body"), d), p.Line(n)) })
	return p.B.Decl(d)
}

// params reads parameters. Defaults and annotations are looked up in the scope around the function.
func (p *walker) params(n, scope int32, receiver bool) []lang.Param {
	var out []lang.Param
	named := false
	for c := range p.Children(n) {
		q := core.Param("")
		name := c
		switch p.Kind(c) {
		case "default_parameter", "typed_default_parameter":
			name = p.Field(c, "name")
			q.Type = p.annotation(p.Field(c, "type"), scope)
			q.Def = p.value(p.Field(c, "value"), scope)
		case "typed_parameter":
			name = p.Child(c, 0)
			q.Type = p.annotation(p.Field(c, "type"), scope)
		case "identifier", "list_splat_pattern", "dictionary_splat_pattern":
		case "keyword_separator":
			named = true
			continue
		default:
			continue
		}
		switch k := p.Kind(name); {
		case k == "list_splat_pattern":
			q.Kind, name, named = lang.Rest, p.Child(name, 0), true
			if q.Type == lang.None {
				q.Def = p.List(lang.OpList)
			}
		case k == "dictionary_splat_pattern":
			q.Kind, name = lang.RestNamed, p.Child(name, 0)
			if q.Type == lang.None {
				q.Def = p.List(lang.OpDict)
			}
		case named:
			q.Kind = lang.Named
		case receiver && len(out) == 0:
			q.Kind = lang.Receiver
		}
		q.Name = p.Text(name)
		out = append(out, q)
	}
	return out
}

func (p *walker) declare(n, whole int32, kind lang.DeclKind, scope int32, cond bool) int32 {
	name := p.Field(n, "name")
	d := lang.Decl{Name: p.Text(name), Kind: kind, Parent: scope, Span: p.Span(p.Start(whole), p.End(n))}
	if name >= 0 {
		d.NameLine = p.Line(name)
	}
	if cond {
		d.Flags |= lang.Conditional
	}
	d.Signature, d.Body = p.header(n)
	return p.B.Declare(d)
}

const maxDecorators = 16 // decorators of one declaration through which its value is followed

func (p *walker) decorators(d int32, decs []int32, scope int32) {
	var list []int32
	for _, n := range decs {
		c := p.Child(n, 0)
		x := p.visit(c, scope, false)
		if x == lang.None {
			continue
		}
		list = append(list, x)
		callee := x
		if p.Op(x) == lang.OpCall { // @f(...): what f gives is called
			callee = lang.None
		}
		decl := p.Declared(d)
		switch name := p.B.LastName(x); name {
		case "property", "cached_property", "getter", "abstractproperty", "lazy_property":
			decl.Flags |= lang.Property
		case "setter", "deleter": // the name stays the getter's
			decl.Flags |= lang.Property | lang.Hidden
		case "overload":
			decl.Flags |= lang.Stub
		case "staticmethod", "abstractstaticmethod":
			decl.Flags |= lang.Static
		case "classmethod", "abstractclassmethod":
			decl.Flags |= lang.ClassMethod
		}
		inner := lang.Expr{Op: lang.OpDecl, X: x, Scope: lang.File, Decl: d}
		if len(decs) > maxDecorators {
			inner.X = lang.None
		}
		given := p.B.Expr(inner)
		p.ref(lang.Decorator, n, c, scope, x, callee, given)
	}
	p.Declared(d).Decorated = list
}

func (p *walker) function(n, whole int32, decs []int32, scope int32, cond bool) {
	d := p.declare(n, whole, lang.Function, scope, cond)
	p.decorators(d, decs, scope)
	method := p.In(scope, lang.Class)
	decl := p.Declared(d)
	if method && decl.Name == "__new__" || decl.Name == "__init_subclass__" || decl.Name == "__class_getitem__" {
		decl.Flags |= lang.ClassMethod
	}
	refs := len(p.B.Facts.Refs)
	params := p.params(p.Field(n, "parameters"), scope, method && decl.Flags&lang.Static == 0)
	p.Declared(d).Params = params
	p.forget(decl.Name)
	if t := p.Field(n, "return_type"); t >= 0 {
		x := p.annotation(t, scope)
		if x != lang.None && strings.Contains(p.Text(t), "Callable") { // which function may be returned, the body says
			x = p.B.Any(x, p.External(""))
		}
		p.B.Bind(lang.ReturnType, d, "", x, p.Line(t))
	}
	p.adoptMentions(d, refs)
	p.newScope(func() {
		for i, q := range params {
			if q.Type == lang.None {
				continue
			}
			p.typed[q.Name] = true
			if q.Kind == lang.Rest || q.Kind == lang.RestNamed { // the annotation is that of each argument
				p.B.Bind(lang.Annotate, d, q.Name, p.uniform(p.Instance(q.Type)), p.Line(n))
				p.Declared(d).Params[i].Type = lang.None
			}
		}
		p.visit(p.Field(n, "body"), d, false)
	})
}

// adoptMentions makes the mentions in the head of a declaration its own, from a reference on. Calls there run around it.
func (p *walker) adoptMentions(d int32, from int) {
	for i := from; i < len(p.B.Facts.Refs); i++ {
		if r := &p.B.Facts.Refs[i]; r.Kind == lang.Use {
			r.Scope = d
		}
	}
}

func (p *walker) class(n, whole int32, decs []int32, scope int32, cond bool) {
	d := p.declare(n, whole, lang.Class, scope, cond)
	p.decorators(d, decs, scope)
	var bases []int32
	enum, refs := false, len(p.B.Facts.Refs)
	for c := range p.Parts(p.Field(n, "superclasses")) {
		switch p.Kind(c) {
		case "keyword_argument":
			p.value(p.Field(c, "value"), scope)
			continue
		case "subscript": // Generic[T], Base[int]
			for a := range p.Children(c) {
				if p.FieldName(a) == "subscript" {
					p.annotation(a, scope)
				}
			}
			c = p.Field(c, "value")
		case "list_splat", "dictionary_splat":
			p.values(c, scope)
			continue
		}
		if x := p.visit(c, scope, false); x != lang.None {
			bases = append(bases, x)
			enum = enum || enumBases[p.B.LastName(x)]
		}
	}
	p.Declared(d).Bases = bases
	p.adoptMentions(d, refs)
	p.forget(p.Declared(d).Name)
	first := len(p.B.Facts.Bindings)
	p.newScope(func() { p.visit(p.Field(n, "body"), d, false) })
	if enum { // members are instances of their class
		for i := first; i < len(p.B.Facts.Bindings); i++ {
			if b := &p.B.Facts.Bindings[i]; b.Scope == d && b.Kind == lang.Assign && b.Target == lang.None && !strings.HasPrefix(b.Name, "_") {
				b.Value = p.Instance(p.B.Decl(d))
			}
		}
	}
}

var enumBases = core.Words("Enum IntEnum StrEnum Flag IntFlag")

func (p *walker) importModules(n, scope int32) {
	for c := range p.Children(n) {
		m := lang.Import{Scope: scope, Line: p.Line(n)}
		switch p.Kind(c) {
		case "dotted_name":
			m.Module = p.Text(c)
			m.Alias, _, m.Dotted = strings.Cut(m.Module, ".")
		case "aliased_import":
			m.Module, m.Alias = p.Text(p.Field(c, "name")), p.Text(p.Field(c, "alias"))
		default:
			continue
		}
		p.forget(m.Alias)
		p.Import(m)
	}
}

func (p *walker) importFrom(n, scope int32) {
	from := p.Field(n, "module_name")
	if from < 0 {
		return
	}
	m := lang.Import{Scope: scope, Line: p.Line(n), Module: p.Text(from)}
	if p.Kind(from) == "relative_import" {
		m.Module = p.Text(p.First(from, "dotted_name"))
		m.Level = int32(strings.Count(p.Text(p.First(from, "import_prefix")), "."))
	}
	for c := range p.Children(n) {
		if c == from {
			continue
		}
		m.Line = p.Line(c)
		switch p.Kind(c) {
		case "wildcard_import":
			m.Name, m.Alias = "*", ""
		case "dotted_name":
			m.Name = p.Text(c)
			m.Alias = m.Name
		case "aliased_import":
			m.Name, m.Alias = p.Text(p.Field(c, "name")), p.Text(p.Field(c, "alias"))
		default:
			continue
		}
		p.forget(m.Alias)
		p.Import(m)
	}
}
