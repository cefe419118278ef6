//go:build ignore

// Findspot measures the library of documents inside one process: findspot query|search FOLDER QUERIES ROUNDS | findspot run FOLDER QUERIES LIMIT OUT any|all |
// findspot add FOLDER PATH
//
// FOLDER is that of the library's index. Query reads phrase.jsonl, all.jsonl and any.jsonl of the folder QUERIES, asks the engine for that one tier, ten
// documents with their ids, and prints "tier round number microseconds hits" a query; FINDSPOT_BENCH_TIERS names the only tier. Search asks the same queries through
// [docsearch.Library.Search] as a caller has it: all tiers in turn, grouped, with snippets. Run answers the queries of a file with the any-word tier
// alone, or with all tiers, into a run in TREC's form. Add takes a folder of documents in. FINDSPOT_BENCH_PROFILE names a file for a CPU profile.
package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"runtime/pprof"
	"slices"
	"strconv"
	"time"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
	"github.com/findspot/findspot/docsearch/driver"
)

type line struct {
	ID   string `json:"_id"`
	Text string `json:"text"`
}

func main() {
	if err := run(context.Background(), os.Args[1:]); err != nil {
		fmt.Fprintln(os.Stderr, "findspot:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, args []string) error {
	if path := os.Getenv("FINDSPOT_BENCH_PROFILE"); path != "" {
		f, err := os.Create(path)
		if err != nil {
			return err
		}
		defer f.Close()
		if err := pprof.StartCPUProfile(f); err != nil {
			return err
		}
		defer pprof.StopCPUProfile()
	}
	switch {
	case len(args) == 4 && (args[0] == "query" || args[0] == "search"):
		return query(ctx, args[1], args[2], args[3], args[0] == "search")
	case len(args) == 6 && args[0] == "run" && args[5] == "any":
		return answer(ctx, args[1], args[2], args[3], args[4], []docsearch.Tier{docsearch.TierAny})
	case len(args) == 6 && args[0] == "run" && args[5] == "all":
		return answer(ctx, args[1], args[2], args[3], args[4], nil)
	case len(args) == 3 && args[0] == "add":
		return add(ctx, args[1], args[2])
	}
	return errors.New("usage: findspot query|search FOLDER QUERIES ROUNDS | findspot run FOLDER QUERIES LIMIT OUT any|all | findspot add FOLDER PATH")
}

func read(path string) ([]line, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	var out []line
	d := json.NewDecoder(bufio.NewReader(f))
	for {
		var l line
		if err := d.Decode(&l); err == io.EOF {
			return out, nil
		} else if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		out = append(out, l)
	}
}

func query(ctx context.Context, dir, folder, count string, whole bool) error {
	rounds, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	s, err := blevestore.New(ctx, dir, true)
	if err != nil {
		return err
	}
	lib, err := docsearch.New(s, nil)
	if err != nil {
		return err
	}
	defer lib.Close()
	w := bufio.NewWriter(os.Stdout)
	defer w.Flush()
	only := os.Getenv("FINDSPOT_BENCH_TIERS")
	for i, tier := range []string{"phrase", "all", "any"} {
		if only != "" && only != tier {
			continue
		}
		queries, err := read(filepath.Join(folder, tier+".jsonl"))
		if err != nil {
			return err
		}
		search := func(text string) (int, error) {
			hits, err := s.Search(ctx, &driver.Query{Kind: driver.KindChunk, Match: driver.Match(i), Groups: groups(text, i == 0), Limit: 10, PerDoc: 3})
			if err != nil {
				return 0, err
			}
			return hits.Total, nil
		}
		if whole {
			search = func(text string) (int, error) {
				res, err := lib.Search(ctx, text, nil)
				if err != nil {
					return 0, err
				}
				return res.Total, nil
			}
		}
		if err := ask(w, tier, rounds, queries, search); err != nil {
			return err
		}
	}
	return nil
}

// add takes a folder in, and prints how much it was.
func add(ctx context.Context, dir, path string) error {
	lib, err := blevestore.Open(ctx, dir, nil)
	if err != nil {
		return err
	}
	defer lib.Close()
	began := time.Now()
	documents, pages, failed := 0, 0, 0
	for d, err := range lib.AddAll(ctx, docsearch.Files(path)) {
		var bad *docsearch.IngestError
		switch {
		case errors.As(err, &bad):
			failed++
		case err != nil:
			return err
		default:
			documents++
			pages += d.Pages
		}
	}
	took := time.Since(began).Seconds()
	fmt.Printf("%d documents, %d pages, %d not read, %.1f s, %.1f pages/s\n", documents, pages, failed, took, float64(pages)/took)
	return lib.Close()
}

// groups returns the words of a text, for a phrase with the stop words between others, else without any.
func groups(text string, phrase bool) []driver.Group {
	all := driver.Groups(text)
	if !phrase {
		return slices.DeleteFunc(all, func(g driver.Group) bool { return g.Stop })
	}
	for len(all) > 0 && all[0].Stop {
		all = all[1:]
	}
	for len(all) > 0 && all[len(all)-1].Stop {
		all = all[:len(all)-1]
	}
	return all
}

func ask(w io.Writer, tier string, rounds int, queries []line, search func(string) (int, error)) error {
	for round := range rounds + 1 {
		for i, q := range queries {
			began := time.Now()
			hits, err := search(q.Text)
			if err != nil {
				return fmt.Errorf("%s: %w", q.ID, err)
			}
			fmt.Fprintf(w, "%s %d %d %.1f %d\n", tier, round, i, float64(time.Since(began).Nanoseconds())/1e3, hits)
		}
	}
	return nil
}

// answer writes what the tiers find; nil: all.
func answer(ctx context.Context, dir, queries, count, out string, tiers []docsearch.Tier) error {
	limit, err := strconv.Atoi(count)
	if err != nil {
		return err
	}
	list, err := read(queries)
	if err != nil {
		return err
	}
	lib, err := blevestore.Open(ctx, dir, &blevestore.Options{ReadOnly: true})
	if err != nil {
		return err
	}
	defer lib.Close()
	f, err := os.Create(out)
	if err != nil {
		return err
	}
	defer f.Close()
	for _, q := range list {
		res, err := lib.Search(ctx, q.Text, &docsearch.SearchOptions{Tiers: tiers, Limit: limit})
		if err != nil {
			return fmt.Errorf("%s: %w", q.ID, err)
		}
		for i, h := range res.Hits {
			fmt.Fprintf(f, "%s Q0 %s %d %d findspot\n", q.ID, h.Doc, i+1, limit-i)
		}
	}
	return f.Close()
}
