package findspot

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// ToolsOptions of [Workspace.Tools].
type ToolsOptions struct {
	// WriteDir allows the tool write_file, for files in this folder and nowhere else. Empty: there is no such tool.
	WriteDir string
	// Ledger gives the keys of everything the tools return; nil means a new one for this set of tools.
	Ledger *evidence.Ledger
}

// Tools returns what the workspace can do as functions for an agent: a name, a description, a JSON Schema and the function
// itself. They are safe for concurrent use. All that they return carries keys of one ledger. The order is fixed: documents, code, language
// servers, text, whole questions.
func (w *Workspace) Tools(o *ToolsOptions) []skill.Tool {
	var opt ToolsOptions
	if o != nil {
		opt = *o
	}
	if opt.Ledger == nil {
		opt.Ledger = evidence.NewLedger()
	}
	t := &toolset{w: w, ledger: opt.Ledger}
	tools := slices.Concat(t.documentTools(), t.codeTools(), t.serverTools())
	if opt.WriteDir != "" {
		tools = append(tools, writeTool(opt.WriteDir))
	}
	return tools
}

// toolset makes the tools of a workspace.
type toolset struct {
	w      *Workspace
	ledger *evidence.Ledger
}

// result renders items under the keys of the ledger.
func (t *toolset) result(items []evidence.Item, data any, head string) *skill.Result {
	var b strings.Builder
	b.WriteString(head)
	for i := range items {
		items[i] = t.ledger.Add(items[i])
		it := items[i]
		fmt.Fprintf(&b, "\n[%s] %s %s", it.Key, it.Kind, it.At)
		if it.At.Entity != "" {
			fmt.Fprintf(&b, " %s", it.At.Entity)
		}
		var how []string
		for _, s := range []string{it.Tier, it.Via, it.Level, it.Note} {
			if s != "" {
				how = append(how, s)
			}
		}
		if len(how) > 0 {
			fmt.Fprintf(&b, " (%s)", strings.Join(how, ", "))
		}
		fmt.Fprintf(&b, "\n    %s", strings.ReplaceAll(strings.TrimRight(it.Text, "\n"), "\n", "\n    "))
	}
	b.WriteByte('\n')
	return &skill.Result{Text: b.String(), Items: items, Data: data}
}

type searchInput struct {
	Query string   `json:"query" jsonschema:"words, a phrase, an identifier or a clause number to look for"`
	Limit int      `json:"limit,omitempty" jsonschema:"most documents to return; 0 means 10"`
	Doc   string   `json:"doc,omitempty" jsonschema:"only in this document: its id, name, or a unique part of its name or title such as 38.331"`
	Tiers []string `json:"tiers,omitempty" jsonschema:"phrase, all and any: which strictness to try; empty means all three"`

	Strict      bool     `json:"strict,omitempty" jsonschema:"try a lower tier only when nothing matched above; otherwise lower tiers fill up the answer"`
	Literal     bool     `json:"literal,omitempty" jsonschema:"read the query as words alone: quotes and minus signs mean nothing"`
	Title       string   `json:"title,omitempty" jsonschema:"only documents whose title has all of these words"`
	Author      string   `json:"author,omitempty" jsonschema:"only documents with an author of this name"`
	From        string   `json:"from,omitempty" jsonschema:"only documents of this date or later, such as 2021 or 2021-05-03"`
	To          string   `json:"to,omitempty" jsonschema:"only documents of this date or earlier"`
	Formats     []string `json:"formats,omitempty" jsonschema:"only documents with these endings of the name, such as pdf or md"`
	Collections []string `json:"collections,omitempty" jsonschema:"only documents in one of these collections"`
	Section     string   `json:"section,omitempty" jsonschema:"only passages in the section of this number or heading"`
	Kinds       []string `json:"kinds,omitempty" jsonschema:"text, titles, figures and tables: what to search; empty means all"`
	Cursor      string   `json:"cursor,omitempty" jsonschema:"the next cursor of an answer to the same arguments: the documents behind those"`
}

type docInput struct {
	Doc string `json:"doc" jsonschema:"the document's id, name, or a unique part of its name or title"`
}

type listInput struct {
	Collection string `json:"collection,omitempty" jsonschema:"only documents in this collection"`
	Status     string `json:"status,omitempty" jsonschema:"ready, pending or failed: only documents in this state"`
	After      string `json:"after,omitempty" jsonschema:"only documents after this one: what an answer gave as next"`
	Limit      int    `json:"limit,omitempty" jsonschema:"most documents to return; 0 means 200"`
}

type readInput struct {
	Doc      string `json:"doc" jsonschema:"the document's id, name, or a unique part of its name or title"`
	MaxRunes int    `json:"max_runes,omitempty" jsonschema:"most characters to return; 0 means 20000"`
	Format   string `json:"format,omitempty" jsonschema:"text or markdown; empty means as the document was added"`
}

