package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/workflow"
)

func skillLint(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "lint [NAME|FILE|FOLDER...]",
		Short: "Prove the guards of skills, or print how they can be bypassed",
		Long: `Check skills without running them: every known skill, or those given by name, as a SKILL.md or workflow file, or as a
folder of skills. For each guard, it proves that no step, and no model within a step, can ask for a denied tool before
the gates of the guard; otherwise it prints the path, step by step. The exit status is 1 if there are errors.`,
		Example: "  findspot skill lint\n  findspot skill lint .agents/skills/my-skill --strict",
		RunE: func(c *cobra.Command, args []string) error {
			skills, err := skillsToLint(c.Context(), a, args)
			if err != nil {
				return err
			}
			tools := a.ws.Tools(nil)
			reports, wrong := []*lint.Report{}, a.bad
			for _, s := range skills {
				r := lint.Check(s.Skill, tools)
				for _, w := range s.Warnings {
					r.Findings = append(r.Findings, lint.Finding{Severity: lint.SeverityWarning, Code: "format", File: w.File, Line: w.Line, Text: w.Text})
				}
				r.File = path.Join(s.base, r.File)
				for i := range r.Findings {
					r.Findings[i].File = path.Join(s.base, r.Findings[i].File)
				}
				wrong += r.Errors()
				if strict {
					wrong += len(r.Findings) - r.Errors()
				}
				reports = append(reports, r)
			}
			if a.json {
				err = a.printJSON(reports)
			} else {
				for i, r := range reports {
					printLint(&a.console, r, skills[i].Workflow != nil)
				}
			}
			if a.bad = 0; err == nil && wrong > 0 {
				err = errNo
			}
			return err
		},
	}
	c.Flags().BoolVar(&strict, "strict", false, "treat warnings as errors")
	return c
}

func printLint(con *console, r *lint.Report, workflow bool) {
	proven := 0
	for _, g := range r.Guards {
		if g.Proven {
			proven++
		}
	}
	warnings := len(r.Findings) - r.Errors()
	switch {
	case !workflow:
		con.printf("%s: no workflow, only text for a model\n", clean(r.Skill))
	case len(r.Guards) == 0:
		con.printf("%s: no guards, %s, %s\n", clean(r.Skill), count(r.Errors(), "error", "errors"), count(warnings, "warning", "warnings"))
	default:
		con.printf("%s: %d of %s proven, %s, %s\n", clean(r.Skill), proven, count(len(r.Guards), "guard", "guards"), count(r.Errors(), "error", "errors"), count(warnings, "warning", "warnings"))
	}
	for _, f := range r.Findings {
		con.printf("%s\n", clean(f.String()))
		for _, p := range f.Path {
			step := p.Step
			if p.Skill != "" {
				step = p.Skill + "/" + step
			}
			if p.Note != "" {
				step += ": " + p.Note
			}
			con.printf("    line %-4d %s\n", p.Line, clean(step))
		}
	}
}

// A lintedSkill is a skill with the folder from which its file is named.
type lintedSkill struct {
	*skill.Skill
	base string
}

// skillsToLint are the named skills. What cannot be loaded is said, and counted in a.bad.
func skillsToLint(ctx context.Context, a *app, args []string) (out []lintedSkill, err error) {
	known, err := a.openSkills(ctx)
	if err != nil {
		return nil, err
	}
	if len(args) == 0 {
		for _, s := range known {
			out = append(out, lintedSkill{s, ""})
		}
		return out, nil
	}
	a.bad = 0 // of the skills that nobody asked for
	for _, arg := range args {
		info, err := a.env.Stat(arg)
		var found []*skill.Skill
		base := filepath.ToSlash(filepath.Dir(arg))
		switch {
		case err == nil && info.IsDir():
			base = filepath.ToSlash(filepath.Clean(arg))
			found, err = loadSkills(a.env, arg)
		case err == nil && strings.HasSuffix(arg, ".yaml") && filepath.Base(arg) != "workflow.yaml":
			var s *skill.Skill
			var fsys fs.FS
			if fsys, err = skill.Dir(a.env.Path(filepath.Dir(arg))); err == nil {
				s, err = skill.LoadWorkflow(fsys, filepath.Base(arg))
			}
			if s != nil {
				found = []*skill.Skill{s}
			}
		case err == nil:
			found, err = loadSkills(a.env, filepath.Dir(arg))
		case slices.ContainsFunc(known, func(s *skill.Skill) bool { return s.Name == arg }):
			var s *skill.Skill
			base = ""
			if s, err = findSkill(known, arg); s != nil {
				found = []*skill.Skill{s}
			}
		case errors.Is(err, os.ErrNotExist):
			_, err = findSkill(known, arg)
			return nil, fmt.Errorf("%s is neither a skill, a file nor a folder: %w", arg, err)
		}
		if err != nil {
			a.badInput(err)
		} else if len(found) == 0 {
			return nil, fmt.Errorf("%s contains no skill: %w", arg, findspot.ErrNotFound)
		}
		for _, s := range found {
			out = append(out, lintedSkill{s, base})
		}
	}
	return out, nil
}

