package lang

import "strings"

// Array is the name under which [OpApply] makes arrays of its one type argument.
const Array = "[]"

// Outside is what a linker knows of types that are in no repository: to follow values through their containers, and to
// choose among overloads by the types of arguments. Types are known by their last names; one that begins with "'" is a type
// parameter, and anything may be given for it.
type Outside struct {
	Any     string              // the type of everything
	Null    string              // the type of the value that every type has, but those in Values
	Values  map[string]bool     // types without Null
	Final   map[string]bool     // types that no other type can be given for, unless Wider says so
	Lambdas map[string]int      // types that stand for a function, by its number of parameters
	Wider   map[string][]string // all that a type can be given for besides itself and Any, nearest first
	Results map[string]string   // what methods give on whatever outside type they are called; "=" is that type itself
	Members map[string]Member   // what methods of containers give
}

// A Member is what a method of a container gives. Functions among its arguments get the container's keys and values.
type Member uint8

// What methods of containers give. Combinations give either.
const (
	Value   Member = 1 << iota // one of its values
	Key                        // one of its keys
	Same                       // a container of the same
	Entries                    // a container of pairs of the same keys and values
	KeySet                     // a container of its keys
	Mapped                     // a container of what a function among the arguments gives
	Flat                       // a container of what is in the containers that a function among the arguments gives
	Takes                      // nothing of the container; functions get what is in it
)

// ConstType stands before the name of a pointer to what may not be changed.
const ConstType = "const "

// The names under which the last and the first type argument of a container are found by [OpIndex].
const (
	Values = "\x00value"
	Keys   = "\x00key"
)

// Members reads lines of a kind (value, key, same, both, entries, keys, mapped, flat, takes) followed by a colon and the names of
// methods; a line without a colon goes on with the kind before it.
func Members(s string) map[string]Member {
	kinds := map[string]Member{"value": Value, "key": Key, "same": Same, "both": Value | Same, "entries": Entries, "keys": KeySet,
		"mapped": Mapped, "flat": Flat, "takes": Takes}
	m := map[string]Member{}
	var kind Member
	for line := range strings.Lines(s) {
		if name, rest, ok := strings.Cut(line, ":"); ok {
			kind, line = kinds[strings.TrimSpace(name)], rest
		}
		for _, w := range strings.Fields(line) {
			m[w] |= kind
		}
	}
	return m
}
