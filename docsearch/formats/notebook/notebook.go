package notebook

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/docsearch/internal/mdtext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// Bounds of what is read, in bytes.
const (
	maxFile   = 256 << 20
	maxOutput = 1 << 20 // of one output
	maxCell   = 8 << 20 // of the source of one cell
)

// New returns an extractor of Jupyter notebooks. It is safe for concurrent use.
func New() extract.Extractor { return extractor{} }

type extractor struct{}

func (extractor) Version() string { return "notebook/1" }

// lines is text that is a string or a list of strings.
type lines string

func (l *lines) UnmarshalJSON(data []byte) error {
	var one string
	if json.Unmarshal(data, &one) == nil {
		*l = lines(one)
		return nil
	}
	var many []string
	if err := json.Unmarshal(data, &many); err != nil {
		*l = "" // such as JSON of a widget: no text
		return nil
	}
	*l = lines(strings.Join(many, ""))
	return nil
}

type notebook struct {
	Format     int        `json:"nbformat"`
	Metadata   metadata   `json:"metadata"`
	Cells      []cell     `json:"cells"`
	Worksheets []struct { // format 3
		Cells []cell `json:"cells"`
	} `json:"worksheets"`
}

type metadata struct {
	Title   lines             `json:"title"`
	Name    lines             `json:"name"`
	Date    lines             `json:"date"`
	Authors []json.RawMessage `json:"authors"`

	LanguageInfo struct {
		Name lines `json:"name"`
	} `json:"language_info"`
	Kernel struct {
		Language lines `json:"language"`
	} `json:"kernelspec"`
}

type cell struct {
	Type     string `json:"cell_type"`
	Source   lines  `json:"source"`
	Input    lines  `json:"input"`    // format 3
	Level    int    `json:"level"`    // format 3, of a heading
	Language lines  `json:"language"` // format 3
	Outputs  []output
}

type output struct {
	Type  string                     `json:"output_type"`
	Text  lines                      `json:"text"`
	Data  map[string]json.RawMessage `json:"data"`
	Name  lines                      `json:"ename"`
	Value lines                      `json:"evalue"`

	// Of format 3, where the data stand beside the rest.
	HTML, Latex, Markdown, SVG, PNG, JPEG lines
}

func (extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	if size > maxFile {
		return nil, fmt.Errorf("%w: %d bytes, the limit of a notebook is %d", errs.TooLarge, size, maxFile)
	}
	data, err := io.ReadAll(format.ContextReader(ctx, io.NewSectionReader(r, 0, size)))
	if err != nil {
		return nil, err
	}
	var nb notebook
	if err := json.Unmarshal(data, &nb); err != nil {
		if se, ok := errors.AsType[*json.SyntaxError](err); ok {
			return nil, fmt.Errorf("%w: not a notebook: bad JSON at byte %d: %v", errs.Format, se.Offset, err)
		}
		if te, ok := errors.AsType[*json.UnmarshalTypeError](err); !ok || te.Field == "" || nb.Cells == nil && nb.Worksheets == nil {
			return nil, fmt.Errorf("%w: not a notebook: %s", errs.Format, strings.TrimPrefix(err.Error(), "json: "))
		}
	}
	for _, s := range nb.Worksheets {
		nb.Cells = append(nb.Cells, s.Cells...)
	}
	switch {
	case nb.Format == 0 && nb.Cells == nil:
		return nil, fmt.Errorf("%w: not a notebook: it has no cells and no nbformat", errs.Format)
	case nb.Format > 4:
		return nil, fmt.Errorf("%w: a notebook of format %d: 3 and 4 are read", errs.Unsupported, nb.Format)
	}
	w := &writer{Page: compose.New(1), language: string(nb.Metadata.LanguageInfo.Name)}
	if w.language == "" {
		w.language = string(nb.Metadata.Kernel.Language)
	}
	for i := range nb.Cells {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		w.cell(&nb.Cells[i])
	}
	p := w.End()
	return compose.Document(nb.Metadata.meta(p), p), nil
}

