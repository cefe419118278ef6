package locate

import (
	"slices"

	"github.com/findspot/findspot/codegraph/internal/model"
)

// entityParts gives what each signal adds to what a class or function has of its file's score, from 0 to 1.
func (r *ranking) entityParts(s, local uint32) (parts [entitySignals]float64, share float64) {
	n := r.g.NodeAt[s] + local
	sum := r.w[eBase]
	for i := range parts {
		w, x := r.w[eBody+factor(i)], r.ent[i][n]
		sum += w
		switch i {
		case entBody:
			x = r.body[n]
		case entShare:
			x = r.body[n] / max(r.best[s], 1e-9) * r.entTop[i]
		}
		if x > 0 && r.entTop[i] > 0 {
			parts[i] = w * min(x/r.entTop[i], 1)
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
	for i := range parts {
		parts[i] *= keep
	}
	return parts, (share + r.w[eBase]) * keep
}

// rankEntities lists files with their classes and functions, best first. Those of a file never come before it.
func rankEntities(files []ranked, opt *Options) (out []ranked, more bool) {
	var top [entitySignals]float64
	for _, f := range files {
		r := f.in
		s, _ := r.g.Place(f.node)
		for n := r.g.NodeAt[s]; n < r.g.NodeAt[s+1]; n++ {
			if n > f.node {
				r.best[s] = max(r.best[s], r.body[n])
			}
			for i := range top {
				top[i] = max(top[i], r.ent[i][n])
			}
		}
		top[entBody] = max(top[entBody], r.best[s])
		r.entTop = &top
	}
	top[entShare] = 1
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
