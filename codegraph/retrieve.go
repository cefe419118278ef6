package codegraph

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"io/fs"
	"strings"
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
	View View // "" means Full
}

// A Retrieved is an entity with its text.
type Retrieved struct {
	Entity
	Text string `json:"text"` // ends in a newline
}

// Retrieve reads entities from the sources, in the order of ids. Full text is whole lines, Line to EndLine of the
// entity. An unknown id fails the whole call with an error wrapping [ErrNotFound] that lists near ids; a source that
// changed since it was indexed with one wrapping [ErrStale].
func (g *Graph) Retrieve(ctx context.Context, ids []string, o *RetrieveOptions) ([]Retrieved, error) {
	view := Full
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
		text, err := g.text(n, view, src)
		if err != nil {
			return nil, err
		}
		out = append(out, Retrieved{g.entity(n), text})
	}
	return out, nil
}

// source reads a file as it was indexed; cache, when not nil, keeps what was read within one call.
func (g *Graph) source(path string, cache map[string][]byte) ([]byte, error) {
	if b, ok := cache[path]; ok {
		return b, nil
	}
	f := g.files[path]
	if f == nil {
		return nil, fmt.Errorf("source %q: %w", path, ErrNotFound)
	}
	b, err := fs.ReadFile(g.fsys, path)
	if err != nil {
		return nil, fmt.Errorf("source %s: %w: %v", path, ErrStale, err)
	}
	if sha256.Sum256(b) != f.hash {
		return nil, fmt.Errorf("source %s: %w: update the index", path, ErrStale)
	}
	if cache != nil {
		cache[path] = b
	}
	return b, nil
}

// text gives the text of an entity in a view.
func (g *Graph) text(n uint32, view View, cache map[string][]byte) (string, error) {
	e := g.entity(n)
	if e.Kind == KindDirectory || view == Fold {
		return g.outline(n, view), nil
	}
	if view == Preview && e.Kind != KindFunction {
		return g.outline(n, view), nil
	}
	src, err := g.source(e.Path, cache)
	if err != nil {
		return "", err
	}
	if e.Kind == KindFile {
		return endLine(string(src)), nil
	}
	at, end, body := g.extent(n)
	start := bytes.LastIndexByte(src[:at], '\n') + 1
	if i := bytes.IndexByte(src[end:], '\n'); i >= 0 {
		end += i
	} else {
		end = len(src)
	}
	if view == Full {
		return endLine(string(src[start:end])), nil
	}
	head := max(body, start)
	lines := strings.SplitAfter(string(src[head:end]), "\n")
	text := string(src[start:head])
	shown := 0
	for i, l := range lines {
		if i > 0 && strings.TrimSpace(l) != "" { // the first is the rest of the signature's line
			if shown++; shown > 5 {
				indent := l[:len(l)-len(strings.TrimLeft(l, " \t"))]
				return text + indent + "...\n", nil
			}
		}
		text += l
	}
	return endLine(text), nil
}

// outline shows an entity by the signatures in it, indented by depth.
func (g *Graph) outline(n uint32, view View) string {
	var b strings.Builder
	var show func(n uint32, depth int)
	show = func(n uint32, depth int) {
		e := g.entity(n)
		label := e.Signature
		if label == "" {
			label = e.ID
		}
		fmt.Fprintf(&b, "%s%s\n", strings.Repeat("    ", depth), label)
		if view == Fold || e.Kind == KindFunction && depth > 0 || e.Kind == KindFile && depth > 0 || e.Kind == KindDirectory && depth > 0 {
			return
		}
		for i := range g.adjacent(n, false) {
			if edgeKinds[g.edgeKind(i)] == Contain {
				_, dst := g.ends(i)
				show(dst, depth+1)
			}
		}
	}
	show(n, 0)
	return b.String()
}

func endLine(s string) string {
	if s == "" || strings.HasSuffix(s, "\n") {
		return s
	}
	return s + "\n"
}
