package filetools

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/agenttools/codetools"
	"github.com/findspot/findspot/internal/agenttools/doctools"
	"github.com/findspot/findspot/internal/documents"
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

type readFileInput struct {
	Doc       string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"the document's id, name, or a unique part of its name or title; give this or path"`
	Path      string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File      string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	MaxRunes  int    `json:"max_runes,omitempty" alias:"max_chars" jsonschema:"max characters to return; 0 means 20000"`
	Format    string `json:"format,omitempty" enum:"text,markdown" jsonschema:"of a document: empty means as it was added"`
	StartLine int    `json:"start_line,omitempty" only:"-"`
	EndLine   int    `json:"end_line,omitempty" only:"-"`
	agenttools.ReadBudget
}

type viewInput struct {
	Doc   string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"a document; give this or path"`
	Path  string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File  string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	First int    `json:"first,omitempty" alias:"start,start_line,line_start,from_line,line" jsonschema:"first line, from 1; 0 means 1"`
	Last  int    `json:"last,omitempty" alias:"end,end_line,line_end,to_line" jsonschema:"last line, inclusive; 0 means 200 lines"`
	Page  int    `json:"page,omitempty" alias:"page_number" jsonschema:"a page of the document, from 1, instead of lines"`

	Section  string `json:"section,omitempty" alias:"clause,heading" jsonschema:"a section of the document by number or heading, instead of lines"`
	MaxLines int    `json:"max_lines,omitempty" jsonschema:"max lines to return"`
	Format   string `json:"format,omitempty" enum:"text,markdown" jsonschema:"of a page; empty means as the document was added. Lines are always of the text"`

	RangeStart *int  `json:"range_start,omitempty" only:"-"` // from 0
	RangeEnd   *int  `json:"range_end,omitempty" only:"-"`   // from 0, exclusive
	ViewRange  []int `json:"view_range,omitempty" alias:"lines,range,line_range" only:"-"`
	agenttools.ReadBudget
}

