package locate

import (
	"context"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/report"
	"github.com/findspot/findspot/codegraph/internal/vectors"
)

// Vectors are compared of the best classes and functions of the best files, both by words: they rank these files again, and bring in no others. Names and rare words
// say more of which files are meant than vectors do, which say more of which of these comes first (docs/bench/locate.md).
const (
	meantFiles   = 10
	meantPerFile = 5
)

// A meant is what vectors say of a report.
type meant struct {
	compared int
	failed   error              // why they say nothing
	cosines  [][]vectors.Scored // of each ranking
}

// rankByMeaning ranks the best files again, in place, also by how near the vectors of their classes and functions are to that of the report's title. It
// changes nothing where there are no vectors, or where the embedder does not work.
func rankByMeaning(ctx context.Context, files []ranked, in []*ranking, rep *report.Report) meant {
	title := rep.Title()
	if title == "" {
		return meant{}
	}
	m := compare(ctx, files[:min(len(files), meantFiles)], in, title)
	if m.compared == 0 {
		return m
	}
	mean, most := 0., -1.
	for _, of := range m.cosines {
		for _, c := range of {
			mean += c.Similarity / float64(m.compared)
			most = max(most, c.Similarity)
		}
	}
	for i, r := range in {
		r.meant = true
		for _, c := range m.cosines[i] {
			n, x := c.Node, (c.Similarity-mean)/(most-mean)
			if !(x > 0) { // or all are as near
				continue
			}
			r.ent[eMeaning][n] = x
			s, _ := r.g.Place(n)
			if x > r.sig[wMeaning][s] {
				r.sig[wMeaning][s] = x
				r.reasons[reasonKey{wMeaning, r.g.NodeAt[s]}] = []string{r.g.Name(n)}
			}
		}
		r.top[wMeaning] = 1
	}
	for i, f := range files {
		s, _ := f.in.g.Place(f.node)
		_, files[i].score = f.in.fileParts(s)
	}
	sortSpots(files)
	return m
}

// compare gives the cosines of the vectors of the best classes and functions of files and that of a title, which each embedder is asked for once.
func compare(ctx context.Context, files []ranked, in []*ranking, title string) (m meant) {
	wanted := map[*ranking]map[uint32]bool{}
	directions := map[string][]float32{}
	m.cosines = make([][]vectors.Scored, len(in))
	for i, r := range in {
		x := r.member.Vectors
		if x == nil {
			continue
		}
		if len(wanted) == 0 {
			best, _ := rankEntities(files, &Options{PerFile: meantPerFile, Kinds: []uint8{model.Class, model.Function}})
			for _, r := range in {
				wanted[r] = map[uint32]bool{}
			}
			for _, e := range best {
				wanted[e.in][e.node] = true
			}
		}
		d, ok := directions[x.Embedder()]
		if !ok {
			d, m.failed = x.Direction(ctx, title)
			directions[x.Embedder()] = d
		}
		if d != nil && m.failed == nil {
			m.cosines[i], m.failed = x.Cosines(r.g, d, func(n uint32) bool { return wanted[r][n] })
		}
		if m.failed != nil {
			return meant{failed: m.failed}
		}
		m.compared += len(m.cosines[i])
	}
	return m
}
