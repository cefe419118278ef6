package main

import (
	"bufio"
	"compress/gzip"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"maps"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch/localembed"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "locate:", err)
		os.Exit(1)
	}
}

type fix struct {
	ID, Repo, Lang, Kind, Query string
	GoldFiles                   []string            `json:"gold_files"`
	GoldFuncs                   []string            `json:"gold_funcs"`
	Hunks                       map[string][][2]int // lines of the files before, instead of GoldFuncs

	g     *codegraph.Graph
	past  *codegraph.History
	funcs map[string]bool // those of GoldFuncs that were there before
}

func run() error {
	if len(os.Args) < 2 || !slices.Contains([]string{"eval", "fit", "learn", "rank", "embed"}, os.Args[1]) {
		return errors.New("usage: locate eval|fit|learn|embed [FLAGS] FIXES TREES INDEXES, or rank FILE TREE INDEX")
	}
	fs := flag.NewFlagSet(os.Args[1], flag.ExitOnError)
	file := fs.String("weights", "", "JSON of weights, by name")
	without := fs.String("without", "", "weights to set to 0, with commas")
	rounds := fs.Int("rounds", 2, "rounds over all weights")
	names := fs.String("names", "", "weights to learn, with commas; empty means all")
	verbose := fs.Bool("v", false, "print each fix")
	ablate := fs.Bool("ablate", false, "then without each signal")
	pull := fs.Float64("pull", .01, "fit: how much large weights cost")
	history := fs.String("history", "", "folder with the output of git log for each fix, see codegraph.HistoryFormat")
	lang := fs.String("lang", "", "only this language")
	model := fs.String("model", "", "folder of an embedding model: vectors in INDEXES/facts count, too")
	best := fs.Int("best", 0, "embed: only the functions and classes of so many files of each fix, the best by words; 0 means all")
	if err := fs.Parse(os.Args[2:]); err != nil {
		return err
	}
	if fs.NArg() != 3 {
		return errors.New("three arguments: FIXES TREES INDEXES, or with rank FILE TREE INDEX")
	}
	if os.Args[1] == "rank" {
		return rankTimes(fs.Arg(0), fs.Arg(1), fs.Arg(2))
	}
	var embedder codegraph.Embedder
	if *model != "" {
		m, err := localembed.Open(*model, nil)
		if err != nil {
			return err
		}
		embedder = m
	}
	weights := codegraph.LocateWeights()
	if *file != "" {
		b, err := os.ReadFile(*file)
		if err != nil {
			return err
		}
		if err := json.Unmarshal(b, &weights); err != nil {
			return err
		}
	}
	for _, n := range strings.FieldsFunc(*without, func(r rune) bool { return r == ',' }) {
		weights[n] = 0
	}
	var fixes []*fix
	for _, f := range strings.Split(fs.Arg(0), ",") {
		list, err := load(f, fs.Arg(1), fs.Arg(2), embedder)
		if err != nil {
			return err
		}
		fixes = append(fixes, list...)
	}
	if *history != "" {
		for _, x := range fixes {
			f, err := os.Open(filepath.Join(*history, x.ID))
			if err != nil {
				return err
			}
			x.past, err = codegraph.ReadHistory(f)
			if err := errors.Join(err, f.Close()); err != nil {
				return err
			}
		}
	}
	fixes = slices.DeleteFunc(fixes, func(f *fix) bool { return *lang != "" && f.Lang != *lang })
	switch os.Args[1] {
	case "embed":
		if embedder == nil {
			return errors.New("embed needs -model DIR")
		}
		return embedBest(fixes, *best, fs.Arg(1), fs.Arg(2), embedder)
	case "eval":
		s := score(fixes, weights)
		print(fixes, s, *verbose)
		if *ablate {
			ablation(fixes, weights)
		}
	case "fit":
		w := smooth(fixes, weights, *pull)
		b, err := json.MarshalIndent(w, "", " ")
		if err != nil {
			return err
		}
		fmt.Println(string(b))
		print(fixes, score(fixes, w), false)
	case "learn":
		list := slices.Sorted(maps.Keys(weights))
		if *names != "" {
			list = strings.Split(*names, ",")
		}
		w := learn(fixes, weights, list, *rounds)
		b, err := json.MarshalIndent(w, "", " ")
		if err != nil {
			return err
		}
		fmt.Println(string(b))
		print(fixes, score(fixes, w), false)
	}
	return nil
}

var numbered = regexp.MustCompile(`#\d+$`)
var constructor = regexp.MustCompile(`\.(__init__|constructor)$`)

