package locate

import (
	"cmp"
	"slices"

	"github.com/findspot/findspot/codegraph/internal/snapshot"
)

// node gives the node of a spot; it is not test code where other code imports its file.
func (r *ranking) node(n uint32) snapshot.Node {
	e := r.g.Node(n)
	s, _ := r.g.Place(n)
	e.Test = e.Test && (r.l.kinds[s]&slotTest != 0 || !r.g.Slots[s].Block.Test(0))
	e.ID = r.member.ID(e.ID)
	return e
}

// strongest gives the words of the report with the highest IDF in this graph.
func (r *ranking) strongest(n int) []string {
	order := make([]int, len(r.q.Terms))
	for i := range order {
		order[i] = i
	}
	slices.SortStableFunc(order, func(a, b int) int { return cmp.Compare(r.idf[b], r.idf[a]) })
	var out []string
	for _, i := range order[:min(len(order), n)] {
		if r.idf[i] > 0 {
			out = append(out, r.q.Terms[i].Term)
		}
	}
	return out
}

// addWordReasons records which of the strongest words the shown spots hold.
func (r *ranking) addWordReasons(spots []ranked, terms []string) {
	shown, files := map[uint32]bool{}, map[uint32]uint32{}
	for _, s := range spots {
		if s.in == r {
			shown[s.node] = true
			if slot, i := r.g.Place(s.node); i == 0 {
				files[slot] = s.node
			}
		}
	}
	for _, t := range terms {
		r.l.s.Each(snapshot.Parts, t, func(n, _, _ uint32) {
			if shown[n] {
				r.addReason(eCovered, n, t)
			}
			slot, _ := r.g.Place(n)
			if f, ok := files[slot]; ok {
				r.addReason(wCovered, f, t)
			}
		})
		slot, end := uint32(0), uint32(0)
		r.l.s.Each(snapshot.Bodies, t, func(n, _, _ uint32) {
			if shown[n] {
				r.addReason(eBody, n, t)
			}
			if n >= end || n < r.g.NodeAt[slot] {
				slot, _ = r.g.Place(n)
				end = r.g.NodeAt[slot+1]
				if f, ok := files[slot]; ok {
					r.addReason(wFile, f, t)
				}
			}
		})
	}
}

// why gives the reasons of a spot.
func (r *ranking) why(f ranked) []Reason {
	out := []Reason{}
	add := func(w factor, x float64, words factor) {
		if x > 0 {
			found := r.reasons[reasonKey{words, f.node}]
			if w == wLead {
				found = slices.DeleteFunc(slices.Clone(found), func(s string) bool { return !r.q.InTitle(s) })
			}
			if found == nil {
				found = []string{}
			}
			out = append(out, Reason{Signal: weightTable[w].name, Score: x, Words: found})
		}
	}
	s, local := r.g.Place(f.node)
	if local == 0 {
		parts, _ := r.fileParts(s)
		for w := wFile; w <= wTogether; w++ {
			words := w
			if w == wBest || w == wThree || w == wLead {
				words = wFile
			}
			add(w, parts[w], words)
		}
	} else {
		parts, share := r.entityParts(s, local)
		for w := eBody; w <= eMeaning; w++ {
			words := w
			if w == eShare {
				words = eBody
			}
			add(w, parts[w]/share*f.score, words)
		}
	}
	slices.SortStableFunc(out, func(a, b Reason) int { return cmp.Compare(b.Score, a.Score) })
	return out
}
