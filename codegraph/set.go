package codegraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
)

// A Member is one graph of a [Set].
type Member struct {
	Name  string // ids of its entities begin with "Name//"; "" for none, in a set of one alone
	Graph *Graph
}

// id writes an id as the set shows it.
func (m Member) id(local string) string {
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

// A Set is several graphs side by side, such as the repositories of a project or two worktrees of one. Each keeps its own
// edges: no edge and no answer joins what was indexed from different roots. An id is "name//path:entity"; without a name
// it is looked for in all, and means something only when one member has it. A Set is immutable and safe for concurrent
// use.
type Set struct {
	members []Member
}

// NewSet joins graphs under names, which must differ. All of more than one must have a name without "/", ":" and blanks.
func NewSet(members ...Member) (*Set, error) {
	var bad []error
	seen := map[string]bool{}
	for i, m := range members {
		switch {
		case m.Graph == nil:
			bad = append(bad, fmt.Errorf("codegraph: member %d has no graph", i))
		case m.Name == "" && len(members) > 1:
			bad = append(bad, fmt.Errorf("codegraph: member %d of %d has no name", i, len(members)))
		case strings.ContainsAny(m.Name, "/: \t\n"):
			bad = append(bad, fmt.Errorf("codegraph: name %q of a member: '/', ':' and blanks are not allowed", m.Name))
		case seen[m.Name]:
			bad = append(bad, fmt.Errorf("codegraph: two members are named %q", m.Name))
		}
		seen[m.Name] = true
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	return &Set{members: slices.Clone(members)}, nil
}

// Members lists the graphs, in the order given.
func (s *Set) Members() []Member { return slices.Clone(s.members) }

// Entity gives the entity with this id, which it has as [Set.Search] shows it.
func (s *Set) Entity(id string) (Entity, bool) {
	for _, m := range s.members {
		if local, ok := s.local(m, id); ok {
			if e, ok := m.Graph.Entity(local); ok {
				e.ID = m.id(e.ID)
				return e, true
			}
		}
	}
	return Entity{}, false
}

// local gives an id as the member has it; ok is false when it has another's name.
func (s *Set) local(m Member, id string) (string, bool) {
	name, local, ok := cutMember(id)
	if !ok {
		return id, true
	}
	return local, name == m.Name
}

// Search searches all members, see [Graph.Search]: scores of all are on one scale, and hits of all are one list. A name
// that begins with "member//" is looked for in that one.
func (s *Set) Search(ctx context.Context, query string, o *SearchOptions) (*SearchResult, error) {
	return search(ctx, s.members, query, o)
}

// Named gives the entities that a written name may mean, see [Graph.Named], member by member.
func (s *Set) Named(name string) []Entity {
	var out []Entity
	for _, m := range s.members {
		local, ok := s.local(m, name)
		if !ok {
			continue
		}
		for _, e := range m.Graph.Named(local) {
			e.ID = m.id(e.ID)
			out = append(out, e)
		}
	}
	return out
}

// owner finds the member that an id belongs to, and the id there.
func (s *Set) owner(id string) (int, string, error) {
	if len(s.members) == 0 {
		return 0, "", fmt.Errorf("entity %q: %w: the set is empty", id, ErrNotFound)
	}
	var fits, holds []int
	for i, m := range s.members {
		local, ok := s.local(m, id)
		if !ok {
			continue
		}
		fits = append(fits, i)
		if slices.ContainsFunc(m.Graph.meant(local), func(m nameMatch) bool { return !m.fold }) {
			holds = append(holds, i)
		}
	}
	if len(holds) == 1 || len(holds) == 0 && len(fits) == 1 {
		i := append(holds, fits...)[0]
		local, _ := s.local(s.members[i], id)
		_, err := s.members[i].Graph.one(s.members[i], local)
		return i, local, err
	}
	if len(fits) == 0 {
		var names []string
		for _, m := range s.members {
			names = append(names, m.Name)
		}
		return 0, "", fmt.Errorf("entity %q: %w: no member of that name; there are %s", id, ErrNotFound, strings.Join(names, ", "))
	}
	if len(holds) > 1 {
		var ids []string
		for _, i := range holds {
			ids = append(ids, s.members[i].id(id))
		}
		return 0, "", fmt.Errorf("entity %q: %w: several members have it; ask for one: %s", id, ErrNotFound, strings.Join(ids, ", "))
	}
	var near []string
	for _, i := range fits {
		m := s.members[i]
		for _, n := range m.Graph.Near(id, 3) {
			near = append(near, m.id(n))
		}
	}
	if len(near) == 0 {
		return 0, "", fmt.Errorf("entity %q: %w", id, ErrNotFound)
	}
	return 0, "", fmt.Errorf("entity %q: %w; near: %s", id, ErrNotFound, strings.Join(near[:min(len(near), 2*maxNear)], ", "))
}

// Traverse follows edges from the given entities, see [Graph.Traverse]. Roots of several members are walked one member
// after the other, in the order of the first root of each; the limit holds for all together.
func (s *Set) Traverse(ctx context.Context, ids []string, o *TraverseOptions) (*Walk, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	var order []int
	local := map[int][]string{}
	var bad []error
	for _, id := range ids {
		i, l, err := s.owner(id)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if local[i] == nil {
			order = append(order, i)
		}
		local[i] = append(local[i], l)
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	out := &Walk{Direction: opt.Direction, Hops: opt.Hops, Roots: []string{}, IDs: []string{}, Nodes: []Entity{}, Edges: []Edge{}, About: []RootNote{}}
	left := opt.Limit
	for _, i := range order {
		m := s.members[i]
		var given TraverseOptions
		if o != nil {
			given = *o
		}
		given.Limit = left
		w, err := m.Graph.traverse(ctx, local[i], &given, left == 0)
		if err != nil {
			return nil, err
		}
		if left > 0 {
			left -= len(w.IDs) - len(w.Roots)
		}
		out.join(m, w)
	}
	return out, nil
}

// join adds a walk of one member.
func (w *Walk) join(m Member, o *Walk) {
	for _, id := range o.Roots {
		w.Roots = append(w.Roots, m.id(id))
	}
	for _, id := range o.IDs {
		w.IDs = append(w.IDs, m.id(id))
	}
	for _, e := range o.Nodes {
		e.ID = m.id(e.ID)
		w.Nodes = append(w.Nodes, e)
	}
	for _, e := range o.Edges {
		e.Src, e.Dst = m.id(e.Src), m.id(e.Dst)
		w.Edges = append(w.Edges, e)
	}
	for _, a := range o.About {
		a.ID = m.id(a.ID)
		w.About = append(w.About, a)
	}
	w.Cut += o.Cut
	w.TestsHidden += o.TestsHidden
	w.GeneratedHidden += o.GeneratedHidden
	w.KindsHidden += o.KindsHidden
	w.WeakHidden += o.WeakHidden
	w.Beyond += o.Beyond
}

// Retrieve reads entities from the sources, in the order of ids, see [Graph.Retrieve].
func (s *Set) Retrieve(ctx context.Context, ids []string, o *RetrieveOptions) ([]Retrieved, error) {
	type place struct {
		member int
		local  string
	}
	var places []place
	var bad []error
	for _, id := range ids {
		i, l, err := s.owner(id)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		places = append(places, place{i, l})
	}
	if err := errors.Join(bad...); err != nil {
		return nil, err
	}
	out := make([]Retrieved, 0, len(places))
	for i := 0; i < len(places); {
		m := s.members[places[i].member]
		var run []string // ids of one member in a row share what is read
		for ; i < len(places) && s.members[places[i].member].Graph == m.Graph; i++ {
			run = append(run, places[i].local)
		}
		got, err := m.Graph.Retrieve(ctx, run, o)
		if err != nil {
			return nil, err
		}
		for _, r := range got {
			r.ID, r.Repo = m.id(r.ID), m.Name
			out = append(out, r)
		}
	}
	return out, nil
}
