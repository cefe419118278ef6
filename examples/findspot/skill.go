package main

import (
	"bufio"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

func skillCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:     "skill",
		Short:   "List, select and run skills",
		Example: "  findspot skill list\n  findspot skill run synchronisation-signals --docs papers --input task=\"simulate cell search\"",
		Args:    noCommand,
		RunE:    help,
	}
	c.AddCommand(skillList(a), skillShow(a), skillSelect(a), skillWhy(a), skillNew(&a.console), skillRun(a), skillDiff(&a.console), skillTest(a))
	c.AddCommand(skillLint(a), skillSchema(&a.console), skillExport(a), skillHook(a), skillPack(a))
	return c
}

// openSkills opens the workspace without reading any source.
func (a *app) openSkills(ctx context.Context) ([]*skill.Skill, error) {
	o, err := a.options()
	if err != nil {
		return nil, err
	}
	if a.ws, err = a.env.Workspace(ctx, a.dir, o); err != nil {
		return nil, err
	}
	skillProblems(a)
	return a.ws.Skills(), nil
}

// skillProblems names what is wrong with skills that could not be read.
func skillProblems(a *app) {
	for _, err := range a.ws.SkillErrors() {
		several, ok := err.(interface{ Unwrap() []error })
		if !ok {
			a.badInput(err)
			continue
		}
		for _, err := range several.Unwrap() { // one a skill
			a.badInput(err)
		}
	}
}

func skillList(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "list",
		Short:   "List the skills: shipped, in .agents/skills, and those of --skills",
		Example: "  findspot skill list",
		Args:    exactly(0),
		RunE: func(c *cobra.Command, _ []string) error {
			skills, err := a.openSkills(c.Context())
			if err != nil {
				return err
			}
			if a.json {
				type line struct {
					Name        string `json:"name"`
					Description string `json:"description"`
				}
				out := []line{}
				for _, s := range skills {
					out = append(out, line{s.Name, s.Description})
				}
				return a.printJSON(out)
			}
			for _, s := range skills {
				a.printf("%-26s %s\n", clean(s.Name), clean(strings.Join(strings.Fields(s.Description), " ")))
			}
			return nil
		},
	}
}

func findSkill(skills []*skill.Skill, name string) (*skill.Skill, error) {
	var names []string
	for _, s := range skills {
		if s.Name == name {
			return s, nil
		}
		names = append(names, s.Name)
	}
	return nil, fmt.Errorf("skill %q: %w; there are %s", name, findspot.ErrNotFound, strings.Join(names, ", "))
}

func skillShow(a *app) *cobra.Command {
	var asWorkflow bool
	var model modelFlags
	c := &cobra.Command{
		Use:   "show NAME",
		Short: "Print a skill",
		Long: `Print the text of a skill and its digest, which covers everything that a run reads and executes: its workflow, files
and scripts, and the skills that it uses. skill run --trust-skill takes this digest.

With --as-workflow, print the workflow block that a run follows. Of a skill that tells its steps in plain words it is
what was understood, each step with the sentence that it came from: put it into SKILL.md to change it. With --provider
and --model, a model proposes a block; nothing is changed, and what forbids less than the text is refused.`,
		Example: "  findspot skill show who-calls\n  findspot skill show my-plain-skill --as-workflow",
		Args:    exactly(1),
		RunE: func(c *cobra.Command, args []string) error {
			skills, err := a.openSkills(c.Context())
			if err != nil {
				return err
			}
			s, err := findSkill(skills, args[0])
			if err != nil {
				return err
			}
			m, err := model.model(a.logger(), a.env)
			if err != nil {
				return err
			}
			if asWorkflow || m != nil {
				return showWorkflow(c.Context(), a, s, m)
			}
			unenforced := s.Unenforced()
			if a.json {
				out := map[string]any{"name": s.Name, "description": s.Description, "allowed_tools": s.Allowed(), "file": s.File, "digest": s.Digest, "body": s.Body}
				if len(unenforced) > 0 {
					out["unenforced"] = unenforced
				}
				return a.printJSON(out)
			}
			a.printf("%s\n\n%s\n", clean(s.Description), clean(s.Body))
			for _, d := range unenforced {
				a.printf("line %d may forbid something, and nothing enforces it: %s\n", d.Line, clean(d.Text))
			}
			if s.Workflow() != nil {
				a.printf("\ndigest %s\n", s.Digest)
			}
			return nil
		},
	}
	c.Flags().BoolVar(&asWorkflow, "as-workflow", false, "print the workflow block; of plain steps, what was understood")
	model.add(c.Flags())
	return c
}

// showWorkflow prints the block that a run follows, or the one that a model proposes.
func showWorkflow(ctx context.Context, a *app, s *skill.Skill, m skill.Model) error {
	block := s.Block()
	if m != nil {
		var err error
		if block, err = skill.Propose(ctx, m, s); err != nil {
			return err
		}
	}
	if block == "" {
		return fmt.Errorf("skill %q has no steps that can be run: number them, one order each, such as \"1. Search the papers for ...\" (%w)", s.Name, findspot.ErrUnsupported)
	}
	if a.json {
		return a.printJSON(map[string]any{"name": s.Name, "workflow": block, "reading": s.Plain()})
	}
	a.printf("```yaml workflow\n%s```\n", clean(block))
	return nil
}

