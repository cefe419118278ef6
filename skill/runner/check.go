package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/workflow"
)

// A verdictOn is what a model answers that is asked whether a text holds to something.
type verdictOn struct {
	Holds    *bool    `json:"holds"`
	Problems []string `json:"problems"`
}

const verdictSchema = `{"type":"object","required":["holds","problems"],"additionalProperties":false,"properties":{"holds":{"type":"boolean"},` +
	`"problems":{"type":"array","maxItems":20,"items":{"type":"string","maxLength":400}}}}`

var errNotTold = errors.New("the model did not say whether it holds")

// holdsOf says which expression of a write step does not hold of what was written. err: one could not be evaluated.
func holdsOf(f *frame, w *workflow.Write, v value) (wrong, err error) {
	env := f.environment(map[string]any{"it": v.plain})
	for _, src := range w.Holds {
		e, err := expression.Compile(src)
		if err != nil {
			return nil, fmt.Errorf("holds: %s: %w", src, err)
		}
		got, err := e.Eval(env)
		if err != nil {
			return nil, fmt.Errorf("holds: %s: %w", src, err)
		}
		if got != true {
			return fmt.Errorf("this does not hold of it: %s", src), nil
		}
	}
	return nil, nil
}

// checkWritten says what is wrong with something that was written: an expression of the step that does not hold, and then
// what the model finds against the step's check. err means that it could not be checked.
func (c *composer) checkWritten(ctx context.Context, f *frame, w *workflow.Write, v value) (wrong, err error) {
	if wrong, err := holdsOf(f, w, v); wrong != nil || err != nil || w.Check == "" {
		return wrong, err
	}
	var b strings.Builder
	plain, _ := v.plain.(map[string]any)
	files, _ := plain["files"].([]any)
	for _, el := range files {
		if m, ok := el.(map[string]any); ok {
			fmt.Fprintf(&b, "File %s:\n%s\n\n", jsonvalue.Render(m["path"]), jsonvalue.Render(m["text"]))
		}
	}
	b.WriteString("Text:\n" + v.text)
	prompt := fmt.Sprintf("Judge the text below by one condition alone: %s\nName each place that falls short.\n\n%s", w.Check, show.Data(b.String()))
	if len(prompt) > maxShown {
		return nil, fmt.Errorf("check: what was written is over %d bytes: %w", maxShown, skill.ErrTooLarge)
	}
	answer, err := c.writer.generate(ctx, f, &job{role: skill.RoleWorker, prompt: prompt, schema: json.RawMessage(verdictSchema)})
	if err != nil {
		return nil, fmt.Errorf("check: %w", err)
	}
	var out verdictOn
	if err := json.Unmarshal([]byte(answer), &out); err != nil || out.Holds == nil {
		return nil, fmt.Errorf("check: %w", errNotTold)
	}
	if !*out.Holds {
		return fmt.Errorf("it does not hold that %s: %s", w.Check, strings.Join(out.Problems, "; ")), nil
	}
	return nil, nil
}

// filesIn are the files that calls wrote, the last text of each path, in the order of the first.
func filesIn(calls []any) []any {
	out := []any{}
	at := map[string]int{}
	for _, el := range calls {
		c, _ := el.(map[string]any)
		args, _ := c["args"].(map[string]any)
		path, ok := args["path"].(string)
		text, told := args["text"].(string)
		if !ok || !told {
			continue
		}
		file := map[string]any{"path": path, "text": text}
		if i, again := at[path]; again {
			out[i] = file
			continue
		}
		at[path] = len(out)
		out = append(out, file)
	}
	return out
}