func norm(id string) string {
	p, n, _ := strings.Cut(id, ":")
	return p + ":" + constructor.ReplaceAllString(numbered.ReplaceAllString(n, ""), "")
}

func load(file, trees, indexes string, embedder codegraph.Embedder) ([]*fix, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var r io.Reader = f
	if strings.HasSuffix(file, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, err
		}
	}
	sc := bufio.NewScanner(r)
	sc.Buffer(nil, 1<<24)
	var out []*fix
	ctx := context.Background()
	for sc.Scan() {
		x := &fix{}
		if err := json.Unmarshal(sc.Bytes(), x); err != nil {
			return nil, err
		}
		dir, tree := filepath.Join(indexes, x.ID), filepath.Join(trees, x.ID)
		if _, err := os.Stat(filepath.Join(dir, "base.seg")); err != nil {
			ix, err := codegraph.Open(ctx, dir, tree, findspot.Languages(), nil)
			if err != nil {
				return nil, err
			}
			if err := ix.Close(); err != nil {
				return nil, err
			}
		}
		ix, err := codegraph.Open(ctx, dir, tree, findspot.Languages(), &codegraph.Options{ReadOnly: true, Facts: facts(indexes), Embedder: embedder})
		if err != nil {
			return nil, err
		}
		x.g = ix.Graph()
		x.funcs = map[string]bool{}
		for _, id := range x.GoldFuncs {
			for _, e := range []string{id, norm(id) + ".__init__", norm(id)} {
				if _, ok := x.g.Entity(e); ok {
					x.funcs[norm(id)] = true
				}
			}
		}
		for p, hunks := range x.Hunks {
			for _, h := range hunks {
				for l := h[0]; l <= h[1]; l++ {
					if e, ok := x.g.Enclosing(p, l); ok && e.Kind == codegraph.KindFunction {
						x.funcs[norm(e.ID)] = true
					}
				}
			}
		}
		out = append(out, x)
	}
	return out, sc.Err()
}

type scored struct {
	rank      map[string]int // of gold files, from 1; 0 for none
	all       map[int]bool
	any5      bool
	func5     int // 1 yes, 0 no, -1 not asked
	func10    int
	func5e    int // of those that were there before
	func10e   int
	mrr, gain float64
	took      time.Duration
	top       []string
}

func score(fixes []*fix, w map[string]float64) []scored {
	out := make([]scored, len(fixes))
	inTwo(len(fixes), func(i int) { out[i] = one(fixes[i], w) })
	return out
}

// inTwo calls f with the numbers below n, two at a time.
func inTwo(n int, f func(int)) {
	var wg sync.WaitGroup
	for k := range 2 {
		wg.Go(func() {
			for i := k; i < n; i += 2 {
				f(i)
			}
		})
	}
	wg.Wait()
}

func one(x *fix, w map[string]float64) scored {
	t := time.Now()
	res, err := x.g.Locate(context.Background(), x.Query, &codegraph.LocateOptions{Limit: 2000, Files: 60, Lines: -1, Weights: w, History: x.past})
	if err != nil {
		fmt.Fprintln(os.Stderr, "locate:", x.ID, err)
		os.Exit(1)
	}
	s := scored{took: time.Since(t), rank: map[string]int{}, all: map[int]bool{}}
	fr, er := map[string]int{}, map[string]int{}
	for _, sp := range res.Spots {
		if fr[sp.Path] == 0 {
			fr[sp.Path] = len(fr) + 1
			if len(s.top) < 10 {
				s.top = append(s.top, sp.Path)
			}
		}
		if strings.Contains(sp.ID, ":") {
			if id := norm(sp.ID); er[id] == 0 {
				er[id] = len(er) + 1
			}
		}
	}
	worst, ideal := 0, 0.
	for i, g := range x.GoldFiles {
		r := fr[g]
		s.rank[g] = r
		if r == 0 {
			r = 1000
		} else {
			s.mrr = max(s.mrr, 1/float64(r))
		}
		worst = max(worst, r)
		s.any5 = s.any5 || r <= 5
		s.gain += 1 / math.Log2(1+float64(r))
		ideal += 1 / math.Log2(2+float64(i))
	}
	s.gain /= ideal
	for _, k := range []int{1, 3, 5, 10, 30} {
		s.all[k] = worst <= k
	}
	at := func(k int, funcs []string) int {
		if len(funcs) == 0 {
			return -1
		}
		for _, f := range funcs {
			if r := er[norm(f)]; r == 0 || r > k {
				return 0
			}
		}
		return 1
	}
	have := slices.Sorted(maps.Keys(x.funcs))
	s.func5, s.func10 = at(5, x.GoldFuncs), at(10, x.GoldFuncs)
	s.func5e, s.func10e = at(5, have), at(10, have)
	if len(have) > 0 {
		g, id := 0., 0.
		for i, f := range have {
			if r := er[f]; r > 0 {
				g += 1 / math.Log2(1+float64(r))
			}
			id += 1 / math.Log2(2+float64(i))
		}
		s.gain += .5 * g / id
	}
	return s
}

