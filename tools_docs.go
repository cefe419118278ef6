package findspot

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type searchInput struct {
	Query string   `json:"query" alias:"q,search_query,search_terms,keywords,question" jsonschema:"words, a phrase, an identifier or a clause number to look for"`
	Limit int      `json:"limit,omitempty" alias:"k,top_k,n,max_results,num_results" jsonschema:"most documents to return; 0 means 10"`
	Doc   string   `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id,file" jsonschema:"only in this document: its id, name, or a unique part of its name or title such as 38.331"`
	Tiers []string `json:"tiers,omitempty" only:"full" enum:"phrase,all,any" jsonschema:"which strictness to try; empty means all three"`

	Strict      bool     `json:"strict,omitempty" only:"full" jsonschema:"try a lower tier only when nothing matched above; otherwise lower tiers fill up the answer"`
	Literal     bool     `json:"literal,omitempty" only:"full" jsonschema:"read the query as words alone: quotes and minus signs mean nothing"`
	Title       string   `json:"title,omitempty" only:"full" jsonschema:"only documents whose title has all of these words"`
	Author      string   `json:"author,omitempty" only:"full" jsonschema:"only documents with an author of this name"`
	From        string   `json:"from,omitempty" alias:"min_year,date_from" only:"full" jsonschema:"only documents of this date or later, such as 2021 or 2021-05-03"`
	To          string   `json:"to,omitempty" alias:"max_year,date_to" only:"full" jsonschema:"only documents of this date or earlier"`
	Formats     []string `json:"formats,omitempty" only:"full" jsonschema:"only documents with these endings of the name, such as pdf or md"`
	Collections []string `json:"collections,omitempty" alias:"collection" jsonschema:"only documents in one of these collections"`
	Section     string   `json:"section,omitempty" jsonschema:"only passages in the section of this number or heading"`
	Kinds       []string `json:"kinds,omitempty" only:"full" jsonschema:"text, titles, figures and tables: what to search; empty means all"`
	Cursor      string   `json:"cursor,omitempty" jsonschema:"the next cursor of an answer to the same arguments: the documents behind those"`
}

type docInput struct {
	Doc string `json:"doc" alias:"paper_id,document,doc_id,document_id,file,file_path,path,name,title" jsonschema:"the document's id, name, or a unique part of its name or title"`
}

type listInput struct {
	Collection string `json:"collection,omitempty" jsonschema:"only documents in this collection"`
	Status     string `json:"status,omitempty" enum:"ready,pending,failed" jsonschema:"only documents in this state"`
	After      string `json:"after,omitempty" jsonschema:"only documents after this one: what an answer gave as next"`
	Limit      int    `json:"limit,omitempty" jsonschema:"most documents to return; 0 means 200"`
}

type readFileInput struct {
	Doc       string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"the document's id, name, or a unique part of its name or title; give this or path"`
	Path      string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File      string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	MaxRunes  int    `json:"max_runes,omitempty" alias:"max_chars" jsonschema:"most characters to return; 0 means 20000"`
	Format    string `json:"format,omitempty" enum:"text,markdown" jsonschema:"of a document: empty means as it was added"`
	StartLine int    `json:"start_line,omitempty" only:"-"`
	EndLine   int    `json:"end_line,omitempty" only:"-"`
}

type sectionInput struct {
	Doc     string `json:"doc" alias:"paper_id,document,doc_id,document_id,file" jsonschema:"the document's id, name, or a unique part of its name or title"`
	Section string `json:"section,omitempty" alias:"clause,heading" jsonschema:"number or heading of a section, such as 5.3.5.3 or Related work; empty lists the sections"`
}

type viewInput struct {
	Doc   string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"a document; give this or path"`
	Path  string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File  string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	First int    `json:"first,omitempty" alias:"start,start_line,line_start,from_line,line" jsonschema:"first line, from 1; 0 means 1"`
	Last  int    `json:"last,omitempty" alias:"end,end_line,line_end,to_line" jsonschema:"last line, inclusive; 0 means 200 lines"`
	Page  int    `json:"page,omitempty" alias:"page_number" jsonschema:"a page of the document, from 1, instead of lines"`

	Section  string `json:"section,omitempty" alias:"clause,heading" jsonschema:"a section of the document by number or heading, instead of lines"`
	MaxLines int    `json:"max_lines,omitempty" jsonschema:"most lines to return"`
	Format   string `json:"format,omitempty" enum:"text,markdown" jsonschema:"of a page; empty means as the document was added. Lines are always of the text"`

	RangeStart *int  `json:"range_start,omitempty" only:"-"` // from 0
	RangeEnd   *int  `json:"range_end,omitempty" only:"-"`   // from 0, exclusive
	ViewRange  []int `json:"view_range,omitempty" alias:"lines,range,line_range" only:"-"`
}

