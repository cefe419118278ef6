package c

import (
	"hash/fnv"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A syntax reads what the nodes of a tree say by themselves, and the source that the tree was made of.
type syntax struct {
	core.Sketch
	s   *source
	cpp bool
}

// A declarator is what a declarator adds to a type: the name that is declared, pointers, arrays and parameters.
type declarator struct {
	name    int32 // node of the name, or -1
	fn      int32 // node of the function declarator, or -1
	pointer bool  // of a pointer or reference, or an array of them
	star    bool  // of a pointer; or the result is one
	array   bool
	stars   int  // pointers and arrays in one another
	call    bool // of a pointer to a function
}

// lastName gives the text of a plain name, operator, destructor or conversion.
func (w *syntax) lastName(n int32) string {
	switch w.Kind(n) {
	case "template_function", "template_type", "template_method", "dependent_name":
		if name := w.Field(n, "name"); name >= 0 {
			return w.lastName(name)
		}
		return w.lastName(w.Child(n, 0))
	case "operator_name":
		s := strings.Join(strings.Fields(w.Text(n)), "")
		if rest, ok := strings.CutPrefix(s, "operator"); ok && rest != "" && isIdent(rest[0]) {
			return "operator " + rest
		}
		return s
	case "operator_cast":
		t := w.Text(w.Field(n, "type"))
		return "operator " + t[strings.LastIndexByte(t, ':')+1:]
	case "destructor_name":
		return strings.Join(strings.Fields(w.Text(n)), "")
	}
	return w.Text(n)
}

// unqualified gives the node of a name without what qualifies it.
func (w *syntax) unqualified(n int32) int32 {
	for w.Is(n, "qualified_identifier") && w.Field(n, "name") >= 0 {
		n = w.Field(n, "name")
	}
	return n
}

// isConst tells whether const stands among the children of a node.
func (w *syntax) isConst(n int32) bool {
	for c := range w.Of(n, "type_qualifier") {
		if w.Text(c) == "const" {
			return true
		}
	}
	return false
}

// lastNode gives the node of the last name of a callee.
func (w *syntax) lastNode(n int32) int32 {
	for n >= 0 {
		next := int32(-1)
		switch w.Kind(n) {
		case "field_expression":
			next = w.Field(n, "field")
		case "qualified_identifier", "template_function", "template_method":
			next = w.Field(n, "name")
		case "dependent_name", "parenthesized_expression", "pointer_expression":
			next = w.Child(n, 0)
		}
		if next < 0 {
			return n
		}
		n = next
	}
	return n
}

// splitName takes the name of a declarator apart: the last name, the classes or namespaces before it as text, and the node of
// what qualifies it.
func (w *syntax) splitName(n int32) (name, receiver string, scope int32) {
	scope = -1
	var parts []string
	for w.Kind(n) == "qualified_identifier" {
		if sc := w.Field(n, "scope"); sc >= 0 {
			part := sc
			if w.Kind(sc) == "template_type" {
				part = w.Field(sc, "name")
			}
			parts = append(parts, w.Text(part))
			scope = sc
		}
		n = w.Field(n, "name")
	}
	return w.lastName(n), strings.Join(parts, "."), scope
}

// header gives the signature of what begins at from and has its body at body (-1: none), which ends at end.
func (w *syntax) header(from, body, end int32) (string, int32) {
	if body >= 0 {
		end = w.Start(body)
	}
	sig := lang.OneLine(strings.TrimRight(string(w.s.src[from:end]), " \t\r\n;"))
	return sig, end
}

// hasSpecifier tells whether a declaration has a word among its specifiers.
func (w *syntax) hasSpecifier(n int32, word string) bool {
	for c := range w.Of(n, "storage_class_specifier", "virtual", "virtual_function_specifier", "explicit_function_specifier", "type_qualifier", "virtual_specifier") {
		if w.Text(c) == word {
			return true
		}
	}
	return false
}

// declarator looks through pointers, references, arrays and parentheses.
func (w *syntax) declarator(n int32) declarator {
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
			if last := w.unqualified(n); w.Is(last, "operator_cast") {
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
				if strings.HasSuffix(w.Kind(c), "declarator") || w.Is(c, "identifier", "field_identifier", "type_identifier", "qualified_identifier",
					"operator_name", "destructor_name", "operator_cast") {
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

// declarators lists the declarators of a declaration.
func (w *syntax) declarators(n int32) []int32 {
	var list []int32
	for c := range w.Children(n) {
		if w.FieldName(c) == "declarator" {
			list = append(list, c)
		}
	}
	return list
}

// castParameters gives the declarator with the parameters of a conversion.
func (w *syntax) castParameters(n int32) int32 {
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
func (w *syntax) shape(fn int32) uint32 {
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
	for c := range w.Parts(list) {
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
	for c := range w.Of(fn, "type_qualifier") {
		h.Write([]byte(w.Text(c)))
	}
	return max(1, h.Sum32())
}

// returnsFunction tells whether what stands around the parameters makes the result a function.
func (w *syntax) returnsFunction(dn, fn int32) bool {
	for n := dn; n >= 0 && n != fn; n = w.Field(n, "declarator") {
		if w.Kind(n) == "function_declarator" {
			return true
		}
	}
	return false
}

// isPure tells whether a method's declaration ends in "= 0".
func (w *syntax) isPure(n int32) bool {
	s := strings.TrimRight(string(w.Src[w.Start(n):w.End(n)]), " \t\r\n;")
	s, zero := strings.CutSuffix(s, "0")
	return zero && strings.HasSuffix(strings.TrimRight(s, " \t\r\n"), "=")
}

// isAuto tells whether a type is what the value says.
func (w *syntax) isAuto(n int32) bool {
	switch w.Kind(n) {
	case "placeholder_type_specifier", "auto":
		return true
	case "decltype":
		return strings.HasSuffix(strings.TrimRight(w.Text(n), " )"), "auto")
	}
	t := w.Text(n)
	return t == "auto" || t == "__auto_type"
}

// isVexingParse tells whether parameters may as well be arguments: the parse that C++ is known for. Functions are hardly ever
// announced in functions.
func (w *syntax) isVexingParse(fn int32) bool {
	n := 0
	for c := range w.Parts(w.Field(fn, "parameters")) {
		if w.Kind(c) != "parameter_declaration" {
			return false
		}
		t, dn := w.Field(c, "type"), w.Field(c, "declarator")
		if t < 0 || w.Start(t) > w.Start(c) { // const T
			return false
		}
		made := w.Kind(dn) == "abstract_function_declarator" // T()
		switch w.Kind(t) {
		case "type_identifier", "qualified_identifier":
			if dn >= 0 && !made {
				return false
			}
		case "template_type", "primitive_type":
			if !made {
				return false
			}
		default:
			return false
		}
		n++
	}
	return n > 0
}

// around gives the template around a declaration, or the declaration.
func (w *syntax) around(n int32) int32 {
	for p := n - 1; p >= 0 && p > n-200; p-- {
		if w.Next(p) >= w.Next(n) {
			if w.Is(p, "template_declaration") {
				return p
			}
			break
		}
	}
	return n
}

// inDeadBranch tells whether an offset stands in a branch that was taken out.
func (w *syntax) inDeadBranch(at int32) bool {
	i, _ := slices.BinarySearchFunc(w.s.deadBranches, at, func(r byteRange, at int32) int {
		if r.end <= at {
			return -1
		}
		return 1
	})
	return i < len(w.s.deadBranches) && w.s.deadBranches[i].start <= at
}
