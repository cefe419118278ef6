package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/agentconfig"
	"github.com/findspot/findspot/examples/findspot/internal/project"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/export"
)

// exported is what skill export says.
type exported struct {
	*export.Bundle
	Files []exportedFile `json:"files"`
	Done  bool           `json:"done"` // it was written
}

type exportedFile struct {
	File   string `json:"file"`
	Change string `json:"change"`
	Diff   string `json:"diff,omitempty"`
}

func skillExport(a *app) *cobra.Command {
	var house, program string
	var write, force bool
	c := &cobra.Command{
		Use:   "export NAME --to " + strings.Join(export.Houses(), "|"),
		Short: "Write a skill for another program's agent, enforced by its hooks",
		Long: `Write a skill into the project so that another program's agent follows it, and say what is enforced there and what is
not. Without --write, the changes are shown and nothing is written. Existing files are merged and the rest of them is
kept; a file with other content is replaced only with --force.

  claude     .claude/skills, and hooks in .claude/settings.json
  codex      .agents/skills, and hooks in .codex/hooks.json
  cursor     a rule in .cursor/rules: text with checks
  agents-md  a marked block of AGENTS.md: text with checks

Hooks ask findspot before each call of a tool. What a guard denies is denied, and so is whatever else may write, until
findspot's tools have found what the gates require, and the person has typed "approve STEP". The server of findspot
must be known to the agent as findspot (findspot mcp install).`,
		Example: "  findspot skill export reproduce-algorithm --to claude\n  findspot skill export reproduce-algorithm --to claude --write",
		Args: checked(exactly(1), func() error {
			if !slices.Contains(export.Houses(), house) {
				return usagef("--to %q: give one of %s", house, strings.Join(export.Houses(), ", "))
			}
			return nil
		}),
		RunE: func(c *cobra.Command, args []string) error {
			dirGiven := c.Flags().Changed("dir")
			skills, err := a.openSkills(c.Context())
			if err != nil {
				return err
			}
			s, err := findSkill(skills, args[0])
			if err != nil {
				return err
			}
			place, err := a.place()
			if err != nil {
				return err
			}
			o := &export.Options{Program: program}
			if dirGiven {
				o.Index = a.env.Path(a.dir)
			}
			if program == "" {
				if o.Program, err = thisProgram(a.env, true); err != nil {
					return err
				}
			}
			b, err := export.Export(s, house, o)
			if err != nil {
				return err
			}
			plans, err := planBundle(a.env.Path(place.Root), b, force)
			if err != nil {
				return err
			}
			out := exported{Bundle: b, Files: []exportedFile{}}
			for _, p := range plans {
				f := exportedFile{File: a.env.Said(p.File), Change: p.Change}
				if b.Hooks != nil && strings.HasSuffix(filepath.ToSlash(p.File), b.Hooks.Path) || p.Change == agentconfig.Updated {
					f.Diff = p.Diff()
				}
				out.Files = append(out.Files, f)
			}
			if write {
				if err := agentconfig.WritePlans(plans); err != nil {
					return err
				}
				out.Done = true
			}
			return show(&a.console, out, nil, func(o exported) error { printExported(&a.console, o); return nil })
		},
	}
	f := c.Flags()
	f.StringVar(&house, "to", "", "for whom: "+strings.Join(export.Houses(), ", "))
	f.BoolVar(&write, "write", false, "write the files")
	f.BoolVar(&force, "force", false, "replace files that have other content")
	f.StringVar(&program, "command", "", "program that the hooks run (default: this one)")
	return c
}

func planBundle(root string, b *export.Bundle, force bool) (plans []*agentconfig.Plan, err error) {
	for _, f := range b.Files {
		var p *agentconfig.Plan
		if f.Block != "" {
			p, err = agentconfig.PlanBlock(root, f.Path, f.Block, f.Data)
		} else {
			p, err = agentconfig.PlanFile(root, f.Path, f.Data, force)
		}
		if err != nil {
			return nil, err
		}
		plans = append(plans, p)
	}
	if b.Hooks == nil {
		return plans, nil
	}
	var hooks []agentconfig.Hook
	for _, h := range b.Hooks.Hooks {
		hooks = append(hooks, agentconfig.Hook(h))
	}
	p, err := agentconfig.PlanHooks(root, b.Hooks.Path, b.Hooks.Mark, hooks, force)
	return append(plans, p), err
}

