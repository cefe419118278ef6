package lspclient

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// defaultLimit bounds the locations of a result.
const defaultLimit = 1000

// Definition returns where the target is defined, usually one place. A method of an interface can have several.
//
// A name that means several symbols is an *AmbiguousError, one that means none wraps ErrNotFound; a language whose
// servers are missing is a *NotInstalledError; a server that fails, or does not answer in time, is a *ServerError.
func (c *Client) Definition(ctx context.Context, t Target, o *QueryOptions) (*Result, error) {
	if o == nil {
		o = &QueryOptions{}
	}
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	spot, a, err := c.places(ctx, t, placeQuestion{
		method: protocol.MethodTextDocumentDefinition,
		what:   "definitions",
		offer:  func(s *session) any { return s.caps.DefinitionProvider },
		ask: func(ctx context.Context, s *session, pos protocol.TextDocumentPositionParams) ([]place, error) {
			var r protocol.DefinitionResult
			err := s.call(ctx, protocol.MethodTextDocumentDefinition, &protocol.DefinitionParams{TextDocumentPositionParams: pos}, &r)
			return definitionPlaces(r), err
		},
	})
	if err != nil {
		return nil, c.named(t, err)
	}
	r := result(a, o.Limit)
	if spot.declared && r.Total == 0 && r.State == Complete {
		// The place came from the server's own list of declarations, where some have nothing more to say.
		r.Locations, r.Total = []Location{r.Target}, 1
	}
	r.Note = joinNotes(spot.note, r.Note)
	return r, nil
}

// References returns where the target is used, in the files the server knows. The errors are those of
// [Client.Definition]. An empty list means "none" only when [Result.None] says so.
func (c *Client) References(ctx context.Context, t Target, o *ReferenceOptions) (*Result, error) {
	if o == nil {
		o = &ReferenceOptions{}
	}
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	spot, a, err := c.places(ctx, t, placeQuestion{
		method: protocol.MethodTextDocumentReferences,
		what:   "references",
		offer:  func(s *session) any { return s.caps.ReferencesProvider },
		ask: func(ctx context.Context, s *session, pos protocol.TextDocumentPositionParams) ([]place, error) {
			var r []protocol.Location
			err := s.call(ctx, protocol.MethodTextDocumentReferences, &protocol.ReferenceParams{
				TextDocumentPositionParams: pos,
				Context:                    protocol.ReferenceContext{IncludeDeclaration: o.Declaration},
			}, &r)
			return referencePlaces(r), err
		},
	})
	if err != nil {
		return nil, c.named(t, err)
	}
	r := result(a, o.Limit)
	if r.State == Complete {
		if other := c.mentionedElsewhere(ctx, spot, a.value.ident); len(other) > 0 {
			r.State = Degraded
			r.Reason = fmt.Sprintf("%q also occurs in workspace folders that this server does not read: %s", a.value.ident, strings.Join(other, ", "))
		}
	}
	r.Note = joinNotes(spot.note, r.Note)
	return r, nil
}

// placeQuestion is a question about a symbol that is answered with places.
type placeQuestion struct {
	method string
	what   string             // what a server that cannot answer does not offer
	offer  func(*session) any // the server's capability for it
	ask    func(context.Context, *session, protocol.TextDocumentPositionParams) ([]place, error)
}

// places resolves the target and asks the server that is responsible for it.
func (c *Client) places(ctx context.Context, t Target, q placeQuestion) (*spot, answer[found], error) {
	spot, err := c.resolve(ctx, t)
	if err != nil {
		return nil, answer[found]{}, err
	}
	a, err := ask(ctx, spot.server, question[found]{
		method: q.method,
		same:   sameFound,
		show:   spot.show,
		ask: func(ctx context.Context, s *session) (found, error) {
			if !offers(q.offer(s)) {
				return found{}, unsupported(s, q.what)
			}
			f, pos, err := s.pointAt(ctx, spot)
			if err != nil {
				return f, err
			}
			f.places, err = q.ask(ctx, s, pos)
			return f, err
		},
	})
	return spot, a, err
}

