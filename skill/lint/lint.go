package lint

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/convention"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/toolset"
	"github.com/findspot/findspot/skill/workflow"
)

// A Report says what is wrong with a skill before it runs, and which of its guards are proven.
//
// A guard is proven when no path through the steps reaches a place that may call one of its tools while one of its gates
// is closed. Then no step of a run, and no model within a step, is ever refused by that guard, whatever documents, tools,
// model and persons answer. Refused it is in any case: the runner asks the guards at every call, and a host that calls
// runner.Run.Tools at a bad moment is refused too, which no proof about steps can foresee.
//
// The paths are those of the runner. A step with a when may be skipped; an each runs its steps for no element, one or
// several; a loop runs them once or more, up to its max; a require goes on with its gate open or ends the run; an approve
// goes on with it open for the choice approve, closed for a choice of the skill's own, and writes the shown text again for
// revise; a call, search, expand or refine that fails goes on without a value; a fallback is called where its call is. A
// step that binds a name again closes the gates that looked at it. A used skill's steps run under the outer guards and its
// own, with its own gates closed at its start, and hand back to the outer step wherever they end other than stopped. Each
// condition may come out either way, except that a when that is written like one before it, with nothing bound between
// that it names, comes out alike, and that approved.GATE and passed.GATE in a when are what they say. So a path that is
// printed may be one that no data ever takes; a guard that is proven has none.
type Report struct {
	Skill    string       `json:"skill"`
	File     string       `json:"file"`
	Guards   []GuardProof `json:"guards"`   // in the order of the file; those of used skills behind
	Findings []Finding    `json:"findings"` // errors first, then by line
}

// A GuardProof is what is known about one guard.
type GuardProof struct {
	Skill  string   `json:"skill"`
	Line   int      `json:"line"`
	Deny   []string `json:"deny"`
	Until  string   `json:"until"`
	Places int      `json:"places"` // steps of the workflow that may call a denied tool
	Proven bool     `json:"proven"`
}

// The severities of findings. With an error the skill cannot do what it says, or does it without what it says; a warning
// is for a person to look at.
const (
	SeverityError   = "error"
	SeverityWarning = "warning"
)

// A Finding is one thing that lint has to say.
type Finding struct {
	Severity string     `json:"severity"` // error or warning
	Code     string     `json:"code"`     // a word for the kind: leak, unguarded-write, always-passes, ...
	File     string     `json:"file"`
	Line     int        `json:"line"` // from 1; 0: the file as a whole
	Step     string     `json:"step,omitempty"`
	Tool     string     `json:"tool,omitempty"`
	Text     string     `json:"text"`
	Path     []PathStep `json:"path,omitempty"` // of a leak: how the run gets there
}

// A PathStep is one step of a path.
type PathStep struct {
	Skill string `json:"skill,omitempty"` // of a used skill
	Step  string `json:"step"`
	Line  int    `json:"line"`
	Note  string `json:"note,omitempty"` // what happens there, where it is not simply run
}

// String is the finding as a compiler prints it, without its path.
func (f Finding) String() string {
	return workflow.Problem{File: f.File, Line: f.Line, Text: f.Severity + ": " + f.Text + " [" + f.Code + "]"}.String()
}

// Errors counts the findings that are errors.
func (r *Report) Errors() (n int) {
	for _, f := range r.Findings {
		if f.Severity == SeverityError {
			n++
		}
	}
	return n
}

// Check looks at a skill without running it. tools are those of the runner that will run it: their names, aliases, schemas
// and which of them write; nil when they are not known, and then no name is called unknown, and write_file, edit_file,
// run_command and run_script are taken to write. A skill without a workflow has nothing to be proven; what its text forbids is a warning.
func Check(s *skill.Skill, tools []skill.Tool) *Report {
	r := &Report{Skill: s.Name, File: s.Source(), Guards: []GuardProof{}, Findings: []Finding{}}
	l := &linter{report: r, skill: s, known: tools != nil, tries: tries{left: tryWork}, denies: map[string]bool{}}
	l.tools, _ = toolset.New(lintTools(tools)) // what is wrong with tools, a runner says
	if s.Workflow() == nil {
		for _, d := range s.Unenforced() {
			l.add(SeverityWarning, "unenforced-prohibition", d.Line, "", "", "may forbid something, and nothing enforces it, since the text tells no steps that run; number them, one order each, or write the workflow block: %s", d.Text)
		}
		return r
	}
	for _, p := range s.Workflow().Check(r.File, s.Allowed()) {
		l.add(SeverityError, "invalid", p.Line, "", "", "%s", p.Text)
	}
	if plain := s.Plain(); plain != nil {
		for _, d := range plain.Unread {
			l.add(SeverityWarning, "unread-prohibition", d.Line, "", "", "may forbid something, and is in doubt: a run asks a person before it writes; say it as \"do not ... before ...\", or write the workflow block: %s", d.Text)
		}
	}
	if !slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Severity == SeverityError }) {
		l.paths()
		l.writers()
		l.gates()
		l.names()
		l.arguments()
		l.bounds()
		if l.tries.cut > 0 {
			l.add(SeverityWarning, "untried", 0, "", "", "%d conditions are too many, or too large, to be tried: whether they always pass is not known", l.tries.cut)
		}
	}
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(strings.Compare(a.Severity, b.Severity), cmp.Compare(a.Line, b.Line), strings.Compare(a.Code, b.Code), strings.Compare(a.Tool, b.Tool))
	})
	return r
}

