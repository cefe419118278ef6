package servertools

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/servers"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/lspclient"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// Tools ask language servers, and the code graph where no server answers.
type Tools struct {
	s       *agenttools.Session
	servers *servers.Servers
	repos   *repository.Store
}

// New makes the tools.
func New(s *agenttools.Session, servers *servers.Servers) *Tools {
	return &Tools{s, servers, servers.Repos}
}

type callsInput struct {
	targetInput
	Direction string `json:"direction,omitempty" enum:"incoming,outgoing" jsonschema:"incoming: who calls it (the default); outgoing: what it calls"`
}

type workspaceSymbolInput struct {
	Query string   `json:"query" alias:"name,symbol,q" jsonschema:"a name, or a part of one"`
	Paths []string `json:"paths,omitempty" alias:"path,relative_path" jsonschema:"only in files that match one of these globs, such as src/** or *.go"`
	Limit int      `json:"limit,omitempty" alias:"max_results,max_matches" jsonschema:"max symbols to return; 0 means 50"`
	agenttools.Budget
}

type diagnosticsInput struct {
	Path     string `json:"path" alias:"file_path,relative_path,file" jsonschema:"file, relative to the repository's root"`
	Severity string `json:"severity,omitempty" enum:"error,warning,information,hint" jsonschema:"lowest severity; empty means all"`
	agenttools.Budget
}

type renameInput struct {
	targetInput
	NewName string `json:"new_name" alias:"newName,to" jsonschema:"the new name, an identifier of the language"`
}

// Definitions are the tools.
func (t *Tools) Definitions() []agenttools.Definition {
	def := agenttools.New("lsp_definition", "Asks the language server where a symbol is defined, by name or by place.",
		"Use it for a name in a file whose meaning must be exact. Without a server, a unique name is answered from the code graph, and the answer says so.", t.definition)
	def.Brief = "Asks the language server, else the code graph, where a symbol is defined, by name or by place."
	return append([]agenttools.Definition{
		def,
		agenttools.New("lsp_references", "Asks the language server where a symbol is used, by name or by place.",
			"Use references for callers: it needs no server, and says whether the answer is complete. An incomplete answer may miss uses.", t.places("lsp_references", evidence.KindReference, references)),
		agenttools.New("document_symbols", "Lists the declarations of a file: by the language server, else by the code graph.", "Use it to see what is in a file before reading it.", t.documentSymbols),
	}, t.askingTools()...)
}

// askingTools are the questions to language servers beside definitions and references.
func (t *Tools) askingTools() []agenttools.Definition {
	return []agenttools.Definition{
		agenttools.New("lsp_type_definition", "Asks the language server where the type of a symbol is defined, by name or by place.",
			"Use it for what a variable or a result is: give the place of its name.", t.places("lsp_type_definition", evidence.KindEntity, (*lspclient.Client).TypeDefinition)),
		agenttools.New("lsp_implementation", "Asks the language server what implements an interface or a method of one, or overrides a method, by name or by place.",
			"Use it before changing an interface or a base class: what implements it must change too.", t.places("lsp_implementation", evidence.KindEntity, (*lspclient.Client).Implementation)),
		agenttools.New("lsp_workspace_symbols", "Asks the language servers for symbols of the repositories by name, including variables and fields.",
			"Use it for names that search_entity does not know, such as constants and fields; for functions and classes search_entity needs no server.", t.workspaceSymbols),
		agenttools.New("lsp_hover", "Asks the language server for the signature and the documentation of a symbol, by name or by place.",
			"Use it for the type of an expression, or for how to call a library function.", t.hover),
		agenttools.New("lsp_calls", "Asks the language server who calls a function, or what it calls, by name or by place.",
			"Use references for a verdict about callers, and traverse_graph for chains of calls.", t.calls),
		agenttools.New("lsp_diagnostics", "Asks the language server for the diagnostics of a file: errors, warnings and hints.",
			"Use it after an edit. An empty list means no problems only if the answer says that it is complete.", t.diagnostics),
		agenttools.New("lsp_rename", "Shows what renaming a symbol would change in all files, as a diff. It writes nothing.",
			"Use it to see what a renaming affects. Do not apply a diff of an incomplete answer: uses may be missing.", t.rename),
		agenttools.New("lsp_servers", "Tells which language servers are installed, running and ready, and how to install the rest.",
			"Use it when server answers are missing or incomplete. A person must install what is missing.", t.serverList),
	}
}

// headOf says what an answer says about itself. An empty one says in words whether it means that there is none.
func headOf(what, things string, total int, a lspclient.Answer) string {
	head := fmt.Sprintf("%s: %s by %s, %s", what, text.Plural(total, things), a.Server, a.State)
	switch {
	case total == 0 && a.State == lspclient.Complete:
		head += ": there is none, as far as this server sees"
	case total == 0:
		head += ": this does not mean that there is none"
	}
	for _, s := range []string{a.Reason, a.Note} {
		if s != "" {
			head += "; " + s
		}
	}
	return head
}

// unsure marks an empty answer that is not complete.
func unsure(out *skill.Result, total int, a lspclient.Answer) *skill.Result {
	if total == 0 && a.State != lspclient.Complete {
		out.Verdict = skill.VerdictNoneKnown
	}
	return out
}

