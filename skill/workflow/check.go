package workflow

import (
	"cmp"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/grammar"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/internal/toolpattern"
)

var stepID = lazyregexp.New(`^[a-z][a-z0-9_]{0,63}$`)

// reserved names mean something of their own in expressions.
var reserved = []string{"inputs", "passed", "approved", "results", "status", "used", "docs", "identifiers", "keys_of", "len",
	"true", "false", "nil", "in", "not", "and", "or", "matches", "let", "if", "else"}

// Check reports every problem of a workflow, by line. allowed are the tools the skill lists; nil means that it lists none.
func (w *Workflow) Check(file string, allowed []string) []Problem {
	c := &checker{file: file, w: w, allowed: allowed, inputs: map[string]bool{}, all: map[string]*Step{}, gates: map[string]Kind{}}
	for _, in := range w.Inputs {
		if !stepID.MatchString(in.Name) {
			c.add(in.Line, "input %q: lower-case letters, digits and _ only", in.Name)
		}
		c.inputs[in.Name] = true
	}
	for st := range w.All() {
		if c.all[st.ID] == nil {
			c.all[st.ID] = st
		}
		if st.Gate() {
			c.gates[st.ID] = st.Kind
		}
	}
	if len(w.Steps) == 0 {
		c.add(0, "a workflow without steps")
	}
	c.steps(w.Steps, map[string]bool{}, map[string]bool{}, false)
	c.guards()
	c.scripts()
	for _, m := range w.Telemetry {
		scope := map[string]bool{"status": true}
		for id := range c.all {
			scope[id] = true
		}
		c.expr(m.Line, "telemetry."+m.Name, m.Expr, scope)
	}
	slices.SortStableFunc(c.problems, func(a, b Problem) int { return cmp.Compare(a.Line, b.Line) })
	return c.problems
}

type checker struct {
	file     string
	w        *Workflow
	allowed  []string
	inputs   map[string]bool
	all      map[string]*Step
	gates    map[string]Kind
	problems []Problem
}

func (c *checker) add(line int, format string, args ...any) {
	if len(c.problems) >= syntax.MaxProblems {
		return
	}
	c.problems = append(c.problems, Problem{c.file, line, fmt.Sprintf(format, args...)})
}

// steps checks a list of steps. before holds the names that are bound when the first one starts; here those bound in
// this list or in one that runs once around it, which may not be bound again. In a loop an outer name may be bound
// again, since that is how rounds build on each other.
func (c *checker) steps(steps []*Step, before, here map[string]bool, looping bool) {
	for _, st := range steps {
		if st == nil {
			c.add(0, "a step is nil")
			continue
		}
		what := fmt.Sprintf("step %q", st.ID)
		switch {
		case st.ID == "":
			what = "step " + string(st.Kind)
			c.add(st.Line, "%s: id is missing", what)
		case !stepID.MatchString(st.ID):
			c.add(st.Line, "%s: an id is lower-case letters, digits and _", what)
		case slices.Contains(reserved, st.ID):
			c.add(st.Line, "%s: the name has a meaning of its own", what)
		case here[st.ID]:
			c.add(st.Line, "%s: the id is taken by the step in line %d", what, c.all[st.ID].Line)
		case before[st.ID] && (!looping || st.Gate() || c.all[st.ID].Gate()):
			c.add(st.Line, "%s: the id is taken; only a loop may bind an outer name again, and never a gate's", what)
		}
		c.step(st, what, before)
		before[st.ID], here[st.ID] = true, true
	}
}

