// Package value defines abstract values: what an expression of a program may be, as far as that can be known without running it. A [Value]
// is a class, a function, an instance, a module, a container or the like, by number, with the level at which it is known. Sets of values are
// slices that [Union] joins; a set that grows too large becomes [TooMany], which says nothing. It does not depend on what the numbers stand
// for or how values are found.
package value
