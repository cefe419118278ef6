package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path"
	"path/filepath"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
)

var errCases = errors.New("cases failed")

// replayRun runs a skill from its record alone: nothing is opened but the skills.
func replayRun(ctx context.Context, a *app, name, recorded, journal string) (err error) {
	data, err := readRecord(a.env, recorded)
	if err != nil {
		return err
	}
	first, err := firstEvent(data)
	if err != nil {
		return fmt.Errorf("%s: %w", recorded, err)
	}
	if name != "" && name != first.Skill {
		return usagef("%s is a record of skill %s, not of %s", recorded, first.Skill, name)
	}
	skills, err := a.openSkills(ctx)
	if err != nil {
		return err
	}
	s, err := findSkill(skills, first.Skill)
	if err != nil {
		return err
	}
	var out bytes.Buffer // a record may be replayed onto itself
	o, err := runner.Replay(ctx, s, bytes.NewReader(data), &out)
	if err != nil {
		return fmt.Errorf("%s: %w", recorded, err)
	}
	if journal != "" {
		if err := writeOutput(a.env, journal, out.Bytes()); err != nil {
			return err
		}
	}
	if a.json {
		return a.printJSON(o)
	}
	printOutcome(&a.console, o)
	return nil
}

func readRecord(e *env.Env, name string) ([]byte, error) {
	const most = 256 << 20
	f, err := e.OpenFile(name)
	if err != nil {
		return nil, err
	}
	data, more, err := readAtMost(f, most)
	if more {
		err = fmt.Errorf("%s: over %d bytes: %w", name, most, skill.ErrTooLarge)
	}
	return data, err
}

func firstEvent(recorded []byte) (*record.Run, error) {
	for e, err := range record.Read(bytes.NewReader(recorded)) {
		if err != nil {
			return nil, err
		}
		return e.(*record.Run), nil // Read sees to it
	}
	return nil, skill.ErrFormat
}

func skillDiff(con *console) *cobra.Command {
	return &cobra.Command{
		Use:   "diff A B",
		Short: "Show where two recorded runs differ",
		Long: `Compare the records of two runs: the first event that differs, with its step and both sides, ignoring times; then the
differences between the outcomes.`,
		Example: "  findspot skill diff monday.jsonl today.jsonl",
		Args:    exactly(2),
		RunE: func(_ *cobra.Command, args []string) error {
			var files [2]io.Reader
			for i, name := range args {
				data, err := readRecord(con.env, name)
				if err != nil {
					return err
				}
				files[i] = bytes.NewReader(data)
			}
			d, err := record.Diff(files[0], files[1])
			if err != nil {
				return err
			}
			if con.json {
				return con.printJSON(d)
			}
			return d.WriteText(con.stdout, clean(args[0]), clean(args[1]))
		},
	}
}

