package skill

import (
	"errors"
	"fmt"
	"slices"
	"strings"
)

const (
	maxSteps   = 500
	maxNesting = 8 // steps in steps
)

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
	p := &wfParser{known: keys(blockFields)}
	w := p.workflow(root)
	return w, problemsIn(file, p.problems)
}

// parseWorkflowFile reads a workflow that is a file of its own, with the fields of a skill in it.
func parseWorkflowFile(file, text string) (*Skill, []Problem) {
	if len(text) > maxWorkflow {
		return nil, []Problem{{File: file, Text: fmt.Sprintf("over %d bytes", maxWorkflow)}}
	}
	s := &Skill{File: file, Digest: digestOf(text)}
	root, problems := parseRoot(file, cleanText(text), 1)
	if root == nil {
		return nil, problems
	}
	front := &node{line: root.line, kind: root.kind}
	for _, k := range root.keys {
		if slices.Contains(keys(fileFields), k.name) {
			front.keys = append(front.keys, k)
		}
	}
	if front.kind == mapNode {
		problems = s.parseFields(front)
	}
	p := &wfParser{known: slices.Concat(keys(fileFields), keys(blockFields))}
	s.Workflow = p.workflow(root)
	problems = append(problems, problemsIn(file, p.problems)...)
	if len(p.problems) == 0 {
		problems = append(problems, checkWorkflow(file, s.Workflow, s.AllowedTools)...)
	}
	return s, problems
}

// parseRoot parses the YAML; a nil node comes with the problem.
func parseRoot(file, text string, firstLine int) (*node, []Problem) {
	root, err := parseYAML(text, firstLine)
	if err != nil {
		line := firstLine
		var ye *yamlError
		if errors.As(err, &ye) {
			line, err = ye.line, errors.New(ye.text)
		}
		return nil, []Problem{{file, line, "workflow: " + err.Error()}}
	}
	return root, nil
}

// problemsIn are errors of syntax as problems of a file.
func problemsIn(file string, wrong []*yamlError) []Problem {
	var out []Problem
	for _, e := range wrong {
		out = append(out, Problem{file, e.line, e.text})
	}
	return out
}

type wfParser struct {
	reader
	known []string // keys of the whole
	steps int
}

func (p *wfParser) workflow(n *node) *Workflow {
	w := &Workflow{}
	f := p.fields(n, "workflow", p.known...)
	if in := f["inputs"]; in != nil && in.kind == mapNode {
		for _, k := range in.keys {
			w.Inputs = append(w.Inputs, p.input(k))
		}
	} else if in != nil {
		p.add(in.line, "inputs: must be a mapping")
	}
	if l := f["limits"]; l != nil {
		lf := p.fields(l, "limits", keys(limitsForm.fields)...)
		w.Limits = Limits{
			ToolCalls: p.num(lf["tool_calls"], "limits.tool_calls", 1, 100000),
			Wall:      p.duration(lf["wall"], "limits.wall"),
			Tokens:    p.num(lf["tokens"], "limits.tokens", 1, 1<<31-1),
		}
	}
	if g := f["guards"]; g != nil {
		if g.kind != listNode {
			p.add(g.line, "guards: must be a list")
		}
		for _, el := range g.list {
			gf := p.fields(el, "guard", keys(guardForm.fields)...)
			guard := Guard{Deny: p.strs(gf["deny"], "guard.deny"), Until: unwrap(p.str(gf["until"], "guard.until")),
				Because: p.str(gf["because"], "guard.because"), Line: el.line}
			if len(guard.Deny) == 0 {
				p.add(el.line, "guard: deny is missing")
			}
			w.Guards = append(w.Guards, guard)
		}
	}
	switch s := f["steps"]; {
	case s == nil || s.kind != listNode || len(s.list) == 0:
		p.add(n.line, "steps: must be a list of at least one step")
	default:
		w.Steps = p.stepList(s, 0)
	}
	if sc := f["scripts"]; sc != nil && sc.kind == listNode {
		for _, el := range sc.list {
			w.Scripts = append(w.Scripts, p.script(el))
		}
	} else if sc != nil {
		p.add(sc.line, "scripts: must be a list")
	}
	if t := f["telemetry"]; t != nil && t.kind == mapNode {
		for _, k := range t.keys {
			w.Telemetry = append(w.Telemetry, Metric{k.name, unwrap(p.str(k.node, "telemetry."+k.name)), k.line})
		}
	} else if t != nil {
		p.add(t.line, "telemetry: must be a mapping")
	}
	return w
}