// lintTools makes tools fit to be asked about names: they are never called. Usual writers that are not offered write too.
func lintTools(tools []skill.Tool) []skill.Tool {
	var out []skill.Tool
	have := map[string]bool{}
	for _, t := range tools {
		t.Call = noCall
		have[t.Name] = true
		out = append(out, t)
	}
	for _, n := range convention.Writers() {
		if !have[n] {
			out = append(out, skill.Tool{Name: n, Writes: true, Call: noCall})
		}
	}
	return out
}

type linter struct {
	report *Report
	skill  *skill.Skill
	tools  *toolset.Set
	known  bool // the tools are known
	graph  *stepGraph
	tries  tries
	tried  int             // conditions
	denies map[string]bool // what guards were asked, by guard and tool
}

const (
	maxFindings = 1000
	maxLintPath = 200 // steps of a path that a finding holds
)

func (l *linter) add(severity, code string, line int, step, tool, format string, args ...any) {
	l.addTo(l.report.File, severity, code, line, step, tool, nil, format, args...)
}

func (l *linter) addTo(file, severity, code string, line int, step, tool string, path []PathStep, format string, args ...any) {
	switch n := len(l.report.Findings); {
	case n > maxFindings:
		return
	case n == maxFindings:
		l.report.Findings = append(l.report.Findings, Finding{Severity: SeverityError, Code: "unfinished", File: l.report.File,
			Text: fmt.Sprintf("more than %d findings: the rest is not told", maxFindings)})
		return
	}
	if len(path) > maxLintPath { // the way in and the way out
		path = slices.Concat(path[:maxLintPath/2], []PathStep{{Step: "...", Note: fmt.Sprintf("%d steps", len(path)-maxLintPath)}}, path[len(path)-maxLintPath/2:])
	}
	l.report.Findings = append(l.report.Findings, Finding{Severity: severity, Code: code, File: file, Line: line, Step: step, Tool: tool,
		Text: fmt.Sprintf(format, args...), Path: path})
}

// paths builds the graph and looks at each guard on it.
func (l *linter) paths() {
	g, problem := buildGraph(l.skill)
	l.graph = g
	if problem != "" {
		l.add(SeverityError, "unproven", 0, "", "", "nothing is proven: %s", problem)
		for _, gd := range l.skill.Workflow().Guards {
			l.report.Guards = append(l.report.Guards, GuardProof{Skill: l.skill.Name, Line: gd.Line, Deny: gd.Deny, Until: gd.Until})
		}
		return
	}
	l.unreachable()
	cache := map[gateKey]*search{}
	seen := map[string]bool{} // a used skill is looked at where it is used; what it is told twice is told once
	for fi, f := range g.frames {
		for i := range f.skill.Workflow().Guards {
			l.guard(fi, &f.skill.Workflow().Guards[i], cache, seen)
		}
	}
	if g.work <= 0 {
		for i := range l.report.Guards {
			l.report.Guards[i].Proven = false
		}
		l.add(SeverityError, "unproven", 0, "", "", "nothing is proven: the guards, their gates and the paths to them are too many")
		return
	}
	l.loose(cache)
}

// places are the tools that the nodes of a frame, and of those inside it, may call.
func (g *stepGraph) places(frame int) []place {
	if g.calls == nil {
		g.calls = make([][]place, len(g.frames))
		for n := range g.nodes {
			for _, use := range g.nodes[n].calls {
				for f := g.nodes[n].frame; f >= 0; f = g.frames[f].parent {
					g.calls[f] = append(g.calls[f], place{n, use})
				}
			}
		}
	}
	return g.calls[frame]
}