func printExported(con *console, o exported) {
	for _, f := range o.Files {
		change := f.Change
		if !o.Done && change != agentconfig.Kept && change != agentconfig.Unchanged {
			change = "to be " + change
		}
		con.printf("%-15s %s\n", change, clean(f.File))
	}
	for _, f := range o.Files {
		con.printf("%s", clean(f.Diff))
	}
	for _, l := range o.Enforced {
		con.printf("%-13s %s\n", "enforced", clean(l))
	}
	for _, l := range o.NotEnforced {
		con.printf("%-13s %s\n", "not enforced", clean(l))
	}
	if !o.Done {
		fmt.Fprintf(con.stderr, "findspot: nothing was written; --write writes it\n")
	}
}

func skillHook(a *app) *cobra.Command {
	var house, name, digest, root string
	c := &cobra.Command{
		Use:    "hook",
		Hidden: true, // it is for the hooks that skill export writes
		Short:  "Answer a hook of another program's agent",
		Long: `Read what the agent's program says at one event, as JSON on standard input, and answer as it expects: nothing, a denial
with what comes next, or a remark. Every error ends with a status other than 0, which the hooks turn into a denial.`,
		Example: "  findspot skill hook --house claude --skill reproduce-algorithm --digest DIGEST < event.json",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			folder := export.SkillsFolder(house)
			if folder == "" {
				return usagef("--house %q has no hooks", house)
			}
			data, err := io.ReadAll(io.LimitReader(a.stdin, export.MaxInput+1))
			if err != nil {
				return err
			}
			if root == "" {
				place, err := a.place()
				if err != nil {
					return err
				}
				root = place.Root
			}
			state := filepath.Join(root, project.IndexName)
			if c.Flags().Changed("dir") {
				state = a.dir
			}
			s, err := exportedSkill(a, filepath.Join(root, filepath.FromSlash(folder)), name)
			if err != nil {
				return err
			}
			if s.Digest != digest {
				return fmt.Errorf("skill %s in %s is not the one that was exported: a person must look at it, and run: findspot skill export %s --to %s --write --force", name, folder, name, house)
			}
			h := &export.Hook{Skill: s, Tools: allTools(), State: a.env.Path(filepath.Join(state, "hooks"))}
			out, err := h.Answer(data)
			if err == nil && len(out) > 0 {
				a.printf("%s\n", out)
			}
			return err
		},
	}
	f := c.Flags()
	f.StringVar(&house, "house", "", "who asks")
	f.StringVar(&name, "skill", "", "skill whose guards hold")
	f.StringVar(&digest, "digest", "", "digest of the skill when it was exported")
	f.StringVar(&root, "root", "", "folder of the project (default: the one around the working folder)")
	return only(c, "the form is the agent's", outputText)
}

// exportedSkill is a skill of a folder in which others may be wrong.
func exportedSkill(a *app, dir, name string) (*skill.Skill, error) {
	skills, err := loadSkills(a.env, dir)
	if err != nil && len(skills) == 0 && errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("skill %s was exported and is gone: remove its hooks, or export it again: %w", name, err)
	}
	s, missing := findSkill(skills, name)
	if missing != nil {
		return nil, errors.Join(missing, err)
	}
	return s, nil
}

// allTools are all tools that a server of findspot may offer, under all names.
func allTools() []skill.Tool {
	return findspot.DescribeTools(&findspot.ToolsOptions{Profile: findspot.ProfileAliases, WriteDir: ".", Command: &findspot.CommandOptions{Dir: "."}, MarkPDF: &findspot.MarkOptions{}})
}
