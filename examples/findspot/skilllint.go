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
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/workflow"
)

func skillLint(a *app) *cobra.Command {
	var strict bool
	c := &cobra.Command{
		Use:   "lint [NAME|FILE|FOLDER...]",
		Short: "Prove the guards of skills, or print the path on which they leak",
		Long: "Looks at skills without running them: every skill that is known, or those that are named, by name, as a SKILL.md or\n" +
			"workflow file, or as a folder of skills. For each guard it is proven that no step, and no model within a step, can ask\n" +
			"for a denied tool before the gates of the guard; or the path is printed, step by step. The exit status is 1 when there are errors.",
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
	c.Flags().BoolVar(&strict, "strict", false, "warnings are errors too")
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
		con.printf("%s: no workflow, a text for a model\n", clean(r.Skill))
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
		info, err := os.Stat(arg)
		var found []*skill.Skill
		base := filepath.ToSlash(filepath.Dir(arg))
		switch {
		case err == nil && info.IsDir():
			base = filepath.ToSlash(filepath.Clean(arg))
			found, err = loadSkills(arg)
		case err == nil && strings.HasSuffix(arg, ".yaml") && filepath.Base(arg) != "workflow.yaml":
			var s *skill.Skill
			var fsys fs.FS
			if fsys, err = skill.Dir(filepath.Dir(arg)); err == nil {
				s, err = skill.LoadWorkflow(fsys, filepath.Base(arg))
			}
			if s != nil {
				found = []*skill.Skill{s}
			}
		case err == nil:
			found, err = loadSkills(filepath.Dir(arg))
		case slices.ContainsFunc(known, func(s *skill.Skill) bool { return s.Name == arg }):
			var s *skill.Skill
			base = ""
			if s, err = findSkill(known, arg); s != nil {
				found = []*skill.Skill{s}
			}
		case errors.Is(err, os.ErrNotExist):
			_, err = findSkill(known, arg)
			return nil, fmt.Errorf("%s is no file or folder either: %w", arg, err)
		}
		if err != nil {
			a.badInput(err)
		} else if len(found) == 0 {
			return nil, fmt.Errorf("%s: no skill in it: %w", arg, findspot.ErrNotFound)
		}
		for _, s := range found {
			out = append(out, lintedSkill{s, base})
		}
	}
	return out, nil
}

// loadSkills loads the skills of a folder.
func loadSkills(dir string) ([]*skill.Skill, error) {
	fsys, err := skill.Dir(dir)
	if err != nil {
		return nil, err
	}
	return skill.Load(fsys)
}

func skillSchema(con *console) *cobra.Command {
	return &cobra.Command{
		Use:     "schema",
		Short:   "Print the JSON Schema of a workflow, for editors",
		Example: "  findspot skill schema > workflow.schema.json",
		Args:    exactly(0),
		RunE: func(*cobra.Command, []string) error {
			con.printf("%s", workflow.Schema())
			return nil
		},
	}
}
