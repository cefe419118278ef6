package solver

import "github.com/findspot/findspot/codegraph/internal/value"

// An ID is the number of a cell; 0 is none.
type ID uint32

// A Kind is the number of a rule.
type Kind uint8

// dead is the kind of a cell whose subject is gone.
const dead Kind = 0

// A Rule says how the cells of one kind are computed.
type Rule struct {
	Compute func(*Cell) []value.Value // nil: the cells have no value, they stand for something that is read beside them
	Forget  func(*Cell)               // drops what is kept beside the values; may be nil
	Eager   bool                      // a cell that was forgotten is computed again though nobody asks
	Late    bool                      // and that only when nothing else is to be done
}

type state uint8

const (
	stateNew    state = iota // never computed
	stateQueued              // to be computed again
	stateActive              // being computed
	stateClean
)

// A Cell is one equation with its value.
type Cell struct {
	Kind    Kind
	state   state
	again   bool   // while it was active something changed that it had read
	changes uint8  // how often its value changed
	Arg     int32  // what its rule knows it by
	File    int32  // and this
	readers uint32 // head of the list of cells that read it, in Solver.links
	vals    uint32 // where its values are, in Solver.pool
	n       uint16 // how many there are
	turn    uint16 // counts how often it was computed or forgotten
}

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
	cell ID
	next uint32
	turn uint16 // of the reader
}

func (s *Solver) holds(k *readerLink) bool { return s.Cell(k.cell).turn == k.turn }

// A Solver keeps cells, their readers and their values in blocks without pointers: there are many of them, and they live long.
type Solver struct {
	blocks   [][]Cell
	count    ID
	links    [][]readerLink // index 0 is unused
	linked   uint32         // number of links
	free     uint32         // head of the list of unused links
	unused   uint32         // their number
	pool     [][]value.Value
	pooled   uint32 // number of places in the pool that were given away, those given back included
	queue    []ID
	late     []ID // to be computed when nothing else is
	current  ID
	replaced int // see circles
	nested   int
	rules    []Rule
	shuffle  func(n int, swap func(i, j int)) // for tests: puts another one first
}

// Cell gives a cell, for its rule.
func (s *Solver) Cell(id ID) *Cell { return &s.blocks[id/cellBlock][id%cellBlock] }

func (s *Solver) link(i uint32) *readerLink { return &s.links[i/linkBlock][i%linkBlock] }

// values gives the values of a cell, which are not to be changed.
func (s *Solver) values(c *Cell) []value.Value {
	if c.n == 0 {
		return nil
	}
	from := c.vals % valueBlock
	to := from + uint32(c.n)
	return s.pool[c.vals/valueBlock][from:to:to]
}