// choose selects a skill for the task that the arguments are.
func choose(ctx context.Context, a *app, args []string) (skill.Choice, bool, error) {
	skills, err := a.openSkills(ctx)
	if err != nil {
		return skill.Choice{}, false, err
	}
	choice, ok := skill.Select(skills, strings.Join(args, " "), nil)
	return choice, ok, nil
}

func skillSelect(a *app) *cobra.Command {
	return &cobra.Command{
		Use:     "select TASK",
		Short:   "Select the skill for a task, without a model",
		Example: "  findspot skill select \"who calls detect_pss\"",
		Args:    atLeast(1),
		RunE: func(c *cobra.Command, args []string) error {
			choice, ok, err := choose(c.Context(), a, args)
			if err != nil {
				return err
			}
			if a.json {
				out := map[string]any{"skill": nil, "score": choice.Score, "why": choice.Why, "inputs": choice.Inputs}
				if ok {
					out["skill"] = choice.Skill.Name
				}
				return found(a.printJSON(out), map[bool]int{true: 1}[ok])
			}
			if !ok {
				a.printf("none\n")
			} else {
				a.printf("%s\n", choice.Skill.Name)
			}
			for _, w := range choice.Why {
				a.printf("  %s\n", clean(w))
			}
			return found(nil, map[bool]int{true: 1}[ok])
		},
	}
}

func skillRun(a *app) *cobra.Command {
	var inputs []string
	var record, replay, writeDir, answer string
	var unattended bool
	var trusted []string
	var model modelFlags
	c := &cobra.Command{
		Use:   "run NAME [TASK]",
		Short: "Run a skill step by step, with or without a model",
		Long: `Run the steps of a skill in order. Guards are enforced: a tool that the skill denies before a gate is refused.
Approvals are requested on the terminal. With --unattended, or without a terminal, nobody is asked, and a skill that
needs an approval stops. A skill cannot approve itself, unless --trust-skill gives the digest that skill show prints:
then its own policy (unattended: approve) opens its guards, and lets it write into --write-dir.

Steps that write text ask the model of --provider and --model. Without a model, steps that can do so select from the
evidence, and others end the run. The API key is read from the environment: ANTHROPIC_API_KEY or OPENAI_API_KEY.`,
		Example: "  findspot skill run synchronisation-signals --docs papers --repo receiver --unattended --input task=\"simulate cell search\"\n" +
			"  findspot skill run specification-clause --docs specs --provider openai --model qwen3-32b --base-url http://127.0.0.1:8000/v1 \"what does 38.331 say in 5.3.5\"",
		Args: func(c *cobra.Command, args []string) error {
			if replay != "" {
				return atMost(1)(c, args)
			}
			return atLeast(1)(c, args)
		},
		RunE: func(c *cobra.Command, args []string) (err error) {
			if replay != "" {
				return replayRun(c.Context(), a, strings.Join(args, ""), replay, record)
			}
			m, err := model.model(a.logger(), a.env)
			if err != nil {
				return err
			}
			ws, err := a.open(c.Context())
			if err != nil {
				return err
			}
			s, err := findSkill(ws.Skills(), args[0])
			if err != nil {
				skillProblems(a) // it may be one that could not be read
				return err
			}
			task := strings.Join(args[1:], " ")
			in := map[string]any{}
			if choice, ok := skill.Select([]*skill.Skill{s}, task, &skill.SelectOptions{Name: s.Name}); ok { // inputs that a trigger names
				for k, v := range choice.Inputs {
					in[k] = v
				}
			}
			if objects, ok := findspot.ReferenceQuestion(task); ok && in["symbol"] == nil && s.Workflow() != nil && slices.ContainsFunc(s.Workflow().Inputs, func(i workflow.Input) bool { return i.Name == "symbol" }) {
				in["symbol"] = objects[0]
			}
			if task != "" {
				in["task"] = task
			}
			if err := readInputs(in, s, inputs); err != nil {
				return err
			}
			if s.Workflow() != nil { // a task that the skill does not take
				if !slices.ContainsFunc(s.Workflow().Inputs, func(i workflow.Input) bool { return i.Name == "task" }) {
					delete(in, "task")
				}
			}
			o := &runner.Options{Ledger: evidence.NewLedger(), Logger: a.logger(), TrustDigests: trusted}
			if m != nil {
				o.Source = ws
			}
			if !unattended && isTerminal(a.stderr) {
				o.Approve = func(ctx context.Context, q runner.Approval) (string, error) { return approve(ctx, &a.console, q) }
			}
			if record != "" {
				if err := a.env.MkdirAll(filepath.Dir(record)); err != nil { // a case of a skill goes into its folder tests
					return err
				}
				f, ferr := a.env.Create(record)
				if ferr != nil {
					return ferr
				}
				defer func() {
					if cerr := f.Close(); err == nil {
						err = cerr
					}
				}()
				o.Record = f
			}
			out, err := runner.New(m, ws.Tools(&findspot.ToolsOptions{WriteDir: a.env.Path(writeDir)}), o).Run(c.Context(), s, in)
			if err != nil {
				return err
			}
			if answer != "" && out.Status != skill.StatusDone {
				a.complain(fmt.Errorf("%s was not written: the run ended as %s", answer, out.Status))
			} else if answer != "" {
				ans, err := runAnswer(c.Context(), ws, o.Ledger, out, cmp.Or(task, s.Name))
				if err == nil {
					err = writeAnswer(c.Context(), a.env, answer, ws, o.Ledger, ans)
				}
				if err != nil {
					return err
				}
			}
			if a.json {
				if err := a.printJSON(out); err != nil {
					return err
				}
			} else {
				printOutcome(&a.console, out)
			}
			return ended(out)
		},
	}
	f := c.Flags()
	f.StringArrayVar(&inputs, "input", nil, "input of the skill, name=value (repeatable)")
	f.StringVar(&record, "record", "", "file to record the run in (JSON Lines)")
	answerFlag(c, &answer)
	f.StringVar(&replay, "replay", "", "record to run from, without a model, network or index; NAME may be omitted")
	f.StringVar(&writeDir, "write-dir", "", "folder that the skill may write files into, where its guards allow it")
	f.BoolVar(&unattended, "unattended", false, "ask nobody: a skill that needs an approval stops, unless --trust-skill names it")
	f.StringArrayVar(&trusted, "trust-skill", nil, "digest of a skill that may approve itself when nobody is asked; skill show prints it (repeatable)")
	model.add(f)
	return c
}

