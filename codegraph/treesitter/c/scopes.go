package c

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// A scopes is the blocks of the function around the place, with the variables that each declares.
type scopes struct {
	sketch
	env        core.Names[variable]
	count      map[string]int   // variables of the function around, by name; nil outside of functions
	qualifiers map[string]bool  // names of the function around that stand before ::
	plain      map[string]bool  // variables of the function around whose type is none of a class
	global     map[string]int32 // variables outside of functions that may hold functions, with their scopes
}

// A variable is a variable of a function's block.
type variable struct {
	name  string // unique in its function
	typed bool   // its type says what it is: no class and no function
	alias bool   // a type or namespace, and no variable
}

// inFunction tells whether a scope is a function's, where declarations are variables.
func (w *scopes) inFunction(scope int32) bool { return w.In(scope, lang.Function, lang.Lambda) }

// declare names a new variable: in a function, a second one of the same name gets a name of its own.
func (w *scopes) declare(name string, scope int32, typed bool) string {
	if w.count == nil || !w.inFunction(scope) {
		return name
	}
	v := variable{name: name, typed: typed}
	if w.count[name]++; w.count[name] > 1 || w.qualifiers[name] { // what stands before :: is no variable
		v.name = name + "@" + strconv.Itoa(w.count[name])
	}
	if typed {
		w.plain[v.name] = true
	}
	w.env.Add(name, v)
	return v.name
}

// declareType is declare for another name of a type or namespace.
func (w *scopes) declareType(name string, scope int32) string {
	unique := w.declare(name, scope, true)
	if v := w.env.Find(name); v != nil && w.inFunction(scope) {
		v.alias = true
	}
	return unique
}

// block visits what has variables of its own.
func (w *scopes) block(f func()) {
	n := w.env.Len()
	f()
	w.env.Leave(n)
}

// functionScope visits a function or class that sees no variables of the function around.
func (w *scopes) functionScope(function bool, f func()) {
	env, count, plain, quals := w.env, w.count, w.plain, w.qualifiers
	w.env, w.count, w.qualifiers = core.Names[variable]{}, nil, nil
	if function {
		w.count, w.plain, w.qualifiers = map[string]int{}, map[string]bool{}, map[string]bool{}
	}
	f()
	w.env, w.count, w.plain, w.qualifiers = env, count, plain, quals
}

// qualifier gives the sketch of a name before "::". A variable of the name is not meant, be it declared yet or not.
func (w *scopes) qualifier(name string, scope int32) int32 {
	v := w.env.Find(name)
	if v != nil && !v.alias && v.name == name {
		for w.inFunction(scope) {
			scope = w.Declared(scope).Parent
		}
	} else if v == nil && w.qualifiers != nil {
		w.qualifiers[name] = true
	}
	return w.B.Name(scope, name)
}

// nameOf gives the sketch of a name: of a variable of the function around, or of what else has it.
func (w *scopes) nameOf(name string, scope int32) int32 {
	if v := w.env.Find(name); v != nil {
		name = v.name
	}
	return w.B.Name(scope, name)
}

// mention gives the sketch of a plain name. One that is no variable of the function is a mention.
func (w *scopes) mention(n, scope int32) int32 {
	name := w.Text(n)
	if v := w.env.Find(name); v != nil {
		return w.B.Name(scope, v.name)
	}
	if keywords[name] || name == "NULL" {
		return lang.None
	}
	x := w.B.Name(scope, name)
	w.use(n, scope, x)
	return x
}

// mayHoldFunction tells whether an expression may be a function: a name that is no variable with a type.
func (w *scopes) mayHoldFunction(n int32) bool {
	for w.Is(n, "pointer_expression", "parenthesized_expression", "cast_expression") {
		if v := w.Field(n, "value"); v >= 0 {
			n = v
		} else if v := w.Field(n, "argument"); v >= 0 {
			n = v
		} else {
			n = w.Child(n, 0)
		}
	}
	v := w.env.Find(w.Text(n))
	return !w.Is(n, "identifier") || v == nil || !v.typed
}

// setGlobal gives a variable of the file a value, where the file declares it without a type that says all.
func (w *scopes) setGlobal(name string, scope, x, line int32) {
	for s := scope; s != lang.File; s = w.Declared(s).Parent {
		if w.Declared(s).Kind == lang.Class {
			w.B.Set(lang.Assign, scope, w.B.Leaf(lang.OpThis, scope, ""), name, x, line)
			return
		}
		if w.Declared(s).Receiver != "" {
			w.B.Set(lang.Assign, scope, w.B.Leaf(lang.OpThis, scope, ""), name, x, line)
		}
	}
	if in, ok := w.global[name]; ok {
		w.B.Bind(lang.Assign, in, name, x, line)
	}
}

// operator records the call of an operator that a class may define, where its operand may be of one, and gives the call.
func (w *scopes) operator(n, left, right int32, name string, scope int32) int32 {
	if !w.cpp || left == lang.None && right == lang.None || !strings.HasPrefix(name, "operator") || len(name) > 11 {
		return lang.None
	}
	plain := func(x int32) bool {
		switch w.Op(x) {
		case lang.OpExternal, lang.OpString, lang.OpUnknown:
			return true
		case lang.OpName:
			return w.plain[w.B.Facts.Exprs[x].Name]
		}
		return false
	}
	if plain(left) && plain(right) {
		return lang.None
	}
	at := n
	if w.Is(n, "binary_expression") {
		at = w.Child(n, 0)
	}
	call := lang.None
	if !plain(left) {
		var args []lang.Arg
		if right != lang.None {
			args = core.Args(right)
		}
		call = w.B.Call(w.B.Of(lang.OpAttr, left, name), args)
		w.Ref(lang.Call, at, scope, call, "")
	}
	if right == lang.None || name == "operator=" || name == "operator[]" {
		return call
	}
	free := w.B.Call(w.B.Name(scope, name), core.Args(left, right))
	w.Ref(lang.Call, at, scope, free, "")
	return w.B.Any(call, free)
}
