package parse

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/workflow"
)

const (
	maxNesting = 8 // steps in steps
)

// Root parses the YAML; a nil node comes with the problem.
func Root(file, text string, firstLine int) (*syntax.Node, []workflow.Problem) {
	root, err := syntax.Parse(text, firstLine)
	if err != nil {
		line := firstLine
		var ye *syntax.Error
		if errors.As(err, &ye) {
			line, err = ye.Line, errors.New(ye.Text)
		}
		return nil, []workflow.Problem{{File: file, Line: line, Text: "workflow: " + err.Error()}}
	}
	return root, nil
}

// Problems are errors of syntax as problems of a file.
func Problems(file string, wrong []*syntax.Error) []workflow.Problem {
	var out []workflow.Problem
	for _, e := range wrong {
		out = append(out, workflow.Problem{File: file, Line: e.Line, Text: e.Text})
	}
	return out
}

// Workflow makes a workflow of a node that may have the known keys.
func Workflow(file string, root *syntax.Node, known []string) (*workflow.Workflow, []workflow.Problem) {
	p := &nodeParser{known: known}
	w := p.workflow(root)
	return w, Problems(file, p.Problems)
}

// The ends of a run that a step may name.
const (
	statusDone         = "done"
	statusInsufficient = "insufficient"
	statusStopped      = "stopped"
)

type nodeParser struct {
	syntax.Reader
	known []string // keys of the whole
	steps int
}

func (p *nodeParser) workflow(n *syntax.Node) *workflow.Workflow {
	w := &workflow.Workflow{}
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
		w.Limits = workflow.Limits{
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
			guard := workflow.Guard{Deny: p.Texts(gf["deny"], "guard.deny"), Until: expression.Unwrap(p.Text(gf["until"], "guard.until")),
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
			w.Telemetry = append(w.Telemetry, workflow.Metric{Name: k.Name, Expr: expression.Unwrap(p.Text(k.Node, "telemetry."+k.Name)), Line: k.Line})
		}
	} else if t != nil {
		p.Problem(t.Line, "telemetry: must be a mapping")
	}
	return w
}

func (p *nodeParser) script(n *syntax.Node) workflow.Script {
	if n.Kind == syntax.ScalarNode {
		return workflow.Script{Path: p.Text(n, "scripts"), Line: n.Line}
	}
	f := p.Fields(n, "script", grammar.ScriptKeys()...)
	out := workflow.Script{Path: p.Text(f["path"], "script.path"), Description: p.Text(f["description"], "script.description"),
		Args: p.Object(f["args"], "script.args"), Line: n.Line}
	if f["path"] == nil {
		p.Problem(n.Line, "script: path is missing")
	}
	return out
}

func (p *nodeParser) input(k syntax.Key) workflow.Input {
	in := workflow.Input{Name: k.Name, Line: k.Line}
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
	if in.Default != nil && !jsonvalue.HasType(in.Default, in.Type) {
		p.Problem(k.Line, "inputs.%s: the default is no %s", k.Name, in.Type)
	}
	return in
}

