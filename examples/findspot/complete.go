package main

import (
	"context"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill"
)

// Completions are quick and silent: a shell waits for them, and shows what is written in the line that is typed.
const (
	completeTime = 1500 * time.Millisecond
	completeMost = 50
)

// values gives the values that begin with what was typed.
type values func(ctx context.Context, ws *findspot.Workspace, typed string) ([]string, error)

// documentsOf names documents.
func documentsOf(ctx context.Context, ws *findspot.Workspace, typed string) ([]string, error) {
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	list, err := lib.List(ctx, &docsearch.ListOptions{Limit: 5000})
	if err != nil {
		return nil, err
	}
	var out []string
	for _, d := range list.Documents {
		switch {
		case strings.HasPrefix(d.Name, typed):
			out = append(out, d.Name+"\t"+d.Title)
		case len(typed) >= 2 && strings.HasPrefix(d.ID, typed):
			out = append(out, d.ID+"\t"+d.Name)
		}
	}
	return out, nil
}

func collectionsOf(ctx context.Context, ws *findspot.Workspace, _ string) ([]string, error) {
	lib, err := ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	list, err := lib.Collections(ctx)
	var out []string
	for _, c := range list {
		out = append(out, c.Name)
	}
	return out, err
}

// symbolsOf names entities of the code as people write them: by the ids that begin so, else by name.
func symbolsOf(ctx context.Context, ws *findspot.Workspace, typed string) ([]string, error) {
	if typed == "" {
		return nil, nil
	}
	graphs, err := ws.Graphs(ctx)
	if err != nil {
		return nil, err
	}
	var out []string
	query := typed[strings.LastIndexAny(typed, ":/")+1:]
	if query == "" {
		query = typed
	}
	for _, g := range graphs {
		res, err := g.Search(ctx, query, &codegraph.SearchOptions{Limit: completeMost, Tests: true})
		if err != nil {
			return out, err
		}
		for _, h := range res.Hits {
			for _, name := range []string{h.ID, h.ID[strings.LastIndexByte(h.ID, ':')+1:]} {
				if strings.HasPrefix(name, typed) {
					out = append(out, name+"\t"+string(h.Kind)+" in "+h.Path)
					break
				}
			}
		}
	}
	return out, nil
}

func skillsOf(_ context.Context, ws *findspot.Workspace, _ string) ([]string, error) {
	var out []string
	for _, s := range ws.Skills() {
		out = append(out, s.Name+"\t"+s.Description)
	}
	return out, nil
}

