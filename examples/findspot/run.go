package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/examples/findspot/internal/usage"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/plans"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/workflow"
)

// maxPlan bounds a plan in bytes.
const maxPlan = 1 << 20

func runCommand(a *app) *cobra.Command {
	c := &cobra.Command{
		Use:   "run PLAN [NAME=VALUE ...]",
		Short: "Run a plan of searches, walks and reads from a file, without a model",
		Long: `Run a plan and print what each step found. A plan is a YAML file of steps, in which a step uses the results of earlier
steps (docs/skills.md); "-" reads one from standard input. If no file has the name, a shipped plan is run; without a
name, the shipped plans are listed.`,
		Example: "  findspot run\n  findspot run callers symbol=detect_pss\n  findspot run plan.yaml topic=\"cell search\"\n" +
			"  echo 'steps: [{id: papers, search: {in: docs, for: noise floor}}]' | findspot run -",
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listPlans(&a.console)
			}
			plan, err := readPlan(&a.console, args[0])
			if err != nil {
				return err
			}
			in := map[string]any{}
			for _, kv := range args[1:] {
				k, v, ok := strings.Cut(kv, "=")
				if !ok {
					return usagef("%q: give the inputs of a plan as name=value; %s takes %s", kv, plan.Name, inputNames(plan))
				}
				if !slices.ContainsFunc(plan.Workflow().Inputs, func(i workflow.Input) bool { return i.Name == k }) {
					return usagef("%s has no input %q; it takes %s", plan.Name, k, inputNames(plan))
				}
				if file, ok := strings.CutPrefix(v, "@"); ok {
					text, err := textOf(&a.console, file)
					if err != nil {
						return err
					}
					v = text
				}
				if in[k], ok = inputValue(plan, k, v); !ok {
					return usagef("%q: the plan needs a value that is not text; give it as JSON", kv)
				}
			}
			if slices.ContainsFunc(plan.Workflow().Inputs, func(i workflow.Input) bool { return i.Required && in[i.Name] == nil }) {
				return usagef("%s lacks an input; it takes %s", plan.Name, inputNames(plan))
			}
			ws, err := a.openIndex(c.Context())
			if err != nil {
				return err
			}
			tools := ws.Tools(nil)
			if err := offered(plan.Workflow().Steps, tools); err != nil {
				return fmt.Errorf("%s: %w", plan.Name, err)
			}
			out, err := runner.New(nil, tools, &runner.Options{Ledger: evidence.NewLedger(), Logger: a.logger()}).Run(c.Context(), plan, in)
			if err != nil {
				return err
			}
			if a.json {
				err = a.printJSON(out)
			} else {
				printPlan(&a.console, out)
			}
			if err != nil {
				return err
			}
			failed := slices.ContainsFunc(out.Steps, func(s runner.StepRecord) bool { // a plan for both is run over documents alone too
				return s.Status == "failed" && !errors.Is(s.Err, repository.ErrNone)
			})
			switch {
			case out.Status != skill.StatusDone:
				return ended(out)
			case failed:
				return errReported
			case len(out.Items) == 0: // every step ran, and none found anything
				return errNo
			}
			return nil
		},
	}
	return c
}

// offered returns an error that names the first tool of a plan's steps that there is not.
func offered(steps []*workflow.Step, tools []skill.Tool) error {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	for _, s := range steps {
		if s.Kind == workflow.KindCall && s.Call.Tool != "" && !slices.Contains(names, s.Call.Tool) {
			near := ""
			if n := usage.Near(s.Call.Tool, names); len(n) > 0 {
				near = "; did you mean " + n[0] + "?"
			}
			return fmt.Errorf("line %d: step %s: there is no tool %q%s", s.Line, s.ID, s.Call.Tool, near)
		}
		var inner []*workflow.Step
		if s.Each != nil {
			inner = s.Each.Steps
		} else if s.Loop != nil {
			inner = s.Loop.Steps
		}
		if err := offered(inner, tools); err != nil {
			return err
		}
	}
	return nil
}

// ended returns what a run ends a command with: nothing was found, or not enough, or it was stopped.
func ended(out *runner.Outcome) error {
	switch out.Status {
	case skill.StatusDone:
		return nil
	case skill.StatusStopped:
		return errReported
	}
	return errNo
}

// textOf reads a file that is the value of an input.
func textOf(con *console, file string) (string, error) {
	r, err := con.input(file)
	if err != nil {
		return "", err
	}
	data, cut, err := readAtMost(r, maxPlan)
	if err == nil && cut {
		err = fmt.Errorf("%s: %w: over %d bytes", file, findspot.ErrTooLarge, maxPlan)
	}
	return string(data), err
}

