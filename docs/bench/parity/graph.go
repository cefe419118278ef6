package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// graph compares LocAgent's graph of a repository, as graph.py writes it, with ours.
func graph(ctx context.Context, name, file, dir string, verbose bool) ([]result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var written struct {
		Nodes map[string]string // kind by id
		Edges [][3]string       // from, kind, to
	}
	if err := json.Unmarshal(data, &written); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	g, err := codegraph.Build(ctx, os.DirFS(dir), findspot.Languages(), nil)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", dir, err)
	}
	found, missing := 0, []string{}
	for id := range written.Nodes {
		if _, ok := g.Entity(id); ok {
			found++
		} else {
			missing = append(missing, id)
		}
	}
	theirs, ours := map[codegraph.EdgeKind]map[edge]bool{}, map[codegraph.EdgeKind]map[edge]bool{}
	for _, kind := range kinds {
		theirs[kind], ours[kind] = map[edge]bool{}, map[edge]bool{}
	}
	for _, e := range written.Edges {
		kind, ok := kinds[e[1]]
		if !ok {
			return nil, fmt.Errorf("%s: an edge of kind %q", file, e[1])
		}
		theirs[kind][edge{e[0], e[2], kind}] = true
	}
	for e := range g.Edges() {
		if list := ours[e.Kind]; list != nil {
			list[edge{e.Src, e.Dst, e.Kind}] = true
		}
	}
	fmt.Printf("## %s\n\n%d of LocAgent's %d entities are in ours.\n\n| edges | both | LocAgent only | ours only | causes, LocAgent's; ours |\n|---|---|---|---|---|\n", name, found, len(written.Nodes))
	c := newComparison(g)
	at := "graph/" + name + "/"
	results := map[string]result{}
	add := func(what string, n float64, less bool) { results[what] = result{at + what, n, less} }
	add("entities in both", float64(found), false)
	for _, word := range slices.Sorted(maps.Keys(kinds)) {
		kind := kinds[word]
		d := c.between(theirs[kind], ours[kind], nil)
		fmt.Printf("| %s | %d | %d | %d | %s |\n", word, d.both, sum(d.theirsOnly), sum(d.oursOnly), causesOf(d))
		add(word+" in both", float64(d.both), false)
		add(word+" LocAgent's only, without a cause", float64(d.theirsOnly[other]), true)
		for _, e := range d.unexplained {
			fmt.Fprintln(os.Stderr, "without a cause:", e.Src, e.Kind, e.Dst)
		}
		if verbose {
			printOnly("LocAgent", theirs[kind], ours[kind])
			printOnly("ours", ours[kind], theirs[kind])
		}
	}
	if verbose {
		slices.Sort(missing)
		fmt.Fprintln(os.Stderr, "LocAgent's entities that ours lacks:\n  "+strings.Join(missing, "\n  "))
	}
	return inOrder(results), nil
}
