package filetools

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/agenttools/codetools"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A reading is how far a find was read.
type reading struct {
	pieces []piece
	next   int // piece to read next
}

// A piece is a stretch of a file or document that is to be read.
type piece struct {
	at          evidence.Place // Entity is set where the piece is all of it
	first, last int
}

type readInput struct {
	Path    string   `json:"path,omitempty" alias:"file_path,relative_path" jsonschema:"a file of a repository"`
	Doc     string   `json:"doc,omitempty" alias:"paper_id,document,doc_id,document_id" jsonschema:"a document: id, name, or a unique part of its name or title"`
	File    string   `json:"file,omitempty" alias:"file_name,filename" only:"-"`
	Entity  string   `json:"entity,omitempty" alias:"id,entity_name,symbol,name" jsonschema:"an entity of code: id, path.py:120, or an unambiguous name"`
	IDs     []string `json:"ids,omitempty" alias:"entity_names,entities" jsonschema:"several entities"`
	First   int      `json:"first,omitempty" alias:"start,start_line,line_start,from_line,line,offset" jsonschema:"first line, from 1"`
	Last    int      `json:"last,omitempty" alias:"end,end_line,line_end,to_line" jsonschema:"last line, inclusive; 0 means 200 lines"`
	Lines   []int    `json:"lines,omitempty" alias:"view_range,range,line_range" only:"-"`
	Page    int      `json:"page,omitempty" jsonschema:"a page of the document, instead of lines"`
	Section string   `json:"section,omitempty" alias:"clause,heading" jsonschema:"a section of the document, by number or heading, instead of lines"`
	View    string   `json:"view,omitempty" enum:"fold,preview,full" only:"full" jsonschema:"of an entity: fold is the signature; empty means full for functions and preview for others"`
	agenttools.ReadBudget
}

// ReadDefinition is the tool read.
func (t *Tools) ReadDefinition() agenttools.Definition {
	b := agenttools.New("read", "Without arguments, reads what the last find named (references, lsp_references, lsp_definition, locate, search_entity, search_text, search_file or search_internal): the functions around its places, or the lines. "+
		"With arguments, reads lines of a file, a document (lines, page or section) or entities of code.",
		"Use it without arguments after references or a search, to see the code before saying what it does; again, for the places that did not fit. It needs no line numbers.", t.read)
	b.Brief = "Without arguments, reads the code and passages that the last find named; again, the rest of them. With arguments, reads a file, a document (lines, page, section) or an entity."
	return b
}

func (t *Tools) read(ctx context.Context, in readInput) (*skill.Result, error) {
	ids := codetools.IDs(in.Entity, in.IDs)
	sources := min(len(ids), 1) + min(len(in.Path), 1) + min(len(in.Doc), 1) + min(len(in.File), 1)
	switch {
	case sources > 1:
		return nil, errors.New("read: give path, doc or entity, one of them, or nothing for what the last find named")
	case len(ids) > 0:
		return t.code.Retrieve(ctx, codetools.RetrieveInput{IDs: ids, View: in.View, ReadBudget: in.ReadBudget})
	case sources == 1:
		v := viewInput{Doc: in.Doc, Path: in.Path, File: in.File, First: in.First, Last: in.Last, Page: in.Page, Section: in.Section, ViewRange: in.Lines, ReadBudget: in.ReadBudget}
		return t.viewFile(ctx, v)
	case in.First != 0 || in.Last != 0 || in.Page != 0 || in.Section != "" || len(in.Lines) > 0:
		return nil, errors.New("read: lines, page or section of what? give path or doc too")
	}
	f := t.s.LastFind(ctx)
	if f == nil {
		return nil, errors.New("read: nothing was found in this run that could be read: call references or search_entity before, or give path, doc or entity")
	}
	return t.readFound(ctx, f, agenttools.Tokens(in.Tokens, agenttools.ReadTokens))
}

