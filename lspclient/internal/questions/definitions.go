package questions

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// Definition returns where the target is defined.
func (c *Finder) Definition(ctx context.Context, t symbols.Query, o *Options) (*Result, error) {
	spot, r, err := c.placesOf(ctx, t, protocol.MethodTextDocumentDefinition, "definitions", o)
	if err != nil {
		return nil, err
	}
	if spot.Declared && r.Total == 0 && r.State == session.Complete && (o == nil || len(o.Paths) == 0) {
		// The place came from the server's own list of declarations, where some have nothing more to say.
		r.Locations, r.Total = []place.Location{r.Target}, 1
	}
	c.turned(ctx, spot, r)
	if o == nil || len(o.Paths) == 0 {
		if err := c.atHome(ctx, spot, r); err != nil {
			return nil, named(t, err)
		}
	}
	return r, nil
}

// TypeDefinition returns where the type of the target is defined.
func (c *Finder) TypeDefinition(ctx context.Context, t symbols.Query, o *Options) (*Result, error) {
	_, r, err := c.placesOf(ctx, t, protocol.MethodTextDocumentTypeDefinition, "type definitions", o)
	return r, err
}

// Implementation returns what implements the target.
func (c *Finder) Implementation(ctx context.Context, t symbols.Query, o *Options) (*Result, error) {
	_, r, err := c.placesOf(ctx, t, protocol.MethodTextDocumentImplementation, "implementations", o)
	return r, err
}

// definedAt returns where what is at a place is defined.
func (c *Finder) definedAt(ctx context.Context, at symbols.Query) ([]place.Location, error) {
	r, err := c.Definition(ctx, at, nil)
	if err != nil {
		return nil, err
	}
	return r.Locations, nil
}

// turned mends the answer of a server that leads from a definition to its declaration, as clangd does for someone who
// asks at a definition: where the target has a body, or sets a value, and the place it leads to has none, the target is
// the definition. Only in C and its relatives is a function or variable declared apart from its definition.
func (c *Finder) turned(ctx context.Context, spot *symbols.Spot, r *Result) {
	if !complete.DeclaredApart(spot.Server.Spec.LanguageOf(spot.Abs)) || len(r.Locations) != 1 || r.Locations[0] == r.Target {
		return
	}
	to := r.Locations[0]
	abs, err := c.pool.Tree.Existing(to.Path)
	if err != nil {
		return // a declaration outside of the root says nothing about the target
	}
	here, _, err := c.pool.Tree.Read(spot.Abs)
	if err != nil {
		return
	}
	there, _, err := c.pool.Tree.Read(abs)
	if err != nil || defining(here, r.Target) <= defining(there, to) {
		return
	}
	// A use is no definition, whatever follows it: the place the server leads to must lead back.
	_, back, err := c.placesOf(ctx, symbols.At(to.Path, to.Line, to.Col), protocol.MethodTextDocumentDefinition, "definitions", nil)
	if err == nil && len(back.Locations) == 1 && back.Locations[0] == r.Target {
		r.Locations[0] = r.Target
	}
}

// defining says how much the text behind a name looks like a definition: 2 for a body or a value, 1 for neither, 0 for a
// variable or function that is said to be elsewhere.
func defining(text *source.Text, name place.Location) int {
	const look = 4 << 10 // bytes of parameters at most
	line, ok := text.Line(name.Line)
	if !ok || name.EndLine < 1 || name.EndLine > len(text.Starts) {
		return 0
	}
	at := min(text.Starts[name.EndLine-1]+max(name.EndCol-1, 0), len(text.Bytes))
	depth := 0
	for _, b := range text.Bytes[at:min(at+look, len(text.Bytes))] {
		switch {
		case b == '(' || b == '[':
			depth++
		case b == ')' || b == ']':
			depth--
		case depth > 0:
		case b == '{' || b == '=':
			return 2
		case b == ';' || depth < 0:
			if bytes.HasPrefix(bytes.TrimSpace(line), []byte("extern")) {
				return 0
			}
			return 1
		}
	}
	return 1
}

// atHome mends the answer of a server that leads from a method to the one it overrides, as jedi does: a method that is
// declared in a class is defined there. Not so in C and its relatives, nor in a stub.
func (c *Finder) atHome(ctx context.Context, spot *symbols.Spot, r *Result) error {
	if complete.DeclaredApart(spot.Server.Spec.LanguageOf(spot.Abs)) || len(r.Locations) == 0 {
		return nil
	}
	paths, _ := symbols.StubPaths(r.Target.Path)
	for _, l := range r.Locations {
		if slices.Contains(paths, l.Path) || l.Path == r.Target.Path && l.Holds(r.Target) || l.Start() == r.Target.Start() {
			return nil
		}
	}
	list, err := c.resolver.Outline(ctx, spot.Abs)
	if errors.Is(err, errs.Unsupported) {
		return nil
	}
	if err != nil {
		return err
	}
	for _, d := range list {
		if d.At.Start() != r.Target.Start() || d.Kind != "method" && d.Kind != "function" || d.Owner() == "" {
			continue
		}
		if slices.ContainsFunc(r.Locations, func(l place.Location) bool { return l.Path == d.At.Path && l.Overlaps(d.Whole) }) {
			return nil
		}
		r.Locations, r.Total, r.Truncated = []place.Location{r.Target}, 1, false
		return nil
	}
	return nil
}
