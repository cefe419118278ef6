package questions

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/complete"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// Finder answers questions about a symbol with places.
type Finder struct {
	pool     *session.Pool
	symbols  *symbols.Lister
	resolver *symbols.Resolver
}

// defaultLimit bounds the locations of a result.
const defaultLimit = 1000

// Result is lspclient.Result, documented there.
type Result struct {
	Target    place.Location
	Locations []place.Location
	Aliases   []place.Location
	session.Answer
	Total     int
	Truncated bool
}

// Options bound the places of an answer.
type Options struct {
	Limit int      // 0 means defaultLimit
	Paths []string // globs; empty: all
}

// WithDefaults returns the options with the defaults filled in.
func (o *Options) WithDefaults() Options {
	var opt Options
	if o != nil {
		opt = *o
	}
	if opt.Limit <= 0 {
		opt.Limit = defaultLimit
	}
	return opt
}

// placesOf asks a question whose answer is places.
func (c *Finder) placesOf(ctx context.Context, t symbols.Query, method, what string, o *Options) (*symbols.Spot, *Result, error) {
	opt := o.WithDefaults()
	paths, err := NewPathFilter(opt.Paths)
	if err != nil {
		return nil, nil, err
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	spot, a, err := c.places(ctx, t, placeQuestion{
		method: method,
		what:   what,
		ask: func(ctx context.Context, s *session.Session, pos protocol.TextDocumentPositionParams, _ string) (wire.Locations, error) {
			var r wire.Locations
			err := s.Call(ctx, method, &pos, &r)
			return r, err
		},
	})
	if err != nil {
		return nil, nil, named(t, err)
	}
	r := result(a, opt.Limit, paths)
	r.Note = excerpt.Join(spot.Note, r.Note)
	return spot, r, nil
}

// References returns where the target is used.
func (c *Finder) References(ctx context.Context, t symbols.Query, declaration bool, o *Options) (*Result, error) {
	opt := o.WithDefaults()
	paths, err := NewPathFilter(opt.Paths)
	if err != nil {
		return nil, err
	}
	ctx, cancel := c.pool.Deadline(ctx)
	defer cancel()
	spot, a, err := c.references(ctx, t, declaration)
	if err != nil {
		return nil, named(t, err)
	}
	r := result(a, opt.Limit, paths)
	if r.State == session.Complete {
		if other := c.mentionedElsewhere(ctx, spot, a.Value.ident); len(other) > 0 {
			r.State = session.Degraded
			r.Reason = fmt.Sprintf("%q also occurs in workspace folders that this server does not read: %s", a.Value.ident, strings.Join(other, ", "))
		}
	}
	r.Note = excerpt.Join(spot.Note, r.Note)
	if importsByName[spot.Server.Spec.LanguageOf(spot.Abs)] {
		v := a.Session.Converter()
		all := r
		if r.Truncated || len(opt.Paths) > 0 {
			all = result(a, 1<<30, nil)
		}
		if r.Aliases = aliases(v, all.Locations); len(r.Aliases) > 0 {
			r.Note = excerpt.Join(r.Note, "imported under another name, whose uses are not counted: "+excerpt.List(wordsAt(v, r.Aliases), 3))
		}
	}
	return r, nil
}

// referencesAt asks for references of one declaration, with the declarations or without them.
func (c *Finder) referencesAt(ctx context.Context, t symbols.Query, declaration bool) (*symbols.Spot, session.Reply[found], error) {
	spot, a, err := c.places(ctx, t, placeQuestion{
		method: protocol.MethodTextDocumentReferences,
		what:   "references",
		ask: func(ctx context.Context, s *session.Session, pos protocol.TextDocumentPositionParams, word string) (wire.Locations, error) {
			return complete.Of(s).References(ctx, pos, word, declaration)
		},
	})
	if err == nil && a.State == session.Complete && a.Value.lost == "" {
		a.Value.lost, err = complete.Of(a.Session).Missing(ctx, asked(spot, a.Value))
	}
	return spot, a, err
}

// placeQuestion is a question about a symbol that is answered with places.
type placeQuestion struct {
	method string
	what   string // what a server that cannot answer does not offer
	ask    func(ctx context.Context, s *session.Session, pos protocol.TextDocumentPositionParams, word string) (wire.Locations, error)
}

// places resolves the target and asks the server that is responsible for it.
func (c *Finder) places(ctx context.Context, t symbols.Query, q placeQuestion) (*symbols.Spot, session.Reply[found], error) {
	spot, err := c.resolver.Resolve(ctx, t)
	if err != nil {
		return nil, session.Reply[found]{}, err
	}
	a, err := session.Ask(ctx, spot.Server, session.Question[found]{
		Method: q.method,
		Same:   sameFound,
		Open:   spot.Show,
		Ask: func(ctx context.Context, s *session.Session) (found, error) {
			if !s.Offers(q.method) {
				return found{}, s.Unsupported(q.what)
			}
			f, pos, err := pointAt(ctx, s, spot)
			if err != nil {
				return f, err
			}
			list, lack, err := complete.Of(s).Mentions.AskAll(ctx, q.method, f.ident, func() (wire.Locations, error) { return q.ask(ctx, s, pos, f.ident) })
			if len(list.Declared) > 0 {
				conv := s.Converter()
				for _, p := range list.Declared {
					if l, ok := conv.Location(p.URI, p.Range); ok && !l.Outside() {
						f.declared = append(f.declared, l)
					}
				}
			}
			f.places, f.lost, f.note = list.List, excerpt.Join(lack, list.Lost.String(), list.Incomplete), excerpt.Join(f.note, list.Note)
			return f, err
		},
	})
	if err == nil && a.State == session.Complete && a.Value.lost == "" {
		a.Value.lost, err = complete.Of(a.Session).Uncertain(ctx, q.method, asked(spot, a.Value))
	}
	return spot, a, err
}

// named adds the target to an error that says nothing about it, such as that of a context that ended before a server was asked.
func named(t symbols.Query, err error) error {
	var failed *session.ServerError
	if (errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled)) && !errors.As(err, &failed) {
		return &session.ServerError{Server: "not asked yet", Err: fmt.Errorf("%v: %w", t, err)}
	}
	return err
}