func (t *Tools) workspaceSymbols(ctx context.Context, in workspaceSymbolInput) (*skill.Result, error) {
	res, err := t.servers.Symbols(ctx, in.Query, &lspclient.QueryOptions{Limit: agenttools.AtMost(in.Limit, 50, 1000), Paths: in.Paths})
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, s := range res.Placed {
		name := s.Name
		if s.Container != "" {
			name = s.Container + "." + name
		}
		items = append(items, evidence.Item{Kind: evidence.KindEntity, Text: s.Kind + " " + name, Via: res.Server, Level: string(codegraph.LevelExact),
			At: evidence.Place{Repo: s.Repo, Path: s.Location.Path, Line: s.Location.Line, EndLine: s.Location.EndLine, Entity: s.Entity.ID}})
	}
	t.s.Remember(ctx, "lsp_workspace_symbols", in.Query, items)
	return unsure(t.s.Result(items, res.Placed, headOf(in.Query, "symbol", res.Total, res.Answer), agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens)}), res.Total, res.Answer), nil
}

func (t *Tools) hover(ctx context.Context, in targetInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_hover: %w", err)
	}
	res, err := t.servers.Hover(ctx, target)
	if err != nil {
		return nil, agenttools.NotHere(err, "search_entity finds names")
	}
	n := min(len(res.Text), 1)
	out := agenttools.TextOnly(headOf(target.String(), "text", n, res.Answer)+"\n"+res.Text, res, in.shown().Tokens, "ask with more tokens, or view_file shows the source")
	out.Structured = nil // the text is one already
	return unsure(out, n, res.Answer), nil
}

func (t *Tools) calls(ctx context.Context, in callsInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_calls: %w", err)
	}
	outgoing := in.Direction == "outgoing"
	things := "caller"
	if outgoing {
		things = "callee"
	}
	res, err := t.servers.Calls(ctx, target, !outgoing, nil)
	if err != nil {
		return nil, agenttools.NotHere(err, "search_entity finds names")
	}
	var items []evidence.Item
	for _, c := range res.Placed {
		at, kind := c.Selection, evidence.KindCaller
		if outgoing {
			kind = evidence.KindEntity
		} else if len(c.Sites) > 0 {
			at = c.Sites[0]
		}
		note := ""
		if len(c.Sites) > 1 {
			note = text.Plural(len(c.Sites), "call")
		}
		items = append(items, evidence.Item{Kind: kind, Text: cmp.Or(c.Text, c.Name), Via: res.Server, Level: string(codegraph.LevelExact), Note: note,
			At: evidence.Place{Repo: res.Repo, Path: at.Path, Line: at.Line, EndLine: at.Line, Entity: cmp.Or(c.Entity.ID, c.Name)}})
	}
	t.s.Remember(ctx, "lsp_calls", target.String(), items)
	return unsure(t.s.Result(items, res, headOf(target.String(), things, res.Total, res.Answer), in.shown()), res.Total, res.Answer), nil
}

func (t *Tools) diagnostics(ctx context.Context, in diagnosticsInput) (*skill.Result, error) {
	res, err := t.servers.Diagnostics(ctx, in.Path, &lspclient.DiagnosticOptions{Severity: in.Severity})
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	b.WriteString(headOf(in.Path, "diagnostic", res.Total, res.Answer))
	for _, d := range res.Placed {
		fmt.Fprintf(&b, "\n  %d:%d %s: %s", d.Location.Line, d.Location.Col, d.Severity, d.Message)
		if code := strings.TrimSpace(d.Source + " " + d.Code); code != "" {
			fmt.Fprintf(&b, " (%s)", code)
		}
		fmt.Fprintf(&b, "\n    %s", d.Text)
	}
	b.WriteByte('\n')
	return unsure(agenttools.TextOnly(b.String(), res, agenttools.Tokens(in.Tokens, agenttools.SearchTokens), "ask for errors alone, with severity, or with more tokens"), res.Total, res.Answer), nil
}

func (t *Tools) rename(ctx context.Context, in renameInput) (*skill.Result, error) {
	target, err := in.target()
	if err != nil {
		return nil, fmt.Errorf("lsp_rename: %w", err)
	}
	res, err := t.servers.Rename(ctx, target, in.NewName, nil)
	if err != nil {
		return nil, agenttools.NotHere(err, "search_entity finds names")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "Nothing was written. %s in %s\n", headOf(target.String()+" to "+in.NewName, "edit", res.Total, res.Answer), text.Plural(len(res.Files), "file"))
	if res.State != lspclient.Complete {
		b.WriteString("Uses may be missing: do not apply this.\n")
	}
	for _, l := range res.Collisions {
		fmt.Fprintf(&b, "The name is taken at %s:%d:%d.\n", l.Path, l.Line, l.Col)
	}
	for _, op := range res.Operations {
		fmt.Fprintf(&b, "The server also wants to %s the file %s %s\n", op.Kind, op.Path, op.To)
	}
	places := &agenttools.Structured{Lines: append(slices.Collect(strings.Lines(b.String())), editPlaces(res.Files)...)} // the diff follows from them
	b.WriteString(res.Diff)
	out := agenttools.TextOnly(b.String(), res, in.shown().Tokens, "ask with more tokens, or findspot lsp rename prints the diff")
	out.Structured = places
	return unsure(out, res.Total, res.Answer), nil
}

// editPlaces are the files of a renaming with the line and column of each edit.
func editPlaces(files []lspclient.FileEdits) []string {
	var lines []string
	for _, f := range files {
		line := f.Path
		for _, e := range f.Edits {
			line += fmt.Sprintf(" %d:%d", e.Location.Line, e.Location.Col)
		}
		lines = append(lines, line+"\n")
	}
	return lines
}
