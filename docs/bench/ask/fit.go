package main

import (
	"context"
	"fmt"
	"maps"
	"math"
	"slices"
)

// fit finds the weights under which the pieces that answer are likeliest, where a piece is as likely as the exponential of its score.
func (b *bench) fit(ctx context.Context, all []question) error {
	type example struct {
		rows [][]float64
		gold []int
	}
	var names []string
	var list []example
	for _, q := range all {
		if len(q.Answers) == 0 {
			continue
		}
		a, err := b.ask(ctx, "all", q.Question)
		if err != nil {
			return err
		}
		var x example
		for i := range a.pieces {
			p := &a.pieces[i]
			if names == nil {
				names = slices.Sorted(maps.Keys(p.signals))
			}
			row := make([]float64, len(names))
			for j, n := range names {
				row[j] = p.signals[n]
			}
			x.rows = append(x.rows, row)
			if rank(q.Answers, a.pieces[i:i+1]) == 1 {
				x.gold = append(x.gold, i)
			}
		}
		if len(x.gold) > 0 {
			list = append(list, x)
		}
	}
	n := len(names)
	w := make([]float64, n)
	first, second := make([]float64, n), make([]float64, n)
	for step := 1; step <= 3000; step++ {
		grad := make([]float64, n)
		for _, x := range list {
			score := make([]float64, len(x.rows))
			most := math.Inf(-1)
			for i, row := range x.rows {
				for j, v := range row {
					score[i] += w[j] * v
				}
				most = max(most, score[i])
			}
			sum, gold := 0., 0.
			for i := range score {
				score[i] = math.Exp(score[i] - most)
				sum += score[i]
			}
			for _, g := range x.gold {
				gold += score[g]
			}
			// The likelihood that one of those that answer is chosen.
			for i, row := range x.rows {
				p := score[i] / sum
				r := 0.
				if slices.Contains(x.gold, i) {
					r = score[i] / gold
				}
				for j, v := range row {
					grad[j] += (r - p) * v
				}
			}
		}
		for j := range w {
			g := grad[j]/float64(len(list)) - .01*w[j]
			first[j] = .9*first[j] + .1*g
			second[j] = .999*second[j] + .001*g*g
			a, b := first[j]/(1-math.Pow(.9, float64(step))), second[j]/(1-math.Pow(.999, float64(step)))
			w[j] += .03 * a / (math.Sqrt(b) + 1e-8)
		}
	}
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
