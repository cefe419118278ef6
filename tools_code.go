package findspot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type entitySearchInput struct {
	Query     string   `json:"query" alias:"q,name,search_query,name_path,name_path_pattern,symbol" or:"search_terms,file_path_or_pattern" jsonschema:"a name as it is written somewhere (Class.method, module.func, path.py::Class::method, func(), path.py:120), part of one, or words of the body"`
	Limit     int      `json:"limit,omitempty" alias:"k,top_k,max_results,max_matches" jsonschema:"most entities to return; 0 means 10"`
	Skip      int      `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"leave out the first ones: those that were shown already"`
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
}

type traverseInput struct {
	ID        string   `json:"id,omitempty" alias:"entity,symbol,name" only:"full" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or a name that means no other; give this or ids"`
	IDs       []string `json:"ids,omitempty" alias:"start_entities,entities,entity_names" jsonschema:"entities: ids, path.py:120 for the innermost one there, or names that mean no other; / for the root"`
	Direction string   `json:"direction,omitempty" jsonschema:"callers, callees, users (callers, importers, subclasses and mentions), out (downstream, the default), in (upstream) or both"`
	Hops      int      `json:"hops,omitempty" alias:"traversal_depth,traverse_hop,depth,max_depth" jsonschema:"how far; 0 means 1, -1 as far as it goes"`
	Kinds     []string `json:"kinds,omitempty" alias:"entity_type_filter,entity_types" enum:"directory,file,class,function" jsonschema:"entities to visit; empty means all"`
	Edges     []string `json:"edges,omitempty" alias:"dependency_type_filter,dependency_types" jsonschema:"edges to follow: contain, import, invoke, inherit, reference, define; empty means all but reference and define"`
	Level     string   `json:"level,omitempty" only:"full" jsonschema:"weakest level of edges to follow, strongest first: exact, scope, import, member, flow, container, name"`
	Tests     bool     `json:"tests,omitempty" alias:"include_tests" jsonschema:"visit test code too"`
	Generated bool     `json:"generated,omitempty" only:"full" jsonschema:"visit generated and vendored code too"`
	Format    string   `json:"format,omitempty" enum:"rich,tree" only:"full" jsonschema:"rich (kind, arrow, line, level; the default) or tree (relation and id alone)"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"most tokens of the tree, by estimate; what is farthest is cut and counted; 0 means 2000, -1 no limit"`
}

type retrieveInput struct {
	ID      string   `json:"id,omitempty" alias:"entity,entity_name,name,symbol" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or a name that means no other; give this or ids"`
	IDs     []string `json:"ids,omitempty" alias:"entity_names,entities,names" jsonschema:"several entities"`
	View    string   `json:"view,omitempty" enum:"fold,preview,full" jsonschema:"full, preview (signature and about five lines, or structure) or fold (signature); empty means full for functions and preview for classes, files and directories"`
	Numbers bool     `json:"numbers,omitempty" jsonschema:"begin each line with its number"`
}

type symbolInput struct {
	Symbol string `json:"symbol" alias:"name,id,entity,query,name_path,function,symbol_name" jsonschema:"an entity's id or a name as people write it: detect_pss, Server.Run"`
	Path   string `json:"path,omitempty" alias:"relative_path,file_path,file" jsonschema:"the file that defines it, where the name means several"`
	Skip   int    `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"leave out the first ones: those that were shown already"`
}

type targetInput struct {
	Symbol string `json:"symbol,omitempty" alias:"name,symbol_name,query,id,name_path" jsonschema:"a name as people write it: getUser, Flask.dispatch_request; give this or a place"`
	Path   string `json:"path,omitempty" alias:"file_path,relative_path,file,uri" jsonschema:"file, relative to the repository's root"`
	Line   int    `json:"line,omitempty" alias:"line_number" jsonschema:"line, from 1"`
	Col    int    `json:"col,omitempty" alias:"column,character" jsonschema:"byte column, from 1"`
}

