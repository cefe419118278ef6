package link

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
)

type valKind uint8

const (
	vExternal valKind = iota // something outside of the repository; a: one more than its index in evaluation.outsides, or 0
	vClass                   // a: declaration; b: type arguments, see generic.go; bound: the type of pointers to it
	vFunc                    // a: declaration; bound: has its receiver
	vInst                    // a: declaration of its class; b: as of vClass; bound: a pointer to it, where a language tells them apart
	vSuper                   // a: declaration of the class, b: of the class whose bases are looked at
	vModule                  // a: index in evaluation.modules
	vBox                     // a list or mapping; a: index in evaluation.boxes, b: its view; bound: a pointer to it
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

func (v value) same(w value) bool {
	return v.kind == w.kind && v.a == w.a && v.b == w.b
}

// MaxValues is the number of values of one expression above which nothing is said of it. What is built on such an
// expression is not followed either: otherwise it would matter when the limit was passed. A container counts twice: many
// functions or classes are a table that is dispatched over, many containers are the data of many callers.
const MaxValues = 32

var many = []value{{kind: vMany, lvl: model.LevelName}}

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

// weight is how much a set counts towards maxValues.
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
