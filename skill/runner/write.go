package runner

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/invoke"
	"github.com/findspot/findspot/skill/internal/jsonvalue"
	"github.com/findspot/findspot/skill/internal/message"
	"github.com/findspot/findspot/skill/internal/show"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/workflow"
)

const outlineKeys = 5 // most keys a section of an outline gets

// A composer makes texts of evidence: what write, synthesize and ask steps say.
type composer struct {
	state  *state
	caller *caller
	writer *writer
}

// write writes a text or files. Without a model a text becomes an outline: for each section the keys of the evidence that
// speaks of it.
func (c *composer) write(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	w := st.Write
	items, written, err := f.held(w.From, c.caller.ledger)
	if err != nil {
		return none(), "", err
	}
	files := w.What == "files"
	if c.writer.model == nil {
		switch {
		case files || len(w.With) > 0:
			return none(), "", fmt.Errorf("write %s: %w", w.What, invoke.ErrNoModel)
		case len(items) == 0:
			return none(), "", fmt.Errorf("write %s: there is no evidence to outline, and no model", w.What)
		}
		v := outline(w, items)
		if wrong, err := holdsOf(f, w, v); err != nil || wrong != nil {
			return none(), "", errors.Join(err, wrong)
		}
		return v, "outline without a model", nil
	}
	before := c.caller.usedTools(w.With)
	var b strings.Builder
	fmt.Fprintf(&b, "Write: %s\n", w.What)
	if len(w.Sections) > 0 {
		fmt.Fprintf(&b, "Sections, in this order, each as a heading: %s\n", strings.Join(w.Sections, "; "))
	}
	if w.Check != "" {
		fmt.Fprintf(&b, "It must hold that: %s\n", w.Check)
	}
	if files {
		fmt.Fprintf(&b, "Write the files by calling %s; then say in one paragraph what you wrote.\n", strings.Join(w.With, ", "))
	}
	j := &job{role: skill.RoleWriter, prompt: b.String(), items: items, written: written, with: w.With,
		claims: w.Cite == "every_claim", headings: w.Sections}
	made := func(answer string) value {
		sections := []any{}
		for _, s := range w.Sections {
			sections = append(sections, map[string]any{"title": s})
		}
		return value{plain: map[string]any{"text": answer, "written_by": "model", "calls": append([]any{}, j.made...), "files": filesIn(j.made), "sections": sections},
			items: items, text: answer}
	}
	j.more = func(answer string, _ bool) (wrong, err error) {
		if files && c.caller.usedTools(w.With) == before {
			return errors.New("no file was written"), nil
		}
		return c.checkWritten(ctx, f, w, made(answer))
	}
	answer, err := c.writer.generate(ctx, f, j)
	if err != nil {
		return none(), "", err
	}
	return made(answer), "", nil
}