func (p *nodeParser) stepList(n *syntax.Node, depth int) []*workflow.Step {
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
	var out []*workflow.Step
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

func (p *nodeParser) step(n *syntax.Node, depth int) *workflow.Step {
	if n.Kind != syntax.MapNode {
		p.Problem(n.Line, "a step must be a mapping")
		return nil
	}
	st := &workflow.Step{Line: n.Line}
	var subject *syntax.Node
	for _, k := range n.Keys {
		if !slices.Contains(grammar.Kinds(), k.Name) {
			continue
		}
		if subject != nil {
			p.Problem(k.Line, "a step does one thing: both %s and %s", st.Kind, k.Name)
			return nil
		}
		st.Kind, subject = workflow.Kind(k.Name), k.Node
	}
	if subject == nil {
		near := ""
		for _, k := range n.Keys {
			if near == "" && !slices.Contains(grammar.StepKeys(), k.Name) {
				near = message.DidYouMean(k.Name, grammar.Kinds())
			}
		}
		p.Problem(n.Line, "a step without a known kind%s (one of %s)", near, strings.Join(grammar.Kinds(), ", "))
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
	case workflow.KindExpand:
		st.Expand = &workflow.Expand{Of: p.Text(subject, what), Add: p.Texts(f["add"], what+".add"),
			Glossary: p.Text(f["glossary"], what+".glossary"), Keep: p.Number(f["keep"], what+".keep", 1, 100), By: p.Texts(f["by"], what+".by")}
	case workflow.KindRefine:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Refine = &workflow.Refine{From: p.Text(s["from"], what+".from"), Task: p.Text(s["task"], what+".task"),
			Keep: p.Number(s["keep"], what+".keep", 1, 100), By: p.Texts(s["by"], what+".by")}
	case workflow.KindSearch:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Search = &workflow.Search{In: p.Text(s["in"], what+".in"), For: p.Texts(s["for"], what+".for"), Where: p.Object(s["where"], what+".where"),
			Tiers: p.Texts(s["tiers"], what+".tiers"), Keep: p.Number(s["keep"], what+".keep", 1, 200), Merge: p.Bool(s["merge"], what+".merge")}
		for _, t := range st.Search.Tiers {
			if !slices.Contains([]string{"phrase", "all", "any"}, t) && !strings.Contains(t, "${") {
				p.Problem(subject.Line, "%s: tier %q: there are phrase, all and any", what, t)
			}
		}
		if st.Search.In == "" {
			st.Search.In = "docs"
		}
		if !slices.Contains([]string{"docs", "code", "both"}, st.Search.In) {
			p.Problem(subject.Line, "%s: in is docs, code or both", what)
		}
		if len(st.Search.For) == 0 {
			p.Problem(subject.Line, "%s: for is missing: what to search", what)
		}
	case workflow.KindCall:
		st.Call = &workflow.Call{Tool: p.Text(subject, what), Args: p.Object(f["args"], what+".args"), Line: subject.Line}
		if r := f["retry"]; r != nil {
			rf := p.Fields(r, what+".retry", grammar.Keys(form.In("retry").Fields)...)
			st.Call.Retry = &workflow.Retry{Max: p.Number(rf["max"], what+".retry.max", 1, 20), On: p.Text(rf["on"], what+".retry.on"),
				Wait: p.Duration(rf["wait"], what+".retry.wait")}
		}
		if fb := f["fallback"]; fb != nil {
			ff := p.Fields(fb, what+".fallback", grammar.Keys(form.In("fallback").Fields)...)
			st.Call.Fallback = &workflow.Call{Tool: p.Text(ff["call"], what+".fallback.call"), Args: p.Object(ff["args"], what+".fallback.args"), Line: fb.Line}
			if st.Call.Fallback.Tool == "" {
				p.Problem(fb.Line, "%s: fallback without call", what)
			}
		}
	case workflow.KindAsk:
		st.Ask = &workflow.Ask{Prompt: p.Text(subject, what), From: p.Texts(f["from"], what+".from"), Schema: p.Object(f["schema"], what+".schema"),
			With: p.Texts(f["with"], what+".with")}
	case workflow.KindWrite:
		st.Write = &workflow.Write{What: p.Text(subject, what), With: p.Texts(f["with"], what+".with"), From: p.Texts(f["from"], what+".from"),
			Sections: p.Texts(f["sections"], what+".sections"), Cite: p.Text(f["cite"], what+".cite"), Check: p.Text(f["check"], what+".check")}
		for _, h := range p.Texts(f["holds"], what+".holds") {
			st.Write.Holds = append(st.Write.Holds, expression.Unwrap(h))
		}
		if c := st.Write.Cite; c != "" && c != "every_claim" {
			p.Problem(st.Line, "%s: cite is every_claim", what)
		}
	case workflow.KindEach:
		st.Each = &workflow.Each{Of: p.Text(subject, what), As: p.Text(f["as"], what+".as"), Max: p.Number(f["max"], what+".max", 1, 1000), Steps: p.stepList(f["steps"], depth+1)}
		if st.Each.As == "" {
			st.Each.As = "it"
		}
		if f["steps"] == nil {
			p.Problem(st.Line, "%s: each without steps", what)
		}
	case workflow.KindLoop:
		s := p.Fields(subject, what, grammar.Keys(form.Subject.Fields)...)
		st.Loop = &workflow.Loop{Max: p.Number(s["max"], what+".max", 1, 100), Until: expression.Unwrap(p.Text(s["until"], what+".until")), Steps: p.stepList(f["steps"], depth+1)}
		if s["max"] == nil {
			p.Problem(subject.Line, "%s: a loop needs a max", what)
		}
		if f["steps"] == nil {
			p.Problem(st.Line, "%s: loop without steps", what)
		}
	case workflow.KindRequire:
		st.Require = &workflow.Require{Cond: expression.Unwrap(p.Text(subject, what)), Because: p.Text(f["because"], what+".because"), Else: p.Text(f["else"], what+".else")}
		if !slices.Contains([]string{"", statusInsufficient, statusStopped}, st.Require.Else) {
			p.Problem(st.Line, "%s: else is insufficient or stopped", what)
		}
	case workflow.KindApprove:
		st.Approve = &workflow.Approve{What: p.Text(subject, what), Choices: p.Texts(f["choices"], what+".choices"), Unattended: p.Text(f["unattended"], what+".unattended")}
	case workflow.KindSynthesize:
		st.Synthesize = &workflow.Synthesize{From: p.Texts(subject, what), Verify: p.Text(f["verify"], what+".verify"), Style: p.Text(f["style"], what+".style")}
		if !slices.Contains([]string{"", "quotes", "locations"}, st.Synthesize.Verify) {
			p.Problem(st.Line, "%s: verify is quotes or locations", what)
		}
	case workflow.KindUse:
		st.Use = &workflow.Use{Skill: p.Text(subject, what), With: p.Object(f["inputs"], what+".inputs")}
	case workflow.KindFinish:
		st.Finish = p.Text(subject, what)
		if !slices.Contains([]string{"nothing_found", statusInsufficient, statusStopped, statusDone}, st.Finish) {
			p.Problem(st.Line, "%s: finish is nothing_found, insufficient, stopped or done; only the ledger can say that there are verified no results", what)
		}
	}
	return st
}