type sectionInput struct {
	Doc     string `json:"doc" jsonschema:"the document's id, name, or a unique part of its name or title"`
	Section string `json:"section,omitempty" jsonschema:"number or heading of a section, such as 5.3.5.3 or Related work; empty lists the sections"`
}

type viewInput struct {
	Doc   string `json:"doc,omitempty" jsonschema:"a document; give this or path"`
	Path  string `json:"path,omitempty" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	First int    `json:"first,omitempty" jsonschema:"first line, from 1; 0 means 1"`
	Last  int    `json:"last,omitempty" jsonschema:"last line, inclusive; 0 means 200 lines"`
	Page  int    `json:"page,omitempty" jsonschema:"a page of the document, from 1, instead of lines"`

	Format string `json:"format,omitempty" jsonschema:"of a page: text or markdown; empty means as the document was added. Lines are always of the text"`
}

type fileSearchInput struct {
	Doc     string `json:"doc" jsonschema:"the document's id, name, or a unique part of its name or title"`
	Pattern string `json:"pattern" jsonschema:"words in a row, or a regular expression"`
	Regexp  bool   `json:"regexp,omitempty" jsonschema:"the pattern is a regular expression (RE2)"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most lines to return; 0 means 100"`
}

func (t *toolset) documentTools() []skill.Tool {
	return []skill.Tool{
		newTool("search_internal", "Searches the project's own documents (papers, specifications, notes) in three tiers: exact phrase, all words, any word. "+
			"Words in quotes must stand in a row; a minus before a word or a phrase in quotes leaves out the passages that hold it. "+
			"Use it first for internal systems, standards, interfaces and proprietary data, before any web search. Returns passages with document, page, lines and the text found.", t.searchInternal),
		newTool("list_documents", "Lists the documents of the library or of one collection: id, name, title, pages, and those that could not be read with the reason; then the collections.", t.listDocuments),
		newTool("show_document", "Returns what is known of a document before it is read: title, authors, institutions, date, status, collections, length, and whether its file changed since.", t.showDocument),
		newTool("read_abstract", "Returns the abstract of a document.", t.readAbstract),
		newTool("read_section", "Lists the sections (clauses, chapters, annexes) of a document with page and lines, or returns the text of one, by number such as 5.3.5.3 or by heading.", t.readSection),
		newTool("read_file", "Returns the text of a document from its beginning.", t.readFile),
		newTool("view_file", "Returns lines or one page of a document, or lines of a file of a repository. The places that searches return can be given unchanged.", t.viewFile),
		newTool("search_file", "Searches one document for words in a row or a regular expression; returns the lines with numbers and pages.", t.searchFile),
	}
}

func (t *toolset) searchInternal(ctx context.Context, in searchInput) (*skill.Result, error) {
	o := &docsearch.SearchOptions{
		Limit: in.Limit, Doc: in.Doc, Strict: in.Strict, Literal: in.Literal, Title: in.Title, Author: in.Author, From: in.From, To: in.To,
		Formats: in.Formats, Collections: in.Collections, Section: in.Section, Kinds: in.Kinds, Cursor: in.Cursor,
	}
	for _, tier := range in.Tiers {
		if !slices.Contains(docsearch.Tiers(), docsearch.Tier(tier)) {
			return nil, fmt.Errorf("search_internal: tier %q: there are phrase, all and any", tier)
		}
		o.Tiers = append(o.Tiers, docsearch.Tier(tier))
	}
	res, err := t.w.SearchDocs(ctx, in.Query, o)
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, h := range res.Hits {
		for _, p := range h.Passages {
			items = append(items, passageItem(h, p))
		}
		for _, f := range h.Figures {
			items = append(items, figureItem(h, f))
		}
		for _, tb := range h.Tables {
			items = append(items, tableItem(h, tb))
		}
	}
	out := t.result(items, res, searchHead(res))
	var tiers []string
	for _, tier := range res.Searched.Tiers {
		tiers = append(tiers, string(tier))
	}
	out.Searched = []evidence.Searched{{Tool: "search_internal", Query: in.Query, Tiers: tiers, Total: res.Total, Scope: searchScope(o),
		Full:  len(tiers) == len(docsearch.Tiers()) && (res.Total > 0 || res.Searched.FullText) && res.Searched.Failed == 0,
		Fresh: t.w.fresh(ctx, res), Size: res.Searched.Documents, Empty: res.Searched.Documents == 0}}
	return out, nil
}

