package findspot

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type entitySearchInput struct {
	Query     string   `json:"query" jsonschema:"a name as it is written somewhere (Class.method, module.func, path.py::Class::method, func(), path.py:120), part of one, or words of the body"`
	Limit     int      `json:"limit,omitempty" jsonschema:"most entities to return; 0 means 10"`
	Kinds     []string `json:"kinds,omitempty" jsonschema:"directory, file, class, function; empty means all"`
	Paths     []string `json:"paths,omitempty" jsonschema:"only under these paths or patterns such as src or *.go"`
	Tests     bool     `json:"tests,omitempty" jsonschema:"show test code too"`
	Generated bool     `json:"generated,omitempty" jsonschema:"show generated and vendored code too"`
	View      string   `json:"view,omitempty" jsonschema:"fold (signature, the default), preview or full"`
}

type traverseInput struct {
	ID        string   `json:"id,omitempty" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or a name that means no other; give this or ids"`
	IDs       []string `json:"ids,omitempty" jsonschema:"several entities"`
	Direction string   `json:"direction,omitempty" jsonschema:"callers, callees, users (callers, importers, subclasses and mentions), out (the default), in or both"`
	Hops      int      `json:"hops,omitempty" jsonschema:"how far; 0 means 1, -1 as far as it goes"`
	Kinds     []string `json:"kinds,omitempty" jsonschema:"entities to visit: directory, file, class, function"`
	Edges     []string `json:"edges,omitempty" jsonschema:"edges to follow: contain, import, invoke, inherit, reference, define; empty means all but reference and define"`
	Level     string   `json:"level,omitempty" jsonschema:"weakest level of edges to follow, strongest first: exact, scope, import, member, flow, container, name"`
	Tests     bool     `json:"tests,omitempty" jsonschema:"visit test code too"`
	Generated bool     `json:"generated,omitempty" jsonschema:"visit generated and vendored code too"`
	Format    string   `json:"format,omitempty" jsonschema:"rich (kind, arrow, line, level; the default) or tree (relation and id alone)"`
	MaxTokens int      `json:"max_tokens,omitempty" jsonschema:"most tokens of the tree, by estimate; what is farthest is cut and counted; 0 means 2000, -1 no limit"`
}

type retrieveInput struct {
	ID      string   `json:"id,omitempty" jsonschema:"an entity: its id, path.py:120 for the innermost one there, or a name that means no other; give this or ids"`
	IDs     []string `json:"ids,omitempty" jsonschema:"several entities"`
	View    string   `json:"view,omitempty" jsonschema:"full, preview (signature and about five lines, or structure) or fold (signature); empty means full for functions and preview for classes, files and directories"`
	Numbers bool     `json:"numbers,omitempty" jsonschema:"begin each line with its number"`
}

type symbolInput struct {
	Symbol string `json:"symbol" jsonschema:"an entity's id or a name as people write it: detect_pss, Server.Run"`
}

type targetInput struct {
	Symbol string `json:"symbol,omitempty" jsonschema:"a name as people write it: getUser, Flask.dispatch_request; give this or a place"`
	Path   string `json:"path,omitempty" jsonschema:"file, relative to the repository's root"`
	Line   int    `json:"line,omitempty" jsonschema:"line, from 1"`
	Col    int    `json:"col,omitempty" jsonschema:"byte column, from 1"`
}

type pathInput struct {
	Path string `json:"path" jsonschema:"file, relative to the repository's root"`
}

type textInput struct {
	Pattern    string `json:"pattern" jsonschema:"plain text, or a regular expression with regexp"`
	Regexp     bool   `json:"regexp,omitempty" jsonschema:"the pattern is a regular expression (RE2)"`
	Word       bool   `json:"word,omitempty" jsonschema:"whole words only"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"upper and lower case are the same"`
	Path       string `json:"path,omitempty" jsonschema:"glob of paths such as *.go or src/**/*.py"`
	Limit      int    `json:"limit,omitempty" jsonschema:"most lines to return; 0 means 100"`
}

type askInput struct {
	Question    string   `json:"question" jsonschema:"a question in plain words"`
	Collections []string `json:"collections,omitempty" jsonschema:"only documents in one of these collections; code is not limited by it"`
}

func (t *toolset) codeTools() []skill.Tool {
	return []skill.Tool{
		newTool("search_entity", "Finds files, classes and functions in the code graph by name (exact, other case, prefix, part of the name, near) and then by the words of their bodies. Returns ids, places and signatures.", t.searchEntity),
		newTool("traverse_graph", "Walks the code graph from entities: who calls or uses them, what they call, contain, import and inherit from. Returns a tree, and counts what it leaves out and what is not known.", t.traverse),
		newTool("retrieve_entity", "Returns the source of entities by their ids, with path and lines.", t.retrieve),
		newTool("references", "Tells who calls or uses a symbol: the language server's answer, then the code graph's, then the text's, each caller with its place and what knew it, and a verdict: found, none known, or verified none.", t.references),
	}
}