type pathInput struct {
	Path  string `json:"path" alias:"file_path,relative_path,file" jsonschema:"file, relative to the repository's root"`
	Depth *int   `json:"depth,omitempty" only:"-"`
}

type textInput struct {
	Pattern    string `json:"pattern" alias:"query,substring_pattern,text,q" jsonschema:"plain text, or a regular expression with regexp"`
	Regexp     bool   `json:"regexp,omitempty" alias:"is_regex,regex" jsonschema:"the pattern is a regular expression (RE2)"`
	Word       bool   `json:"word,omitempty" alias:"whole_word" jsonschema:"whole words only"`
	IgnoreCase bool   `json:"ignore_case,omitempty" alias:"case_insensitive" jsonschema:"upper and lower case are the same"`
	Path       string `json:"path,omitempty" alias:"glob,relative_path,paths_include_glob,file_pattern,include" jsonschema:"glob of paths such as *.go or src/**/*.py"`
	Limit      int    `json:"limit,omitempty" alias:"max_results,head_limit" jsonschema:"most lines to return; 0 means 100"`
	Skip       int    `json:"skip,omitempty" alias:"offset" only:"full" jsonschema:"leave out the first ones: those that were shown already"`
}

type askInput struct {
	Question    string   `json:"question" alias:"query,q,task" max:"65536" jsonschema:"a question in plain words"`
	Collections []string `json:"collections,omitempty" alias:"collection" jsonschema:"only documents in one of these collections; code is not limited by it"`
}

func (t *toolset) codeTools() []agenttools.Definition {
	refs := agenttools.New("references", "Tells who calls or uses a symbol: the language server's answer, then the code graph's, then the text's, each caller with its place and what knew it, and a verdict: found, none known, or verified none.",
		"Use it for \"who calls X\" and \"where is X used\"; then read, without arguments, shows the callers' code. Only \"verified none\" means that there are none. Uses in tests count.", t.references)
	refs.Brief = "Tells who calls or uses a symbol, by language server, code graph and text, with places and a verdict: found, none known (could not be told), verified none. " +
		"Then read without arguments shows the callers' code."
	return []agenttools.Definition{
		agenttools.New("search_entity", "Finds files, classes and functions in the code graph by name (exact, other case, prefix, part of the name, near) and then by the words of their bodies. Returns ids, places and signatures.",
			"Use it to get from a name or a topic to ids, which traverse_graph, retrieve_entity and references take.", t.searchEntity),
		t.locateTool(),
		agenttools.New("traverse_graph", "Walks the code graph from entities: who calls or uses them, what they call, contain, import and inherit from. Returns a tree, and counts what it leaves out and what is not known.",
			"Use it for structure and for chains of calls. Each edge has a level that says how it is known; \"name\" alone is a guess.", t.traverse),
		agenttools.New("retrieve_entity", "Returns the source of entities by their ids, with path and lines.", "Use it to read code before saying what it does.", t.retrieve),
		refs,
	}
}

func (t *toolset) serverTools() []agenttools.Definition {
	def := agenttools.New("lsp_definition", "Asks the language server where a symbol is defined, by name or by place.",
		"Use it for a name in a file whose meaning must be exact. Without a server, a name that the code graph knows once is answered from there, and says so.", t.definition)
	def.Brief = "Asks the language server, else the code graph, where a symbol is defined, by name or by place."
	text := agenttools.New("search_text", "Searches the files of the repositories line by line, as they are on disk now.",
		"Use it for broad patterns, strings and comments, or when no language server answers; for callers use references.", t.searchText)
	text.Brief = "Searches the files of the repositories line by line: for broad patterns, strings and comments. For callers use references."
	return append(append([]agenttools.Definition{
		def,
		agenttools.New("lsp_references", "Asks the language server where a symbol is used, by name or by place.",
			"Use references for callers: it needs no server, and says whether the answer is complete. An answer that is not complete is not the whole answer.", t.serverReferences),
		agenttools.New("document_symbols", "Lists the declarations of a file: by the language server, else by the code graph.", "Use it to see what is in a file before reading it.", t.documentSymbols),
	}, t.askingTools()...), text)
}

