package agenttools

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"sync"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
)

// A Session is what the tools of one set share: the ledger that gives all they return its keys, and what the last search found.
type Session struct {
	Ledger *evidence.Ledger
	Guard  Guard

	own skill.Scope // for calls that have no scope
}

// AtMost is a limit that was asked for, within bounds.
func AtMost(asked, normal, most int) int {
	if asked <= 0 {
		return normal
	}
	return min(asked, most)
}

// NotHere adds a way out to an error about something that is not there.
func NotHere(err error, hint string) error {
	if errors.Is(err, errs.NotFound) {
		return fmt.Errorf("%w; %s", err, hint)
	}
	return err
}

// A Find is what the last search or reference call named, so that the tool read can show it.
type Find struct {
	Tool, Query string
	Items       []evidence.Item

	sync.Mutex     // guards State
	State      any // how far it was read
}

// findKey is where a scope keeps the last find of a set of tools.
type findKey struct{ s *Session }

// scope is where a call remembers.
func (s *Session) scope(ctx context.Context) *skill.Scope {
	if scope := skill.ScopeOf(ctx); scope != nil {
		return scope
	}
	return &s.own
}

// Remember makes items the last find. A find without results is one too: what was found before it is not meant any more.
func (s *Session) Remember(ctx context.Context, tool, query string, list []evidence.Item) {
	s.scope(ctx).Store(findKey{s}, &Find{Tool: tool, Query: query, Items: slices.Clone(list)})
}

// LastFind is the last find of a call's scope; nil for none.
func (s *Session) LastFind(ctx context.Context) *Find {
	f, _ := s.scope(ctx).Load(findKey{s}).(*Find)
	return f
}
