package questions

import (
	"context"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// Asker has the questions that can be put to the servers of a pool.
type Asker struct {
	Symbols  *symbols.Lister
	Resolver *symbols.Resolver
	Places   *Finder
	Calls    *CallFinder
	Renames  *Renamer
}

// New returns the questions to the servers of a pool. Locate finds places of a name that the servers do not know; nil: no
// such help.
func New(pool *session.Pool, locate func(ctx context.Context, name string) ([]place.Location, error)) *Asker {
	list := symbols.NewLister(pool)
	find := &Finder{pool: pool, symbols: list}
	find.resolver = symbols.NewResolver(pool, list, locate, find.definedAt)
	return &Asker{list, find.resolver, find, &CallFinder{pool, find}, &Renamer{pool, find}}
}