type fileSearchInput struct {
	Doc     string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"the document's id, name, or a unique part of its name or title; give this or path"`
	Path    string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File    string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	Pattern string `json:"pattern" or:"query" jsonschema:"words in a row, or a regular expression"`
	Query   string `json:"query,omitempty" alias:"search_query" only:"-"`
	Regexp  bool   `json:"regexp,omitempty" alias:"is_regex,regex" jsonschema:"the pattern is a regular expression (RE2)"`
	Limit   int    `json:"limit,omitempty" jsonschema:"most lines to return; 0 means 100"`
}

func (t *toolset) documentTools() []agenttools.Definition {
	search := agenttools.New("search_internal", "Searches the project's own documents (papers, specifications, notes) in three tiers: exact phrase, all words, any word. "+
		"Words in quotes must stand in a row; a minus before a word or a phrase in quotes leaves out the passages that hold it. "+
		"Returns passages with document, page, lines and the text found.",
		"Use it first for internal systems, standards, interfaces and proprietary data, before any web search. Short phrases find more than sentences. "+
			"A passage of the tier any may be about something else: read around it (view_file) before relying on it, and cite its key.", t.searchInternal)
	search.Brief = "Searches the project's own documents in three tiers: exact phrase, all words, any word. Words in quotes must stand in a row; a minus leaves out. " +
		"Use it first for internal systems, standards and interfaces, before any web search. Read around a passage before relying on it."
	return []agenttools.Definition{
		search,
		agenttools.New("list_documents", "Lists the documents of the library or of one collection: id, name, title, pages, and those that could not be read with the reason; then the collections.",
			"Use it to learn what there is, and the ids that other tools take.", t.listDocuments),
		agenttools.New("show_document", "Returns what is known of a document before it is read: title, authors, institutions, date, status, collections, length, and whether its file changed since.",
			"Use it to decide whether a document is worth reading, and how much of it.", t.showDocument),
		agenttools.New("read_abstract", "Returns the abstract of a document.", "Use it to see what a document is about before its text.", t.readAbstract),
		agenttools.New("read_section", "Lists the sections (clauses, chapters, annexes) of a document with page and lines, or returns the text of one, by number such as 5.3.5.3 or by heading.",
			"Use it for a clause that is named; without a section it is the table of contents.", t.readSection),
		agenttools.New("read_file", "Returns the text of a document, or of a file of a repository, from its beginning.", "Use it for short files; search_file and view_file find and show a part of a long one.", t.readFile),
		agenttools.New("view_file", "Returns lines, one page or one section of a document, or lines of a file of a repository.",
			"Use it to read around what a search found: the places that searches return can be given unchanged.", t.viewFile),
		agenttools.New("search_file", "Searches one document, or one file of a repository, for words in a row or a regular expression; returns the lines with numbers and pages.",
			"Use it when you know the file; then view_file with the lines.", t.searchFile),
	}
}

func (t *toolset) searchInternal(ctx context.Context, in searchInput) (*skill.Result, error) {
	o := &docsearch.SearchOptions{
		Limit: atMost(in.Limit, 0, 200), Doc: in.Doc, Strict: in.Strict, Literal: in.Literal, Title: in.Title, Author: in.Author, From: in.From, To: in.To,
		Formats: in.Formats, Collections: in.Collections, Section: in.Section, Kinds: in.Kinds, Cursor: in.Cursor,
	}
	for _, tier := range in.Tiers {
		o.Tiers = append(o.Tiers, docsearch.Tier(tier))
	}
	res, err := t.w.SearchDocs(ctx, in.Query, o)
	if err != nil {
		return nil, notHere(err, "list_documents, or index, shows what there is")
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
	out := t.result(items, res, searchHead(res), shown{})
	var tiers []string
	for _, tier := range res.Searched.Tiers {
		tiers = append(tiers, string(tier))
	}
	out.Searched = []evidence.Searched{{Tool: "search_internal", Query: in.Query, Tiers: tiers, Total: res.Total, Scope: searchScope(o, res.Read.Without),
		Full:  len(tiers) == len(docsearch.Tiers()) && (res.Total > 0 || res.Searched.FullText) && res.Searched.Failed == 0 && !maySlip(res),
		Fresh: t.w.fresh(ctx, res), Size: res.Searched.Documents, Empty: res.Searched.Documents == 0}}
	t.remember(ctx, "search_internal", in.Query, items)
	return out, nil
}

// searchScope says in words what the options and the words left out leave of the library; "" for all of it.
func searchScope(o *docsearch.SearchOptions, without []string) string {
	if o.Doc != "" && o.Section == "" && o.Kinds == nil && len(without) == 0 {
		return o.Doc
	}
	var out []string
	for _, f := range []struct{ name, value string }{
		{"document", o.Doc}, {"title", o.Title}, {"author", o.Author}, {"from", o.From}, {"to", o.To}, {"formats", strings.Join(o.Formats, ",")},
		{"collections", strings.Join(o.Collections, ",")}, {"section", o.Section}, {"kinds", strings.Join(o.Kinds, ",")},
		{"without", strings.Join(without, ",")},
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
	o.Limit = atMost(in.Limit, 200, 5000)
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
	for _, c := range collections {
		fmt.Fprintf(&b, "collection %q: %d documents\n", c.Name, c.Documents)
	}
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
	return textOnly(b.String(), list, listTokens, "ask for fewer with limit, and for the rest with after"), nil
}

func (t *toolset) showDocument(ctx context.Context, in docInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	i, err := lib.Info(ctx, in.Doc)
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is")
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
	return t.result([]evidence.Item{it}, x, x.Title, shown{tokens: readTokens})
}

func (t *toolset) readAbstract(ctx context.Context, in docInput) (*skill.Result, error) {
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	x, err := lib.Abstract(ctx, in.Doc)
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is, and read_file reads a document that has no abstract")
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
	if strings.TrimSpace(in.Section) != "" {
		return t.section(ctx, lib, in.Doc, in.Section, maxSectionLines)
	}
	list, err := lib.Sections(ctx, in.Doc)
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d sections\n", len(list))
	for i := range list {
		s := &list[i]
		fmt.Fprintf(&b, "%s%s (page %d, lines %d-%d)\n", strings.Repeat("  ", min(s.Level-1, 8)), s.Heading(), s.Page, s.Lines.First, s.Lines.Last)
	}
	return textOnly(b.String(), list, listTokens, "name a section by its number or heading"), nil
}

// section is the text of a section, of at most so many lines.
func (t *toolset) section(ctx context.Context, lib *docsearch.Library, doc, name string, most int) (*skill.Result, error) {
	s, err := lib.Section(ctx, doc, name)
	if err != nil {
		return nil, notHere(err, "read_section without a section lists those of a document")
	}
	x := &s.Text
	if most > 0 && x.LineEnd-x.LineStart >= most {
		if x, err = lib.View(ctx, doc, docsearch.Lines{First: x.LineStart, Last: x.LineStart + most - 1}); err != nil {
			return nil, err
		}
		x.Truncated = true
	}
	return t.textResult(x), nil
}

var errDocOrPath = errors.New("give doc or path, one of them: a document, or a file of a repository")

// source tells a document from a file of a repository. A name that may be either is a file when there is one of that path.
func (t *toolset) source(ctx context.Context, doc, path, file string) (string, string, error) {
	if b2i(doc != "")+b2i(path != "")+b2i(file != "") != 1 {
		return "", "", errDocOrPath
	}
	if file == "" {
		return doc, path, nil
	}
	if _, err := t.w.ReadLines(ctx, file, 1, 1); err == nil {
		return "", file, nil
	}
	return file, "", nil
}

func (t *toolset) readFile(ctx context.Context, in readFileInput) (*skill.Result, error) {
	doc, path, err := t.source(ctx, in.Doc, in.Path, in.File)
	if err != nil {
		return nil, fmt.Errorf("read_file: %w", err)
	}
	if path != "" || in.StartLine > 0 || in.EndLine > 0 {
		last := in.EndLine
		if last <= 0 {
			last = 1 << 30
		}
		return t.viewFile(ctx, viewInput{Doc: doc, Path: path, First: in.StartLine, Last: last})
	}
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	format, err := t.format(ctx, lib, "read_file", doc, in.Format)
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is")
	}
	x, err := lib.Read(ctx, doc, &docsearch.ReadOptions{MaxRunes: atMost(in.MaxRunes, 20000, 1<<20), Format: format})
	if err != nil {
		return nil, err
	}
	return t.textResult(x), nil
}

// lines brings the ways of naming lines to one.
func (in *viewInput) lines() error {
	if len(in.ViewRange) == 2 && in.First == 0 && in.Last == 0 {
		in.First, in.Last = in.ViewRange[0], in.ViewRange[1]
	}
	if in.RangeStart != nil && in.First == 0 {
		in.First = *in.RangeStart + 1
	}
	if in.RangeEnd != nil && in.Last == 0 {
		in.Last = *in.RangeEnd
	}
	in.First = max(in.First, 1)
	most := atMost(in.MaxLines, 200, 1<<30)
	switch {
	case in.Last <= 0:
		in.Last = in.First + most - 1
	case in.Last < in.First:
		return fmt.Errorf("view_file: last (%d) is before first (%d)", in.Last, in.First)
	case in.MaxLines > 0:
		in.Last = min(in.Last, in.First+most-1)
	}
	return nil
}

func (t *toolset) viewFile(ctx context.Context, in viewInput) (*skill.Result, error) {
	doc, path, err := t.source(ctx, in.Doc, in.Path, in.File)
	if err != nil {
		return nil, fmt.Errorf("view_file: %w", err)
	}
	if err := in.lines(); err != nil {
		return nil, err
	}
	if path != "" {
		if in.Page > 0 || in.Section != "" {
			return nil, errors.New("view_file: page and section are of documents; of a file of a repository give lines")
		}
		text, err := t.w.ReadLines(ctx, path, in.First, in.Last)
		if err != nil {
			return nil, notHere(err, "search_entity finds files by name")
		}
		return t.result([]evidence.Item{text}, text, text.At.String(), shown{tokens: readTokens}), nil
	}
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	var x *docsearch.Text
	switch {
	case in.Section != "":
		return t.section(ctx, lib, doc, in.Section, cmpMost(in.MaxLines))
	case in.Page > 0:
		var format docsearch.Format
		if format, err = t.format(ctx, lib, "view_file", doc, in.Format); err != nil {
			return nil, notHere(err, "list_documents shows what there is")
		}
		if format == docsearch.FormatMarkdown {
			x, err = lib.Markdown(ctx, doc, in.Page, in.Page)
		} else {
			x, err = lib.Page(ctx, doc, in.Page)
		}
	default:
		x, err = lib.View(ctx, doc, docsearch.Lines{First: in.First, Last: in.Last})
	}
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is, and show_document how long a document is")
	}
	return t.textResult(x), nil
}

func cmpMost(asked int) int { return atMost(asked, maxSectionLines, 1<<30) }

// looksRegular tells a regular expression that another system's argument query may hold from plain words.
var looksRegular = regexp.MustCompile(`[|*+^$\\\[\]{}]|\.\?|\(\?`)

func (t *toolset) searchFile(ctx context.Context, in fileSearchInput) (*skill.Result, error) {
	doc, path, err := t.source(ctx, in.Doc, in.Path, in.File)
	if err != nil {
		return nil, fmt.Errorf("search_file: %w", err)
	}
	fold := false
	if in.Pattern == "" { // as other systems call it: there it is a regular expression, of any case
		in.Pattern = in.Query
		if _, err := regexp.Compile(in.Query); err == nil && looksRegular.MatchString(in.Query) {
			in.Regexp, fold = true, true
		}
	}
	if strings.TrimSpace(in.Pattern) == "" {
		return nil, errors.New("search_file: argument \"pattern\" is missing: words in a row, or a regular expression with regexp")
	}
	limit := atMost(in.Limit, 100, 1000)
	if path != "" {
		return t.searchText(ctx, textInput{Pattern: in.Pattern, Regexp: in.Regexp, IgnoreCase: fold || !in.Regexp, Path: path, Limit: limit})
	}
	lib, err := t.w.Docs(ctx)
	if err != nil {
		return nil, err
	}
	pattern := in.Pattern
	if fold {
		pattern = "(?i)" + pattern
	}
	found, err := lib.Find(ctx, doc, pattern, &docsearch.FindOptions{Regexp: in.Regexp, Limit: limit})
	if err != nil {
		return nil, notHere(err, "list_documents shows what there is")
	}
	var items []evidence.Item
	for _, l := range found.Lines {
		items = append(items, evidence.Item{Kind: evidence.KindPassage, Text: l.Text, Matches: l.Matches, Via: "docs", At: evidence.Place{
			Doc: found.Doc, Name: found.Name, Title: found.Title, Page: l.Page, Line: l.Line, EndLine: l.LineEnd}})
	}
	t.remember(ctx, "search_file", in.Pattern, items)
	return t.result(items, found, fmt.Sprintf("%d matches of %q in %s", found.Total, in.Pattern, found.Name), shown{}), nil
}