// found is what a question about a spot came to, still in the server's terms.
type found struct {
	target place.Location
	ident  string // the identifier at the target
	note   string
	places []wire.Location
	// declared are the places below the root that the server gives for its definition, as far as it was asked.
	declared []place.Location
	lost     string // what of the answer was left out
}

// asked is what has to be known of a question to check its answer.
func asked(at *symbols.Spot, f found) complete.Asked {
	return complete.Asked{Abs: at.Abs, Declared: at.Declared, Ident: f.ident, Target: f.target, Places: f.places}
}

func sameFound(a, b found) bool {
	return a.target == b.target && a.lost == b.lost && wire.SameLocations(a.places, b.places)
}

// result converts an answer. Only the files that the filter chooses are read.
func result(a session.Reply[found], limit int, paths pathFilter) *Result {
	conv := a.Session.Converter()
	r := &Result{
		Target: a.Value.target, Locations: make([]place.Location, 0, len(a.Value.places)),
		Answer: a.Answer(),
	}
	r.Note = excerpt.Join(r.Note, a.Value.note)
	for _, p := range a.Value.places {
		if !paths.Match(conv.File(p.URI).Rel) {
			continue
		}
		if loc, ok := conv.Location(p.URI, p.Range); ok {
			r.Locations = append(r.Locations, loc)
		}
	}
	slices.SortFunc(r.Locations, place.Compare)
	r.Locations = slices.Compact(r.Locations)
	a.Session.Degrade(&r.Answer, a.Value.lost, conv.Rejected())
	r.Total = len(r.Locations)
	if len(r.Locations) > limit {
		r.Locations, r.Truncated = r.Locations[:limit], true
	}
	return r
}

// mentionedElsewhere lists the other workspace folders of the server's entry whose files may refer to the identifier at
// the spot, relative to the root and sorted, five at most. These are the folders that hold the word and, if the spot is
// its declaration, also the name of the file or folder it is declared in, without which nobody imports it.
func (c *Finder) mentionedElsewhere(ctx context.Context, at *symbols.Spot, word string) []string {
	list, err := c.pool.Folders(ctx)
	if err != nil {
		return nil
	}
	budget := int64(session.MaxRead)
	var dirs []string
	for _, f := range list {
		if f.Server == nil || f.Server == at.Server || f.Server.Spec != at.Server.Spec || at.Server.ReadsToo(f) || len(dirs) == 5 || !f.Holds(ctx, c.pool.Tree, word, &budget) {
			continue
		}
		stem := strings.TrimSuffix(filepath.Base(at.Abs), filepath.Ext(at.Abs))
		if at.Declared && !f.Holds(ctx, c.pool.Tree, stem, &budget) && !f.Holds(ctx, c.pool.Tree, filepath.Base(filepath.Dir(at.Abs)), &budget) {
			continue
		}
		dirs = append(dirs, c.pool.Tree.Relative(f.Dir))
	}
	slices.Sort(dirs)
	return dirs
}
