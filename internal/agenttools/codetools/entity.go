package codetools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// Tools search, walk and read the code graphs of the repositories, and their text.
type Tools struct {
	s       *agenttools.Session
	repos   *repository.Store
	callers func(ctx context.Context, name string) (*callers.Result, error)
}

// New makes the tools. The function finds who calls or uses the symbol of a name.
func New(s *agenttools.Session, repos *repository.Store, callers func(ctx context.Context, name string) (*callers.Result, error)) *Tools {
	return &Tools{s, repos, callers}
}

type entitySearchInput struct {
	Query     string   `json:"query" alias:"q,name,search_query,name_path,name_path_pattern,symbol" or:"search_terms,file_path_or_pattern" jsonschema:"a name as it appears anywhere (Class.method, module.func, path.py::Class::method, func(), path.py:120), part of one, or words of the body"`
	Limit     int      `json:"limit,omitempty" alias:"k,top_k,max_results,max_matches" jsonschema:"max entities to return; 0 means 10"`
	Skip      int      `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"number of first ones to skip: already shown"`
	Kinds     []string `json:"kinds,omitempty" alias:"entity_type_filter,entity_types" enum:"directory,file,class,function" jsonschema:"empty means all"`
	Paths     []string `json:"paths,omitempty" alias:"relative_path,path" jsonschema:"only under these paths or patterns such as src or *.go"`
	Tests     bool     `json:"tests,omitempty" alias:"include_tests" jsonschema:"show test code too"`
	Generated bool     `json:"generated,omitempty" only:"full" jsonschema:"show generated and vendored code too"`
	View      string   `json:"view,omitempty" enum:"fold,preview,full" jsonschema:"fold is the signature, the default"`

	Terms       []string `json:"search_terms,omitempty" alias:"terms,queries" only:"-"`
	LineNums    []int    `json:"line_nums,omitempty" alias:"line_numbers" only:"-"`
	FilePattern string   `json:"file_path_or_pattern,omitempty" alias:"file_pattern" only:"-"`
	Body        bool     `json:"include_body,omitempty" only:"-"`
	Depth       int      `json:"depth,omitempty" only:"-"` // children come with traverse_graph
	Substring   bool     `json:"substring_matching,omitempty" only:"-"`

	agenttools.Budget
}

// Definitions are the tools over the code graph.
func (t *Tools) Definitions() []agenttools.Definition {
	refs := agenttools.New("references", "Shows who calls or uses a symbol, by language server, then code graph, then text: each caller with its place and how it is known, and a verdict: found, none known, or verified none.",
		"Use it for \"who calls X\" and \"where is X used\"; then read, without arguments, shows the callers' code. Only \"verified none\" means that there are none. Uses in tests count.", t.references)
	refs.Brief = "Shows who calls or uses a symbol by language server, code graph and text, with places and a verdict: found, none known (not certain), verified none. " +
		"Then read without arguments shows the callers' code."
	return []agenttools.Definition{
		agenttools.New("search_entity", "Finds files, classes and functions in the code graph by name (exact, other case, prefix, part of the name, near) and then by the words of their bodies. Returns ids, places and signatures.",
			"Use it to get from a name or a topic to ids, which traverse_graph, retrieve_entity and references take.", t.searchEntity),
		t.locateTool(),
		agenttools.New("traverse_graph", "Walks the code graph from entities: who calls or uses them, what they call, contain, import and inherit from. Returns a tree, and counts what it leaves out and what is not known.",
			"Use it for structure and for chains of calls. Each edge has a level that says how it is known; \"name\" alone is a guess.", t.traverse),
		agenttools.New("retrieve_entity", "Returns the source of entities by their ids, with path and lines.", "Use it to read code before saying what it does.", t.Retrieve),
		refs,
	}
}

