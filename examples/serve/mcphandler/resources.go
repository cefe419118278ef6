package mcphandler

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

const plainText = "text/plain"

// resources are documents and code at addresses of their own.
type resources struct{ h *Handler }

// add offers the templates. Documents and repositories are listed when they are asked for: see list.
func (r *resources) add() {
	for _, t := range []mcp.ResourceTemplate{
		{URITemplate: docTemplate, Name: "document", Title: "Document", Description: "The text of a document from its beginning, by id or by name"},
		{URITemplate: pageTemplate, Name: "page", Title: "Page of a document", Description: "One page of a document, from 1"},
		{URITemplate: sectionTemplate, Name: "section", Title: "Section of a document", Description: "One section of a document, by number or heading"},
		{URITemplate: codeTemplate, Name: "entity", Title: "Code", Description: "A file, class or function of a repository, by its id (path/file.py:Class.method)"},
	} {
		t.MIMEType = plainText
		r.h.server.AddResourceTemplate(&t, r.read)
	}
}

// list lists documents by name, then repositories, page by page. What was added to the server itself comes first.
func (r *resources) list(ctx context.Context, req *mcp.ListResourcesRequest, next mcp.MethodHandler) (mcp.Result, error) {
	cursor := ""
	if req.Params != nil {
		cursor = req.Params.Cursor
	}
	out := &mcp.ListResourcesResult{Resources: []*mcp.Resource{}}
	after := ""
	if cursor == "" {
		res, err := next(ctx, "resources/list", req)
		if own, ok := res.(*mcp.ListResourcesResult); err == nil && ok {
			out = own
		} else if err != nil {
			return nil, err
		}
	} else {
		data, err := base64.RawURLEncoding.DecodeString(cursor)
		if err != nil || len(data) == 0 {
			return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "the cursor is none that this server gave"}
		}
		after = string(data)
	}
	if res, err := r.h.calls.wait(ctx); err != nil {
		return nil, err
	} else if res != nil {
		return nil, errors.New(textOf(res))
	}
	lib, err := r.h.ws.Docs(ctx)
	if err != nil {
		return nil, err
	}
	docs, err := lib.List(ctx, &docsearch.ListOptions{After: after, Limit: pageSize, Status: "ready"})
	if err != nil {
		if told := r.h.tell(ctx, "resources/list", nil, err); told != err {
			return nil, told
		}
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "resources/list: " + err.Error()}
	}
	for _, d := range docs.Documents {
		out.Resources = append(out.Resources, &mcp.Resource{URI: address{doc: d.ID}.String(), Name: visible.Text(d.Name), Title: visible.Text(d.Title), MIMEType: plainText,
			Description: fmt.Sprintf("%d pages, %d lines", d.Pages, d.Lines)})
	}
	if docs.Next != "" {
		out.NextCursor = base64.RawURLEncoding.EncodeToString([]byte(docs.Next))
		return out, nil
	}
	repos, err := r.h.ws.Repos()
	if err != nil {
		return nil, err
	}
	for _, repo := range repos {
		root := "/"
		if repo.Name != "" {
			root = repo.Name + "//"
		}
		out.Resources = append(out.Resources, &mcp.Resource{URI: address{entity: root}.String(), Name: filepath.Base(repo.Root), Title: "Repository " + visible.Text(filepath.Base(repo.Root)), MIMEType: plainText})
	}
	return out, nil
}

// read reads what an address names, by the tool read: with its masks and marks, and with a key to cite.
func (r *resources) read(ctx context.Context, req *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
	a, err := parseAddress(req.Params.URI)
	if err != nil {
		return nil, &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	s, err := r.h.session(ctx, req.Session)
	if err != nil {
		return nil, err
	}
	args := map[string]any{"tokens": -1}
	switch {
	case a.entity != "":
		args["entity"] = a.entity
	case a.page > 0:
		args["doc"], args["page"] = a.doc, a.page
	case a.section != "":
		args["doc"], args["section"] = a.doc, a.section
	default:
		args["doc"] = a.doc
	}
	data, err := json.Marshal(args)
	if err != nil {
		return nil, err
	}
	var none *missing
	res, err := r.h.calls.do(ctx, "resources/read", func(ctx context.Context) (*mcp.CallToolResult, error) {
		out, err := s.read().Call(ctx, data)
		err = r.h.tell(ctx, "resources/read", data, err)
		if errors.Is(err, findspot.ErrNotFound) { // an error of the call, as this may run on after read has returned
			return nil, &missing{err}
		}
		if err != nil {
			return failed(errors.New(evidence.Mark(err.Error()))), nil
		}
		return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: r.withParts(ctx, a, out)}}}, nil
	})
	switch {
	case errors.As(err, &none):
		return nil, notFound(req.Params.URI, none)
	case err != nil:
		return nil, err
	case res.IsError:
		return nil, errors.New(textOf(res))
	}
	return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: req.Params.URI, MIMEType: plainText, Text: textOf(res)}}}, nil
}

// missing is the error of a call that read what is not there.
type missing struct{ error }

// notFound is the protocol's error for a resource that is not there, with what is near.
func notFound(uri string, why error) error {
	data, err := json.Marshal(map[string]string{"uri": uri})
	if err != nil {
		data = nil
	}
	return &jsonrpc.Error{Code: mcp.CodeResourceNotFound, Message: "Resource not found: " + evidence.Mark(why.Error()), Data: data}
}

func textOf(res *mcp.CallToolResult) string {
	if len(res.Content) > 0 {
		if t, ok := res.Content[0].(*mcp.TextContent); ok {
			return t.Text
		}
	}
	return ""
}

// maxParts is how many sections a document's own resource lists.
const maxParts = 200

// withParts is a text that was read, and of a whole document the addresses of its parts.
func (r *resources) withParts(ctx context.Context, a address, out *skill.Result) string {
	if a.doc == "" || a.page > 0 || a.section != "" {
		return out.Text
	}
	lib, err := r.h.ws.Docs(ctx)
	if err != nil {
		return out.Text
	}
	doc, err := lib.Resolve(ctx, a.doc)
	if err != nil {
		return out.Text
	}
	var b strings.Builder
	b.WriteString(strings.TrimRight(out.Text, "\n") + "\n\n")
	if doc.Pages > 1 {
		fmt.Fprintf(&b, "Its pages are %s to %d.\n", address{doc: doc.ID, page: 1}, doc.Pages)
	}
	sections, err := lib.Sections(ctx, doc.ID)
	if err != nil || len(sections) == 0 {
		return b.String()
	}
	b.WriteString("Its sections:\n")
	var list strings.Builder
	for i := range sections[:min(len(sections), maxParts)] {
		s := &sections[i]
		fmt.Fprintf(&list, "%s %s\n", address{doc: doc.ID, section: sectionName(s.Number, s.Title)}, s.Heading())
	}
	if more := len(sections) - maxParts; more > 0 {
		fmt.Fprintf(&list, "and %d more\n", more)
	}
	b.WriteString(evidence.Mark(visible.Text(list.String())))
	return b.String()
}

// sectionName is how an address names a section: by its number, which a clause is known by, else by its heading.
func sectionName(number, title string) string {
	if number != "" {
		return number
	}
	return title
}
