package training

import (
	"bufio"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/locscore"
	"github.com/findspot/findspot/skill"
)

// Levels at which a gold place can be found.
const (
	LevelFile     = string(locscore.File)
	LevelModule   = string(locscore.Module)
	LevelFunction = string(locscore.Function)
)

const maxGoldLine = 16 << 20

// A Gold is an issue with the places that its fix changed.
type Gold struct {
	ID    string
	Repo  string
	Query string

	places locscore.Places
}

// Golds are issues by id.
type Golds struct {
	byID    map[string]*Gold
	byQuery map[string]*Gold
}

// ReadGold reads JSON Lines of {"id", "repo", "query", "gold_files", "gold_funcs"}, or in the form of SWE-bench and LocAgent
// {"instance_id", "repo", "problem_statement", "edit_functions"}. Functions are "path:Class.method". An error names the line.
func ReadGold(name string, r io.Reader) (*Golds, error) {
	g := &Golds{byID: map[string]*Gold{}, byQuery: map[string]*Gold{}}
	in := bufio.NewScanner(r)
	in.Buffer(nil, maxGoldLine)
	for n := 1; in.Scan(); n++ {
		var row struct {
			ID        string   `json:"id"`
			Instance  string   `json:"instance_id"`
			Repo      string   `json:"repo"`
			Query     string   `json:"query"`
			Statement string   `json:"problem_statement"`
			Files     []string `json:"gold_files"`
			Funcs     []string `json:"gold_funcs"`
			Edited    []string `json:"edit_functions"`
		}
		if strings.TrimSpace(in.Text()) == "" {
			continue
		}
		if err := json.Unmarshal(in.Bytes(), &row); err != nil {
			return nil, fmt.Errorf("%s: line %d: %v: %w", name, n, err, skill.ErrFormat)
		}
		one := &Gold{ID: row.ID + row.Instance, Repo: row.Repo, Query: row.Query + row.Statement}
		one.places = locscore.Of(slices.Concat(row.Funcs, row.Edited))
		if len(row.Files) > 0 {
			one.places[locscore.File] = row.Files
		}
		switch {
		case one.ID == "" || row.ID != "" && row.Instance != "":
			return nil, fmt.Errorf("%s: line %d: give id or instance_id: %w", name, n, skill.ErrFormat)
		case g.byID[one.ID] != nil:
			return nil, fmt.Errorf("%s: line %d: %q is there twice: %w", name, n, one.ID, skill.ErrFormat)
		case len(one.places[locscore.File]) == 0:
			return nil, fmt.Errorf("%s: line %d: no gold_files, gold_funcs or edit_functions: %w", name, n, skill.ErrFormat)
		}
		g.byID[one.ID] = one
		if q := normal(one.Query); q != "" {
			g.byQuery[q] = one
		}
	}
	if err := in.Err(); errors.Is(err, bufio.ErrTooLong) {
		return nil, fmt.Errorf("%s: a line is over %d bytes: %w", name, maxGoldLine, skill.ErrTooLarge)
	} else if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(g.byID) == 0 {
		return nil, fmt.Errorf("%s: it is empty: %w", name, skill.ErrFormat)
	}
	return g, nil
}

// Of finds the issue of a run by its id, else by its question; nil: there is none.
func (g *Golds) Of(r *Run) *Gold {
	if g == nil {
		return nil
	}
	if one := g.byID[r.ID()]; one != nil {
		return one
	}
	for _, k := range []string{"question", "task"} {
		if q, ok := r.Begin.Inputs[k].(string); ok && g.byQuery[normal(q)] != nil {
			return g.byQuery[normal(q)]
		}
	}
	return nil
}

// Found reports whether all gold places of a level are among what the run ended with. Without any at that level they are not.
func (g *Gold) Found(r *Run, level string) bool {
	right, got := g.places[locscore.Level(level)], locscore.Of(r.Places())[locscore.Level(level)]
	return len(right) > 0 && !slices.ContainsFunc(right, func(id string) bool { return !slices.Contains(got, id) })
}

// A Score is the mean over issues of one level and depth, as LocAgent's paper (arXiv 2503.09089, section 5.1) measures it.
type Score struct {
	Level  string  `json:"level"` // LevelFile, LevelModule or LevelFunction
	K      int     `json:"k"`
	Issues int     `json:"issues"` // that have something to find at the level
	Acc    float64 `json:"acc"`    // share of issues of which all of it is among the first k
	Any    float64 `json:"any"`    // share of issues of which some of it is
	NDCG   float64 `json:"ndcg"`
}

// Scores are the measures of many runs.
type Scores struct {
	Scores  []Score  `json:"scores"`  // by level, widest first, and k
	Runs    int      `json:"runs"`    // that were measured
	Missing []string `json:"missing"` // issues without a run, sorted: they count as not found
	Unknown []string `json:"unknown"` // runs without an issue, in order: they do not count
	Again   []string `json:"again"`   // further runs of an issue, in order: the first one counts
}

// Measure measures runs against gold. depths are the k of each level; none: those of the paper, 1, 3 and 5 for files, else 5 and 10.
func Measure(g *Golds, runs []*Run, depths ...int) (*Scores, error) {
	out := &Scores{Missing: []string{}, Unknown: []string{}, Again: []string{}}
	right, found := map[string]locscore.Places{}, map[string]locscore.Places{}
	for id, one := range g.byID {
		right[id] = one.places
	}
	for _, r := range runs {
		one := g.Of(r)
		switch {
		case one == nil:
			out.Unknown = append(out.Unknown, r.Name)
		case found[one.ID] != nil:
			out.Again = append(out.Again, r.Name)
		default:
			found[one.ID] = locscore.Of(r.Places())
			out.Runs++
		}
	}
	for id := range right {
		if found[id] == nil {
			out.Missing = append(out.Missing, id)
		}
	}
	slices.Sort(out.Missing)
	scores, err := locscore.Measure(right, found, depths...)
	if err != nil {
		return nil, err
	}
	for _, s := range scores {
		out.Scores = append(out.Scores, Score{string(s.Level), s.K, s.Issues, s.Acc, s.Any, s.NDCG})
	}
	return out, nil
}
