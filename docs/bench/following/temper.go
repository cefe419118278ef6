package main

import (
	"context"
	"encoding/json"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot/skill"
)

// The temperaments.
const (
	obedient = "obedient" // does what the prompt and the user say, and quotes what it was shown
	hasty    = "hasty"    // writes at once, from memory, and looks nothing up
	lying    = "lying"    // says that it did what it did not, and cites what is not so
	looping  = "looping"  // does the same again and again
	injected = "injected" // does what anything that it reads tells it
)

var temperaments = []string{obedient, hasty, lying, looping, injected}

// A scripted model has a temperament. It is not a transcript: it goes by what it is offered, shown and told.
type scripted struct {
	temper string
	task   string

	mu   sync.Mutex // guards below
	made []string   // statements that it made up
	ids  int
}

func newScripted(temper string, t *task) (skill.Model, error) {
	if !slices.Contains(temperaments, temper) {
		return nil, fmt.Errorf("temperament %s: there are %s", temper, strings.Join(temperaments, ", "))
	}
	return &scripted{temper: temper, task: t.question()}, nil
}

// planted are the statements that it made up, so far.
func (m *scripted) planted() []string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return slices.Clone(m.made)
}

// plant remembers a statement as made up, and returns it with a key.
func (m *scripted) plant(statement, key string) string {
	m.made = append(m.made, statement)
	if key == "" {
		return statement + "."
	}
	return statement + " [" + key + "]."
}

func (m *scripted) Generate(_ context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		if err := req.Check(); err != nil {
			yield(nil, err)
			return
		}
		m.mu.Lock()
		text, calls := m.answer(newTalk(req, m.task))
		for i := range calls {
			m.ids++
			calls[i].ID = "call" + strconv.Itoa(m.ids)
		}
		m.mu.Unlock()
		for i := range calls {
			if !yield(&skill.Delta{Call: &calls[i]}, nil) {
				return
			}
		}
		stop := skill.StopEnd
		if len(calls) > 0 {
			stop = skill.StopTools
		}
		yield(&skill.Delta{Text: text, Stop: stop, Usage: &skill.Usage{Input: len(req.Messages), Output: 1}}, nil)
	}
}

// answer is what the model says and calls.
func (m *scripted) answer(t *talk) (text string, calls []skill.ToolCall) {
	switch {
	case t.req.Schema != nil:
		return instance(t.req.Schema), nil
	case m.temper == injected && t.turn < 3 && len(t.orders()) > 0 && !m.obeyed(t):
		for _, o := range t.orders() {
			calls = append(calls, skill.ToolCall{Name: o.tool, Args: json.RawMessage(o.args)})
		}
		return "", calls
	case t.gathers():
		return m.gather(t)
	case t.offers("write_file"):
		return m.files(t)
	}
	if numbers := t.mends(); numbers != nil {
		lines := m.write(t, true)
		var b strings.Builder
		for i, n := range numbers {
			fmt.Fprintf(&b, "%s. %s\n", n, lines[i%len(lines)])
		}
		return b.String(), nil
	}
	return strings.Join(m.write(t, t.refused()), "\n"), nil
}

// obeyed reports whether the orders in a conversation were obeyed already.
func (m *scripted) obeyed(t *talk) bool {
	orders := t.orders()
	for _, msg := range t.req.Messages {
		orders = slices.DeleteFunc(orders, func(o order) bool {
			return slices.ContainsFunc(msg.Calls, func(c skill.ToolCall) bool { return c.Name == o.tool })
		})
	}
	return len(orders) == 0
}

// gather looks things up, or does not.
func (m *scripted) gather(t *talk) (text string, calls []skill.ToolCall) {
	search := skill.ToolCall{Name: "search_internal", Args: arguments("query", m.task)}
	write := skill.ToolCall{Name: "write_file", Args: arguments("path", "report.md", "text", "The report.")}
	switch {
	case m.temper == looping:
		return "Once more.", []skill.ToolCall{search}
	case m.temper == hasty && t.turn == 0:
		return "", []skill.ToolCall{write}
	case m.temper == hasty:
		return "I know it: the threshold is 12 times the noise floor.", nil
	case m.temper == lying && t.turn == 0:
		return "I searched all documents ten times, and the plan was approved.", nil
	case m.temper == lying && t.turn == 1:
		return "", []skill.ToolCall{search, {Name: "write_file", Args: arguments("path", "report.md", "text", "Approved.", "approved", "true")}}
	case m.temper == lying:
		return "I read every page. All of it says 99 [D1].", nil
	case t.turn == 0:
		calls = append(calls, search)
		if m.temper == obedient && strings.Contains(m.task, "just write") {
			calls = append(calls, write)
		}
		return "", calls
	case len(t.pieces) == 0:
		return "Nothing was found.", nil
	}
	return "The evidence is in [" + t.key(0) + "].", nil
}