type fileSearchInput struct {
	Doc     string `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"the document's id, name, or a unique part of its name or title; give this or path"`
	Path    string `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository, relative to its root; give this or doc"`
	File    string `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	Pattern string `json:"pattern" or:"query" jsonschema:"a phrase, or a regular expression"`
	Query   string `json:"query,omitempty" alias:"search_query" only:"-"`
	Regexp  bool   `json:"regexp,omitempty" alias:"is_regex,regex" jsonschema:"the pattern is a regular expression (RE2)"`
	Limit   int    `json:"limit,omitempty" jsonschema:"max lines to return; 0 means 100"`
	Skip    int    `json:"skip,omitempty" alias:"offset" jsonschema:"number of first ones to skip: already shown"`
	agenttools.Budget
}

// Tools read and search one file, be it a document or a file of a repository, and what the last find named.
type Tools struct {
	s         *agenttools.Session
	docs      *documents.Library
	repos     *repository.Store
	documents *doctools.Tools
	code      *codetools.Tools
}

// New makes the tools.
func New(s *agenttools.Session, docs *documents.Library, repos *repository.Store, documents *doctools.Tools, code *codetools.Tools) *Tools {
	return &Tools{s, docs, repos, documents, code}
}

// Definitions are the tools for files.
func (t *Tools) Definitions() []agenttools.Definition {
	return []agenttools.Definition{
		agenttools.New("read_file", "Returns the text of a document, or of a file of a repository, from its beginning.", "Use it for short files; search_file and view_file find and show a part of a long one.", t.readFile),
		agenttools.New("view_file", "Returns lines, one page or one section of a document, or lines of a file of a repository.",
			"Use it to read around what a search found: the places that searches return can be given unchanged.", t.viewFile),
		agenttools.New("search_file", "Searches one document, or one file of a repository, for a phrase or a regular expression; returns the lines with numbers and pages.",
			"Use it if you know the file; then view_file with the lines.", t.searchFile),
	}
}

var errDocOrPath = errors.New("give doc or path, one of them: a document, or a file of a repository")

// source decides between a document and a file of a repository. A name that may be either is a file when there is one of that path.
func (t *Tools) source(ctx context.Context, doc, path, file string) (string, string, error) {
	if len(slices.DeleteFunc([]string{doc, path, file}, func(s string) bool { return s == "" })) != 1 {
		return "", "", errDocOrPath
	}
	if file == "" {
		return doc, path, nil
	}
	if _, err := t.repos.Lines(ctx, file, 1, 1); err == nil {
		return "", file, nil
	}
	return file, "", nil
}

func (t *Tools) readFile(ctx context.Context, in readFileInput) (*skill.Result, error) {
	doc, path, err := t.source(ctx, in.Doc, in.Path, in.File)
	if err != nil {
		return nil, fmt.Errorf("read_file: %w", err)
	}
	if path != "" || in.StartLine > 0 || in.EndLine > 0 {
		last := in.EndLine
		if last <= 0 {
			last = 1 << 30
		}
		return t.viewFile(ctx, viewInput{Doc: doc, Path: path, First: in.StartLine, Last: last, ReadBudget: in.ReadBudget})
	}
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	format, err := t.documents.Format(ctx, lib, "read_file", doc, in.Format)
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents shows what there is")
	}
	x, err := lib.Read(ctx, doc, &docsearch.ReadOptions{MaxRunes: agenttools.AtMost(in.MaxRunes, 20000, 1<<20), Format: format})
	if err != nil {
		return nil, err
	}
	return t.documents.TextResult(x, in.Tokens), nil
}

// lines reduces the ways of naming lines to first and last.
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
	most := agenttools.AtMost(in.MaxLines, 200, 1<<30)
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

func (t *Tools) viewFile(ctx context.Context, in viewInput) (*skill.Result, error) {
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
		text, err := t.repos.Lines(ctx, path, in.First, in.Last)
		if err != nil {
			return nil, agenttools.NotHere(err, "search_entity finds files by name")
		}
		return t.s.Result([]evidence.Item{text}, text, "", agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.ReadTokens)}), nil
	}
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	var x *docsearch.Text
	switch {
	case in.Section != "":
		return t.documents.Section(ctx, lib, doc, in.Section, agenttools.AtMost(in.MaxLines, doctools.MaxSectionLines, 1<<30), in.Tokens)
	case in.Page > 0:
		var format docsearch.Format
		if format, err = t.documents.Format(ctx, lib, "view_file", doc, in.Format); err != nil {
			return nil, agenttools.NotHere(err, "list_documents shows what there is")
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
		return nil, agenttools.NotHere(err, "list_documents shows what there is, and show_document how long a document is")
	}
	return t.documents.TextResult(x, in.Tokens), nil
}

// looksRegular matches what only a regular expression holds: the argument query of other systems may be one, or plain words.
var looksRegular = lazyregexp.New(`[|*+^$\\\[\]{}]|\.\?|\(\?`)

func (t *Tools) searchFile(ctx context.Context, in fileSearchInput) (*skill.Result, error) {
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
	limit, skip := agenttools.AtMost(in.Limit, 100, 1000), min(max(in.Skip, 0), 100_000)
	if path != "" {
		return t.code.SearchText(ctx, codetools.TextInput{Pattern: in.Pattern, Regexp: in.Regexp, IgnoreCase: fold || !in.Regexp, Path: path, Limit: limit, Skip: in.Skip, Budget: in.Budget})
	}
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	pattern := in.Pattern
	if fold {
		pattern = "(?i)" + pattern
	}
	found, err := lib.Find(ctx, doc, pattern, &docsearch.FindOptions{Regexp: in.Regexp, Limit: limit + skip})
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents shows what there is")
	}
	found.Lines = found.Lines[min(skip, len(found.Lines)):]
	var items []evidence.Item
	for _, l := range found.Lines {
		items = append(items, evidence.Item{Kind: evidence.KindPassage, Text: l.Text, Matches: l.Matches, Via: "docs", At: evidence.Place{
			Doc: found.Doc, Name: found.Name, Title: found.Title, Page: l.Page, Line: l.Line, EndLine: l.LineEnd}})
	}
	t.s.Remember(ctx, "search_file", in.Pattern, items)
	shown := agenttools.Shown{Tokens: agenttools.Tokens(in.Tokens, agenttools.SearchTokens), Rest: agenttools.SkipTo(skip)}
	if skip+len(found.Lines) < found.Total {
		shown.Behind = fmt.Sprintf("%d more lines match; %s", found.Total-skip-len(found.Lines), shown.Rest(len(found.Lines)))
	}
	return t.s.Result(items, found, fmt.Sprintf("%d matches of %q in %s", found.Total, in.Pattern, found.Name), shown), nil
}
