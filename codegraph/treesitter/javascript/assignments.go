package javascript

import (
	"bytes"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// assign reads an assignment; a function, class or object set on a member gets that name.
func (s *walker) assign(n int32) int32 {
	left, right := s.Field(n, "left"), s.Field(n, "right")
	if s.isExports(left) {
		return s.assignExports(n, right)
	}
	if !s.Is(left, "member_expression") {
		if s.Is(left, "identifier") {
			if x, ok := s.assignName(n, left, right); ok {
				return x
			}
		}
		x := s.value(right)
		s.bind(left, x)
		return x
	}
	obj := s.Field(left, "object")
	target, name := s.dotted(obj), s.Text(s.Field(left, "property"))
	if name == "prototype" && target != "" {
		return s.prototype(n, obj, right)
	}
	if s.isPrototype(obj) { // F.prototype.f = ...
		if class := s.Field(obj, "object"); s.dotted(class) != "" {
			if s.isFunction(right) {
				return s.B.Decl(s.protoMethod(right, n, name, class))
			}
			if name == "__proto__" {
				s.setBase(class, right, n)
				return lang.None
			}
			x := s.value(right)
			s.B.Set(lang.Assign, s.cur.decl, s.visit(class), name, x, s.Line(n))
			return x
		}
	}
	onExports := s.isExports(obj)
	holder := lang.None
	if !onExports {
		holder = s.visit(obj)
	}
	qualifier := target
	if onExports || strings.HasPrefix(target, "this") {
		qualifier = ""
	}
	x, ok := s.heldMember(right, n, name, qualifier, &receiver{x: holder, exp: onExports})
	if !ok {
		s.nameFunctions(s.unwrap(right), name)
		x = s.value(right)
	}
	switch {
	case x == lang.None && s.Is(obj, "this"):
		s.B.Set(lang.Assign, s.cur.decl, holder, name, s.Unknown(), s.Line(n)) // it has such a member from now on
	case x == lang.None:
	case onExports:
		if !s.exportsSet { // a module that exports members can be required as a whole, too
			s.exportsSet = true
			s.B.Bind(lang.Assign, lang.File, "exports", s.External(""), s.Line(n))
		}
		s.B.Bind(lang.Assign, lang.File, "exports."+name, x, s.Line(n))
	default:
		s.B.Set(lang.Assign, s.cur.decl, holder, name, x, s.Line(n))
	}
	return x
}

// heldMember reads a function, class or object that a member of an object holds and takes its name from; false when a value is
// none of these.
func (s *walker) heldMember(value, whole int32, name, qualifier string, this *receiver) (int32, bool) {
	r := s.unwrap(value)
	switch {
	case s.isFunction(r):
		s.castTypes(value, r)
		return s.B.Decl(s.method(r, whole, name, qualifier, this)), true
	case s.Is(r, "class"):
		d := s.class(r, whole, name, lang.Hidden)
		s.Declared(d).Qualifier = qualifier
		return s.B.Decl(d), true
	case s.Is(r, "object"):
		s.castTypes(value, r)
		return s.object(r, strings.TrimPrefix(qualifier+"."+name, "."), nil), true
	}
	return lang.None, false
}

// method is function for one that is set on an object, which is its "this".
func (s *walker) method(fn, whole int32, name, qualifier string, this *receiver) int32 {
	if path := strings.TrimPrefix(qualifier+"."+name, "."); s.isConstructor(fn, path) || s.isConstructor(fn, name) {
		return s.constructorClass(fn, whole, name, qualifier, lang.Hidden)
	}
	return s.functionOf(this, fn, whole, name, qualifier, lang.Hidden)
}

// assignName reads f = function() {}: the function gets the variable's name.
func (s *walker) assignName(n, left, right int32) (int32, bool) {
	r := s.unwrap(right)
	if !s.isFunction(r) && !s.Is(r, "class", "object") {
		return 0, false
	}
	name := s.Text(left)
	var x int32
	switch {
	case s.Is(r, "class"):
		x = s.B.Decl(s.class(r, n, name, lang.Hidden|s.conditional()))
	case s.Is(r, "object"):
		s.castTypes(right, r)
		at := lang.File
		if home, _ := s.find(name); home != nil {
			at = home.decl
		}
		x = s.object(r, name, &receiver{x: lang.None, lazy: s.bound(name), scope: at})
	default:
		s.castTypes(right, r)
		x = s.B.Decl(s.function(r, n, name, "", lang.Hidden|s.conditional()))
	}
	s.bind(left, x)
	return x, true
}

// assignExports reads module.exports = x.
func (s *walker) assignExports(n, right int32) int32 {
	r := s.unwrap(right)
	var x int32
	name := s.Text(s.Field(r, "name"))
	if name == "" {
		name = "exports"
	}
	switch {
	case s.isFunction(r):
		x = s.B.Decl(s.method(r, n, name, "", &receiver{x: lang.None}))
	case s.Is(r, "class"):
		x = s.B.Decl(s.class(r, n, name, lang.Hidden))
	case s.Is(r, "object"):
		x = s.object(r, "", &receiver{x: lang.None, exp: true})
	default:
		x = s.value(right)
	}
	s.B.Bind(lang.Assign, lang.File, "module.exports", x, s.Line(n))
	return x
}

// prototype reads F.prototype = { methods } or = Object.create(Base.prototype) or = new Base().
func (s *walker) prototype(n, class, right int32) int32 {
	if !s.Is(right, "object") {
		s.setBase(class, right, n)
		return lang.None
	}
	for c := range s.Children(right) {
		switch {
		case s.Is(c, "pair") && s.isFunction(s.Field(c, "value")):
			s.protoMethod(s.Field(c, "value"), c, s.key(s.Field(c, "key")), class)
		case s.Is(c, "method_definition"):
			s.protoMethod(c, c, s.key(s.Field(c, "name")), class)
		case s.Is(c, "pair"):
			name := s.key(s.Field(c, "key"))
			x := s.value(s.Field(c, "value"))
			if name != "constructor" && name != "" {
				s.B.Set(lang.Assign, s.cur.decl, s.visit(class), name, x, s.Line(c))
			}
		default:
			s.visit(c)
		}
	}
	return lang.None
}

// protoMethod declares a method that is set on the prototype of a function.
func (s *walker) protoMethod(fn, whole int32, name string, class int32) int32 {
	owner := s.Quiet(func() int32 { return s.visit(class) })
	this := s.Instance(owner)
	var flags lang.DeclFlag
	if s.Is(fn, "method_definition") {
		flags = s.methodFlags(fn)
	}
	d := s.functionOf(&receiver{x: this}, fn, whole, name, "", flags|lang.Hidden)
	s.Declared(d).Receiver, s.Declared(d).Owner = s.dotted(class), owner
	return d
}

// setBase gives the class at n a base that is said outside of it.
func (s *walker) setBase(class, base, at int32) {
	x := s.visit(base)
	if x != lang.None && s.isPrototype(base) || s.Is(base, "call_expression") && s.Op(x) == lang.OpInstance || // Object.create(Base.prototype)
		s.Is(base, "new_expression") && s.Op(x) == lang.OpCall {
		x = s.B.Facts.Exprs[x].X
	}
	s.B.Set(lang.Extend, s.cur.decl, s.visit(class), "", x, s.Line(at))
}

// bind gives a target a value.
func (s *walker) bind(n, x int32) {
	switch s.Kind(n) {
	case "identifier", "shorthand_property_identifier_pattern":
		x = s.OrUnknown(x)
		c, name := s.find(s.Text(n))
		at := lang.File
		if c != nil {
			at = c.decl
		}
		s.B.Bind(lang.Assign, at, name.name, x, s.Line(n))
	case "member_expression":
		s.B.Set(lang.Assign, s.cur.decl, s.visit(s.Field(n, "object")), s.Text(s.Field(n, "property")), x, s.Line(n))
	case "subscript_expression":
		i := s.Field(n, "index")
		s.visit(i)
		s.B.Set(lang.Store, s.cur.decl, s.visit(s.Field(n, "object")), s.constant(i), x, s.Line(n))
	case "object_pattern":
		for c := range s.Children(n) {
			switch s.Kind(c) {
			case "shorthand_property_identifier_pattern":
				s.bind(c, s.B.Of(lang.OpAttr, x, s.Text(c)))
			case "pair_pattern":
				part := lang.None
				if k := s.keyOf(s.Field(c, "key")); k != "" {
					part = s.B.Of(lang.OpAttr, x, k)
				}
				s.bind(s.Field(c, "value"), part)
			case "object_assignment_pattern":
				l := s.Field(c, "left")
				def := s.value(s.Field(c, "right"))
				s.bind(l, s.B.Any(s.B.Of(lang.OpAttr, x, s.Text(l)), def))
			case "rest_pattern":
				s.bind(s.Child(c, 0), x)
			}
		}
	case "array_pattern":
		i, at := 0, s.Start(n)
		for c := range s.Children(n) { // holes leave no node: the commas count
			i += bytes.Count(s.Src[at:s.Start(c)], []byte{','})
			at = s.End(c)
			if s.Is(c, "rest_pattern") {
				s.bind(s.Child(c, 0), x)
			} else {
				s.bind(c, s.B.Of(lang.OpIndex, x, strconv.Itoa(i)))
			}
		}
	case "assignment_pattern":
		def := s.value(s.Field(n, "right"))
		s.bind(s.Field(n, "left"), s.B.Any(x, def))
	case "rest_pattern", "parenthesized_expression", "non_null_expression":
		s.bind(s.Child(n, 0), x)
	}
}

// object reads an object literal; its methods are named after what holds it. Without a name for it, "this" of its methods is
// bound to one nobody can write.
func (s *walker) object(n int32, name string, this *receiver) int32 {
	fresh := this == nil
	if fresh {
		this = &receiver{x: lang.None, lazy: "\x00" + strconv.Itoa(int(n)), scope: s.cur.decl}
	}
	var args []lang.Arg
	put := func(k string, x int32) { args = append(args, lang.Arg{Name: k, X: x}) }
	for c := range s.Children(n) {
		switch s.Kind(c) {
		case "pair":
			k, v := s.keyOf(s.Field(c, "key")), s.Field(c, "value")
			x, ok := lang.None, false
			if k != "" {
				x, ok = s.heldMember(v, c, k, name, this)
			}
			if !ok {
				x = s.value(v)
			}
			put(k, x)
		case "method_definition":
			k, flags := s.keyOf(s.Field(c, "name")), s.methodFlags(c)
			d := s.functionOf(this, c, c, k, name, flags&^lang.Static|lang.Hidden)
			switch {
			case flags&lang.Property != 0:
				put(k, s.B.Call(s.B.Decl(d), nil))
			case s.isSetter(c):
			default:
				put(k, s.B.Decl(d))
			}
		case "shorthand_property_identifier":
			put(s.Text(c), s.visit(c))
		case "spread_element":
			args = append(args, lang.Arg{X: s.visit(s.Child(c, 0)), Spread: true})
		}
	}
	x := s.B.Many(lang.OpDict, args)
	if fresh && this.used {
		s.B.Bind(lang.Assign, this.scope, this.lazy, x, s.Line(n))
	}
	return x
}

func (s *walker) args(n int32) []lang.Arg {
	var args []lang.Arg
	for c := range s.Parts(n) {
		switch s.Kind(c) {
		case "spread_element":
			args = append(args, lang.Arg{X: s.value(s.Child(c, 0)), Spread: true})
		default:
			args = append(args, lang.Arg{X: s.value(c)})
		}
	}
	return args
}

// exportStatement reads "export ...".
func (s *walker) exportStatement(n int32) {
	src := s.constant(s.Field(n, "source"))
	rest := bytes.TrimSpace(bytes.TrimPrefix(s.Src[s.Start(n):s.End(n)], []byte("export")))
	isDefault := bytes.HasPrefix(rest, []byte("default"))
	file := s.cur.decl == lang.File
	add := func(name, as string) {
		s.Import(lang.Import{Scope: lang.File, Module: src, Name: name, As: as, Line: s.Line(n)})
	}
	if clause := s.First(n, "export_clause"); clause >= 0 {
		for c := range s.Of(clause, "export_specifier") {
			from := s.Field(c, "name")
			name := s.key(from)
			as := name
			if a := s.Field(c, "alias"); a >= 0 {
				as = s.key(a)
			}
			if src == "" {
				x := s.name(name)
				if _, is := s.find(name); is.kind == boundEntity || is.kind == boundImport {
					s.refAt(lang.Use, from, x, x, lang.None)
				}
				if !file {
					if as != name {
						s.B.Bind(lang.Assign, s.cur.decl, as, x, s.Line(n))
					}
					continue
				}
			}
			add(name, as)
		}
		return
	}
	if ns := s.First(n, "namespace_export"); ns >= 0 {
		add("*", s.Text(s.Child(ns, 0)))
		return
	}
	if src != "" {
		add("*", "")
		return
	}
	if bytes.HasPrefix(rest, []byte("as ")) { // export as namespace X
		return
	}
	for c := range s.Parts(n) {
		if !s.Is(c, "decorator") {
			s.exported(n, c, isDefault, bytes.HasPrefix(rest, []byte("=")))
		}
	}
}

// exported reads what an export statement declares or, for the default export and "export =", gives.
func (s *walker) exported(n, c int32, isDefault, assign bool) {
	before := int32(len(s.B.Facts.Decls))
	x := lang.None
	r := s.unwrap(c)
	switch {
	case !isDefault && !assign:
		x = s.visit(c)
	case s.isFunction(r) && s.Field(r, "name") < 0:
		s.castTypes(c, r)
		x = s.B.Decl(s.function(r, r, "default", "", lang.Hidden))
	case s.Is(r, "class") && s.Field(r, "name") < 0:
		s.castTypes(c, r)
		x = s.B.Decl(s.class(r, r, "default", lang.Hidden))
	case s.Is(r, "class"):
		x = s.B.Decl(s.class(r, r, s.Text(s.Field(r, "name")), 0))
	case s.Is(r, "object"):
		s.castTypes(c, r)
		x = s.object(r, "default", nil)
	default:
		s.nameFunctions(r, "default")
		x = s.value(c)
	}
	if d := before; int(d) < len(s.B.Facts.Decls) && s.Declared(d).Parent == s.cur.decl && s.Declared(d).Kind == lang.Class {
		s.decorators(n, d)
	}
	switch {
	case assign:
		s.B.Bind(lang.Assign, lang.File, "module.exports", x, s.Line(c))
	case isDefault && s.Is(r, "function_signature") && s.hasNextOverload(r, s.Text(s.Field(r, "name"))):
	case isDefault && s.cur.decl == lang.File:
		if s.Op(x) == lang.OpDecl {
			s.B.Facts.Decls[s.B.Facts.Exprs[x].Decl].Flags |= lang.DefaultExport
		}
		s.B.Bind(lang.Assign, lang.File, "default", x, s.Line(c))
	}
}
