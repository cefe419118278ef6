package doctools

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/documents"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// Tools search and list the documents of the library.
type Tools struct {
	s    *agenttools.Session
	docs *documents.Library
}

// New makes the tools.
func New(s *agenttools.Session, docs *documents.Library) *Tools { return &Tools{s, docs} }

type searchInput struct {
	Query string   `json:"query" alias:"q,search_query,search_terms,keywords,question" jsonschema:"words, a phrase, an identifier or a clause number to look for"`
	Limit int      `json:"limit,omitempty" alias:"k,top_k,n,max_results,num_results" jsonschema:"max documents to return; 0 means 10"`
	Doc   string   `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id,file" jsonschema:"only in this document: its id, name, or a unique part of its name or title such as 38.331"`
	Tiers []string `json:"tiers,omitempty" only:"full" enum:"phrase,all,any" jsonschema:"tiers to try; empty means all three"`

	Strict      bool     `json:"strict,omitempty" only:"full" jsonschema:"try a lower tier only if higher ones found nothing; otherwise lower tiers fill the answer"`
	Literal     bool     `json:"literal,omitempty" only:"full" jsonschema:"treat the query as plain words: quotes and minus have no effect"`
	Title       string   `json:"title,omitempty" only:"full" jsonschema:"only documents whose title has all of these words"`
	Author      string   `json:"author,omitempty" only:"full" jsonschema:"only documents by this author"`
	From        string   `json:"from,omitempty" alias:"min_year,date_from" only:"full" jsonschema:"only documents of this date or later, such as 2021 or 2021-05-03"`
	To          string   `json:"to,omitempty" alias:"max_year,date_to" only:"full" jsonschema:"only documents of this date or earlier"`
	Formats     []string `json:"formats,omitempty" only:"full" jsonschema:"only documents with these extensions, such as pdf or md"`
	Collections []string `json:"collections,omitempty" alias:"collection" jsonschema:"only documents in one of these collections"`
	Section     string   `json:"section,omitempty" jsonschema:"only passages in the section of this number or heading"`
	Kinds       []string `json:"kinds,omitempty" only:"full" jsonschema:"what to search: text, titles, figures, tables; empty means all"`
	Cursor      string   `json:"cursor,omitempty" jsonschema:"cursor of an earlier answer to the same arguments, to continue after it"`
	agenttools.Budget
}

type abstractInput struct {
	docInput
	agenttools.ReadBudget
}

type docInput struct {
	Doc string `json:"doc" alias:"paper_id,document,doc_id,document_id,file,file_path,path,name,title" jsonschema:"the document's id, name, or a unique part of its name or title"`
}

type listInput struct {
	Collection string `json:"collection,omitempty" jsonschema:"only documents in this collection"`
	Status     string `json:"status,omitempty" enum:"ready,pending,failed" jsonschema:"only documents in this state"`
	After      string `json:"after,omitempty" jsonschema:"only documents after this one: next of an earlier answer"`
	Limit      int    `json:"limit,omitempty" jsonschema:"max documents to return; 0 means 200"`
	agenttools.Budget
}

type sectionInput struct {
	Doc     string `json:"doc" alias:"paper_id,document,doc_id,document_id,file" jsonschema:"the document's id, name, or a unique part of its name or title"`
	Section string `json:"section,omitempty" alias:"clause,heading" jsonschema:"number or heading of a section, such as 5.3.5.3 or Related work; empty lists the sections"`
	agenttools.ReadBudget
}

// Definitions are the tools.
func (t *Tools) Definitions() []agenttools.Definition {
	search := agenttools.New("search_internal", "Searches the project's own documents (papers, specifications, notes) in three tiers: exact phrase, all words, any word; "+
		"a question in a full sentence by the pieces that answer it, unless tiers are given. Quoted words must match as a phrase; a minus before a word or a quoted phrase excludes passages that contain it. "+
		"Returns passages with document, page, lines and the text found.",
		"Use it first for internal systems, standards, interfaces and proprietary data, before any web search. Ask a full question for an answer, a short phrase for every mention of it. "+
			"A passage in tier any may be about something else: read around it (view_file) before relying on it, and cite its key.", t.searchInternal)
	search.Brief = "Searches the project's own documents in three tiers: exact phrase, all words, any word; a full question by what answers it. Quoted words must match as a phrase; a minus excludes. " +
		"Use it first for internal systems, standards and interfaces, before any web search. Read around a passage before relying on it."
	return []agenttools.Definition{
		search,
		agenttools.New("list_documents", "Lists the documents of the library or of one collection: id, name, title, pages, and those that could not be read with the reason; then the collections.",
			"Use it to see what there is, and the ids that other tools take.", t.listDocuments),
		agenttools.New("show_document", "Returns the metadata of a document: title, authors, institutions, date, status, collections, length, and whether its file changed since.",
			"Use it to decide whether a document is worth reading, and how much of it.", t.showDocument),
		agenttools.New("read_abstract", "Returns the abstract of a document.", "Use it to see what a document is about before its text.", t.readAbstract),
		agenttools.New("read_section", "Lists the sections (clauses, chapters, annexes) of a document with page and lines, or returns the text of one, by number such as 5.3.5.3 or by heading.",
			"Use it for a named clause; without a section it lists the table of contents.", t.readSection),
	}
}

