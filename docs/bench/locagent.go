//go:build ignore

// Locagent replays tool calls of LocAgent (arXiv 2503.09089) on the same repositories and compares the trees:
//
//	go run docs/bench/locagent.go OUTPUTS.json requests=DIR flask=DIR
//
// OUTPUTS.json is a list of {"repo", "global_import", "tool": "explore_tree_structure", "args": [id, "downstream" |
// "upstream" | "both", hops, kinds, edges], "text"}; calls of other tools are left out. For each call it prints whether the
// text is the same when our writer gets the edges of theirs, and for our own graph how many lines (a relation under a
// parent) both have, how many only one has, and in how many of the pairs of neighbouring common lines under one parent the
// order is the same. With -v it prints the lines that only one has.
package main

import (
	"bytes"
	"context"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

func main() {
	if err := run(); err != nil {
		fmt.Fprintln(os.Stderr, "locagent:", err)
		os.Exit(1)
	}
}

type call struct {
	Repo         string
	GlobalImport int `json:"global_import"`
	Tool         string
	Args         json.RawMessage
	Text         string
}

// A line of a tree, with what it stands under.
type line struct{ parent, rel, id string }

var kinds = map[string]codegraph.EdgeKind{"contains": codegraph.Contain, "imports": codegraph.Import, "invokes": codegraph.Invoke, "inherits": codegraph.Inherit}
var directions = map[string]codegraph.Direction{"downstream": codegraph.Out, "upstream": codegraph.In, "both": codegraph.Both}

func run() error {
	verbose := flag.Bool("v", false, "print the lines that only one has")
	flag.Parse()
	if flag.NArg() < 2 {
		return fmt.Errorf("usage: locagent [-v] OUTPUTS.json NAME=DIR...")
	}
	data, err := os.ReadFile(flag.Arg(0))
	if err != nil {
		return err
	}
	var calls []call
	if err := json.Unmarshal(data, &calls); err != nil {
		return err
	}
	ctx := context.Background()
	graphs := map[string]*codegraph.Graph{}
	for _, a := range flag.Args()[1:] {
		name, dir, ok := strings.Cut(a, "=")
		if !ok {
			return fmt.Errorf("%q: NAME=DIR", a)
		}
		if graphs[name], err = codegraph.Build(ctx, os.DirFS(dir), findspot.Languages(), nil); err != nil {
			return err
		}
	}
	fmt.Println("| call | imports | same text from their edges | same text from our graph | lines in both | theirs only | ours only | order kept |")
	fmt.Println("|---|---|---|---|---|---|---|---|")
	trees, same, equal := 0, 0, 0
	for _, c := range calls {
		g := graphs[c.Repo]
		if c.Tool != "explore_tree_structure" || g == nil {
			continue
		}
		trees++
		var args []any
		if err := json.Unmarshal(c.Args, &args); err != nil {
			return err
		}
		id, dir, hops := args[0].(string), args[1].(string), int(args[2].(float64))
		theirs, err := takeApart(c.Text)
		if err != nil {
			return err
		}
		w := &codegraph.Walk{Roots: []string{id}, Direction: directions[dir], Hops: hops}
		for _, l := range theirs {
			name, back := strings.CutSuffix(l.rel, "-by")
			e := codegraph.Edge{Src: l.parent, Dst: l.id, Kind: kinds[name]}
			if back {
				e.Src, e.Dst = l.id, l.parent
			}
			w.Edges = append(w.Edges, e)
		}
		var text bytes.Buffer
		if err := w.WriteTree(&text); err != nil {
			return err
		}
		ok := text.String() == c.Text
		o := &codegraph.TraverseOptions{Direction: directions[dir], Hops: hops}
		for _, k := range strs(args[3]) {
			o.Kinds = append(o.Kinds, codegraph.Kind(k))
		}
		for _, k := range strs(args[4]) {
			o.Edges = append(o.Edges, kinds[k])
		}
		walk, err := g.Traverse(ctx, []string{id}, o)
		if err != nil {
			return err
		}
		text.Reset()
		if err := walk.WriteTree(&text); err != nil {
			return err
		}
		ours, err := takeApart(text.String())
		if err != nil {
			return err
		}
		both := slices.DeleteFunc(slices.Clone(ours), func(l line) bool { return !slices.Contains(theirs, l) })
		kept, pairs := order(ours, theirs)
		if ok {
			same++
		}
		if text.String() == c.Text {
			equal++
		}
		fmt.Printf("| %s %s %s %d | %d | %v | %v | %d | %d | %d | %d of %d |\n", c.Repo, id, dir, hops, c.GlobalImport, ok, text.String() == c.Text, len(both), len(theirs)-len(both), len(ours)-len(both), kept, pairs)
		if *verbose {
			for _, l := range theirs {
				if !slices.Contains(both, l) {
					fmt.Fprintf(os.Stderr, "theirs: %s %s %s\n", l.parent, l.rel, l.id)
				}
			}
			for _, l := range ours {
				if !slices.Contains(both, l) {
					fmt.Fprintf(os.Stderr, "ours:   %s %s %s\n", l.parent, l.rel, l.id)
				}
			}
		}
	}
	fmt.Printf("\n%d trees: %d have the same text from their edges, %d from our graph.\n", trees, same, equal)
	return nil
}

func strs(v any) []string {
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

// order counts the neighbouring pairs of common lines under one parent, and those that stand in the same order.
func order(a, b []line) (kept, pairs int) {
	under := map[string][]line{}
	for _, l := range a {
		if slices.Contains(b, l) {
			under[l.parent] = append(under[l.parent], l)
		}
	}
	for _, list := range under {
		for i := range list[:len(list)-1] {
			pairs++
			if slices.Index(b, list[i]) < slices.Index(b, list[i+1]) {
				kept++
			}
		}
	}
	return kept, pairs
}

func takeApart(text string) ([]line, error) {
	lines := strings.Split(text, "\n")
	type level struct {
		id    string
		width int
	}
	stack := []level{{lines[0], 0}}
	var out []line
	for _, l := range lines[1:] {
		at := strings.IndexAny(l, "├└")
		if at < 0 {
			return nil, fmt.Errorf("line %q", l)
		}
		width := len([]rune(l[:at]))
		rel, id, ok := strings.Cut(strings.TrimLeft(l[at:], "├└─ "), " ── ")
		if !ok {
			return nil, fmt.Errorf("line %q", l)
		}
		for stack[len(stack)-1].width > width {
			stack = stack[:len(stack)-1]
		}
		out = append(out, line{stack[len(stack)-1].id, rel, id})
		stack = append(stack, level{id, width + len([]rune(rel)) + 8})
	}
	return out, nil
}
