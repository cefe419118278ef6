package skill

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/syntax"
)

const (
	maxNesting = 8 // steps in steps
)

// WorkflowSchema returns the JSON Schema (draft 2020-12) of a workflow file, for editors: it is made from the tables that
// the parser reads with, and docs/workflow.schema.json is a copy of it. What no schema can say, such as that a step is
// bound before it is used, is left to [ParseWorkflow] and [Lint].
func WorkflowSchema() json.RawMessage { return grammar.JSONSchema() }

// ParseWorkflow reads a workflow given as a YAML text of its own and checks it. All problems are reported at once in a
// [*LoadError] that names file and line. A name, a description and the other fields of a skill may stand in it and are
// checked; [LoadWorkflow] makes a skill of them.
func ParseWorkflow(file, text string) (*Workflow, error) {
	s, problems := parseWorkflowFile(file, text)
	if len(problems) > 0 {
		return nil, loadError(file, problems)
	}
	return s.Workflow, nil
}

// parseWorkflow reads the workflow block of a SKILL.md.
func parseWorkflow(file, text string, firstLine int) (*Workflow, []Problem) {
	root, problems := parseRoot(file, text, firstLine)
	if root == nil {
		return nil, problems
	}
	p := &wfParser{known: grammar.BlockKeys()}
	w := p.workflow(root)
	return w, problemsIn(file, p.Problems)
}

// parseWorkflowFile reads a workflow that is a file of its own, with the fields of a skill in it.
func parseWorkflowFile(file, text string) (*Skill, []Problem) {
	if len(text) > syntax.MaxWorkflow {
		return nil, []Problem{{File: file, Text: fmt.Sprintf("over %d bytes", syntax.MaxWorkflow)}}
	}
	s := &Skill{File: file, Digest: digestOf(text)}
	root, problems := parseRoot(file, syntax.CleanText(text), 1)
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
	p := &wfParser{known: slices.Concat(grammar.FileKeys(), grammar.BlockKeys())}
	s.Workflow = p.workflow(root)
	problems = append(problems, problemsIn(file, p.Problems)...)
	if len(p.Problems) == 0 {
		problems = append(problems, checkWorkflow(file, s.Workflow, s.AllowedTools)...)
	}
	return s, problems
}

// parseRoot parses the YAML; a nil node comes with the problem.
func parseRoot(file, text string, firstLine int) (*syntax.Node, []Problem) {
	root, err := syntax.Parse(text, firstLine)
	if err != nil {
		line := firstLine
		var ye *syntax.Error
		if errors.As(err, &ye) {
			line, err = ye.Line, errors.New(ye.Text)
		}
		return nil, []Problem{{file, line, "workflow: " + err.Error()}}
	}
	return root, nil
}

// problemsIn are errors of syntax as problems of a file.
func problemsIn(file string, wrong []*syntax.Error) []Problem {
	var out []Problem
	for _, e := range wrong {
		out = append(out, Problem{file, e.Line, e.Text})
	}
	return out
}

type wfParser struct {
	syntax.Reader
	known []string // keys of the whole
	steps int
}

func (p *wfParser) workflow(n *syntax.Node) *Workflow {
	w := &Workflow{}
	f := p.Fields(n, "workflow", p.known...)
	if in := f["inputs"]; in != nil && in.Kind == syntax.MapNode {
		for _, k := range in.Keys {
			w.Inputs = append(w.Inputs, p.input(k))
		}
	} else if in != nil {
		p.Problem(in.Line, "inputs: must be a mapping")
	}
	if l := f["limits"]; l != nil {
		lf := p.Fields(l, "limits", grammar.LimitsKeys()...)
		w.Limits = Limits{
			ToolCalls: p.Number(lf["tool_calls"], "limits.tool_calls", 1, 100000),
			Wall:      p.Duration(lf["wall"], "limits.wall"),
			Tokens:    p.Number(lf["tokens"], "limits.tokens", 1, 1<<31-1),
		}
	}
	if g := f["guards"]; g != nil {
		if g.Kind != syntax.ListNode {
			p.Problem(g.Line, "guards: must be a list")
		}
		for _, el := range g.List {
			gf := p.Fields(el, "guard", grammar.GuardKeys()...)
			guard := Guard{Deny: p.Texts(gf["deny"], "guard.deny"), Until: expression.Unwrap(p.Text(gf["until"], "guard.until")),
				Because: p.Text(gf["because"], "guard.because"), Line: el.Line}
			if len(guard.Deny) == 0 {
				p.Problem(el.Line, "guard: deny is missing")
			}
			w.Guards = append(w.Guards, guard)
		}
	}
	switch s := f["steps"]; {
	case s == nil || s.Kind != syntax.ListNode || len(s.List) == 0:
		p.Problem(n.Line, "steps: must be a list of at least one step")
	default:
		w.Steps = p.stepList(s, 0)
	}
	if sc := f["scripts"]; sc != nil && sc.Kind == syntax.ListNode {
		for _, el := range sc.List {
			w.Scripts = append(w.Scripts, p.script(el))
		}
	} else if sc != nil {
		p.Problem(sc.Line, "scripts: must be a list")
	}
	if t := f["telemetry"]; t != nil && t.Kind == syntax.MapNode {
		for _, k := range t.Keys {
			w.Telemetry = append(w.Telemetry, Metric{k.Name, expression.Unwrap(p.Text(k.Node, "telemetry."+k.Name)), k.Line})
		}
	} else if t != nil {
		p.Problem(t.Line, "telemetry: must be a mapping")
	}
	return w
}