func (p *wfParser) script(n *node) Script {
	if n.kind == scalarNode {
		return Script{Path: p.str(n, "scripts"), Line: n.line}
	}
	f := p.fields(n, "script", keys(scriptForm.fields)...)
	out := Script{Path: p.str(f["path"], "script.path"), Description: p.str(f["description"], "script.description"),
		Args: p.object(f["args"], "script.args"), Line: n.line}
	if f["path"] == nil {
		p.add(n.line, "script: path is missing")
	}
	return out
}

func (p *wfParser) input(k key) Input {
	in := Input{Name: k.name, Line: k.line}
	if k.node.kind == scalarNode { // name: string
		in.Type = p.str(k.node, "inputs."+k.name)
	} else {
		f := p.fields(k.node, "inputs."+k.name, keys(inputForm.fields)...)
		in.Type = p.str(f["type"], "inputs."+k.name+".type")
		in.Required = p.boolean(f["required"], "inputs."+k.name+".required")
		in.Description = p.str(f["description"], "inputs."+k.name+".description")
		if d := f["default"]; d != nil {
			in.Default = d.plain()
		}
	}
	if in.Type != "" && !slices.Contains(inputTypes, in.Type) {
		p.add(k.line, "inputs.%s: unknown type %q (known: %s)", k.name, in.Type, strings.Join(inputTypes, ", "))
	}
	if in.Default != nil && !hasType(in.Default, in.Type) {
		p.add(k.line, "inputs.%s: the default is no %s", k.name, in.Type)
	}
	return in
}

var inputTypes = []string{"string", "number", "integer", "boolean", "list", "object"}

func (p *wfParser) stepList(n *node, depth int) []*Step {
	if n == nil || n.kind != listNode || len(n.list) == 0 {
		if n != nil {
			p.add(n.line, "steps: must be a list of at least one step")
		}
		return nil
	}
	if depth > maxNesting {
		p.add(n.line, "steps: nested over %d deep", maxNesting)
		return nil
	}
	var out []*Step
	for _, el := range n.list {
		if p.steps++; p.steps == maxSteps+1 {
			p.add(el.line, "more than %d steps", maxSteps)
		}
		if p.steps > maxSteps {
			return out
		}
		if st := p.step(el, depth); st != nil {
			out = append(out, st)
		}
	}
	return out
}

