package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/findspot/findspot/codegraph"
)

// An example is what each signal says of the first files of one fix.
type example struct {
	signals [][]float64 // by file
	gold    []int
	repo    string
}

// signals are the weights of files that add up.
var signals = []string{"file", "best", "three", "path", "named", "place", "module", "frame", "scope", "covered", "near", "lead"}

// examples asks for the signals of all fixes, with the weights that do not add up as given.
func examples(fixes []*fix, w map[string]float64) []example {
	even := maps.Clone(w)
	for _, s := range signals {
		even[s] = 1
	}
	out := make([]example, len(fixes))
	inTwo(len(fixes), func(i int) { out[i] = exampleOf(fixes[i], even) })
	return slices.DeleteFunc(out, func(x example) bool { return len(x.gold) == 0 })
}

func exampleOf(x *fix, even map[string]float64) example {
	res, err := x.g.Locate(context.Background(), x.Query, &codegraph.LocateOptions{Limit: 100, Files: 100, Kinds: []codegraph.Kind{codegraph.KindFile}, Lines: -1, Weights: even})
	if err != nil {
		fmt.Fprintln(os.Stderr, "locate:", x.ID, err)
		os.Exit(1)
	}
	out := example{repo: x.Repo}
	for _, s := range res.Spots {
		row := make([]float64, len(signals))
		for _, r := range s.Why {
			if i := slices.Index(signals, r.Signal); i >= 0 {
				row[i] = r.Score * float64(len(signals))
			}
		}
		if slices.Contains(x.GoldFiles, s.Path) {
			out.gold = append(out.gold, len(out.signals))
		}
		out.signals = append(out.signals, row)
	}
	return out
}

// fit finds the weights under which the files of the fixes are likeliest, where a file is as likely as the exponential of
// its score; pull holds them near 0.
func fit(list []example, start []float64, pull float64, steps int) []float64 {
	n := len(start)
	w := slices.Clone(start)
	first, second := make([]float64, n), make([]float64, n)
	for step := 1; step <= steps; step++ {
		grad := make([]float64, n)
		for _, x := range list {
			score := make([]float64, len(x.signals))
			most := math.Inf(-1)
			for i, row := range x.signals {
				for j, v := range row {
					score[i] += w[j] * v
				}
				most = max(most, score[i])
			}
			sum := 0.
			for i := range score {
				score[i] = math.Exp(score[i] - most)
				sum += score[i]
			}
			for i, row := range x.signals {
				p := score[i] / sum
				for j, v := range row {
					grad[j] -= p * v
				}
			}
			for _, g := range x.gold {
				for j, v := range x.signals[g] {
					grad[j] += v / float64(len(x.gold))
				}
			}
		}
		for j := range w {
			g := grad[j]/float64(len(list)) - pull*w[j]
			first[j] = .9*first[j] + .1*g
			second[j] = .999*second[j] + .001*g*g
			a, b := first[j]/(1-math.Pow(.9, float64(step))), second[j]/(1-math.Pow(.999, float64(step)))
			w[j] = max(0, w[j]+.05*a/(math.Sqrt(b)+1e-8))
		}
	}
	return w
}

// smooth fits the weights that add up, and tells what they do for repositories that were held out.
func smooth(fixes []*fix, w map[string]float64, pull float64) map[string]float64 {
	start := make([]float64, len(signals))
	for i := range start {
		start[i] = 1
	}
	set := func(v []float64) map[string]float64 {
		out := maps.Clone(w)
		sum := 0.
		for _, x := range v {
			sum += x
		}
		for i, s := range signals {
			out[s] = math.Round(v[i]/sum*1e4) / 1e3
		}
		return out
	}
	all := examples(fixes, w)
	var held []*fix
	var got []scored
	for k := range 5 {
		var in []example
		var out []*fix
		for _, x := range all {
			if fold(x.repo) != k {
				in = append(in, x)
			}
		}
		for _, x := range fixes {
			if fold(x.Repo) == k {
				out = append(out, x)
			}
		}
		got = append(got, score(out, set(fit(in, start, pull, 400)))...)
		held = append(held, out...)
	}
	fmt.Fprintln(os.Stderr, "held out")
	print(held, got, false)
	return set(fit(all, start, pull, 400))
}

// fold puts each repository in one of five groups.
func fold(repo string) int {
	h := 0
	for _, c := range repo {
		h = h*31 + int(c)
	}
	return (h%5 + 5) % 5
}
