package servertools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/servers"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type targetInput struct {
	Symbol string `json:"symbol,omitempty" alias:"name,symbol_name,query,id,name_path" jsonschema:"a name as people write it: getUser, Flask.dispatch_request; give this or a place"`
	Path   string `json:"path,omitempty" alias:"file_path,relative_path,file,uri" jsonschema:"file, relative to the repository's root"`
	Line   int    `json:"line,omitempty" alias:"line_number" jsonschema:"line, from 1"`
	Col    int    `json:"col,omitempty" alias:"column,character" jsonschema:"byte column, from 1"`
	agenttools.Budget
}

// shown is how much of the answer is shown: its arguments have nothing to go on with.
func (in targetInput) shown() agenttools.Shown {
	return agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens)}
}

// query is a question for places: one of the methods of [lspclient.Client].
type query func(*lspclient.Client, context.Context, lspclient.Target, *lspclient.QueryOptions) (*lspclient.Result, error)

func (t *Tools) ask(ctx context.Context, target lspclient.Target, q query) (*servers.Places, error) {
	return t.servers.Places(ctx, target, func(ctx context.Context, lc *lspclient.Client, at lspclient.Target) (*lspclient.Result, error) {
		return q(lc, ctx, at, nil)
	})
}

// references is a [query] too.
func references(lc *lspclient.Client, ctx context.Context, t lspclient.Target, _ *lspclient.QueryOptions) (*lspclient.Result, error) {
	return lc.References(ctx, t, nil)
}

// places makes a tool that asks for places.
func (t *Tools) places(tool, kind string, q query) func(context.Context, targetInput) (*skill.Result, error) {
	return func(ctx context.Context, in targetInput) (*skill.Result, error) {
		target, err := in.target()
		if err != nil {
			return nil, fmt.Errorf("%s: %w", tool, err)
		}
		res, err := t.ask(ctx, target, q)
		if err != nil && kind != evidence.KindReference {
			err = agenttools.NotHere(err, "search_entity finds names")
		}
		if err != nil {
			return nil, err
		}
		return t.serverAnswer(ctx, target.String(), res, kind, tool, in.shown()), nil
	}
}

// A site is a place that a language server gave, as the tools give it to workflows.
type site struct {
	ID string `json:"id"` // the entity there, or the path
	lspclient.Location
	Text string `json:"text"`
}

// serverAnswer turns the answer of a language server into a result.
func (t *Tools) serverAnswer(ctx context.Context, what string, res *servers.Places, kind, tool string, o agenttools.Shown) *skill.Result {
	var items []evidence.Item
	sites := []site{}
	for _, p := range res.Placed {
		id := cmp.Or(p.Entity.ID, p.Path)
		sites = append(sites, site{ID: id, Location: p.Location, Text: p.Text})
		items = append(items, evidence.Item{Kind: kind, Text: p.Text, Via: res.Server, Level: string(codegraph.LevelExact),
			At: evidence.Place{Repo: res.Repo, Path: p.Path, Line: p.Line, EndLine: p.Line, Entity: id}})
	}
	t.s.Remember(ctx, tool, what, items)
	return unsure(t.s.Result(items, sites, headOf(what, "place", res.Total, res.Answer), o), res.Total, res.Answer)
}

func (in targetInput) target() (lspclient.Target, error) {
	if (in.Symbol == "") == (in.Path == "") {
		return lspclient.Target{}, errors.New("give symbol, or path and line, one of them")
	}
	if in.Symbol != "" {
		return lspclient.Named(in.Symbol), nil
	}
	return lspclient.At(in.Path, max(in.Line, 1), max(in.Col, 1)), nil
}

func (t *Tools) definition(ctx context.Context, in targetInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_definition: %w", err)
	}
	res, err := t.ask(ctx, target, (*lspclient.Client).Definition)
	if err != nil && in.Symbol != "" && ctx.Err() == nil && !t.servers.Off {
		return t.definitionByGraph(ctx, in, err)
	}
	if err != nil {
		return nil, err
	}
	return t.serverAnswer(ctx, target.String(), res, evidence.KindEntity, "lsp_definition", in.shown()), nil
}

// definitionByGraph answers from the code graph what no server could, where the name means one entity.
func (t *Tools) definitionByGraph(ctx context.Context, in targetInput, why error) (*skill.Result, error) {
	symbol := in.Symbol
	found, near, err := t.repos.Named(ctx, symbol)
	if err != nil {
		return nil, why
	}
	if len(found) != 1 {
		var names []string
		for _, e := range found[:min(len(found), 8)] {
			names = append(names, e.ID)
		}
		switch {
		case len(names) > 0:
			return nil, fmt.Errorf("%w; the code graph knows %d of this name, such as %s", why, len(found), strings.Join(names, ", "))
		case len(near) > 0:
			return nil, fmt.Errorf("%w; near names in the code graph: %s", why, strings.Join(near, ", "))
		}
		return nil, why
	}
	got, err := t.repos.Retrieve(ctx, []string{found[0].ID}, &codegraph.RetrieveOptions{View: codegraph.Fold})
	if err != nil {
		return nil, err
	}
	r := got[0]
	at := site{ID: r.ID, Location: lspclient.Location{Path: r.Path, Line: r.Line, Col: 1, EndLine: r.EndLine, EndCol: 1}, Text: strings.TrimSpace(r.Text)}
	it := items.Retrieved(r)
	it.Note = "no language server answered"
	list := []evidence.Item{it}
	t.s.Remember(ctx, "lsp_definition", symbol, list)
	return t.s.Result(list, []site{at}, fmt.Sprintf("%s: by the code graph, since no language server answered: %v", symbol, why), in.shown()), nil
}