func (p *wfParser) step(n *node, depth int) *Step {
	if n.kind != mapNode {
		p.add(n.line, "a step must be a mapping")
		return nil
	}
	st := &Step{Line: n.line}
	var subject *node
	for _, k := range n.keys {
		if !slices.Contains(Kinds(), Kind(k.name)) {
			continue
		}
		if subject != nil {
			p.add(k.line, "a step does one thing: both %s and %s", st.Kind, k.name)
			return nil
		}
		st.Kind, subject = Kind(k.name), k.node
	}
	if subject == nil {
		near := ""
		for _, k := range n.keys {
			if kinds := kindTexts(); near == "" && !slices.Contains(keys(stepFields), k.name) {
				near = didYouMean(k.name, kinds)
			}
		}
		p.add(n.line, "a step without a known kind%s (one of %s)", near, kindNames())
		return nil
	}
	what := "step " + string(st.Kind)
	if id, ok := n.get("id"); ok {
		st.ID = p.str(id, what+".id")
		what = fmt.Sprintf("step %q", st.ID)
	}
	form := formOf(st.Kind)
	f := p.fields(n, what, form.keys()...)
	st.When = unwrap(p.str(f["when"], what+".when"))
	if st.OnError = p.str(f["on_error"], what+".on_error"); !slices.Contains([]string{"", "continue", "stop"}, st.OnError) {
		p.add(st.Line, "%s: on_error is continue or stop", what)
	}
	switch st.Kind {
	case KindExpand:
		st.Expand = &Expand{Of: p.str(subject, what), Add: p.strs(f["add"], what+".add"),
			Glossary: p.str(f["glossary"], what+".glossary"), Keep: p.num(f["keep"], what+".keep", 1, 100), By: p.strs(f["by"], what+".by")}
	case KindRefine:
		s := p.fields(subject, what, keys(form.subject.fields)...)
		st.Refine = &Refine{From: p.str(s["from"], what+".from"), Task: p.str(s["task"], what+".task"),
			Keep: p.num(s["keep"], what+".keep", 1, 100), By: p.strs(s["by"], what+".by")}
	case KindSearch:
		s := p.fields(subject, what, keys(form.subject.fields)...)
		st.Search = &Search{In: p.str(s["in"], what+".in"), For: p.strs(s["for"], what+".for"), Where: p.object(s["where"], what+".where"),
			Tiers: p.strs(s["tiers"], what+".tiers"), Keep: p.num(s["keep"], what+".keep", 1, 200), Merge: p.boolean(s["merge"], what+".merge")}
		if st.Search.In == "" {
			st.Search.In = "docs"
		}
		if !slices.Contains([]string{"docs", "code", "both"}, st.Search.In) {
			p.add(subject.line, "%s: in is docs, code or both", what)
		}
		if len(st.Search.For) == 0 {
			p.add(subject.line, "%s: for is missing: what to search", what)
		}
	case KindCall:
		st.Call = &Call{Tool: p.str(subject, what), Args: p.object(f["args"], what+".args"), Line: subject.line}
		if r := f["retry"]; r != nil {
			rf := p.fields(r, what+".retry", keys(form.in("retry").fields)...)
			st.Call.Retry = &Retry{Max: p.num(rf["max"], what+".retry.max", 1, 20), On: p.str(rf["on"], what+".retry.on"),
				Wait: p.duration(rf["wait"], what+".retry.wait")}
		}
		if fb := f["fallback"]; fb != nil {
			ff := p.fields(fb, what+".fallback", keys(form.in("fallback").fields)...)
			st.Call.Fallback = &Call{Tool: p.str(ff["call"], what+".fallback.call"), Args: p.object(ff["args"], what+".fallback.args"), Line: fb.line}
			if st.Call.Fallback.Tool == "" {
				p.add(fb.line, "%s: fallback without call", what)
			}
		}
	case KindAsk:
		st.Ask = &Ask{Prompt: p.str(subject, what), From: p.strs(f["from"], what+".from"), Schema: p.object(f["schema"], what+".schema"),
			With: p.strs(f["with"], what+".with")}
	case KindWrite:
		st.Write = &Write{What: p.str(subject, what), With: p.strs(f["with"], what+".with"), From: p.strs(f["from"], what+".from"),
			Sections: p.strs(f["sections"], what+".sections"), Cite: p.str(f["cite"], what+".cite"), Check: p.str(f["check"], what+".check")}
		for _, h := range p.strs(f["holds"], what+".holds") {
			st.Write.Holds = append(st.Write.Holds, unwrap(h))
		}
		if c := st.Write.Cite; c != "" && c != "every_claim" {
			p.add(st.Line, "%s: cite is every_claim", what)
		}
	case KindEach:
		st.Each = &Each{Of: p.str(subject, what), As: p.str(f["as"], what+".as"), Max: p.num(f["max"], what+".max", 1, 1000), Steps: p.stepList(f["steps"], depth+1)}
		if st.Each.As == "" {
			st.Each.As = "it"
		}
		if f["steps"] == nil {
			p.add(st.Line, "%s: each without steps", what)
		}
	case KindLoop:
		s := p.fields(subject, what, keys(form.subject.fields)...)
		st.Loop = &Loop{Max: p.num(s["max"], what+".max", 1, 100), Until: unwrap(p.str(s["until"], what+".until")), Steps: p.stepList(f["steps"], depth+1)}
		if s["max"] == nil {
			p.add(subject.line, "%s: a loop needs a max", what)
		}
		if f["steps"] == nil {
			p.add(st.Line, "%s: loop without steps", what)
		}
	case KindRequire:
		st.Require = &Require{Cond: unwrap(p.str(subject, what)), Because: p.str(f["because"], what+".because"), Else: p.str(f["else"], what+".else")}
		if !slices.Contains([]string{"", StatusInsufficient, StatusStopped}, st.Require.Else) {
			p.add(st.Line, "%s: else is insufficient or stopped", what)
		}
	case KindApprove:
		st.Approve = &Approve{What: p.str(subject, what), Choices: p.strs(f["choices"], what+".choices"), Unattended: p.str(f["unattended"], what+".unattended")}
	case KindSynthesize:
		st.Synthesize = &Synthesize{From: p.strs(subject, what), Verify: p.str(f["verify"], what+".verify"), Style: p.str(f["style"], what+".style")}
		if !slices.Contains([]string{"", "quotes", "locations"}, st.Synthesize.Verify) {
			p.add(st.Line, "%s: verify is quotes or locations", what)
		}
	case KindUse:
		st.Use = &Use{Skill: p.str(subject, what), With: p.object(f["inputs"], what+".inputs")}
	case KindFinish:
		st.Finish = p.str(subject, what)
		if !slices.Contains([]string{"nothing_found", StatusInsufficient, StatusStopped, StatusDone}, st.Finish) {
			p.add(st.Line, "%s: finish is nothing_found, insufficient, stopped or done; only the ledger can say that there are verified no results", what)
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
