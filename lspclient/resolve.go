package lspclient

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"go.lsp.dev/protocol"
)

// maxName bounds a name that is looked for, in bytes.
const maxName = 1000

func isNotInstalled(err error) bool {
	var missing *NotInstalledError
	return errors.As(err, &missing)
}

// resolve finds the place a target means.
func (c *Client) resolve(ctx context.Context, t Target) (*spot, error) {
	if t.path != "" {
		abs, err := c.within(t.path)
		if err != nil {
			return nil, err
		}
		v, err := c.serverFor(ctx, abs)
		if err != nil {
			return nil, err
		}
		return &spot{server: v, abs: abs, line: t.line, col: t.col}, nil
	}
	if len(t.name) > maxName || !utf8.ValidString(t.name) || strings.ContainsRune(t.name, 0) {
		return nil, fmt.Errorf("%q is no name of a symbol: %w", clip(t.name, 100), ErrNotFound)
	}
	if file, name, ok := strings.Cut(t.name, ":"); ok && name != "" && !strings.HasPrefix(name, ":") {
		if abs, err := c.within(file); err == nil {
			return c.resolveIn(ctx, t.name, abs, name)
		}
	}
	return c.resolveName(ctx, t.name)
}

// resolveIn finds a name among the declarations of one file.
func (c *Client) resolveIn(ctx context.Context, whole, abs, name string) (*spot, error) {
	v, err := c.serverFor(ctx, abs)
	if err != nil {
		return nil, err
	}
	a, _, err := c.symbolsOf(ctx, v, abs)
	if err != nil {
		return nil, err
	}
	var all []declaration
	eachSymbol(a.value, func(s Symbol) {
		all = append(all, declaration{name: s.Name, container: s.Container, kind: s.Kind, at: s.Selection})
	})
	return c.pick(ctx, whole, nameParts(name), all, nil)
}

func eachSymbol(list []Symbol, f func(Symbol)) {
	for _, s := range list {
		f(s)
		eachSymbol(s.Children, f)
	}
}

// resolveName finds a name in the workspace symbols of every server whose files hold its last part.
func (c *Client) resolveName(ctx context.Context, name string) (*spot, error) {
	parts := nameParts(name)
	if len(parts) == 0 {
		return nil, fmt.Errorf("%q is no name of a symbol: %w", name, ErrNotFound)
	}
	last := parts[len(parts)-1]
	folders, err := c.folders(ctx)
	if err != nil {
		return nil, err
	}
	if len(folders) == 0 {
		return nil, fmt.Errorf("%s holds no file of a language that a server is known for: %w", c.root, ErrUnsupported)
	}
	asked := folders
	if len(folders) > 1 {
		budget := int64(maxMention)
		var holding []*folder
		for _, f := range folders {
			if c.mentions(ctx, f, last, &budget) {
				holding = append(holding, f)
			}
		}
		if len(holding) > 0 { // else every server may know a near name
			asked = holding
		}
	}
	var unasked []string
	for _, f := range asked[min(len(asked), maxFolders):] {
		unasked = append(unasked, c.relative(f.dir))
	}
	asked = asked[:min(len(asked), maxFolders)]

	var all []declaration
	var failures []error
	state := Complete
	for _, f := range asked {
		if f.err != nil {
			failures = append(failures, f.err)
			continue
		}
		list, st, err := c.declarations(ctx, f, last)
		if err != nil {
			failures = append(failures, err)
			continue
		}
		if st != Complete {
			state = st
		}
		all = append(all, list...)
	}
	place, err := c.pick(ctx, name, parts, all, func() ([]declaration, error) { return c.located(ctx, name, last) })
	if err == nil || !errors.Is(err, ErrNotFound) {
		return place, err
	}
	if len(failures) > 0 { // not found, but not everyone could be asked
		return nil, errors.Join(failures...)
	}
	if state != Complete {
		err = fmt.Errorf("%w (the servers' answers were %s)", err, state)
	}
	if len(unasked) > 0 {
		err = fmt.Errorf("%w (not asked: the servers of %s)", err, strings.Join(unasked, ", "))
	}
	return nil, err
}

// declarations asks one server for the workspace symbols that match an identifier.
func (c *Client) declarations(ctx context.Context, f *folder, ident string) ([]declaration, State, error) {
	a, err := ask(ctx, f.server, question[[]declaration]{
		show: func(ctx context.Context, s *session) error {
			if s.srv.spec.Ready.Open {
				_, err := s.open(ctx, f.sample)
				return err
			}
			return nil
		},
		method: protocol.MethodWorkspaceSymbol,
		same:   func(a, b []declaration) bool { return slices.Equal(a, b) },
		ask: func(ctx context.Context, s *session) ([]declaration, error) {
			if !s.offers(protocol.MethodWorkspaceSymbol) {
				return nil, nil // Options.Locate may know
			}
			var r symbolList
			if err := s.call(ctx, protocol.MethodWorkspaceSymbol, &protocol.WorkspaceSymbolParams{Query: ident}, &r); err != nil {
				return nil, err
			}
			return s.declarations(r), nil
		},
	})
	return a.value, a.state, err
}

// declarations converts workspace symbols, sorted by place. A symbol whose place is not below the root is left out.
func (s *session) declarations(r symbolList) []declaration {
	symbols, _ := s.workspaceSymbols(r)
	list := make([]declaration, len(symbols))
	for i, sym := range symbols {
		list[i] = declaration{name: sym.Name, container: sym.Container, kind: sym.Kind, at: sym.Selection}
	}
	slices.SortFunc(list, func(a, b declaration) int { return compareLocations(a.at, b.at) })
	return slices.Compact(list)
}

