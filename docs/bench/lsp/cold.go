package main

import (
	"cmp"
	"context"
	"errors"
	"flag"
	"fmt"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/findspot/findspot/lspclient"
)

// first is the answer to one of the first questions to a fresh server.
type first struct {
	name    string
	limit   time.Duration
	took    time.Duration
	total   int
	state   lspclient.State
	reason  string
	failure error
}

func cold(ctx context.Context, args []string) error {
	var c common
	f := flag.NewFlagSet("cold", flag.ContinueOnError)
	c.register(f)
	rounds := f.Int("rounds", 20, "starts of the server")
	limits := f.String("timeouts", "60s", "deadlines of the first questions, one a round in turn")
	busy := f.Int("busy", 0, "goroutines that keep the processors busy meanwhile")
	kind := f.String("kind", "references", "references or definition")
	verbose := f.Bool("v", false, "print every answer")
	if err := f.Parse(args); err != nil {
		return err
	}
	names := f.Args()
	timeouts, err := durations(*limits)
	if err != nil {
		return err
	}
	if len(names) == 0 {
		return errors.New("cold: give names of symbols, or places as path:line:col")
	}
	stop := load(*busy)
	defer stop()
	var all []first
	for round := range *rounds {
		list, err := c.round(ctx, *kind, names, timeouts[round%len(timeouts)])
		if err != nil {
			return err
		}
		all = append(all, list...)
		if *verbose {
			for _, a := range list {
				fmt.Printf("round %d: %s within %v: %d, %s %s %v, took %v\n", round+1, a.name, a.limit, a.total, a.state, a.reason, a.failure, a.took.Round(time.Millisecond))
			}
		}
	}
	final, server, err := c.final(ctx, *kind, names)
	if err != nil {
		return err
	}
	report(all, names, final, server, *rounds)
	return nil
}

// load keeps processors busy until its result is called.
func load(n int) (stop func()) {
	var over atomic.Bool
	for range n {
		go func() {
			for !over.Load() {
			}
		}()
	}
	return func() { over.Store(true) }
}

func put(ctx context.Context, lc *lspclient.Client, kind, name string) (*lspclient.Result, error) {
	if kind == "definition" {
		return lc.Definition(ctx, target(name), nil)
	}
	return lc.References(ctx, target(name), &lspclient.ReferenceOptions{Limit: -1})
}

// round starts the server and asks all names at once.
func (c *common) round(ctx context.Context, kind string, names []string, limit time.Duration) ([]first, error) {
	lc, err := c.open(ctx)
	if err != nil {
		return nil, err
	}
	defer lc.Close()
	list := make([]first, len(names))
	var wg sync.WaitGroup
	for i, name := range names {
		wg.Go(func() {
			began := time.Now()
			a := first{name: name, limit: limit}
			ctx, cancel := context.WithTimeout(ctx, limit)
			defer cancel()
			var r *lspclient.Result
			if r, a.failure = put(ctx, lc, kind, name); a.failure == nil {
				a.total, a.state, a.reason = r.Total, r.State, r.Reason
			}
			a.took = time.Since(began)
			list[i] = a
		})
	}
	wg.Wait()
	return list, ctx.Err()
}

// final asks each name until three answers in a row agree, with pauses.
func (c *common) final(ctx context.Context, kind string, names []string) (map[string]int, string, error) {
	lc, err := c.open(ctx)
	if err != nil {
		return nil, "", err
	}
	defer lc.Close()
	final, server := map[string]int{}, ""
	for _, name := range names {
		agreed := 0
		for try := 0; agreed < 2; try++ {
			if try > 0 {
				time.Sleep(2 * time.Second)
			}
			limited, cancel := context.WithTimeout(ctx, 5*time.Minute)
			r, err := put(limited, lc, kind, name)
			cancel()
			if err != nil {
				return nil, "", fmt.Errorf("the final answer to %s: %w", name, err)
			}
			if try > 0 && r.Total == final[name] {
				agreed++
			} else {
				agreed = 0
			}
			final[name], server = max(r.Total, final[name]), r.Server
			if try == 60 {
				return nil, "", fmt.Errorf("the answers to %s do not settle", name)
			}
		}
	}
	return final, server, nil
}

func report(all []first, names []string, final map[string]int, server string, rounds int) {
	fmt.Printf("%s: %d starts, %d first questions at once in each\n\n", server, rounds, len(names))
	fmt.Println("| name | final | complete | smaller and yet complete | other states | errors | median time |")
	fmt.Println("|---|---|---|---|---|---|---|")
	wrong := 0
	for _, name := range names {
		var complete, smaller, other, failed int
		var took []time.Duration
		for _, a := range all {
			switch {
			case a.name != name:
				continue
			case a.failure != nil:
				failed++
			case a.state == lspclient.Complete:
				complete++
				if a.total < final[name] {
					smaller++
				}
			default:
				other++
			}
			took = append(took, a.took)
		}
		slices.SortFunc(took, func(a, b time.Duration) int { return cmp.Compare(a, b) })
		wrong += smaller
		fmt.Printf("| %s | %d | %d | %d | %d | %d | %v |\n", name, final[name], complete, smaller, other, failed, took[len(took)/2].Round(10*time.Millisecond))
	}
	fmt.Printf("\nsmaller than the final answer and yet complete: %d of %d\n", wrong, len(all))
	reasons := map[string]int{}
	for _, a := range all {
		switch {
		case a.failure != nil:
			reasons[a.failure.Error()]++
		case a.state != lspclient.Complete:
			reasons[string(a.state)+": "+a.reason]++
		}
	}
	for why, n := range reasons {
		fmt.Printf("%d x %s\n", n, why)
	}
}
