package findspot

import (
	"context"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/lspclient"
)

// A Placed is a place that a language server gave, joined with the code graph.
type Placed struct {
	// Entity is the innermost function or class around the place, else its file. Its id begins with the repository's name where
	// there are several. It is the zero Entity outside of the repository.
	Entity codegraph.Entity `json:"entity"`
	lspclient.Location
	Text string `json:"text"` // the place's first line, without the blanks around it, at most 1,000 bytes; "" outside of the repository
}

// Places is a language server's answer about one symbol, with the function or class around each place. It says of itself
// what [lspclient.Result] does: an empty list means "none" only when None says so.
type Places struct {
	lspclient.Result
	Repo   string   `json:"repo,omitempty"` // the repository's name where there are several
	Placed []Placed `json:"locations"`      // one for each of Locations, in their order; never null in JSON
}

// Entities lists the functions, classes and files that hold the places, each once, in the order of the places.
func (p *Places) Entities() []codegraph.Entity {
	out := []codegraph.Entity{}
	seen := map[string]bool{}
	for _, x := range p.Placed {
		if x.Entity.ID != "" && !seen[x.Entity.ID] {
			seen[x.Entity.ID] = true
			out = append(out, x.Entity)
		}
	}
	return out
}

func placeOf(ctx context.Context, j *repository.Locator, l lspclient.Location) Placed {
	p := Placed{Location: l}
	if !l.Outside() {
		p.Entity, p.Text = j.Enclosing(ctx, l.Path, l.Line), j.Line(l.Path, l.Line)
	}
	return p
}

func placesOf(ctx context.Context, j *repository.Locator, list []lspclient.Location) []Placed {
	out := make([]Placed, 0, len(list))
	for _, l := range list {
		out = append(out, placeOf(ctx, j, l))
	}
	return out
}

// placed joins an answer with the graph.
func placed(ctx context.Context, r *repository.Repository, res *lspclient.Result) *Places {
	j := r.Locator(ctx)
	p := &Places{Result: *res, Repo: r.Label(), Placed: placesOf(ctx, j, res.Locations)}
	p.Note = joinNotes(p.Note, j.Note)
	return p
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}