func (t *toolset) workTools() []agenttools.Definition {
	return []agenttools.Definition{
		t.readTool(),
		t.indexTool(),
		agenttools.New("ask", "Gathers the evidence of documents and code for a question: passages, figures, tables, entities, and callers when it asks for them.",
			"Use it for a first overview of a question; then read what matters, and cite the keys.", t.ask),
	}
}

func (t *toolset) searchEntity(ctx context.Context, in entitySearchInput) (*skill.Result, error) {
	queries, err := in.queries()
	if err != nil {
		return nil, err
	}
	limit := atMost(in.Limit, 10, 500)
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
		hits, err := t.w.SearchCode(ctx, q, o)
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
		empty, unread, err := t.w.codeRead()
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
	out := t.result(items, all, strings.Join(heads, "\n"), shown{skip: skip, rest: "ask again with skip %d"})
	out.Searched = searched
	t.remember(ctx, "search_entity", strings.Join(queries, ", "), items)
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

// The words of other systems for directions and edges.
var (
	directions = map[string]codegraph.Direction{"downstream": codegraph.Out, "outgoing": codegraph.Out, "upstream": codegraph.In, "incoming": codegraph.In}
	edgeWords  = map[string]codegraph.EdgeKind{"contains": codegraph.Contain, "imports": codegraph.Import, "invokes": codegraph.Invoke, "inherits": codegraph.Inherit,
		"calls": codegraph.Invoke, "call": codegraph.Invoke, "references": codegraph.Reference, "defines": codegraph.Define}
)

func (t *toolset) traverse(ctx context.Context, in traverseInput) (*skill.Result, error) {
	ids := idList(in.ID, in.IDs)
	if len(ids) == 0 {
		return nil, errors.New("traverse_graph: argument \"ids\" is missing: entities, as search_entity gives them")
	}
	var edges []codegraph.EdgeKind
	for _, e := range in.Edges {
		edges = append(edges, cmp.Or(edgeWords[e], codegraph.EdgeKind(e)))
	}
	walk, err := t.w.Traverse(ctx, ids, &codegraph.TraverseOptions{Direction: cmp.Or(directions[in.Direction], codegraph.Direction(in.Direction)), Hops: in.Hops, Kinds: kinds(in.Kinds),
		Edges: edges, MinLevel: codegraph.Level(in.Level), Tests: in.Tests, Generated: in.Generated})
	if err != nil {
		return nil, notHere(err, "search_entity finds ids")
	}
	o := codegraph.TreeOptions{Format: cmp.Or(codegraph.Format(in.Format), codegraph.FormatRich), MaxTokens: max(cmp.Or(in.MaxTokens, traverseTokens), 0)}
	var b strings.Builder
	stat, err := walk.Write(&b, &o)
	if err != nil {
		return nil, err
	}
	b.WriteByte('\n')
	for _, note := range walk.Notes() {
		fmt.Fprintf(&b, "(%s)\n", note)
	}
	cut := ""
	if stat.CutLines > 0 {
		cut = fmt.Sprintf("%d lines of the tree and %d entities left out by the budget; ask with a larger max_tokens, fewer hops, or kinds and edges", stat.CutLines, stat.CutEntities)
		fmt.Fprintf(&b, "(cut: %s)\n", cut)
	}
	data := walkData{Roots: walk.Roots, IDs: walk.IDs, Edges: []walkEdge{}, Cut: walk.Cut, TestsHidden: walk.TestsHidden, GeneratedHidden: walk.GeneratedHidden, About: walk.About}
	for _, e := range walk.Edges {
		x := walkEdge{Src: e.Src, Dst: e.Dst, Kind: e.Kind, Level: e.Level}
		if len(e.Sites) > 0 {
			x.Line = e.Sites[0].Line
		}
		data.Edges = append(data.Edges, x)
	}
	return &skill.Result{Text: b.String(), Data: data, Cut: cut}, nil
}

// traverseTokens is the budget of a tree that a tool gives, unless another is asked for.
const traverseTokens = 2000

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

func (t *toolset) retrieve(ctx context.Context, in retrieveInput) (*skill.Result, error) {
	if in.ID == "" && len(in.IDs) == 0 {
		return nil, errors.New("retrieve_entity: argument \"id\" or \"ids\" is missing: entities, as search_entity gives them")
	}
	got, err := t.texts(ctx, in)
	if err != nil {
		return nil, notHere(err, "search_entity finds ids")
	}
	var items []evidence.Item
	for _, r := range got {
		items = append(items, evidence.Item{Kind: evidence.KindEntity, Text: r.Text, Via: "graph",
			At: evidence.Place{Repo: r.Repo, Path: r.Path, Line: r.Line, EndLine: r.EndLine, Entity: r.ID}})
	}
	return t.result(items, got, fmt.Sprintf("%d entities", len(got)), shown{tokens: readTokens, rest: "ask for those by their ids (%d were given)"}), nil
}

// texts reads entities; without a view, functions whole and of anything else the structure.
func (t *toolset) texts(ctx context.Context, in retrieveInput) ([]codegraph.Retrieved, error) {
	ids := idList(in.ID, in.IDs)
	o := codegraph.RetrieveOptions{View: cmp.Or(codegraph.View(in.View), codegraph.Preview), Numbers: in.Numbers}
	got, err := t.w.Retrieve(ctx, ids, &o)
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
	whole, err := t.w.Retrieve(ctx, functions, &o)
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

// A Use is one caller or reference as the tool references gives it to workflows.
type Use struct {
	ID   string `json:"id"` // entity
	Path string `json:"path"`
	Line int    `json:"line"`
	Text string `json:"text"`
	Call bool   `json:"call"`
	Test bool   `json:"test"`
	Via  string `json:"via"`
	Key  string `json:"key"`
}

func (t *toolset) references(ctx context.Context, in symbolInput) (*skill.Result, error) {
	symbol := strings.ReplaceAll(in.Symbol, "/", ".")
	if strings.ContainsAny(in.Symbol, ".:") { // an id has its path
		symbol = in.Symbol
	}
	if in.Path != "" && !strings.Contains(symbol, ":") {
		symbol = in.Path + ":" + symbol
	}
	in.Symbol = symbol
	res, err := t.w.Callers(ctx, in.Symbol, nil)
	if err != nil {
		if missing := t.missingSymbol(in.Symbol, err); missing != nil {
			return missing, nil
		}
		return nil, notHere(err, "search_entity finds names, and search_text any text")
	}
	var items []evidence.Item
	for _, c := range res.Callers {
		items = append(items, CallerItem(c))
	}
	head := fmt.Sprintf("%s: %s, %d callers and uses (%d in test code), by %s", in.Symbol, res.Verdict, len(items), res.Tests, cmp.Or(res.Via, "nothing that knows"))
	for _, why := range res.Why {
		head += "\n" + why
	}
	items = append(items, VerdictItem(res))
	skip := min(max(in.Skip, 0), len(items))
	whole := slices.Clone(items)
	out := t.result(items[skip:], nil, head, shown{skip: skip, rest: "ask again with skip %d"})
	for i := range whole {
		whole[i] = t.ledger.Add(t.w.guard().Item(whole[i]))
	}
	out.Items = whole
	t.remember(ctx, "references", in.Symbol, whole[:len(res.Callers)]) // what can be read: not the verdict
	uses := []Use{}
	for i, c := range res.Callers {
		it := out.Items[i]
		uses = append(uses, Use{ID: it.At.Entity, Path: it.At.Path, Line: it.At.Line, Text: it.Text, Call: c.Call, Test: c.Entity.Test, Via: it.Via, Key: it.Key})
	}
	out.Data = uses
	out.Verdict = strings.ReplaceAll(string(res.Verdict), " ", "_")
	out.Searched = []evidence.Searched{{Tool: "references", Query: in.Symbol, Total: len(items), Full: res.Verdict != NoneKnown, Fresh: true}}
	return out, nil
}

// A Site is a place that a language server gave, as the tools give it to workflows.
type Site struct {
	ID string `json:"id"` // the entity there, or the path
	lspclient.Location
	Text string `json:"text"`
}

// serverAnswer turns the answer of a language server into a result.
func (t *toolset) serverAnswer(ctx context.Context, what string, res *Places, kind, tool string) *skill.Result {
	var items []evidence.Item
	sites := []Site{}
	for _, p := range res.Placed {
		id := cmp.Or(p.Entity.ID, p.Path)
		sites = append(sites, Site{ID: id, Location: p.Location, Text: p.Text})
		items = append(items, evidence.Item{Kind: kind, Text: p.Text, Via: res.Server, Level: string(codegraph.LevelExact),
			At: evidence.Place{Repo: res.Repo, Path: p.Path, Line: p.Line, EndLine: p.Line, Entity: id}})
	}
	t.remember(ctx, tool, what, items)
	return unsure(t.result(items, sites, headOf(what, "place", res.Total, res.Answer), shown{}), res.Total, res.Answer)
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

func (t *toolset) definition(ctx context.Context, in targetInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_definition: %w", err)
	}
	res, err := t.w.Definition(ctx, target, nil)
	if err != nil && in.Symbol != "" && ctx.Err() == nil && !t.w.opt.NoServers {
		return t.definitionByGraph(ctx, in.Symbol, err)
	}
	if err != nil {
		return nil, err
	}
	return t.serverAnswer(ctx, target.String(), res, evidence.KindEntity, "lsp_definition"), nil
}

// definitionByGraph answers from the code graph what no server could, where the name means one entity.
func (t *toolset) definitionByGraph(ctx context.Context, symbol string, why error) (*skill.Result, error) {
	found, near, err := t.w.Named(ctx, symbol)
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
	got, err := t.w.Retrieve(ctx, []string{found[0].ID}, &codegraph.RetrieveOptions{View: codegraph.Fold})
	if err != nil {
		return nil, err
	}
	r := got[0]
	site := Site{ID: r.ID, Location: lspclient.Location{Path: r.Path, Line: r.Line, Col: 1, EndLine: r.EndLine, EndCol: 1}, Text: strings.TrimSpace(r.Text)}
	items := []evidence.Item{{Kind: evidence.KindEntity, Text: r.Text, Via: "graph", Note: "no language server answered",
		At: evidence.Place{Repo: r.Repo, Path: r.Path, Line: r.Line, EndLine: r.EndLine, Entity: r.ID}}}
	t.remember(ctx, "lsp_definition", symbol, items)
	return t.result(items, []Site{site}, fmt.Sprintf("%s: by the code graph, since no language server answered: %v", symbol, why), shown{}), nil
}

func (t *toolset) serverReferences(ctx context.Context, in targetInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_references: %w", err)
	}
	res, err := t.w.References(ctx, target, nil)
	if err != nil {
		return nil, err
	}
	return t.serverAnswer(ctx, target.String(), res, evidence.KindReference, "lsp_references"), nil
}

func (t *toolset) documentSymbols(ctx context.Context, in pathInput) (*skill.Result, error) {
	res, err := t.w.Symbols(ctx, in.Path)
	if err != nil && ctx.Err() == nil {
		return t.symbolsByGraph(ctx, in.Path, err)
	}
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by %s, %s\n", res.Path, res.Server, res.State)
	var list func(depth int, s []lspclient.Symbol)
	list = func(depth int, s []lspclient.Symbol) {
		for _, x := range s {
			fmt.Fprintf(&b, "%s%s %s:%d-%d\n", strings.Repeat("  ", depth), x.Kind+" "+x.Name, x.Location.Path, x.Location.Line, x.Location.EndLine)
			list(depth+1, x.Children)
		}
	}
	list(0, res.Symbols)
	return textOnly(b.String(), res, listTokens, "view_file shows lines"), nil
}

// symbolsByGraph is the outline of a file as the code graph knows it.
func (t *toolset) symbolsByGraph(ctx context.Context, file string, why error) (*skill.Result, error) {
	walk, err := t.w.Traverse(ctx, []string{file}, &codegraph.TraverseOptions{Hops: -1, Edges: []codegraph.EdgeKind{codegraph.Contain}, Tests: true, Generated: true})
	if err != nil {
		return nil, fmt.Errorf("document_symbols: %w; the code graph: %w", why, err)
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s by the code graph, since no language server answered: %v\n", file, why)
	for _, e := range walk.Nodes {
		if e.Kind == codegraph.KindClass || e.Kind == codegraph.KindFunction {
			_, name, _ := strings.Cut(e.ID, ":")
			fmt.Fprintf(&b, "%s%s %s %s:%d-%d\n", strings.Repeat("  ", min(strings.Count(name, "."), 8)), e.Kind, e.Name, e.Path, e.Line, e.EndLine)
		}
	}
	return textOnly(b.String(), walk.Nodes, listTokens, "view_file shows lines"), nil
}

func (t *toolset) searchText(ctx context.Context, in textInput) (*skill.Result, error) {
	skip := min(max(in.Skip, 0), 100_000)
	if in.Path != "" && path.Clean(in.Path) == "." {
		in.Path = ""
	}
	res, err := t.w.SearchText(ctx, in.Pattern, &GrepOptions{Regexp: in.Regexp, Word: in.Word, IgnoreCase: in.IgnoreCase, Path: in.Path, Limit: atMost(in.Limit, 100, 2000) + skip})
	if err != nil {
		return nil, err
	}
	res.Matches = res.Matches[min(skip, len(res.Matches)):]
	var items []evidence.Item
	for _, m := range res.Matches {
		items = append(items, evidence.Item{Kind: evidence.KindText, Text: m.Text, Matches: m.Matches, Via: "text",
			At: evidence.Place{Repo: m.Repo, Path: m.Path, Line: m.Line, EndLine: m.Line}})
	}
	out := t.result(items, res.Matches, fmt.Sprintf("%d of %d lines match %q in %d files (%d files not searched)", len(res.Matches), res.Total, in.Pattern, res.Files, res.Skipped), shown{skip: skip, rest: "ask again with skip %d"})
	if out.Cut == "" && skip+len(res.Matches) < res.Total {
		out.Cut = fmt.Sprintf("%d more lines match; ask again with skip %d, or with a path", res.Total-skip-len(res.Matches), skip+len(res.Matches))
		out.Text += "(cut: " + out.Cut + ")\n"
	}
	t.remember(ctx, "search_text", in.Pattern, items)
	other, err := t.otherwise(ctx, in, res)
	if err != nil {
		return nil, err
	}
	if other > 0 {
		out.Text += fmt.Sprintf("%d lines match in other letter case or within words: ask again with ignore_case, without word\n", other)
	}
	out.Searched = []evidence.Searched{{Tool: "search_text", Query: in.Pattern, Total: res.Total, Full: res.Skipped == 0 && other == 0, Fresh: true, Scope: in.scope(),
		Size: res.Files, Empty: res.Files == 0}}
	return out, nil
}

func (t *toolset) ask(ctx context.Context, in askInput) (*skill.Result, error) {
	ans, err := t.w.Ask(ctx, in.Question, &AskOptions{Ledger: t.ledger, Collections: in.Collections})
	if err != nil {
		return nil, err
	}
	return t.result(ans.Items, ans, strings.Join(append(ans.Assumptions, ans.Problems...), "\n"), shown{tokens: readTokens}), nil
}

func kinds(in []string) []codegraph.Kind {
	var out []codegraph.Kind
	for _, k := range in {
		out = append(out, codegraph.Kind(k))
	}
	return out
}

func idList(id string, ids []string) []string {
	if id != "" {
		return append([]string{id}, ids...)
	}
	return ids
}
