package main

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// embedBest makes the vectors of the n best files of each fix by words, 0 for all. An index of these files alone puts them into the pool
// that the index of the whole tree reads, since vectors are kept by content.
func embedBest(fixes []*fix, n int, trees, indexes string, embedder codegraph.Embedder) error {
	for i, x := range fixes {
		texts, err := embedOf(x, n, filepath.Join(trees, x.ID), facts(indexes), embedder)
		if err != nil {
			return fmt.Errorf("%s: %w", x.ID, err)
		}
		fmt.Printf("%d/%d %s: %d functions and classes\n", i+1, len(fixes), x.ID, texts)
	}
	return nil
}

func embedOf(x *fix, n int, tree, facts string, embedder codegraph.Embedder) (entities int, err error) {
	ctx := context.Background()
	root, err := os.MkdirTemp("", "findspot-locate")
	if err != nil {
		return 0, err
	}
	defer os.RemoveAll(root)
	src := tree
	if n > 0 {
		src = filepath.Join(root, "src")
		res, err := x.g.Locate(ctx, x.Query, &codegraph.LocateOptions{Limit: n, Files: n, Kinds: []codegraph.Kind{codegraph.KindFile}, Lines: -1})
		if err != nil {
			return 0, err
		}
		for _, s := range res.Spots {
			b, err := os.ReadFile(filepath.Join(tree, s.Path))
			to := filepath.Join(src, s.Path)
			if err := errors.Join(err, os.MkdirAll(filepath.Dir(to), 0o755), os.WriteFile(to, b, 0o644)); err != nil {
				return 0, err
			}
		}
	}
	ix, err := codegraph.Open(ctx, filepath.Join(root, "index"), src, findspot.Languages(), &codegraph.Options{Facts: facts, Embedder: embedder})
	if err != nil {
		return 0, err
	}
	defer ix.Close()
	if err := ix.Embed(ctx); err != nil {
		return 0, err
	}
	st, err := ix.EmbedState()
	if err != nil {
		return 0, err
	}
	return st.Entities, nil
}

// facts is the folder of the pool that the indexes share.
func facts(indexes string) string { return filepath.Join(indexes, "facts") }
