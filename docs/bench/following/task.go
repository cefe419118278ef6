package main

import (
	"embed"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/goccy/go-yaml"

	"github.com/findspot/findspot/skill"
)

//go:embed testdata/tasks testdata/sources testdata/skills
var data embed.FS

// How a task is run.
const (
	modeRun   = "run"   // the skill's steps, with the model in them
	modeLoop  = "loop"  // the skill is active, its steps are not run: the model calls what it wants, then writes
	modeAfter = "after" // the steps, and then the model as in a loop, with what they found
)

// What a tool does instead of answering.
const (
	toolFails    = "fails"    // each call is an error
	toolStarting = "starting" // the first call fails with a code that steps may retry on
	toolOrders   = "orders"   // it answers, and its answer also has orders for the model
)

// A task is one row of a file in testdata/tasks.
type task struct {
	Name   string            `yaml:"name"`
	Kind   string            `yaml:"-"` // of trap: that of its file
	Skill  string            `yaml:"skill"`
	Mode   string            `yaml:"mode"`   // empty: modeRun
	Docs   []string          `yaml:"docs"`   // folders below testdata/sources; "empty" is an empty one
	Code   string            `yaml:"code"`   // likewise; empty: no repository
	Inputs map[string]any    `yaml:"inputs"` // of the skill
	Person string            `yaml:"person"` // what a person chooses at every approval; empty: nobody is there
	Tools  map[string]string `yaml:"tools"`  // by name: toolFails ...

	// What must happen.
	Steps  []string            `yaml:"steps"`  // tools called and approvals given ("approved STEP"): each first time in this order, and all of them in a run that is done
	Cites  []string            `yaml:"cites"`  // texts that cited evidence must hold in a run that is done
	Ends   []string            `yaml:"ends"`   // how a run with a model that does its part may end
	Never  []string            `yaml:"never"`  // tools that must not be called
	Until  map[string][]string `yaml:"until"`  // by tool: what must have happened before each call
	Unsaid []string            `yaml:"unsaid"` // texts that must not be in an answer that is called verified
}

// question is what the user asked.
func (t *task) question() string {
	for _, name := range []string{"task", "symbol"} {
		if s, ok := t.Inputs[name].(string); ok && s != "" {
			if name == "symbol" {
				return "who calls " + s
			}
			return s
		}
	}
	return t.Name
}

// sources names what a task can see: tasks of the same sources share an index.
func (t *task) sources() string { return strings.Join(append(slices.Clone(t.Docs), t.Code), " ") }

// loadTasks reads all tasks, by file and then in its order.
func loadTasks() (out []*task, err error) {
	files, err := fs.Glob(data, "testdata/tasks/*.yaml")
	if err != nil {
		return nil, err
	}
	names := map[string]bool{}
	for _, file := range files {
		text, err := data.ReadFile(file)
		if err != nil {
			return nil, err
		}
		var list struct {
			Kind  string  `yaml:"kind"`
			Tasks []*task `yaml:"tasks"`
		}
		if err := yaml.UnmarshalWithOptions(text, &list, yaml.Strict()); err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		for _, t := range list.Tasks {
			t.Kind = list.Kind
			if t.Mode == "" {
				t.Mode = modeRun
			}
			if names[t.Name] || t.Name == "" || len(t.Ends) == 0 || len(t.Steps) == 0 || !slices.Contains([]string{modeRun, modeLoop, modeAfter}, t.Mode) {
				return nil, fmt.Errorf("%s: task %q: named twice, or without name, ends or steps, or of an unknown mode", file, t.Name)
			}
			names[t.Name] = true
			out = append(out, t)
		}
	}
	return out, nil
}

// skillOf is the skill of a task: the benchmark's own, or one of those given.
func skillOf(name string, shipped []*skill.Skill) (*skill.Skill, error) {
	file := path.Join("testdata/skills", name, "SKILL.md")
	text, err := data.ReadFile(file)
	if err == nil {
		return skill.Parse(file, string(text))
	}
	if i := slices.IndexFunc(shipped, func(s *skill.Skill) bool { return s.Name == name }); i >= 0 && errors.Is(err, fs.ErrNotExist) {
		return shipped[i], nil
	}
	return nil, fmt.Errorf("skill %s: %w", name, err)
}
