// Package mro orders classes for the lookup of their members (method resolution order). It takes the orders of a class's bases and returns
// the order of the class: by C3 as in Python, or by distance as in Go. It needs nothing but the numbers of the classes.
package mro
