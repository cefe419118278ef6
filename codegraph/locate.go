package codegraph

import (
	"cmp"
	"context"
	"errors"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/report"
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
	Words  []string `json:"words"`  // what was found: stems of words, names, paths, and frames (path:line) of the report; of "near" and "together" the files that this one goes with, of "history" the titles of changes
}

// A LocateResult is the answer of [Graph.Locate].
type LocateResult struct {
	Spots     []Spot `json:"spots"`     // best first, ties by id
	Total     int    `json:"total"`     // files that something of the report leads to
	Truncated bool   `json:"truncated"` // there are more files, or more classes and functions of these, than Spots holds
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
func (g *Graph) Locate(ctx context.Context, text string, o *LocateOptions) (*LocateResult, error) {
	return locate(ctx, []Member{{Graph: g}}, text, o)
}

// Locate is [Graph.Locate] of the graph as of the last update.
func (ix *Index) Locate(ctx context.Context, text string, o *LocateOptions) (*LocateResult, error) {
	return ix.Graph().Locate(ctx, text, o)
}

// Locate ranks the places of all members as one list, see [Graph.Locate].
func (s *Set) Locate(ctx context.Context, text string, o *LocateOptions) (*LocateResult, error) {
	return locate(ctx, s.members, text, o)
}

func (o *LocateOptions) withDefaults() (LocateOptions, weights, error) {
	var opt LocateOptions
	if o != nil {
		opt = *o
	}
	opt.Limit, opt.Files, opt.Lines = cmp.Or(opt.Limit, 50), cmp.Or(opt.Files, 30), cmp.Or(opt.Lines, 5)
	w, err := newWeights(opt.Weights)
	bad := []error{err}
	for _, n := range []struct {
		name string
		n    int
	}{{"Limit", opt.Limit}, {"Files", opt.Files}, {"PerFile", opt.PerFile}} {
		if n.n < 0 {
			bad = append(bad, fmt.Errorf("codegraph: %s is negative", n.name))
		}
	}
	for _, k := range opt.Kinds {
		if k != KindFile && k != KindClass && k != KindFunction {
			bad = append(bad, fmt.Errorf("codegraph: entity kind %q: use file, class or function", k))
		}
	}
	return opt, w, errors.Join(append(bad, checkPaths(opt.Paths))...)
}

// locate asks the graphs, one scale of scores for all.
func locate(ctx context.Context, in []Member, text string, o *LocateOptions) (*LocateResult, error) {
	opt, w, err := o.withDefaults()
	if err != nil {
		return nil, err
	}
	rep := report.Read(text)
	q := report.Weigh(rep, w.ofWords())
	var rankings []*ranking
	for _, m := range in {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		l := m.Graph.locator()
		if l.s.err != nil {
			return nil, l.s.err
		}
		r := newRanking(m, l, &w, rep, q, opt.History)
		if err := errors.Join(l.s.base.Bodies.Err(), l.s.base.Names.Err(), l.s.base.Parts.Err()); err != nil {
			return nil, err
		}
		rankings = append(rankings, r)
	}
	files := rankFiles(rankings, opt.Paths)
	res := &LocateResult{Spots: []Spot{}, Total: len(files), Truncated: len(files) > opt.Files}
	files = files[:min(len(files), opt.Files)]
	spots, more := rankEntities(files, &opt)
	res.Truncated = res.Truncated || more || len(spots) > opt.Limit
	spots = spots[:min(len(spots), opt.Limit)]
	caches, terms := map[*ranking]map[string][]byte{}, map[*ranking][]string{}
	for _, r := range rankings {
		caches[r], terms[r] = map[string][]byte{}, r.strongest(maxShown)
		if opt.Lines >= 0 {
			r.sayWords(spots, terms[r])
		}
	}
	for _, s := range spots {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		e := s.in.entity(s.node)
		spot := Spot{Entity: e, Repo: s.in.member.Name, Score: s.score, Why: s.in.why(s), Lines: []int{}}
		if opt.Lines > 0 {
			lines, err := s.in.g.matching(s.node, terms[s.in], opt.Lines, caches[s.in])
			if err != nil && !errors.Is(err, ErrStale) {
				return nil, err
			}
			spot.Lines = append(spot.Lines, lines...)
		}
		res.Spots = append(res.Spots, spot)
	}
	return res, nil
}