func (t *Tools) searchEntity(ctx context.Context, in entitySearchInput) (*skill.Result, error) {
	queries, err := in.queries()
	if err != nil {
		return nil, err
	}
	limit := agenttools.AtMost(in.Limit, 10, 500)
	skip := min(max(in.Skip, 0), 5000)
	view := codegraph.View(in.View)
	if in.Body && view == "" {
		view = codegraph.Full
	}
	o := &codegraph.SearchOptions{Limit: limit + skip, Kinds: kinds(in.Kinds), Paths: in.Paths, Tests: in.Tests, Generated: in.Generated, View: view}
	var items []evidence.Item
	var heads []string
	var searched []evidence.Searched
	all, seen := []codegraph.EntityHit{}, map[string]bool{}
	for _, q := range queries {
		hits, err := t.repos.Search(ctx, q, o)
		if err != nil {
			return nil, err
		}
		list := hits.Hits[min(skip, len(hits.Hits)):]
		heads = append(heads, fmt.Sprintf("%d of %d entities match %q (%d in test code, %d in generated or vendored code not shown)", len(list), hits.Total, q, hits.TestsHidden, hits.GeneratedHidden))
		searched = append(searched, evidence.Searched{Tool: "search_entity", Query: q, Tiers: []string{"name", "body"}, Total: hits.Total, Scope: in.scope(),
			Full: (in.Tests || hits.TestsHidden == 0) && (in.Generated || hits.GeneratedHidden == 0), Fresh: true})
		for _, h := range list {
			if seen[h.ID] {
				continue
			}
			seen[h.ID] = true
			all = append(all, h)
			items = append(items, evidence.Item{
				Kind: evidence.KindEntity, Text: cmp.Or(h.Text, h.Signature, h.Name), Tier: h.Tier, Note: h.Match, Score: h.Score, Via: "graph",
				At: evidence.Place{Repo: h.Repo, Path: h.Path, Line: h.Line, EndLine: h.EndLine, Entity: h.ID},
			})
		}
	}
	if len(all) == 0 {
		empty, unread, err := t.repos.CodeRead()
		if err != nil {
			return nil, err
		}
		if unread > 0 {
			heads = append(heads, fmt.Sprintf("%d files could not be read: what is in them is not known", unread))
		}
		for i := range searched {
			searched[i].Empty, searched[i].Full = empty, searched[i].Full && unread == 0
		}
	}
	out := t.s.Result(items, all, strings.Join(heads, "\n"), agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens), Rest: agenttools.SkipTo(skip)})
	out.Searched = searched
	t.s.Remember(ctx, "search_entity", strings.Join(queries, ", "), items)
	return out, nil
}

// maxTerms bounds the searches of one call.
const maxTerms = 20

// queries are the searches that the arguments ask for: other systems give several terms, or lines of a file.
func (in *entitySearchInput) queries() ([]string, error) {
	queries := in.Terms
	if in.Query != "" {
		queries = append([]string{in.Query}, queries...)
	}
	if in.FilePattern != "" {
		for _, n := range in.LineNums {
			queries = append(queries, in.FilePattern+":"+strconv.Itoa(n))
		}
		if len(in.LineNums) == 0 {
			in.Paths = append(in.Paths, plainPattern(in.FilePattern))
		}
	} else if len(in.LineNums) > 0 {
		return nil, errors.New("search_entity: line_nums are lines of file_path_or_pattern, which is missing")
	}
	for i, q := range queries { // Class/method, as some servers write it
		if !strings.Contains(q, ".") && strings.Contains(q, "/") && !strings.ContainsAny(q, " :") {
			queries[i] = strings.ReplaceAll(strings.Trim(q, "/"), "/", ".")
		}
	}
	switch {
	case len(queries) == 0:
		return nil, errors.New("search_entity: argument \"query\" is missing: a name, or words of a body")
	case len(queries) > maxTerms:
		return nil, fmt.Errorf("search_entity: %d terms, the limit is %d in one call", len(queries), maxTerms)
	}
	return queries, nil
}

// plainPattern turns a pattern with ** into what the code graph takes: a folder means all that lies below it, and a pattern without "/"
// any file of that name. What stands behind a ** within is left out, which finds more.
func plainPattern(p string) string {
	p = strings.TrimPrefix(strings.TrimPrefix(p, "./"), "**/")
	if dir, _, ok := strings.Cut(p, "/**"); ok {
		return dir
	}
	return p
}

func kinds(in []string) []codegraph.Kind {
	var out []codegraph.Kind
	for _, k := range in {
		out = append(out, codegraph.Kind(k))
	}
	return out
}

// scope says in words what a search for entities was limited to; "" for all code.
func (in entitySearchInput) scope() string {
	var out []string
	if len(in.Kinds) > 0 {
		out = append(out, "kinds "+strings.Join(in.Kinds, ","))
	}
	if len(in.Paths) > 0 {
		out = append(out, "paths "+strings.Join(in.Paths, ","))
	}
	return strings.Join(out, "; ")
}
