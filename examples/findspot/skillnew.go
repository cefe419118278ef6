package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill"
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