func (t *toolset) serverTools() []skill.Tool {
	return []skill.Tool{
		newTool("lsp_definition", "Asks the language server where a symbol is defined, by name or by place.", t.definition),
		newTool("lsp_references", "Asks the language server where a symbol is used, by name or by place.", t.serverReferences),
		newTool("document_symbols", "Asks the language server for the declarations of a file.", t.documentSymbols),
		newTool("search_text", "Searches the files of the repositories line by line. For broad patterns, strings and comments, or when no language server answers; for callers use references.", t.searchText),
		newTool("ask", "Gathers the evidence of documents and code for a question: passages, figures, tables, entities, and callers when it asks for them.", t.ask),
	}
}

func (t *toolset) searchEntity(ctx context.Context, in entitySearchInput) (*skill.Result, error) {
	hits, err := t.w.SearchCode(ctx, in.Query, &codegraph.SearchOptions{Limit: in.Limit, Kinds: kinds(in.Kinds), Paths: in.Paths, Tests: in.Tests, Generated: in.Generated, View: codegraph.View(in.View)})
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, h := range hits.Hits {
		items = append(items, evidence.Item{
			Kind: evidence.KindEntity, Text: cmp.Or(h.Text, h.Signature, h.Name), Tier: h.Tier, Note: h.Match, Score: h.Score, Via: "graph",
			At: evidence.Place{Repo: h.Repo, Path: h.Path, Line: h.Line, EndLine: h.EndLine, Entity: h.ID},
		})
	}
	out := t.result(items, hits.Hits, fmt.Sprintf("%d of %d entities match %q (%d in test code, %d in generated or vendored code not shown)", len(hits.Hits), hits.Total, in.Query, hits.TestsHidden, hits.GeneratedHidden))
	out.Searched = []evidence.Searched{{Tool: "search_entity", Query: in.Query, Tiers: []string{"name", "body"}, Total: hits.Total, Full: (in.Tests || hits.TestsHidden == 0) && (in.Generated || hits.GeneratedHidden == 0), Fresh: true}}
	return out, nil
}

