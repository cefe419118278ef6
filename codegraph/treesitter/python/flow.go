package python

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A flow is what is known of the variables of the scope at hand at the place at hand. A variable that was assigned on every way to
// the place holds that value there, and none that it was given before or will be given later. Where ways meet again, or in
// a loop that assigns it, a variable may hold anything that its name is ever bound to; then it is not in the flow.
type flow struct {
	env    map[string]int32 // by name, or by dotted path for what a test has shown
	paths  int              // how many dotted paths were ever put into env
	times  map[string]int   // assignments to a name in this scope that were followed
	shared map[string]bool  // names that other scopes assign: global, nonlocal
	typed  map[string]bool  // names whose annotation tells more than an assignment
	loops  int              // loops around the place
	quiet  int              // more than 0: references are not recorded
	tests  int              // tests within one another that are looked at
	binder []bool           // by symbol: nodes that hold targets
}

const (
	maxVersions  = 16 // assignments to one name that are followed: each may stand on the one before
	maxLoops     = 8  // loops in one another through which values are followed: what each assigns is looked up anew
	maxVariables = 100
	maxTests     = 12 // operands of one test that are looked at: each is looked at again for those behind it
	maxSlice     = 16 // elements of a known list that a slice may have to be known itself
)

// begin finds what the flow must leave alone.
func (p *walker) begin() {
	p.env, p.times, p.shared, p.typed = map[string]int32{}, map[string]int{}, map[string]bool{}, map[string]bool{}
	p.binder = make([]bool, len(p.Grammar.Symbols))
	for i, s := range p.Grammar.Symbols {
		switch s {
		case "assignment", "augmented_assignment", "for_statement", "for_in_clause", "named_expression", "as_pattern_target", "delete_statement",
			"case_pattern", "function_definition", "class_definition", "import_statement", "import_from_statement", "type_alias_statement":
			p.binder[i] = true
		}
	}
	for n := range p.Nodes {
		if k := p.Kind(int32(n)); k == "global_statement" || k == "nonlocal_statement" {
			for c := range p.Children(int32(n)) {
				p.shared[p.Text(c)] = true
			}
		}
	}
}

// inside runs f with the flow of a new scope. What is known around it need not hold when it runs.
func (p *walker) inside(f func()) {
	before := p.flow
	p.env, p.times, p.typed, p.loops = map[string]int32{}, map[string]int{}, map[string]bool{}, 0
	f()
	before.paths, before.quiet = p.paths, p.quiet
	p.flow = before
}

func (p *walker) saved() map[string]int32 { return maps.Clone(p.env) }

// hold says that a variable holds x from here on.
func (p *walker) hold(name string, x, scope int32) {
	p.forget(name)
	if name == "" || p.shared[name] || p.typed[name] || p.loops > maxLoops || len(p.env) >= maxVariables || p.scopeOf(scope, name) != scope {
		return
	}
	if p.times[name]++; p.times[name] > maxVersions {
		return
	}
	if x == lang.None {
		x = p.b.Leaf(lang.OpUnknown, lang.File, "")
	}
	p.env[name] = p.b.Of(lang.OpHeld, x, name)
}

// forget says that nothing is known of a variable any more, nor of what is behind it.
func (p *walker) forget(name string) {
	delete(p.env, name)
	if p.paths > 0 {
		p.forgetPath(name + ".")
	}
}

// forgetPath forgets what a test has shown of a path and of all that it begins.
func (p *walker) forgetPath(path string) {
	if p.paths == 0 || path == "" {
		return
	}
	for k := range p.env {
		if strings.HasPrefix(k, path) && strings.Contains(k, ".") {
			delete(p.env, k)
		}
	}
}

// targets lists the names that are bound within a node.
func (p *walker) targets(n int32) []string {
	var out []string
	for i := n; i < p.Next(n); i++ {
		r := &p.Nodes[i]
		if int(r.Symbol) >= len(p.binder) || !p.binder[r.Symbol] {
			continue
		}
		var at int32
		switch p.Kind(i) {
		case "for_statement", "for_in_clause", "assignment", "augmented_assignment":
			at = p.Field(i, "left")
		case "named_expression", "function_definition", "class_definition":
			at = p.Field(i, "name")
		default:
			at = i
		}
		if at < 0 {
			continue
		}
		for j := at; j < p.Next(at); j++ {
			if p.Kind(j) == "identifier" {
				out = append(out, p.Text(j))
			}
		}
	}
	return out
}

// loop runs f for what is done again and again: what is assigned on the way may be there from the time before.
func (p *walker) loop(n int32, f func()) {
	if p.loops++; p.loops > maxLoops {
		clear(p.env)
		f()
		clear(p.env)
		p.loops--
		return
	}
	names := p.targets(n)
	for _, name := range names {
		p.forget(name)
	}
	f()
	for _, name := range names {
		p.forget(name)
	}
	p.loops--
}

