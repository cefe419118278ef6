package api

import (
	"context"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	v1 "github.com/findspot/findspot/examples/serve/api/findspotv1"
	"github.com/findspot/findspot/examples/serve/api/internal/message"
)

// What one answer holds at most, whatever is asked.
const (
	maxHits     = 1000 // of searches
	maxNodes    = 5000 // of a walk
	maxTextHits = 5000
	maxIDs      = 500
	maxLines    = 2000 // of a file
)

// within checks a number that is to lie between 0, which stands for the default, and a bound.
func within(name string, n int32, most int) (int, error) {
	if n < 0 || int(n) > most {
		return 0, invalid("%q is %d: give 0 for the default, or a number up to %d", name, n, most)
	}
	return int(n), nil
}

// code has the methods about code.
type code struct{ *Service }

func (h code) ListRepositories(context.Context, *v1.ListRepositoriesRequest) (*v1.RepositoryList, error) {
	repos, err := h.ws.Repos()
	if err != nil {
		return nil, err
	}
	return &v1.RepositoryList{Repositories: message.Each[v1.Repository](repos, h.mask())}, nil
}

func (h code) SearchCode(ctx context.Context, r *v1.SearchCodeRequest) (*v1.CodeResults, error) {
	if strings.TrimSpace(r.Query) == "" {
		return nil, invalid(`"query" is empty`)
	}
	limit, err := within("limit", r.Limit, maxHits)
	if err != nil {
		return nil, err
	}
	res, err := h.ws.SearchCode(ctx, r.Query, &codegraph.SearchOptions{
		Limit: limit, Kinds: words[codegraph.Kind](r.Kinds), Paths: r.Paths, Tests: r.Tests, Generated: r.Generated, View: codegraph.View(r.View),
	})
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.CodeResults](res, h.mask()), nil
}

func (h code) Traverse(ctx context.Context, r *v1.TraverseRequest) (*v1.Walk, error) {
	if err := checkIDs(r.Ids); err != nil {
		return nil, err
	}
	limit, err := within("limit", r.Limit, maxNodes)
	if err != nil {
		return nil, err
	}
	walk, err := h.ws.Traverse(ctx, r.Ids, &codegraph.TraverseOptions{
		Direction: codegraph.Direction(r.Direction), Hops: int(r.Hops), Kinds: words[codegraph.Kind](r.Kinds), Edges: words[codegraph.EdgeKind](r.Edges),
		MinLevel: codegraph.Level(r.MinLevel), Tests: r.Tests, Generated: r.Generated, Limit: limit,
	})
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.Walk](walk, h.mask()), nil
}

func (h code) Retrieve(ctx context.Context, r *v1.RetrieveRequest) (*v1.RetrieveResponse, error) {
	if err := checkIDs(r.Ids); err != nil {
		return nil, err
	}
	list, err := h.ws.Retrieve(ctx, r.Ids, &codegraph.RetrieveOptions{View: codegraph.View(r.View), Numbers: r.Numbers})
	if err != nil {
		return nil, asked(err)
	}
	return &v1.RetrieveResponse{Entities: message.Each[v1.Retrieved](list, h.mask())}, nil
}

func checkIDs(ids []string) error {
	if len(ids) == 0 || len(ids) > maxIDs {
		return invalid(`"ids" has %d: give 1 to %d`, len(ids), maxIDs)
	}
	return nil
}

func (h code) Locate(ctx context.Context, r *v1.LocateRequest) (*v1.LocateResults, error) {
	if strings.TrimSpace(r.Text) == "" {
		return nil, invalid(`"text" is empty`)
	}
	limit, err := within("limit", r.Limit, maxHits)
	if err != nil {
		return nil, err
	}
	res, err := h.ws.Locate(ctx, r.Text, &codegraph.LocateOptions{
		Limit: limit, Files: int(r.Files), PerFile: int(r.PerFile), Lines: int(r.Lines), Kinds: words[codegraph.Kind](r.Kinds), Paths: r.Paths,
	})
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.LocateResults](res, h.mask()), nil
}

func (h code) ReadLines(ctx context.Context, r *v1.ReadLinesRequest) (*v1.Item, error) {
	if filepath.IsAbs(r.Path) || strings.HasPrefix(r.Path, "/") {
		return nil, invalid("\"path\" is absolute: give it from the root of a repository, as answers have it")
	}
	first := max(int(r.First), 1)
	last := first + maxLines - 1
	if r.Last > 0 {
		last = min(last, int(r.Last))
	}
	it, err := h.ws.ReadLines(ctx, r.Path, first, last)
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.Item](it, h.mask()), nil
}

func (h code) SearchText(ctx context.Context, r *v1.SearchTextRequest) (*v1.TextMatches, error) {
	if r.Pattern == "" {
		return nil, invalid(`"pattern" is empty`)
	}
	limit, err := within("limit", r.Limit, maxTextHits)
	if err != nil {
		return nil, err
	}
	res, err := h.ws.SearchText(ctx, r.Pattern, &findspot.GrepOptions{Regexp: r.Regexp, Word: r.Word, IgnoreCase: r.IgnoreCase, Path: r.Path, Limit: limit})
	if err != nil {
		return nil, asked(err)
	}
	return message.Fill[v1.TextMatches](res, h.mask()), nil
}

// words are the texts of a request as the library has them.
func words[T ~string](list []string) []T {
	var out []T
	for _, s := range list {
		out = append(out, T(s))
	}
	return out
}
