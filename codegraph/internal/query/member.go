package query

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/vectors"
	"github.com/findspot/findspot/internal/errs"
)

// A Member is one graph of several side by side, or one alone without a name.
type Member struct {
	Name  string // ids of its entities begin with "Name//"
	Graph *snapshot.Graph

	Vectors *vectors.Index // of its functions and classes; nil: there are none
}

// ID writes an id as the set shows it.
func (m Member) ID(local string) string {
	if m.Name == "" {
		return local
	}
	return m.Name + "//" + local
}

// cutMember cuts the name of a member off an id.
func cutMember(id string) (name, local string, ok bool) {
	name, local, ok = strings.Cut(id, "//")
	if !ok || name == "" || strings.ContainsAny(name, "/: \t\n") { // "//" may be in a text, too
		return "", id, false
	}
	return name, local, true
}

// Local gives an id as the member has it; ok is false when it has another's name.
func (m Member) Local(id string) (local string, ok bool) {
	name, local, ok := cutMember(id)
	if !ok {
		return id, true
	}
	return local, name == m.Name
}

// node gives a node with its id as the set shows it.
func (m Member) node(n uint32) snapshot.Node {
	e := m.Graph.Node(n)
	e.ID = m.ID(e.ID)
	return e
}

// maxNear is how many ids an error lists.
const maxNear = 5

// Resolve finds the node that an id, "path:line", or a name that means no other stands for; errors write ids as the set shows them.
func (m Member) Resolve(id string) (uint32, error) {
	meant := slices.DeleteFunc(Resolve(m.Graph, id), func(m Match) bool { return m.Fold })
	if len(meant) == 1 {
		return meant[0].Node, nil
	}
	var near []string
	for _, x := range meant[:min(maxNear, len(meant))] {
		near = append(near, m.ID(m.Graph.ID(x.Node)))
	}
	local, id := id, m.ID(id)
	if len(meant) > 0 {
		return 0, fmt.Errorf("entity %q: %w; %d have this name: %s", id, errs.NotFound, len(meant), strings.Join(near, ", "))
	}
	for _, n := range Near(m.Graph, local, maxNear) {
		near = append(near, m.ID(n))
	}
	if len(near) > 0 {
		return 0, fmt.Errorf("entity %q: %w; near: %s", id, errs.NotFound, strings.Join(near, ", "))
	}
	return 0, fmt.Errorf("entity %q: %w", id, errs.NotFound)
}

// ResolveAmong finds the member that an id belongs to, and the node there.
func ResolveAmong(members []Member, id string) (member int, node uint32, err error) {
	if len(members) == 0 {
		return 0, 0, fmt.Errorf("entity %q: %w: the set is empty", id, errs.NotFound)
	}
	var fits, holds []int
	for i, m := range members {
		local, ok := m.Local(id)
		if !ok {
			continue
		}
		fits = append(fits, i)
		if slices.ContainsFunc(Resolve(m.Graph, local), func(m Match) bool { return !m.Fold }) {
			holds = append(holds, i)
		}
	}
	if len(holds) == 1 || len(holds) == 0 && len(fits) == 1 {
		i := append(holds, fits...)[0]
		local, _ := members[i].Local(id)
		node, err := members[i].Resolve(local)
		return i, node, err
	}
	if len(fits) == 0 {
		var names []string
		for _, m := range members {
			names = append(names, m.Name)
		}
		return 0, 0, fmt.Errorf("entity %q: %w: no member of that name; there are %s", id, errs.NotFound, strings.Join(names, ", "))
	}
	if len(holds) > 1 {
		var ids []string
		for _, i := range holds {
			ids = append(ids, members[i].ID(id))
		}
		return 0, 0, fmt.Errorf("entity %q: %w: several members have it; ask for one: %s", id, errs.NotFound, strings.Join(ids, ", "))
	}
	var near []string
	for _, i := range fits {
		m := members[i]
		for _, n := range Near(m.Graph, id, 3) {
			near = append(near, m.ID(n))
		}
	}
	if len(near) == 0 {
		return 0, 0, fmt.Errorf("entity %q: %w", id, errs.NotFound)
	}
	return 0, 0, fmt.Errorf("entity %q: %w; near: %s", id, errs.NotFound, strings.Join(near[:min(len(near), 2*maxNear)], ", "))
}
