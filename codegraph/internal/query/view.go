package query

import (
	"bytes"
	"fmt"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/internal/errs"
)

// A View says how much of an entity is shown.
type View string

// The views.
const (
	Fold    View = "fold"    // the signature
	Preview View = "preview" // the signature and about five lines of the body; for a class, file or directory its structure
	Full    View = "full"    // the whole text
)

// Texts reads entities of one graph in their sources. It is used by one goroutine.
type Texts struct {
	g       *snapshot.Graph
	sources *snapshot.Sources
}

// NewTexts reads entities of a graph.
func NewTexts(g *snapshot.Graph) *Texts { return &Texts{g, snapshot.NewSources(g)} }

// A textLine is a line of a text with its number in the file, 0 for none; the text has no end.
type textLine struct {
	number int
	text   string
}

// Text gives the text of an entity in a view, on request with line numbers.
func (r *Texts) Text(n uint32, view View, numbers bool) (string, error) {
	lines, err := r.lines(n, view)
	if err != nil {
		return "", err
	}
	width := 1
	if numbers {
		for _, l := range lines {
			width = max(width, len(strconv.Itoa(l.number)))
		}
	}
	var b strings.Builder
	for _, l := range lines {
		switch {
		case numbers && l.number > 0:
			fmt.Fprintf(&b, "%*d | ", width, l.number)
		case numbers:
			b.WriteString(strings.Repeat(" ", width) + " | ")
		}
		b.WriteString(l.text)
		b.WriteByte('\n')
	}
	return b.String(), nil
}

func (r *Texts) lines(n uint32, view View) ([]textLine, error) {
	e := r.g.Node(n)
	if e.Kind == model.Directory || view == Fold || view == Preview && e.Kind != model.Function {
		return outline(r.g, n, view), nil
	}
	src, err := r.sources.File(e.Path)
	if err != nil {
		return nil, err
	}
	if e.Kind == model.File {
		return numberedLines(src, 1), nil
	}
	at, end, body := r.g.Extent(n)
	if end > len(src) {
		return nil, fmt.Errorf("codegraph: entity %q: %w: it ends at byte %d of %d", e.ID, errs.Format, end, len(src))
	}
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if i := bytes.IndexByte(src[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(src)
	}
	lines := numberedLines(src[start:end], e.Line)
	if view == Full {
		return lines, nil
	}
	head := bytes.Count(src[start:max(body, start)], []byte("\n")) // the last line of the signature
	shown := 0
	for i := head + 1; i < len(lines); i++ {
		if l := lines[i].text; strings.TrimSpace(l) != "" {
			if shown++; shown > previewLines {
				indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
				return append(lines[:i:i], textLine{0, indent + "..."}), nil
			}
		}
	}
	return lines, nil
}

// previewLines is how many lines of a body a preview shows, empty ones not counted.
const previewLines = 5

func numberedLines(src []byte, first int) []textLine {
	var out []textLine
	for l := range strings.Lines(string(src)) {
		out = append(out, textLine{first + len(out), strings.TrimSuffix(l, "\n")})
	}
	return out
}

// outline shows an entity by the signatures in it, indented by depth.
func outline(g *snapshot.Graph, n uint32, view View) []textLine {
	var out []textLine
	seen := map[uint32]bool{} // a damaged graph may have classes that hold one another
	var show func(n uint32, depth int)
	show = func(n uint32, depth int) {
		if seen[n] {
			return
		}
		seen[n] = true
		e := g.Node(n)
		label := e.Signature
		if label == "" {
			label = e.ID
		}
		line := e.Line
		if e.Kind == model.File {
			line = 0
		}
		out = append(out, textLine{line, strings.Repeat("    ", depth) + label})
		if view == Fold || e.Kind == model.Function && depth > 0 || e.Kind == model.File && depth > 0 || e.Kind == model.Directory && depth > 0 {
			return
		}
		for i := range g.Adjacent(n, false) {
			if g.EdgeKind(i) == model.Contain {
				_, dst := g.Ends(i)
				show(dst, depth+1)
			}
		}
	}
	show(n, 0)
	return out
}
