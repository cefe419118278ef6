package doctools

import (
	"context"
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch"
	"github.com/findspot/findspot/internal/agenttools"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// Format is the one asked for, or that which the document was added with.
func (t *Tools) Format(ctx context.Context, lib *docsearch.Library, tool, doc, asked string) (docsearch.Format, error) {
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

// TextResult is a stretch of a document as a result with one item.
func (t *Tools) TextResult(x *docsearch.Text, tokens int) *skill.Result {
	it := items.Text(x)
	switch {
	case x.Truncated && x.Format == docsearch.FormatMarkdown:
		it.Note = "Markdown, cut: ask for more or page by page; quote from the text alone"
	case x.Format == docsearch.FormatMarkdown:
		it.Note = "Markdown: quote from the text alone"
	case x.Truncated:
		it.Note = fmt.Sprintf("cut: it goes on after line %d", x.LineEnd)
	}
	return t.s.Result([]evidence.Item{it}, x, "", agenttools.Shown{Tokens: agenttools.Tokens(tokens, agenttools.ReadTokens)})
}

func (t *Tools) readAbstract(ctx context.Context, in abstractInput) (*skill.Result, error) {
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	x, err := lib.Abstract(ctx, in.Doc)
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents shows what there is, and read_file reads a document that has no abstract")
	}
	return t.TextResult(x, in.Tokens), nil
}

// MaxSectionLines is how many lines of a section the tool returns; the rest is named.
const MaxSectionLines = 400

func (t *Tools) readSection(ctx context.Context, in sectionInput) (*skill.Result, error) {
	lib, err := t.docs.Open(ctx)
	if err != nil {
		return nil, err
	}
	if strings.TrimSpace(in.Section) != "" {
		return t.Section(ctx, lib, in.Doc, in.Section, MaxSectionLines, in.Tokens)
	}
	list, err := lib.Sections(ctx, in.Doc)
	if err != nil {
		return nil, agenttools.NotHere(err, "list_documents shows what there is")
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%d sections\n", len(list))
	for i := range list {
		s := &list[i]
		fmt.Fprintf(&b, "%s%s (page %d, lines %d-%d)\n", strings.Repeat("  ", max(min(s.Level, 8), 1)), s.Heading(), s.Page, s.Lines.First, s.Lines.Last)
	}
	return agenttools.TextOnly(b.String(), list, agenttools.Tokens(in.Tokens, agenttools.SearchTokens), "name a section by its number or heading, or ask with more tokens"), nil
}

// Section is the text of a section, of at most so many lines.
func (t *Tools) Section(ctx context.Context, lib *docsearch.Library, doc, name string, most, tokens int) (*skill.Result, error) {
	s, err := lib.Section(ctx, doc, name)
	if err != nil {
		return nil, agenttools.NotHere(err, "read_section without a section lists those of a document")
	}
	x := &s.Text
	if most > 0 && x.LineEnd-x.LineStart >= most {
		if x, err = lib.View(ctx, doc, docsearch.Lines{First: x.LineStart, Last: x.LineStart + most - 1}); err != nil {
			return nil, err
		}
		x.Truncated = true
	}
	return t.TextResult(x, tokens), nil
}
