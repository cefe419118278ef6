package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch/localembed"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "codeask:", err)
		os.Exit(1)
	}
}

// A question with the functions that answer it.
type question struct {
	Repo     string   `json:"repo"`
	Commit   string   `json:"commit"`
	Kind     string   `json:"kind"` // its words stand in the name of the function ("name"), in its text ("body"), or hardly anywhere in it
	Question string   `json:"question"`
	Gold     []string `json:"gold"`
}

func run() error {
	names := flag.String("systems", "search", "systems, with commas")
	model := flag.String("model", "", "folder of an embedding model, for vectors of functions")
	verbose := flag.Bool("v", false, "print each question with its rank and what came first")
	flag.Parse()
	if flag.NArg() != 3 {
		return errors.New("three arguments: QUESTIONS CLONES INDEXES")
	}
	all, err := read(flag.Arg(0))
	if err != nil {
		return err
	}
	ctx := context.Background()
	var embedder codegraph.Embedder
	if *model != "" {
		if embedder, err = localembed.Open(*model, nil); err != nil {
			return err
		}
	}
	repos := map[string]*repo{}
	for _, q := range all {
		if repos[q.Repo] != nil {
			continue
		}
		name := path.Base(q.Repo)
		r, err := open(ctx, filepath.Join(flag.Arg(1), name), filepath.Join(flag.Arg(2), name), embedder)
		if err != nil {
			return err
		}
		defer r.ws.Close()
		for _, q := range all {
			for _, id := range q.Gold {
				if _, ok := r.graph.Entity(id); !ok && path.Base(q.Repo) == name {
					return fmt.Errorf("%s: %s has no %s: is it at %s?", flag.Arg(0), name, id, q.Commit)
				}
			}
		}
		repos[q.Repo] = r
	}
	for name := range strings.SplitSeq(*names, ",") {
		if err := eval(ctx, name, repos, all, *verbose); err != nil {
			return err
		}
	}
	return nil
}

func read(file string) ([]question, error) {
	f, err := os.Open(file)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []question
	sc := bufio.NewScanner(f)
	for n := 1; sc.Scan(); n++ {
		var q question
		if err := json.Unmarshal(sc.Bytes(), &q); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, n, err)
		}
		out = append(out, q)
	}
	return out, sc.Err()
}

// open opens the workspace of a repository, and makes it if it is not there, with the vectors of an embedder unless that is nil.
func open(ctx context.Context, clone, index string, embedder codegraph.Embedder) (*repo, error) {
	ws, err := findspot.Open(ctx, index, &findspot.Options{NoServers: true, CodeEmbedder: embedder})
	if err != nil {
		return nil, err
	}
	if _, err := ws.AddRepo(ctx, clone, nil); err != nil {
		return nil, err
	}
	if embedder != nil {
		if err := ws.EmbedCode(ctx); err != nil {
			return nil, err
		}
	}
	graphs, err := ws.Graphs(ctx)
	if err != nil {
		return nil, err
	}
	return &repo{ws: ws, graph: graphs[0], root: clone}, nil
}

type sum struct {
	n, first, three, ten int
	mrr                  float64
}

func eval(ctx context.Context, name string, repos map[string]*repo, all []question, verbose bool) error {
	groups := []string{"all"}
	sums := map[string]*sum{"all": {}}
	var times []time.Duration
	for _, q := range all {
		begin := time.Now()
		ids, err := repos[q.Repo].ask(ctx, name, q.Question)
		if err != nil {
			return fmt.Errorf("%s: %q: %w", name, q.Question, err)
		}
		times = append(times, time.Since(begin))
		rank := 1 + slices.IndexFunc(ids, func(id string) bool { return slices.Contains(q.Gold, id) })
		if verbose {
			fmt.Printf("%s\t%d\t%s\t%s\t%s\t%s\n", name, rank, q.Repo, q.Kind, q.Question, strings.Join(ids[:min(len(ids), 3)], " "))
		}
		for _, g := range []string{"all", q.Repo, q.Kind} {
			if sums[g] == nil {
				groups = append(groups, g)
				sums[g] = &sum{}
			}
			s := sums[g]
			s.n++
			if rank == 0 {
				continue
			}
			s.mrr += 1 / float64(rank)
			for k, n := range map[int]*int{1: &s.first, 3: &s.three, 10: &s.ten} {
				if rank <= k {
					*n++
				}
			}
		}
	}
	fmt.Printf("%s\n%-16s %4s %6s %6s %6s %6s\n", name, "", "n", "@1", "@3", "@10", "MRR")
	for _, g := range groups {
		s := sums[g]
		n := float64(s.n)
		fmt.Printf("%-16s %4d %6.3f %6.3f %6.3f %6.3f\n", g, s.n, float64(s.first)/n, float64(s.three)/n, float64(s.ten)/n, s.mrr/n)
	}
	slices.Sort(times)
	fmt.Printf("time: median %v\n", times[len(times)/2].Round(time.Millisecond/10))
	return nil
}