// named adds the target to an error that says nothing about anything, such as that of a context.
func (c *Client) named(t Target, err error) error {
	if err == context.DeadlineExceeded || err == context.Canceled {
		return &ServerError{Server: "not asked yet", Err: fmt.Errorf("%v: %w", t, err)}
	}
	return err
}

// spot is a resolved target: a place in a file, and the server that is responsible for it.
type spot struct {
	server    *server
	abs       string
	line, col int
	declared  bool   // the place is a declaration that a server listed
	note      string // what was assumed
}

func (at *spot) show(ctx context.Context, s *session) error {
	_, err := s.open(ctx, at.abs)
	return err
}

// found is what a question about a spot came to, still in the server's terms.
type found struct {
	target Location
	ident  string // the identifier at the target
	note   string
	places []place
}

func sameFound(a, b found) bool { return a.target == b.target && samePlaces(a.places, b.places) }

// pointAt opens the file and turns the spot into the position of the identifier there.
func (s *session) pointAt(ctx context.Context, at *spot) (found, protocol.TextDocumentPositionParams, error) {
	var f found
	var pos protocol.TextDocumentPositionParams
	text, err := s.open(ctx, at.abs)
	if err != nil {
		return f, pos, err
	}
	rel := s.srv.client.relative(at.abs)
	start, end, exact, ok := text.identAt(at.line, at.col)
	if !ok {
		if at.line > len(text.starts) || at.line < 1 {
			return f, pos, fmt.Errorf("%s has %d lines, there is no line %d: %w", rel, len(text.starts), at.line, ErrNotFound)
		}
		return f, pos, fmt.Errorf("%s:%d has no identifier: %w", rel, at.line, ErrNotFound)
	}
	line, _ := text.line(at.line)
	f.ident = string(line[start-1 : end-1])
	if !exact {
		f.note = fmt.Sprintf("column %d is on no identifier; %q at column %d was taken", at.col, f.ident, start)
	}
	f.target = Location{Path: rel, Line: at.line, Col: start, EndLine: at.line, EndCol: end}
	units, _ := text.units(at.line, start, s.encoding)
	pos.TextDocument.URI = protocolURI(at.abs)
	pos.Position = protocol.Position{Line: uint32(at.line - 1), Character: units}
	return f, pos, nil
}

// result converts an answer.
func result(a answer[found], limit int) *Result {
	conv := a.sess.converter()
	r := &Result{
		Target: a.value.target, Locations: make([]Location, 0, len(a.value.places)),
		Answer: a.said(),
	}
	r.Note = a.value.note
	for _, p := range a.value.places {
		if loc, ok := conv.location(p.uri, p.at); ok {
			r.Locations = append(r.Locations, loc)
		}
	}
	slices.SortFunc(r.Locations, compareLocations)
	r.Locations = slices.Compact(r.Locations)
	if bad := conv.trouble(); bad != "" && r.State == Complete {
		r.State, r.Reason = Degraded, bad
	}
	a.sess.docMu.Lock()
	if a.sess.told.cut && r.State == Complete {
		r.State, r.Reason = Degraded, fmt.Sprintf("more than %d source files: not every change on disk is seen", maxWatched)
	}
	a.sess.docMu.Unlock()
	r.Total = len(r.Locations)
	if limit = cmp.Or(limit, defaultLimit); limit > 0 && len(r.Locations) > limit {
		r.Locations, r.Truncated = r.Locations[:limit], true
	}
	return r
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// offers reports whether a capability, true or an object with options, was announced.
func offers(provider any) bool {
	switch p := provider.(type) {
	case nil:
		return false
	case protocol.Boolean:
		return bool(p)
	case *protocol.Boolean:
		return p != nil && bool(*p)
	}
	return true
}

func unsupported(s *session, what string) error {
	return fmt.Errorf("%s offers no %s: %w", s.label, what, ErrUnsupported)
}