func (t *Tools) searchInternal(ctx context.Context, in searchInput) (*skill.Result, error) {
	o := &docsearch.SearchOptions{
		Limit: agenttools.AtMost(in.Limit, 0, 200), Doc: in.Doc, Strict: in.Strict, Literal: in.Literal, Title: in.Title, Author: in.Author, From: in.From, To: in.To,
		Formats: in.Formats, Collections: in.Collections, Section: in.Section, Kinds: in.Kinds, Cursor: in.Cursor,
	}
	for _, tier := range in.Tiers {
		o.Tiers = append(o.Tiers, docsearch.Tier(tier))
	}
	o.Answering(in.Query)
	res, err := t.docs.Search(ctx, in.Query, o)
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents, or index, shows what there is")
	}
	var list []evidence.Item
	for _, h := range res.Hits {
		for _, p := range h.Passages {
			list = append(list, items.Passage(h, p))
		}
		for _, f := range h.Figures {
			list = append(list, items.Figure(h, f))
		}
		for _, tb := range h.Tables {
			list = append(list, items.Table(h, tb))
		}
	}
	out := t.s.Result(list, res, searchHead(res), shown(res, list, in.Tokens))
	var tiers []string
	for _, tier := range res.Searched.Tiers {
		tiers = append(tiers, string(tier))
	}
	out.Searched = []evidence.Searched{{Tool: "search_internal", Query: in.Query, Tiers: tiers, Total: res.Total, Scope: searchScope(o, res.Read.Without),
		Full:  len(tiers) == len(docsearch.Tiers()) && (res.Total > 0 || res.Searched.FullText) && res.Searched.Failed == 0 && !maySlip(res),
		Fresh: t.docs.Fresh(ctx, res), Size: res.Searched.Documents, Empty: res.Searched.Documents == 0}}
	t.s.Remember(ctx, "search_internal", in.Query, list)
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
	if res.Mode == docsearch.ModeQuestion {
		b.WriteString("\nby what answers the question; with tiers, or for words alone, by tier")
	}
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
	if stale := items.StaleSources(res); stale != "" {
		b.WriteString("\n" + stale)
	}
	if res.Searched.Unread > 0 {
		fmt.Fprintf(&b, "\nthe texts of %d documents were not read to make sure", res.Searched.Unread)
	}
	return b.String()
}

// shown shows whole documents, so that the cursor for those left out goes on where the text ends.
func shown(res *docsearch.Results, list []evidence.Item, tokens int) agenttools.Shown {
	o := agenttools.Shown{Tokens: agenttools.Tokens(tokens, agenttools.SearchTokens), Together: true}
	if res.Next != "" {
		o.Behind = "more documents may match; ask again with cursor " + res.Next
	}
	o.Rest = func(next int) string {
		doc := list[next].At.Doc
		n := slices.IndexFunc(res.Hits, func(h docsearch.Hit) bool { return h.Doc == doc })
		how := ""
		if next > 0 && list[next-1].At.Doc == doc { // the first document is longer than the budget
			how, n = agenttools.MoreTokens(o.Tokens), n+1
		}
		if n > 0 && (n < len(res.Hits) || res.Next != "") && res.Hits[n-1].After != "" {
			how = strings.TrimPrefix(how+"; ", "; ") + "ask again with cursor " + res.Hits[n-1].After + " for the documents behind"
		}
		return how
	}
	return o
}

func (t *Tools) listDocuments(ctx context.Context, in listInput) (*skill.Result, error) {
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	o := &docsearch.ListOptions{Collection: in.Collection, Status: in.Status, After: in.After, Limit: agenttools.AtMost(in.Limit, 200, 5000)}
	if in.After != "" && !strings.Contains(in.After, "\x00") {
		last, err := lib.Resolve(ctx, in.After)
		if err != nil {
			return nil, agenttools.NotHere(err, "ask again without after")
		}
		o.After = last.Name + "\x00" + last.ID
	}
	list, err := lib.List(ctx, o)
	if err != nil {
		return nil, err
	}
	collections, err := lib.Collections(ctx)
	if err != nil {
		return nil, err
	}
	lines := []string{fmt.Sprintf("%d documents\n", list.Total)}
	for _, c := range collections {
		lines = append(lines, fmt.Sprintf("  collection %q: %d documents\n", c.Name, c.Documents))
	}
	first := len(lines)
	for _, d := range list.Documents {
		lines = append(lines, Line(d))
	}
	shown := agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens), Rest: func(next int) string {
		if next <= first || list.Documents[next-first-1].Status == docsearch.StatusPending { // those have no place in the order
			return ""
		}
		return fmt.Sprintf("ask again with after %q", list.Documents[next-first-1].ID)
	}}
	if list.Next != "" {
		shown.Behind = "there are more documents; " + shown.Rest(len(lines))
	}
	return agenttools.Lines(lines, list, shown), nil
}

// Line is a document in a list.
func Line(d *docsearch.Document) string {
	switch d.Status {
	case docsearch.StatusFailed:
		return fmt.Sprintf("  %s %s: not read: %s\n", d.ID, d.Name, d.Reason)
	case docsearch.StatusPending:
		return fmt.Sprintf("  %s %s: being read\n", d.ID, d.Name)
	}
	return fmt.Sprintf("  %s %s: %s, %d pages\n", d.ID, d.Name, d.Title, d.Pages)
}

func (t *Tools) showDocument(ctx context.Context, in docInput) (*skill.Result, error) {
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	i, err := lib.Info(ctx, in.Doc)
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents shows what there is")
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
	return agenttools.TextOnly(b.String(), i, agenttools.SearchTokens, "the file holds the rest"), nil
}

// maySlip reports whether a search found nothing although each of its words is nearly one that stands somewhere: that such a word is nowhere does not
// say that what was meant is. A query that has one word without any near one stays unfound however it is mended.
func maySlip(res *docsearch.Results) bool {
	if res.Total > 0 || len(res.Suggestions) == 0 {
		return false
	}
	return !slices.ContainsFunc(res.Read.Words, func(word string) bool {
		return !slices.ContainsFunc(res.Suggestions, func(g docsearch.Suggestion) bool { return strings.EqualFold(g.Word, word) })
	})
}