// searchScope says in words what the options leave of the library; "" for all of it.
func searchScope(o *docsearch.SearchOptions) string {
	if o.Doc != "" && o.Section == "" && o.Kinds == nil {
		return o.Doc
	}
	var out []string
	for _, f := range []struct{ name, value string }{
		{"document", o.Doc}, {"title", o.Title}, {"author", o.Author}, {"from", o.From}, {"to", o.To}, {"formats", strings.Join(o.Formats, ",")},
		{"collections", strings.Join(o.Collections, ",")}, {"section", o.Section}, {"kinds", strings.Join(o.Kinds, ",")},
	} {
		if f.value != "" {
			out = append(out, f.name+" "+f.value)
		}
	}
	return strings.Join(out, "; ")
}

// searchHead says in words what a search found, and how it was read where that is not plain.
func searchHead(res *docsearch.Results) string {
	var b strings.Builder
	least := ""
	if !res.TotalExact {
		least = "at least "
	}
	fmt.Fprintf(&b, "%d of %s%d documents match %q (%d searched)", len(res.Hits), least, res.Total, res.Query, res.Searched.Documents)
	for _, p := range []struct {
		words string
		list  []string
	}{{"in a row", res.Read.Phrases}, {"left out", res.Read.Without}, {"note", res.Read.Notes}} {
		if len(p.list) > 0 {
			fmt.Fprintf(&b, "\n%s: %s", p.words, strings.Join(p.list, "; "))
		}
	}
	for _, s := range res.Read.Synonyms {
		fmt.Fprintf(&b, "\nalso searched for %q: %s", s.Term, strings.Join(s.As, ", "))
	}
	for _, s := range res.Suggestions {
		fmt.Fprintf(&b, "\n%q is nowhere: did you mean %q?", s.Word, s.Replacement)
	}
	if changed, gone := hitSources(res); len(changed)+len(gone) > 0 {
		b.WriteString("\n" + staleSources(changed, gone))
	}
	if res.Searched.Unread > 0 {
		fmt.Fprintf(&b, "\nthe texts of %d documents were not read to make sure", res.Searched.Unread)
	}
	if res.Next != "" {
		fmt.Fprintf(&b, "\nmore with cursor %s", res.Next)
	}
	return b.String()
}

func (t *toolset) listDocuments(ctx context.Context, in listInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	o := &docsearch.ListOptions{Collection: in.Collection, Status: in.Status, After: in.After, Limit: in.Limit}
	if o.Limit <= 0 {
		o.Limit = 200
	}
	list, err := lib.List(ctx, o)
	if err != nil {
		return nil, err
	}
	collections, err := lib.Collections(ctx)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d documents\n", list.Total)
	for _, d := range list.Documents {
		switch d.Status {
		case docsearch.StatusFailed:
			fmt.Fprintf(&b, "%s %s: not read: %s\n", d.ID, d.Name, d.Reason)
		case docsearch.StatusPending:
			fmt.Fprintf(&b, "%s %s: being read\n", d.ID, d.Name)
		default:
			fmt.Fprintf(&b, "%s %s %q, %d pages\n", d.ID, d.Name, d.Title, d.Pages)
		}
	}
	if list.Next != "" {
		fmt.Fprintf(&b, "more after %q\n", list.Next)
	}
	for _, c := range collections {
		fmt.Fprintf(&b, "collection %q: %d documents\n", c.Name, c.Documents)
	}
	return &skill.Result{Text: b.String(), Data: list}, nil
}

