package skill

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/parse"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/workflow"
)

// A workflow may be a file of its own: workflow.yaml or NAME.workflow.yaml beside a SKILL.md of that name without a block,
// or instead of one, with the fields of the front matter in it.

const (
	workflowFileName = "workflow.yaml"
	workflowSuffix   = ".workflow.yaml"
)

// LoadWorkflow reads a skill that is one workflow file, with name and description in it. name is its path in fsys; files
// that its steps name are looked for in its folder. The skills it uses are not loaded with it, so that a workflow with use
// steps is read by [Load], with the others. All problems are reported at once in a [*LoadError].
func LoadWorkflow(fsys fs.FS, name string) (*Skill, error) {
	s, err := loadWorkflowFile(fsys, name)
	if err != nil {
		return nil, err
	}
	if _, bad := link([]*Skill{s}); len(bad) > 0 {
		return nil, errors.Join(bad...)
	}
	return s, nil
}

// ParsePlan reads a workflow given as text: a plan, which may leave out name and description. The name is then that of file, which stands in errors. It has no folder, so
// that a step that reads a file fails, and uses no skill. All problems are reported at once in a [*LoadError].
func ParsePlan(file, text string) (*Skill, error) {
	s, problems := parseWorkflowFile(file, text)
	if len(problems) > 0 {
		return nil, loadError(file, problems)
	}
	if s.Name == "" {
		s.Name = strings.TrimSuffix(path.Base(file), path.Ext(file))
	}
	if _, bad := link([]*Skill{s}); len(bad) > 0 {
		return nil, errors.Join(bad...)
	}
	return s, nil
}

func isWorkflowFile(name string) bool {
	base := path.Base(name)
	return base == workflowFileName || strings.HasSuffix(base, workflowSuffix) && base != workflowSuffix
}

// readWorkflowFile reads and parses the file, without asking for a name.
func readWorkflowFile(fsys fs.FS, name string) (*Skill, []workflow.Problem) {
	one := func(text string) []workflow.Problem { return []workflow.Problem{{File: name, Text: text}} }
	if !fs.ValidPath(name) {
		return nil, one("a path must be relative, with slashes and without ..")
	}
	info, err := lstat(fsys, name)
	if err != nil {
		return nil, one(err.Error())
	}
	if !info.Mode().IsRegular() {
		return nil, one("not a regular file: links are not followed")
	}
	data, err := readBounded(fsys, name, syntax.MaxWorkflow)
	if err != nil {
		return nil, one(err.Error())
	}
	return parseWorkflowFile(name, string(data))
}

func loadWorkflowFile(fsys fs.FS, name string) (*Skill, error) {
	s, problems := readWorkflowFile(fsys, name)
	if len(problems) == 0 {
		if s.Name == "" {
			problems = append(problems, workflow.Problem{File: name, Line: 1, Text: "name: missing: a workflow that is a file of its own names itself"})
		}
		if s.Description == "" {
			problems = append(problems, workflow.Problem{File: name, Line: 1, Text: "description: missing: without it nobody knows when to use the skill"})
		}
	}
	if len(problems) == 0 {
		folder, err := fs.Sub(fsys, path.Dir(name))
		if err != nil {
			return nil, loadError(name, []workflow.Problem{{File: name, Text: err.Error()}})
		}
		s.fsys = folder
		if want, ok := strings.CutSuffix(path.Base(name), workflowSuffix); ok && want != s.Name {
			s.Warnings = append(s.Warnings, workflow.Problem{File: name, Line: 1, Text: fmt.Sprintf("name %q differs from its file %q", s.Name, path.Base(name))})
		}
		problems = s.checkAssets()
	}
	if len(problems) > 0 {
		return nil, loadError(name, problems)
	}
	return s, nil
}

// besideSkill looks for the workflow of a SKILL.md in files beside it.
func (s *Skill) besideSkill(fsys fs.FS, dir, text string) []workflow.Problem {
	found := ""
	for _, base := range []string{workflowFileName, s.Name + workflowSuffix} {
		name := path.Join(dir, base)
		if _, err := lstat(fsys, name); errors.Is(err, fs.ErrNotExist) {
			continue
		}
		switch {
		case s.workflow != nil && found == "":
			return []workflow.Problem{{File: name, Line: 1, Text: "a second workflow: " + s.File + " has a block"}}
		case found != "":
			return []workflow.Problem{{File: name, Line: 1, Text: "a second workflow: the first is " + found}}
		}
		found = name
		w, problems := readWorkflowFile(fsys, name)
		if w == nil || len(problems) > 0 {
			return problems
		}
		if w.Name != "" && w.Name != s.Name {
			return []workflow.Problem{{File: name, Line: 1, Text: fmt.Sprintf("name %q differs from %q in %s", w.Name, s.Name, s.File)}}
		}
		if w.AllowedTools != nil {
			return []workflow.Problem{{File: name, Line: 1, Text: "allowed-tools stand in " + s.File + ", where every agent reads them"}}
		}
		if problems := w.workflow.Check(name, s.AllowedTools); len(problems) > 0 {
			return problems
		}
		s.workflow, s.workflowFile = w.workflow, name
		s.Digest = digestOf(text, w.Digest)
	}
	return nil
}

