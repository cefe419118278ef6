package link

import "github.com/findspot/findspot/codegraph/internal/value"

// What an expression may be depends on names, members, results, arguments, and these on other expressions, in circles. A
// solver finds the least solution of all these equations: each is a cell, which is computed again whenever something that
// it has read changes, until nothing does. The solution does not depend on the order of the work, so that a part of it
// can be computed again after an edit and joined with the rest.

type cellID uint32 // 0 is none

// A cellKind is the number of a rule.
type cellKind uint8

// cellDead is the kind of a cell whose subject is gone.
const cellDead cellKind = 0

// A rule says how the cells of one kind are computed.
type rule struct {
	compute func(*cell) []value.Value // nil: the cells have no value, they stand for something that is read beside them
	forget  func(*cell)               // drops what is kept beside the values; may be nil
	eager   bool                      // a cell that was forgotten is computed again though nobody asks
	late    bool                      // and that only when nothing else is to be done
}

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
	flags   cellFlag
	changes uint8 // how often its value changed
	a       int32
	file    int32
	readers uint32 // head of the list of cells that read it, in solver.links
	vals    uint32 // where its values are, in solver.pool
	n       uint16 // how many there are
	turn    uint16 // counts how often it was computed or forgotten
}

type cellFlag uint8

const (
	flagAgain cellFlag = 1 << iota // while it was active something changed that it had read
)

const (
	cellBlock   = 1 << 12
	linkBlock   = 1 << 14
	valueBlock  = 1 << 12
	maxNested   = 1500 // computations within one another; deeper ones are put off
	maxReplaced = 60   // changes of a cell before its value only grows: it takes part in a circle with a negation
	maxChanges  = 200
)

// A readerLink says that a cell was read when another was computed. It holds until that one is computed again or forgotten.
type readerLink struct {
	cell cellID
	next uint32
	turn uint16 // of the reader
}

func (s *solver) holds(k *readerLink) bool { return s.cell(k.cell).turn == k.turn }

// A solver keeps cells, their readers and their values in blocks without pointers: there are many of them, and they live long.
type solver struct {
	blocks   [][]cell
	count    cellID
	links    [][]readerLink // index 0 is unused
	linked   uint32         // number of links
	free     uint32         // head of the list of unused links
	unused   uint32         // their number
	pool     [][]value.Value
	pooled   uint32 // number of places in the pool that were given away, those given back included
	queue    []cellID
	late     []cellID // to be computed when nothing else is
	current  cellID
	replaced int // see circles
	nested   int
	rules    []rule
	shuffle  func(n int, swap func(i, j int)) // for tests: puts another one first
}

func (s *solver) cell(id cellID) *cell { return &s.blocks[id/cellBlock][id%cellBlock] }

func (s *solver) link(i uint32) *readerLink { return &s.links[i/linkBlock][i%linkBlock] }

// values gives the values of a cell, which are not to be changed.
func (s *solver) values(c *cell) []value.Value {
	if c.n == 0 {
		return nil
	}
	from := c.vals % valueBlock
	to := from + uint32(c.n)
	return s.pool[c.vals/valueBlock][from:to:to]
}

// keep puts values into the pool. Whoever reads those before may go on.
func (s *solver) keep(c *cell, vals []value.Value) {
	c.n = uint16(len(vals))
	if c.n == 0 {
		return
	}
	if left := valueBlock - s.pooled%valueBlock; len(s.pool) == 0 || int(left) < len(vals) {
		s.pooled = uint32(len(s.pool)) * valueBlock
		s.pool = append(s.pool, make([]value.Value, valueBlock))
	}
	c.vals = s.pooled
	copy(s.pool[c.vals/valueBlock][c.vals%valueBlock:], vals)
	if s.pooled += uint32(c.n); s.pooled%valueBlock == 0 {
		s.pool = append(s.pool, make([]value.Value, valueBlock))
	}
}

// circles counts how often a cell was found to take part in a circle with a negation.
func (s *solver) circles() int { return s.replaced }

// cells counts the cells, those that are dead included.
func (s *solver) cells() int { return int(s.count) }

// size is how many links there are, and places in the pool that were given away.
func (s *solver) size() int { return int(s.linked-s.unused) + int(s.pooled) }

// compact lets go of what edits leave behind: values that were replaced, and links that do not hold any more or that a cell has
// already. No cell is being computed.
func (s *solver) compact() {
	seen := make([]cellID, s.count) // by reader: the last cell whose list it was met in
	old := *s
	s.pool, s.pooled = nil, 0
	for id := cellID(1); id < s.count; id++ {
		c := s.cell(id)
		s.keep(c, old.values(c))
		at := &c.readers
		for *at != 0 {
			i := *at
			link := s.link(i)
			if r := link.cell; seen[r] == id || !s.holds(link) || s.cell(r).kind == cellDead {
				*at = link.next
				s.drop(i)
				continue
			}
			seen[link.cell] = id
			at = &link.next
		}
	}
}

// drop puts a link among those that are not in use.
func (s *solver) drop(i uint32) {
	*s.link(i) = readerLink{next: s.free}
	s.free = i
	s.unused++
}

