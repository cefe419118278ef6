package runner_test

import (
	"encoding/json"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
	"github.com/findspot/findspot/skill/lint"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// The mutation test. Every skill is changed in every way that mutators knows; each mutant is refused when it loads, or runs
// with hosts and models that ask for every writing and every guarded tool at every point. An oracle that shares no code with
// the guards reads what the tools and the person saw:
//
//  1. no tool that writes was ever called before a person approved something in that run;
//  2. no tool that the mutant's own guards deny was called while, by the record's events, one of their gates was closed;
//  3. where lint says nothing about the mutant that it does not say about the skill, no writing tool that the skill's own
//     guard denied was called before each of that guard's gates had passed or been approved by a person.

// A mutant is a changed skill.
type mutant struct {
	kind, what string
	w          *workflow.Workflow
	allowed    []string
	renamed    map[string]string  // ids of the skill, as they are called in the mutant
	nest       *workflow.Workflow // a workflow that uses the mutant as "inner"; nil: it runs itself
}

// A base is a skill that mutants are made of.
type base struct {
	*skill.Skill
	folder fs.FS
}

func bases(t *testing.T) (out []base) {
	t.Helper()
	add := func(fsys fs.FS) {
		skills, err := skill.Load(fsys)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range skills {
			if s.Workflow() == nil {
				continue
			}
			folder, err := fs.Sub(fsys, strings.TrimSuffix(strings.TrimSuffix(s.File, "SKILL.md"), "/"))
			if err != nil || !strings.HasSuffix(s.File, "/SKILL.md") {
				folder = fsys
			}
			out = append(out, base{s, folder})
		}
	}
	add(library.Skills())
	add(os.DirFS("testdata/mutated"))
	if dir := os.Getenv(heldOut); dir != "" {
		add(os.DirFS(dir))
	}
	return out
}

// heldOut names the variable with a folder of further skills to mutate.
const heldOut = "FINDSPOT_MUTATED_SKILLS"

func clone(t testing.TB, w *workflow.Workflow) *workflow.Workflow {
	t.Helper()
	data, err := json.Marshal(w)
	if err != nil {
		t.Fatal(err)
	}
	out := &workflow.Workflow{}
	if err := json.Unmarshal(data, out); err != nil {
		t.Fatal(err)
	}
	return out
}

// stepLists are the lists of steps of a workflow, outer ones first.
func stepLists(w *workflow.Workflow) (out []*[]*workflow.Step) {
	var walk func(l *[]*workflow.Step)
	walk = func(l *[]*workflow.Step) {
		out = append(out, l)
		for _, st := range *l {
			switch {
			case st.Each != nil:
				walk(&st.Each.Steps)
			case st.Loop != nil:
				walk(&st.Loop.Steps)
			}
		}
	}
	walk(&w.Steps)
	return out
}

func eachStep(w *workflow.Workflow, f func(list, i int, st *workflow.Step)) {
	for l, list := range stepLists(w) {
		for i, st := range *list {
			f(l, i, st)
		}
	}
}

func mutants(t *testing.T, b base) (out []mutant) {
	add := func(kind, what string, change func(w *workflow.Workflow, m *mutant) bool) {
		m := mutant{kind: kind, what: what, w: clone(t, b.Workflow()), allowed: slices.Clone(b.AllowedTools), renamed: map[string]string{}}
		if change(m.w, &m) {
			out = append(out, m)
		}
	}
	eachStep(b.Workflow(), func(l, i int, st *workflow.Step) {
		add("delete step", st.ID, func(w *workflow.Workflow, _ *mutant) bool {
			list := stepLists(w)[l]
			*list = slices.Delete(*list, i, i+1)
			return true
		})
		for j := i + 1; j < len(*stepLists(b.Workflow())[l]); j++ {
			if j > i+1 && j < len(*stepLists(b.Workflow())[l])-1 && (i+j)%2 == 0 {
				continue // half of the far pairs say as much as all
			}
			add("swap steps", fmt.Sprint(st.ID, " ", j), func(w *workflow.Workflow, _ *mutant) bool {
				list := *stepLists(w)[l]
				list[i], list[j] = list[j], list[i]
				return true
			})
		}
		at := func(w *workflow.Workflow) *workflow.Step { return (*stepLists(w)[l])[i] }
		add("change on_error", st.ID, func(w *workflow.Workflow, _ *mutant) bool {
			at(w).OnError = map[string]string{"": "continue", "continue": "stop", "stop": "continue"}[st.OnError]
			return true
		})
		if st.Kind == workflow.KindRequire || st.Kind == workflow.KindApprove {
			for _, when := range []string{"false", "1 > 2", "len(" + firstID(b.Workflow()) + ") > 100000"} {
				add("gate in a skipped branch", st.ID+" "+when, func(w *workflow.Workflow, _ *mutant) bool { at(w).When = when; return true })
			}
			add("gate in an each", st.ID, func(w *workflow.Workflow, _ *mutant) bool {
				list := *stepLists(w)[l]
				list[i] = &workflow.Step{ID: "wrapped_each", Kind: workflow.KindEach, Each: &workflow.Each{Of: "${[]}", As: "nobody", Steps: []*workflow.Step{list[i]}}}
				return true
			})
			add("gate in a loop", st.ID, func(w *workflow.Workflow, _ *mutant) bool {
				list := *stepLists(w)[l]
				list[i] = &workflow.Step{ID: "wrapped_loop", Kind: workflow.KindLoop, When: "false", Loop: &workflow.Loop{Max: 1, Steps: []*workflow.Step{list[i]}}}
				return true
			})
			add("rename id", st.ID, func(w *workflow.Workflow, _ *mutant) bool { at(w).ID = st.ID + "_x"; return true })
			add("rename id with its guards", st.ID, func(w *workflow.Workflow, m *mutant) bool {
				data, _ := json.Marshal(w)
				text := regexp.MustCompile(`\b`+st.ID+`\b`).ReplaceAllString(string(data), st.ID+"_x")
				*w = workflow.Workflow{}
				m.renamed[st.ID] = st.ID + "_x"
				return json.Unmarshal([]byte(text), w) == nil
			})
		}
		if st.Kind == workflow.KindRequire {
			for _, cond := range []string{"true", "1 == 1", "len(" + firstID(b.Workflow()) + ") >= 0", "not false", st.Require.Cond + " || true"} {
				add("true gate", st.ID+" "+cond, func(w *workflow.Workflow, _ *mutant) bool { at(w).Require.Cond = cond; return true })
			}
		}
		if st.Kind == workflow.KindApprove {
			add("unattended", st.ID, func(w *workflow.Workflow, _ *mutant) bool { at(w).Approve.Unattended = "approve"; return true })
			add("a choice of its own", st.ID, func(w *workflow.Workflow, _ *mutant) bool {
				at(w).Approve.Choices = []string{"later", "approve", "revise", "stop"}
				return true
			})
			add("approved unseen", st.ID, func(w *workflow.Workflow, _ *mutant) bool { at(w).Approve.What = "All right?"; return true })
		}
		if st.Call != nil {
			add("replace tool by an alias", st.ID, func(w *workflow.Workflow, m *mutant) bool {
				at(w).Call.Tool = st.Call.Tool + "_alias"
				if m.allowed != nil {
					m.allowed = append(m.allowed, st.Call.Tool+"_alias")
				}
				return true
			})
			add("a writing fallback", st.ID, func(w *workflow.Workflow, m *mutant) bool {
				at(w).Call.Fallback = &workflow.Call{Tool: "write_file"}
				return true
			})
		}
		if st.Write != nil || st.Ask != nil {
			add("offer a writing tool", st.ID, func(w *workflow.Workflow, m *mutant) bool {
				if s := at(w); s.Write != nil {
					s.Write.With = append(s.Write.With, "write_file_alias")
				} else {
					s.Ask.With = append(s.Ask.With, "write_file_alias")
				}
				if slices.Contains(m.allowed, "write_file") {
					m.allowed = append(m.allowed, "write_file_alias")
				}
				return true
			})
		}
	})
	for gi, g := range b.Workflow().Guards {
		add("delete guard", fmt.Sprint(gi), func(w *workflow.Workflow, _ *mutant) bool { w.Guards = slices.Delete(w.Guards, gi, gi+1); return true })
		add("weaken until", fmt.Sprint(gi, " empty"), func(w *workflow.Workflow, _ *mutant) bool { w.Guards[gi].Until = ""; return true })
		terms := strings.Split(g.Until, " && ")
		for ti, term := range terms {
			if len(terms) > 1 {
				add("drop a term", term, func(w *workflow.Workflow, _ *mutant) bool {
					w.Guards[gi].Until = strings.Join(slices.Delete(slices.Clone(terms), ti, ti+1), " && ")
					return true
				})
			}
			add("weaken until", fmt.Sprint(gi, " only ", term), func(w *workflow.Workflow, _ *mutant) bool { w.Guards[gi].Until = term; return true })
			add("weaken until", fmt.Sprint(gi, " passed ", term), func(w *workflow.Workflow, _ *mutant) bool {
				w.Guards[gi].Until = strings.ReplaceAll(g.Until, "approved.", "passed.")
				return ti == 0
			})
			add("weaken until", fmt.Sprint(gi, " or ", term), func(w *workflow.Workflow, _ *mutant) bool {
				w.Guards[gi].Until = strings.ReplaceAll(g.Until, "&&", "||") + " || true"
				return ti == 0
			})
		}
		eachStep(b.Workflow(), func(_, _ int, st *workflow.Step) {
			if st.Kind == workflow.KindRequire {
				add("weaken until", fmt.Sprint(gi, " another gate ", st.ID), func(w *workflow.Workflow, _ *mutant) bool { w.Guards[gi].Until = "passed." + st.ID; return true })
			}
		})
		for di, d := range g.Deny {
			for _, other := range []string{"", d + "s", "lsp_*", "read_*", strings.ToUpper(d), d + "_alias"} {
				add("change deny", fmt.Sprint(gi, " ", d, " -> ", other), func(w *workflow.Workflow, _ *mutant) bool {
					if other == "" {
						w.Guards[gi].Deny = slices.Delete(w.Guards[gi].Deny, di, di+1)
						return len(g.Deny) > 1
					}
					w.Guards[gi].Deny[di] = other
					return true
				})
			}
		}
	}
	for i, tool := range b.AllowedTools {
		add("remove an allowed tool", tool, func(_ *workflow.Workflow, m *mutant) bool { m.allowed = slices.Delete(m.allowed, i, i+1); return true })
	}
	add("remove allowed-tools", "", func(_ *workflow.Workflow, m *mutant) bool { m.allowed = nil; return b.AllowedTools != nil })
	add("allow everything", "", func(_ *workflow.Workflow, m *mutant) bool { m.allowed = []string{"*"}; return true })
	with := map[string]any{}
	for _, in := range b.Workflow().Inputs {
		with[in.Name] = inputOf(in)
	}
	use := func() *workflow.Step {
		return &workflow.Step{ID: "inner_run", Kind: workflow.KindUse, Use: &workflow.Use{Skill: "inner", With: with}}
	}
	add("nest in use", "bare", func(_ *workflow.Workflow, m *mutant) bool {
		m.nest = &workflow.Workflow{Steps: []*workflow.Step{use()}}
		return true
	})
	add("nest in use", "behind an approval by policy", func(_ *workflow.Workflow, m *mutant) bool {
		m.nest = &workflow.Workflow{Steps: []*workflow.Step{{ID: "outer_ok", Kind: workflow.KindApprove, Approve: &workflow.Approve{What: "go", Unattended: "approve"}}, use()}}
		return true
	})
	eachStep(b.Workflow(), func(_, _ int, st *workflow.Step) {
		if st.Kind == workflow.KindApprove { // the outer gate has the inner one's name
			add("nest in use", "a gate named "+st.ID, func(_ *workflow.Workflow, m *mutant) bool {
				m.nest = &workflow.Workflow{Steps: []*workflow.Step{{ID: st.ID, Kind: workflow.KindRequire, Require: &workflow.Require{Cond: "true"}}, use()}}
				return true
			})
		}
	})
	return out
}

func firstID(w *workflow.Workflow) string {
	for _, st := range w.Steps {
		if st.Search != nil || st.Call != nil || st.Expand != nil {
			return st.ID
		}
	}
	return w.Steps[0].ID
}

func inputOf(in workflow.Input) any {
	if in.Default != nil {
		return in.Default
	}
	switch in.Type {
	case "number", "integer":
		return 3
	case "boolean":
		return true
	case "list":
		return []any{"a", "b"}
	case "object":
		return map[string]any{"a": "b"}
	}
	return "detect_pss in the synchronization signals"
}

func findingsOf(r *lint.Report) map[string]int {
	out := map[string]int{}
	for _, f := range r.Findings {
		out[f.Code+" "+strings.TrimSuffix(f.Tool, "_alias")]++
	}
	return out
}

func TestMutatedWorkflows(t *testing.T) {
	need.NoRace(t)
	all := bases(t)
	if dir := sharedSkills(t); dir != "" {
		shared := os.DirFS(dir)
		skills, err := skill.Load(shared)
		if err != nil {
			t.Fatal(err)
		}
		for _, s := range skills {
			folder, err := fs.Sub(shared, strings.TrimSuffix(s.File, "/SKILL.md"))
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, base{s, folder})
		}
	}
	names := map[string]bool{}
	for _, n := range []string{"search_internal", "search_entity", "write_file", "edit_file", "run_command", "retrieve_entity", "view_file", "search_text"} {
		names[n] = true
	}
	for _, b := range all {
		eachStep(b.Workflow(), func(_, _ int, st *workflow.Step) {
			for c := st.Call; c != nil; c = c.Fallback {
				names[c.Tool] = true
			}
			if st.Ask != nil {
				for _, n := range st.Ask.With {
					names[n] = true
				}
			}
		})
		for _, n := range b.AllowedTools {
			names[n] = true
		}
	}
	toolNames, writers := slices.Sorted(maps.Keys(names)), []string{"edit_file", "run_command", "write_file"}
	canonical := func(n string) string { return strings.TrimSuffix(n, "_alias") }
	type count struct{ mutants, refused, flagged, runs, writes, denied int }
	kinds := map[string]*count{}
	total, reached := &count{}, 0
	for bi, b := range all {
		inputs := map[string]any{}
		for _, in := range b.Workflow().Inputs {
			inputs[in.Name] = inputOf(in)
		}
		wanted := map[string]bool{}
		for _, wr := range writers {
			wanted[wr], wanted[wr+"_alias"] = true, true
		}
		for _, g := range b.Workflow().Guards {
			for _, d := range g.Deny {
				if names[d] {
					wanted[d], wanted[d+"_alias"] = true, true
				}
			}
		}
		lintTools := (&world{}).tools(toolNames, writers)
		before := findingsOf(lint.Check(b.Skill, lintTools))
		list := append([]mutant{{kind: "unchanged", w: clone(t, b.Workflow()), allowed: b.AllowedTools}}, mutants(t, b)...)
		for mi, m := range list {
			k := kinds[m.kind]
			if k == nil {
				k = &count{}
				kinds[m.kind] = k
			}
			if testing.Short() && mi > 0 && mi%11 != bi%11 {
				continue
			}
			k.mutants++
			name := b.Name
			if m.nest != nil {
				name = "inner"
			}
			m.w.Limits.ToolCalls = 100000
			s, err := skill.New(name, b.Description, m.w, &skill.NewOptions{AllowedTools: m.allowed, Folder: b.folder})
			if err != nil {
				if m.kind == "unchanged" {
					t.Fatalf("%s: %v", b.Name, err)
				}
				k.refused++
				continue
			}
			skills := map[string]*skill.Skill{name: s}
			run := s
			if m.nest != nil {
				m.nest.Limits.ToolCalls = 100000
				if run, err = skill.New("outer", "outer", m.nest, &skill.NewOptions{AllowedTools: []string{"*"}, Uses: []*skill.Skill{s}}); err != nil {
					t.Fatal(err)
				}
				skills["outer"] = run
			}
			flagged := false
			for code, n := range findingsOf(lint.Check(run, lintTools)) { // with the skill that uses it, where one does
				flagged = flagged || n > before[code]
			}
			if flagged {
				k.flagged++
			}
			for pi, persona := range personas {
				w := &world{t: t, wanted: slices.Sorted(maps.Keys(wanted))}
				var model skill.Model = hostile{w}
				if persona == "nobody" && mi%2 == 0 {
					model = nil
				}
				o := w.options(persona, uint64(bi*100000+mi*10+pi))
				var events []record.Event
				o.Events = func(e record.Event) {
					events = append(events, e)
					if g, ok := e.(*record.Gate); ok && g.Passed {
						w.seen = append(w.seen, sight{gate: g.ID})
					}
				}
				in := inputs
				if m.nest != nil {
					in = nil
				}
				active, err := runner.New(model, w.tools(toolNames, writers), o).Start(t.Context(), run, in)
				if err != nil {
					t.Fatalf("%s, %s %s: %v", b.Name, m.kind, m.what, err)
				}
				w.run = active
				w.probe(t.Context())
				out, err := active.Run(t.Context())
				if err != nil {
					t.Fatalf("%s, %s %s: %v", b.Name, m.kind, m.what, err)
				}
				w.probe(t.Context())
				k.runs++
				k.denied += len(out.Denied)
				where := fmt.Sprintf("%s, %s %s, %s", b.Name, m.kind, m.what, persona)
				k.writes += judgeWorld(t, where, w, b, m, flagged, canonical, writers)
				if m.kind == "unchanged" && persona == "approves" {
					for _, x := range w.seen {
						if slices.Contains(writers, x.tool) {
							reached++
							break
						}
					}
				}
				for _, bad := range opened(events, skills, run.Name, canonical) {
					t.Errorf("%s: %s", where, bad)
				}
			}
		}
	}
	t.Logf("%-28s %8s %8s %8s %8s %8s %8s", "kind", "mutants", "refused", "flagged", "runs", "writes", "denied")
	for _, kind := range slices.Sorted(maps.Keys(kinds)) {
		k := kinds[kind]
		t.Logf("%-28s %8d %8d %8d %8d %8d %8d", kind, k.mutants, k.refused, k.flagged, k.runs, k.writes, k.denied)
		if kind != "unchanged" {
			total.mutants, total.refused, total.flagged = total.mutants+k.mutants, total.refused+k.refused, total.flagged+k.flagged
			total.runs, total.writes, total.denied = total.runs+k.runs, total.writes+k.writes, total.denied+k.denied
		}
	}
	t.Logf("%-28s %8d %8d %8d %8d %8d %8d", "all", total.mutants, total.refused, total.flagged, total.runs, total.writes, total.denied)
	t.Logf("%d skills, %d of them write when a person approves", len(all), reached)
	if testing.Short() {
		return
	}
	if total.mutants < 300 || len(kinds) < 9 || reached < 5 {
		t.Errorf("%d mutants of %d kinds, %d skills that write: too few to say anything", total.mutants, len(kinds)-1, reached)
	}
}

// judgeWorld looks at what really happened, and returns how often a tool that writes was called.
func judgeWorld(t *testing.T, where string, w *world, b base, m mutant, flagged bool, canonical func(string) string, writers []string) (writes int) {
	approved, gates := map[string]bool{}, map[string]bool{}
	for i, x := range w.seen {
		switch {
		case x.approved != "":
			approved[x.approved] = true
		case x.gate != "":
			gates[x.gate] = true
		case slices.Contains(writers, x.tool):
			writes++
			if len(approved) == 0 {
				t.Errorf("%s: %s was called as number %d before a person approved anything", where, x.tool, i)
			}
			if flagged {
				continue
			}
			for _, g := range b.Workflow().Guards {
				if !slices.Contains(g.Deny, x.tool) {
					continue
				}
				for _, term := range strings.Split(g.Until, "&&") {
					kind, id, _ := strings.Cut(strings.TrimSpace(term), ".")
					if to, ok := m.renamed[id]; ok {
						id = to
					}
					if !approved[id] && !(kind == "passed" && gates[id]) {
						t.Errorf("%s: lint says nothing, and %s was called before %s", where, x.tool, term)
					}
				}
			}
		}
	}
	return writes
}
