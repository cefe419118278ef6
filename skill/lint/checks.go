package lint

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/toolpattern"
	"github.com/findspot/findspot/skill/workflow"
)

// writers looks at the tools that write and that the skill lists: which guards they have, and what is left when there are
// none, namely that the runner wants some approval of the run by a person.
func (l *linter) writers() {
	w := l.skill.Workflow()
	approves, anyGuarded := false, false
	for st := range w.All() {
		approves = approves || st.Kind == workflow.KindApprove
	}
	type writer struct {
		tool             string
		guarded, persons bool
		line             int
	}
	var all []writer
	for _, tool := range l.tools.Names {
		t := l.tools.ByName[tool]
		if !l.tools.Writes(tool) || t.AliasOf != "" || !l.listed(tool) {
			continue
		}
		x := writer{tool: tool}
		for _, g := range w.Guards {
			if !l.tools.Lists(g.Deny, tool) {
				continue
			}
			x.guarded, x.line = true, g.Line
			conds, _ := expression.ParseGates(g.Until)
			x.persons = x.persons || len(conds) == 0 || slices.ContainsFunc(conds, func(c expression.Gate) bool { return c.Approved || l.asksPerson(c.Step) })
		}
		anyGuarded = anyGuarded || x.guarded
		all = append(all, x)
	}
	for _, x := range all {
		switch {
		case !x.guarded && anyGuarded:
			l.add(SeverityError, "unguarded-write", l.firstUse(x.tool), "", x.tool, "%s writes, and no guard denies it while others are denied: what they keep out comes in here; "+
				"only the runner's default holds it, until anything is approved", x.tool)
		case !x.guarded && approves:
			l.add(SeverityWarning, "unguarded-write", l.firstUse(x.tool), "", x.tool, "%s writes, and no guard denies it: only the runner's default holds it, until anything is approved", x.tool)
		case x.guarded && !x.persons && approves:
			l.add(SeverityWarning, "write-without-approval", x.line, "", x.tool, "%s writes, and its guards name no approval: the runner's default wants one, any of the skill's", x.tool)
		case !approves && l.used(x.tool):
			l.add(SeverityWarning, "no-approval", l.firstUse(x.tool), "", x.tool, "%s writes, and the skill has no approve step: it is refused unless the host lets tools write (runner.Options.AllowWrites)", x.tool)
		}
	}
	if l.skill.Allowed() == nil {
		for st := range w.All() {
			for _, u := range toolUses(st) {
				if l.tools.Writes(u.tool) {
					l.add(SeverityError, "not-listed", u.line, st.ID, u.tool, "%s writes, and the skill has no allowed-tools that list it: it is always refused", u.tool)
				}
			}
		}
	}
}

// asksPerson reports whether a gate is an approve step: passed.STEP of one is set by the choice approve alone.
func (l *linter) asksPerson(id string) bool {
	for st := range l.skill.Workflow().All() {
		if st.ID == id {
			return st.Kind == workflow.KindApprove
		}
	}
	return false
}

func (l *linter) listed(tool string) bool {
	if l.skill.Allowed() == nil {
		return false
	}
	return l.tools.Allows(l.skill.Allowed(), tool, nil)
}

func (l *linter) used(tool string) bool { return l.firstUse(tool) > 0 }

// firstUse is the line of the first step that may call the tool; 0: none does.
func (l *linter) firstUse(tool string) int {
	for st := range l.skill.Workflow().All() {
		for _, u := range toolUses(st) {
			if l.tools.Canonical(u.tool) == l.tools.Canonical(tool) {
				return u.line
			}
		}
	}
	return 0
}

// try tries a condition, of so many at most and at so much cost.
func (l *linter) try(cond string) (always, never bool) {
	if l.tried++; l.tried > maxTried {
		l.tries.cut++
		return false, false
	}
	return l.tries.condition(l.skill.Workflow(), cond)
}

