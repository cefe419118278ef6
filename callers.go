package findspot

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/callers"
)

// A Verdict tells "there are none" from "we could not tell".
type Verdict string

// The verdicts.
const (
	Found        Verdict = "found"         // there are callers, and they are listed
	NoneKnown    Verdict = "none known"    // none was found, and something could not be looked at or explained; Why says what
	VerifiedNone Verdict = "verified none" // the source was read within the call, the language server's answer was complete, no reference to the name is unresolved, every place where the name is written was explained, no place puts the name together, and nothing outside of the repository is known to call it
)

// A Caller is an entity that calls, or else uses, the one asked for.
type Caller struct {
	Key    string               `json:"key,omitempty"`  // in an Answer: key of its item
	Code   []string             `json:"code,omitempty"` // in an Answer: keys of the items that hold its code, in order of lines
	Entity codegraph.Entity     `json:"entity"`         // the innermost entity around the sites
	Call   bool                 `json:"call"`           // it calls; false: it imports, passes on, or names it otherwise
	Sites  []codegraph.Location `json:"sites"`          // places of the name, in order
	Text   string               `json:"text"`           // the line of the first site, without leading blanks
	Via    string               `json:"via"`            // what gave it: a language server with its version, "graph" or "text"
	Level  codegraph.Level      `json:"level,omitempty"`
	Repo   string               `json:"repo,omitempty"`
}

// CallersResult is the answer to "who calls this?".
type CallersResult struct {
	Key         string             `json:"key,omitempty"` // in an Answer: key of the item that states the verdict
	Asked       string             `json:"asked"`
	Symbols     []codegraph.Entity `json:"symbols"`          // what the name was taken for; more than one when it is not unique
	Verdict     Verdict            `json:"verdict"`          // about all uses, not calls alone
	Via         string             `json:"via"`              // the strongest source that gave callers or made the verdict
	Callers     []Caller           `json:"callers"`          // calls first, then other uses; each by id
	Tests       int                `json:"tests"`            // how many of Callers are test code
	Unresolved  int                `json:"unresolved"`       // references to the name that the graph could not place
	Outside     int                `json:"outside"`          // references to the name that lead outside of the repository
	Looked      []string           `json:"looked"`           // what was searched: servers with their state, the graph, the text of how many files
	Code        *CallersCode       `json:"code,omitempty"`   // how far the callers' code was read; nil when it was not asked for
	Unexplained int                `json:"unexplained"`      // lines where the name is written that nothing explains
	Unread      []string           `json:"unread,omitempty"` // places the first of them, as path:line; at most 20
	Why         []string           `json:"why,omitempty"`    // what limits the answer, such as a language server that is not installed
	Checked     time.Time          `json:"checked"`          // when the sources were read
}

// maxSymbols bounds the entities that one name may stand for in one question.
const maxSymbols = 8

// Callers tells who calls or uses the symbol of that name: an entity's id, or a name as people write it, such as
// "detect_pss" or "Server.Run". It asks the language server, then the code graph, then the text of the files, and says
// for each caller which of them knew it. The sources are read again before.
//
// A name that stands for several entities is answered for all of them together, and Symbols lists them. A name that is no
// entity but is written in the code, such as a constant's, is asked of the language server and of the text. A name that
// is neither is an error wrapping [ErrNotFound], with near names.
func (w *Workspace) Callers(ctx context.Context, name string, o *CallersOptions) (*CallersResult, error) {
	repos, err := w.openRepos(ctx)
	if err != nil {
		return nil, err
	}
	if len(repos) == 0 {
		return nil, fmt.Errorf("callers of %q: no repository in workspace %s: add one", name, w.dir)
	}
	var opt CallersOptions
	if o != nil {
		opt = *o
	}
	if opt.ServerTimeout <= 0 {
		opt.ServerTimeout = 30 * time.Second
	}
	res := &CallersResult{Asked: name, Callers: []Caller{}, Symbols: []codegraph.Entity{}, Looked: []string{}, Checked: time.Now().UTC()}
	var near []string
	none, known := VerifiedNone, false
	for _, r := range repos {
		local, ok := r.LocalID(name)
		if !ok {
			continue
		}
		if err := r.Index().Refresh(ctx); err != nil {
			return nil, err
		}
		g := r.Graph()
		symbols := g.Named(local)
		symbols = slices.DeleteFunc(symbols, func(e codegraph.Entity) bool {
			return e.Kind != codegraph.KindClass && e.Kind != codegraph.KindFunction
		})
		if len(symbols) == 0 {
			// A constant, a variable or a field is no entity, and can be asked for all the same.
			written, err := r.Written(ctx, local)
			if err != nil {
				return nil, err
			}
			if !written {
				near = append(near, g.Near(local, 5)...)
				continue
			}
			known = true
		}
		if len(symbols) > maxSymbols {
			var ids []string
			for _, e := range symbols {
				ids = append(ids, r.ID(e.ID))
			}
			return nil, fmt.Errorf("callers of %q: it names %d entities, ask for one of them, such as %s", name, len(ids), strings.Join(ids[:maxSymbols], ", "))
		}
		found, err := callers.Search(ctx, r, g, local, symbols, callers.Options{NoServers: w.opt.NoServers, Timeout: opt.ServerTimeout})
		if err != nil {
			return nil, err
		}
		if found.Verdict == callers.NoneKnown {
			none = NoneKnown
		}
		res.add(found)
	}
	if len(res.Symbols) == 0 && !known {
		err := fmt.Errorf("callers of %q: %w", name, ErrNotFound)
		if len(near) > 0 {
			err = fmt.Errorf("%w; near names: %s", err, strings.Join(near, ", "))
		}
		return nil, err
	}
	slices.SortStableFunc(res.Callers, func(a, b Caller) int {
		return cmp.Or(-cmp.Compare(b2i(a.Call), b2i(b.Call)), cmp.Compare(a.Repo, b.Repo), cmp.Compare(a.Entity.ID, b.Entity.ID))
	})
	res.Verdict = none
	if len(res.Callers) > 0 {
		res.Verdict = Found
	}
	for _, c := range res.Callers {
		res.Tests += b2i(c.Entity.Test)
	}
	return res, nil
}

// CallersOptions of [Workspace.Callers].
type CallersOptions struct {
	// ServerTimeout bounds all that language servers are asked in one repository, their start included; 0 means 30 s. After it the answer
	// comes from the graph and the text, and Why says that the server did not answer.
	ServerTimeout time.Duration
}

// add takes in what one repository gave.
func (res *CallersResult) add(s *callers.Result) {
	res.Symbols = append(res.Symbols, s.Symbols...)
	res.Via = cmp.Or(res.Via, s.Via)
	for _, u := range s.Uses {
		res.Callers = append(res.Callers, Caller{Entity: u.Entity, Call: u.Call, Sites: u.Sites, Text: u.Text, Via: u.Via, Level: u.Level, Repo: u.Repo})
	}
	res.Unresolved += s.Unresolved
	res.Outside += s.Outside
	res.Looked = append(res.Looked, s.Looked...)
	res.Unexplained += s.Unexplained
	res.Unread = append(res.Unread, s.Unread[:min(len(s.Unread), callers.MaxUnread-len(res.Unread))]...)
	for _, why := range s.Why {
		if !slices.Contains(res.Why, why) {
			res.Why = append(res.Why, why)
		}
	}
}

func b2i(b bool) int {
	if b {
		return 1
	}
	return 0
}
