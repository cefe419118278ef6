package main

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"os"
	"runtime"
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/docsearch/blevestore"
)

// drawn is an embedder that looks vectors up by the number that a text begins with: of documents, or of queries behind them.
type drawn struct{ docs, queries *vectors }

func (*drawn) Name() string { return "drawn" }

func (d *drawn) Embed(_ context.Context, texts []string) ([][]float32, error) {
	var out [][]float32
	for _, s := range texts {
		word, _, _ := strings.Cut(s, " ")
		n, err := strconv.Atoi(strings.TrimPrefix(word, "n"))
		switch {
		case err != nil || n >= d.docs.len()+d.queries.len():
			return nil, fmt.Errorf("no vector of %q", s)
		case n < d.docs.len():
			out = append(out, d.docs.at(n))
		default:
			out = append(out, d.queries.at(n-d.docs.len()))
		}
	}
	return out, nil
}

// words makes a text of n words, common ones often.
func words(r *rand.Rand, n int) string {
	var out []string
	for range n {
		x := r.Float64()
		h := fnv.New32a()
		h.Write(binary.LittleEndian.AppendUint32(nil, uint32(x*x*x*30_000)))
		out = append(out, fmt.Sprintf("w%x", h.Sum32()))
	}
	return strings.Join(out, " ")
}

// measureHybrid compares searches by words with those by words and vectors.
func measureHybrid(ctx context.Context, v, asked *vectors) (err error) {
	dir, err := os.MkdirTemp("", "bench-vectorscan-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	lib, err := blevestore.Open(ctx, dir, &blevestore.Options{Options: docsearch.Options{Embedder: &drawn{v, asked}}})
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, lib.Close()) }()
	r := rand.New(rand.NewPCG(3, 4))
	sources := func(yield func(docsearch.Source, error) bool) {
		for i := range v.len() {
			rec := &docsearch.Record{ID: id(i), Text: fmt.Sprintf("n%d %s", i, words(r, 40))}
			if !yield(rec.Source("drawn")) {
				return
			}
		}
	}
	for _, err := range lib.AddAll(ctx, sources) {
		if err != nil {
			return err
		}
	}
	if _, err := lib.Embed(ctx); err != nil {
		return err
	}
	runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(runtime.NumCPU())
	fmt.Printf("%d documents with a vector of %d numbers, %d queries of two words\n", v.len(), v.dims, asked.len())
	var took [2]times
	for i := range asked.len() {
		query := fmt.Sprintf("n%d %s", v.len()+i, words(r, 2))
		for k, mode := range []docsearch.Mode{docsearch.ModeWords, docsearch.ModeHybrid} {
			ask := func() error {
				res, err := lib.Search(ctx, query, &docsearch.SearchOptions{Mode: mode})
				if err == nil && mode == docsearch.ModeHybrid && res.Searched.Vectors != v.len() {
					err = fmt.Errorf("%d vectors were compared", res.Searched.Vectors)
				}
				return err
			}
			if i == 0 {
				if err := ask(); err != nil {
					return err
				}
			}
			if err := took[k].call(ask); err != nil {
				return err
			}
		}
	}
	fmt.Printf("  words:  %v\n  hybrid: %v\n", &took[0], &took[1])
	return nil
}