func (p *wfParser) script(n *syntax.Node) Script {
	if n.Kind == syntax.ScalarNode {
		return Script{Path: p.Text(n, "scripts"), Line: n.Line}
	}
	f := p.Fields(n, "script", grammar.ScriptKeys()...)
	out := Script{Path: p.Text(f["path"], "script.path"), Description: p.Text(f["description"], "script.description"),
		Args: p.Object(f["args"], "script.args"), Line: n.Line}
	if f["path"] == nil {
		p.Problem(n.Line, "script: path is missing")
	}
	return out
}

func (p *wfParser) input(k syntax.Key) Input {
	in := Input{Name: k.Name, Line: k.Line}
	if k.Node.Kind == syntax.ScalarNode { // name: string
		in.Type = p.Text(k.Node, "inputs."+k.Name)
	} else {
		f := p.Fields(k.Node, "inputs."+k.Name, grammar.InputKeys()...)
		in.Type = p.Text(f["type"], "inputs."+k.Name+".type")
		in.Required = p.Bool(f["required"], "inputs."+k.Name+".required")
		in.Description = p.Text(f["description"], "inputs."+k.Name+".description")
		if d := f["default"]; d != nil {
			in.Default = d.Plain()
		}
	}
	if in.Type != "" && !slices.Contains(grammar.InputTypes(), in.Type) {
		p.Problem(k.Line, "inputs.%s: unknown type %q (known: %s)", k.Name, in.Type, strings.Join(grammar.InputTypes(), ", "))
	}
	if in.Default != nil && !hasType(in.Default, in.Type) {
		p.Problem(k.Line, "inputs.%s: the default is no %s", k.Name, in.Type)
	}
	return in
}

func (p *wfParser) stepList(n *syntax.Node, depth int) []*Step {
	if n == nil || n.Kind != syntax.ListNode || len(n.List) == 0 {
		if n != nil {
			p.Problem(n.Line, "steps: must be a list of at least one step")
		}
		return nil
	}
	if depth > maxNesting {
		p.Problem(n.Line, "steps: nested over %d deep", maxNesting)
		return nil
	}
	var out []*Step
	for _, el := range n.List {
		if p.steps++; p.steps == grammar.MaxSteps+1 {
			p.Problem(el.Line, "more than %d steps", grammar.MaxSteps)
		}
		if p.steps > grammar.MaxSteps {
			return out
		}
		if st := p.step(el, depth); st != nil {
			out = append(out, st)
		}
	}
	return out
}