// gates looks at the gates themselves: one that always passes keeps nothing out.
func (l *linter) gates() {
	named := map[string]bool{}
	for _, g := range l.skill.Workflow().Guards {
		conds, _ := expression.ParseGates(g.Until)
		for _, c := range conds {
			named[c.Step] = true
		}
	}
	for st := range l.skill.Workflow().All() {
		switch st.Kind {
		case workflow.KindRequire:
			always, never := l.try(st.Require.Cond)
			switch {
			case always:
				l.add(SeverityError, "always-passes", st.Line, st.ID, "", "require %s passes whatever was found: it keeps nothing out", st.ID)
			case never:
				sev := SeverityWarning
				if _, constant := expression.Constant(st.Require.Cond); constant {
					sev = SeverityError
				}
				l.add(sev, "never-passes", st.Line, st.ID, "", "require %s passes in no state that was tried: the run always ends there", st.ID)
			}
		case workflow.KindApprove:
			if st.Approve.Unattended == workflow.ChoiceApprove {
				l.add(SeverityWarning, "unattended-approve", st.Line, st.ID, "", "approve %s approves itself when nobody can be asked: that opens nothing, and the run stops there, unless the host's policy names the digest of the skill (findspot skill run --trust-skill %s)", st.ID, cmp.Or(l.skill.Digest, "DIGEST"))
			}
			if parts, err := expression.Split(st.Approve.What); err == nil && !slices.ContainsFunc(parts, func(p expression.Part) bool { return p.Expr }) {
				l.add(SeverityWarning, "blind-approval", st.Line, st.ID, "", "approve %s shows nothing of what was found or written: a person approves unseen, and nothing that changes withdraws it", st.ID)
			}
		}
	}
}

var metricName = lazyregexp.New(`^[a-z][a-z0-9_]{0,63}$`)

// names looks for names that mean nothing: tools, inputs, metrics.
func (l *linter) names() {
	w := l.skill.Workflow()
	if l.known {
		known := l.tools.Names
		for st := range w.All() {
			for _, u := range toolUses(st) {
				if _, ok := l.tools.ByName[u.tool]; !ok {
					l.add(SeverityError, "unknown-tool", u.line, st.ID, u.tool, "no tool is named %s%s", u.tool, message.DidYouMean(u.tool, known))
				}
			}
		}
		for _, g := range w.Guards {
			for _, d := range g.Deny {
				if slices.ContainsFunc(known, func(n string) bool { return toolpattern.Matches(d, n) }) {
					continue
				}
				if near := message.DidYouMean(d, known); near != "" {
					l.add(SeverityWarning, "unknown-tool", g.Line, "", d, "the guard denies %s, and no tool is named so%s", d, near)
				}
			}
		}
	}
	used := map[string]bool{}
	model := false
	for _, src := range workflowExpressions(w) {
		e, err := expression.Compile(src)
		if err != nil {
			continue
		}
		for _, in := range e.Members["inputs"] {
			used[in] = true
		}
		if slices.Contains(e.Names, "inputs") && len(e.Members["inputs"]) == 0 {
			return // inputs as a whole: all are used
		}
	}
	for st := range w.All() {
		model = model || st.Kind == workflow.KindAsk || st.Kind == workflow.KindWrite || st.Kind == workflow.KindSynthesize
	}
	for _, in := range w.Inputs {
		if !used[in.Name] && !(in.Name == "task" && model) { // a model is shown the task
			l.add(SeverityWarning, "unused-input", in.Line, "", "", "input %s is used nowhere", in.Name)
		}
	}
	seen := map[string]bool{}
	for _, m := range w.Telemetry {
		switch {
		case !metricName.MatchString(m.Name):
			l.add(SeverityWarning, "metric-name", m.Line, "", "", "telemetry %q: lower-case letters, digits and _ are what other programs take", m.Name)
		case seen[m.Name]:
			l.add(SeverityWarning, "metric-name", m.Line, "", "", "telemetry %q stands twice", m.Name)
		}
		seen[m.Name] = true
		if l.known {
			for _, tool := range expression.UsedTools(m.Expr) {
				if _, ok := l.tools.ByName[tool]; !ok {
					l.add(SeverityWarning, "unknown-tool", m.Line, "", tool, "telemetry %s asks for %s, and no tool is named so%s", m.Name, tool, message.DidYouMean(tool, l.tools.Names))
				}
			}
		}
	}
}

