package xmlnode

import (
	"iter"
	"strconv"
	"strings"
)

// A Node is an element. All methods work on nil, which has nothing.
type Node struct {
	Name  string // such as "w:p"
	Attrs []Attr
	Text  string  // the characters directly in it, joined
	Nodes []*Node // the elements in it
}

// An Attr is an attribute. Its name has a prefix where the part gives it a namespace.
type Attr struct{ Name, Value string }

// Attr returns the value of an attribute, "" where there is none.
func (n *Node) Attr(name string) string {
	s, _ := n.Lookup(name)
	return s
}

// Lookup returns the value of an attribute, and whether it is there.
func (n *Node) Lookup(name string) (string, bool) {
	if n != nil {
		for _, a := range n.Attrs {
			if a.Name == name {
				return a.Value, true
			}
		}
	}
	return "", false
}

// Int returns the value of an attribute as a number, or other where there is none.
func (n *Node) Int(name string, other int) int {
	if v, err := strconv.Atoi(strings.TrimSpace(n.Attr(name))); err == nil {
		return v
	}
	return other
}

// Child follows names down, at each the first element that has it; nil where there is none.
func (n *Node) Child(names ...string) *Node {
	for _, name := range names {
		var next *Node
		for c := range n.Children(name) {
			next = c
			break
		}
		if n = next; n == nil {
			return nil
		}
	}
	return n
}

// Children yields the elements directly in n that have a name.
func (n *Node) Children(name string) iter.Seq[*Node] {
	return func(yield func(*Node) bool) {
		if n == nil {
			return
		}
		for _, c := range n.Nodes {
			if c.Name == name && !yield(c) {
				return
			}
		}
	}
}

// All yields the elements below n that have a name, in the order of the part, and goes no deeper in those it yields.
func (n *Node) All(name string) iter.Seq[*Node] {
	return func(yield func(*Node) bool) { n.all(name, yield) }
}

func (n *Node) all(name string, yield func(*Node) bool) bool {
	if n == nil {
		return true
	}
	for _, c := range n.Nodes {
		if c.Name == name {
			if !yield(c) {
				return false
			}
		} else if !c.all(name, yield) {
			return false
		}
	}
	return true
}

// First returns the first element below n that has a name; nil where there is none.
func (n *Node) First(name string) *Node {
	for c := range n.All(name) {
		return c
	}
	return nil
}

// On reads an element that turns something on or off by its attribute, as w:b does: no attribute means on. It is false for nil.
func (n *Node) On(attr string) bool {
	if n == nil {
		return false
	}
	return True(n.Attr(attr), true)
}

// True reads a boolean of ECMA-376; empty means other.
func True(s string, other bool) bool {
	switch strings.ToLower(strings.TrimSpace(s)) {
	case "":
		return other
	case "0", "false", "off", "f", "no":
		return false
	}
	return true
}
