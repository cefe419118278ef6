package link

import (
	"slices"
)

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
