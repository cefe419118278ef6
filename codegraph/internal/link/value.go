package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
)

// A valKind says what a value is, and what its numbers a and b mean.
type valKind uint8

const (
	vExternal valKind = iota // something outside of the repository; a: the number of its type, or 0
	vClass                   // a: declaration; b: one more than the number of its type arguments, or 0; bound: the type of pointers to it
	vFunc                    // a: declaration; bound: has its receiver
	vInst                    // a: declaration of its class; b: as of vClass; bound: a pointer to it, where a language tells them apart
	vSuper                   // a: declaration of the class, b: of the class whose bases are looked at
	vModule                  // a: its number
	vBox                     // a list or mapping; a: its number, b: its view; bound: a pointer to it
	vGen                     // what a generator function gives; a: declaration
	vSpace                   // a namespace; a: declaration
	vType                    // a type whose instances are a class itself; a: declaration
	vOver                    // an overloaded name; a: one of its functions, b: one more than the class it was looked up in, or 0
	vUnsure                  // one of so many functions that none is named
	vGive                    // a method of a container; a: as of vBox, b: what it gives and of which view
	vParam                   // a type parameter; a: its class, b: its number
	vMany                    // more than is worth following; nothing else is in such a set
)

// A value is one thing an expression may be, and how that is known. Sets of values are slices; their order says nothing.
type value struct {
	kind  valKind
	bound bool
	fixed bool // may not be changed, see lang.OpConst; of a method: its receiver may not
	lvl   uint8
	a, b  int32
}

// same tells whether two values are one, however they are known.
func (v value) same(w value) bool {
	return v.kind == w.kind && v.a == w.a && v.b == w.b
}

// MaxValues is the number of values of one expression above which nothing is said of it. What is built on such an
// expression is not followed either: otherwise it would matter when the limit was passed. A container counts twice: many
// functions or classes are a table that is dispatched over, many containers are the data of many callers.
const MaxValues = 32

// many is the set of which nothing is said.
var many = []value{{kind: vMany, lvl: model.LevelName}}

// union adds values to a set. It leaves the set as it was and gives another one where they differ.
func union(l []value, more ...value) []value {
	if len(l) == 1 && l[0].kind == vMany {
		return l
	}
next:
	for m, v := range more {
		if v.kind == vMany {
			return many
		}
		for i := range l {
			if l[i].same(v) {
				if v.lvl < l[i].lvl || v.bound && !l[i].bound || l[i].fixed && !v.fixed {
					l = slices.Clone(l) // it may be what a cell holds
					l[i].lvl = min(l[i].lvl, v.lvl)
					l[i].bound = l[i].bound || v.bound
					l[i].fixed = l[i].fixed && v.fixed
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
func weight(l []value) int {
	n := len(l)
	for i := range l {
		if l[i].kind == vBox {
			n++
		}
	}
	return n
}

// weaken gives copies known no better than lvl.
func weaken(l []value, lvl uint8) []value {
	if !slices.ContainsFunc(l, func(v value) bool { return v.lvl < lvl }) {
		return l
	}
	l = slices.Clone(l)
	for i := range l {
		l[i].lvl = max(l[i].lvl, lvl)
	}
	return l
}

// equalValues compares two sets.
func equalValues(a, b []value) bool {
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

// inside tells a value of the repository from one outside, and from a container of the language.
func inside(v value) bool { return v.kind != vExternal && v.kind != vBox && v.kind != vParam }

// says tells whether what a declared type gives is more than that a value is some function or container.
func says(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == vInst || v.kind == vClass || v.kind == vExternal })
}

// within tells whether any of the values is in the repository.
func within(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind != vExternal && v.kind != vParam })
}

// generic tells whether values speak of type parameters.
func generic(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == vParam || v.kind == vInst && v.b != 0 })
}

// plainly leaves out the type parameters themselves.
func plainly(vals []value) []value {
	param := func(v value) bool { return v.kind == vParam }
	if !slices.ContainsFunc(vals, param) {
		return vals
	}
	return slices.DeleteFunc(slices.Clone(vals), param)
}
