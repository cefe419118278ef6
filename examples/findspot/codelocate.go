package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/visible"
)

// The limits of spots without --limit: what one reads, and what a script can choose from.
const (
	locateShown  = 20
	locateScript = 200
)

// maxReport bounds a text that is read from a file, in bytes. Of a long one only the beginning counts, see codegraph.Graph.Locate.
const maxReport = 1 << 20

var locateKinds = []codegraph.Kind{codegraph.KindFile, codegraph.KindClass, codegraph.KindFunction}

// spotLine is one place as scripts read it.
type spotLine struct {
	Path      string  `json:"path"`
	Entity    string  `json:"entity"` // id; "" for a file
	LineStart int     `json:"line_start"`
	LineEnd   int     `json:"line_end"`
	Score     float64 `json:"score"`
}

// spotWhy is a place with what speaks for it.
type spotWhy struct {
	spotLine
	Why   []codegraph.Reason `json:"why"`
	Lines []int              `json:"lines"`
}

func codeLocate(a *app) *cobra.Command {
	var kinds, weights []string
	var file, history string
	var why, flat bool
	o := &codegraph.LocateOptions{}
	c := &cobra.Command{
		Use:   "locate [TEXT]...",
		Short: "Rank the places that an issue, request or traceback is likely about",
		Long: `Rank the files, classes and functions that an issue, a request or a traceback is likely about. No model is needed:
words are weighted by their position in the text (most in its title) and by how rare they are in the code, and so are
names, paths and the frames of tracebacks. The lines under a place are those that contain the most words of the text.
Test code, generated code, examples and plain text rank lower, but are never left out. --history also ranks by past
changes: by their descriptions, and by what changed together. --embed-model also compares the title with functions and
classes of the ten best files, where they have vectors (findspot code embed). --why explains each score: the signal, its
share of the score, and the words that were found.

With --json, the output is a list, best first, of {"path", "entity", "line_start", "line_end", "score"}; the entity is
an id, and empty for a file; --why adds "why" and "lines". With --repo, only that repository is ranked, whatever else
the index contains. A file of it that cannot be read is named on standard error and does not change the exit status: a
ranking claims nothing about what it leaves out.`,
		Example: `  findspot code locate --repo receiver "the noise floor is wrong when the buffer is short"
  findspot code locate --why --query-file issue.md --repo receiver
  findspot code locate --json --repo receiver --query-file -
  git -C receiver log --no-merges --no-renames --name-only --relative -n 3000 --format=%x00%B%x00 |
    findspot code locate --history - --repo receiver "the noise floor is wrong"
  findspot code locate --flat --kind function --path receiver --weight test=1 "detection misses weak cells"`,
		Args: func(_ *cobra.Command, args []string) (err error) {
			o.Kinds = codeKinds(kinds)
			if o.Weights, err = weightFlags(weights); err != nil {
				return err
			}
			switch text := strings.TrimSpace(strings.Join(args, "")); {
			case file != "" && len(args) > 0:
				return usagef("the text is given twice, as arguments and with --query-file: give only one")
			case file == "-" && history == "-":
				return usagef("--query-file - and --history - both read standard input: give a file for one of them")
			case file == "" && text == "":
				return usagef("no text given: give it as arguments, or in a file with --query-file FILE (- is standard input)")
			}
			return cmp.Or(oneOf("kind", o.Kinds, locateKinds...), notBelow("limit", o.Limit, 0), notBelow("files", o.Files, 0))
		},
		RunE: func(c *cobra.Command, args []string) error {
			text := strings.Join(args, " ")
			if file != "" {
				var err error
				if text, err = readReport(&a.console, file); err != nil {
					return err
				}
			}
			if history != "" {
				var err error
				if o.History, err = readHistory(&a.console, history); err != nil {
					return err
				}
			}
			ws, err := a.openCode(c.Context())
			if err != nil {
				return err
			}
			a.bad = 0 // they were named
			o.Limit = cmp.Or(o.Limit, locateShown)
			if a.json && a.output != outputMD && !c.Flags().Changed("limit") {
				o.Limit = locateScript
			}
			if a.json && !why {
				o.Lines = -1 // nobody sees them
			}
			res, err := ws.Locate(c.Context(), text, o)
			switch {
			case err != nil:
				return err
			case a.json:
				err = a.printJSON(spotLines(res, why))
			default:
				err = printSpots(c.Context(), &a.console, ws, res, why, flat)
			}
			return found(err, len(res.Spots))
		},
	}
	f := c.Flags()
	f.StringVar(&file, "query-file", "", "file that contains the text; - is standard input")
	f.StringVar(&history, "history", "", "output of git log with --name-only --format=%x00%B%x00, see the examples; - is standard input")
	f.IntVar(&o.Limit, "limit", 0, fmt.Sprintf("maximum number of places (default %d, with --json %d)", locateShown, locateScript))
	f.IntVar(&o.Files, "files", 30, "maximum number of files")
	f.StringSliceVar(&kinds, "kind", nil, "kinds of places: file, class, function (default all three)")
	f.StringSliceVar(&o.Paths, "path", nil, "paths or patterns to rank, such as src or \"src/*.go\"")
	f.StringArrayVar(&weights, "weight", nil, "other weight of the ranking, NAME=NUMBER; test=1 ranks test code like any other (repeatable)")
	f.BoolVar(&why, "why", false, "explain each score")
	f.BoolVar(&flat, "flat", false, "print one list, not grouped by file")
	return c
}

