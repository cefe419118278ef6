package codegraph

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/query"
)

// A Member is one graph of a [Set].
type Member struct {
	Name  string // ids of its entities begin with "Name//"; "" for none, in a set of one alone
	Graph *Graph
}

func (m Member) query() query.Member {
	return query.Member{Name: m.Name, Graph: m.Graph.s, Vectors: m.Graph.vectors}
}

func membersOf(list []Member) []query.Member {
	out := make([]query.Member, len(list))
	for i, m := range list {
		out[i] = m.query()
	}
	return out
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

// Entity gives the entity with this id, which it has as [Set.Search] shows it.
func (s *Set) Entity(id string) (Entity, bool) {
	for _, m := range s.members {
		if local, ok := m.query().Local(id); ok {
			if e, ok := m.Graph.Entity(local); ok {
				e.ID = m.query().ID(e.ID)
				return e, true
			}
		}
	}
	return Entity{}, false
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
		local, ok := m.query().Local(name)
		if !ok {
			continue
		}
		for _, e := range m.Graph.Named(local) {
			e.ID = m.query().ID(e.ID)
			out = append(out, e)
		}
	}
	return out
}

// A memberNodes is some nodes of one member.
type memberNodes struct {
	member int
	nodes  []uint32
}

// lookup finds the members that ids belong to and their nodes there, those of one member in a row together.
func (s *Set) lookup(ids []string) ([]memberNodes, error) {
	members := membersOf(s.members)
	var out []memberNodes
	var bad []error
	for _, id := range ids {
		i, n, err := query.ResolveAmong(members, id)
		if err != nil {
			bad = append(bad, err)
			continue
		}
		if len(out) == 0 || out[len(out)-1].member != i {
			out = append(out, memberNodes{member: i})
		}
		last := &out[len(out)-1]
		last.nodes = append(last.nodes, n)
	}
	return out, errors.Join(bad...)
}

// Traverse follows edges from the given entities, see [Graph.Traverse]. Roots of several members are walked one member
// after the other, in the order of the first root of each; the limit holds for all together.
func (s *Set) Traverse(ctx context.Context, ids []string, o *TraverseOptions) (*Walk, error) {
	opt, w, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	runs, err := s.lookup(ids)
	if err != nil {
		return nil, err
	}
	var order []int
	nodes := map[int][]uint32{}
	for _, r := range runs {
		if nodes[r.member] == nil {
			order = append(order, r.member)
		}
		nodes[r.member] = append(nodes[r.member], r.nodes...)
	}
	for _, i := range order {
		before := len(w.IDs) - len(w.Roots)
		if err := w.add(ctx, s.members[i], nodes[i], opt); err != nil {
			return nil, err
		}
		if opt.Limit > 0 {
			opt.Limit -= len(w.IDs) - len(w.Roots) - before
		}
	}
	return w, nil
}

// Retrieve reads entities from the sources, in the order of ids, see [Graph.Retrieve].
func (s *Set) Retrieve(ctx context.Context, ids []string, o *RetrieveOptions) ([]Retrieved, error) {
	runs, err := s.lookup(ids)
	if err != nil {
		return nil, err
	}
	out := make([]Retrieved, 0, len(ids))
	for _, run := range runs {
		m := s.members[run.member]
		got, err := retrieve(ctx, m, query.NewTexts(m.Graph.s), run.nodes, o)
		if err != nil {
			return nil, err
		}
		out = append(out, got...)
	}
	return out, nil
}