// loadSkills loads the skills of a folder.
func loadSkills(e *env.Env, dir string) ([]*skill.Skill, error) {
	fsys, err := skill.Dir(e.Path(dir))
	if err != nil {
		return nil, err
	}
	return skill.Load(fsys)
}

func skillSchema(con *console) *cobra.Command {
	return only(&cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of a workflow, for editors",
		Example: "  findspot skill schema > workflow.schema.json",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			con.printf("%s", workflow.Schema())
			return nil
		},
	}, "it is one JSON Schema", outputText, outputJSON)
}

func skillWhy(a *app) *cobra.Command {
	var all bool
	c := &cobra.Command{
		Use:   "why TASK",
		Short: "Explain how each skill fits a task, and which one is chosen",
		Long: `Print for each skill, best first: its fit and whether it is chosen, the words of the task that it knows, its nearest
example, the trigger that matches, and the nearest task that it declares it is not for. Numbers range from 0 to 1.`,
		Example: "  findspot skill why \"simulate cell search at low SNR\"",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			choice, ok, err := choose(c.Context(), a, args)
			if err != nil {
				return err
			}
			if a.json {
				return a.printJSON(whyJSON(choice, ok))
			}
			printWhy(&a.console, choice, ok, all)
			return nil
		},
	}
	c.Flags().BoolVar(&all, "all", false, "also print the skills that share nothing with the task")
	return c
}

// whyFit is a fit as JSON.
type whyFit struct {
	Skill    string         `json:"skill"`
	Score    float64        `json:"score"`
	Covered  float64        `json:"covered"`
	Near     float64        `json:"near"`
	Example  string         `json:"example"`
	Words    []string       `json:"words"`
	Trigger  string         `json:"trigger"`
	Inputs   map[string]any `json:"inputs"`
	Wish     string         `json:"wish"`
	NotFor   string         `json:"not_for"`
	Against  float64        `json:"against"`
	Denied   bool           `json:"denied"`
	Decision string         `json:"decision"`
}

func whyJSON(choice skill.Choice, ok bool) map[string]any {
	fits := []whyFit{}
	for _, f := range choice.Fits {
		fits = append(fits, whyFit{f.Skill.Name, f.Score, f.Covered, f.Near, f.Example, f.Words, f.Trigger, f.Inputs, f.Wish, f.NotFor, f.Against, f.Denied, f.Decision})
	}
	out := map[string]any{"skill": nil, "threshold": skill.DefaultThreshold, "margin": skill.DefaultMargin, "fits": fits}
	if ok {
		out["skill"] = choice.Skill.Name
	}
	return out
}

func printWhy(con *console, choice skill.Choice, ok, all bool) {
	p := newPrinter(con.stdout)
	if ok {
		p.printf("%s\n", choice.Skill.Name)
	} else {
		p.printf("none\n")
	}
	p.printf("threshold %.2f, margin %.2f of the best\n", skill.DefaultThreshold, skill.DefaultMargin)
	hidden := 0
	for _, f := range choice.Fits {
		if f.Score == 0 && f.Trigger == "" && !all {
			hidden++
			continue
		}
		p.printf("\n%-26s %.2f  %s\n", clean(f.Skill.Name), f.Score, clean(f.Decision))
		if f.Trigger != "" {
			p.printf("  trigger       %s\n", clean(f.Trigger))
		}
		p.printf("  words         %.2f  %s\n", f.Covered, clean(strings.Join(f.Words, " ")))
		if f.Example != "" {
			p.printf("  best example  %.2f  %s\n", f.Near, clean(f.Example))
		}
		if f.Wish != "" {
			p.printf("  wants               %s\n", clean(f.Wish))
		}
		if f.NotFor != "" {
			p.printf("  not for       %.2f  %s\n", f.Against, clean(f.NotFor))
		}
	}
	if hidden > 0 {
		p.printf("\n%d skills share nothing with the task\n", hidden)
	}
}