// Source is the file in which the steps stand.
func (s *Skill) Source() string { return cmp.Or(s.workflowFile, cmp.Or(s.File, s.Name)) }

// New makes a skill of a workflow that is a Go value. It is checked as one from a file is, and all problems are reported
// at once in a [*LoadError], with the name in place of the file.
func New(name, description string, w *workflow.Workflow, o *NewOptions) (*Skill, error) {
	if o == nil {
		o = &NewOptions{}
	}
	s := &Skill{Name: name, Description: strings.TrimSpace(description), AllowedTools: o.AllowedTools, Body: o.Body, Metadata: o.Metadata,
		Examples: syntax.Lines(o.Metadata["examples"]), NotFor: syntax.Lines(o.Metadata["not-for"]), workflow: w, fsys: o.Folder}
	var problems []workflow.Problem
	add := func(format string, args ...any) {
		problems = append(problems, workflow.Problem{File: name, Text: fmt.Sprintf(format, args...)})
	}
	if !nameRule.MatchString(name) {
		add("name %q: lower-case letters, digits and single hyphens only", name)
	}
	if s.Description == "" {
		add("description: missing: without it nobody knows when to use the skill")
	}
	if t := o.Metadata["triggers"]; t != "" {
		s.parseTriggers(syntax.Key{Name: "triggers", Node: &syntax.Node{Text: t}}, func(_ int, format string, args ...any) { add(format, args...) })
	}
	if w == nil {
		add("no workflow is given")
		return nil, loadError(name, problems)
	}
	problems = append(problems, w.Check(name, s.AllowedTools)...)
	text, err := jsonvalue.Marshal(w)
	if err != nil {
		add("the workflow holds a value that is not JSON: %v", err)
	}
	s.Digest = digestOf(name, s.Description, string(text), s.Body, strings.Join(s.AllowedTools, "\n"))
	problems = append(problems, s.checkAssets()...)
	byName := map[string]*Skill{}
	for _, u := range o.Uses {
		byName[u.Name] = u
	}
	for _, st := range usesOf(s) {
		u := byName[st.Use.Skill]
		if u == nil || u.Workflow() == nil {
			add("step %q uses skill %q, which is not among the given ones, or has no workflow", st.ID, st.Use.Skill)
			continue
		}
		if s.uses == nil {
			s.uses = map[string]*Skill{}
		}
		s.uses[st.Use.Skill] = u
	}
	if len(problems) > 0 {
		return nil, loadError(name, problems)
	}
	used := map[string]string{}
	for name, u := range s.uses {
		used[name] = u.Digest
	}
	s.covers("use", used)
	return s, nil
}

// NewOptions are what a skill may have besides its workflow.
type NewOptions struct {
	AllowedTools []string          // nil: the skill does not say, and may call no tool that writes
	Body         string            // prose for a model
	Metadata     map[string]string // examples, not-for and triggers are read
	Folder       fs.FS             // where files that steps name lie; nil: nowhere
	Uses         []*Skill          // the skills that use steps name
}

// ParseWorkflow reads a workflow given as a YAML text of its own and checks it. All problems are reported at once in a
// [*LoadError] that names file and line. A name, a description and the other fields of a skill may stand in it and are
// checked; [LoadWorkflow] makes a skill of them.
func ParseWorkflow(file, text string) (*workflow.Workflow, error) {
	s, problems := parseWorkflowFile(file, text)
	if len(problems) > 0 {
		return nil, loadError(file, problems)
	}
	return s.workflow, nil
}

// parseWorkflow reads the workflow block of a SKILL.md.
func parseWorkflow(file, text string, firstLine int) (*workflow.Workflow, []workflow.Problem) {
	root, problems := parse.Root(file, text, firstLine)
	if root == nil {
		return nil, problems
	}
	return parse.Workflow(file, root, grammar.BlockKeys())
}

// parseWorkflowFile reads a workflow that is a file of its own, with the fields of a skill in it.
func parseWorkflowFile(file, text string) (*Skill, []workflow.Problem) {
	if len(text) > syntax.MaxWorkflow {
		return nil, []workflow.Problem{{File: file, Text: fmt.Sprintf("over %d bytes", syntax.MaxWorkflow)}}
	}
	s := &Skill{File: file, Digest: digestOf(text)}
	root, problems := parse.Root(file, syntax.CleanText(text), 1)
	if root == nil {
		return nil, problems
	}
	front := &syntax.Node{Line: root.Line, Kind: root.Kind}
	for _, k := range root.Keys {
		if slices.Contains(grammar.FileKeys(), k.Name) {
			front.Keys = append(front.Keys, k)
		}
	}
	if front.Kind == syntax.MapNode {
		problems = s.parseFields(front)
	}
	w, wrong := parse.Workflow(file, root, slices.Concat(grammar.FileKeys(), grammar.BlockKeys()))
	s.workflow = w
	problems = append(problems, wrong...)
	if len(wrong) == 0 {
		problems = append(problems, s.workflow.Check(file, s.AllowedTools)...)
	}
	return s, problems
}
