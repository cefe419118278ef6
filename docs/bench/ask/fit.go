package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"

	"github.com/findspot/findspot/docs/bench/internal/listwise"
)

// fit finds the weights under which the pieces that answer are likeliest, where a piece is as likely as the exponential of its score.
func (b *bench) fit(ctx context.Context, all []question) error {
	var names []string
	var list []listwise.Example
	for _, q := range all {
		if len(q.Answers) == 0 {
			continue
		}
		a, err := b.ask(ctx, "all", q.Question)
		if err != nil {
			return err
		}
		var x listwise.Example
		for i := range a.pieces {
			p := &a.pieces[i]
			if names == nil {
				names = slices.Sorted(maps.Keys(p.signals))
			}
			row := make([]float64, len(names))
			for j, n := range names {
				row[j] = p.signals[n]
			}
			x.Signals = append(x.Signals, row)
			if rank(q.Answers, a.pieces[i:i+1]) == 1 {
				x.Right = append(x.Right, i)
			}
		}
		if len(x.Right) > 0 {
			list = append(list, x)
		}
	}
	w := listwise.Fit(list, listwise.Options{Start: make([]float64, len(names)), Pull: .01, Rate: .03, Steps: 3000, Any: true, Least: math.Inf(-1)})
	fmt.Printf("%d of %d questions have an answer among the pieces\n", len(list), len(all))
	for j, name := range names {
		fmt.Printf("%-14s %6.2f\n", name, w[j])
	}
	return nil
}

// explain prints, for each question that is not answered first, the first piece and the first that answers, with their signals.
func (b *bench) explain(ctx context.Context, all []question) error {
	for _, q := range all {
		a, err := b.ask(ctx, "all", q.Question)
		if err != nil {
			return err
		}
		r := rank(q.Answers, a.pieces)
		if r == 1 || len(q.Answers) == 0 {
			continue
		}
		fmt.Printf("\n%s: %s (%d of %d)\n", q.Kind, q.Question, r, len(a.pieces))
		for _, i := range []int{1, r} {
			if i == 0 || i > len(a.pieces) {
				continue
			}
			p := a.pieces[i-1]
			fmt.Printf("  %s%s: %s\n ", p.doc, p.entity, plain(p.text))
			for _, n := range slices.Sorted(maps.Keys(p.signals)) {
				if p.signals[n] != 0 {
					fmt.Printf("  %s %.2f", n, p.signals[n])
				}
			}
			fmt.Println()
		}
	}
	return nil
}
