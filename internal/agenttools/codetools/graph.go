package codetools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type traverseInput struct {
	ID        string   `json:"id,omitempty" alias:"entity,symbol,name" only:"full" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or an unambiguous name; give this or ids"`
	IDs       []string `json:"ids,omitempty" alias:"start_entities,entities,entity_names" jsonschema:"entities: ids, path.py:120 for the innermost one there, or unambiguous names; / for the root"`
	Direction string   `json:"direction,omitempty" jsonschema:"callers, callees, users (callers, importers, subclasses and mentions), out (downstream, the default), in (upstream) or both"`
	Hops      int      `json:"hops,omitempty" alias:"traversal_depth,traverse_hop,depth,max_depth" jsonschema:"hops; 0 means 1, -1 means no limit"`
	Kinds     []string `json:"kinds,omitempty" alias:"entity_type_filter,entity_types" enum:"directory,file,class,function" jsonschema:"entities to visit; empty means all"`
	Edges     []string `json:"edges,omitempty" alias:"dependency_type_filter,dependency_types" jsonschema:"edges to follow: contain, import, invoke, inherit, reference, define; empty means all but reference and define"`
	Level     string   `json:"level,omitempty" only:"full" jsonschema:"weakest level of edges to follow, strongest first: exact, scope, import, member, flow, container, name"`
	Tests     bool     `json:"tests,omitempty" alias:"include_tests" jsonschema:"visit test code too"`
	Generated bool     `json:"generated,omitempty" only:"full" jsonschema:"visit generated and vendored code too"`
	Format    string   `json:"format,omitempty" enum:"rich,tree" only:"full" jsonschema:"rich (kind, arrow, line, level; the default) or tree (relation and id only)"`
	agenttools.Budget
}

// RetrieveInput are the arguments of retrieve_entity.
type RetrieveInput struct {
	ID      string   `json:"id,omitempty" alias:"entity,entity_name,name,symbol" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or an unambiguous name; give this or ids"`
	IDs     []string `json:"ids,omitempty" alias:"entity_names,entities,names" jsonschema:"several entities"`
	View    string   `json:"view,omitempty" enum:"fold,preview,full" jsonschema:"full, preview (signature and about five lines, or structure) or fold (signature); empty means full for functions and preview for classes, files and directories"`
	Numbers bool     `json:"numbers,omitempty" jsonschema:"print line numbers"`
	agenttools.ReadBudget
}

// The words of other systems for directions and edges.
var (
	directions = map[string]codegraph.Direction{"downstream": codegraph.Out, "outgoing": codegraph.Out, "upstream": codegraph.In, "incoming": codegraph.In}
	edgeWords  = map[string]codegraph.EdgeKind{"contains": codegraph.Contain, "imports": codegraph.Import, "invokes": codegraph.Invoke, "inherits": codegraph.Inherit,
		"calls": codegraph.Invoke, "call": codegraph.Invoke, "references": codegraph.Reference, "defines": codegraph.Define}
)

func (t *Tools) traverse(ctx context.Context, in traverseInput) (*skill.Result, error) {
	ids := IDs(in.ID, in.IDs)
	if len(ids) == 0 {
		return nil, errors.New("traverse_graph: argument \"ids\" is missing: entities, as search_entity gives them")
	}
	var edges []codegraph.EdgeKind
	for _, e := range in.Edges {
		edges = append(edges, cmp.Or(edgeWords[e], codegraph.EdgeKind(e)))
	}
	walk, err := t.repos.Traverse(ctx, ids, &codegraph.TraverseOptions{Direction: cmp.Or(directions[in.Direction], codegraph.Direction(in.Direction)), Hops: in.Hops, Kinds: kinds(in.Kinds),
		Edges: edges, MinLevel: codegraph.Level(in.Level), Tests: in.Tests, Generated: in.Generated})
	if err != nil {
		return nil, agenttools.NotHere(err, "search_entity finds ids")
	}
	tokens := agenttools.Tokens(in.Tokens, agenttools.SearchTokens)
	text, cut, err := treeText(walk, cmp.Or(codegraph.Format(in.Format), codegraph.FormatRich), tokens)
	if err != nil {
		return nil, err
	}
	data := walkData{Roots: walk.Roots, IDs: walk.IDs, Edges: []walkEdge{}, Cut: walk.Cut, TestsHidden: walk.TestsHidden, GeneratedHidden: walk.GeneratedHidden, About: walk.About}
	for _, e := range walk.Edges {
		x := walkEdge{Src: e.Src, Dst: e.Dst, Kind: e.Kind, Level: e.Level}
		if len(e.Sites) > 0 {
			x.Line = e.Sites[0].Line
		}
		data.Edges = append(data.Edges, x)
	}
	return agenttools.Lines(slices.Collect(strings.Lines(text)), data, agenttools.Shown{Tokens: tokens, Behind: cut}), nil
}