// complete makes the completion of values that an index has. It starts no server, makes no index, and where something is wrong there are none.
func complete(a *app, which values) cobra.CompletionFunc {
	return func(c *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
		a.stderr, a.noServers = io.Discard, true
		place, err := a.place()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		if _, err := a.env.Stat(a.dir); err != nil && !place.Found {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		ctx, cancel := context.WithTimeout(c.Context(), completeTime)
		defer cancel()
		o, err := a.options()
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		o.ReadDocs, o.OnlyDocs, o.OnlyRepos = true, nil, nil
		if a.ws == nil {
			if a.ws, err = a.env.Workspace(ctx, a.dir, o); err != nil {
				a.ws = nil
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
		}
		list, err := which(ctx, a.ws, typed)
		if err != nil {
			return nil, cobra.ShellCompDirectiveNoFileComp
		}
		var out []string
		for _, s := range list {
			if value, about, _ := strings.Cut(s, "\t"); strings.HasPrefix(value, typed) && !strings.ContainsAny(value, "\n\r") {
				out = append(out, value+"\t"+shortened(oneLine(strings.ReplaceAll(about, "\t", " ")), 60))
			}
		}
		slices.Sort(out)
		out = slices.Compact(out)
		return out[:min(len(out), completeMost)], cobra.ShellCompDirectiveNoFileComp
	}
}

// completions gives the commands below root their completions.
func completions(a *app, root *cobra.Command) {
	docs, symbols, skills := complete(a, documentsOf), complete(a, symbolsOf), complete(a, skillsOf)
	first := func(f cobra.CompletionFunc) cobra.CompletionFunc {
		return func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) > 0 {
				return nil, cobra.ShellCompDirectiveNoFileComp
			}
			return f(c, args, typed)
		}
	}
	collections := complete(a, collectionsOf)
	for path, f := range map[string]cobra.CompletionFunc{
		"docs read": first(docs), "docs view": first(docs), "docs page": first(docs), "docs abstract": first(docs), "docs sections": first(docs), "docs show": first(docs),
		"docs find": first(docs), "docs remove": docs,
		"code show": symbols, "code retrieve": symbols, "code traverse": symbols, "code callers": first(symbols),
		"lsp definition": first(symbols), "lsp references": first(symbols), "lsp hover": first(symbols), "lsp callers": first(symbols), "lsp calls": first(symbols),
		"run": first(func(_ *cobra.Command, _ []string, typed string) ([]string, cobra.ShellCompDirective) {
			var out []string
			all, _ := shippedPlans() // without them there are files
			for _, p := range all {
				if strings.HasPrefix(p.Name, typed) {
					out = append(out, p.Name+"\t"+p.Description)
				}
			}
			return out, cobra.ShellCompDirectiveDefault
		}),
		"skill show": first(skills), "skill run": first(skills), "skill test": first(skills), "skill lint": skills,
		"docs collection add": func(c *cobra.Command, args []string, typed string) ([]string, cobra.ShellCompDirective) {
			if len(args) == 0 {
				return collections(c, args, typed)
			}
			return docs(c, args, typed)
		},
	} {
		if c, _, err := root.Find(strings.Fields(path)); err == nil && c.CommandPath() == root.Name()+" "+path {
			c.ValidArgsFunction = f
		}
	}
	fixed := map[string][]string{
		"output": {outputText, outputJSON, outputLines, outputMD}, "ocr": {"tesseract"}, "direction": {"callers", "callees", "users", "in", "out", "both"},
		"view": texts(allViews), "level": texts(codegraph.Levels()), "edge": texts(allEdges), "ids": {"name", "content"},
	}
	for path, list := range map[string][]string{
		"docs search --kind": docKinds, "docs search --tiers": {"phrase", "all", "any"}, "code search --kind": texts(allKinds), "code traverse --kind": texts(allKinds),
		"code locate --kind": texts(locateKinds), "code traverse --format": {"tree", "rich", "json"}, "tools --format": skill.ToolFormats(), "pdf --format": {"text", "markdown", "json"},
		"docs read --format": {"text", "markdown"}, "docs page --format": {"text", "markdown"},
	} {
		path, flag, _ := strings.Cut(path, " --")
		if c, _, err := root.Find(strings.Fields(path)); err == nil && c.Flags().Lookup(flag) != nil {
			_ = c.RegisterFlagCompletionFunc(flag, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // it has one already, which is as good
		}
	}
	var walk func(c *cobra.Command)
	walk = func(c *cobra.Command) {
		for name, list := range fixed {
			if f := c.Flags().Lookup(name); f != nil && f.Value.Type() != "bool" {
				_ = c.RegisterFlagCompletionFunc(name, cobra.FixedCompletions(list, cobra.ShellCompDirectiveNoFileComp)) // it has one already, which is as good
			}
		}
		for name, f := range map[string]cobra.CompletionFunc{"collection": collections, "in": docs} {
			if c.Flags().Lookup(name) != nil && c.Name() != "new" {
				_ = c.RegisterFlagCompletionFunc(name, f) // as above
			}
		}
		for _, s := range c.Commands() {
			walk(s)
		}
	}
	walk(root)
	_ = root.RegisterFlagCompletionFunc("output", cobra.FixedCompletions(fixed["output"], cobra.ShellCompDirectiveNoFileComp)) // as above
}