// keep puts values into the pool. Whoever reads those before may go on.
func (s *Solver) keep(c *Cell, vals []value.Value) {
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

// Circles counts how often a cell was found to take part in a circle with a negation.
func (s *Solver) Circles() int { return s.replaced }

// Cells counts the cells, those that are dead included.
func (s *Solver) Cells() int { return int(s.count) }

// Size is how many links there are, and places in the pool that were given away.
func (s *Solver) Size() int { return int(s.linked-s.unused) + int(s.pooled) }

// Compact lets go of what edits leave behind: values that were replaced, and links that do not hold any more or that a cell has
// already. No cell is being computed.
func (s *Solver) Compact() {
	seen := make([]ID, s.count) // by reader: the last cell whose list it was met in
	old := *s
	s.pool, s.pooled = nil, 0
	for id := ID(1); id < s.count; id++ {
		c := s.Cell(id)
		s.keep(c, old.values(c))
		at := &c.readers
		for *at != 0 {
			i := *at
			link := s.link(i)
			if r := link.cell; seen[r] == id || !s.holds(link) || s.Cell(r).Kind == dead {
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
func (s *Solver) drop(i uint32) {
	*s.link(i) = readerLink{next: s.free}
	s.free = i
	s.unused++
}

// New makes a solver without cells. Cell 0 and link 0 stand for none.
func New(shuffle func(n int, swap func(i, j int))) *Solver {
	return &Solver{blocks: [][]Cell{make([]Cell, cellBlock)}, links: [][]readerLink{make([]readerLink, linkBlock)}, linked: 1, count: 1,
		rules: []Rule{{Compute: func(*Cell) []value.Value { return nil }}}, shuffle: shuffle}
}

// Define makes a kind of cells.
func (s *Solver) Define(r Rule) Kind {
	s.rules = append(s.rules, r)
	return Kind(len(s.rules) - 1)
}

// Add makes a cell of a file, which is looked up by the rule of its kind together with a.
func (s *Solver) Add(kind Kind, file, a int32) ID {
	id := s.count
	s.count++
	if int(id/cellBlock) == len(s.blocks) {
		s.blocks = append(s.blocks, make([]Cell, cellBlock))
	}
	c := s.Cell(id)
	c.Kind, c.File, c.Arg = kind, file, a
	if s.rules[kind].Compute == nil {
		c.state = stateClean
	}
	return id
}

// Read gives the value of a cell, and remembers that the current one depends on it.
func (s *Solver) Read(id ID) []value.Value {
	c := s.Cell(id)
	switch {
	case c.state != stateNew && c.state != stateQueued:
	case s.nested < maxNested:
		s.Run(id)
	case c.state == stateNew:
		s.Enqueue(id)
	}
	s.dependOn(c)
	return s.values(c)
}

// Computing tells whether a cell is being computed.
func (s *Solver) Computing() bool { return s.current != 0 }

// Depend makes the current cell a reader of another.
func (s *Solver) Depend(id ID) { s.dependOn(s.Cell(id)) }

func (s *Solver) dependOn(c *Cell) {
	if s.current == 0 {
		return
	}
	turn := s.Cell(s.current).turn
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

// Enqueue has a cell computed.
func (s *Solver) Enqueue(id ID) {
	c := s.Cell(id)
	c.state = stateQueued
	if s.rules[c.Kind].Late {
		s.late = append(s.late, id)
	} else {
		s.queue = append(s.queue, id)
	}
}

// Idle tells whether nothing is left to be computed.
func (s *Solver) Idle() bool { return len(s.queue)+len(s.late) == 0 }

// Kill says that what a cell stood for is gone.
func (s *Solver) Kill(id ID) { s.Cell(id).Kind = dead }

// Rekey gives a cell another number by which its rule knows it.
func (s *Solver) Rekey(id ID, a int32) { s.Cell(id).Arg = a }

// Touch says that something changed which a cell stands for, or reads beside other cells.
func (s *Solver) Touch(id ID) {
	c := s.Cell(id)
	s.Fire(c)
	switch {
	case c.state == stateActive:
		c.again = true
	case c.state == stateClean && s.rules[c.Kind].Compute != nil:
		s.Enqueue(id)
	}
}

// Run computes a cell.
func (s *Solver) Run(id ID) {
	c := s.Cell(id)
	c.state = stateActive
	c.turn++
	c.again = false
	before := s.current
	s.current = id
	s.nested++
	vals := s.rules[c.Kind].Compute(c)
	s.nested--
	s.current = before
	c.state = stateClean
	if !value.Equal(s.values(c), vals) {
		s.set(c, vals)
	}
	if c.again {
		s.Enqueue(id)
	}
}

// set gives a cell another value and has its readers computed again.
func (s *Solver) set(c *Cell, vals []value.Value) {
	if c.changes > maxReplaced {
		s.replaced++
		vals = value.Union(s.values(c), vals...)
		if c.changes > maxChanges || value.Equal(s.values(c), vals) {
			return
		}
	}
	if len(vals) > valueBlock {
		vals = value.TooMany()
	}
	if c.changes < 255 {
		c.changes++
	}
	s.keep(c, vals)
	s.Fire(c)
}

// Changing notes that what is kept beside the values of a cell is to change, and tells whether it may: a cell that takes part
// in a circle with a negation must come to rest.
func (s *Solver) Changing(c *Cell) bool {
	c.changes++
	return c.changes < maxReplaced
}

// Fire has the readers of a cell computed again; they will say anew that they read it.
func (s *Solver) Fire(c *Cell) {
	i := c.readers
	c.readers = 0
	for i != 0 {
		link := *s.link(i)
		s.drop(i)
		switch r := s.Cell(link.cell); {
		case r.turn != link.turn: // it has read anew since
		case r.state == stateActive:
			r.again = true
		case r.state == stateClean:
			s.Enqueue(link.cell)
		}
		i = link.next
	}
}

// Solve works until nothing changes any more. stop is asked from time to time.
func (s *Solver) Solve(stop func() error) error {
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
		if s.Cell(id).state == stateQueued {
			s.Run(id)
		}
	}
	s.queue = nil
	return nil
}
