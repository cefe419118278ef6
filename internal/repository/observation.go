package repository

import (
	"bytes"
	"context"
	"crypto/sha256"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/lspclient"
)

// MaxObserved bounds what is kept of a repository.
const MaxObserved = 200_000

// observed is what language servers said of a repository.
type observed struct {
	mu    sync.Mutex
	seen  []lang.Observation
	known map[lang.Observation]bool
	of    *codegraph.Graph // the graph that seen was laid over
	graph *codegraph.Graph // and what that gave
	sum   codegraph.Overlaid
}

// Observation is one use as the graph takes it. It is not ok when the name does not stand there: then the file has changed
// since the server answered, or the use goes by another name, which the graph has no edge for.
func (r *Repository) Observation(refs *lspclient.Result, at lspclient.Location, name string) (lang.Observation, bool) {
	data, err := r.Raw(at.Path)
	if err != nil {
		return lang.Observation{}, false
	}
	text := charset.UTF8(at.Path, data)
	line, ok := lineAt(text, at.Line)
	if !ok || at.EndLine != at.Line || at.Col < 1 || at.EndCol-1 > len(line) || at.EndCol <= at.Col || string(line[at.Col-1:at.EndCol-1]) != name {
		return lang.Observation{}, false
	}
	to := refs.Target
	return lang.Observation{
		At:   lang.Place{Path: at.Path, Line: int32(at.Line), Col: int32(at.Col), EndLine: int32(at.EndLine), EndCol: int32(at.EndCol)},
		To:   lang.Place{Path: to.Path, Line: int32(to.Line), Col: int32(to.Col), EndLine: int32(to.EndLine), EndCol: int32(to.EndCol)},
		Name: name, Call: calledAt(text, at), By: refs.Server, Hash: sha256.Sum256(data),
	}, true
}

// lineAt gives a line of a text, without its end.
func lineAt(text []byte, n int) ([]byte, bool) {
	for i := 1; ; i++ {
		end := slices.Index(text, '\n')
		if i == n {
			if end >= 0 {
				text = text[:end]
			}
			return []byte(strings.TrimRight(string(text), "\r")), n >= 1
		}
		if end < 0 {
			return nil, false
		}
		text = text[end+1:]
	}
}

// Believe keeps what servers said, and returns how many of the list are kept.
func (r *Repository) Believe(list []lang.Observation) int {
	o := &r.observed
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.known == nil {
		o.known = map[lang.Observation]bool{}
	}
	kept := 0
	for _, x := range list {
		if o.known[x] {
			kept++
			continue
		}
		if len(o.seen) >= MaxObserved {
			continue
		}
		kept++
		o.known[x] = true
		o.seen = append(o.seen, x)
		o.of = nil
	}
	return kept
}

// calledAt reports whether the name at a place is called there.
func calledAt(data []byte, at lspclient.Location) bool {
	for range at.EndLine - 1 {
		i := bytes.IndexByte(data, '\n')
		if i < 0 {
			return false
		}
		data = data[i+1:]
	}
	return at.EndCol >= 1 && at.EndCol-1 <= len(data) && text.Called(data, at.EndCol-1)
}

// Graph gives the current graph of the repository, with what language servers said of the files as they are.
func (r *Repository) Graph() *codegraph.Graph {
	g := r.Index().Graph()
	o := &r.observed
	o.mu.Lock()
	defer o.mu.Unlock()
	if len(o.seen) == 0 {
		return g
	}
	if o.of != g {
		over, sum, err := g.Overlay(context.Background(), o.seen)
		if err != nil { // only the end of a context is one
			return g
		}
		o.of, o.graph, o.sum = g, over, sum
	}
	return o.graph
}

// Overlaid says what became of all that servers said of the repository so far.
func (r *Repository) Overlaid() codegraph.Overlaid {
	r.Graph()
	r.observed.mu.Lock()
	defer r.observed.mu.Unlock()
	return r.observed.sum
}