func (c *checker) step(st *Step, what string, scope map[string]bool) {
	if st.When != "" {
		c.expr(st.Line, what+".when", st.When, scope)
	}
	tmpl := func(field, s string) { c.template(st.Line, what+field, s, scope) }
	ids := func(field string, list []string) {
		for _, s := range list {
			if strings.Contains(s, "${") {
				tmpl(field, s)
			} else if !scope[s] {
				c.unknown(st.Line, what+field, s)
			}
		}
	}
	missing := func(field bool) bool {
		if !field {
			c.add(st.Line, "%s: kind %s without its content", what, st.Kind)
		}
		return !field
	}
	switch st.Kind {
	case KindExpand:
		if missing(st.Expand != nil) {
			return
		}
		tmpl("", st.Expand.Of)
		for _, a := range st.Expand.Add {
			tmpl(".add", a)
		}
		for _, by := range st.Expand.By {
			if !slices.Contains(grammar.QueryWays(), by) {
				c.add(st.Line, "%s: by is corpus or model, not %q", what, by)
			}
		}
		if slices.Contains(st.Expand.By, grammar.ByCorpus) {
			c.tool(st.Line, what, convention.SearchDocs)
		}
	case KindRefine:
		if missing(st.Refine != nil) {
			return
		}
		tmpl(".from", st.Refine.From)
		tmpl(".task", st.Refine.Task)
		for _, by := range st.Refine.By {
			if by != grammar.ByModel {
				c.add(st.Line, "%s: by is model, not %q", what, by)
			}
		}
	case KindSearch:
		if missing(st.Search != nil) {
			return
		}
		for _, q := range st.Search.For {
			tmpl(".for", q)
		}
		c.values(st.Line, what+".where", st.Search.Where, scope)
		if st.Search.In != "code" {
			c.tool(st.Line, what, convention.SearchDocs)
		}
		if st.Search.In != "docs" {
			c.tool(st.Line, what, convention.SearchCode)
		}
	case KindCall:
		if missing(st.Call != nil) {
			return
		}
		c.tool(st.Line, what, st.Call.Tool)
		c.values(st.Line, what+".args", st.Call.Args, scope)
		if fb := st.Call.Fallback; fb != nil {
			c.tool(fb.Line, what+".fallback", fb.Tool)
			c.values(fb.Line, what+".fallback.args", fb.Args, scope)
		}
	case KindAsk:
		if missing(st.Ask != nil) {
			return
		}
		tmpl("", st.Ask.Prompt)
		ids(".from", st.Ask.From)
		for _, t := range st.Ask.With {
			c.tool(st.Line, what+".with", t)
		}
	case KindWrite:
		if missing(st.Write != nil) {
			return
		}
		ids(".from", st.Write.From)
		for _, t := range st.Write.With {
			c.tool(st.Line, what+".with", t)
		}
		within := maps.Clone(scope)
		if within == nil {
			within = map[string]bool{}
		}
		within["it"] = true
		for _, src := range st.Write.Holds {
			c.expr(st.Line, what+".holds", src, within)
		}
	case KindEach:
		if missing(st.Each != nil) {
			return
		}
		tmpl("", st.Each.Of)
		if as := st.Each.As; !stepID.MatchString(as) || slices.Contains(reserved, as) || scope[as] {
			c.add(st.Line, "%s: as %q is no free name", what, as)
		}
		if len(st.Each.Steps) == 0 {
			c.add(st.Line, "%s: each without steps", what)
		}
		inner := maps.Clone(scope)
		inner[st.Each.As] = true
		c.steps(st.Each.Steps, inner, map[string]bool{}, false)
	case KindLoop:
		if missing(st.Loop != nil) {
			return
		}
		if st.Loop.Max < 1 {
			c.add(st.Line, "%s: a loop needs a max", what)
		}
		if len(st.Loop.Steps) == 0 {
			c.add(st.Line, "%s: loop without steps", what)
		}
		c.steps(st.Loop.Steps, scope, map[string]bool{}, true) // what the rounds bind stays bound behind the loop
		if st.Loop.Until != "" {
			c.expr(st.Line, what+".until", st.Loop.Until, scope)
		}
	case KindRequire:
		if missing(st.Require != nil) {
			return
		}
		c.expr(st.Line, what, st.Require.Cond, scope)
	case KindApprove:
		if missing(st.Approve != nil) {
			return
		}
		tmpl("", st.Approve.What)
		choices := st.Approve.Offered()
		if !slices.Contains(choices, ChoiceApprove) {
			c.add(st.Line, "%s: choices must hold approve", what)
		}
		if u := st.Approve.Unattended; u != "" && u != ChoiceStop && !slices.Contains(choices, u) {
			c.add(st.Line, "%s: unattended %q is none of the choices", what, u)
		}
	case KindSynthesize:
		if missing(st.Synthesize != nil) {
			return
		}
		ids("", st.Synthesize.From)
	case KindUse:
		if missing(st.Use != nil) {
			return
		}
		c.values(st.Line, what+".inputs", st.Use.With, scope)
	case KindFinish:
	default:
		c.add(st.Line, "%s: unknown kind %q (one of %s)", what, st.Kind, strings.Join(grammar.Kinds(), ", "))
	}
}