// denied reports whether a guard denies a tool by any of its names. It is asked for each place.
func (l *linter) denied(gd *workflow.Guard, tool string) bool {
	key := fmt.Sprintf("%p %s", gd, tool)
	no, asked := l.denies[key]
	if !asked {
		no = l.tools.Lists(gd.Deny, tool)
		l.denies[key] = no
		l.graph.work -= 1 + len(gd.Deny)
	}
	return no
}

// guard proves one guard of a frame, or says where it leaks.
func (l *linter) guard(fi int, gd *workflow.Guard, cache map[gateKey]*search, seen map[string]bool) {
	g, f := l.graph, l.graph.frames[fi]
	file := f.skill.Source()
	proof := GuardProof{Skill: f.skill.Name, Line: gd.Line, Deny: gd.Deny, Until: gd.Until, Proven: true}
	if g.work <= 0 {
		if fi == 0 {
			l.report.Guards = append(l.report.Guards, proof) // said to be unproven in the end
		}
		return
	}
	conds, _ := expression.ParseGates(gd.Until) // Check has read it
	var looks []*search
	for _, c := range conds {
		k := gateKey{fi, c.Step, c.Approved}
		if cache[k] == nil {
			cache[k] = g.search(k)
		}
		looks = append(looks, cache[k])
		if !cache[k].opens && !seen[fmt.Sprint("never", file, gd.Line, c)] {
			seen[fmt.Sprint("never", file, gd.Line, c)] = true
			l.addTo(file, SeverityError, "never-opens", gd.Line, c.Step, "", nil, "the guard never opens: no path through the steps leaves %s open%s", c, whyClosed(f.skill.Workflow(), c.Step))
		}
	}
	if len(conds) == 0 {
		looks = []*search{g.search(gateKey{frame: -1})}
		l.addTo(file, SeverityWarning, "never-opens", gd.Line, "", "", nil, "the guard has no until: %s are never allowed", strings.Join(gd.Deny, ", "))
	}
	for _, at := range g.places(fi) {
		use, node := at.use, &g.nodes[at.node]
		if g.work--; !l.denied(gd, use.tool) {
			continue
		}
		proof.Places++
		var worst *search
		var state int
		for _, s := range looks {
			g.work--
			if at, open := s.closedAt(at.node); open && (worst == nil || s.depth[at] < worst.depth[state]) {
				worst, state = s, at
			}
		}
		if worst == nil {
			continue
		}
		proof.Proven = false
		inner := g.frames[node.frame].skill
		key := fmt.Sprint("leak", file, gd.Line, inner.Name, use.line, use.tool)
		if seen[key] || len(l.report.Findings) > maxFindings {
			continue
		}
		seen[key] = true
		path := worst.path(state)
		g.work -= len(path)
		who := ""
		if use.model {
			who = "the model may call "
		}
		until := "ever: no gate is named"
		if worst.key.frame >= 0 {
			until = expression.Gate{Step: worst.key.step, Approved: worst.key.approved}.String()
		}
		l.addTo(inner.Source(), SeverityError, "leak", use.line, node.step.ID, use.tool, path,
			"%s%s in step %s before %s, and is refused there: %s", who, use.tool, node.step.ID, until, pathLine(path))
	}
	l.report.Guards = append(l.report.Guards, proof)
}

// pathLine is a path in one line. Of a long one the middle is left out.
func pathLine(path []PathStep) string {
	var names []string
	for _, p := range path {
		name := p.Step
		if p.Skill != "" {
			name = p.Skill + "/" + name
		}
		if p.Note != "" {
			name += " (" + p.Note + ")"
		}
		names = append(names, name)
	}
	if len(names) > 14 {
		names = slices.Concat(names[:4], []string{fmt.Sprintf("... %d steps ...", len(names)-12)}, names[len(names)-8:])
	}
	return strings.Join(names, " -> ")
}

// whyClosed says what is wrong with a gate that never opens, where that is to be seen.
func whyClosed(w *workflow.Workflow, id string) string {
	for st := range w.All() {
		if st.ID == id && st.When != "" {
			if v, ok := expression.Constant(st.When); ok && !v {
				return ": its when is never true"
			}
		}
	}
	return ""
}

// unreachable names the first step of each stretch that no path reaches.
func (l *linter) unreachable() {
	reached := l.graph.reached()
	said := false
	for i := range l.graph.nodes {
		n := &l.graph.nodes[i]
		if n.frame != 0 || n.step == nil || !n.runs {
			continue
		}
		if reached[i] {
			said = false
			continue
		}
		if !said {
			said = true
			l.add(SeverityWarning, "unreachable", n.step.Line, n.step.ID, "", "step %s is never run: no path leads to it", n.step.ID)
		}
	}
}