func (t *toolset) traverse(ctx context.Context, in traverseInput) (*skill.Result, error) {
	ids := idList(in.ID, in.IDs)
	var edges []codegraph.EdgeKind
	for _, e := range in.Edges {
		edges = append(edges, codegraph.EdgeKind(e))
	}
	walk, err := t.w.Traverse(ctx, ids, &codegraph.TraverseOptions{Direction: codegraph.Direction(in.Direction), Hops: in.Hops, Kinds: kinds(in.Kinds),
		Edges: edges, MinLevel: codegraph.Level(in.Level), Tests: in.Tests, Generated: in.Generated})
	if err != nil {
		return nil, err
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
	if stat.CutLines > 0 {
		fmt.Fprintf(&b, "(%d lines of the tree and %d entities left out by the budget)\n", stat.CutLines, stat.CutEntities)
	}
	data := walkData{Roots: walk.Roots, IDs: walk.IDs, Edges: []walkEdge{}, Cut: walk.Cut, TestsHidden: walk.TestsHidden, GeneratedHidden: walk.GeneratedHidden, About: walk.About}
	for _, e := range walk.Edges {
		x := walkEdge{Src: e.Src, Dst: e.Dst, Kind: e.Kind, Level: e.Level}
		if len(e.Sites) > 0 {
			x.Line = e.Sites[0].Line
		}
		data.Edges = append(data.Edges, x)
	}
	return &skill.Result{Text: b.String(), Data: data}, nil
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
	got, err := t.texts(ctx, in)
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, r := range got {
		items = append(items, evidence.Item{Kind: evidence.KindEntity, Text: r.Text, Via: "graph",
			At: evidence.Place{Repo: r.Repo, Path: r.Path, Line: r.Line, EndLine: r.EndLine, Entity: r.ID}})
	}
	return t.result(items, got, fmt.Sprintf("%d entities", len(got))), nil
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
	res, err := t.w.Callers(ctx, in.Symbol, nil)
	if err != nil {
		if missing := t.missingSymbol(in.Symbol, err); missing != nil {
			return missing, nil
		}
		return nil, err
	}
	var items []evidence.Item
	for _, c := range res.Callers {
		items = append(items, CallerItem(c))
	}
	head := fmt.Sprintf("%s: %s, %d callers and uses (%d in test code), by %s", in.Symbol, res.Verdict, len(items), res.Tests, cmp.Or(res.Via, "nothing that knows"))
	for _, why := range res.Why {
		head += "\n" + why
	}
	out := t.result(append(items, VerdictItem(res)), nil, head)
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
func (t *toolset) serverAnswer(ctx context.Context, r *repo, what string, res *lspclient.Result, kind string) (*skill.Result, error) {
	if _, err := r.open(ctx); err != nil {
		return nil, err
	}
	s := &callerSearch{r: r, lines: map[string][][]byte{}}
	var items []evidence.Item
	sites := []Site{}
	for _, l := range res.Locations {
		id, text := l.Path, ""
		if !l.Outside() {
			if e, ok := r.graph().Enclosing(l.Path, l.Line); ok {
				id = r.id(e.ID)
			}
			text = strings.TrimSpace(s.line(l.Path, l.Line))
		}
		sites = append(sites, Site{ID: id, Location: l, Text: text})
		items = append(items, evidence.Item{Kind: kind, Text: text, Via: res.Server, Level: string(codegraph.LevelExact),
			At: evidence.Place{Repo: r.label(), Path: l.Path, Line: l.Line, EndLine: l.Line, Entity: id}})
	}
	head := fmt.Sprintf("%s: %d places by %s, %s", what, res.Total, res.Server, res.State)
	if res.Reason != "" {
		head += ": " + res.Reason
	}
	out := t.result(items, sites, head)
	if len(items) == 0 && res.State != lspclient.Complete {
		out.Verdict = skill.VerdictNoneKnown
	}
	return out, nil
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
	var out *skill.Result
	err = t.w.eachServer(ctx, func(r *repo, lc *lspclient.Client) error {
		res, err := lc.Definition(ctx, target, nil)
		if err == nil {
			out, err = t.serverAnswer(ctx, r, target.String(), res, evidence.KindEntity)
		}
		return err
	})
	return out, err
}

func (t *toolset) serverReferences(ctx context.Context, in targetInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_references: %w", err)
	}
	var out *skill.Result
	err = t.w.eachServer(ctx, func(r *repo, lc *lspclient.Client) error {
		res, err := lc.References(ctx, target, nil)
		if err == nil {
			out, err = t.serverAnswer(ctx, r, target.String(), res, evidence.KindReference)
		}
		return err
	})
	return out, err
}

func (t *toolset) documentSymbols(ctx context.Context, in pathInput) (*skill.Result, error) {
	res, err := t.w.Symbols(ctx, in.Path)
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
	return &skill.Result{Text: b.String(), Data: res}, nil
}

func (t *toolset) searchText(ctx context.Context, in textInput) (*skill.Result, error) {
	res, err := t.w.SearchText(ctx, in.Pattern, &GrepOptions{Regexp: in.Regexp, Word: in.Word, IgnoreCase: in.IgnoreCase, Path: in.Path, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, m := range res.Matches {
		items = append(items, evidence.Item{Kind: evidence.KindText, Text: m.Text, Matches: m.Matches, Via: "text",
			At: evidence.Place{Repo: m.Repo, Path: m.Path, Line: m.Line, EndLine: m.Line}})
	}
	out := t.result(items, res.Matches, fmt.Sprintf("%d of %d lines match %q in %d files (%d files not searched)", len(res.Matches), res.Total, in.Pattern, res.Files, res.Skipped))
	out.Searched = []evidence.Searched{{Tool: "search_text", Query: in.Pattern, Total: res.Total, Full: res.Skipped == 0, Fresh: true, Size: res.Files, Empty: res.Files == 0}}
	return out, nil
}

func (t *toolset) ask(ctx context.Context, in askInput) (*skill.Result, error) {
	ans, err := t.w.Ask(ctx, in.Question, &AskOptions{Ledger: t.ledger, Collections: in.Collections})
	if err != nil {
		return nil, err
	}
	return t.result(ans.Items, ans, strings.Join(append(ans.Assumptions, ans.Problems...), "\n")), nil
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

type writeInput struct {
	Path string `json:"path" jsonschema:"file to write, relative to the folder that was opened for writing"`
	Text string `json:"text" jsonschema:"the whole content"`
}

// writeTool writes files into one folder. [os.Root] keeps every path, and every link, inside of it.
func writeTool(dir string) skill.Tool {
	t := newTool("write_file", "Writes a file, whole, into the folder that was opened for writing.", func(_ context.Context, in writeInput) (*skill.Result, error) {
		root, err := os.OpenRoot(dir)
		if err != nil {
			return nil, err
		}
		defer root.Close()
		p := filepath.FromSlash(in.Path)
		if d := filepath.Dir(p); d != "." {
			if err := root.MkdirAll(d, 0o777); err != nil {
				return nil, fmt.Errorf("write_file: %w", err)
			}
		}
		if err := root.WriteFile(p, []byte(in.Text), 0o666); err != nil {
			return nil, fmt.Errorf("write_file: %w", err)
		}
		return &skill.Result{Text: fmt.Sprintf("wrote %d bytes to %s", len(in.Text), in.Path)}, nil
	})
	t.Writes = true
	return t
}