func mean(list []scored, f func(scored) float64) float64 {
	n, sum := 0, 0.
	for _, s := range list {
		if x := f(s); x >= 0 {
			n, sum = n+1, sum+x
		}
	}
	return sum / float64(max(n, 1))
}

func b2f(b bool) float64 {
	if b {
		return 1
	}
	return 0
}

func line(name string, s []scored) {
	took := make([]time.Duration, len(s))
	for i := range s {
		took[i] = s[i].took
	}
	slices.Sort(took)
	fmt.Printf("%-32s n %3d  all@1 %.1f  @3 %.1f  @5 %.1f  @10 %.1f  @30 %.1f  any@5 %.1f  func@5 %.1f  @10 %.1f  there before @5 %.1f  @10 %.1f  MRR %.3f  gain %.4f  median %v\n", name, len(s),
		100*mean(s, func(x scored) float64 { return b2f(x.all[1]) }), 100*mean(s, func(x scored) float64 { return b2f(x.all[3]) }), 100*mean(s, func(x scored) float64 { return b2f(x.all[5]) }),
		100*mean(s, func(x scored) float64 { return b2f(x.all[10]) }), 100*mean(s, func(x scored) float64 { return b2f(x.all[30]) }), 100*mean(s, func(x scored) float64 { return b2f(x.any5) }),
		100*mean(s, func(x scored) float64 { return float64(x.func5) }), 100*mean(s, func(x scored) float64 { return float64(x.func10) }),
		100*mean(s, func(x scored) float64 { return float64(x.func5e) }), 100*mean(s, func(x scored) float64 { return float64(x.func10e) }),
		mean(s, func(x scored) float64 { return x.mrr }), mean(s, func(x scored) float64 { return x.gain }), took[len(took)/2].Round(100*time.Microsecond))
}

func print(fixes []*fix, s []scored, verbose bool) {
	if verbose {
		for i, x := range fixes {
			if s[i].all[5] {
				continue
			}
			fmt.Printf("%s %s: %q\n", x.ID, x.Lang, strings.SplitN(x.Query, "\n", 2)[0])
			for _, g := range x.GoldFiles {
				fmt.Printf("   gold %3d %s\n", s[i].rank[g], g)
			}
			fmt.Println("   top", s[i].top[:min(5, len(s[i].top))])
		}
	}
	for _, of := range []func(*fix) string{func(x *fix) string { return x.Lang }, func(x *fix) string { return x.Kind }} {
		groups := map[string][]scored{}
		for i, x := range fixes {
			groups[of(x)] = append(groups[of(x)], s[i])
		}
		for _, l := range slices.Sorted(maps.Keys(groups)) {
			line(l, groups[l])
		}
	}
	line("all", s)
}

func total(fixes []*fix, w map[string]float64) float64 {
	return mean(score(fixes, w), func(x scored) float64 { return x.gain })
}

// learn goes from weight to weight and keeps what makes the gain larger, with a little pull to what was there.
func learn(fixes []*fix, w map[string]float64, names []string, rounds int) map[string]float64 {
	w = maps.Clone(w)
	best := total(fixes, w)
	fmt.Fprintf(os.Stderr, "start %.4f\n", best)
	for round := range rounds {
		before := best
		steps := []float64{0, .5, .7, 1.4, 2}
		if round > 0 {
			steps = []float64{.75, .9, 1.1, 1.35}
		}
		for _, n := range names {
			old, kept := w[n], w[n]
			for _, f := range steps {
				w[n] = old * f
				if old == 0 {
					w[n] = f * .3
				}
				if x := total(fixes, w); x > best+2e-4 {
					best, kept = x, w[n]
				}
			}
			w[n] = kept
			if kept != old {
				fmt.Fprintf(os.Stderr, "%s %.3g -> %.3g: %.4f\n", n, old, kept, best)
			}
		}
		if best-before < 1e-3 {
			break
		}
	}
	return w
}
