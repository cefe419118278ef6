package value

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
)

// A Kind says what a value is, and what its numbers A and B mean.
type Kind uint8

// The kinds of values.
const (
	External Kind = iota // something outside of the repository; A: the number of its type, or 0
	Class                // A: declaration; B: one more than the number of its type arguments, or 0; Bound: the type of pointers to it
	Func                 // A: declaration; Bound: has its receiver
	Inst                 // A: declaration of its class; B: as of Class; Bound: a pointer to it, where a language tells them apart
	Super                // A: declaration of the class, B: of the class whose bases are looked at
	Module               // A: its number
	Box                  // a list or mapping; A: its number, B: its view; Bound: a pointer to it
	Gen                  // what a generator function gives; A: declaration
	Space                // a namespace; A: declaration
	Type                 // a type whose instances are a class itself; A: declaration
	Over                 // an overloaded name; A: one of its functions, B: one more than the class it was looked up in, or 0
	Unsure               // one of so many functions that none is named
	Give                 // a method of a container; A: as of Box, B: what it gives and of which view
	Param                // a type parameter; A: its class, B: its number
	Many                 // more than is worth following; nothing else is in such a set
)

// A Value is one thing an expression may be, and how that is known. Sets of values are slices; their order says nothing.
type Value struct {
	Kind  Kind
	Bound bool
	Fixed bool // may not be changed, see lang.OpConst; of a method: its receiver may not
	Level uint8
	A, B  int32
}

// Same tells whether two values are one, however they are known.
func (v Value) Same(w Value) bool {
	return v.Kind == w.Kind && v.A == w.A && v.B == w.B
}

// MaxValues is the number of values of one expression above which nothing is said of it. What is built on such an
// expression is not followed either: otherwise it would matter when the limit was passed. A container counts twice: many
// functions or classes are a table that is dispatched over, many containers are the data of many callers.
const MaxValues = 32

// TooMany is the set of which nothing is said.
func TooMany() []Value { return many }

var many = []Value{{Kind: Many, Level: model.LevelName}}

// Union adds values to a set. It leaves the set as it was and gives another one where they differ.
func Union(l []Value, more ...Value) []Value {
	if len(l) == 1 && l[0].Kind == Many {
		return l
	}
next:
	for m, v := range more {
		if v.Kind == Many {
			return many
		}
		for i := range l {
			if l[i].Same(v) {
				if v.Level < l[i].Level || v.Bound && !l[i].Bound || l[i].Fixed && !v.Fixed {
					l = slices.Clone(l) // it may be what a cell holds
					l[i].Level = min(l[i].Level, v.Level)
					l[i].Bound = l[i].Bound || v.Bound
					l[i].Fixed = l[i].Fixed && v.Fixed
				}
				continue next
			}
		}
		if len(l) >= MaxValues/2 && weight(l)+weight(more[m:m+1]) > MaxValues {
			return many
		}
		l = append(l[:len(l):len(l)], v)
	}
	return l
}

// weight is how much a set counts towards MaxValues.
func weight(l []Value) int {
	n := len(l)
	for i := range l {
		if l[i].Kind == Box {
			n++
		}
	}
	return n
}

// Weaken gives copies known no better than lvl.
func Weaken(l []Value, lvl uint8) []Value {
	if !slices.ContainsFunc(l, func(v Value) bool { return v.Level < lvl }) {
		return l
	}
	l = slices.Clone(l)
	for i := range l {
		l[i].Level = max(l[i].Level, lvl)
	}
	return l
}

// Equal compares two sets.
func Equal(a, b []Value) bool {
	if len(a) != len(b) {
		return false
	}
	for _, v := range a {
		if !slices.Contains(b, v) {
			return false
		}
	}
	return true
}

// Inside tells a value of the repository from one outside, and from a container of the language.
func Inside(v Value) bool { return v.Kind != External && v.Kind != Box && v.Kind != Param }

// Says tells whether what a declared type gives is more than that a value is some function or container.
func Says(vals []Value) bool {
	return slices.ContainsFunc(vals, func(v Value) bool { return v.Kind == Inst || v.Kind == Class || v.Kind == External })
}

// AnyWithin tells whether any of the values is in the repository.
func AnyWithin(vals []Value) bool {
	return slices.ContainsFunc(vals, func(v Value) bool { return v.Kind != External && v.Kind != Param })
}

// Generic tells whether values speak of type parameters.
func Generic(vals []Value) bool {
	return slices.ContainsFunc(vals, func(v Value) bool { return v.Kind == Param || v.Kind == Inst && v.B != 0 })
}

// WithoutParams leaves out the type parameters themselves.
func WithoutParams(vals []Value) []Value {
	param := func(v Value) bool { return v.Kind == Param }
	if !slices.ContainsFunc(vals, param) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), param)
}
