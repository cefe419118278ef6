package lang

import "strings"

// A Builder gathers facts. The zero value is ready; it is used by one goroutine.
type Builder struct {
	Facts Facts

	known map[simple]int32 // expressions that may stand for equal ones
	names map[string]string
}

// simple is all that there is to an expression without arguments.
type simple struct {
	op             Op
	x, decl, scope int32
	name           string
}

// Expr adds an expression and gives its index. Equal expressions without arguments are one, so that an expression is not
// to be changed afterwards; containers are each their own, for what is put into them later.
func (b *Builder) Expr(e Expr) int32 {
	i := int32(len(b.Facts.Exprs))
	if len(e.Args) == 0 && e.Op != OpList && e.Op != OpTuple && e.Op != OpDict {
		k := simple{e.Op, e.X, e.Decl, e.Scope, e.Name}
		if have, ok := b.known[k]; ok {
			return have
		}
		if b.known == nil {
			b.known = map[simple]int32{}
		}
		e.Name = b.text(e.Name)
		k.name = e.Name
		b.known[k] = i
	} else {
		e.Name = b.text(e.Name)
	}
	b.Facts.Exprs = append(b.Facts.Exprs, e)
	return i
}

// text gives a copy of a string, one for all equal ones: a name is mostly cut from a source that is not kept.
func (b *Builder) text(s string) string {
	if s == "" {
		return ""
	}
	if have, ok := b.names[s]; ok {
		return have
	}
	if b.names == nil {
		b.names = map[string]string{}
	}
	s = strings.Clone(s)
	b.names[s] = s
	return s
}

// Name adds a name looked up from scope.
func (b *Builder) Name(scope int32, name string) int32 {
	return b.Expr(Expr{Op: OpName, X: None, Scope: scope, Name: name})
}

// Of adds an operation on one operand; without an operand there is no result.
func (b *Builder) Of(op Op, x int32, name string) int32 {
	if x == None {
		return None
	}
	return b.Expr(Expr{Op: op, X: x, Scope: File, Name: name})
}

// Call adds a call; a call of something unknown keeps its arguments.
func (b *Builder) Call(x int32, args []Arg) int32 {
	if x == None {
		x = b.Expr(Expr{Op: OpUnknown, X: None, Scope: File})
	}
	return b.Expr(Expr{Op: OpCall, X: x, Scope: File, Args: args})
}

// Many adds a list, a mapping or a choice. A choice of one is that one.
func (b *Builder) Many(op Op, args []Arg) int32 {
	if op == OpAny {
		var known []Arg
		for _, a := range args {
			if a.X != None {
				known = append(known, a)
			}
		}
		switch len(known) {
		case 0:
			return None
		case 1:
			return known[0].X
		}
		args = known
	}
	return b.Expr(Expr{Op: op, X: None, Scope: File, Args: args})
}

// Any adds a choice.
func (b *Builder) Any(xs ...int32) int32 {
	args := make([]Arg, len(xs))
	for i, x := range xs {
		args[i].X = x
	}
	return b.Many(OpAny, args)
}

// Leaf adds an operation without operand.
func (b *Builder) Leaf(op Op, scope int32, name string) int32 {
	return b.Expr(Expr{Op: op, X: None, Scope: scope, Name: name})
}

// Decl adds the value of a declaration.
func (b *Builder) Decl(d int32) int32 {
	return b.Expr(Expr{Op: OpDecl, X: None, Scope: File, Decl: d})
}

// Declare adds a declaration and gives its index. Elem and Owner are set afterwards, on the declaration in Facts.
func (b *Builder) Declare(d Decl) int32 {
	d.Elem, d.Owner = None, None
	d.Body = min(max(d.Body, d.Span.Start), d.Span.End)
	b.Facts.Decls = append(b.Facts.Decls, d)
	return int32(len(b.Facts.Decls) - 1)
}

// Bind adds a binding of a name.
func (b *Builder) Bind(kind BindKind, scope int32, name string, value, line int32) {
	if value == None && kind != Yield {
		return
	}
	b.Facts.Bindings = append(b.Facts.Bindings, Binding{Kind: kind, Scope: scope, Name: b.text(name), Target: None, Value: value, Line: line})
}

// Set adds a binding of an attribute (Assign) or an element (Store) of target.
func (b *Builder) Set(kind BindKind, scope, target int32, name string, value, line int32) {
	if value == None || target == None {
		return
	}
	b.Facts.Bindings = append(b.Facts.Bindings, Binding{Kind: kind, Scope: scope, Name: b.text(name), Target: target, Value: value, Line: line})
}

// LastName gives the name of a name or a variable, the attribute of an attribute, and "" for others.
func (b *Builder) LastName(x int32) string {
	if x == None {
		return ""
	}
	if e := &b.Facts.Exprs[x]; e.Op == OpName || e.Op == OpAttr || e.Op == OpHeld {
		return e.Name
	}
	return ""
}

// OneLine joins the words of a text by single spaces, for signatures. At most 400 bytes are kept.
func OneLine(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	if len(s) > 400 {
		s = strings.ToValidUTF8(s[:397], "") + "..."
	}
	return s
}
