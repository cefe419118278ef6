package rst

import (
	"context"
	"io"
	"strings"
	"unicode"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
)

// Bounds of what is read.
const (
	maxFile  = 32 << 20 // bytes
	maxDepth = 60       // of blocks in blocks
)

// New returns an extractor of reStructuredText. It is safe for concurrent use.
func New() extract.Extractor { return extractor{} }

type extractor struct{}

func (extractor) Version() string { return "rst/1" }

func (extractor) Open(ctx context.Context, r io.ReaderAt, size int64) (extract.Doc, error) {
	s, err := format.ReadSource(ctx, r, size, maxFile)
	if err != nil {
		return nil, err
	}
	d := &document{
		labels: map[string]string{}, substitutions: map[string]*node{}, notes: map[string]string{}, styles: map[string]int{}, raw: map[string]bool{},
	}
	lines := strings.Split(s, "\n")
	for i, line := range lines {
		lines[i] = strings.TrimRightFunc(expandTabs(line), unicode.IsSpace)
	}
	nodes := d.parse(lines, 0, true)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	d.number()
	w := &writer{Page: compose.New(1), doc: d}
	w.document(nodes)
	return compose.Document(d.meta, w.End()), nil
}

// A document is what is known of the whole file, so that references can be resolved.
type document struct {
	meta          extract.Meta
	labels        map[string]string // title or caption of each label
	pending       []string          // labels that wait for what they name
	substitutions map[string]*node
	notes         map[string]string // the number that a footnote shows, by its label; "#2" is the second without one
	footnotes     []*node
	styles        map[string]int  // level of each adornment
	raw           map[string]bool // roles whose text is for an output format
	numbered      bool            // sectnum
	defaultRole   string
	module        string // of Python, that is described
	describing    int    // descriptions of objects around
}

type kind int

const (
	paragraph kind = iota
	heading        // text, level
	literal        // text
	quote          // kids
	list           // kids: items
	item           // mark, kids
	term           // text, kids
	field          // text: the name, kids
	lineBlock      // lines, indented as they are
	grid           // cells
	labelled       // text: the label, kids
	figure         // text: alternative text, kids: caption and legend
	object         // lines: signatures, kids
	formula        // text
	note           // mark, kids
	container      // kids
)

// A node is a block. Its text holds inline markup until it is written.
type node struct {
	kind  kind
	text  string
	mark  string
	level int
	lines []string
	kids  []*node
	rows  [][]cell
}

type cell struct {
	rowSpan, colSpan int
	kids             []*node
}

func expandTabs(s string) string {
	if !strings.Contains(s, "\t") {
		return s
	}
	var b strings.Builder
	col := 0
	for _, r := range s {
		if r != '\t' {
			b.WriteRune(r)
			col++
			continue
		}
		for n := 8 - col%8; n > 0; n-- {
			b.WriteByte(' ')
			col++
		}
	}
	return b.String()
}

// labelKey returns the form in which names of targets are compared.
func labelKey(s string) string { return strings.ToLower(strings.Join(strings.Fields(s), " ")) }

// name gives the labels that wait a title.
func (d *document) name(title string) {
	for _, l := range d.pending {
		d.labels[l] = title
	}
	d.pending = nil
}