func (p *wfParser) step(n *syntax.Node, depth int) *Step {
	if n.Kind != syntax.MapNode {
		p.Problem(n.Line, "a step must be a mapping")
		return nil
	}
	st := &Step{Line: n.Line}
	var subject *syntax.Node
	for _, k := range n.Keys {
		if !slices.Contains(Kinds(), Kind(k.Name)) {
			continue
		}
		if subject != nil {
			p.Problem(k.Line, "a step does one thing: both %s and %s", st.Kind, k.Name)
			return nil
		}
		st.Kind, subject = Kind(k.Name), k.Node
	}
	if subject == nil {
		near := ""
		for _, k := range n.Keys {
			if kinds := kindTexts(); near == "" && !slices.Contains(grammar.StepKeys(), k.Name) {
				near = message.DidYouMean(k.Name, kinds)
			}
		}
		p.Problem(n.Line, "a step without a known kind%s (one of %s)", near, kindNames())
		return nil
	}
	what := "step " + string(st.Kind)
	if id, ok := n.Get("id"); ok {
		st.ID = p.Text(id, what+".id")
		what = fmt.Sprintf("step %q", st.ID)
	}
	form := grammar.FormOf(string(st.Kind))
	f := p.Fields(n, what, form.Keys()...)
	st.When = expression.Unwrap(p.Text(f["when"], what+".when"))
	if st.OnError = p.Text(f["on_error"], what+".on_error"); !slices.Contains([]string{"", "continue", "stop"}, st.OnError) {
		p.Problem(st.Line, "%s: on_error is continue or stop", what)
	}
	switch st.Kind {
	case KindExpand:
		st.Expand = &Expand{Of: p.Text(subject, what), Add: p.Texts(f["add"], what+".add"),
			Glossary: p.Text(f["glossary"], what+".glossary"), Keep: p.Number(f["keep"], what+".keep", 1, 100), By: p.Texts(f["by"], what+".by")}
	case KindRefine:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Refine = &Refine{From: p.Text(s["from"], what+".from"), Task: p.Text(s["task"], what+".task"),
			Keep: p.Number(s["keep"], what+".keep", 1, 100), By: p.Texts(s["by"], what+".by")}
	case KindSearch:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Search = &Search{In: p.Text(s["in"], what+".in"), For: p.Texts(s["for"], what+".for"), Where: p.Object(s["where"], what+".where"),
			Tiers: p.Texts(s["tiers"], what+".tiers"), Keep: p.Number(s["keep"], what+".keep", 1, 200), Merge: p.Bool(s["merge"], what+".merge")}
		if st.Search.In == "" {
			st.Search.In = "docs"
		}
		if !slices.Contains([]string{"docs", "code", "both"}, st.Search.In) {
			p.Problem(subject.Line, "%s: in is docs, code or both", what)
		}
		if len(st.Search.For) == 0 {
			p.Problem(subject.Line, "%s: for is missing: what to search", what)
		}
	case KindCall:
		st.Call = &Call{Tool: p.Text(subject, what), Args: p.Object(f["args"], what+".args"), Line: subject.Line}
		if r := f["retry"]; r != nil {
			rf := p.Fields(r, what+".retry", grammar.Keys(form.In("retry").Fields)...)
			st.Call.Retry = &Retry{Max: p.Number(rf["max"], what+".retry.max", 1, 20), On: p.Text(rf["on"], what+".retry.on"),
				Wait: p.Duration(rf["wait"], what+".retry.wait")}
		}
		if fb := f["fallback"]; fb != nil {
			ff := p.Fields(fb, what+".fallback", grammar.Keys(form.In("fallback").Fields)...)
			st.Call.Fallback = &Call{Tool: p.Text(ff["call"], what+".fallback.call"), Args: p.Object(ff["args"], what+".fallback.args"), Line: fb.Line}
			if st.Call.Fallback.Tool == "" {
				p.Problem(fb.Line, "%s: fallback without call", what)
			}
		}
	case KindAsk:
		st.Ask = &Ask{Prompt: p.Text(subject, what), From: p.Texts(f["from"], what+".from"), Schema: p.Object(f["schema"], what+".schema"),
			With: p.Texts(f["with"], what+".with")}
	case KindWrite:
		st.Write = &Write{What: p.Text(subject, what), With: p.Texts(f["with"], what+".with"), From: p.Texts(f["from"], what+".from"),
			Sections: p.Texts(f["sections"], what+".sections"), Cite: p.Text(f["cite"], what+".cite"), Check: p.Text(f["check"], what+".check")}
		for _, h := range p.Texts(f["holds"], what+".holds") {
			st.Write.Holds = append(st.Write.Holds, expression.Unwrap(h))
		}
		if c := st.Write.Cite; c != "" && c != "every_claim" {
			p.Problem(st.Line, "%s: cite is every_claim", what)
		}
	case KindEach:
		st.Each = &Each{Of: p.Text(subject, what), As: p.Text(f["as"], what+".as"), Max: p.Number(f["max"], what+".max", 1, 1000), Steps: p.stepList(f["steps"], depth+1)}
		if st.Each.As == "" {
			st.Each.As = "it"
		}
		if f["steps"] == nil {
			p.Problem(st.Line, "%s: each without steps", what)
		}
	case KindLoop:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Loop = &Loop{Max: p.Number(s["max"], what+".max", 1, 100), Until: expression.Unwrap(p.Text(s["until"], what+".until")), Steps: p.stepList(f["steps"], depth+1)}
		if s["max"] == nil {
			p.Problem(subject.Line, "%s: a loop needs a max", what)
		}
		if f["steps"] == nil {
			p.Problem(st.Line, "%s: loop without steps", what)
		}
	case KindRequire:
		st.Require = &Require{Cond: expression.Unwrap(p.Text(subject, what)), Because: p.Text(f["because"], what+".because"), Else: p.Text(f["else"], what+".else")}
		if !slices.Contains([]string{"", StatusInsufficient, StatusStopped}, st.Require.Else) {
			p.Problem(st.Line, "%s: else is insufficient or stopped", what)
		}
	case KindApprove:
		st.Approve = &Approve{What: p.Text(subject, what), Choices: p.Texts(f["choices"], what+".choices"), Unattended: p.Text(f["unattended"], what+".unattended")}
	case KindSynthesize:
		st.Synthesize = &Synthesize{From: p.Texts(subject, what), Verify: p.Text(f["verify"], what+".verify"), Style: p.Text(f["style"], what+".style")}
		if !slices.Contains([]string{"", "quotes", "locations"}, st.Synthesize.Verify) {
			p.Problem(st.Line, "%s: verify is quotes or locations", what)
		}
	case KindUse:
		st.Use = &Use{Skill: p.Text(subject, what), With: p.Object(f["inputs"], what+".inputs")}
	case KindFinish:
		st.Finish = p.Text(subject, what)
		if !slices.Contains([]string{"nothing_found", StatusInsufficient, StatusStopped, StatusDone}, st.Finish) {
			p.Problem(st.Line, "%s: finish is nothing_found, insufficient, stopped or done; only the ledger can say that there are verified no results", what)
		}
	}
	return st
}

func kindNames() string { return strings.Join(kindTexts(), ", ") }

func kindTexts() []string {
	var out []string
	for _, k := range Kinds() {
		out = append(out, string(k))
	}
	return out
}
