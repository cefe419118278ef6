package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// A call is one of LocAgent's, with what it answered.
type call struct {
	Repo         string
	GlobalImport int `json:"global_import"` // 1: it looked for the targets of imports in all files
	Tool         string
	Args         json.RawMessage
	Text         string
}

// tools replays the recorded calls on our graphs of the same repositories.
func tools(ctx context.Context, file string, dirs map[string]string, verbose bool) ([]result, error) {
	data, err := os.ReadFile(file)
	if err != nil {
		return nil, err
	}
	var calls []call
	if err := json.Unmarshal(data, &calls); err != nil {
		return nil, fmt.Errorf("%s: %w", file, err)
	}
	var out []result
	for _, name := range slices.Sorted(maps.Keys(dirs)) {
		g, err := codegraph.Build(ctx, os.DirFS(dirs[name]), findspot.Languages(), nil)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", dirs[name], err)
		}
		p := &player{ctx: ctx, g: g, c: newComparison(g), verbose: verbose, sums: map[string]float64{}}
		fmt.Printf("## %s\n\n| call | both | LocAgent only | ours only | causes, LocAgent's; ours |\n|---|---|---|---|---|\n", name)
		n := 0
		for _, c := range calls {
			if c.Repo != name {
				continue
			}
			n++
			if err := p.play(c); err != nil {
				return nil, fmt.Errorf("%s: %s %s: %w", name, c.Tool, c.Args, err)
			}
		}
		if n == 0 {
			return nil, fmt.Errorf("%s has no call of a repository %s", file, name)
		}
		fmt.Printf("\n%d calls: %.0f edges in both, %.0f LocAgent's only (%.0f without a cause), %.0f ours only; %.0f of %.0f trees written alike from its edges; %.0f of %.0f lines of its sources and %.0f of %.0f of its outlines are in ours\n\n",
			n, p.sums["edges"], p.sums["theirs"], p.sums["unexplained"], p.sums["ours"], p.sums["written"], p.sums["trees"], p.sums["source"], p.sums["sources"], p.sums["outline"], p.sums["outlines"])
		at := "tools/" + name + "/"
		out = append(out, result{at + "edges in both", p.sums["edges"], false}, result{at + "LocAgent's only, without a cause", p.sums["unexplained"], true},
			result{at + "trees written alike", p.sums["written"], false},
			result{at + "share of its source lines", p.sums["source"] / max(p.sums["sources"], 1), false}, result{at + "share of its outline lines", p.sums["outline"] / max(p.sums["outlines"], 1), false})
	}
	return out, nil
}

// A player replays the calls of one repository.
type player struct {
	ctx     context.Context
	g       *codegraph.Graph
	c       *comparison
	verbose bool
	sums    map[string]float64
}

func (p *player) play(c call) error {
	view, formatted := strings.CutPrefix(c.Tool, "format:")
	switch {
	case c.Tool == "explore_tree_structure":
		return p.tree(c)
	case formatted:
		return p.source(c, view)
	}
	return fmt.Errorf("unknown tool")
}

