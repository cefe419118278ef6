// Package mro orders classes for the lookup of their members (method resolution order). The orders of a class's bases go in; what
// comes out is the order of the class: by C3 as in Python, or by distance as in Go. It knows classes by number alone.
package mro
