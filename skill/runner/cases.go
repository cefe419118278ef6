package runner

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/record"
)

// A CaseResult says whether today's skill does what a recorded run of it did.
type CaseResult struct {
	Skill    string             `json:"skill"`
	Case     string             `json:"case"` // file name without its ending
	Passed   bool               `json:"passed"`
	Problems []string           `json:"problems"`       // what does not hold, in sentences
	Diff     *record.Difference `json:"diff,omitempty"` // where the run parts from its record (A); nil: nowhere, or it could not be run
	Changed  bool               `json:"changed"`        // the skill has another digest than when the case was recorded
	Outcome  *Outcome           `json:"-"`              // of today's run; nil: it could not be run to its end
	Journal  []byte             `json:"-"`              // today's record, to put in the case's place; nil: it could not be run to its end
}

const (
	testsDir  = "tests"
	maxCase   = 16 << 20 // bytes of a record that is a case
	maxCases  = 200
	maxExpect = 64 << 10
)

// Test runs the recorded cases of a skill: each tests/NAME.jsonl in its folder is a record, as [Options.Record]
// writes it. Tools, model and approvals answer from the record, each question as it was answered then. A case passes
// when the run is the recorded one, but for times and the digest of the skill, and when what tests/NAME.yaml expects, if
// there is one, holds. Results are sorted by name. The error is of reading the folder or of ctx.
func Test(ctx context.Context, s *skill.Skill) ([]*CaseResult, error) {
	names, problems, err := caseNames(s)
	if err != nil {
		return nil, err
	}
	var out []*CaseResult
	for _, name := range names {
		if err := ctx.Err(); err != nil {
			return out, err
		}
		res := &CaseResult{Skill: s.Name, Case: name, Problems: []string{}}
		if p := problems[name]; p != "" {
			res.Problems = append(res.Problems, p)
		} else {
			res.run(ctx, s)
		}
		res.Passed = len(res.Problems) == 0
		out = append(out, res)
	}
	return out, nil
}

// caseNames lists the names of the records in the folder, and of expectations that have none, with what is wrong with them.
func caseNames(s *skill.Skill) (names []string, problems map[string]string, err error) {
	if s.Folder() == nil {
		return nil, nil, nil
	}
	entries, err := fs.ReadDir(s.Folder(), testsDir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil, nil
	}
	if err != nil {
		return nil, nil, fmt.Errorf("skill %s: %s: %w", s.Name, testsDir, err)
	}
	problems = map[string]string{}
	has := map[string]bool{}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".jsonl"); ok {
			has[name] = true
			names = append(names, name)
		}
	}
	for _, e := range entries {
		if name, ok := strings.CutSuffix(e.Name(), ".yaml"); ok && !has[name] {
			names = append(names, name)
			problems[name] = fmt.Sprintf("%s/%s.yaml expects something of a run that is not recorded: make %s/%s.jsonl with skill run %s --record", testsDir, name, testsDir, name, s.Name)
		}
	}
	if len(names) > maxCases {
		return nil, nil, fmt.Errorf("skill %s: over %d cases: %w", s.Name, maxCases, skill.ErrTooLarge)
	}
	slices.Sort(names)
	return names, problems, nil
}

func (c *CaseResult) wrong(format string, args ...any) {
	c.Problems = append(c.Problems, fmt.Sprintf(format, args...))
}

func (c *CaseResult) run(ctx context.Context, s *skill.Skill) {
	file := path.Join(testsDir, c.Case+".jsonl")
	recorded, err := s.ReadFile(file, maxCase)
	if err != nil {
		c.wrong("%s: %v", file, err)
		return
	}
	lines, first, err := wholeRecord(bytes.NewReader(recorded))
	if err != nil {
		c.wrong("%s: %v", file, err)
		return
	}
	if first.Skill != s.Name {
		c.wrong("%s: it is a record of skill %s", file, first.Skill)
		return
	}
	c.Changed = first.Digest != s.Digest
	var journal bytes.Buffer
	out, err := replay(ctx, s, newPlayer(lines, false), first, &journal)
	if err != nil {
		c.wrong("%s: %v", file, err)
		return
	}
	c.Outcome, c.Journal = out, journal.Bytes()
	var then, now []record.Event
	for _, l := range lines {
		then = append(then, l.Event)
	}
	for e, err := range record.Read(&journal) {
		if err != nil {
			c.wrong("%s: today's journal: %v", file, err)
			return
		}
		now = append(now, e)
	}
	d, err := record.DiffEvents(then, now)
	if err != nil {
		c.wrong("%s: %v", file, err)
		return
	}
	if !d.Same {
		c.Diff = d
		c.wrong("%s: the run parts from its record in step %s", file, cmp.Or(d.Step, "(before or after all steps)"))
	}
	c.expected(s, now)
}