// newSolver makes a solver without cells. Cell 0 and link 0 stand for none.
func newSolver(shuffle func(n int, swap func(i, j int))) *solver {
	return &solver{blocks: [][]cell{make([]cell, cellBlock)}, links: [][]readerLink{make([]readerLink, linkBlock)}, linked: 1, count: 1,
		rules: []rule{{compute: func(*cell) []value.Value { return nil }}}, shuffle: shuffle}
}

// define makes a kind of cells.
func (s *solver) define(r rule) cellKind {
	s.rules = append(s.rules, r)
	return cellKind(len(s.rules) - 1)
}

// add makes a cell of a file, which is looked up by the rule of its kind together with a.
func (s *solver) add(kind cellKind, file, a int32) cellID {
	id := s.count
	s.count++
	if int(id/cellBlock) == len(s.blocks) {
		s.blocks = append(s.blocks, make([]cell, cellBlock))
	}
	c := s.cell(id)
	c.kind, c.file, c.a = kind, file, a
	if s.rules[kind].compute == nil {
		c.state = cellClean
	}
	return id
}

// read gives the value of a cell, and remembers that the current one depends on it.
func (s *solver) read(id cellID) []value.Value {
	c := s.cell(id)
	switch {
	case c.state != cellNew && c.state != cellQueued:
	case s.nested < maxNested:
		s.run(id)
	case c.state == cellNew:
		s.enqueue(id)
	}
	s.dependOn(c)
	return s.values(c)
}

// computing tells whether a cell is being computed.
func (s *solver) computing() bool { return s.current != 0 }

// depend makes the current cell a reader of another.
func (s *solver) depend(id cellID) { s.dependOn(s.cell(id)) }

func (s *solver) dependOn(c *cell) {
	if s.current == 0 {
		return
	}
	turn := s.cell(s.current).turn
	if c.readers != 0 {
		if k := s.link(c.readers); k.cell == s.current {
			k.turn = turn
			return
		}
	}
	i := s.free
	if i != 0 {
		s.free = s.link(i).next
		s.unused--
	} else {
		i = s.linked
		s.linked++
		if int(i/linkBlock) == len(s.links) {
			s.links = append(s.links, make([]readerLink, linkBlock))
		}
	}
	*s.link(i) = readerLink{s.current, c.readers, turn}
	c.readers = i
}

// enqueue has a cell computed.
func (s *solver) enqueue(id cellID) {
	c := s.cell(id)
	c.state = cellQueued
	if s.rules[c.kind].late {
		s.late = append(s.late, id)
	} else {
		s.queue = append(s.queue, id)
	}
}

// idle tells whether nothing is left to be computed.
func (s *solver) idle() bool { return len(s.queue)+len(s.late) == 0 }

// kill says that what a cell stood for is gone.
func (s *solver) kill(id cellID) { s.cell(id).kind = cellDead }

// rekey gives a cell another number by which its rule knows it.
func (s *solver) rekey(id cellID, a int32) { s.cell(id).a = a }

// touch says that something changed which a cell stands for, or reads beside other cells.
func (s *solver) touch(id cellID) {
	c := s.cell(id)
	s.fire(c)
	switch {
	case c.state == cellActive:
		c.flags |= flagAgain
	case c.state == cellClean && s.rules[c.kind].compute != nil:
		s.enqueue(id)
	}
}

// run computes a cell.
func (s *solver) run(id cellID) {
	c := s.cell(id)
	c.state = cellActive
	c.turn++
	c.flags &^= flagAgain
	before := s.current
	s.current = id
	s.nested++
	vals := s.rules[c.kind].compute(c)
	s.nested--
	s.current = before
	c.state = cellClean
	if !value.Equal(s.values(c), vals) {
		s.set(c, vals)
	}
	if c.flags&flagAgain != 0 {
		s.enqueue(id)
	}
}

// set gives a cell another value and has its readers computed again.
func (s *solver) set(c *cell, vals []value.Value) {
	if c.changes > maxReplaced {
		s.replaced++
		vals = value.Union(s.values(c), vals...)
		if c.changes > maxChanges || value.Equal(s.values(c), vals) {
			return
		}
	}
	if len(vals) > valueBlock {
		vals = value.TooMany
	}
	if c.changes < 255 {
		c.changes++
	}
	s.keep(c, vals)
	s.fire(c)
}

// changing notes that what is kept beside the values of a cell is to change, and tells whether it may: a cell that takes part
// in a circle with a negation must come to rest.
func (s *solver) changing(c *cell) bool {
	c.changes++
	return c.changes < maxReplaced
}

// fire has the readers of a cell computed again; they will say anew that they read it.
func (s *solver) fire(c *cell) {
	i := c.readers
	c.readers = 0
	for i != 0 {
		link := *s.link(i)
		s.drop(i)
		switch r := s.cell(link.cell); {
		case r.turn != link.turn: // it has read anew since
		case r.state == cellActive:
			r.flags |= flagAgain
		case r.state == cellClean:
			s.enqueue(link.cell)
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
			s.shuffle(len(s.queue), func(i, j int) { s.queue[i], s.queue[j] = s.queue[j], s.queue[i] })
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