func (t *Tools) readFound(ctx context.Context, find *agenttools.Find, tokens int) (*skill.Result, error) {
	find.Lock()
	defer find.Unlock()
	what := fmt.Sprintf("%s(%q)", find.Tool, find.Query)
	f, ok := find.State.(*reading)
	if !ok {
		pieces, err := t.pieces(ctx, find.Items)
		if err != nil {
			return nil, err
		}
		f = &reading{pieces: pieces}
		find.State = f
	}
	if len(f.pieces) == 0 {
		return nil, fmt.Errorf("read: the last find, %s, named no file: %w; search for something else, or give path, doc or entity", what, errs.NotFound)
	}
	var list []evidence.Item
	var bad []string
	from, used := f.next, 0
	most := tokens*agenttools.TokenBytes - 400 // the rest is for the head and what is left out
	for f.next < len(f.pieces) && (used < most || len(list) == 0) {
		p := f.pieces[f.next]
		it, err := t.readPiece(ctx, p)
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if err == nil {
			n := agenttools.ItemBytes(it)
			if used+n > most && len(list) > 0 {
				break
			}
			used += n
			list = append(list, it)
		} else {
			why := err.Error()
			bad, used = append(bad, why), used+len(why)
		}
		f.next++
	}
	head := fmt.Sprintf("%s: places %d to %d of %d", what, from+1, f.next, len(f.pieces))
	for _, b := range bad[:min(len(bad), maxBadShown)] {
		head += "\ncould not be read: " + b
	}
	if more := len(bad) - maxBadShown; more > 0 {
		head += fmt.Sprintf("\n%d more could not be read", more)
	}
	o := agenttools.Shown{Tokens: tokens, Rest: func(int) string { return "give their paths and lines" }}
	if rest := len(f.pieces) - f.next; rest > 0 {
		o.Behind = fmt.Sprintf("%d places are not shown; call read again, without arguments, for the next", rest)
	} else {
		f.next = 0
	}
	out := t.s.Result(list, nil, head, o)
	if len(list) == 0 {
		return nil, fmt.Errorf("read: none of the places of %s could be read: %s", what, strings.Join(bad, "; "))
	}
	return out, nil
}

const (
	aroundLines  = 8   // before and behind a place that is in no function, or in a long one
	aroundText   = 3   // before and behind a passage
	wholeLines   = 120 // functions that are read whole
	maxFoundRead = 400 // places of one find that read goes through
	maxBadShown  = 3   // of them that could not be read, with the reason
)

// pieces are the stretches around places, in the order in which the find first names each file; what overlaps is joined.
func (t *Tools) pieces(ctx context.Context, list []evidence.Item) ([]piece, error) {
	var out []piece
	order := map[string]int{}
	var keys []string
	for _, it := range list[:min(len(list), maxFoundRead)] {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if it.At.Line == 0 {
			continue // a folder, a figure
		}
		p := t.pieceOf(ctx, it.At)
		key := p.at.Doc + "\x00" + p.at.Repo + "\x00" + p.at.Path
		if _, ok := order[key]; !ok {
			order[key] = len(order)
		}
		out, keys = append(out, p), append(keys, key)
	}
	index := make([]int, len(out))
	for i := range index {
		index[i] = i
	}
	slices.SortStableFunc(index, func(a, b int) int {
		return cmp.Or(cmp.Compare(order[keys[a]], order[keys[b]]), cmp.Compare(out[a].first, out[b].first), cmp.Compare(out[b].last, out[a].last))
	})
	var joined []piece
	before := ""
	for _, i := range index {
		p := out[i]
		if n := len(joined); n > 0 && before == keys[i] && p.first <= joined[n-1].last+1 {
			if last := &joined[n-1]; p.last > last.last {
				last.last, last.at.Entity = p.last, ""
			}
			continue
		}
		joined, before = append(joined, p), keys[i]
	}
	return joined, nil
}

// pieceOf is the function around a place, or some lines where that is long or there is none.
func (t *Tools) pieceOf(ctx context.Context, at evidence.Place) piece {
	last := max(at.EndLine, at.Line)
	if at.Doc != "" {
		return piece{at: evidence.Place{Doc: at.Doc, Name: at.Name, Title: at.Title}, first: max(at.Line-aroundText, 1), last: min(last, at.Line+wholeLines) + aroundText}
	}
	got, err := t.repos.Retrieve(ctx, []string{fmt.Sprintf("%s:%d", items.File(at), at.Line)}, &codegraph.RetrieveOptions{View: codegraph.Fold})
	if err == nil && got[0].Kind == codegraph.KindFunction && got[0].EndLine-got[0].Line < wholeLines && got[0].Line <= at.Line {
		return piece{at: evidence.Place{Repo: at.Repo, Path: at.Path, Entity: got[0].ID}, first: got[0].Line, last: got[0].EndLine}
	}
	if last-at.Line >= wholeLines { // a class or a file that was found as a whole: its beginning
		last = at.Line + 2*aroundLines
	}
	return piece{at: evidence.Place{Repo: at.Repo, Path: at.Path}, first: max(at.Line-aroundLines, 1), last: last + aroundLines}
}

func (t *Tools) readPiece(ctx context.Context, p piece) (evidence.Item, error) {
	if p.at.Doc != "" {
		lib, err := t.docs.Open(ctx)
		if err != nil {
			return evidence.Item{}, err
		}
		x, err := lib.View(ctx, p.at.Doc, docsearch.Lines{First: p.first, Last: p.last})
		if err != nil {
			return evidence.Item{}, err
		}
		return items.Text(x), nil
	}
	it, err := t.repos.Lines(ctx, items.File(p.at), p.first, p.last)
	if err != nil {
		return it, err
	}
	it.Note = ""
	if p.at.Entity != "" {
		it.Kind, it.At.Entity = evidence.KindEntity, p.at.Entity
	}
	return it, nil
}
