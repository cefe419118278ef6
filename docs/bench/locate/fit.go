package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"os"
	"slices"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docs/bench/internal/listwise"
)

// An example is what each signal says of the first files of one fix.
type example struct {
	listwise.Example
	repo string
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
	return slices.DeleteFunc(out, func(x example) bool { return len(x.Right) == 0 })
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
			out.Right = append(out.Right, len(out.Signals))
		}
		out.Signals = append(out.Signals, row)
	}
	return out
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
	fit := func(list []listwise.Example) []float64 {
		return listwise.Fit(list, listwise.Options{Start: start, Pull: pull, Rate: .05, Steps: 400})
	}
	all := examples(fixes, w)
	var everything []listwise.Example
	for _, x := range all {
		everything = append(everything, x.Example)
	}
	var held []*fix
	var got []scored
	for k := range 5 {
		var in []listwise.Example
		var out []*fix
		for _, x := range all {
			if fold(x.repo) != k {
				in = append(in, x.Example)
			}
		}
		for _, x := range fixes {
			if fold(x.Repo) == k {
				out = append(out, x)
			}
		}
		got = append(got, score(out, set(fit(in)))...)
		held = append(held, out...)
	}
	fmt.Fprintln(os.Stderr, "held out")
	print(held, got, false)
	return set(fit(everything))
}

// fold puts each repository in one of five groups.
func fold(repo string) int {
	h := 0
	for _, c := range repo {
		h = h*31 + int(c)
	}
	return (h%5 + 5) % 5
}
