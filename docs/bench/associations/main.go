package main

import (
	"context"
	"flag"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/memstore"
	"github.com/findspot/findspot/internal/judged"
)

func main() {
	if err := run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "associations:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context) error {
	forms := flag.Bool("forms", false, "compare forms in memory")
	flag.Parse()
	var sets []*judged.Set
	for _, dir := range flag.Args() {
		s, err := judged.Read(dir)
		if err != nil {
			return err
		}
		sets = append(sets, s)
	}
	if *forms {
		return compare(ctx, sets)
	}
	for _, s := range sets {
		lib, err := memstore.Open(nil)
		if err != nil {
			return err
		}
		if err := fill(ctx, lib, s); err != nil {
			return err
		}
		words, err := ask(ctx, lib, s, &docsearch.SearchOptions{Literal: true})
		if err != nil {
			return err
		}
		related, err := ask(ctx, lib, s, &docsearch.SearchOptions{Literal: true, Related: true})
		if err != nil {
			return err
		}
		c := paired(words, related)
		fmt.Printf("%-10s words %.4f  related %.4f  %+.4f  %3d gain, %3d lose  p %.3f\n", s.Name, mean(words), mean(related), c.gain, c.wins, c.losses, c.chance)
	}
	return nil
}

// fill adds the documents of a set: texts that begin with their titles.
func fill(ctx context.Context, lib *docsearch.Library, s *judged.Set) error {
	for _, err := range lib.AddAll(ctx, func(yield func(docsearch.Source, error) bool) {
		for _, d := range s.Docs {
			if !yield(docsearch.Bytes(d.ID+".txt", []byte(d.Title+"\n\n"+d.Text+"\n")), nil) {
				return
			}
		}
	}) {
		if err != nil && !strings.Contains(err.Error(), "no text") {
			return err
		}
	}
	return nil
}

// ask returns nDCG@10 by query.
func ask(ctx context.Context, lib *docsearch.Library, s *judged.Set, o *docsearch.SearchOptions) ([]float64, error) {
	var out []float64
	for _, q := range s.Queries {
		res, err := lib.Search(ctx, q.Text, o)
		if err != nil {
			return nil, err
		}
		var ids []string
		for _, h := range res.Hits {
			ids = append(ids, strings.TrimSuffix(h.Name, ".txt"))
		}
		out = append(out, s.NDCG(q.ID, ids))
	}
	return out, nil
}

// comparison is what a second list of scores has over a first one.
type comparison struct {
	gain         float64
	wins, losses int
	chance       float64 // that random signs of the differences have a mean as far from 0
}

func paired(a, b []float64) comparison {
	var c comparison
	diff := make([]float64, len(a))
	for i := range a {
		diff[i] = b[i] - a[i]
		switch {
		case diff[i] > 1e-9:
			c.wins++
		case diff[i] < -1e-9:
			c.losses++
		}
	}
	c.gain = mean(diff)
	const rounds = 10_000
	r := rand.New(rand.NewPCG(1, 2))
	far := 0
	for range rounds {
		sum := 0.
		for _, d := range diff {
			if r.IntN(2) == 0 {
				d = -d
			}
			sum += d
		}
		if math.Abs(sum/float64(len(diff))) >= math.Abs(c.gain)-1e-12 {
			far++
		}
	}
	c.chance = float64(far) / rounds
	return c
}

func mean(vs []float64) float64 {
	sum := 0.
	for _, v := range vs {
		sum += v
	}
	return sum / float64(len(vs))
}
