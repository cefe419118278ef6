package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"os"
	"runtime/pprof"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/openaiembed"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "ask:", err)
		os.Exit(1)
	}
}

func run() error {
	fs := flag.NewFlagSet("ask", flag.ExitOnError)
	index := fs.String("index", ".findspot", "folder of the index")
	passages := fs.String("passages", "", "folder of the index of passages for the plain systems")
	embed := fs.String("embed", "", "address of an embedding server, for the system hybrid")
	names := fs.String("systems", "ask", "systems, with commas")
	profile := fs.String("profile", "", "write a CPU profile to this file")
	verbose := fs.Bool("v", false, "print each question")
	if len(os.Args) < 2 || !slices.Contains([]string{"index", "eval", "fit", "explain"}, os.Args[1]) {
		return errors.New("usage: ask index, eval, fit or explain, then flags and files")
	}
	if err := fs.Parse(os.Args[2:]); err != nil {
		return err
	}
	ctx := context.Background()
	if os.Args[1] == "index" {
		return makeIndex(ctx, *passages, fs.Arg(0), *embed)
	}
	var all []question
	for _, f := range fs.Args() {
		qs, err := read(f)
		if err != nil {
			return err
		}
		all = append(all, qs...)
	}
	opt := &findspot.Options{NoServers: true}
	if *embed != "" {
		e, err := openaiembed.New(*embed, "all-MiniLM-L6-v2", nil)
		if err != nil {
			return err
		}
		opt.Embedder = e
	}
	ws, err := findspot.Open(ctx, *index, opt)
	if err != nil {
		return err
	}
	defer ws.Close()
	b := &bench{ws: ws, passages: *passages, embed: *embed}
	if *profile != "" {
		f, err := os.Create(*profile)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	if os.Args[1] == "fit" {
		return b.fit(ctx, all)
	}
	if os.Args[1] == "explain" {
		return b.explain(ctx, all)
	}
	for name := range strings.SplitSeq(*names, ",") {
		if err := b.eval(ctx, name, all, *verbose); err != nil {
			return err
		}
	}
	return nil
}

type sum struct {
	n, first, three, ten, doc, none int
	until, whole                    []int
}

func (b *bench) eval(ctx context.Context, name string, all []question, verbose bool) error {
	sums := map[string]*sum{}
	kinds := []string{"all", "nothing"}
	get := func(k string) *sum {
		if sums[k] == nil {
			sums[k] = &sum{}
			if !slices.Contains(kinds, k) {
				kinds = append(kinds, k)
			}
		}
		return sums[k]
	}
	var times []time.Duration
	for _, q := range all {
		begin := time.Now()
		a, err := b.ask(ctx, name, q.Question)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", name, q.Question, err)
		}
		times = append(times, time.Since(begin))
		if len(q.Answers) == 0 {
			s := get("nothing")
			s.n++
			if a.nothing || len(a.pieces) == 0 {
				s.none++
			}
			if verbose {
				fmt.Printf("%s\t%v\t%s\t%s\n", q.Kind, a.nothing, q.Question, first(a))
			}
			continue
		}
		r := rank(q.Answers, a.pieces)
		if len(q.Also) > 0 {
			if r2 := rank(q.Also, a.pieces); r == 0 || r2 > 0 && r2 < r {
				r = r2
			}
		}
		right := rightFirst(q.Answers, a.pieces) || rightFirst(q.Also, a.pieces)
		for _, s := range []*sum{get("all"), get(q.Kind)} {
			s.n++
			if r == 1 {
				s.first++
			}
			if r > 0 && r <= 3 {
				s.three++
			}
			if r > 0 && r <= 10 {
				s.ten++
			}
			if right {
				s.doc++
			}
			if a.nothing {
				s.none++
			}
			until := a.tokens
			if r > 0 {
				until = a.pieces[r-1].tokens
			}
			s.until, s.whole = append(s.until, until), append(s.whole, a.tokens)
		}
		if verbose {
			fmt.Printf("%s\t%d\t%v\t%v\t%s\t%s\n", q.Kind, r, right, a.nothing, q.Question, first(a))
		}
	}
	fmt.Printf("%s\n%-12s %4s %6s %6s %6s %6s %6s %6s %6s\n", name, "kind", "n", "first", "three", "ten", "doc", "none", "until", "whole")
	for _, k := range kinds {
		s := sums[k]
		if s == nil {
			continue
		}
		n := float64(s.n)
		fmt.Printf("%-12s %4d %6.3f %6.3f %6.3f %6.3f %6.3f %6d %6d\n", k, s.n, float64(s.first)/n, float64(s.three)/n, float64(s.ten)/n, float64(s.doc)/n, float64(s.none)/n, median(s.until), median(s.whole))
	}
	slices.Sort(times)
	if len(times) > 0 {
		fmt.Printf("time: median %v, 95th percentile %v\n", times[len(times)/2].Round(time.Millisecond/10), times[len(times)*95/100].Round(time.Millisecond/10))
	}
	return nil
}

func first(a *answer) string {
	if len(a.pieces) == 0 {
		return ""
	}
	p := a.pieces[0]
	return p.doc + p.entity + ": " + plain(p.text)
}

func median(list []int) int {
	if len(list) == 0 {
		return 0
	}
	list = slices.Clone(list)
	slices.Sort(list)
	return list[len(list)/2]
}
