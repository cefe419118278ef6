package codegraph

// The queries (traverse, retrieve, search) reach the graph through the functions of this file and through find and
// edge alone, so that how nodes and edges lie in memory can change without them.

// entity gives node n.
func (g *Graph) entity(n uint32) Entity { return g.nodes[n].Entity }

// nodeID gives the id of node n.
func (g *Graph) nodeID(n uint32) string { return g.nodes[n].ID }

// nodeKind gives the kind of node n.
func (g *Graph) nodeKind(n uint32) Kind { return g.nodes[n].Kind }

// nodeName gives the last name of node n.
func (g *Graph) nodeName(n uint32) string { return g.nodes[n].Name }

// nodePath gives the path of node n.
func (g *Graph) nodePath(n uint32) string { return g.nodes[n].Path }

// isTest tells whether node n is test code.
func (g *Graph) isTest(n uint32) bool { return g.nodes[n].Test }

// extent gives the range of node n in its file, in bytes, and where its signature ends.
func (g *Graph) extent(n uint32) (start, end, body int) {
	x := &g.nodes[n]
	return int(x.start), int(x.end), int(x.body)
}

// ends gives the two nodes of edge e.
func (g *Graph) ends(e uint32) (src, dst uint32) { return g.edges[e].src, g.edges[e].dst }

// edgeKind gives the kind of edge e as its index in edgeKinds.
func (g *Graph) edgeKind(e uint32) uint8 { return g.edges[e].kind }

// edgeLevel gives the level of edge e.
func (g *Graph) edgeLevel(e uint32) Level { return levels[g.edges[e].level] }

// adjacent yields the edges that leave n by kind and place, or those that reach it by source and kind.
func (g *Graph) adjacent(n uint32, back bool) func(func(uint32) bool) {
	return func(yield func(uint32) bool) {
		if back {
			for _, e := range g.in[g.inAt[n]:g.inAt[n+1]] {
				if !yield(e) {
					return
				}
			}
			return
		}
		for e := g.outAt[n]; e < g.outAt[n+1]; e++ {
			if !yield(e) {
				return
			}
		}
	}
}

// reached gives the number of edges that end in n.
func (g *Graph) reached(n uint32) int { return int(g.inAt[n+1] - g.inAt[n]) }

// nodesNamed gives the nodes with this last name in lower case, in order; a file also goes by its name without extension.
func (g *Graph) nodesNamed(lower string) []uint32 { return g.byName[lower] }

// names yields the last names in lower case, each once, in no order.
func (g *Graph) names(yield func(string) bool) {
	for name := range g.byName {
		if !yield(name) {
			return
		}
	}
}
