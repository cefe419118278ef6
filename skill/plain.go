package skill

import (
	"strings"
	"sync"

	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/internal/toolpattern"
	"github.com/findspot/findspot/skill/procedure"
	"github.com/findspot/findspot/skill/workflow"
)

// plainSteps are what a body tells in plain words. They are read when somebody asks for them, once, and belong to all copies of a skill.
type plainSteps struct {
	once     sync.Once
	body     string
	line     int // of the file, on which the body begins
	file     string
	allowed  []string // as listed
	reading  *procedure.Reading
	block    string
	workflow *workflow.Workflow
}

// plainSteps makes a body without a workflow ready to be read.
func (s *Skill) plainSteps() {
	if s.workflow == nil {
		s.plain = &plainSteps{body: s.Body, line: s.bodyLine, file: s.File, allowed: s.AllowedTools}
	}
}

// read gives what the body tells; nil where it tells no procedure.
func (p *plainSteps) read() *plainSteps {
	if p == nil {
		return nil
	}
	p.once.Do(func() {
		r := procedure.Read(p.body, p.line)
		p.reading = r
		block := r.Block(func(tool string) bool { return p.allowed == nil || toolpattern.Lists(p.allowed, tool) })
		if block == "" {
			return
		}
		w, problems := parseWorkflow(p.file, block, 1)
		if len(problems) == 0 && len(w.Check(p.file, p.allowed)) == 0 { // what a reading writes is a workflow: FuzzPlainSteps
			toText(w, block)
			p.block, p.workflow = block, w
		}
	})
	if p.workflow == nil {
		return nil
	}
	return p
}

// toText gives what was read the lines of the text in place of those of the block, which stand in the comments above.
func toText(w *workflow.Workflow, block string) {
	lines, last := []int{0}, 0
	for l := range strings.Lines(block) {
		if n, ok := procedure.LineOf(l); ok {
			last = n
		}
		lines = append(lines, last)
	}
	for i := range w.Inputs {
		w.Inputs[i].Line = lines[w.Inputs[i].Line]
	}
	for i := range w.Guards {
		w.Guards[i].Line = lines[w.Guards[i].Line]
	}
	for st := range w.All() {
		st.Line = lines[st.Line]
		for c := st.Call; c != nil; c = c.Fallback {
			c.Line = lines[c.Line]
		}
	}
}

// Workflow is what a run follows: the workflow as it was written, or what the body tells in plain words; nil: there is none. It is not to be changed.
func (s *Skill) Workflow() *workflow.Workflow {
	if p := s.plain.read(); p != nil {
		return p.workflow
	}
	return s.workflow
}

// Plain is what was read from a body that tells its steps in plain words; nil: the workflow was written, or there is none.
func (s *Skill) Plain() *procedure.Reading {
	if p := s.plain.read(); p != nil {
		return p.reading
	}
	return nil
}

// Unenforced are the sentences of a body that forbid something, or may, where nothing holds it to them, since it tells no steps that run and has no workflow; in order.
func (s *Skill) Unenforced() []procedure.Doubt {
	if s.plain == nil || s.plain.read() != nil {
		return nil
	}
	return s.plain.reading.Prohibitions()
}

// Allowed are the tools that the skill may call: those listed; of plain steps without a list, those that they call; nil: the skill does not say.
func (s *Skill) Allowed() []string {
	if s.AllowedTools == nil && s.plain.read() != nil { // what writes must be listed
		return procedure.Tools()
	}
	return s.AllowedTools
}

// Block returns the workflow block as text: as it was written, or as it was read from plain steps, with the sentence each step came from. It is
// empty where there is none, and for a workflow that stands in a file or a Go value.
func (s *Skill) Block() string {
	if p := s.plain.read(); p != nil {
		return p.block
	}
	block, _, _ := syntax.WorkflowBlock(s.Body, 1)
	return block
}