// readInputs reads the values of --input for a skill.
func readInputs(in map[string]any, s *skill.Skill, inputs []string) error {
	for _, kv := range inputs {
		k, v, ok := strings.Cut(kv, "=")
		if !ok {
			return usagef("--input %q: give name=value", kv)
		}
		if in[k], ok = inputValue(s, k, v); !ok {
			return usagef("--input %q: the skill needs a value that is not text; give it as JSON", kv)
		}
	}
	return nil
}

// inputValue reads an input of a skill that wants no text: JSON, or for a list also texts with commas between.
func inputValue(s *skill.Skill, name, v string) (any, bool) {
	if s.Workflow() == nil {
		return v, true
	}
	i := slices.IndexFunc(s.Workflow().Inputs, func(in workflow.Input) bool { return in.Name == name })
	if i < 0 {
		return v, true
	}
	typ := s.Workflow().Inputs[i].Type
	if typ == "" || typ == "string" {
		return v, true
	}
	var out any
	if json.Unmarshal([]byte(v), &out) == nil {
		return out, true
	}
	if typ != "list" {
		return nil, false
	}
	list := []any{}
	for el := range strings.SplitSeq(v, ",") {
		list = append(list, strings.TrimSpace(el))
	}
	return list, true
}

func printOutcome(con *console, out *runner.Outcome) {
	p := newPrinter(con.stdout)
	for _, s := range out.Steps {
		p.printf("%-10s %-10s %-8s %s", s.ID, s.Kind, s.Status, clean(s.Note))
		if n := len(s.Items); n > 0 {
			p.printf(" %s", strings.Join(s.Items[:min(n, 12)], " "))
		}
		p.printf("\n")
	}
	for _, d := range out.Denied {
		p.printf("denied: %s: %s\n", d.Tool, clean(d.Because))
	}
	if len(out.Items) > 0 {
		p.printf("\nEvidence\n")
		for _, it := range out.Items {
			p.item(it)
		}
	}
	p.printf("\n%s: %s", out.Skill, out.Status)
	if out.At != "" {
		p.printf(" at %s", out.At)
	}
	p.printf("\n%s\n", clean(out.Reason))
	m := out.Measures
	p.printf("%d tool calls, %d tokens, %s", m.ToolCalls, m.Tokens, m.Time.Round(time.Millisecond))
	if m.ReferenceToolHits > 0 {
		p.printf("; reference_tool_hits %d, caller_resolution_rate %.1f (%d of %d callers read)", m.ReferenceToolHits, m.CallerResolutionRate, m.CallersRead, m.Callers)
	}
	p.printf("\n")
}

// approve asks the terminal.
func approve(ctx context.Context, con *console, q runner.Approval) (string, error) {
	fmt.Fprintf(con.stderr, "\n%s\n%s [%s]: ", clean(q.Text), q.Step, strings.Join(q.Choices, "/"))
	line, err := bufio.NewReader(con.stdin).ReadString('\n')
	if err != nil && err != io.EOF {
		return "", err
	}
	return strings.TrimSpace(line), ctx.Err()
}