func (m *metadata) meta(p *extract.Page) extract.Meta {
	meta := extract.Meta{Title: strings.Join(strings.Fields(string(m.Title)), " "), Date: string(m.Date)}
	if meta.Title == "" && len(p.Headings) > 0 {
		meta.Title = p.Headings[0].Text
	}
	for _, raw := range m.Authors {
		var name struct{ Name string }
		var s string
		if json.Unmarshal(raw, &s) != nil && json.Unmarshal(raw, &name) == nil {
			s = name.Name
		}
		if s != "" && len(meta.Authors) < 1000 {
			meta.Authors = append(meta.Authors, s)
		}
	}
	return meta
}

type writer struct {
	*compose.Page
	language string
	code     int // cells of code so far
}

func (w *writer) cell(c *cell) {
	src := cut(string(c.Source+c.Input), maxCell)
	switch c.Type {
	case "markdown":
		mdtext.Write(w.Page, src)
	case "heading":
		w.Heading(strings.ReplaceAll(mdtext.Inline(src), "\n", " "), c.Level)
	case "code":
		w.code++
		language := w.language
		if c.Language != "" {
			language = string(c.Language)
		}
		w.Code(src, strings.Join(strings.Fields(language), "-"), fmt.Sprintf("In [%d]", w.code))
		for i := range c.Outputs {
			w.output(&c.Outputs[i])
		}
	default: // raw, and what is not known
		w.Pre(src)
	}
}

// cut shortens what is too long, and says so.
func cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	return strings.ToValidUTF8(s[:limit], "") + fmt.Sprintf("\n(%d more bytes)\n", len(s)-limit)
}

func (w *writer) output(o *output) {
	switch o.Type {
	case "stream":
		w.Pre(terminal(string(o.Text)))
		return
	case "error", "pyerr":
		w.Pre(terminal(strings.TrimSuffix(string(o.Name)+": "+string(o.Value), ": ")))
		return
	}
	get := func(kind string) string {
		var l lines
		if raw, ok := o.Data[kind]; ok {
			_ = l.UnmarshalJSON(raw) // it never fails: what is no text is ""
		}
		return cut(string(l), maxOutput)
	}
	pick := func(v3 lines, kind string) string {
		if v3 != "" {
			return cut(string(v3), maxOutput)
		}
		return get(kind)
	}
	picture := ""
	for _, kind := range slices.Sorted(maps.Keys(o.Data)) {
		if strings.HasPrefix(kind, "image/") && picture == "" {
			picture = kind
		}
	}
	switch {
	case o.PNG != "":
		picture = "image/png"
	case o.JPEG != "":
		picture = "image/jpeg"
	case o.SVG != "":
		picture = "image/svg+xml"
	}
	html, markdown, text := pick(o.HTML, "text/html"), pick(o.Markdown, "text/markdown"), pick(o.Text, "text/plain")
	switch {
	case picture != "":
		if !strings.HasPrefix(text, "<") { // else it is the name of the picture's type
			w.Pre(terminal(text))
		}
		w.Words("(" + picture + " output)")
		w.Paragraph(true)
	case strings.Contains(html, "<table") && w.html(html):
	case markdown != "":
		mdtext.Write(w.Page, markdown)
	case text != "" && (html == "" || !strings.HasPrefix(text, "<")):
		w.Pre(terminal(text))
	case html != "" && w.html(html):
	case text != "":
		w.Pre(terminal(text))
	default:
		for line := range strings.SplitSeq(mathtext.Text(pick(o.Latex, "text/latex")), "\n") {
			w.Words(line)
			w.Break()
		}
		w.Paragraph(true)
	}
}

func (w *writer) html(s string) bool { return format.WriteHTML(w.Page, []byte(s), 0) == nil }

// control are the codes with which programs set colours and move about on a terminal (ECMA-48), and titles of its window.
var control = lazyregexp.New("\x1b\\[[0-?]*[ -/]*[@-~]|\x1b\\][^\x07\x1b]*(?:\x07|\x1b\\\\)|\x1b[@-Z\\\\-_]")

// terminal returns output as a terminal shows it in the end: a line is what was written over it last.
func terminal(s string) string {
	s = control.ReplaceAllString(cut(s, maxOutput), "")
	s = strings.ReplaceAll(s, "\r\n", "\n")
	if !strings.ContainsAny(s, "\r\b") {
		return s
	}
	all := strings.Split(s, "\n")
	for i, line := range all {
		line = strings.TrimRight(line, "\r")
		all[i] = strings.ReplaceAll(line[strings.LastIndexByte(line, '\r')+1:], "\b", "")
	}
	return strings.Join(all, "\n")
}
