package locate

import (
	"context"
	"errors"
	"runtime"

	"golang.org/x/sync/errgroup"

	"github.com/findspot/findspot/codegraph/internal/query"
	"github.com/findspot/findspot/codegraph/internal/report"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/vectors"
	"github.com/findspot/findspot/internal/errs"
)

// A Member is one of the graphs to be asked, with its name.
type Member struct {
	Name    string
	Locator *Locator
	Vectors *vectors.Index // of its functions and classes; nil: there are none
}

// Options of [Locate].
type Options struct {
	Limit, Files int      // most spots, most files
	PerFile      int      // most classes and functions of one file; 0 means as many as fit
	Lines        int      // most lines of a spot; 0 none, negative none, and no words in the reasons of its text
	Kinds        []uint8  // of package model; empty means files, classes and functions
	Paths        []string // patterns, checked by query.CheckPaths; empty means all
	History      *History // nil for none
	Weights      Weights
}

// A Spot is a place that a text is likely about.
type Spot struct {
	snapshot.Node        // its id as the set shows it
	Repo          string // name of the member
	Score         float64
	Why           []Reason // most first
	Lines         []int
}

// A Reason is one thing that speaks for a spot.
type Reason struct {
	Signal string
	Score  float64
	Words  []string
}

// A Result is the answer of [Locate].
type Result struct {
	Spots     []Spot // best first, ties by id
	Total     int    // files that something of the text leads to
	Truncated bool

	Compared     int   // entities whose vectors were compared with the text's
	VectorsError error // why they were not
}

// Locate ranks the places of all members, on one scale of scores.
func Locate(ctx context.Context, in []Member, text string, opt *Options) (*Result, error) {
	rep := report.Read(text)
	q := report.Weigh(rep, opt.Weights.ofWords())
	var rankings []*ranking
	for _, m := range in {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		if err := m.Locator.s.Err(); err != nil {
			return nil, err
		}
		rankings = append(rankings, newRanking(m, &opt.Weights, rep, q, opt.History))
		if err := m.Locator.s.Err(); err != nil {
			return nil, err
		}
	}
	files := rankFiles(rankings, opt.Paths)
	m := rankByMeaning(ctx, files, rankings, rep)
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	res := &Result{Total: len(files), Truncated: len(files) > opt.Files, Compared: m.compared, VectorsError: m.failed}
	files = files[:min(len(files), opt.Files)]
	spots, more := rankEntities(files, opt)
	res.Truncated = res.Truncated || more || len(spots) > opt.Limit
	spots = spots[:min(len(spots), opt.Limit)]
	terms := map[*ranking][]string{}
	for _, r := range rankings {
		terms[r] = r.strongest(maxShown)
		if opt.Lines >= 0 {
			r.addWordReasons(spots, terms[r])
		}
	}
	for _, s := range spots {
		res.Spots = append(res.Spots, Spot{Node: s.in.node(s.node), Repo: s.in.member.Name, Score: s.score, Why: s.in.why(s)})
	}
	if opt.Lines > 0 {
		if err := addLines(ctx, res.Spots, spots, terms, opt.Lines); err != nil {
			return nil, err
		}
	}
	return res, nil
}

// addLines adds to each spot the lines that hold most of the words, on several processors, file by file.
func addLines(ctx context.Context, into []Spot, spots []ranked, terms map[*ranking][]string, most int) error {
	type file struct {
		in   *ranking
		path string
	}
	files := map[file][]int{}
	for i, s := range spots {
		f := file{s.in, into[i].Node.Path}
		files[f] = append(files[f], i)
	}
	g, ctx := errgroup.WithContext(ctx)
	g.SetLimit(runtime.GOMAXPROCS(0))
	for f, list := range files {
		g.Go(func() error {
			m := query.NewTexts(f.in.g).Matcher(terms[f.in])
			for _, i := range list {
				if err := ctx.Err(); err != nil {
					return err
				}
				var err error
				if into[i].Lines, err = m.Lines(spots[i].node, most); err != nil && !errors.Is(err, errs.Stale) {
					return err
				}
			}
			return nil
		})
	}
	return g.Wait()
}
