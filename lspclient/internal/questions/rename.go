package questions

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// RenameResult is lspclient.RenameResult, documented there.
type RenameResult struct {
	Target place.Location
	session.Answer
	OldName    string
	NewName    string
	Files      []edit.FileEdits
	Operations []edit.FileOperation
	Collisions []place.Location
	Diff       string
	Total      int
}

// Renamer previews the renaming of a symbol.
type Renamer struct {
	pool *session.Pool
	find *Finder
}

// Rename previews the renaming of the target.
func (c *Renamer) Rename(ctx context.Context, t symbols.Query, newName string, around int) (*RenameResult, error) {
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	spot, err := c.find.resolver.Resolve(ctx, t)
	if err != nil {
		return nil, named(t, err)
	}
	if err := checkName(spot.Server.Spec.LanguageOf(spot.Abs), newName); err != nil {
		return nil, err
	}
	spot, err = c.definitionSpot(ctx, spot)
	if err != nil {
		return nil, named(t, err)
	}
	a, err := c.renamed(ctx, spot, newName)
	if err != nil {
		return nil, named(t, err)
	}
	p := edit.NewPreview(c.pool)
	if err := p.Add(a.Session, a.Value.edit); err != nil {
		return nil, a.Session.Fail(protocol.MethodTextDocumentRename, err)
	}
	half, err := c.renameCounterparts(ctx, p, &a, newName)
	if err != nil {
		return nil, named(t, err)
	}
	r := &RenameResult{
		Target: a.Value.at.target, OldName: a.Value.at.ident, NewName: newName, Answer: a.Answer(),
		Operations: p.Operations, Collisions: []place.Location{},
	}
	r.Note = excerpt.Join(spot.Note, r.Note, a.Value.at.note)
	if r.Files, r.Diff, err = p.Files(around); err != nil {
		return nil, a.Session.Fail(protocol.MethodTextDocumentRename, err)
	}
	var odd []string
	for _, f := range r.Files {
		r.Total += len(f.Edits)
		if p.Transcoded(f.Path) {
			half = excerpt.Join(half, f.Path+" is not in UTF-8, and the diff, which is, does not apply to it")
		}
		for _, e := range f.Edits {
			if !strings.Contains(e.Old, r.OldName) && len(odd) < 4 {
				odd = append(odd, fmt.Sprintf("%s:%d:%d", e.Location.Path, e.Location.Line, e.Location.Col))
			}
		}
	}
	if left := p.Remaining(r.Files, r.OldName); left != "" {
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("%q remains in the same files, in comments, in strings or as another symbol: %s", r.OldName, left))
	}
	if r.Collisions, err = c.collisions(ctx, spot, r.Target, newName); err != nil {
		return nil, named(t, err)
	}
	if len(r.Collisions) > 0 {
		at := r.Collisions[0]
		r.Note = excerpt.Join(r.Note, fmt.Sprintf("%q is already declared there, at %s:%d:%d", newName, at.Path, at.Line, at.Col))
	}
	var weak string
	switch {
	case len(odd) > 0:
		weak = fmt.Sprintf("some edits replace something else than %q: %s", r.OldName, strings.Join(odd, ", "))
	case r.Total == 0 && len(r.Operations) == 0:
		weak = "the server gave no edit at all, not even of the definition"
	case !slices.ContainsFunc(r.Files, func(f edit.FileEdits) bool {
		return slices.ContainsFunc(f.Edits, func(e edit.Edit) bool { return e.Location.Overlaps(r.Target) })
	}):
		weak = "the edits leave out the definition itself"
	default:
		if other := c.find.mentionedElsewhere(ctx, spot, r.OldName); len(other) > 0 {
			weak = fmt.Sprintf("%q also occurs in workspace folders that this server does not read: %s", r.OldName, strings.Join(other, ", "))
		}
	}
	a.Session.Degrade(&r.Answer, half, weak, a.Value.lack, a.Value.edit.Lost.String())
	return r, nil
}

// renamed asks for the edits that rename what is at a spot.
func (c *Renamer) renamed(ctx context.Context, spot *symbols.Spot, newName string) (session.Reply[renaming], error) {
	return session.Ask(ctx, spot.Server, session.Question[renaming]{
		Method: protocol.MethodTextDocumentRename,
		Same:   func(a, b renaming) bool { return a.at.target == b.at.target && a.raw == b.raw },
		Open:   spot.Show,
		Ask: func(ctx context.Context, s *session.Session) (renaming, error) {
			return rename(ctx, s, spot, newName)
		},
	})
}

// renaming is what a question for a renaming came to.
type renaming struct {
	at   found
	edit edit.WorkspaceEdit
	raw  string // to compare two answers
	lack string // why edits may be missing, "" when nothing is known to
}

