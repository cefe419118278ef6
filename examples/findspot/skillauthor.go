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
	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/workflow"
)

// newSkill is what a skill starts from: it loads and runs as it is.
const newSkill = `---
name: NAME
description: Say in one or two sentences what this skill does. Use when the task asks for ... (words that such tasks hold).
metadata:
  examples: |
    a task that it is made for, as a person would type it
    another one, in other words
  not-for: |
    a task that sounds alike and is not meant
allowed-tools: search_internal
---

# NAME

Say here how a careful person does it: what to look at first, what to quote,
when to stop. A model that writes the answer reads this text.

` + "```yaml workflow" + `
inputs:
  task: {type: string, required: true}
steps:
  # Words to search for, made from the task.
  - id: queries
    expand: ${inputs.task}

  # What the documents say. "in: code" searches the repositories, "in: both" both.
  - id: found
    search: {in: docs, for: "${queries}", keep: 8}

  # Nothing found: the ledger decides whether that is proven.
  - id: nothing
    when: len(found) == 0
    finish: nothing_found

  # A gate: go on only with enough evidence.
  - id: enough
    require: len(found) >= 2
    because: one passage is too little

  # The answer, from the evidence; quotes are checked word for word.
  - id: answer
    synthesize: [found]
    verify: quotes
` + "```" + `
`

var newSkillName = lazyregexp.New(`^[a-z0-9]+(?:-[a-z0-9]+)*$`)

func skillNew(con *console) *cobra.Command {
	var in string
	c := &cobra.Command{
		Use:   "new NAME",
		Short: "Write a small commented skill to start from",
		Long: `Write NAME/SKILL.md into the folder of skills that findspot reads by default. It runs as it is. An existing file is
never overwritten.`,
		Example: "  findspot skill new measured-threshold",
		Args:    exactly(1),
		RunE: func(_ *cobra.Command, args []string) error {
			name := args[0]
			if !newSkillName.MatchString(name) || len(name) > 64 {
				return usagef("%q: a name is lower-case letters, digits and single hyphens, at most 64", name)
			}
			text := strings.ReplaceAll(newSkill, "NAME", name)
			if _, err := skill.Parse("SKILL.md", text); err != nil {
				return err
			}
			dir := filepath.Join(in, name)
			if err := con.env.MkdirAll(dir); err != nil {
				return err
			}
			file := filepath.Join(dir, "SKILL.md")
			f, err := os.OpenFile(con.env.Path(file), os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
			if errors.Is(err, fs.ErrExist) {
				return fmt.Errorf("%s already exists; choose another name or remove it", file)
			}
			if err != nil {
				return err
			}
			if _, err := f.WriteString(text); err != nil {
				return errors.Join(err, f.Close())
			}
			if err := f.Close(); err != nil {
				return err
			}
			return show(con, map[string]string{"file": file}, nil, func(map[string]string) error {
				con.printf("%s\n", file)
				fmt.Fprintf(con.stderr, "findspot: describe in it what the skill does; then run: findspot skill lint %s && findspot skill run %s \"a task\"\n", name, name)
				return nil
			})
		},
	}
	c.Flags().StringVar(&in, "in", filepath.Join(".agents", "skills"), "folder of skills to write into")
	return c
}

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
					printLint(&a.console, r, skills[i].Workflow() != nil)
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
	Wish     float64        `json:"wish"`
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
		p.printf("  wish         %5.2f  from -1, it wants something else, to 1, the same as the examples\n", f.Wish)
		if f.NotFor != "" {
			p.printf("  not for       %.2f  %s\n", f.Against, clean(f.NotFor))
		}
	}
	if hidden > 0 {
		p.printf("\n%d skills share nothing with the task\n", hidden)
	}
}
