package python

import (
	"maps"
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// ifStatement follows the ways of an if statement.
func (p *walker) ifStatement(n, scope int32) {
	var ways []map[string]int32
	way := func(body int32) {
		p.visit(body, scope, true)
		if !p.terminates(body) {
			ways = append(ways, p.env)
		}
	}
	tested := func(n int32) {
		test := p.Field(n, "condition")
		p.value(test, scope)
		before := p.snapshot()
		p.narrow(test, true, scope)
		way(p.Field(n, "consequence"))
		p.env = before
		p.narrow(test, false, scope)
	}
	tested(n)
	rest := true
	for c := range p.Children(n) {
		switch p.Kind(c) {
		case "elif_clause":
			tested(c)
		case "else_clause":
			rest = false
			way(p.Field(c, "body"))
		}
	}
	if rest {
		ways = append(ways, p.env)
	}
	p.env = p.meet(ways)
}

// tryStatement follows a try statement. Whatever it assigns may have been assigned or not where a handler begins.
func (p *walker) tryStatement(n, scope int32) {
	names := p.targets(n)
	before := p.snapshot()
	body, final := p.Field(n, "body"), int32(-1)
	p.visit(body, scope, true)
	end := body
	for c := range p.Children(n) {
		if p.Kind(c) == "else_clause" {
			p.visit(p.Field(c, "body"), scope, true)
			end = p.Field(c, "body")
		}
	}
	var ways []map[string]int32
	if !p.terminates(end) {
		ways = append(ways, p.env)
	}
	for c := range p.Children(n) {
		switch p.Kind(c) {
		case "except_clause", "except_group_clause":
			p.env = maps.Clone(before)
			p.forgetAll(names)
			var last int32
			for e := range p.Children(c) {
				last = e
				if p.Kind(e) == "as_pattern" {
					p.bind(p.aliasTarget(e), p.instance(p.value(p.Child(e, 0), scope)), scope)
				} else {
					p.valueIn(e, scope, true)
				}
			}
			if !p.terminates(last) {
				ways = append(ways, p.env)
			}
		case "finally_clause":
			final = c
		}
	}
	p.env = p.meet(ways)
	if final >= 0 {
		if len(ways) == 0 {
			p.env = before
			p.forgetAll(names)
		}
		p.visit(final, scope, true)
	}
}

// matchStatement follows a match statement. A pattern tells what the subject is.
func (p *walker) matchStatement(n, scope int32) {
	subject := p.Field(n, "subject")
	x := p.value(subject, scope)
	path := p.path(subject)
	before := p.env
	ways := []map[string]int32{before}
	for c := range p.Of(p.Field(n, "body"), "case_clause") {
		p.env = maps.Clone(before)
		for e := range p.Children(c) {
			switch p.Kind(e) {
			case "case_pattern":
				if shown := p.pattern(e, x, scope); shown != lang.None {
					p.refine(path, shown)
				}
			case "block":
				p.visit(e, scope, true)
				if !p.terminates(e) {
					ways = append(ways, p.env)
				}
			default:
				p.values(e, scope)
			}
		}
	}
	p.env = p.meet(ways)
}

// pattern binds the names of a pattern that x is matched with. It gives what the pattern shows x to be, or None.
func (p *walker) pattern(n, x, scope int32) int32 {
	switch p.Kind(n) {
	case "case_pattern":
		return p.pattern(p.Child(n, 0), x, scope)
	case "class_pattern":
		class := p.Child(n, 0)
		c := p.dotted(class, scope)
		p.mention(class, c, scope)
		is := p.Instance(c)
		for a := range p.Children(n) {
			if a == class {
				continue
			}
			of := lang.None // what a positional pattern is matched with is not known
			if k := p.Child(a, 0); p.Is(k, "keyword_pattern") || p.Is(p.Child(p.Child(k, 0), 0), "keyword_pattern") {
				of = is
			}
			p.pattern(a, of, scope)
		}
		return is
	case "keyword_pattern": // x is the object whose attribute is matched
		return p.pattern(p.Child(n, 1), p.B.Of(lang.OpAttr, x, p.Text(p.Child(n, 0))), scope)
	case "as_pattern":
		inner := p.Child(n, 0)
		if k := p.Child(inner, 0); p.Is(k, "keyword_pattern") {
			x = p.B.Of(lang.OpAttr, x, p.Text(p.Child(k, 0)))
			inner = p.Child(k, 1)
		}
		is := p.pattern(inner, x, scope)
		if is == lang.None {
			is = x
		}
		p.bind(p.Child(n, 1), is, scope)
		return is
	case "dotted_name":
		if p.Child(n, 1) < 0 {
			p.bind(p.Child(n, 0), x, scope)
		} else {
			p.mention(n, p.dotted(n, scope), scope)
		}
	case "list_pattern", "tuple_pattern":
		i := 0
		for c := range p.Children(n) {
			p.pattern(c, p.B.Of(lang.OpIndex, x, strconv.Itoa(i)), scope)
			i++
		}
	case "dict_pattern":
		key := ""
		for c := range p.Children(n) {
			if p.FieldName(c) == "key" {
				key = p.constant(c)
			} else {
				p.pattern(c, p.B.Of(lang.OpIndex, x, key), scope)
			}
		}
	case "union_pattern":
		xs := core.Map(p.Children(n), func(c int32) int32 { return p.pattern(c, x, scope) })
		if slices.Contains(xs, lang.None) {
			return lang.None
		}
		return p.B.Any(xs...)
	case "splat_pattern":
		p.bind(p.Child(n, 0), p.copyOf(x), scope)
	}
	return lang.None
}

// dotted gives the sketch of a dotted name.
func (p *walker) dotted(n, scope int32) int32 {
	x := lang.None
	for c := range p.Children(n) {
		if x == lang.None {
			x = p.visit(c, scope, false)
		} else {
			x = p.B.Of(lang.OpAttr, x, p.Text(c))
		}
	}
	return x
}

// narrow notes what follows from a test being true or false: isinstance and issubclass say what a value is.
func (p *walker) narrow(n int32, truth bool, scope int32) {
	if n < 0 || p.tests > maxTests {
		return
	}
	p.tests++
	defer func() { p.tests-- }()
	switch p.Kind(n) {
	case "parenthesized_expression":
		p.narrow(p.Child(n, 0), truth, scope)
	case "not_operator":
		p.narrow(p.Field(n, "argument"), !truth, scope)
	case "boolean_operator":
		left, right := p.Field(n, "left"), p.Field(n, "right")
		if p.isAnd(left, right) == truth {
			p.narrow(left, truth, scope)
			p.narrow(right, truth, scope)
		}
	case "call":
		fn, args := p.Field(n, "function"), p.Field(n, "arguments")
		if !truth || fn < 0 || p.Kind(fn) != "identifier" {
			return
		}
		path, class := p.path(p.Child(args, 0)), p.Child(args, 1)
		if path == "" || class < 0 {
			return
		}
		p.silent++
		switch p.Text(fn) {
		case "isinstance":
			p.refine(path, p.instance(p.visit(class, scope, false)))
		case "issubclass":
			if k := p.Kind(class); k == "identifier" || k == "attribute" {
				p.refine(path, p.visit(class, scope, false))
			}
		}
		p.silent--
	}
}