// rename asks whether there is something to rename, then for the edits.
func rename(ctx context.Context, s *session.Session, at *symbols.Spot, newName string) (renaming, error) {
	var r renaming
	options, ok := s.Provider(protocol.MethodTextDocumentRename)
	if !ok {
		return r, s.Unsupported("renaming")
	}
	f, pos, err := pointAt(ctx, s, at)
	if err != nil {
		return r, err
	}
	r.at = f
	if f.ident == newName {
		return r, fmt.Errorf("%q is already its name: %w", newName, errs.Unsupported)
	}
	var w struct {
		Prepare bool `json:"prepareProvider"`
	}
	if wire.Kind(options) == '{' && wire.Unmarshal(options, &w) == nil && w.Prepare {
		var p wire.PreparedRename
		if err := s.Call(ctx, protocol.MethodTextDocumentPrepareRename, &pos, &p); err != nil {
			return r, err
		}
		if !p.OK {
			return r, fmt.Errorf("%s says that %q at %s:%d:%d cannot be renamed: %w", s.Label, f.ident, f.target.Path, f.target.Line, f.target.Col, errs.Unsupported)
		}
	}
	if r.lack, err = complete.Of(s).OpenUsers(ctx, protocol.MethodTextDocumentRename, f.ident, pos); err != nil {
		return r, err
	}
	err = s.Call(ctx, protocol.MethodTextDocumentRename, &protocol.RenameParams{
		TextDocumentPositionParams: pos, NewName: newName,
	}, &r.edit)
	r.raw, r.edit.Raw = r.edit.Raw, ""
	return r, err
}

// definitionSpot returns the place of the definition, if that is one of the same name below the root; a definition of
// another name means that the spot is an alias, which is renamed itself.
func (c *Renamer) definitionSpot(ctx context.Context, at *symbols.Spot) (*symbols.Spot, error) {
	r, err := c.find.Definition(ctx, symbols.At(c.pool.Tree.Relative(at.Abs), at.Line, at.Col), nil)
	if errors.Is(err, errs.Unsupported) {
		return at, nil
	}
	if err != nil {
		return nil, err
	}
	if slices.ContainsFunc(r.Locations, func(l place.Location) bool { return l.Overlaps(r.Target) }) {
		return at, nil // it is a definition itself
	}
	text, _, err := source.ReadFile(at.Abs)
	if err != nil {
		return nil, err
	}
	row, _ := text.Line(r.Target.Line)
	ident := ""
	if r.Target.EndCol-1 <= len(row) && r.Target.Col <= r.Target.EndCol {
		ident = string(row[r.Target.Col-1 : r.Target.EndCol-1])
	}
	outside := ""
	for _, def := range r.Locations {
		if def.Outside() {
			outside = def.Path
			continue
		}
		abs := c.pool.Absolute(def.Path)
		text, _, err := source.ReadFile(abs)
		if err != nil {
			continue
		}
		start, _, ok := text.FindIdent(def.Line, def.Col, ident)
		if !ok {
			continue
		}
		v, err := c.pool.ServerFor(ctx, abs)
		if err != nil || v != at.Server {
			continue
		}
		moved := *at
		moved.Abs, moved.Line, moved.Col = abs, def.Line, start
		return &moved, nil
	}
	if outside != "" && len(r.Locations) == 1 {
		return nil, fmt.Errorf("%q is defined in %s, outside the root, and cannot be renamed: %w", ident, outside, errs.Unsupported)
	}
	return at, nil
}

// collisions lists the declarations of a name beside the one at a place.
func (c *Renamer) collisions(ctx context.Context, at *symbols.Spot, target place.Location, name string) ([]place.Location, error) {
	out := []place.Location{}
	a, _, err := c.find.symbols.Document(ctx, at.Server, at.Abs)
	if errors.Is(err, errs.Unsupported) {
		return out, nil
	}
	if err != nil {
		return nil, err
	}
	container, known := "", false
	place.Each(a.Value, func(s place.Symbol) {
		if s.Selection.Overlaps(target) {
			container, known = s.Container, true
		}
	})
	place.Each(a.Value, func(s place.Symbol) {
		if known && s.Container == container && symbolname.Last(s.Name) == name {
			out = append(out, s.Selection)
		}
	})
	slices.SortFunc(out, place.Compare)
	return slices.Compact(out), nil
}

// checkName reports what is wrong with a new name.
func checkName(language, name string) error {
	bad := func(format string, args ...any) error {
		return fmt.Errorf("new name %q: "+format+": %w", append(append([]any{excerpt.Clip(name, 100)}, args...), errs.Unsupported)...)
	}
	switch s, e := source.NextIdent([]byte(name), 0); {
	case name == "":
		return bad("it is empty")
	case len(name) > symbolname.MaxLength:
		return bad("it has %d bytes, the limit is %d", len(name), symbolname.MaxLength)
	case s != 0 || e != len(name):
		return bad("it is no identifier: letters, digits and _ are meant, no digit first")
	case strings.ContainsRune(name, '$') && !dollars[language]:
		return bad("%s has no $ in identifiers", cmpOr(language, "the language"))
	case reserved(language, name):
		return bad("it is a keyword of %s", cmpOr(language, "the language"))
	case name == "_":
		return bad("it names nothing")
	}
	return nil
}

func cmpOr(a, b string) string {
	if a == "" {
		return b
	}
	return a
}
