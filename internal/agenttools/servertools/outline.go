package servertools

import (
	"cmp"
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
)

type pathInput struct {
	Path  string `json:"path" alias:"file_path,relative_path,file" jsonschema:"file, relative to the repository's root"`
	Depth *int   `json:"depth,omitempty" only:"-"`
	agenttools.Budget
}

func (t *Tools) documentSymbols(ctx context.Context, in pathInput) (*skill.Result, error) {
	res, err := t.servers.Outline(ctx, in.Path)
	if err != nil && ctx.Err() == nil {
		return t.symbolsByGraph(ctx, in, err)
	}
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s, %s\n", res.Path, res.Server, res.State)
	var list func(depth int, s []lspclient.Symbol)
	list = func(depth int, s []lspclient.Symbol) {
		for _, x := range s {
			fmt.Fprintf(&b, "%s%s %s %d-%d\n", strings.Repeat("  ", depth), x.Kind, x.Name, x.Location.Line, x.Location.EndLine)
			list(depth+1, x.Children)
		}
	}
	list(1, res.Symbols)
	return agenttools.TextOnly(b.String(), res, agenttools.Tokens(in.Tokens, agenttools.SearchTokens), "ask with more tokens, or view_file shows lines"), nil
}

// symbolsByGraph is the outline of a file as the code graph knows it.
func (t *Tools) symbolsByGraph(ctx context.Context, in pathInput, why error) (*skill.Result, error) {
	file := in.Path
	walk, err := t.repos.Traverse(ctx, []string{file}, &codegraph.TraverseOptions{Hops: -1, Edges: []codegraph.EdgeKind{codegraph.Contain}, Tests: true, Generated: true})
	if err != nil {
		return nil, fmt.Errorf("document_symbols: %w; the code graph: %w", why, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by the code graph, since no language server answered: %v\n", file, why)
	for _, e := range walk.Nodes {
		if e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction {
			_, name, _ := strings.Cut(e.ID, ":")
			fmt.Fprintf(&b, "%s%s %s %d-%d\n", strings.Repeat("  ", 1+min(strings.Count(name, "."), 8)), e.Kind, e.Name, e.Line, e.EndLine)
		}
	}
	return agenttools.TextOnly(b.String(), walk.Nodes, agenttools.Tokens(in.Tokens, agenttools.SearchTokens), "ask with more tokens, or view_file shows lines"), nil
}

// status is one server in the list.
type status struct {
	Repo string `json:"repo,omitempty"`
	lspclient.ServerStatus
}

// lacking says what the version of a server cannot do.
func lacking(list []string) string {
	if len(list) == 0 {
		return ""
	}
	return "; it " + strings.Join(list, "; it ")
}

func (t *Tools) serverList(ctx context.Context, in agenttools.Budget) (*skill.Result, error) {
	list := []status{}
	err := t.servers.Clients(ctx, func(repo string, lc *lspclient.Client) error {
		for _, st := range lc.Servers(ctx) {
			list = append(list, status{repo, st})
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	for _, s := range list {
		if s.Repo != "" {
			b.WriteString(s.Repo + "//")
		}
		fmt.Fprintf(&b, "%s (%s): ", s.Name, strings.Join(s.Languages, ", "))
		switch {
		case !s.Installed:
			fmt.Fprintf(&b, "not installed (%s); to install it: %s\n", s.Problem, s.Install)
			continue
		case !s.Running:
			fmt.Fprintf(&b, "installed %s, starts with the first question%s\n", s.Version, lacking(s.Lacks))
			continue
		}
		fmt.Fprintf(&b, "running %s", s.Version)
		for _, p := range s.Processes {
			fmt.Fprintf(&b, "; in %s: %s, %d MB", p.Folder, cmp.Or(p.Problem, map[bool]string{true: "ready", false: "not ready"}[p.Ready]), p.Memory>>20)
		}
		b.WriteString(lacking(s.Lacks) + "\n")
	}
	return agenttools.TextOnly(b.String(), list, agenttools.Tokens(in.Tokens, agenttools.SearchTokens), "findspot lsp servers prints all"), nil
}