func skillTest(a *app) *cobra.Command {
	var all, update bool
	c := &cobra.Command{
		Use:   "test NAME|FOLDER",
		Short: "Run the recorded cases of a skill",
		Long: `Run each tests/CASE.jsonl in the skill's folder again: a record that skill run --record wrote. Tools, model and
approvals answer from it, so nothing is opened. A case passes if the skill does today what was recorded, and if what
tests/CASE.yaml expects holds. With --update, the cases take today's run as the expected one.`,
		Example: "  findspot skill test who-calls\n  findspot skill test --all\n  findspot skill test --update .agents/skills/my-method",
		Args: func(c *cobra.Command, args []string) error {
			if all {
				return exactly(0)(c, args)
			}
			return exactly(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) error {
			skills, err := testedSkills(c.Context(), a, args)
			if err != nil {
				return err
			}
			results := []*runner.CaseResult{}
			for _, s := range skills {
				list, err := runner.Test(c.Context(), s.Skill)
				if err != nil {
					return err
				}
				if len(list) == 0 && !all {
					return fmt.Errorf("skill %s has no recorded cases: create one with skill run %s --record FOLDER/tests/CASE.jsonl: %w", s.Name, s.Name, findspot.ErrNotFound)
				}
				if update {
					if err := s.update(list); err != nil {
						return err
					}
				}
				results = append(results, list...)
			}
			return printCases(&a.console, results, update)
		},
	}
	c.Flags().BoolVar(&all, "all", false, "test every skill")
	c.Flags().BoolVar(&update, "update", false, "overwrite each case that differs with today's run")
	return c
}

// A testedSkill is a skill and where it lies on disk; empty: in the program.
type testedSkill struct {
	*skill.Skill
	dir string
}

// testedSkills finds the skill of a name or folder, or all of them.
func testedSkills(ctx context.Context, a *app, args []string) ([]testedSkill, error) {
	if len(args) == 1 {
		if info, err := a.env.Stat(filepath.Join(args[0], "SKILL.md")); err == nil && info.Mode().IsRegular() {
			dir := filepath.Clean(a.env.Path(args[0]))
			root := filepath.Dir(dir)
			skills, errs := loadSkills(a.env, root) // beside it may lie skills that it uses
			for _, s := range skills {
				if filepath.Join(root, filepath.FromSlash(s.File)) == filepath.Join(dir, "SKILL.md") {
					return []testedSkill{{s, dir}}, nil
				}
			}
			return nil, fmt.Errorf("%s: %w", args[0], errs)
		}
	}
	skills, err := a.openSkills(ctx)
	if err != nil {
		return nil, err
	}
	if len(args) == 1 {
		s, err := findSkill(skills, args[0])
		if err != nil {
			return nil, err
		}
		return []testedSkill{{s, folderOf(a, s)}}, nil
	}
	var out []testedSkill
	for _, s := range skills {
		out = append(out, testedSkill{s, folderOf(a, s)})
	}
	return out, nil
}

// folderOf is where a skill lies on disk; empty: in the program.
func folderOf(a *app, s *skill.Skill) string {
	for _, d := range append([]string{filepath.Join(".agents", "skills")}, a.skillDirs...) {
		file := filepath.Join(a.env.Path(d), filepath.FromSlash(s.File))
		if info, err := os.Lstat(file); err != nil || !info.Mode().IsRegular() {
			continue
		}
		data, err := os.ReadFile(file)
		if err != nil {
			continue
		}
		if same, err := skill.Parse(s.File, string(data)); err == nil && same.Name == s.Name && same.Body == s.Body {
			return filepath.Dir(file)
		}
	}
	return ""
}

// update writes today's journals over the cases that differ.
func (s testedSkill) update(list []*runner.CaseResult) error {
	for _, res := range list {
		if res.Diff == nil && !res.Changed || res.Journal == nil {
			continue
		}
		if s.dir == "" {
			return usagef("skill %s is built into the program: --update takes the folder of a skill", s.Name)
		}
		dir, err := os.OpenRoot(s.dir)
		if err != nil {
			return err
		}
		err = dir.WriteFile(path.Join("tests", res.Case+".jsonl"), res.Journal, 0o644)
		if err = errors.Join(err, dir.Close()); err != nil {
			return err
		}
	}
	return nil
}

// writeOutput writes a file that the user named.
func writeOutput(e *env.Env, name string, data []byte) error {
	f, err := e.Create(name)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	return errors.Join(err, f.Close())
}

func printCases(con *console, results []*runner.CaseResult, updated bool) error {
	failed := 0
	for _, res := range results {
		if !res.Passed && !(updated && res.Diff != nil && len(res.Problems) == 1) {
			failed++
		}
	}
	if con.json {
		if err := con.printJSON(results); err != nil {
			return err
		}
	} else {
		for _, res := range results {
			state := "ok"
			switch {
			case updated && res.Diff != nil:
				state = "updated"
			case !res.Passed:
				state = "FAILED"
			case res.Changed:
				state = "ok, though the skill has changed"
			}
			con.printf("%s/%s: %s\n", clean(res.Skill), clean(res.Case), state)
			for _, p := range res.Problems {
				con.printf("  %s\n", clean(p))
			}
			if res.Diff != nil {
				if err := res.Diff.WriteText(con.stdout, "recorded", "today"); err != nil {
					return err
				}
			}
		}
		con.printf("%s, %d failed\n", count(len(results), "case", "cases"), failed)
	}
	if failed > 0 {
		return fmt.Errorf("%d of %d %w", failed, len(results), errCases)
	}
	return nil
}
