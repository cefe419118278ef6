package codegraph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/block"
	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/internal/charset"
)

// A View says how much of an entity is shown.
type View string

// The views.
const (
	Fold    View = "fold"    // the signature
	Preview View = "preview" // the signature and about five lines of the body; for a class, file or directory its structure
	Full    View = "full"    // the whole text
)

// RetrieveOptions of [Graph.Retrieve].
type RetrieveOptions struct {
	View    View // "" means Full
	Numbers bool // begin each line with its number in the file and " | ", aligned, as LocAgent does
}

// A Retrieved is an entity with its text.
type Retrieved struct {
	Entity
	Repo string `json:"repo,omitempty"` // of a [Set]: its name
	Text string `json:"text"`           // ends in a newline
}

// Retrieve reads entities from the sources, in the order of ids. Full text is whole lines, Line to EndLine of the
// entity, which is given as to [Graph.Traverse]: by its id, as "path:line", or by a name that means no other. What is not
// there fails the whole call with an error wrapping [ErrNotFound] that lists near ids; a source that changed since it was
// indexed with one wrapping [ErrStale].
func (g *Graph) Retrieve(ctx context.Context, ids []string, o *RetrieveOptions) ([]Retrieved, error) {
	view, numbers := Full, o != nil && o.Numbers
	if o != nil && o.View != "" {
		view = o.View
	}
	if view != Fold && view != Preview && view != Full {
		return nil, fmt.Errorf("codegraph: unknown view %q: use fold, preview or full", view)
	}
	nodes, err := g.lookup(ids)
	if err != nil {
		return nil, err
	}
	out := make([]Retrieved, 0, len(nodes))
	src := map[string][]byte{}
	for _, n := range nodes {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		text, err := g.text(n, view, numbers, src)
		if err != nil {
			return nil, err
		}
		out = append(out, Retrieved{Entity: g.entity(n), Text: text})
	}
	return out, nil
}

// source gives the text of a file, in UTF-8, as it was indexed; cache, when not nil, keeps what was read within one call.
func (g *Graph) source(path string, cache map[string][]byte) ([]byte, error) {
	if b, ok := cache[path]; ok {
		return b, nil
	}
	s, ok := g.slotAt(path)
	if !ok || g.slots[s].b.Flag(block.FlagDir) {
		return nil, fmt.Errorf("source %q: %w", path, ErrNotFound)
	}
	b, err := fs.ReadFile(g.fsys, path)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w: %v", path, ErrStale, err)
	}
	if sha256.Sum256(b) != g.slots[s].b.Hash() {
		return nil, fmt.Errorf("source %s: %w: update the index", path, ErrStale)
	}
	b = charset.UTF8(path, b)
	if cache != nil {
		cache[path] = b
	}
	return b, nil
}

// A textLine is a line of a text with its number in the file, 0 for none; the text has no end.
type textLine struct {
	number int
	text   string
}

// text gives the text of an entity in a view, on request with line numbers.
func (g *Graph) text(n uint32, view View, numbers bool, cache map[string][]byte) (string, error) {
	lines, err := g.lines(n, view, cache)
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

func (g *Graph) lines(n uint32, view View, cache map[string][]byte) ([]textLine, error) {
	e := g.entity(n)
	if e.Kind == KindDirectory || view == Fold || view == Preview && e.Kind != KindFunction {
		return g.outline(n, view), nil
	}
	src, err := g.source(e.Path, cache)
	if err != nil {
		return nil, err
	}
	if e.Kind == KindFile {
		return numberedLines(src, 1), nil
	}
	at, end, body := g.extent(n)
	if end > len(src) {
		return nil, fmt.Errorf("codegraph: entity %q: %w: it ends at byte %d of %d", e.ID, ErrFormat, end, len(src))
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
func (g *Graph) outline(n uint32, view View) []textLine {
	var out []textLine
	seen := map[uint32]bool{} // a damaged graph may have classes that hold one another
	var show func(n uint32, depth int)
	show = func(n uint32, depth int) {
		if seen[n] {
			return
		}
		seen[n] = true
		e := g.entity(n)
		label := e.Signature
		if label == "" {
			label = e.ID
		}
		line := e.Line
		if e.Kind == KindFile {
			line = 0
		}
		out = append(out, textLine{line, strings.Repeat("    ", depth) + label})
		if view == Fold || e.Kind == KindFunction && depth > 0 || e.Kind == KindFile && depth > 0 || e.Kind == KindDirectory && depth > 0 {
			return
		}
		for i := range g.adjacent(n, false) {
			if g.edgeKind(i) == model.Contain {
				_, dst := g.ends(i)
				show(dst, depth+1)
			}
		}
	}
	show(n, 0)
	return out
}
