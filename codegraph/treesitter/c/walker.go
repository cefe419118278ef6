package c

import (
	"cmp"
	"hash/fnv"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A variable is a variable of a function's block.
type variable struct {
	name  string // unique in its function
	typed bool   // its type says what it is: no class and no function
	alias bool   // a type or namespace, and no variable
}

// A walker turns the tree of one C or C++ file into facts.
type walker struct {
	*core.Tree
	s      *source
	b      lang.Builder
	cpp    bool
	hidden int                   // anonymous namespaces around
	env    []map[string]variable // blocks of the function around, innermost last; nil outside of functions
	count  map[string]int        // variables of the function around, by name
	quals  map[string]bool       // names of the function around that stand before ::
	tparam [][]string            // template parameters that wait for their declaration
	result []bool                // by function around: what it returns is worth a binding
	altEnd []int32               // by alternative: the greatest end so far
	plain  map[string]bool       // variables of the function around whose type is none of a class
	ext    map[string]int32      // values from outside, by type
	global map[string]int32      // variables outside of functions that may hold functions, with their scopes
	tags   map[string]bool       // structures declared or announced outside of others
	depth  int
}

func parse(t *core.Tree, s *source) *lang.Facts {
	t.IndexLines(s.src)
	w := &walker{Tree: t, s: s, cpp: s.cpp, ext: map[string]int32{}, plain: map[string]bool{}, global: map[string]int32{}, tags: map[string]bool{}}
	slices.SortFunc(s.alts, func(a, b byteRange) int { return cmp.Or(cmp.Compare(a.start, b.start), cmp.Compare(a.end, b.end)) })
	end := int32(0)
	for _, a := range s.alts {
		end = max(end, a.end)
		w.altEnd = append(w.altEnd, end)
	}
	w.directives()
	w.takenOut()
	if len(t.Nodes) > 0 {
		w.top()
	}
	w.overloads()
	if s.cpp {
		return t.Facts(&w.b, "cpp")
	}
	return t.Facts(&w.b, "c")
}

// top visits the declarations of the file; those between two macros that open and close a namespace are in it.
func (w *walker) top() {
	scopes := make([]int32, len(w.s.spaces))
	for i := range scopes {
		scopes[i] = lang.None
	}
	for c := range w.Children(0) {
		scope := lang.File
		for i, sp := range w.s.spaces {
			if w.Start(c) < sp.start || w.Start(c) >= sp.end {
				continue
			}
			if scopes[i] == lang.None {
				line, _ := w.Place(sp.start)
				scopes[i] = w.b.Declare(lang.Decl{Name: sp.name, Kind: lang.Namespace, Parent: scope, Span: w.Span(sp.start, min(sp.end, int32(len(w.Src)))), NameLine: line})
			}
			scope = scopes[i]
		}
		w.visit(c, scope)
	}
}

func (w *walker) all(n, scope int32) {
	for c := range w.Children(n) {
		w.visit(c, scope)
	}
}

// external gives the expression of a value from outside of the repository, of which nothing more is known.
func (w *walker) external() int32 { return w.foreign("") }

// foreign gives the expression of a type from outside, or of its value.
func (w *walker) foreign(name string) int32 {
	x, ok := w.ext[name]
	if !ok {
		x = w.b.Leaf(lang.OpExternal, lang.File, name)
		w.ext[name] = x
	}
	return x
}

// outside tells whether an expression is one of those.
func (w *walker) outside(x int32) bool {
	return x != lang.None && w.b.Facts.Exprs[x].Op == lang.OpExternal
}

func (w *walker) unknown() int32 { return w.b.Leaf(lang.OpUnknown, lang.File, "") }

// conditional tells whether an offset stands under a condition of the preprocessor.
func (w *walker) conditional(at int32) lang.DeclFlag {
	i, ok := slices.BinarySearchFunc(w.s.alts, at, func(r byteRange, at int32) int { return cmp.Compare(r.start, at) })
	if !ok {
		i--
	}
	if i >= 0 && w.altEnd[i] > at {
		return lang.Conditional
	}
	return 0
}

// inFunction tells whether a scope is a function's, where declarations are variables.
func (w *walker) inFunction(scope int32) bool {
	if scope == lang.File {
		return false
	}
	k := w.b.Facts.Decls[scope].Kind
	return k == lang.Function || k == lang.Lambda
}

// local finds a variable of the function around.
func (w *walker) local(name string) (variable, bool) {
	for i := len(w.env) - 1; i >= 0; i-- {
		if v, ok := w.env[i][name]; ok {
			return v, true
		}
	}
	return variable{}, false
}

// declare names a new variable: in a function, a second one of the same name gets a name of its own.
func (w *walker) declare(name string, scope int32, typed bool) string {
	if len(w.env) == 0 || !w.inFunction(scope) {
		return name
	}
	v := variable{name: name, typed: typed}
	if w.count[name]++; w.count[name] > 1 || w.quals[name] { // what stands before :: is no variable
		v.name = name + "@" + strconv.Itoa(w.count[name])
	}
	if typed {
		w.plain[v.name] = true
	}
	top := len(w.env) - 1
	if w.env[top] == nil {
		w.env[top] = map[string]variable{}
	}
	w.env[top][name] = v
	return v.name
}

// declareType is declare for another name of a type or namespace.
func (w *walker) declareType(name string, scope int32) string {
	unique := w.declare(name, scope, true)
	if len(w.env) > 0 && w.inFunction(scope) {
		v := w.env[len(w.env)-1][name]
		v.alias = true
		w.env[len(w.env)-1][name] = v
	}
	return unique
}

// block visits what has variables of its own.
func (w *walker) block(f func()) {
	if len(w.env) > 0 {
		w.env = append(w.env, nil)
		defer func() { w.env = w.env[:len(w.env)-1] }()
	}
	f()
}

// fresh visits a function or class that sees no variables of the function around.
func (w *walker) fresh(function bool, f func()) {
	env, count, plain, quals := w.env, w.count, w.plain, w.quals
	w.env, w.count, w.quals = nil, nil, nil
	if function {
		w.env, w.count, w.plain, w.quals = []map[string]variable{{}}, map[string]int{}, map[string]bool{}, map[string]bool{}
	}
	f()
	w.env, w.count, w.plain, w.quals = env, count, plain, quals
}

// ref adds a reference at a node.
func (w *walker) ref(kind lang.RefKind, at, scope, x int32, name string) {
	if at < 0 || x == lang.None {
		return
	}
	w.b.Facts.Refs = append(w.b.Facts.Refs, w.Ref(lang.Ref{Kind: kind, Scope: scope, X: x, Decl: lang.None, Name: name}, w.Start(at), w.End(at)))
}

// use adds a mention.
func (w *walker) use(at, scope, x int32) { w.ref(lang.Use, at, scope, x, w.b.LastName(x)) }

// hide binds a name to something unknown, so that it is not looked for outside.
func (w *walker) hide(name string, scope, line int32) {
	w.b.Bind(lang.Assign, scope, name, w.unknown(), line)
}

// A declarator is what a declarator says.
type declarator struct {
	name    int32 // node of the name, or -1
	fn      int32 // node of the function declarator, or -1
	pointer bool  // of a pointer or reference, or an array of them
	star    bool  // of a pointer; or the result is one
	array   bool
	stars   int  // pointers and arrays in one another
	call    bool // of a pointer to a function
}

// declarator looks through pointers, references, arrays and parentheses.
func (w *walker) declarator(n int32) declarator {
	d := declarator{name: -1, fn: -1}
	indirect := false // between the last parameters and here
	for n >= 0 {
		switch w.Kind(n) {
		case "function_declarator", "abstract_function_declarator":
			if d.fn >= 0 && indirect {
				d.call = false // a function that gives a pointer to a function
			}
			d.fn, indirect = n, false
		case "pointer_declarator", "reference_declarator", "pointer_type_declarator", "abstract_pointer_declarator", "abstract_reference_declarator":
			if d.fn < 0 {
				d.pointer = true
			}
			if strings.Contains(w.Kind(n), "pointer") {
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
			for w.Kind(last) == "qualified_identifier" && w.Field(last, "name") >= 0 {
				last = w.Field(last, "name")
			}
			if w.Kind(last) == "operator_cast" {
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
		next := w.Field(n, "declarator")
		if next < 0 {
			for c := range w.Children(n) {
				if k := w.Kind(c); strings.HasSuffix(k, "declarator") || k == "identifier" || k == "field_identifier" || k == "type_identifier" || k == "qualified_identifier" ||
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
func (w *walker) castParameters(n int32) int32 {
	for n >= 0 && w.Kind(n) != "abstract_function_declarator" {
		next := w.Field(n, "declarator")
		if next < 0 {
			for c := range w.Children(n) {
				if strings.HasSuffix(w.Kind(c), "declarator") {
					next = c
				}
			}
		}
		n = next
	}
	return n
}

// shape hashes the types of parameters, names and qualifiers left out.
func (w *walker) shape(fn int32) uint32 {
	list := w.Field(fn, "parameters")
	h := fnv.New32a()
	add := func(from, to int32, skip byteRange) {
		word := int32(-1)
		flush := func(at int32) {
			if word < 0 {
				return
			}
			t := string(w.Src[word:at])
			word = -1
			switch t {
			case "const", "volatile", "struct", "class", "enum", "union", "typename", "register", "restrict", "__restrict", "std":
				return
			}
			rest := strings.TrimLeft(string(w.Src[at:to]), " \t\n")
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
			if c := w.Src[i]; isIdent(c) {
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
	for c := range w.Children(list) {
		if w.Kind(c) == "comment" {
			continue
		}
		end := w.End(c)
		if v := w.Field(c, "default_value"); v >= 0 {
			for end = w.Start(v); end > w.Start(c) && w.Src[end] != '='; {
				end--
			}
		}
		var skip byteRange
		if d := w.Field(c, "declarator"); d >= 0 {
			if v := w.declarator(d); v.name >= 0 {
				skip = byteRange{w.Start(v.name), w.End(v.name)}
			}
		}
		add(w.Start(c), end, skip)
		h.Write([]byte{';'})
	}
	for c := range w.Children(fn) {
		if w.Kind(c) == "type_qualifier" {
			h.Write([]byte(w.Text(c)))
		}
	}
	return max(1, h.Sum32())
}

// overloads marks functions that share a scope and a name but not their parameters.
func (w *walker) overloads() {
	if !w.cpp {
		return
	}
	for i := range w.b.Facts.Decls {
		if d := &w.b.Facts.Decls[i]; d.Kind == lang.Function && d.Shape != 0 {
			d.Flags |= lang.Overload
		}
	}
}