func (t *toolset) showDocument(ctx context.Context, in docInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	i, err := lib.Info(ctx, in.Doc)
	if err != nil {
		return nil, err
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\nid %s, name %s, %s", i.Title, i.ID, i.Name, i.Status)
	for _, f := range []struct{ name, value string }{
		{"reason", i.Reason}, {"authors", strings.Join(i.Authors, ", ")}, {"institutions", strings.Join(i.Institutions, ", ")}, {"date", i.Date}, {"url", i.URL},
		{"collections", strings.Join(i.Collections, ", ")}, {"source on disk", string(i.Source)},
	} {
		if f.value != "" {
			fmt.Fprintf(&b, "\n%s: %s", f.name, f.value)
		}
	}
	fmt.Fprintf(&b, "\n%d pages, %d lines, %d characters, about %d tokens; %d sections, %d figures and %d tables that are searched\n",
		i.Pages, i.Lines, i.Runes, i.Tokens, len(i.Sections), i.Figures, i.Tables)
	return &skill.Result{Text: b.String(), Data: i}, nil
}

// format is the one asked for, or that which the document was added with.
func (t *toolset) format(ctx context.Context, lib *docsearch.Library, tool, doc, asked string) (docsearch.Format, error) {
	switch f := docsearch.Format(asked); f {
	case docsearch.FormatText, docsearch.FormatMarkdown:
		return f, nil
	case "":
		d, err := lib.Resolve(ctx, doc)
		if err != nil {
			return "", err
		}
		return d.Format, nil
	default:
		return "", fmt.Errorf("%s: format %q: there are text and markdown", tool, asked)
	}
}

// textResult is a stretch of a document as a result with one item.
func (t *toolset) textResult(x *docsearch.Text) *skill.Result {
	it := evidence.Item{Kind: evidence.KindPassage, Text: x.Text, Via: "docs", At: evidence.Place{
		Doc: x.Doc, Name: x.Name, Title: x.Title, Page: x.Page, Line: x.LineStart, EndLine: x.LineEnd, Start: x.Start, End: x.End}}
	switch {
	case x.Truncated && x.Format == docsearch.FormatMarkdown:
		it.Note = "Markdown, cut: ask for more or page by page; quote from the text alone"
	case x.Format == docsearch.FormatMarkdown:
		it.Note = "Markdown: quote from the text alone"
	case x.Truncated:
		it.Note = fmt.Sprintf("cut: it goes on after line %d", x.LineEnd)
	}
	return t.result([]evidence.Item{it}, x, x.Title)
}

func (t *toolset) readAbstract(ctx context.Context, in docInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	x, err := lib.Abstract(ctx, in.Doc)
	if err != nil {
		return nil, err
	}
	return t.textResult(x), nil
}

// maxSectionLines is how many lines of a section the tool returns; the rest is named.
const maxSectionLines = 400

func (t *toolset) readSection(ctx context.Context, in sectionInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Section) == "" {
		list, err := lib.Sections(ctx, in.Doc)
		if err != nil {
			return nil, err
		}
		var b strings.Builder
		fmt.Fprintf(&b, "%d sections\n", len(list))
		for i := range list {
			s := &list[i]
			fmt.Fprintf(&b, "%s%s (page %d, lines %d-%d)\n", strings.Repeat("  ", s.Level-1), s.Heading(), s.Page, s.Lines.First, s.Lines.Last)
		}
		return &skill.Result{Text: b.String(), Data: list}, nil
	}
	s, err := lib.Section(ctx, in.Doc, in.Section)
	if err != nil {
		return nil, err
	}
	x := &s.Text
	if x.LineEnd-x.LineStart >= maxSectionLines {
		if x, err = lib.View(ctx, in.Doc, docsearch.Lines{First: x.LineStart, Last: x.LineStart + maxSectionLines - 1}); err != nil {
			return nil, err
		}
		x.Truncated = true
	}
	return t.textResult(x), nil
}

func (t *toolset) readFile(ctx context.Context, in readInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	if in.MaxRunes <= 0 {
		in.MaxRunes = 20000
	}
	format, err := t.format(ctx, lib, "read_file", in.Doc, in.Format)
	if err != nil {
		return nil, err
	}
	x, err := lib.Read(ctx, in.Doc, &docsearch.ReadOptions{MaxRunes: in.MaxRunes, Format: format})
	if err != nil {
		return nil, err
	}
	return t.textResult(x), nil
}

func (t *toolset) viewFile(ctx context.Context, in viewInput) (*skill.Result, error) {
	if (in.Doc == "") == (in.Path == "") {
		return nil, fmt.Errorf("view_file: give doc or path, one of them")
	}
	if in.First <= 0 {
		in.First = 1
	}
	if in.Last <= 0 {
		in.Last = in.First + 199
	}
	if in.Path != "" {
		text, err := t.w.ReadLines(ctx, in.Path, in.First, in.Last)
		if err != nil {
			return nil, err
		}
		return t.result([]evidence.Item{text}, text, text.At.String()), nil
	}
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	var x *docsearch.Text
	if in.Page > 0 {
		var format docsearch.Format
		if format, err = t.format(ctx, lib, "view_file", in.Doc, in.Format); err != nil {
			return nil, err
		}
		if format == docsearch.FormatMarkdown {
			x, err = lib.Markdown(ctx, in.Doc, in.Page, in.Page)
		} else {
			x, err = lib.Page(ctx, in.Doc, in.Page)
		}
	} else {
		x, err = lib.View(ctx, in.Doc, docsearch.Lines{First: in.First, Last: in.Last})
	}
	if err != nil {
		return nil, err
	}
	return t.textResult(x), nil
}

func (t *toolset) searchFile(ctx context.Context, in fileSearchInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	found, err := lib.Find(ctx, in.Doc, in.Pattern, &docsearch.FindOptions{Regexp: in.Regexp, Limit: in.Limit})
	if err != nil {
		return nil, err
	}
	var items []evidence.Item
	for _, l := range found.Lines {
		items = append(items, evidence.Item{Kind: evidence.KindPassage, Text: l.Text, Matches: l.Matches, Via: "docs", At: evidence.Place{
			Doc: found.Doc, Name: found.Name, Title: found.Title, Page: l.Page, Line: l.Line, EndLine: l.LineEnd}})
	}
	return t.result(items, found, fmt.Sprintf("%d matches of %q in %s", found.Total, in.Pattern, found.Name)), nil
}
