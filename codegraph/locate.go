package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"

	"github.com/findspot/findspot/codegraph/internal/locate"
	"github.com/findspot/findspot/codegraph/internal/query"
)

// LocateOptions of [Graph.Locate].
type LocateOptions struct {
	Limit   int      // most spots; 0 means 50
	Files   int      // most files; 0 means 30
	PerFile int      // most classes and functions of one file; 0 means as many as fit
	Lines   int      // most lines of a spot; 0 means 5, -1 none, and no words in the reasons of its text
	Kinds   []Kind   // only these of file, class and function; empty means all three
	Paths   []string // only under these paths or path patterns (path.Match); empty means all
	// History is what is known of past changes of the repository, nil for nothing: files are also scored by what was said of their changes,
	// and by what changed together with the best ones.
	History *History
	// Weights are numbers to rank by in place of those of [LocateWeights], by name: of a repository's own, or 0 to do without a signal.
	Weights map[string]float64
}

// A Spot is a place that a report is likely about.
type Spot struct {
	Entity
	Repo  string   `json:"repo,omitempty"` // of a [Set]: its name
	Score float64  `json:"score"`          // from 0 to 1; of a class or function it is less than that of its file
	Why   []Reason `json:"why"`            // what the score is made of, most first
	Lines []int    `json:"lines"`          // those that hold most words of the report, in order; none when the source changed since it was indexed
}

// A Reason is one thing that speaks for a spot.
type Reason struct {
	Signal string   `json:"signal"` // the name of its weight, see [LocateWeights]
	Score  float64  `json:"score"`  // its part of the spot's score
	Words  []string `json:"words"`  // what was found: stems of words, names, paths, and frames (path:line) of the report; of "near" and "together" the files that this one goes with, of "history" the titles of changes, of "meaning" the nearest class or function
}

// A LocateResult is the answer of [Graph.Locate].
type LocateResult struct {
	Spots     []Spot `json:"spots"`             // best first, ties by id
	Total     int    `json:"total"`             // files that something of the report leads to
	Truncated bool   `json:"truncated"`         // there are more files, or more classes and functions of these, than Spots holds
	Vectors   int    `json:"vectors,omitempty"` // functions and classes whose vectors were compared with the report's; 0 where words alone ranked
	// VectorsError says why vectors were left out of a ranking that would have compared them.
	VectorsError string `json:"vectors_error,omitempty"`
}

// FileSpots are the spots of one file.
type FileSpots struct {
	Path  string  `json:"path"`
	Repo  string  `json:"repo,omitempty"`
	Score float64 `json:"score"` // of the first of them: the file's own, when files were asked for
	Spots []Spot  `json:"spots"` // the file's own, when it was asked for, then classes and functions, best first
}

// ByFile groups the spots by file, best file first.
func (r *LocateResult) ByFile() []FileSpots {
	out := []FileSpots{}
	at := map[[2]string]int{}
	for _, s := range r.Spots {
		k := [2]string{s.Repo, s.Path}
		i, ok := at[k]
		if !ok {
			i = len(out)
			at[k] = i
			out = append(out, FileSpots{Path: s.Path, Repo: s.Repo, Score: s.Score})
		}
		out[i].Spots = append(out[i].Spots, s)
	}
	return out
}

// Locate ranks the places that a text is likely about: an issue, a request, the message of a commit, a traceback. It needs no
// model. What the text says in its title counts most, then its sentences, the code among them, and what errors say; blocks of code and
// output count little, and environments, templates and comments not at all. Entities and files are scored by these words (BM25), by the names in the text that
// are defined in few places, by paths, modules and the frames of tracebacks. Test code, generated and vendored code, examples and text that is
// no code are ranked lower and never left out. Of a text over 100,000 bytes the rest is not read.
//
// Where the index has an [Embedder], the vector of the title (its first 1,000 bytes) is compared with those of the five best classes and functions of each of
// the ten best files, and these are ranked again; vectors bring in no other files. What has no vector yet is ranked by words.
func (g *Graph) Locate(ctx context.Context, text string, o *LocateOptions) (*LocateResult, error) {
	return locateIn(ctx, []Member{{Graph: g}}, text, o)
}

// Locate ranks the places of all members as one list, see [Graph.Locate].
func (s *Set) Locate(ctx context.Context, text string, o *LocateOptions) (*LocateResult, error) {
	return locateIn(ctx, s.members, text, o)
}

func (o *LocateOptions) withDefaults() (*locate.Options, error) {
	var opt LocateOptions
	if o != nil {
		opt = *o
	}
	w, err := locate.NewWeights(opt.Weights)
	kinds, bad := kindNumbers(opt.Kinds, []Kind{KindFile, KindClass, KindFunction}, func(k Kind) error {
		return fmt.Errorf("codegraph: entity kind %q: use file, class or function", k)
	})
	for _, n := range []struct {
		name string
		n    int
	}{{"Limit", opt.Limit}, {"Files", opt.Files}, {"PerFile", opt.PerFile}} {
		if n.n < 0 {
			bad = append(bad, fmt.Errorf("codegraph: %s is negative", n.name))
		}
	}
	out := &locate.Options{Limit: cmp.Or(opt.Limit, 50), Files: cmp.Or(opt.Files, 30), PerFile: opt.PerFile, Lines: cmp.Or(opt.Lines, 5), Kinds: kinds,
		Paths: opt.Paths, Weights: w}
	if opt.History != nil {
		out.History = opt.History.h
	}
	return out, errors.Join(append(bad, err, query.CheckPaths(opt.Paths))...)
}

// locateIn asks graphs, one scale of scores for all.
func locateIn(ctx context.Context, in []Member, text string, o *LocateOptions) (*LocateResult, error) {
	opt, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	members := make([]locate.Member, len(in))
	for i, m := range in {
		members[i] = locate.Member{Name: m.Name, Locator: m.Graph.locator(), Vectors: m.Graph.vectors}
	}
	r, err := locate.Locate(ctx, members, text, opt)
	if err != nil {
		return nil, err
	}
	out := &LocateResult{Spots: []Spot{}, Total: r.Total, Truncated: r.Truncated, Vectors: r.Compared}
	if r.VectorsError != nil {
		out.VectorsError = r.VectorsError.Error()
	}
	for _, s := range r.Spots {
		spot := Spot{Entity: entityOf(s.Node), Repo: s.Repo, Score: s.Score, Why: []Reason{}, Lines: append([]int{}, s.Lines...)}
		for _, w := range s.Why {
			spot.Why = append(spot.Why, Reason(w))
		}
		out.Spots = append(out.Spots, spot)
	}
	return out, nil
}

// LocateWeights gives the weights that [Graph.Locate] ranks by, by name.
func LocateWeights() map[string]float64 { return locate.DefaultWeights() }

// A History is what is known of past changes. It is immutable and safe for concurrent use.
type History struct {
	h *locate.History
}

// Len gives the number of changes that are known.
func (h *History) Len() int { return h.h.Len() }

// HistoryFormat is what git has to be asked for, so that [ReadHistory] reads its answer:
//
//	git log --no-merges --no-renames --name-only --relative -n 3000 --format=HistoryFormat
const HistoryFormat = "%x00%B%x00"

// ReadHistory reads the changes that git lists, see [HistoryFormat], newest first; it reads 64 MB at most. Of more than 20,000 changes the rest is
// left out, and so is a change of more than 30 files, which says little of each. What is no such list is an error wrapping [ErrFormat].
func ReadHistory(r io.Reader) (*History, error) {
	h, err := locate.ReadHistory(r)
	if err != nil {
		return nil, err
	}
	return &History{h}, nil
}