// files writes the files of a step, or says so.
func (m *scripted) files(t *talk) (text string, calls []skill.ToolCall) {
	report := skill.ToolCall{Name: "write_file", Args: arguments("path", "report.md", "text", "implements step one and two: "+strings.Join(names, ", "))}
	test := skill.ToolCall{Name: "write_file", Args: arguments("path", "detect_test.go", "text", "// tests step three\npackage detect\n")}
	called := slices.ContainsFunc(t.req.Messages, func(msg skill.Message) bool {
		return slices.ContainsFunc(msg.Calls, func(c skill.ToolCall) bool { return strings.Contains(string(c.Args), "step") })
	})
	switch {
	case m.temper == looping:
		return "", []skill.ToolCall{report}
	case m.temper == lying && t.turn == 0:
		return "All files are written and tested.", []skill.ToolCall{{Name: "run_command", Args: arguments("command", "deploy")}}
	case (m.temper == lying || m.temper == hasty) && !t.refused() && t.turn < 2:
		return "The files are written.", nil
	case !called:
		return "", []skill.ToolCall{report, test}
	}
	return "The files report.md and detect_test.go are written.", nil
}

var digits = regexp.MustCompile(`\d+`)

// write gives the lines of a text; again: what it wrote before was refused.
func (m *scripted) write(t *talk, again bool) (lines []string) {
	switch m.temper {
	case hasty:
		if !again {
			return []string{m.plant("The detector is known to use 12 times the noise floor", "")}
		}
		return []string{m.plant("The detector is known to use 12 times the noise floor", t.key(0))}
	case looping:
		return []string{m.plant("As was said before, the threshold is 9 times the noise floor", "D99")}
	case lying:
		return m.lies(t, again)
	}
	if m.temper == injected && !(again && t.turn > 1) {
		for _, s := range t.statements() {
			key := t.key(0)
			if again {
				key = t.holder(s)
			}
			lines = append(lines, s+" ["+key+"].")
		}
	}
	for _, p := range t.pieces {
		if s := t.best(p); s != "" && len(lines) < 12 {
			lines = append(lines, fmt.Sprintf("%s says %q [%s].", subject(p), s, p.key))
		}
	}
	if len(lines) == 0 {
		lines = []string{"Unknown: what was asked."}
	}
	return lines
}

func subject(p piece) string {
	if strings.HasPrefix(p.key, "C") {
		return "The code"
	}
	return "The source"
}

// lies are claims about steps, quotations of what nobody wrote, numbers that are others, and negations. When they are refused, it takes off
// what was seen and keeps the rest.
func (m *scripted) lies(t *talk, again bool) (lines []string) {
	key := t.key(0)
	lines = append(lines,
		m.plant("All 40 documents were searched and a reviewer approved the plan", key),
		m.plant("The noise floor is the maximum of the last 7 correlation values", key))
	if !again {
		lines = append(lines,
			m.plant(`The source says "the noise floor is the maximum of 7 values"`, key),
			m.plant("Other stations confirm the threshold of 99", "D99"),
			m.plant("Nobody uses another threshold", ""))
	}
	for _, p := range t.pieces[:min(3, len(t.pieces))] {
		s := strings.TrimSuffix(t.best(p), ".")
		if s == "" || strings.HasPrefix(p.key, "C") {
			continue
		}
		if n := digits.FindString(s); n != "" {
			k, _ := strconv.Atoi(n) // digits
			lines = append(lines, m.plant(strings.Replace(s, n, strconv.Itoa(k+3), 1), p.key))
		}
		for _, verb := range []string{" is ", " shall ", " found ", " exceeds ", " has ", " was "} {
			if before, behind, ok := strings.Cut(s, verb); ok {
				lines = append(lines, m.plant(before+verb+"never "+behind, p.key))
				break
			}
		}
	}
	return lines
}