// treeText is a walk as a tree within a budget, what is farthest cut, with its notes and with what is left out.
func treeText(walk *codegraph.Walk, format codegraph.Format, tokens int) (text, cut string, err error) {
	notes := ""
	for _, note := range walk.Notes() {
		notes += "(" + note + ")\n"
	}
	// A tree is estimated by words: what is over by bytes too is written again.
	for most := tokens; ; most = most * 9 / 10 {
		var b strings.Builder
		stat, err := walk.Write(&b, &codegraph.TreeOptions{Format: format, MaxTokens: most})
		if err != nil {
			return "", "", err
		}
		if text, cut = b.String()+"\n"+notes, ""; stat.CutLines > 0 {
			cut = fmt.Sprintf("%d lines of the tree and %d entities left out by the budget; ask with more tokens than %d, fewer hops, or kinds and edges", stat.CutLines, stat.CutEntities, tokens)
		}
		if agenttools.Fits(text, cut, tokens) || most < 20 {
			return text, cut, nil
		}
	}
}

// walkData is a walk as the tool traverse_graph gives it to workflows: without what the ids say already.
type walkData struct {
	Roots           []string             `json:"roots"`
	IDs             []string             `json:"ids"`
	Edges           []walkEdge           `json:"edges"`
	Cut             int                  `json:"cut"`
	TestsHidden     int                  `json:"tests_hidden"`
	GeneratedHidden int                  `json:"generated_hidden"`
	About           []codegraph.RootNote `json:"about"`
}

// walkEdge is one edge as the tool traverse_graph gives it to workflows.
type walkEdge struct {
	Src   string             `json:"src"`
	Dst   string             `json:"dst"`
	Kind  codegraph.EdgeKind `json:"kind"`
	Level codegraph.Level    `json:"level"`
	Line  int                `json:"line"` // of the first place in the source of Src; 0 for none
}

// Retrieve reads entities.
func (t *Tools) Retrieve(ctx context.Context, in RetrieveInput) (*skill.Result, error) {
	if in.ID == "" && len(in.IDs) == 0 {
		return nil, errors.New("retrieve_entity: argument \"id\" or \"ids\" is missing: entities, as search_entity gives them")
	}
	got, err := t.texts(ctx, in)
	if err != nil {
		return nil, agenttools.NotHere(err, "search_entity finds ids")
	}
	var list []evidence.Item
	for _, r := range got {
		list = append(list, items.Retrieved(r))
	}
	return t.s.Result(list, got, fmt.Sprintf("%d entities", len(got)), agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.ReadTokens),
		Rest: func(next int) string { return "ask for them by their ids: " + firstIDs(got[next:]) }}), nil
}

// firstIDs names a few entities.
func firstIDs(list []codegraph.Retrieved) string {
	var ids []string
	for _, r := range list[:min(len(list), 3)] {
		ids = append(ids, r.ID)
	}
	if len(list) > 3 {
		ids = append(ids, "...")
	}
	return strings.Join(ids, ", ")
}

// texts reads entities; without a view, functions whole and of anything else the structure.
func (t *Tools) texts(ctx context.Context, in RetrieveInput) ([]codegraph.Retrieved, error) {
	ids := IDs(in.ID, in.IDs)
	o := codegraph.RetrieveOptions{View: cmp.Or(codegraph.View(in.View), codegraph.Preview), Numbers: in.Numbers}
	got, err := t.repos.Retrieve(ctx, ids, &o)
	if err != nil || in.View != "" {
		return got, err
	}
	var functions []string
	for _, r := range got {
		if r.Kind == codegraph.KindFunction {
			functions = append(functions, r.ID)
		}
	}
	if len(functions) == 0 {
		return got, nil
	}
	o.View = codegraph.Full
	whole, err := t.repos.Retrieve(ctx, functions, &o)
	if err != nil {
		return nil, err
	}
	for i := range got {
		if got[i].Kind == codegraph.KindFunction {
			got[i], whole = whole[0], whole[1:]
		}
	}
	return got, nil
}

// IDs joins the two ways to name entities.
func IDs(id string, ids []string) []string {
	if id != "" {
		return append([]string{id}, ids...)
	}
	return ids
}