// workflowExpressions are all expressions of a workflow.
func workflowExpressions(w *workflow.Workflow) (out []string) {
	tmpl := func(texts ...string) {
		for _, s := range texts {
			parts, err := expression.Split(s)
			if err != nil {
				continue
			}
			for _, p := range parts {
				if p.Expr {
					out = append(out, p.Text)
				}
			}
		}
	}
	var values func(v any)
	values = func(v any) {
		switch v := v.(type) {
		case string:
			tmpl(v)
		case map[string]any:
			for _, k := range slices.Sorted(maps.Keys(v)) {
				values(v[k])
			}
		case []any:
			for _, el := range v {
				values(el)
			}
		}
	}
	for st := range w.All() {
		if st.When != "" {
			out = append(out, st.When)
		}
		switch {
		case st.Expand != nil:
			tmpl(append(slices.Clone(st.Expand.Add), st.Expand.Of)...)
		case st.Refine != nil:
			tmpl(st.Refine.From, st.Refine.Task)
		case st.Search != nil:
			tmpl(st.Search.For...)
			values(st.Search.Where)
		case st.Call != nil:
			for c := st.Call; c != nil; c = c.Fallback {
				values(c.Args)
			}
		case st.Ask != nil:
			tmpl(append(slices.Clone(st.Ask.From), st.Ask.Prompt)...)
		case st.Write != nil:
			tmpl(st.Write.From...)
		case st.Each != nil:
			tmpl(st.Each.Of)
		case st.Loop != nil:
			out = append(out, st.Loop.Until)
		case st.Require != nil:
			out = append(out, st.Require.Cond)
		case st.Approve != nil:
			tmpl(st.Approve.What)
		case st.Synthesize != nil:
			tmpl(st.Synthesize.From...)
		case st.Use != nil:
			values(st.Use.With)
		}
	}
	for _, m := range w.Telemetry {
		out = append(out, m.Expr)
	}
	return out
}

// arguments compares the arguments of call steps with the schemas of their tools.
func (l *linter) arguments() {
	for st := range l.skill.Workflow().All() {
		if st.Call == nil {
			continue
		}
		for c := st.Call; c != nil; c = c.Fallback {
			var schema struct {
				Properties map[string]json.RawMessage `json:"properties"`
				Required   []string                   `json:"required"`
			}
			t, ok := l.tools.ByName[c.Tool]
			if !ok || len(t.Schema) == 0 || json.Unmarshal(t.Schema, &schema) != nil || schema.Properties == nil {
				continue
			}
			line := c.Line
			if line == 0 {
				line = st.Line
			}
			have := slices.Sorted(maps.Keys(schema.Properties))
			for _, a := range slices.Sorted(maps.Keys(c.Args)) {
				if _, ok := schema.Properties[a]; !ok {
					l.add(SeverityWarning, "argument", line, st.ID, c.Tool, "%s takes no %s%s (it takes %s)", c.Tool, a, message.DidYouMean(a, have), strings.Join(have, ", "))
				}
			}
			for _, a := range schema.Required {
				if _, ok := c.Args[a]; !ok {
					l.add(SeverityError, "argument", line, st.ID, c.Tool, "%s needs %s", c.Tool, a)
				}
			}
		}
	}
}

const manySteps = 10_000 // executions of steps in one run that are worth a word