// pick chooses the declaration that fits the name. More is asked for further ones when none fits.
func (c *Client) pick(ctx context.Context, name string, parts []string, all []declaration, more func() ([]declaration, error)) (*spot, error) {
	fit := fitting(all, parts)
	if len(fit) == 0 && more != nil {
		extra, err := more()
		if err != nil {
			return nil, err
		}
		fit = extra // the one who located them knows the name's form
	}
	if len(fit) > 1 {
		fit = c.confirmed(ctx, fit)
	}
	switch len(fit) {
	case 0:
		return nil, notFound(name, parts[len(parts)-1], all)
	case 1:
		abs, err := c.within(fit[0].at.Path)
		if err != nil {
			return nil, err
		}
		v, err := c.serverFor(ctx, abs)
		if err != nil {
			return nil, err
		}
		return &spot{server: v, abs: abs, line: fit[0].at.Line, col: fit[0].at.Col, declared: true}, nil
	}
	e := &AmbiguousError{Name: name}
	for _, d := range fit {
		e.Candidates = append(e.Candidates, Candidate{Name: d.full(), Kind: d.kind, Location: d.at})
	}
	return nil, e
}

// fitting returns the declarations that fit best, sorted by place, one a place.
func fitting(all []declaration, parts []string) []declaration {
	best := fitsNot
	var list []declaration
	for _, d := range all {
		f := d.fits(parts)
		if f < best {
			best, list = f, nil
		}
		if f == best && f != fitsNot {
			list = append(list, d)
		}
	}
	slices.SortStableFunc(list, func(a, b declaration) int { return compareLocations(a.at, b.at) })
	return slices.CompactFunc(list, func(a, b declaration) bool { return a.at == b.at })
}

// confirmed asks the server where each of a few candidates is defined, and keeps one for each definition: an import or
// an alias that a server lists as a symbol falls to the symbol itself.
func (c *Client) confirmed(ctx context.Context, fit []declaration) []declaration {
	const most = 8
	if len(fit) > most {
		return fit
	}
	byPlace := map[Location]declaration{}
	for _, d := range fit {
		r, err := c.Definition(ctx, At(d.at.Path, d.at.Line, d.at.Col), nil)
		if err != nil || len(r.Locations) != 1 {
			byPlace[d.at] = d
			continue
		}
		at := r.Locations[0]
		at.EndLine, at.EndCol = at.Line, at.Col // servers differ in how much of the definition they give
		if have, ok := byPlace[at]; !ok || d.at.Path == at.Path && d.at.Line == at.Line && have.at != d.at {
			byPlace[at] = d
		}
	}
	out := slices.Collect(maps.Values(byPlace))
	slices.SortFunc(out, func(a, b declaration) int { return compareLocations(a.at, b.at) })
	return out
}

// located asks Options.Locate, and moves each place it gives to the name there.
func (c *Client) located(ctx context.Context, name, last string) ([]declaration, error) {
	if c.opts.Locate == nil {
		return nil, nil
	}
	places, err := c.opts.Locate(ctx, name)
	if err != nil {
		if errors.Is(err, ErrNotFound) {
			return nil, nil
		}
		return nil, fmt.Errorf("locating %q: %w", name, err)
	}
	var list []declaration
	for _, at := range places {
		abs, err := c.within(at.Path)
		if err != nil {
			continue
		}
		if loc, ok := c.nameNear(ctx, abs, at, last); ok {
			list = append(list, declaration{name: name, at: loc})
		}
	}
	slices.SortFunc(list, func(a, b declaration) int { return compareLocations(a.at, b.at) })
	return slices.CompactFunc(list, func(a, b declaration) bool { return a.at == b.at }), nil
}

// nameNear finds the name of the declaration at a place: among the file's document symbols the one of that name whose
// declaration begins nearest, else the name's first occurrence from the place on.
func (c *Client) nameNear(ctx context.Context, abs string, at Location, last string) (Location, bool) {
	best, bestAway := Location{}, -1
	if v, err := c.serverFor(ctx, abs); err == nil {
		if a, _, err := c.symbolsOf(ctx, v, abs); err == nil {
			eachSymbol(a.value, func(s Symbol) {
				away := max(s.Location.Line-max(at.EndLine, at.Line), at.Line-s.Selection.Line, 0)
				if lastPart(s.Name) == last && (bestAway < 0 || away < bestAway) {
					best, bestAway = s.Selection, away
				}
			})
		}
	}
	if bestAway == 0 {
		return best, true
	}
	text, _, err := c.read(abs)
	if err != nil {
		return Location{}, false
	}
	for line := at.Line; line <= min(max(at.EndLine, at.Line), at.Line+50); line++ {
		if start, end, ok := text.findIdent(line, 1, last); ok {
			return Location{Path: c.relative(abs), Line: line, Col: start, EndLine: line, EndCol: end}, true
		}
	}
	return best, bestAway >= 0
}

// notFound names what comes near.
func notFound(name, last string, all []declaration) error {
	var near []string
	for _, d := range all {
		if full := d.full(); !slices.Contains(near, full) && len(near) < 5 {
			near = append(near, full)
		}
	}
	if len(near) == 0 {
		return fmt.Errorf("symbol %q: %w", name, ErrNotFound)
	}
	return fmt.Errorf("symbol %q: %w; near names: %s", name, ErrNotFound, strings.Join(near, ", "))
}
