package codegraph

import "slices"

// What an expression may be depends on names, members, results, arguments, and these on other expressions, in circles. A
// solver finds the least solution of all these equations: each is a cell, which is computed again whenever something that
// it has read changes, until nothing does. The solution does not depend on the order of the work, so that a part of it
// can be computed again after an edit and joined with the rest.

type cellID uint32 // 0 is none

type cellKind uint8

const (
	cellName   cellKind = 1 + iota // values of a name in a scope: f, a: index in f.named
	cellExpr                       // values of an expression: f, a
	cellResult                     // values that calling a function gives: a: declaration
	cellOffer                      // values of a module's name: a: index in offerKeys
	cellBring                      // values of a name that a scope brings in with everything of something: f, a: index in bringOf
	cellElem                       // values in a container: a: index in elemKeys
	cellOrder                      // lookup order of a class: a: declaration; the order is in mros
	cellSource                     // what other places give to a parameter, an attribute, a container, a class: a: index in sources
	cellAction                     // gives such things: f, a: index in f.actions
	cellLink                       // the linkage of a file: f
	cellToken                      // stands for facts that are read without a value
	cellDead                       // what it stood for is gone
)

type cellState uint8

const (
	cellNew    cellState = iota // never computed
	cellQueued                  // to be computed again
	cellActive                  // being computed
	cellClean
)

// A cell is one equation with its value.
type cell struct {
	kind    cellKind
	state   cellState
	again   bool  // while it was active something changed that it had read
	attr    bool  // of a source: it has a value
	changes uint8 // how often its value changed
	a       int32
	readers uint32 // head of the list of cells that read it, in solver.links
	f       *file
	vals    []value
}

const (
	cellBlock   = 1 << 12
	maxNested   = 1500 // computations within one another; deeper ones are put off
	maxReplaced = 60   // changes of a cell before its value only grows: it takes part in a circle with a negation
	maxChanges  = 200
)

type readerLink struct {
	cell cellID
	next uint32
}

type solver struct {
	blocks  [][]cell
	count   cellID
	links   []readerLink // index 0 is unused
	free    uint32       // head of the list of unused links
	queue   []cellID
	late    []cellID // linkages, which are made when nothing else is to be done
	current cellID
	circles int // how often a cell was found to take part in a circle with a negation
	nested  int
	compute func(*cell) []value
	shuffle func([]cellID) // for tests: puts another one first
}

func (s *solver) cell(id cellID) *cell { return &s.blocks[id/cellBlock][id%cellBlock] }

func (s *solver) add(kind cellKind, f *file, a int32) cellID {
	if s.count == 0 { // cell 0 and link 0 stand for none
		s.blocks = [][]cell{make([]cell, cellBlock)}
		s.links = make([]readerLink, 1, 1024)
		s.count = 1
	}
	id := s.count
	s.count++
	if int(id/cellBlock) == len(s.blocks) {
		s.blocks = append(s.blocks, make([]cell, cellBlock))
	}
	c := s.cell(id)
	c.kind, c.f, c.a = kind, f, a
	return id
}

// read gives the value of a cell, and remembers that the current one depends on it.
func (s *solver) read(id cellID) []value {
	c := s.cell(id)
	switch {
	case c.state != cellNew && c.state != cellQueued:
	case s.nested < maxNested:
		s.run(id)
	case c.state == cellNew:
		s.enqueue(id)
	}
	s.depend(c)
	return c.vals
}

// depend makes the current cell a reader of c.
func (s *solver) depend(c *cell) {
	if s.current == 0 || c.readers != 0 && s.links[c.readers].cell == s.current {
		return
	}
	i := s.free
	if i != 0 {
		s.free = s.links[i].next
	} else {
		i = uint32(len(s.links))
		s.links = append(s.links, readerLink{})
	}
	s.links[i] = readerLink{s.current, c.readers}
	c.readers = i
}

func (s *solver) enqueue(id cellID) {
	s.cell(id).state = cellQueued
	s.queue = append(s.queue, id)
}

// run computes a cell.
func (s *solver) run(id cellID) {
	c := s.cell(id)
	c.state, c.again = cellActive, false
	before := s.current
	s.current = id
	s.nested++
	vals := s.compute(c)
	s.nested--
	s.current = before
	c.state = cellClean
	if !equalValues(c.vals, vals) {
		s.set(c, vals)
	}
	if c.again {
		s.enqueue(id)
	}
}

// set gives a cell another value and has its readers computed again.
func (s *solver) set(c *cell, vals []value) {
	if c.changes > maxReplaced {
		s.circles++
		vals = union(c.vals, vals...)
		if c.changes > maxChanges || equalValues(c.vals, vals) {
			return
		}
	}
	if c.changes < 255 {
		c.changes++
	}
	c.vals = slices.Clip(vals)
	s.fire(c)
}

// fire has the readers of a cell computed again; they will say anew that they read it.
func (s *solver) fire(c *cell) {
	i := c.readers
	c.readers = 0
	for i != 0 {
		link := s.links[i]
		s.links[i] = readerLink{next: s.free}
		s.free = i
		switch r := s.cell(link.cell); r.state {
		case cellActive:
			r.again = true
		case cellClean:
			if r.kind == cellLink { // when all else is known
				r.state = cellQueued
				s.late = append(s.late, link.cell)
			} else {
				s.enqueue(link.cell)
			}
		}
		i = link.next
	}
}

// solve works until nothing changes any more. stop is asked from time to time.
func (s *solver) solve(stop func() error) error {
	for n := 0; len(s.queue)+len(s.late) > 0; n++ {
		if n%1024 == 0 {
			if err := stop(); err != nil {
				return err
			}
		}
		if len(s.queue) == 0 {
			s.queue, s.late = s.late, nil
		}
		if s.shuffle != nil {
			s.shuffle(s.queue)
		}
		id := s.queue[0]
		s.queue = s.queue[1:]
		if s.cell(id).state == cellQueued {
			s.run(id)
		}
	}
	s.queue = nil
	return nil
}
