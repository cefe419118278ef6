package locate

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/query"
)

// fileParts gives what each signal adds to the score of a file.
func (r *ranking) fileParts(s uint32) (parts [numWeights]float64, score float64) {
	sum := 0.
	for i := wFile; i <= wTogether; i++ {
		w := r.w[i]
		if r.past == nil && (i == wHistory || i == wTogether) || !r.meant && i == wMeaning {
			continue
		}
		sum += w
		if x := r.sig[i][s]; x > 0 && r.top[i] > 0 {
			parts[i] = w * min(x/r.top[i], 1)
		}
	}
	keep := 1 / max(sum, 1e-9)
	for _, d := range demotions {
		if r.l.kinds[s]&d.kind != 0 {
			keep *= min(max(r.w[d.weight], leastKept), 1)
		}
	}
	for i := wFile; i <= wTogether; i++ {
		parts[i] *= keep
		score += parts[i]
	}
	return parts, score
}

// leastKept is the least factor: what is demoted is never left out.
const leastKept = .01

// demotions are the factors of the scores of files of a kind.
var demotions = [...]struct {
	kind   slotKind
	weight factor
}{{slotTest, wTest}, {slotGenerated, wGenerated}, {slotPlain, wPlain}, {slotAside, wAside}}

// rankFiles lists the files of all graphs, best first, with scores up to 1.
func rankFiles(in []*ranking, paths []string) []ranked {
	var top [numWeights]float64
	for i := wFile; i <= wTogether; i++ {
		var other float64 // of what is ranked lower
		for _, r := range in {
			for s, x := range r.sig[i] {
				if r.l.kinds[s] == 0 {
					top[i] = max(top[i], x)
				} else if r.l.kinds[s]&slotNone == 0 { // folders have names, too, and are not ranked
					other = max(other, x)
				}
			}
		}
		if top[i] == 0 {
			top[i] = other
		}
	}
	var out []ranked
	for _, r := range in {
		r.top = &top
		r.near()
		for _, i := range []factor{wNear, wTogether} {
			for _, x := range r.sig[i] {
				top[i] = max(top[i], x)
			}
		}
	}
	for _, r := range in {
		for s := range uint32(len(r.g.Slots)) {
			if r.l.kinds[s]&slotNone != 0 || !query.Under(r.g.Slots[s].Path, paths) {
				continue
			}
			if _, x := r.fileParts(s); x > 0 {
				out = append(out, ranked{r, r.g.NodeAt[s], x})
			}
		}
	}
	sortSpots(out)
	return out
}

// near scores files by the edges that join them with the best ones.
func (r *ranking) near() {
	var best []ranked
	for s := range uint32(len(r.g.Slots)) {
		if r.l.kinds[s] == 0 {
			if _, x := r.fileParts(s); x > 0 {
				best = append(best, ranked{r, r.g.NodeAt[s], x})
			}
		}
	}
	slices.SortFunc(best, func(a, b ranked) int { return cmp.Or(cmp.Compare(b.score, a.score), cmp.Compare(a.node, b.node)) })
	best = best[:min(len(best), 10)]
	if r.past != nil {
		r.together(best)
	}
	for _, f := range best {
		count, total := map[uint32]float64{}, 0.
		s, _ := r.g.Place(f.node)
		b := r.g.Slots[s].Block
		for n := range b.Nodes {
			if !b.Live(n) {
				continue
			}
			for _, back := range []bool{false, true} {
				for e := range r.g.Adjacent(f.node+n, back) {
					if r.g.EdgeKind(e) == model.Contain {
						continue
					}
					src, dst := r.g.Ends(e)
					if back {
						dst = src
					}
					if t, _ := r.g.Place(dst); t != s && r.l.kinds[t] == 0 {
						count[t]++
						total++
					}
				}
			}
		}
		for t, c := range count {
			r.sig[wNear][t] += f.score * math.Sqrt(c/total)
			r.addReason(wNear, r.g.NodeAt[t], r.g.Path(f.node))
		}
	}
}

func sortSpots(list []ranked) {
	slices.SortFunc(list, func(a, b ranked) int {
		if c := cmp.Compare(b.score, a.score); c != 0 {
			return c
		}
		if a.in != b.in {
			return strings.Compare(a.in.member.Name, b.in.member.Name)
		}
		return a.in.g.ByID(a.node, b.node)
	})
}
