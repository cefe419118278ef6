package codegraph

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
)

// entityParts gives what each signal adds to what a class or function has of its file's score, from 0 to 1.
func (r *ranking) entityParts(s, local uint32) (parts [entitySignals]float64, share float64) {
	n := r.g.nodeAt[s] + local
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
	b := r.g.slots[s].b
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
func rankEntities(files []spotFound, opt *LocateOptions) (out []spotFound, more bool) {
	var top [entitySignals]float64
	for _, f := range files {
		r := f.in
		s, _ := r.g.place(f.node)
		for n := r.g.nodeAt[s]; n < r.g.nodeAt[s+1]; n++ {
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
	wanted := func(k Kind) bool { return len(opt.Kinds) == 0 || slices.Contains(opt.Kinds, k) }
	for _, f := range files {
		r := f.in
		s, _ := r.g.place(f.node)
		b := r.g.slots[s].b
		if wanted(KindFile) {
			out = append(out, f)
		}
		from := len(out)
		for i := uint32(1); i < b.Nodes; i++ {
			if !b.Live(i) || !wanted(kindOf(b.Kind(i))) {
				continue
			}
			_, share := r.entityParts(s, i)
			out = append(out, spotFound{r, f.node + i, min(share, .999) * f.score})
		}
		if own := out[from:]; opt.PerFile > 0 && len(own) > opt.PerFile {
			sortSpots(own)
			out, more = out[:from+opt.PerFile], true
		}
	}
	sortSpots(out)
	return out, more
}

// under tells whether a path is one of some, under one, or fits one as a pattern; all are under none.
func under(at string, paths []string) bool {
	return len(paths) == 0 || slices.ContainsFunc(paths, func(p string) bool {
		p = strings.TrimSuffix(p, "/")
		ok, _ := path.Match(p, at) // checked before
		return ok || at == p || strings.HasPrefix(at, p+"/")
	})
}
