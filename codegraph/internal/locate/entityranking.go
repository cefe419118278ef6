package locate

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
)

// entityParts gives the share, from 0 to 1, that a class or function has of its file's score, and what each signal adds to it.
func (r *ranking) entityParts(s, local uint32) (parts [numWeights]float64, share float64) {
	n := r.g.NodeAt[s] + local
	sum := r.w[eBase]
	for i := eBody; i <= eMeaning; i++ {
		if !r.meant && i == eMeaning {
			continue
		}
		w, x := r.w[i], r.ent[i][n]
		sum += w
		switch i {
		case eBody:
			x = r.body[n]
		case eShare:
			x = r.body[n] / max(r.best[s], 1e-9) * r.top[i]
		}
		if x > 0 && r.top[i] > 0 {
			parts[i] = w * min(x/r.top[i], 1)
			share += parts[i]
		}
	}
	keep := 1 / max(sum, 1e-9)
	b := r.g.Slots[s].Block
	if b.Kind(local) == model.Class {
		keep *= min(r.w[eClass], 1)
	}
	if b.Test(local) && !b.Test(0) {
		keep *= min(max(r.w[wTest], leastKept), 1)
	}
	for i := eBody; i <= eMeaning; i++ {
		parts[i] *= keep
	}
	return parts, (share + r.w[eBase]) * keep
}

// rankEntities lists files with their classes and functions, best first. Those of a file never come before it.
func rankEntities(files []ranked, opt *Options) (out []ranked, more bool) {
	for _, f := range files {
		r := f.in
		s, _ := r.g.Place(f.node)
		for n := r.g.NodeAt[s]; n < r.g.NodeAt[s+1]; n++ {
			if n > f.node {
				r.best[s] = max(r.best[s], r.body[n])
			}
			for i := eBody; i <= eMeaning; i++ {
				r.top[i] = max(r.top[i], r.ent[i][n])
			}
		}
		r.top[eBody] = max(r.top[eBody], r.best[s])
		r.top[eShare] = 1
	}
	wanted := func(k uint8) bool { return len(opt.Kinds) == 0 || slices.Contains(opt.Kinds, k) }
	for _, f := range files {
		r := f.in
		s, _ := r.g.Place(f.node)
		b := r.g.Slots[s].Block
		if wanted(model.File) {
			out = append(out, f)
		}
		from := len(out)
		for i := uint32(1); i < b.Nodes; i++ {
			if !b.Live(i) || !wanted(b.Kind(i)) {
				continue
			}
			_, share := r.entityParts(s, i)
			out = append(out, ranked{r, f.node + i, min(share, .999) * f.score})
		}
		if own := out[from:]; opt.PerFile > 0 && len(own) > opt.PerFile {
			sortSpots(own)
			out, more = out[:from+opt.PerFile], true
		}
	}
	sortSpots(out)
	return out, more
}