func (p *player) tree(c call) error {
	var args []any
	if err := json.Unmarshal(c.Args, &args); err != nil {
		return err
	}
	if len(args) != 5 {
		return fmt.Errorf("%d arguments, want id, direction, hops, kinds, edges", len(args))
	}
	id, _ := args[0].(string)
	direction, _ := args[1].(string)
	hops, _ := args[2].(float64)
	lines, err := takeApart(c.Text)
	if err != nil {
		return err
	}
	theirs := map[edge]bool{}
	w := &codegraph.Walk{Roots: []string{id}, Direction: directions[direction], Hops: int(hops)}
	for _, l := range lines {
		theirs[l.edge()] = true
		w.Edges = append(w.Edges, codegraph.Edge{Src: l.edge().Src, Dst: l.edge().Dst, Kind: l.edge().Kind})
	}
	var written bytes.Buffer
	if err := w.WriteTree(&written); err != nil {
		return err
	}
	o := &codegraph.TraverseOptions{Direction: directions[direction], Hops: int(hops)}
	for _, k := range words(args[3]) {
		o.Kinds = append(o.Kinds, codegraph.Kind(k))
	}
	for _, k := range words(args[4]) {
		o.Edges = append(o.Edges, kinds[k])
	}
	walk, err := p.g.Traverse(p.ctx, []string{id}, o)
	if err != nil {
		return err
	}
	ours := map[edge]bool{}
	for _, e := range walk.Edges {
		ours[edge{e.Src, e.Dst, e.Kind}] = true
	}
	reached := map[string]map[string]bool{"theirs": {id: true}, "ours": {id: true}}
	for _, l := range lines {
		reached["theirs"][l.id] = true
	}
	for _, id := range walk.IDs {
		reached["ours"][withoutConstructor(id)] = true
	}
	d := p.c.between(theirs, ours, func(side, id string) bool { return reached[side][withoutConstructor(id)] })
	p.sums["trees"]++
	if written.String() == c.Text {
		p.sums["written"]++
	}
	p.sums["edges"] += float64(d.both)
	p.sums["theirs"] += float64(sum(d.theirsOnly))
	p.sums["unexplained"] += float64(d.theirsOnly[other])
	p.sums["ours"] += float64(sum(d.oursOnly))
	found := ""
	if c.GlobalImport == 1 {
		found = " (imports looked for everywhere)"
	}
	fmt.Printf("| `%s` %s %.0f%s%s | %d | %d | %d | %s | \n", id, direction, hops, restricted(args[3:]), found, d.both, sum(d.theirsOnly), sum(d.oursOnly), causesOf(d))
	if p.verbose {
		printOnly("LocAgent", theirs, ours)
		printOnly("ours", ours, theirs)
	}
	return nil
}

func causesOf(d *difference) string {
	if sum(d.theirsOnly)+sum(d.oursOnly) == 0 {
		return ""
	}
	return causes(d.theirsOnly) + "; **ours** " + causes(d.oursOnly)
}

func restricted(args []any) string {
	s := ""
	for _, a := range args {
		if list := words(a); len(list) > 0 {
			s += " " + strings.Join(list, ",")
		}
	}
	return s
}

func words(v any) []string {
	var out []string
	if l, ok := v.([]any); ok {
		for _, x := range l {
			if s, ok := x.(string); ok {
				out = append(out, s)
			}
		}
	}
	return out
}

var views = map[string]codegraph.View{"fold": codegraph.Fold, "preview": codegraph.Preview, "complete": codegraph.Full}

// source compares what is shown of an entity: of its lines that hold code, those that ours shows too.
func (p *player) source(c call, view string) error {
	var id string
	if err := json.Unmarshal(c.Args, &id); err != nil {
		return err
	}
	got, err := p.g.Retrieve(p.ctx, []string{id}, &codegraph.RetrieveOptions{View: views[view], Numbers: view == "complete"})
	if err != nil {
		return err
	}
	_, theirs, shown := strings.Cut(c.Text, "```\n")
	if !shown { // folded: the name alone
		fmt.Printf("| `%s` %s | found | | | |\n", id, view)
		return nil
	}
	kind, line := "source", plain
	if view != "complete" {
		kind, line = "outline", defined
	}
	ours := map[string]int{}
	for l := range strings.Lines(got[0].Text) {
		ours[line(l)]++
	}
	both, only := 0, 0
	for l := range strings.Lines(theirs) {
		if l = line(l); l == "" {
			continue
		}
		p.sums[kind+"s"]++
		if ours[l] > 0 {
			ours[l]--
			both++
			p.sums[kind]++
			continue
		}
		only++
		if p.verbose {
			fmt.Fprintf(os.Stderr, "LocAgent: %s %s: %s\n", view, id, l)
		}
	}
	fmt.Printf("| `%s` %s | %d lines | %d lines | | |\n", id, view, both, only)
	return nil
}

var definition = regexp.MustCompile(`^\s*(?:async )?((?:def|class) \w+)`)

// defined is the class or function that a line of an outline begins, or empty: the two write outlines differently.
func defined(l string) string {
	if m := definition.FindStringSubmatch(l); m != nil {
		return m[1]
	}
	return ""
}

// plain is a numbered line without the blanks around its parts, or empty.
func plain(l string) string {
	n, rest, ok := strings.Cut(strings.TrimSpace(l), " |")
	if !ok || strings.Trim(n, "0123456789") != "" {
		return ""
	}
	return n + " " + strings.TrimSpace(rest)
}