// outline assigns evidence to sections by their words.
func outline(w *workflow.Write, items []evidence.Item) value {
	ix := bm25.New()
	for _, it := range items {
		ix.Add(text.Terms(it.Text))
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s: outline\n%s\n", w.What, invoke.NoModel)
	sections := []any{}
	for _, name := range w.Sections {
		keys := []any{}
		var shown []string
		for _, h := range ix.Search(text.Terms(name), outlineKeys, nil) {
			keys = append(keys, items[h.Doc].Key)
			shown = append(shown, "["+items[h.Doc].Key+"]")
		}
		line := strings.Join(shown, " ")
		if line == "" {
			line = "open: no evidence found names it"
		}
		fmt.Fprintf(&b, "\n%s\n  %s\n", name, line)
		sections = append(sections, map[string]any{"title": name, "keys": keys})
	}
	b.WriteString("\nevidence\n")
	all := []any{}
	for _, it := range items {
		all = append(all, it.Key)
		b.WriteString(show.ItemLine(it))
	}
	return value{plain: map[string]any{"text": b.String(), "written_by": "none", "sections": sections, "keys": all, "calls": []any{}, "files": []any{}}, items: items, text: b.String()}
}

// synthesize writes the answer. Without a model the answer is the evidence itself, by step.
func (c *composer) synthesize(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	sy := st.Synthesize
	items, written, err := f.held(sy.From, c.caller.ledger)
	if err != nil {
		return none(), "", err
	}
	if len(items) == 0 && len(written) == 0 {
		return none(), "", errors.New("there is nothing to answer from")
	}
	if sy.Verify == "locations" {
		if err := c.verifyPlaces(ctx, items); err != nil {
			return none(), "", err
		}
	}
	if c.writer.model == nil {
		if len(items) == 0 {
			return none(), "", fmt.Errorf("there is no evidence with a place to answer from: %w", invoke.ErrNoModel)
		}
		var b strings.Builder
		b.WriteString(invoke.NoModel + "\n")
		shown := map[string]bool{}
		for _, name := range sy.From {
			head := false
			part, _, err := f.held([]string{name}, c.caller.ledger)
			if err != nil {
				return none(), "", err
			}
			for _, it := range part {
				if shown[it.Key] {
					continue
				}
				if shown[it.Key] = true; !head {
					head = true
					fmt.Fprintf(&b, "\n%s\n", name)
				}
				b.WriteString(show.ItemLine(it))
			}
		}
		return c.final(ctx, f, st, b.String(), "none", items, "evidence without a model")
	}
	prompt := "Answer the task from the evidence.\n"
	if sy.Style != "" {
		prompt += "Style: " + sy.Style + "\n"
	}
	asked := false
	j := &job{role: skill.RoleWriter, prompt: prompt, items: items, written: written, claims: true, quotes: sy.Verify == "quotes"}
	j.more = func(answer string, last bool) (wrong, err error) {
		if asked || last {
			return nil, nil
		}
		asked = true
		judged, err := evidence.Judge(ctx, c.caller.ledger, answer, nil)
		if note := doubts(judged, len(judged)); note != "" {
			wrong = errors.New("mend these or leave them out: " + note)
		}
		return wrong, err
	}
	answer, err := c.writer.generate(ctx, f, j)
	if err != nil {
		return none(), "", err
	}
	judged, err := evidence.Judge(ctx, c.caller.ledger, answer, nil)
	if err != nil {
		return none(), "", err
	}
	note := doubts(judged, maxDoubts)
	if note != "" {
		c.state.mu.Lock()
		c.state.failed = append(c.state.failed, fmt.Sprintf("step %s: %s", st.ID, note))
		c.state.mu.Unlock()
	}
	return c.final(ctx, f, st, answer, "model", items, note, judged...)
}

const maxDoubts = 3 // that a note tells in full

// doubts says which sentences of an answer their evidence speaks against. They go back to the model once. What it keeps is marked and not refused, as words alone can be
// wrong about it, and one of them would cost the whole answer.
func doubts(judged []evidence.Judgement, most int) string {
	var b strings.Builder
	n := 0
	for _, j := range judged {
		if j.Verdict != evidence.Unsupported {
			continue
		}
		if n++; n <= most {
			fmt.Fprintf(&b, "; %q: %s", message.Clip(j.Sentence.Text, 80), message.Clip(j.Reason, 200))
		}
	}
	if n == 0 {
		return ""
	}
	return fmt.Sprintf("%d sentences are not what their evidence says%s", n, b.String())
}

// final marks an answer, asks the host's hooks about it and makes it the step's value. A hook that refuses ends the run.
func (c *composer) final(ctx context.Context, f *frame, st *workflow.Step, text, by string, items []evidence.Item, note string, judged ...evidence.Judgement) (value, string, error) {
	unverified := []any{}
	for _, j := range judged {
		if j.Unverified(c.caller.ledger) {
			unverified = append(unverified, map[string]any{"text": j.Sentence.Text, "verdict": string(j.Verdict), "reason": j.Reason})
		}
	}
	text = evidence.MarkUnverified(c.caller.ledger, text, judged)
	plain := map[string]any{"text": text, "written_by": by, "unverified": unverified}
	var said *record.Final
	switch {
	case c.state.play != nil:
		said = c.state.play.final(st.ID)
	case slices.ContainsFunc(c.state.opt.Hooks, func(h *skill.Hooks) bool { return h != nil && h.FinalAnswer != nil }):
		task, _ := f.inputs["task"].(string)
		said = &record.Final{ID: st.ID}
		var err error
		if said.Notes, err = invoke.FinalAnswer(ctx, c.state.opt.Hooks, &evidence.Answer{Question: task, Text: text, Items: evidence.Expand(c.caller.ledger, text)}); err != nil {
			said.Error = err.Error()
		}
	}
	if said == nil {
		return value{plain: plain, items: items, text: text}, note, nil
	}
	c.state.commit(said, nil)
	if said.Error != "" {
		return none(), "", &endError{skill.StatusStopped, said.Error, st.ID}
	}
	if len(said.Notes) > 0 {
		plain["notes"] = queriesValue(said.Notes).plain
		note = strings.Join(append([]string{note}, said.Notes...), "; ")
	}
	return value{plain: plain, items: items, text: text}, strings.TrimPrefix(note, "; "), nil
}

// verifyPlaces checks that each item names a place, and where the host gives sources, that the place is there.
func (c *composer) verifyPlaces(ctx context.Context, items []evidence.Item) error {
	for _, it := range items {
		if it.At.IsZero() {
			return fmt.Errorf("%s names no place", it.Key)
		}
		if c.writer.src == nil || it.Derived() {
			continue
		}
		if _, err := c.writer.src.Text(ctx, it.At); err != nil {
			return fmt.Errorf("%s, %s: %w", it.Key, it.At, err)
		}
	}
	return nil
}

// ask asks the model, for text or for JSON of a schema.
func (c *composer) ask(ctx context.Context, f *frame, st *workflow.Step) (value, string, error) {
	prompt, err := f.prompt(st.Ask.Prompt)
	if err != nil {
		return none(), "", err
	}
	items, written, err := f.held(st.Ask.From, c.caller.ledger)
	if err != nil {
		return none(), "", err
	}
	if c.writer.model == nil {
		return none(), "", invoke.ErrNoModel
	}
	j := &job{role: skill.RoleWorker, prompt: prompt, items: items, written: written, with: st.Ask.With}
	if st.Ask.Schema != nil {
		if j.schema, err = json.Marshal(st.Ask.Schema); err != nil {
			return none(), "", err
		}
	}
	answer, err := c.writer.generate(ctx, f, j)
	if err != nil {
		return none(), "", err
	}
	if st.Ask.Schema == nil {
		return value{plain: answer, text: answer}, "", nil
	}
	var out any
	if err := json.Unmarshal([]byte(answer), &out); err != nil {
		return none(), "", err
	}
	return value{plain: out}, "", nil
}

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
