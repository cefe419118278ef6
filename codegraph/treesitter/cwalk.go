package treesitter

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A cVar is a variable of a function's block.
type cVar struct {
	name  string // unique in its function
	typed bool   // its type says what it is: no class and no function
	alias bool   // a type or namespace, and no variable
}

// A cWalker turns the tree of one C or C++ file into facts.
type cWalker struct {
	*tree
	s      *cSource
	b      lang.Builder
	cpp    bool
	hidden int               // anonymous namespaces around
	env    []map[string]cVar // blocks of the function around, innermost last; nil outside of functions
	count  map[string]int    // variables of the function around, by name
	quals  map[string]bool   // names of the function around that stand before ::
	tparam [][]string        // template parameters that wait for their declaration
	result []bool            // by function around: what it returns is worth a binding
	altEnd []int32           // by alternative: the greatest end so far
	plain  map[string]bool   // variables of the function around whose type is none of a class
	ext    map[string]int32  // values from outside, by type
	global map[string]int32  // variables outside of functions that may hold functions, with their scopes
	tags   map[string]bool   // structures declared or announced outside of others
	depth  int
}

func parseC(t *tree, s *cSource) *lang.Facts {
	t.src = s.src
	t.index() // of the lines as they are written
	t.src = s.out
	w := &cWalker{tree: t, s: s, cpp: s.cpp, ext: map[string]int32{}, plain: map[string]bool{}, global: map[string]int32{}, tags: map[string]bool{}}
	slices.SortFunc(s.alts, func(a, b cRange) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	end := int32(0)
	for _, a := range s.alts {
		end = max(end, a.end)
		w.altEnd = append(w.altEnd, end)
	}
	w.directives()
	w.takenOut()
	if len(t.rec) > 0 {
		w.top()
	}
	w.overloads()
	f := &w.b.Facts
	f.Lang, f.Lines, f.Errors = "c", t.lineCount(), t.errors
	if s.cpp {
		f.Lang = "cpp"
	}
	return f
}

// top visits the declarations of the file; those between two macros that open and close a namespace are in it.
func (w *cWalker) top() {
	scopes := make([]int32, len(w.s.spaces))
	for i := range scopes {
		scopes[i] = lang.None
	}
	for c := range w.children(0) {
		scope := lang.File
		for i, sp := range w.s.spaces {
			if w.rec[c].start < sp.start || w.rec[c].start >= sp.end {
				continue
			}
			if scopes[i] == lang.None {
				line, _ := w.place(sp.start)
				scopes[i] = w.b.Declare(lang.Decl{Name: sp.name, Kind: lang.Namespace, Parent: scope, Span: w.span(sp.start, min(sp.end, int32(len(w.src)))), NameLine: line})
			}
			scope = scopes[i]
		}
		w.visit(c, scope)
	}
}

func (w *cWalker) all(n, scope int32) {
	for c := range w.children(n) {
		w.visit(c, scope)
	}
}

func (w *cWalker) line(n int32) int32 {
	l, _ := w.place(w.rec[n].start)
	return l
}

// external gives the expression of a value from outside of the repository, of which nothing more is known.
func (w *cWalker) external() int32 { return w.foreign("") }

// foreign gives the expression of a type from outside, or of its value.
func (w *cWalker) foreign(name string) int32 {
	x, ok := w.ext[name]
	if !ok {
		x = w.b.Leaf(lang.OpExternal, lang.File, name)
		w.ext[name] = x
	}
	return x
}

// outside tells whether an expression is one of those.
func (w *cWalker) outside(x int32) bool {
	return x != lang.None && w.b.Facts.Exprs[x].Op == lang.OpExternal
}

func (w *cWalker) unknown() int32 { return w.b.Leaf(lang.OpUnknown, lang.File, "") }

// conditional tells whether an offset stands under a condition of the preprocessor.
func (w *cWalker) conditional(at int32) lang.DeclFlag {
	i, ok := slices.BinarySearchFunc(w.s.alts, at, func(r cRange, at int32) int { return cmp.Compare(r.start, at) })
	if !ok {
		i--
	}
	if i >= 0 && w.altEnd[i] > at {
		return lang.Conditional
	}
	return 0
}

// inFunction tells whether a scope is a function's, where declarations are variables.
func (w *cWalker) inFunction(scope int32) bool {
	if scope == lang.File {
		return false
	}
	k := w.b.Facts.Decls[scope].Kind
	return k == lang.Function || k == lang.Lambda
}

// local finds a variable of the function around.
func (w *cWalker) local(name string) (cVar, bool) {
	for i := len(w.env) - 1; i >= 0; i-- {
		if v, ok := w.env[i][name]; ok {
			return v, true
		}
	}
	return cVar{}, false
}

// declare names a new variable: in a function, a second one of the same name gets a name of its own.
func (w *cWalker) declare(name string, scope int32, typed bool) string {
	if len(w.env) == 0 || !w.inFunction(scope) {
		return name
	}
	v := cVar{name: name, typed: typed}
	if w.count[name]++; w.count[name] > 1 || w.quals[name] { // what stands before :: is no variable
		v.name = name + "@" + itoa(w.count[name])
	}
	if typed {
		w.plain[v.name] = true
	}
	top := len(w.env) - 1
	if w.env[top] == nil {
		w.env[top] = map[string]cVar{}
	}
	w.env[top][name] = v
	return v.name
}

// declareType is declare for another name of a type or namespace.
func (w *cWalker) declareType(name string, scope int32) string {
	unique := w.declare(name, scope, true)
	if len(w.env) > 0 && w.inFunction(scope) {
		v := w.env[len(w.env)-1][name]
		v.alias = true
		w.env[len(w.env)-1][name] = v
	}
	return unique
}

// block visits what has variables of its own.
func (w *cWalker) block(f func()) {
	if len(w.env) > 0 {
		w.env = append(w.env, nil)
		defer func() { w.env = w.env[:len(w.env)-1] }()
	}
	f()
}

// fresh visits a function or class that sees no variables of the function around.
func (w *cWalker) fresh(function bool, f func()) {
	env, count, plain, quals := w.env, w.count, w.plain, w.quals
	w.env, w.count, w.quals = nil, nil, nil
	if function {
		w.env, w.count, w.plain, w.quals = []map[string]cVar{{}}, map[string]int{}, map[string]bool{}, map[string]bool{}
	}
	f()
	w.env, w.count, w.plain, w.quals = env, count, plain, quals
}

// ref adds a reference at a node.
func (w *cWalker) ref(kind lang.RefKind, at, scope, x int32, name string) {
	if at < 0 || x == lang.None {
		return
	}
	s := w.span(w.rec[at].start, w.rec[at].end)
	w.b.Facts.Refs = append(w.b.Facts.Refs, lang.Ref{Kind: kind, Scope: scope, X: x, Decl: lang.None, Name: name,
		Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol})
}

// use adds a mention.
func (w *cWalker) use(at, scope, x int32) { w.ref(lang.Use, at, scope, x, w.b.LastName(x)) }

// hide binds a name to something unknown, so that it is not looked for outside.
func (w *cWalker) hide(name string, scope, line int32) {
	w.b.Bind(lang.Assign, scope, name, w.unknown(), line)
}

// A cDeclarator is what a declarator says.
type cDeclarator struct {
	name    int32 // node of the name, or -1
	fn      int32 // node of the function declarator, or -1
	pointer bool  // of a pointer or reference, or an array of them
	star    bool  // of a pointer; or the result is one
	array   bool
	stars   int  // pointers and arrays in one another
	call    bool // of a pointer to a function
}

// declarator looks through pointers, references, arrays and parentheses.
func (w *cWalker) declarator(n int32) cDeclarator {
	d := cDeclarator{name: -1, fn: -1}
	indirect := false // between the last parameters and here
	for n >= 0 {
		switch w.kind(n) {
		case "function_declarator", "abstract_function_declarator":
			if d.fn >= 0 && indirect {
				d.call = false // a function that gives a pointer to a function
			}
			d.fn, indirect = n, false
		case "pointer_declarator", "reference_declarator", "pointer_type_declarator", "abstract_pointer_declarator", "abstract_reference_declarator":
			if d.fn < 0 {
				d.pointer = true
			}
			if strings.Contains(w.kind(n), "pointer") {
				d.star = true
				d.stars++
			}
			indirect = true
		case "array_declarator", "abstract_array_declarator":
			d.array = true
			d.stars++
		case "parenthesized_declarator", "attributed_declarator", "init_declarator", "abstract_parenthesized_declarator", "variadic_declarator":
		case "ERROR":
			return d
		case "operator_cast":
			d.name, d.fn = n, w.castParameters(n)
			return d
		case "qualified_identifier":
			d.name = n
			last := n
			for w.kind(last) == "qualified_identifier" && w.field(last, "name") >= 0 {
				last = w.field(last, "name")
			}
			if w.kind(last) == "operator_cast" {
				d.fn = w.castParameters(last)
			} else if d.fn >= 0 && indirect {
				d.call, d.fn = true, -1
			}
			return d
		default:
			d.name = n
			if d.fn >= 0 && indirect {
				d.call, d.fn = true, -1
			}
			return d
		}
		next := w.field(n, "declarator")
		if next < 0 {
			for c := range w.children(n) {
				if k := w.kind(c); strings.HasSuffix(k, "declarator") || k == "identifier" || k == "field_identifier" || k == "type_identifier" || k == "qualified_identifier" ||
					k == "operator_name" || k == "destructor_name" || k == "operator_cast" {
					next = c
					break
				}
			}
		}
		n = next
	}
	if d.fn >= 0 && indirect {
		d.call, d.fn = true, -1
	}
	return d
}

// castParameters gives the declarator with the parameters of a conversion.
func (w *cWalker) castParameters(n int32) int32 {
	for n >= 0 && w.kind(n) != "abstract_function_declarator" {
		next := w.field(n, "declarator")
		if next < 0 {
			for c := range w.children(n) {
				if strings.HasSuffix(w.kind(c), "declarator") {
					next = c
				}
			}
		}
		n = next
	}
	return n
}

// shape hashes the types of parameters, names and qualifiers left out.
func (w *cWalker) shape(fn int32) uint32 {
	list := w.field(fn, "parameters")
	h := fnv.New32a()
	add := func(from, to int32, skip cRange) {
		word := int32(-1)
		flush := func(at int32) {
			if word < 0 {
				return
			}
			t := string(w.src[word:at])
			word = -1
			switch t {
			case "const", "volatile", "struct", "class", "enum", "union", "typename", "register", "restrict", "__restrict", "std":
				return
			}
			rest := strings.TrimLeft(string(w.src[at:to]), " \t\n")
			if strings.HasPrefix(rest, "::") {
				return // a qualifier
			}
			h.Write([]byte(t + " "))
		}
		for i := from; i < to; i++ {
			if i >= skip.start && i < skip.end {
				flush(i)
				continue
			}
			if c := w.src[i]; cIdent(c) {
				if word < 0 {
					word = i
				}
				continue
			} else {
				flush(i)
				switch c {
				case '*', '&', '[', ']', '<', '>', ',', '(', ')':
					h.Write([]byte{c})
				}
			}
		}
		flush(to)
	}
	for c := range w.children(list) {
		if w.kind(c) == "comment" {
			continue
		}
		end := w.rec[c].end
		if v := w.field(c, "default_value"); v >= 0 {
			for end = w.rec[v].start; end > w.rec[c].start && w.src[end] != '='; {
				end--
			}
		}
		var skip cRange
		if d := w.field(c, "declarator"); d >= 0 {
			if v := w.declarator(d); v.name >= 0 {
				skip = cRange{w.rec[v.name].start, w.rec[v.name].end}
			}
		}
		add(w.rec[c].start, end, skip)
		h.Write([]byte{';'})
	}
	for c := range w.children(fn) {
		if w.kind(c) == "type_qualifier" {
			h.Write([]byte(w.text(c)))
		}
	}
	return max(1, h.Sum32())
}

// overloads marks functions that share a scope and a name but not their parameters.
func (w *cWalker) overloads() {
	if !w.cpp {
		return
	}
	for i := range w.b.Facts.Decls {
		if d := &w.b.Facts.Decls[i]; d.Kind == lang.Function && d.Shape != 0 {
			d.Flags |= lang.Overload
		}
	}
}