// bounds looks at loops: one without until always runs all its rounds, and loops in loops multiply.
func (l *linter) bounds() {
	var count func(steps []*workflow.Step) int
	count = func(steps []*workflow.Step) (n int) {
		for _, st := range steps {
			times := 1
			switch {
			case st.Loop != nil:
				times = st.Loop.Max
				if st.Loop.Until == "" && st.Loop.Max > 1 {
					l.add(SeverityWarning, "loop", st.Line, st.ID, "", "loop %s has no until: it always runs %d rounds", st.ID, st.Loop.Max)
				} else if always, never := l.try(cmp.Or(st.Loop.Until, "false")); st.Loop.Until != "" && (always || never) {
					l.add(SeverityWarning, "loop", st.Line, st.ID, "", "loop %s: its until is %v whatever was found", st.ID, always)
				}
			case st.Each != nil:
				if times = st.Each.Max; times == 0 {
					times = 20
				}
			}
			n = min(n+times*max(1, count(st.Inner())), 1<<30)
		}
		return n
	}
	if n := count(l.skill.Workflow().Steps); n >= manySteps {
		l.add(SeverityWarning, "loop", 0, "", "", "a run may execute %s steps: loops in loops multiply", about(n))
	}
}

func about(n int) string {
	if n >= 1_000_000 {
		return fmt.Sprintf("%d million or more", n/1_000_000)
	}
	return fmt.Sprintf("%d or more", n/1000*1000)
}

// loose finds gates that the steps pass before a tool that writes, and that no guard of the tool waits for: the steps keep
// that order, but a host, or a model in an earlier step, is not held to it. A gate is waited for too when the guard names
// one that is only asked behind it.
func (l *linter) loose(cache map[gateKey]*search) {
	g, w := l.graph, l.skill.Workflow()
	look := func(st *workflow.Step) *search {
		k := gateKey{0, st.ID, st.Kind == workflow.KindApprove}
		if cache[k] == nil {
			cache[k] = g.search(k)
		}
		return cache[k]
	}
	asked := map[string]int{} // where each gate is asked
	var gates []*workflow.Step
	for n := range g.nodes {
		if node := &g.nodes[n]; node.frame == 0 && node.runs && node.step.Gate() && asked[node.step.ID] == 0 {
			asked[node.step.ID] = n
			gates = append(gates, node.step)
		}
	}
	seen := map[string]bool{}
	waitsFor := map[string]map[string]bool{} // by tool: the gates that its guards wait for; nil: it does not write
	for _, at := range g.places(0) {
		use, node := at.use, &g.nodes[at.node]
		waits, known := waitsFor[use.tool]
		if !known {
			if l.tools.Writes(use.tool) {
				waits = l.waits(w, use.tool)
			}
			waitsFor[use.tool] = waits
		}
		if len(waits) == 0 {
			continue // unguarded-write says so
		}
		for _, st := range gates {
			s := look(st)
			if g.work -= 1 + len(waits); g.work <= 0 {
				return // the search is cut short: what it did not reach says nothing
			}
			key := st.ID + " " + l.tools.Canonical(use.tool)
			if _, closed := s.closedAt(at.node); closed || !s.opens || waits[st.ID] || seen[key] {
				continue
			}
			implied := false
			for id := range waits {
				at, known := asked[id]
				_, closed := s.closedAt(at)
				implied = implied || known && !closed
			}
			if !implied {
				seen[key] = true
				l.add(SeverityWarning, "loose-gate", st.Line, st.ID, use.tool, "the steps pass %s before %s, and no guard of %s waits for it: a host, or a model in an earlier step, is not held to it", st.ID, node.step.ID, use.tool)
			}
		}
	}
}

// waits are the gates that the guards of a tool wait for.
func (l *linter) waits(w *workflow.Workflow, tool string) map[string]bool {
	out := map[string]bool{}
	for i := range w.Guards {
		if l.denied(&w.Guards[i], tool) {
			conds, _ := expression.ParseGates(w.Guards[i].Until)
			for _, c := range conds {
				out[c.Step] = true
			}
		}
	}
	return out
}