// readHistory reads past changes from a file.
func readHistory(con *console, file string) (*codegraph.History, error) {
	in, err := con.input(file)
	if err != nil {
		return nil, fmt.Errorf("--history: %w", err)
	}
	defer in.Close() // read only
	h, err := codegraph.ReadHistory(in)
	if err == nil && h.Len() == 0 {
		err = errors.New("it contains no changes")
	}
	if err != nil {
		return nil, fmt.Errorf("--history %s: %w", file, err)
	}
	return h, nil
}

// weightFlags reads NAME=NUMBER.
func weightFlags(list []string) (map[string]float64, error) {
	known := codegraph.LocateWeights()
	out := map[string]float64{}
	for _, s := range list {
		name, number, ok := strings.Cut(s, "=")
		v, err := strconv.ParseFloat(strings.TrimSpace(number), 64)
		if !ok || err != nil || !(v >= 0 && v <= 1e6) {
			return nil, usagef("--weight %q: must be NAME=NUMBER, with a number from 0 to 1e6", s)
		}
		name = strings.TrimSpace(name)
		if _, ok := known[name]; !ok {
			return nil, usagef("--weight %q: unknown name; there are %s", s, strings.Join(slices.Sorted(maps.Keys(known)), ", "))
		}
		out[name] = v
	}
	return out, nil
}

// readReport reads the text of --query-file.
func readReport(con *console, name string) (string, error) {
	in, err := con.input(name)
	if err != nil {
		return "", fmt.Errorf("--query-file: %w", err)
	}
	if name == "-" {
		name = "standard input"
	}
	data, more, err := readAtMost(in, maxReport)
	text := strings.TrimPrefix(string(data), "\ufeff")
	switch {
	case err != nil:
		return "", fmt.Errorf("--query-file: %w", err)
	case more:
		return "", fmt.Errorf("--query-file %s: %w: at most 1 MB; give the report without the logs", name, findspot.ErrTooLarge)
	case strings.TrimSpace(text) == "":
		return "", fmt.Errorf("--query-file %s: it is empty", name)
	}
	return text, nil
}

// spotPath is a path as the ids have it: with the repository's name where there are several.
func spotPath(repo, path string) string {
	if repo == "" {
		return path
	}
	return repo + "//" + path
}

func spotLines(res *codegraph.LocateResult, why bool) any {
	plain, whole := []spotLine{}, []spotWhy{}
	for _, s := range res.Spots {
		x := spotLine{Path: spotPath(s.Repo, s.Path), Entity: s.ID, LineStart: s.Line, LineEnd: s.EndLine, Score: s.Score}
		if s.Kind == codegraph.KindFile {
			x.Entity = ""
		}
		plain, whole = append(plain, x), append(whole, spotWhy{x, s.Why, s.Lines})
	}
	if why {
		return whole
	}
	return plain
}

func printSpots(ctx context.Context, con *console, ws *findspot.Workspace, res *codegraph.LocateResult, why, flat bool) error {
	files := res.ByFile()
	if flat {
		for _, s := range res.Spots {
			con.printf("%s  ", oneLine(s.ID))
			con.link(visible.Spot{Repo: s.Repo, Path: s.Path, Line: s.Line}, fmt.Sprintf("%s:%d-%d", oneLine(spotPath(s.Repo, s.Path)), s.Line, s.EndLine))
			con.printf("  %.3f  (%s)\n", s.Score, s.Kind)
			if err := printSpot(ctx, con, ws, s, why); err != nil {
				return err
			}
		}
	} else {
		for _, f := range files {
			con.link(visible.Spot{Repo: f.Repo, Path: f.Path}, oneLine(spotPath(f.Repo, f.Path)))
			con.printf("  %.3f\n", f.Score)
			for _, s := range f.Spots {
				if s.Kind != codegraph.KindFile {
					con.printf("   ")
					con.link(visible.Spot{Repo: s.Repo, Path: s.Path, Line: s.Line}, fmt.Sprintf("%s  %d-%d", oneLine(s.ID), s.Line, s.EndLine))
					con.printf("  %.3f  (%s)\n", s.Score, s.Kind)
				} else if len(f.Spots) > 1 && !why {
					continue // its lines stand under its functions
				}
				if err := printSpot(ctx, con, ws, s, why); err != nil {
					return err
				}
			}
		}
	}
	if res.VectorsError != "" {
		con.printf("vectors were left out: %s\n", clean(res.VectorsError))
	}
	con.printf("%s in %s; the text leads to %s", count(len(res.Spots), "place", "places"), count(len(files), "file", "files"), count(res.Total, "file", "files"))
	if res.Truncated {
		con.printf(" (more with --limit and --files)")
	}
	con.printf("\n")
	return nil
}

// printSpot prints the reasons of a place and its lines.
func printSpot(ctx context.Context, con *console, ws *findspot.Workspace, s codegraph.Spot, why bool) error {
	if why {
		for _, r := range s.Why {
			con.printf("     %s %.3f", r.Signal, r.Score)
			if len(r.Words) > 0 {
				con.printf(": %s", oneLine(strings.Join(r.Words, ", ")))
			}
			con.printf("\n")
		}
	}
	if len(s.Lines) == 0 {
		return nil
	}
	first := s.Lines[0]
	it, err := ws.ReadLines(ctx, spotPath(s.Repo, s.Path), first, s.Lines[len(s.Lines)-1])
	if err != nil {
		if ctx.Err() != nil {
			return err
		}
		return nil // it changed meanwhile: the place stands without its lines
	}
	text := strings.Split(it.Text, "\n")
	for _, n := range s.Lines {
		if i := n - first; i < len(text) {
			con.printf("     %6d  %s\n", n, oneLine(shortened(strings.TrimRight(text[i], "\r"), 160)))
		}
	}
	return nil
}