// readPlan reads the plan of a file, of standard input, or a shipped one.
func readPlan(con *console, name string) (*skill.Skill, error) {
	file, from := name, con.stdin
	if name == "-" {
		file = "plan"
	} else {
		f, err := con.env.OpenFile(name)
		if errors.Is(err, fs.ErrNotExist) && path.Ext(name) == "" {
			return shippedPlan(name)
		}
		if err != nil {
			return nil, err
		}
		defer f.Close() // read only
		from = f
	}
	text, err := io.ReadAll(io.LimitReader(from, maxPlan+1))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	if len(text) > maxPlan {
		return nil, fmt.Errorf("%s: %w: more than %d bytes", name, findspot.ErrTooLarge, maxPlan)
	}
	return skill.ParsePlan(file, string(text))
}

func shippedPlan(name string) (*skill.Skill, error) {
	text, err := fs.ReadFile(plans.FS(), name+".yaml")
	if err == nil {
		return skill.ParsePlan(name+".yaml", string(text))
	}
	all, err := shippedPlans()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, p := range all {
		names = append(names, p.Name)
	}
	return nil, fmt.Errorf("plan %q: %w: neither a file nor one of %s", name, findspot.ErrNotFound, strings.Join(names, ", "))
}

func shippedPlans() (out []*skill.Skill, err error) {
	files, err := fs.Glob(plans.FS(), "*.yaml")
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		p, err := shippedPlan(strings.TrimSuffix(f, ".yaml"))
		if err != nil {
			return nil, err
		}
		out = append(out, p)
	}
	return out, nil
}

func listPlans(con *console) error {
	all, err := shippedPlans()
	if err != nil {
		return err
	}
	if con.json {
		type line struct {
			Name        string   `json:"name"`
			Description string   `json:"description"`
			Inputs      []string `json:"inputs"`
		}
		out := []line{}
		for _, p := range all {
			l := line{p.Name, p.Description, []string{}}
			for _, i := range p.Workflow().Inputs {
				l.Inputs = append(l.Inputs, i.Name)
			}
			out = append(out, l)
		}
		return con.printJSON(out)
	}
	for _, p := range all {
		con.printf("%-11s %s\n            %s\n", p.Name, p.Description, inputNames(p))
	}
	return nil
}

// inputNames shows the inputs of a plan as they are given.
func inputNames(p *skill.Skill) string {
	var out []string
	for _, i := range p.Workflow().Inputs {
		s := i.Name + "=..."
		if !i.Required {
			s = "[" + s + "]"
		}
		out = append(out, s)
	}
	if len(out) == 0 {
		return "no inputs"
	}
	return strings.Join(out, " ")
}

// printPlan prints what each step found, a thing once.
func printPlan(con *console, out *runner.Outcome) {
	p := newPrinter(con.stdout)
	items := map[string]evidence.Item{}
	for _, it := range out.Items {
		items[it.Key] = it
	}
	for _, s := range out.Steps {
		if s.Kind == workflow.KindEach && s.Status == "ok" || s.Kind == workflow.KindRequire && s.Status == "ok" || s.Status == "ended" || s.Status == "skipped" {
			continue // its inner steps were printed; there is nothing to print; it is printed last; it did not run
		}
		p.printf("%s", s.ID)
		if s.Status != "ok" {
			p.printf(" %s", s.Status)
		}
		if s.Note != "" {
			p.printf(": %s", clean(s.Note))
		}
		var again []string
		for _, key := range s.Items {
			if _, ok := items[key]; !ok {
				again = append(again, key)
			}
		}
		switch {
		case len(again) > 0:
			p.printf(" (also %s)", strings.Join(again, " "))
		case len(s.Items) == 0 && s.Text != "": // what is no evidence, such as a walk of the graph
			p.printf("\n     %s", strings.ReplaceAll(clean(strings.TrimSpace(s.Text)), "\n", "\n     "))
		case len(s.Items) == 0 && s.Status == "ok":
			p.printf(": nothing")
		}
		p.printf("\n")
		for _, key := range s.Items {
			if it, ok := items[key]; ok {
				if len(s.Items) == 1 { // what the step was to read
					_ = it.WriteWhole(p.w, p.open, p.close) // what standard output does not take is lost, as with printf
				} else {
					p.item(it)
				}
				delete(items, key)
			}
		}
	}
	if out.Status != skill.StatusDone {
		p.printf("\n%s: %s", out.Skill, out.Status)
		if out.At != "" {
			p.printf(" at %s", out.At)
		}
		p.printf(": %s\n", clean(out.Reason))
	}
}
