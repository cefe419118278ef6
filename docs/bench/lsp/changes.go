package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/plant"
	"github.com/findspot/findspot/lspclient"
)

// changed counts the answers after one kind of change.
type changed struct {
	kind     string
	rounds   int
	verdicts map[plant.Verdict]int
	took     []time.Duration // of the first questions after a change
}

// changing makes changes and asks.
type changing struct {
	common
	lang    string
	made    int
	only    string
	rounds  int
	limit   time.Duration
	within  time.Duration
	verbose bool

	lc    *lspclient.Client
	plant *plant.Plant
	steps int // done so far
	said  string
}

func changes(ctx context.Context, args []string) error {
	var c changing
	f := flag.NewFlagSet("changes", flag.ContinueOnError)
	c.register(f)
	f.StringVar(&c.lang, "lang", "", "language of the planted files: go, python, typescript, rust or cpp")
	f.IntVar(&c.made, "made", 0, "make a repository of so many packages instead of copying -root")
	f.StringVar(&c.only, "kinds", "", "only kinds of change whose names hold one of these words, comma between; empty: all")
	f.IntVar(&c.rounds, "rounds", 10, "rounds of each kind")
	f.DurationVar(&c.limit, "timeout", time.Minute, "deadline of each question")
	f.DurationVar(&c.within, "within", time.Hour, "begin no change after so long")
	f.BoolVar(&c.verbose, "v", false, "print every answer; else what is wrong or an error")
	if err := f.Parse(args); err != nil {
		return err
	}
	if c.server == "" || c.lang == "" || c.rounds < 1 {
		return errors.New("changes: -server, -lang and a number of rounds are needed")
	}
	dir, err := os.MkdirTemp("", "changes")
	if err != nil {
		return err
	}
	defer os.RemoveAll(dir)
	if dir, err = filepath.EvalSymlinks(dir); err != nil {
		return err
	}
	if c.made > 0 {
		err = plant.Make(dir, c.lang, c.made)
	} else {
		err = os.CopyFS(dir, os.DirFS(c.root))
	}
	if err != nil {
		return err
	}
	c.root = dir
	if c.lc, err = c.open(ctx); err != nil {
		return err
	}
	defer c.lc.Close()
	if c.plant, err = plant.New(dir, c.lang, c.server, c.lc); err != nil {
		return err
	}
	return c.run(ctx)
}

func (c *changing) run(ctx context.Context) error {
	var table []*changed
	words := strings.Split(c.only, ",")
	for _, kind := range c.plant.Kinds() {
		if kind == "at rest" || slices.ContainsFunc(words, func(w string) bool { return strings.Contains(kind, w) }) {
			table = append(table, &changed{kind: kind, verdicts: map[plant.Verdict]int{}})
		}
	}
	defer c.print(table)
	began := time.Now()
	for round := range c.rounds {
		for _, row := range table {
			if time.Since(began) > c.within {
				return nil
			}
			for _, step := range c.plant.Steps(row.kind, round) {
				if err := c.step(ctx, row, step); err != nil {
					return fmt.Errorf("%s, round %d: %w", row.kind, round+1, err)
				}
			}
			row.rounds++
		}
	}
	return nil
}

// step makes a change and asks one of the questions at once, another one each time, then for the references.
func (c *changing) step(ctx context.Context, row *changed, step plant.Step) error {
	checks, err := step.Do()
	if err != nil {
		return err
	}
	if len(checks) == 0 {
		return nil
	}
	c.steps++
	order := []plant.Check{checks[c.steps%len(checks)]}
	if c.steps%len(checks) != 0 {
		order = append(order, checks[0])
	}
	for i, check := range order {
		o := plant.Put(ctx, c.lc, check, c.limit)
		if err := ctx.Err(); err != nil {
			return err
		}
		if o.Verdict == plant.NotOffered {
			continue
		}
		row.verdicts[o.Verdict]++
		if i == 0 {
			row.took = append(row.took, o.Took)
		}
		if o.Said.Server != "" {
			c.said = o.Said.Server
		}
		if c.verbose || o.Verdict != plant.Right {
			fmt.Fprintf(os.Stderr, "%s, question %d: %v\n", row.kind, i+1, o)
		}
	}
	return nil
}

func (c *changing) print(table []*changed) {
	fmt.Printf("%s, %s\n\n", c.said, c.lang)
	columns := []plant.Verdict{plant.Right, plant.RightSaid, plant.WrongSaid, plant.Failed, plant.Wrong}
	fmt.Printf("| change | rounds | answers |")
	for _, v := range columns {
		fmt.Printf(" %s |", v)
	}
	fmt.Printf(" median of the first |\n|---|%s\n", strings.Repeat("---|", len(columns)+3))
	total := changed{kind: "all", verdicts: map[plant.Verdict]int{}}
	line := func(row *changed) {
		n := 0
		for _, v := range columns {
			n += row.verdicts[v]
		}
		fmt.Printf("| %s | %d | %d |", row.kind, row.rounds, n)
		for _, v := range columns {
			fmt.Printf(" %d |", row.verdicts[v])
		}
		slices.Sort(row.took)
		middle := time.Duration(0)
		if len(row.took) > 0 {
			middle = row.took[len(row.took)/2]
		}
		fmt.Printf(" %.2f s |\n", middle.Seconds())
	}
	for _, row := range table {
		line(row)
		if row.kind == "at rest" {
			continue
		}
		total.rounds += row.rounds
		total.took = append(total.took, row.took...)
		for v, n := range row.verdicts {
			total.verdicts[v] += n
		}
	}
	line(&total)
}