func (c *checker) unknown(line int, what, name string) {
	if later := c.all[name]; later != nil {
		c.add(line, "%s: %s is bound only in line %d, or only inside other steps", what, name, later.Line)
		return
	}
	c.add(line, "%s: nothing is named %s", what, name)
}

func (c *checker) tool(line int, what, name string) {
	if name == "" {
		c.add(line, "%s: the tool's name is missing", what)
	} else if c.allowed != nil && !toolpattern.Lists(c.allowed, name) {
		c.add(line, "%s: tool %s is not in allowed-tools", what, name)
	}
}

func (c *checker) values(line int, what string, v any, scope map[string]bool) {
	switch v := v.(type) {
	case string:
		c.template(line, what, v, scope)
	case map[string]any:
		for _, k := range slices.Sorted(maps.Keys(v)) {
			c.values(line, what+"."+k, v[k], scope)
		}
	case []any:
		for _, el := range v {
			c.values(line, what, el, scope)
		}
	}
}

func (c *checker) template(line int, what, s string, scope map[string]bool) {
	parts, err := expression.Split(s)
	if err != nil {
		c.add(line, "%s: %v", what, err)
	}
	for _, p := range parts {
		if p.Expr {
			c.expr(line, what, p.Text, scope)
		}
	}
}

func (c *checker) expr(line int, what, src string, scope map[string]bool) {
	e, err := expression.Compile(src)
	if err != nil {
		c.add(line, "%s: %v", what, err)
		return
	}
	for _, name := range e.Names {
		switch {
		case scope[name], name == "inputs", name == "passed", name == "approved", name == "results":
		default:
			c.unknown(line, what, name)
		}
	}
	for _, in := range e.Members["inputs"] {
		if !c.inputs[in] {
			c.add(line, "%s: no input is named %s", what, in)
		}
	}
	for _, id := range append(slices.Clone(e.Members["passed"]), e.Members["results"]...) {
		if c.all[id] == nil {
			c.add(line, "%s: no step is named %s", what, id)
		}
	}
	for _, id := range e.Members["approved"] {
		if c.gates[id] != KindApprove {
			c.add(line, "%s: no approve step is named %s", what, id)
		}
	}
}

func (c *checker) guards() {
	for _, g := range c.w.Guards {
		conds, err := expression.ParseGates(g.Until)
		if err != nil {
			c.add(g.Line, "guard: until %q: %v", g.Until, err)
			continue
		}
		for _, cond := range conds {
			switch want := c.gates[cond.Step]; {
			case !cond.Approved && want != KindRequire && want != KindApprove:
				c.add(g.Line, "guard: until %s: no require step has this id", cond)
			case cond.Approved && want != KindApprove:
				c.add(g.Line, "guard: until %s: no approve step has this id", cond)
			}
		}
	}
}

// scripts looks at the scripts that a workflow lists: paths only, as a Go value or a text has no folder.
func (c *checker) scripts() {
	seen := map[string]bool{}
	for _, sc := range c.w.Scripts {
		switch {
		case !fs.ValidPath(sc.Path) || sc.Path == ".":
			c.add(sc.Line, "scripts: %q: a path must stay inside the skill's folder", sc.Path)
		case path.Ext(sc.Path) == "":
			c.add(sc.Line, "scripts: %q has no ending, by which the host knows how to run it", sc.Path)
		case seen[sc.Path]:
			c.add(sc.Line, "scripts: %q stands twice", sc.Path)
		}
		seen[sc.Path] = true
	}
}
