package solver

// A Cone gathers the cells that rest on others, through any number of steps.
type Cone struct {
	s    *Solver
	in   []bool
	list []ID
}

// NewCone makes an empty cone.
func (s *Solver) NewCone() *Cone { return &Cone{s: s, in: make([]bool, s.count)} }

// Add takes a cell and all that rests on it.
func (c *Cone) Add(id ID) {
	if id == 0 || int(id) >= len(c.in) || c.in[id] {
		return
	}
	c.in[id] = true
	from := len(c.list)
	c.list = append(c.list, id)
	for ; from < len(c.list); from++ {
		c.above(c.list[from], func(r ID) { c.list = append(c.list, r) })
	}
}

// Readers takes what rests on a cell, but not the cell.
func (c *Cone) Readers(id ID) {
	if id == 0 {
		return
	}
	var list []ID
	c.above(id, func(r ID) { c.in[r] = false; list = append(list, r) })
	for _, r := range list {
		c.Add(r)
	}
}

func (c *Cone) above(id ID, take func(ID)) {
	for i := c.s.Cell(id).readers; i != 0; i = c.s.link(i).next {
		k := c.s.link(i)
		if r := k.cell; int(r) < len(c.in) && !c.in[r] && c.s.holds(k) {
			c.in[r] = true
			take(r)
		}
	}
}

// Forget takes the values from all cells gathered, and has those computed again that nobody asks for.
func (c *Cone) Forget() {
	s := c.s
	for _, id := range c.list {
		x := s.Cell(id)
		for i := x.readers; i != 0; {
			next := s.link(i).next
			s.drop(i)
			i = next
		}
		x.readers, x.changes = 0, 0
		x.turn++
		x.again = false
		r := &s.rules[x.Kind]
		if x.Kind == dead || r.Compute == nil {
			continue
		}
		x.n, x.state = 0, stateNew
		if r.Forget != nil {
			r.Forget(x)
		}
		if r.Eager {
			s.Enqueue(id)
		}
	}
}

// Extend makes room for cells that were added since.
func (c *Cone) Extend() {
	if n := int(c.s.count) - len(c.in); n > 0 {
		c.in = append(c.in, make([]bool, n)...)
	}
}
