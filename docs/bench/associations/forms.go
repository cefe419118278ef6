package main

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/findspot/findspot/docsearch/driver"
	"github.com/findspot/findspot/internal/judged"
)

// A form is a way to find and weigh the words of the first documents.
type form struct {
	name        string
	docs, terms int
	share       float64 // of all weight, that of the words found; for bo1 the weight of the first of them beside 1
}

// above is the form of docsearch: documents by their scores above that of the first one not taken, passages of length one.
const above = "above"

func compare(ctx context.Context, sets []*judged.Set) error {
	var cs []*collection
	fmt.Printf("%-20s", "")
	for _, s := range sets {
		c, err := collect(ctx, s)
		if err != nil {
			return err
		}
		cs = append(cs, c)
		fmt.Printf(" %-15s", s.Name)
	}
	fmt.Println()
	words := form{name: "words"}
	base := map[string][]float64{}
	for _, c := range cs {
		base[c.Name] = c.try(words)
	}
	fs := []form{{"rm3", 10, 10, .5}, {"rm3", 10, 20, .4}, {"bo1", 3, 10, 1}, {"bo1", 3, 10, .4}, {"kl", 3, 10, .4}}
	for _, docs := range []int{5, 10} {
		for _, terms := range []int{10, 20, 40} {
			for _, share := range []float64{.2, .3, .4, .5} {
				fs = append(fs, form{above, docs, terms, share})
			}
		}
	}
	gains := map[form][]float64{}
	for _, f := range fs {
		fmt.Printf("%-5s %2d %2d %.1f      ", f.name, f.docs, f.terms, f.share)
		for _, c := range cs {
			p := paired(base[c.Name], c.try(f))
			gains[f] = append(gains[f], p.gain)
			fmt.Printf(" %+.4f %3d/%-3d ", p.gain, p.wins, p.losses)
		}
		fmt.Printf(" mean %+.4f\n", mean(gains[f]))
	}
	for i, c := range cs {
		best, most := form{}, math.Inf(-1)
		for _, f := range fs {
			if others := mean(slices.Delete(slices.Clone(gains[f]), i, i+1)); f.name == above && others > most {
				best, most = f, others
			}
		}
		fmt.Printf("%-10s left out: %d documents, %d terms, %.1f are best on the others; here %+.4f\n", c.Name, best.docs, best.terms, best.share, gains[best][i])
	}
	return nil
}

// try returns nDCG@10 by query.
func (c *collection) try(f form) (out []float64) {
	for _, q := range c.Queries {
		own := map[string]float64{}
		for _, t := range driver.ScoreTerms(driver.Groups(q.Text)) {
			if !t.Ident {
				own[t.Term] = t.Weight
			}
		}
		all := own
		if f.name != "words" {
			all = c.expand(f, own)
		}
		out = append(out, c.NDCG(q.ID, c.ids10(c.rank(all, own))))
	}
	return out
}

// expand adds to the words of a query those of the documents that it finds first.
func (c *collection) expand(f form, own map[string]float64) map[string]float64 {
	x := c.passages
	hits := c.rank(own, own)
	least := 0.
	if len(hits) > f.docs {
		least = hits[f.docs].score
		hits = hits[:f.docs]
	}
	found := map[string]float64{}
	words := 0
	for _, h := range hits {
		r := x.recs[h.best]
		words += r.length
		length := 0.
		for t, n := range r.times {
			if usable(t) {
				length += float64(n * n)
			}
		}
		for t, n := range r.times {
			switch {
			case !usable(t):
			case f.name == above:
				found[t] += (h.score - least) * float64(n) / math.Sqrt(length)
			case f.name == "rm3":
				found[t] += h.score * float64(n) / float64(r.length)
			default:
				found[t] += float64(n)
			}
		}
	}
	if f.name == above {
		found = heaviest(found, 40)
	}
	common := func(t string) bool { return float64(len(x.lists[t])) > .1*float64(len(x.recs)) }
	maps.DeleteFunc(found, func(t string, _ float64) bool { return common(t) && (f.name != above || own[t] == 0) })
	for t, n := range found {
		all := 0
		for _, p := range x.lists[t] {
			all += p.times
		}
		switch f.name {
		case above: // chosen by what they add to scores
			found[t] *= x.idf(t)
		case "bo1": // Amati, Probability Models for Information Retrieval based on Divergence from Randomness, 2003
			mean := float64(all) / float64(len(x.recs))
			found[t] = n*math.Log2((1+mean)/mean) + math.Log2(1+mean)
		case "kl":
			found[t] = n / float64(words) * math.Log2(n/float64(words)/(float64(all)/(x.mean*float64(len(x.recs)))))
		}
	}
	found = heaviest(found, f.terms)
	sum, most, count := 0., 0., 0.
	for t, w := range found {
		if f.name == above {
			found[t] /= x.idf(t)
		}
		sum += found[t]
		most = max(most, w)
	}
	for _, w := range own {
		count += w
	}
	scale := f.share / (1 - f.share) * count / sum
	if f.name == "bo1" || f.name == "kl" {
		scale = f.share / most
	}
	out := maps.Clone(own)
	for t, w := range found {
		out[t] += scale * w
	}
	return out
}

// usable reports that a term may say something of a subject.
func usable(t string) bool { return len(t) >= 3 && (t[0] < '0' || t[0] > '9') }

func heaviest(ws map[string]float64, n int) map[string]float64 {
	ts := slices.SortedFunc(maps.Keys(ws), func(a, b string) int { return cmp.Or(cmp.Compare(ws[b], ws[a]), cmp.Compare(a, b)) })
	out := map[string]float64{}
	for _, t := range ts[:min(n, len(ts))] {
		out[t] = ws[t]
	}
	return out
}
