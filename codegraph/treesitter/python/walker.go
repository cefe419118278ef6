package python

import (
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A walker turns the tree of one file into facts.
type walker struct {
	flow
}

func parse(t *core.Tree) *lang.Facts {
	t.IndexLines(t.Src)
	p := &walker{newFlow(t)}
	if len(t.Nodes) > 0 {
		p.visit(0, lang.File, false)
		p.prune()
	}
	return p.Facts("python")
}

func (p *walker) all(n, scope int32, cond bool) {
	for c := range p.Children(n) {
		p.visit(c, scope, cond)
	}
}

// visit records what a node does in a scope and gives the sketch of its value, or None.
func (p *walker) visit(n, scope int32, cond bool) int32 {
	if n < 0 {
		return lang.None
	}
	switch p.Kind(n) {
	case "function_definition":
		p.function(n, n, nil, scope, cond)
	case "class_definition":
		p.class(n, n, nil, scope, cond)
	case "decorated_definition":
		var decs []int32
		for c := range p.Children(n) {
			switch p.Kind(c) {
			case "decorator":
				decs = append(decs, c)
			case "function_definition":
				p.function(c, n, decs, scope, cond)
			case "class_definition":
				p.class(c, n, decs, scope, cond)
			}
		}
	case "if_statement":
		p.ifStatement(n, scope)
	case "try_statement":
		p.tryStatement(n, scope)
	case "match_statement":
		p.matchStatement(n, scope)
	case "while_statement":
		p.loop(n, func() {
			c := p.Field(n, "condition")
			p.value(c, scope)
			p.narrow(c, true, scope)
			p.visit(p.Field(n, "body"), scope, cond)
		})
		p.visit(p.Field(n, "alternative"), scope, cond)
	case "for_statement":
		right := p.value(p.Field(n, "right"), scope)
		p.iterate(p.Field(n, "right"), right, scope)
		p.loop(n, func() {
			p.bind(p.Field(n, "left"), p.B.Of(lang.OpElem, right, ""), scope)
			p.visit(p.Field(n, "body"), scope, cond)
		})
		p.visit(p.Field(n, "alternative"), scope, cond)
	case "with_item":
		v := p.Field(n, "value")
		if p.Kind(v) == "as_pattern" {
			x := p.value(p.Child(v, 0), scope)
			enter := lang.None
			if x != lang.None {
				enter = p.B.Any(p.B.Call(p.B.Of(lang.OpAttr, x, "__enter__"), nil), p.B.Call(p.B.Of(lang.OpAttr, x, "__aenter__"), nil), p.B.Of(lang.OpElem, x, ""))
			}
			p.bind(p.aliasTarget(v), enter, scope)
			break
		}
		return p.value(v, scope)
	case "import_statement", "future_import_statement":
		p.importModules(n, scope)
	case "import_from_statement":
		p.importFrom(n, scope)
	case "global_statement", "nonlocal_statement":
		to := lang.File
		if p.Kind(n) == "nonlocal_statement" && scope != lang.File {
			to = p.Declared(scope).Parent
		}
		if p.globals[scope] == nil {
			p.globals[scope] = map[string]int32{}
		}
		for c := range p.Children(n) {
			p.globals[scope][p.Text(c)] = to
		}
	case "return_statement":
		x := p.value(p.Child(n, 0), scope)
		if scope != lang.File {
			p.B.Bind(lang.Return, scope, "", x, p.Line(n))
		}
	case "raise_statement":
		for c := range p.Children(n) {
			k := p.Kind(c)
			if c == p.Field(n, "cause") || k != "identifier" && k != "attribute" {
				p.value(c, scope)
			} else if x := p.visit(c, scope, cond); x != lang.None { // raising a class makes an instance
				p.ref(lang.Call, n, c, scope, p.B.Call(x, nil), lang.None, lang.None)
			}
		}
	case "assert_statement":
		p.values(n, scope)
		p.narrow(p.Child(n, 0), true, scope)
	case "yield":
		x := p.value(p.Child(n, 0), scope)
		if scope != lang.File {
			if strings.HasPrefix(strings.TrimPrefix(string(p.Before(n, p.Child(n, 0))), "yield"), " from") {
				x = p.B.Of(lang.OpElem, x, "")
			}
			x = p.OrUnknown(x)
			p.B.Bind(lang.Yield, scope, "", x, p.Line(n))
		}
	case "assignment":
		return p.assignment(n, scope)
	case "augmented_assignment":
		x := p.value(p.Field(n, "right"), scope)
		left := p.Field(n, "left")
		if p.Kind(left) == "identifier" { // __all__ += [...], lists that grow
			p.forget(p.Text(left))
			p.bindName(left, x, scope)
		} else {
			p.value(left, scope)
			if left >= 0 && x != lang.None && !p.isConstant(x) && p.Kind(left) == "attribute" { // a list that grows
				p.B.Set(lang.Store, scope, p.visit(left, scope, false), "", p.B.Of(lang.OpElem, x, ""), p.Line(n))
			}
		}
	case "delete_statement":
		p.values(n, scope)
		p.forgetAll(p.targets(n))
	case "type_alias_statement":
		if name := p.Text(p.Child(n, 0)); name != "" {
			p.B.Bind(lang.Assign, p.scopeOf(scope, name), name, p.annotation(p.Child(n, 1), scope), p.Line(n))
		}
	case "named_expression":
		x := p.value(p.Field(n, "value"), scope)
		p.bind(p.Field(n, "name"), x, scope)
		return x
	case "parenthesized_expression", "await", "expression_statement":
		last := lang.None
		for c := range p.Children(n) {
			last = p.value(c, scope)
		}
		return last
	case "comment", "type":
	case "identifier":
		name := p.Text(n)
		if x, ok := p.env[name]; ok {
			return x
		}
		return p.B.Name(scope, name)
	case "attribute":
		if p.paths > 0 {
			if x, ok := p.env[p.path(n)]; ok {
				return x
			}
		}
		return p.B.Of(lang.OpAttr, p.value(p.Field(n, "object"), scope), p.Text(p.Field(n, "attribute")))
	case "call":
		return p.call(n, scope)
	case "subscript":
		if p.paths > 0 {
			if x, ok := p.env[p.path(n)]; ok {
				return x
			}
		}
		x := p.container(n, scope)
		subs, key := 0, int32(-1)
		for c := range p.Children(n) {
			if p.FieldName(c) == "subscript" {
				p.value(c, scope)
				subs, key = subs+1, c
			}
		}
		switch {
		case subs != 1 || x == lang.None:
			return p.B.Of(lang.OpIndex, x, "")
		case p.Kind(key) == "slice": // what it gives holds elements of x, or is whatever the object makes of it
			from, to := p.bounds(key)
			return p.B.Any(p.slice(x, from, to), p.B.Call(p.B.Of(lang.OpAttr, x, "__getitem__"), nil))
		}
		return p.B.Of(lang.OpIndex, x, p.constant(key))
	case "list", "tuple", "set", "expression_list":
		return p.B.Many(lang.OpList, p.args(n, scope))
	case "dictionary":
		var args []lang.Arg
		for c := range p.Children(n) {
			switch p.Kind(c) {
			case "pair":
				k := p.Field(c, "key")
				p.value(k, scope)
				args = append(args, lang.Arg{Name: p.constant(k), X: p.value(p.Field(c, "value"), scope)})
			case "dictionary_splat":
				args = append(args, lang.Arg{X: p.value(p.Child(c, 0), scope), Spread: true})
			}
		}
		return p.B.Many(lang.OpDict, args)
	case "list_comprehension", "set_comprehension", "generator_expression", "dictionary_comprehension":
		return p.comprehension(n, scope)
	case "lambda":
		return p.lambda(n, scope)
	case "conditional_expression":
		test := p.Child(n, 1)
		p.value(test, scope)
		env := p.snapshot()
		p.narrow(test, true, scope)
		a := p.value(p.Child(n, 0), scope)
		p.env = env
		env = p.snapshot()
		p.narrow(test, false, scope)
		b := p.value(p.Child(n, 2), scope)
		p.env = env
		return p.B.Any(a, b)
	case "binary_operator":
		return p.operation(n, scope)
	case "boolean_operator":
		left, right := p.Field(n, "left"), p.Field(n, "right")
		a := p.value(left, scope)
		env := p.snapshot()
		p.narrow(left, p.isAnd(left, right), scope)
		b := p.value(right, scope)
		p.env = env
		return p.B.Any(a, b)
	case "string", "concatenated_string":
		p.all(n, scope, cond)
		return p.textOf(n)
	case "integer", "float", "true", "false", "comparison_operator", "not_operator":
		p.values(n, scope)
		return p.External("")
	case "block", "module":
		p.all(n, scope, cond)
	default:
		for c := range p.Children(n) {
			p.valueIn(c, scope, cond)
		}
	}
	return lang.None
}

// value is visit for what is used as a value: a class or function that is mentioned so is referred to.
func (p *walker) value(n, scope int32) int32 { return p.valueIn(n, scope, false) }

func (p *walker) valueIn(n, scope int32, cond bool) int32 {
	x := p.visit(n, scope, cond)
	if p.Is(n, "identifier", "attribute") {
		p.mention(n, x, scope)
		if path := p.path(n); p.paths > 0 && path != "" { // whoever gets hold of a container may change it
			p.forgetElements(path)
		}
	}
	return x
}

func (p *walker) values(n, scope int32) {
	for c := range p.Children(n) {
		p.value(c, scope)
	}
}

func (p *walker) assignment(n, scope int32) int32 {
	left, right, typ := p.Field(n, "left"), p.Field(n, "right"), p.Field(n, "type")
	if typ >= 0 && strings.HasSuffix(p.Text(typ), "TypeAlias") || typ < 0 && right >= 0 && p.isType(right) {
		x := p.annotation(right, scope)
		p.bind(left, x, scope)
		return x
	}
	x := p.value(right, scope)
	if typ >= 0 {
		p.annotate(left, p.annotation(typ, scope), scope)
		if p.Kind(left) == "identifier" {
			p.forget(p.Text(left)) // the annotation tells more than any value
			p.bindName(left, x, scope)
			return x
		}
	}
	p.bind(left, x, scope)
	return x
}

// comprehension gives a container whose elements are all alike.
func (p *walker) comprehension(n, scope int32) int32 {
	body := p.Field(n, "body")
	env := p.snapshot()
	for c := range p.Children(n) {
		switch {
		case c == body:
		case p.Kind(c) == "for_in_clause":
			right := p.value(p.Field(c, "right"), scope)
			p.iterate(p.Field(c, "right"), right, scope)
			p.bind(p.Field(c, "left"), p.B.Of(lang.OpElem, right, ""), scope)
		case p.Kind(c) == "if_clause":
			p.values(c, scope)
			p.narrow(p.Child(c, 0), true, scope)
		default:
			p.value(c, scope)
		}
	}
	var x int32
	if p.Kind(body) == "pair" {
		p.value(p.Field(body, "key"), scope)
		x = p.value(p.Field(body, "value"), scope)
	} else {
		x = p.value(body, scope)
	}
	p.env = env
	return p.uniform(x)
}

// container gives what a subscript is applied to. Looking into a container changes nothing in it.
func (p *walker) container(n, scope int32) int32 {
	v := p.Field(n, "value")
	if p.Kind(v) == "identifier" {
		x := p.visit(v, scope, false)
		p.ref(lang.Use, v, v, scope, x, x, lang.None)
		return x
	}
	return p.value(v, scope)
}

// iterate records the calls that a loop over x makes. They have no name: a loop over something unknown is no open
// reference.
func (p *walker) iterate(n, x, scope int32) {
	if op := p.Op(x); x == lang.None || op == lang.OpList || op == lang.OpDict {
		return
	}
	it := p.B.Call(p.B.Of(lang.OpAttr, x, "__iter__"), nil)
	p.ref(lang.Call, n, n, scope, it, lang.None, lang.None)
	p.ref(lang.Call, n, n, scope, p.B.Call(p.B.Of(lang.OpAttr, it, "__next__"), nil), lang.None, lang.None)
}

// bind gives a target a value.
func (p *walker) bind(target, x, scope int32) {
	switch p.Kind(target) {
	case "identifier":
		p.bindName(target, x, scope)
		p.hold(p.Text(target), x, scope)
	case "attribute":
		p.forgetPath(p.path(target))
		p.B.Set(lang.Assign, scope, p.value(p.Field(target, "object"), scope), p.Text(p.Field(target, "attribute")), x, p.Line(target))
	case "subscript":
		sub := p.Field(target, "subscript")
		p.value(sub, scope)
		p.B.Set(lang.Store, scope, p.container(target, scope), p.constant(sub), x, p.Line(target))
		if path := p.path(target); path != "" {
			p.setElement(path, x)
		} else {
			p.forgetElements(p.path(p.Field(target, "value")))
		}
	case "pattern_list", "tuple_pattern", "list_pattern", "tuple", "list", "expression_list":
		parts := slices.Collect(p.Parts(target))
		star := len(parts)
		for i, c := range parts {
			switch k := p.Kind(c); {
			case k == "list_splat_pattern" || k == "list_splat":
				star = i
				p.bind(p.Child(c, 0), p.slice(x, i, i+1-len(parts)), scope)
			case i > star:
				p.bind(c, p.B.Of(lang.OpIndex, x, "-"+strconv.Itoa(len(parts)-i)), scope)
			default:
				p.bind(c, p.B.Of(lang.OpIndex, x, strconv.Itoa(i)), scope)
			}
		}
	case "parenthesized_expression":
		p.bind(p.Child(target, 0), x, scope)
	}
}

// bindName adds the binding of a name.
func (p *walker) bindName(n, x, scope int32) {
	name := p.Text(n)
	p.B.Bind(lang.Assign, p.scopeOf(scope, name), name, p.OrUnknown(x), p.Line(n))
}

func (p *walker) annotate(target, typ, scope int32) {
	switch p.Kind(target) {
	case "identifier":
		p.B.Bind(lang.Annotate, p.scopeOf(scope, p.Text(target)), p.Text(target), typ, p.Line(target))
	case "attribute":
		p.B.Set(lang.Assign, scope, p.visit(p.Field(target, "object"), scope, false), p.Text(p.Field(target, "attribute")),
			p.Instance(typ), p.Line(target))
	}
}

// ref adds a reference whose place is the last name of its callee.
func (p *walker) ref(kind lang.RefKind, n, fn, scope, x, callee, decl int32) {
	at := fn
	if p.Is(fn, "attribute") {
		at = p.Field(fn, "attribute")
	}
	if at >= 0 {
		p.refAt(kind, p.Start(at), p.End(at), scope, x, callee, decl)
	}
}

func (p *walker) refAt(kind lang.RefKind, start, end, scope, x, callee, decl int32) {
	if x == lang.None || p.silent > 0 {
		return
	}
	p.RefAt(lang.Ref{Kind: kind, Scope: scope, X: x, Decl: decl, Name: p.B.LastName(callee)}, start, end)
}

// mention records that a name or an attribute is used as a value.
func (p *walker) mention(n, x, scope int32) { p.ref(lang.Use, n, n, scope, x, x, lang.None) }
