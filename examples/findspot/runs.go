package main

import (
	"bytes"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/skill/training"
)

func runsCommand(con *console) *cobra.Command {
	c := &cobra.Command{
		Use:     "runs",
		Short:   "View, measure and export recorded runs",
		Example: "  findspot runs view run.jsonl\n  findspot runs export --to data runs",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(runsExport(con), runsScore(con), runsView(con))
	return c
}

// eachRun reads the records that arguments name, files and those ending in .jsonl in folders, by name. One that cannot be read is told of.
func eachRun(con *console, args []string, each func(*training.Run) error, damaged func()) error {
	const most = 100_000
	var names []string
	for _, arg := range args {
		info, err := con.env.Stat(arg)
		if err != nil {
			return err
		}
		if !info.IsDir() {
			names = append(names, arg)
			continue
		}
		err = filepath.WalkDir(con.env.Path(arg), func(path string, d fs.DirEntry, err error) error {
			if err == nil && d.Type().IsRegular() && strings.HasSuffix(path, ".jsonl") {
				names = append(names, path)
			}
			return err
		})
		if err != nil {
			return err
		}
	}
	if len(names) == 0 {
		return usagef("%s: no records (.jsonl)", strings.Join(args, " "))
	}
	if len(names) > most {
		return usagef("%d records, and at most %d are read: give fewer folders", len(names), most)
	}
	for _, name := range names {
		run, err := openRun(con, name)
		if err != nil {
			con.badInput(err)
			damaged()
			continue
		}
		if err := each(run); err != nil {
			return err
		}
	}
	return nil
}

func openRun(con *console, name string) (*training.Run, error) {
	data, err := readRecord(con.env, name)
	if err != nil {
		return nil, err
	}
	return training.Read(name, bytes.NewReader(data))
}

// openGold reads a gold file, compressed when its name ends in .gz.
func openGold(con *console, name string) (_ *training.Golds, err error) {
	f, err := con.env.OpenFile(name)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	const most = 1 << 30
	var r io.Reader = f
	if strings.HasSuffix(name, ".gz") {
		if r, err = gzip.NewReader(f); err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
	}
	return training.ReadGold(name, io.LimitReader(r, most))
}

func runsExport(con *console) *cobra.Command {
	o := &training.Options{}
	var to, gold string
	c := &cobra.Command{
		Use:   "export --to DIR RECORD|FOLDER...",
		Short: "Export records as data to train a model on",
		Long: `Write the conversations of recorded runs to DIR/train.jsonl and DIR/validation.jsonl, one example per line. Secrets are
masked; absolute paths and the names of home folders are replaced. Equal and nearly equal examples are written once.
Runs without a model have no conversation: only the format jsonl takes them, as a list of calls.`,
		Example: "  findspot runs export --to data --status done runs\n  findspot runs export --to data --format sharegpt --gold gold.jsonl --found file --validation 0.1 runs",
		Args:    atLeast(1),
		RunE: func(_ *cobra.Command, args []string) (err error) {
			if to == "" {
				return usagef("--to is missing: name the folder to write train.jsonl into")
			}
			if gold != "" {
				if o.Gold, err = openGold(con, gold); err != nil {
					return err
				}
			}
			var parts [2]bytes.Buffer
			x, err := training.NewExporter(&parts[0], &parts[1], o)
			if err != nil {
				return &usageError{err}
			}
			if err := eachRun(con, args, func(r *training.Run) error { return x.Add(r, con.badInput) }, x.Damaged); err != nil {
				return err
			}
			if err := con.env.MkdirAll(to); err != nil {
				return err
			}
			for i, name := range []string{"train.jsonl", "validation.jsonl"} {
				if err := writeOutput(con.env, filepath.Join(to, name), parts[i].Bytes()); err != nil {
					return err
				}
			}
			return show(con, x.Report(), nil, func(rep training.Report) error {
				con.printf("%s: %s, %d of them for validation\n", count(rep.Runs, "run", "runs"), count(rep.Written, "example", "examples"), rep.Validation)
				why := make([]string, 0, len(rep.Dropped))
				for w := range rep.Dropped {
					why = append(why, w)
				}
				slices.Sort(why)
				for _, w := range why {
					con.printf("  dropped %d: %s\n", rep.Dropped[w], w)
				}
				con.printf("  %s masked, %s replaced\n", count(rep.Secrets, "secret", "secrets"), count(rep.Paths, "path or name", "paths and names"))
				return nil
			})
		},
	}
	f := c.Flags()
	f.StringVar(&to, "to", "", "folder to write into")
	f.StringVar(&o.Format, "format", training.OpenAIChat, "format of the examples: "+strings.Join(training.Formats(), ", "))
	f.StringVar(&gold, "gold", "", "gold file, for --found and the repositories of the runs")
	f.StringVar(&o.Found, "found", "", "only runs that found all gold places of this level: file, module or function")
	f.BoolVar(&o.Verified, "verified", false, "only runs whose answer passed verification")
	f.StringArrayVar(&o.Status, "status", nil, "only runs that ended so, such as done (repeatable)")
	f.IntVar(&o.MinTurns, "min-turns", 0, "fewest answers of the model in an example")
	f.IntVar(&o.MaxTurns, "max-turns", 0, "most answers of the model in an example (0: any number)")
	f.Float64Var(&o.Near, "near", 0.9, "resemblance from which two examples count as the same, at most 1")
	f.Float64Var(&o.Validation, "validation", 0, "share of the repositories whose runs go to validation.jsonl")
	f.Uint64Var(&o.Seed, "seed", 0, "which repositories those are")
	return c
}

func runsScore(con *console) *cobra.Command {
	var depths []int
	c := &cobra.Command{
		Use:   "score GOLD RECORD|FOLDER...",
		Short: "Measure what recorded runs found against a gold file",
		Long: `Print LocAgent's measures by file, module and function: acc@k (all gold places among the first k), any@k (some of them)
and NDCG@k. GOLD is JSON Lines of {"id", "repo", "query", "gold_files", "gold_funcs"}, or of SWE-bench's and LocAgent's
{"instance_id", "repo", "problem_statement", "edit_functions"}. A run belongs to an issue by its input id, the name of
its file, or its question. Issues without a run count as not found.`,
		Example: "  findspot runs score gold.jsonl runs",
		Args:    atLeast(2),
		RunE: func(_ *cobra.Command, args []string) error {
			g, err := openGold(con, args[0])
			if err != nil {
				return err
			}
			var runs []*training.Run
			err = eachRun(con, args[1:], func(r *training.Run) error {
				r.Events = nil // places are in the outcome and the evidence
				runs = append(runs, r)
				return nil
			}, func() {})
			if err != nil {
				return err
			}
			s, err := training.Measure(g, runs, depths...)
			return show(con, s, err, func(s *training.Scores) error {
				con.printf("%-9s %3s  %6s  %6s  %6s  %s\n", "level", "k", "acc", "any", "ndcg", "issues")
				for _, l := range s.Scores {
					con.printf("%-9s %3d  %6.4f  %6.4f  %6.4f  %d\n", l.Level, l.K, l.Acc, l.Any, l.NDCG, l.Issues)
				}
				con.printf("%s; %d issues without a run, %d runs without an issue, %d repeated\n", count(s.Runs, "run", "runs"), len(s.Missing), len(s.Unknown), len(s.Again))
				return nil
			})
		},
	}
	c.Flags().IntSliceVar(&depths, "k", nil, "depths, such as 1,5,10 (default 1,3,5 of files and 5,10 of modules and functions)")
	return c
}

func runsView(con *console) *cobra.Command {
	var page string
	var lines int
	c := &cobra.Command{
		Use:   "view RECORD",
		Short: "Show one recorded run, or write it as a page",
		Long: `Show the steps, requests and answers of models, calls, results, evidence, outcome and measures of a recorded run. With
--page, write a single HTML page that opens without a network. The page shows what the record holds, secrets included.`,
		Example: "  findspot runs view run.jsonl\n  findspot runs view run.jsonl --page run.html",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			r, err := openRun(con, args[0])
			if err != nil {
				return err
			}
			v := r.View()
			if page != "" {
				var b bytes.Buffer
				if err := v.WritePage(&b); err != nil {
					return err
				}
				if err := writeOutput(con.env, page, b.Bytes()); err != nil {
					return err
				}
				return show(con, map[string]string{"page": page}, nil, func(map[string]string) error { con.printf("%s\n", clean(page)); return nil })
			}
			return show(con, v, nil, func(v *training.View) error {
				var b strings.Builder
				err := v.WriteText(&b, lines)
				con.printf("%s", clean(b.String()))
				return err
			})
		},
	}
	c.Flags().StringVar(&page, "page", "", "HTML file to write")
	c.Flags().IntVar(&lines, "lines", 6, "lines of each text to show")
	return c
}
