package core

import "strings"

// Names are the names in sight of a place, such as the variables of the blocks around it, with what each means. The zero value
// is empty.
type Names[T any] struct {
	innermost map[string]int // by name: one more than its place in list
	list      []named[T]
}

type named[T any] struct {
	name   string
	value  T
	hidden int // one more than the place of the one that it hides, or 0
}

// Add brings a name into sight, before others that are the same.
func (n *Names[T]) Add(name string, value T) {
	if n.innermost == nil {
		n.innermost = map[string]int{}
	}
	name = strings.Clone(name)
	n.list = append(n.list, named[T]{name, value, n.innermost[name]})
	n.innermost[name] = len(n.list)
}

// Find gives what a name means, nil for none. It is good until the next name is added.
func (n *Names[T]) Find(name string) *T {
	if i := n.innermost[name]; i > 0 {
		return &n.list[i-1].value
	}
	return nil
}

// Len is how many names are in sight.
func (n *Names[T]) Len() int { return len(n.list) }

// Leave takes all names but the first ones out of sight.
func (n *Names[T]) Leave(first int) {
	for i := len(n.list) - 1; i >= first; i-- {
		n.innermost[n.list[i].name] = n.list[i].hidden
	}
	n.list = n.list[:first]
}
