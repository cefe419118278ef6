package mcphandler

import (
	"context"
	"strconv"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/visible"
)

// maxCompletions is the most values of an answer, by the protocol.
const maxCompletions = 100

// completions collect what fits a value that is being typed.
type completions struct {
	values []string
	total  int
}

// add takes a value in and reports whether there is any use in more.
func (c *completions) add(v string) {
	c.total++
	if len(c.values) < maxCompletions && v == visible.Text(v) { // what would be shown otherwise cannot be typed
		c.values = append(c.values, v)
	}
}

// completer proposes values for the parts of addresses.
type completer struct {
	ws    *findspot.Workspace
	ready <-chan struct{} // closed when the sources are read
}

// complete proposes values. What is not known has none: a client asks while somebody types.
func (c *completer) complete(ctx context.Context, req *mcp.CompleteRequest) (*mcp.CompleteResult, error) {
	got := &completions{values: []string{}}
	done := func(err error) (*mcp.CompleteResult, error) {
		if err != nil && ctx.Err() != nil {
			return nil, ctx.Err()
		}
		return &mcp.CompleteResult{Completion: mcp.CompletionResultDetails{Values: got.values, Total: got.total, HasMore: got.total > len(got.values)}}, nil
	}
	select {
	case <-c.ready:
	default:
		return done(nil)
	}
	p := req.Params
	if p.Ref.Type != "ref/resource" {
		return done(nil)
	}
	var of map[string]string
	if p.Context != nil {
		of = p.Context.Arguments
	}
	typed := p.Argument.Value
	switch p.Argument.Name {
	case "id":
		return done(c.completeDoc(ctx, got, typed))
	case "page":
		return done(c.completePage(ctx, got, of["id"], typed))
	case "section":
		return done(c.completeSection(ctx, got, of["id"], typed))
	case "entity":
		return done(c.completeEntity(ctx, got, typed))
	}
	return done(nil)
}

// completeDoc proposes ids, of documents whose id begins so, or whose name or title holds what was typed.
func (c *completer) completeDoc(ctx context.Context, got *completions, typed string) error {
	lib, err := c.ws.Docs(ctx)
	if err != nil {
		return err
	}
	low := strings.ToLower(typed)
	for o := (docsearch.ListOptions{Status: "ready"}); ; {
		list, err := lib.List(ctx, &o)
		if err != nil {
			return err
		}
		for _, d := range list.Documents {
			if strings.HasPrefix(d.ID, low) || strings.Contains(strings.ToLower(d.Name), low) || strings.Contains(strings.ToLower(d.Title), low) {
				got.add(d.ID)
			}
		}
		if o.After = list.Next; o.After == "" {
			return nil
		}
	}
}

func (c *completer) completePage(ctx context.Context, got *completions, doc, typed string) error {
	lib, err := c.ws.Docs(ctx)
	if err != nil {
		return err
	}
	d, err := lib.Resolve(ctx, doc)
	if err != nil {
		return err
	}
	for n := 1; n <= d.Pages; n++ {
		if s := strconv.Itoa(n); strings.HasPrefix(s, typed) {
			got.add(s)
		}
	}
	return nil
}

func (c *completer) completeSection(ctx context.Context, got *completions, doc, typed string) error {
	lib, err := c.ws.Docs(ctx)
	if err != nil {
		return err
	}
	list, err := lib.Sections(ctx, doc)
	if err != nil {
		return err
	}
	low := strings.ToLower(typed)
	for _, s := range list {
		if name := sectionName(s.Number, s.Title); strings.HasPrefix(strings.ToLower(name), low) || strings.Contains(strings.ToLower(s.Title), low) {
			got.add(name)
		}
	}
	return nil
}

// completeEntity proposes ids that begin as what was typed, then entities of that name.
func (c *completer) completeEntity(ctx context.Context, got *completions, typed string) error {
	graphs, err := c.ws.Graphs(ctx)
	if err != nil {
		return err
	}
	for _, g := range graphs {
		for e := range g.Entities() {
			if e.Path != "/" && (strings.HasPrefix(e.ID, typed) || typed != "" && strings.HasPrefix(e.Name, typed)) {
				got.add(e.ID)
			}
		}
	}
	return ctx.Err()
}
