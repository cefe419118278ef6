package link

// A cone gathers the cells that rest on others.
type cone struct {
	l    *Linker
	in   []bool
	list []cellID
}

func newCone(l *Linker) *cone { return &cone{l: l, in: make([]bool, l.count)} }

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
	for i := c.l.cell(id).readers; i != 0; i = c.l.solver.link(i).next {
		k := c.l.solver.link(i)
		if r := k.cell; int(r) < len(c.in) && !c.in[r] && c.l.holds(k) {
			c.in[r] = true
			take(r)
		}
	}
}

// forget takes the values from all cells gathered, and has the actions and linkages among them made again.
func (c *cone) forget() {
	l := c.l
	for _, id := range c.list {
		x := l.cell(id)
		for i := x.readers; i != 0; {
			next := l.solver.link(i).next
			l.drop(i)
			i = next
		}
		x.readers, x.changes = 0, 0
		x.turn++
		x.flags &^= flagAgain
		switch x.kind {
		case cellDead, cellToken:
		case cellAction:
			l.enqueue(id)
		case cellLink:
			x.state = cellQueued
			l.late = append(l.late, id)
		case cellSource:
			if x.flags&flagAttr != 0 {
				x.n, x.state = 0, cellNew
			}
		case cellOrder:
			delete(l.mros, x.a)
			x.state = cellNew
		default:
			x.n, x.state = 0, cellNew
		}
	}
}

// scope takes all that read anything of the names of a scope.
func (c *cone) scope(s int32) {
	for b := range uint32(tokenBuckets) {
		c.readers(c.l.tokens[tokenKey{scope: s, bucket: b}])
	}
}

// extend makes room for cells that were added since.
func (c *cone) extend() {
	if n := int(c.l.count) - len(c.in); n > 0 {
		c.in = append(c.in, make([]bool, n)...)
	}
}
