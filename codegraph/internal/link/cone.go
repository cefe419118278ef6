package link

// A cone gathers the cells that rest on others.
type cone struct {
	s    *solver
	in   []bool
	list []cellID
}

func (s *solver) newCone() *cone { return &cone{s: s, in: make([]bool, s.count)} }

// add takes a cell and all that rests on it.
func (c *cone) add(id cellID) {
	if id == 0 || int(id) >= len(c.in) || c.in[id] {
		return
	}
	c.in[id] = true
	from := len(c.list)
	c.list = append(c.list, id)
	for ; from < len(c.list); from++ {
		c.above(c.list[from], func(r cellID) { c.list = append(c.list, r) })
	}
}

// readers takes what rests on a cell, but not the cell.
func (c *cone) readers(id cellID) {
	if id == 0 {
		return
	}
	var list []cellID
	c.above(id, func(r cellID) { c.in[r] = false; list = append(list, r) })
	for _, r := range list {
		c.add(r)
	}
}

func (c *cone) above(id cellID, take func(cellID)) {
	for i := c.s.cell(id).readers; i != 0; i = c.s.link(i).next {
		k := c.s.link(i)
		if r := k.cell; int(r) < len(c.in) && !c.in[r] && c.s.holds(k) {
			c.in[r] = true
			take(r)
		}
	}
}

// forget takes the values from all cells gathered, and has those computed again that nobody asks for.
func (c *cone) forget() {
	s := c.s
	for _, id := range c.list {
		x := s.cell(id)
		for i := x.readers; i != 0; {
			next := s.link(i).next
			s.drop(i)
			i = next
		}
		x.readers, x.changes = 0, 0
		x.turn++
		x.flags &^= flagAgain
		switch r := &s.rules[x.kind]; {
		case x.kind == cellDead, r.compute == nil:
		case r.eager:
			s.enqueue(id)
		default:
			x.n, x.state = 0, cellNew
			if r.forget != nil {
				r.forget(x)
			}
		}
	}
}

// extend makes room for cells that were added since.
func (c *cone) extend() {
	if n := int(c.s.count) - len(c.in); n > 0 {
		c.in = append(c.in, make([]bool, n)...)
	}
}
