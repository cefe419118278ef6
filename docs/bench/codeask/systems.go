package main

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
)

// A repo is a repository to be asked.
type repo struct {
	ws    *findspot.Workspace
	graph *codegraph.Graph
	root  string

	words *bm25.Index // of the functions, made when it is first asked
	ids   []string    // of the functions, as words numbers them
}

const wanted = 50

// ask gives the functions that a system finds, best first.
func (r *repo) ask(ctx context.Context, system, question string) ([]string, error) {
	functions := []codegraph.Kind{codegraph.KindFunction}
	var ids []string
	switch system {
	case "search", "any":
		o := &codegraph.SearchOptions{Limit: wanted, Kinds: functions}
		if system == "any" {
			o.Kinds = nil
		}
		res, err := r.ws.SearchCode(ctx, question, o)
		if err != nil {
			return nil, err
		}
		for _, h := range res.Hits {
			ids = append(ids, h.ID)
		}
	case "locate":
		res, err := r.ws.Locate(ctx, question, &codegraph.LocateOptions{Limit: wanted, Kinds: functions})
		if err != nil {
			return nil, err
		}
		for _, s := range res.Spots {
			ids = append(ids, s.ID)
		}
	case "ask":
		res, err := r.ws.Ask(ctx, question, &findspot.AskOptions{Tokens: 1 << 20, Entities: wanted})
		if err != nil {
			return nil, err
		}
		for _, it := range res.Items {
			_, id, ok := strings.Cut(it.At.Entity, "//")
			if !ok {
				id = it.At.Entity
			}
			ids = append(ids, id)
		}
	case "bm25":
		return r.plain(question)
	default:
		return nil, fmt.Errorf("no system is called so: search, any, locate, ask, bm25")
	}
	return ids, nil
}

// plain ranks functions by BM25 over their words.
func (r *repo) plain(question string) ([]string, error) {
	if r.words == nil {
		r.words = bm25.New()
		for e := range r.graph.Entities() {
			if e.Kind != codegraph.KindFunction || e.Test || e.Generated {
				continue
			}
			b, err := os.ReadFile(filepath.Join(r.root, e.Path))
			if err != nil {
				return nil, err
			}
			lines := strings.Split(string(b), "\n")
			r.words.Add(text.Terms(strings.Join(lines[e.Line-1:min(e.EndLine, len(lines))], "\n")))
			r.ids = append(r.ids, e.ID)
		}
	}
	var ids []string
	for _, h := range r.words.Search(text.Terms(question), wanted, nil) {
		ids = append(ids, r.ids[h.Doc])
	}
	return ids, nil
}
