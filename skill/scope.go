package skill

import (
	"context"
	"sync"
)

// A Scope holds what tools remember from one call to the next: what "the last result" is, for example. Each run has
// its own, so that two runs over one set of tools do not see each other's. It is safe for concurrent use.
type Scope struct{ m sync.Map }

type scopeKey struct{}

// WithScope returns a context in which tools remember in a scope of its own: for a host that serves several
// conversations with one set of tools. Under a runner.Run there is one already.
func WithScope(ctx context.Context, s *Scope) context.Context {
	return context.WithValue(ctx, scopeKey{}, s)
}

// ScopeOf returns the scope of a call; nil when it has none.
func ScopeOf(ctx context.Context) *Scope {
	s, _ := ctx.Value(scopeKey{}).(*Scope)
	return s
}

// Load returns what was stored under key, nil for nothing. Keys are compared; their types keep tools apart.
func (s *Scope) Load(key any) any {
	v, _ := s.m.Load(key)
	return v
}

// Store keeps a value under key, in place of what was there.
func (s *Scope) Store(key, value any) { s.m.Store(key, value) }
