package api

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
)

const (
	listed    = 100  // documents of a list, where no number is asked for
	maxListed = 1000 // of one answer
)

// documents has the methods about documents.
type documents struct{ *Service }

func (h documents) Search(ctx context.Context, r *v1.SearchRequest) (*v1.SearchResults, error) {
	if strings.TrimSpace(r.Query) == "" {
		return nil, invalid(`"query" is empty`)
	}
	for _, n := range []struct {
		name string
		n    int32
	}{{"limit", r.Limit}, {"passages", r.Passages}, {"snippet", r.Snippet}} {
		if _, err := within(n.name, n.n, maxHits); err != nil {
			return nil, err
		}
	}
	o := &docsearch.SearchOptions{
		Limit: int(r.Limit), Passages: int(r.Passages), Snippet: int(r.Snippet), Doc: r.Doc, Docs: r.Docs, Near: r.Near, Tiers: words[docsearch.Tier](r.Tiers),
		Strict: r.Strict, Literal: r.Literal, Mode: docsearch.Mode(r.Mode), Cursor: r.Cursor, Title: r.Title, Author: r.Author, From: r.From, To: r.To,
		Formats: r.Formats, Collections: r.Collections, Section: r.Section, Kinds: r.Kinds,
	}
	o.Answering(r.Query)
	res, err := h.ws.SearchDocs(ctx, r.Query, o)
	if err != nil {
		return nil, err
	}
	return message.Fill[v1.SearchResults](res, h.mask()), nil
}

func (h documents) ListDocuments(ctx context.Context, r *v1.ListDocumentsRequest) (*v1.DocumentList, error) {
	limit, err := within("limit", r.Limit, maxListed)
	if err != nil {
		return nil, err
	}
	list, err := h.docs.list(ctx, &docsearch.ListOptions{Collection: r.Collection, Status: r.Status, After: r.After, Limit: limit})
	if err != nil {
		return nil, err
	}
	return message.Fill[v1.DocumentList](list, h.mask()), nil
}

func (h documents) GetDocument(ctx context.Context, r *v1.GetDocumentRequest) (*v1.DocumentInfo, error) {
	lib, doc, err := h.docs.document(ctx, r.Doc)
	if err != nil {
		return nil, err
	}
	if doc.Status != docsearch.StatusReady {
		return message.Fill[v1.DocumentInfo](doc, h.mask()), nil
	}
	info, err := lib.Info(ctx, doc.ID)
	if err != nil {
		return nil, err
	}
	out := message.Fill[v1.DocumentInfo](info, h.mask())
	out.Sections = tree(out.Sections)
	return out, nil
}

// tree puts sections into those around them.
func tree(list []*v1.Section) []*v1.Section {
	var top []*v1.Section
	for i, s := range list {
		s.Index = int32(i)
		if p := int(s.Parent); p >= 0 && p < i { // a section stands behind the one around it
			list[p].Children = append(list[p].Children, s)
		} else {
			top = append(top, s)
		}
	}
	return top
}

func (h documents) GetText(ctx context.Context, r *v1.GetTextRequest) (*v1.GetTextResponse, error) {
	format := docsearch.Format(r.Format)
	if format != "" && format != docsearch.FormatText && format != docsearch.FormatMarkdown {
		return nil, invalid(`"format" is %q: give text or markdown`, r.Format)
	}
	if r.Page < 0 || r.First < 0 || r.Last < 0 || r.Page > 0 && r.Section != "" {
		return nil, invalid(`give "page", or "section", or "first" and "last"; all count from 1`)
	}
	lib, doc, err := h.docs.document(ctx, r.Doc)
	if err != nil {
		return nil, err
	}
	var (
		out  = &v1.GetTextResponse{}
		text *docsearch.Text
	)
	switch {
	case r.Section != "":
		s, err := lib.Section(ctx, doc.ID, r.Section)
		if err != nil {
			return nil, err
		}
		text = &s.Text
		out.Section = message.Fill[v1.SectionText](s, h.mask())
		out.Section.Text = "" // it is in Text
	case format == docsearch.FormatMarkdown:
		last := int(r.Page)
		if r.Page == 0 {
			last = doc.Pages
		}
		text, err = lib.Markdown(ctx, doc.ID, max(int(r.Page), 1), last)
	case r.Page > 0:
		text, err = lib.Page(ctx, doc.ID, int(r.Page))
	default:
		text, err = lib.View(ctx, doc.ID, docsearch.Lines{First: max(int(r.First), 1), Last: int(r.Last)})
	}
	if err != nil {
		return nil, err
	}
	out.Text = message.Fill[v1.DocumentText](text, h.mask())
	if r.Page > 0 {
		figures, tables, err := lib.Objects(ctx, doc.ID, int(r.Page))
		if err != nil {
			return nil, err
		}
		out.Figures, out.Tables = message.Each[v1.FigureHit](figures, h.mask()), message.Each[v1.TableHit](tables, h.mask())
	}
	return out, nil
}

func (h documents) GetMarks(ctx context.Context, r *v1.GetMarksRequest) (*v1.Marks, error) {
	lib, doc, err := h.docs.document(ctx, r.Doc)
	if err != nil {
		return nil, err
	}
	f, err := h.docs.original(doc)
	if err != nil {
		return nil, err
	}
	defer f.Close() // read only
	x := extractors()[ending(doc.Origin)]
	if x == nil {
		return nil, fmt.Errorf("document %s: %w: its format has no places on pages", doc.Name, findspot.ErrUnsupported)
	}
	src, err := x.Open(ctx, f, doc.Size)
	if err != nil {
		return nil, fmt.Errorf("document %s: %w", doc.Name, err)
	}
	places, err := lib.Locate(ctx, doc.ID, int(r.Start), int(r.End), src)
	if err = errors.Join(err, src.Close()); err != nil {
		return nil, asked(err)
	}
	return &v1.Marks{Marks: message.Each[v1.Mark](places, h.mask())}, nil
}

func (h documents) DeleteDocument(ctx context.Context, r *v1.DeleteDocumentRequest) (*v1.DeleteDocumentResponse, error) {
	doc, err := h.docs.remove(ctx, r.Doc)
	if err != nil {
		return nil, err
	}
	return &v1.DeleteDocumentResponse{Document: message.Fill[v1.Document](doc, h.mask())}, nil
}
