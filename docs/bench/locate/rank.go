package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// rankTimes prints how long it takes to rank the places of a tree for a text: the first time and the median of fifty.
func rankTimes(file, tree, index string) error {
	text, err := os.ReadFile(file)
	if err != nil {
		return err
	}
	ctx := context.Background()
	ix, err := codegraph.Open(ctx, index, tree, findspot.Languages(), nil)
	if err != nil {
		return err
	}
	defer ix.Close()
	for _, lines := range []int{-1, 5} {
		var took []time.Duration
		for range 50 {
			t := time.Now()
			if _, err := ix.Graph().Locate(ctx, string(text), &codegraph.LocateOptions{Lines: lines}); err != nil {
				return err
			}
			took = append(took, time.Since(t))
		}
		first := took[0]
		slices.Sort(took)
		fmt.Printf("lines %2d: first %v, median %v, most %v\n", lines, first.Round(100*time.Microsecond), took[25].Round(100*time.Microsecond), took[49].Round(100*time.Microsecond))
	}
	return nil
}