// expected checks what tests/NAME.yaml says.
func (c *CaseResult) expected(s *skill.Skill, events []record.Event) {
	file := path.Join(testsDir, c.Case+".yaml")
	data, err := s.ReadFile(file, maxExpect)
	if errors.Is(err, fs.ErrNotExist) {
		return
	}
	if err != nil {
		c.wrong("%s: %v", file, err)
		return
	}
	root, err := syntax.Parse(string(data), 1)
	if err != nil || root == nil || root.Kind != syntax.MapNode {
		c.wrong("%s: it is no YAML mapping: %v", file, err)
		return
	}
	called := map[string]bool{} // by every name of the tool
	main := map[string]string{}
	for _, e := range events {
		switch e := e.(type) {
		case *record.Run:
			for _, t := range e.Tools {
				main[t.Name] = cmp.Or(t.AliasOf, t.Name)
			}
		case *record.Call:
			if e.Call > 0 {
				called[cmp.Or(main[e.Tool], e.Tool)] = true
			}
		}
	}
	for _, k := range root.Keys {
		if err := c.expect(k, called, main); err != nil {
			c.wrong("%s:%d: %v", file, k.Line, err)
		}
	}
}

// expect checks one line of expectations.
func (c *CaseResult) expect(k syntax.Key, called map[string]bool, main map[string]string) error {
	out := c.Outcome
	list, err := k.Node.Texts()
	if k.Name != "telemetry" && err != nil {
		return fmt.Errorf("%s: %w", k.Name, err)
	}
	one := strings.Join(list, " ")
	var wrong []string
	switch k.Name {
	case "status":
		if one != out.Status {
			return fmt.Errorf("status %s is expected, and the run ended %s: %s", one, out.Status, out.Reason)
		}
	case "at":
		if one != out.At {
			return fmt.Errorf("the end is expected at step %q, and was at %q", one, out.At)
		}
	case "reason":
		for _, want := range list {
			if !strings.Contains(out.Reason, want) {
				wrong = append(wrong, fmt.Sprintf("the reason is expected to hold %q, and is %q", want, out.Reason))
			}
		}
	case "calls":
		for _, t := range list {
			if !called[cmp.Or(main[t], t)] {
				wrong = append(wrong, fmt.Sprintf("%s is expected to be called, and was not", t))
			}
		}
	case "never":
		for _, t := range list {
			if called[cmp.Or(main[t], t)] {
				wrong = append(wrong, fmt.Sprintf("%s must not be called, and was", t))
			}
		}
	case "denied":
		for _, t := range list {
			if !slices.ContainsFunc(out.Denied, func(d Denial) bool { return cmp.Or(main[d.Tool], d.Tool) == cmp.Or(main[t], t) }) {
				wrong = append(wrong, fmt.Sprintf("%s is expected to be denied, and was not", t))
			}
		}
	case "keys":
		for _, key := range list {
			if !slices.ContainsFunc(out.Items, func(it evidence.Item) bool { return it.Key == key }) {
				wrong = append(wrong, fmt.Sprintf("evidence %s is expected, and is not there", key))
			}
		}
	case "holds":
		for _, src := range list {
			if err := out.holds(src); err != nil {
				wrong = append(wrong, err.Error())
			}
		}
	case "telemetry":
		if k.Node.Kind != syntax.MapNode {
			return errors.New("telemetry: a mapping of names to values")
		}
		for _, m := range k.Node.Keys {
			want, err := jsonvalue.Marshal(m.Node.Value)
			if err != nil {
				return err
			}
			got, err := jsonvalue.Marshal(out.Telemetry[m.Name])
			if err != nil {
				return err
			}
			if !bytes.Equal(want, got) && fmt.Sprint(asFloat(m.Node.Value)) != fmt.Sprint(asFloat(out.Telemetry[m.Name])) {
				wrong = append(wrong, fmt.Sprintf("telemetry %s is expected to be %s, and is %s", m.Name, want, got))
			}
		}
	default:
		return fmt.Errorf("%q is not a known expectation: there are status, at, reason, calls, never, denied, keys, holds and telemetry", k.Name)
	}
	if len(wrong) > 0 {
		return errors.New(strings.Join(wrong, "; "))
	}
	return nil
}

func asFloat(v any) any {
	if n, ok := v.(int); ok {
		return float64(n)
	}
	return v
}

// holds evaluates an expression over what the run put out: the steps by id, and status, reason and telemetry.
func (o *Outcome) holds(src string) error {
	e, err := expression.Compile(src)
	if err != nil {
		return fmt.Errorf("%s: %w", src, err)
	}
	env := map[string]any{}
	for id, v := range o.Outputs {
		env[id] = v
	}
	env["status"], env["reason"], env["at"], env["tool_calls"] = o.Status, o.Reason, o.At, o.ToolCalls
	v, err := e.Eval(env)
	if err != nil {
		return fmt.Errorf("%s: %w", src, err)
	}
	if v != true {
		return fmt.Errorf("%s does not hold", src)
	}
	return nil
}