// ends tells whether a block never comes to its end.
func (p *walker) ends(n int32) bool {
	if n < 0 {
		return false
	}
	last := int32(-1)
	for c := range p.Children(n) {
		if p.Kind(c) != "comment" {
			last = c
		}
	}
	if last < 0 {
		return false
	}
	switch p.Kind(last) {
	case "return_statement", "raise_statement", "continue_statement", "break_statement":
		return true
	case "block":
		return p.ends(last)
	}
	return false
}

// meet gives what is known where ways come together: of each variable what it may hold, if all ways know.
func (p *walker) meet(ways []map[string]int32) map[string]int32 {
	if len(ways) == 0 {
		return map[string]int32{}
	}
	out := ways[0]
	for _, w := range ways[1:] {
		next := map[string]int32{}
		for _, k := range slices.Sorted(maps.Keys(out)) {
			a := out[k]
			b, ok := w[k]
			switch {
			case !ok:
			case a == b:
				next[k] = a
			case !strings.Contains(k, "."):
				next[k] = p.b.Of(lang.OpHeld, p.b.Any(a, b), k)
			}
		}
		out = next
	}
	return out
}

// branches follows the ways of an if statement.
func (p *walker) branches(n, scope int32) {
	var ways []map[string]int32
	way := func(body int32) {
		p.visit(body, scope, true)
		if !p.ends(body) {
			ways = append(ways, p.env)
		}
	}
	test, rest := p.Field(n, "condition"), true
	p.value(test, scope)
	before := p.saved()
	p.narrow(test, true, scope)
	way(p.Field(n, "consequence"))
	p.env = before
	p.narrow(test, false, scope)
	for c := range p.Children(n) {
		switch p.Kind(c) {
		case "elif_clause":
			test := p.Field(c, "condition")
			p.value(test, scope)
			before := p.saved()
			p.narrow(test, true, scope)
			way(p.Field(c, "consequence"))
			p.env = before
			p.narrow(test, false, scope)
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

// try follows a try statement. Whatever it assigns may have been assigned or not where a handler begins.
func (p *walker) try(n, scope int32) {
	names := p.targets(n)
	forget := func() {
		for _, name := range names {
			p.forget(name)
		}
	}
	before := p.saved()
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
	if !p.ends(end) {
		ways = append(ways, p.env)
	}
	for c := range p.Children(n) {
		switch p.Kind(c) {
		case "except_clause", "except_group_clause":
			p.env = maps.Clone(before)
			forget()
			var last int32
			for e := range p.Children(c) {
				last = e
				if p.Kind(e) == "as_pattern" {
					p.bind(p.asTarget(e), p.instance(p.value(p.Child(e, 0), scope)), scope)
				} else {
					p.valueIn(e, scope, true)
				}
			}
			if !p.ends(last) {
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
			forget()
		}
		p.visit(final, scope, true)
	}
}

// match follows a match statement. A pattern tells what the subject is.
func (p *walker) match(n, scope int32) {
	subject := p.Field(n, "subject")
	x := p.value(subject, scope)
	path := p.path(subject)
	before := p.env
	ways := []map[string]int32{before}
	for c := range p.Children(p.Field(n, "body")) {
		if p.Kind(c) != "case_clause" {
			continue
		}
		p.env = maps.Clone(before)
		for e := range p.Children(c) {
			switch p.Kind(e) {
			case "case_pattern":
				if shown := p.pattern(e, x, scope); shown != lang.None {
					p.show(path, shown)
				}
			case "block":
				p.visit(e, scope, true)
				if !p.ends(e) {
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
	if n < 0 {
		return lang.None
	}
	switch p.Kind(n) {
	case "case_pattern":
		return p.pattern(p.Child(n, 0), x, scope)
	case "class_pattern":
		class := p.Child(n, 0)
		c := p.dotted(class, scope)
		p.mention(class, c, scope)
		is := p.b.Of(lang.OpInstance, c, "")
		for a := range p.Children(n) {
			if a == class {
				continue
			}
			of := lang.None // what a positional pattern is matched with is not known
			if k := p.Child(a, 0); p.isKeyword(k) || p.isKeyword(p.Child(p.Child(k, 0), 0)) {
				of = is
			}
			p.pattern(a, of, scope)
		}
		return is
	case "keyword_pattern": // x is the object whose attribute is matched
		return p.pattern(p.Child(n, 1), p.b.Of(lang.OpAttr, x, p.Text(p.Child(n, 0))), scope)
	case "as_pattern":
		if k := p.Child(p.Child(n, 0), 0); k >= 0 && p.Kind(k) == "keyword_pattern" {
			x = p.b.Of(lang.OpAttr, x, p.Text(p.Child(k, 0)))
			n2 := p.pattern(p.Child(k, 1), x, scope)
			if n2 == lang.None {
				n2 = x
			}
			p.bind(p.Child(n, 1), n2, scope)
			return n2
		}
		is := p.pattern(p.Child(n, 0), x, scope)
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
			p.pattern(c, p.b.Of(lang.OpIndex, x, strconv.Itoa(i)), scope)
			i++
		}
	case "dict_pattern":
		key := ""
		for c := range p.Children(n) {
			if p.FieldName(c) == "key" {
				key = p.constant(c)
			} else {
				p.pattern(c, p.b.Of(lang.OpIndex, x, key), scope)
			}
		}
	case "union_pattern":
		var xs []int32
		for c := range p.Children(n) {
			xs = append(xs, p.pattern(c, x, scope))
		}
		if slices.Contains(xs, lang.None) {
			return lang.None
		}
		return p.b.Any(xs...)
	case "splat_pattern":
		p.bind(p.Child(n, 0), p.copyOf(x), scope)
	}
	return lang.None
}

func (p *walker) isKeyword(n int32) bool { return n >= 0 && p.Kind(n) == "keyword_pattern" }

// dotted gives the sketch of a dotted name.
func (p *walker) dotted(n, scope int32) int32 {
	x := lang.None
	for c := range p.Children(n) {
		if x == lang.None {
			x = p.visit(c, scope, false)
		} else {
			x = p.b.Of(lang.OpAttr, x, p.Text(c))
		}
	}
	return x
}

// path gives the text of a name, or of a name with attributes, "" for others.
func (p *walker) path(n int32) string {
	if n < 0 {
		return ""
	}
	switch p.Kind(n) {
	case "identifier":
		return p.Text(n)
	case "parenthesized_expression":
		return p.path(p.Child(n, 0))
	case "attribute", "subscript":
		out := ""
		for range 8 {
			switch p.Kind(n) {
			case "identifier":
				return p.Text(n) + out
			case "attribute":
				out = "." + p.Text(p.Field(n, "attribute")) + out
				n = p.Field(n, "object")
			case "subscript":
				key := p.constant(p.Field(n, "subscript"))
				if key == "" {
					return ""
				}
				out = ".[" + key + "]" + out
				n = p.Field(n, "value")
			default:
				return ""
			}
			if n < 0 {
				return ""
			}
		}
	}
	return ""
}

// element says what a container holds under a constant key from here on. Whatever may change the container, or another name
// for it, ends that.
func (p *walker) element(path string, x int32) {
	if i := strings.LastIndex(path, ".["); i > 0 && x != lang.None {
		p.forgetPath(path)
		p.show(path, p.b.Of(lang.OpHeld, x, ""))
	}
}

// forgetElements forgets what the container under a path holds; all containers when it is "".
func (p *walker) forgetElements(path string) {
	if p.paths == 0 {
		return
	}
	for k := range p.env {
		if strings.HasPrefix(k, path) && strings.Contains(k[len(path):], ".[") {
			delete(p.env, k)
		}
	}
}

// literal gives the elements of a list that is known whole.
func (p *walker) literal(x int32) ([]lang.Arg, bool) {
	for x != lang.None && p.b.Facts.Exprs[x].Op == lang.OpHeld {
		x = p.b.Facts.Exprs[x].X
	}
	if x == lang.None || p.b.Facts.Exprs[x].Op != lang.OpList {
		return nil, false
	}
	args := p.b.Facts.Exprs[x].Args
	return args, !slices.ContainsFunc(args, func(a lang.Arg) bool { return a.Spread })
}

// slice gives a part of a list: its elements in their order when all of it is known, else some of them. The end counts from that
// of the list when it is not above 0.
func (p *walker) slice(x int32, from, to int) int32 {
	if args, ok := p.literal(x); ok {
		if to <= 0 {
			to += len(args)
		}
		if 0 <= from && from <= to && to <= len(args) && to-from <= maxSlice {
			return p.b.Many(lang.OpList, slices.Clone(args[from:to]))
		}
	}
	return p.someOf(x)
}

// show says that a variable or attribute is x, as a test has shown.
func (p *walker) show(path string, x int32) {
	if path == "" || x == lang.None || p.shared[path] || p.loops > maxLoops || len(path) > 80 || len(p.env) >= maxVariables {
		return
	}
	if strings.Contains(path, ".") {
		p.paths++
		p.env[path] = x
		return
	}
	p.env[path] = p.b.Of(lang.OpHeld, x, path)
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
		if p.both(left, right) == truth {
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
		p.quiet++
		switch p.Text(fn) {
		case "isinstance":
			p.show(path, p.instance(p.visit(class, scope, false)))
		case "issubclass":
			if k := p.Kind(class); k == "identifier" || k == "attribute" {
				p.show(path, p.visit(class, scope, false))
			}
		}
		p.quiet--
	}
}

// both tells an "and" from an "or".
func (p *walker) both(left, right int32) bool {
	if left < 0 || right < 0 {
		return false
	}
	words := strings.FieldsFunc(string(p.Src[p.End(left):p.Start(right)]), func(r rune) bool { return strings.ContainsRune(" \t\r\n()\\", r) })
	return slices.Contains(words, "and")
}
