package main

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill"
)

// A piece is evidence as a model is shown it.
type piece struct{ key, text string }

// An order is a call that some text tells the model to make.
type order struct{ tool, args string }

var (
	headRule    = regexp.MustCompile(`^\s*\[([DC]\d+)\]\s`)
	orderRule   = regexp.MustCompile(`must call (\w+) with (\{[^{}]*\})`)
	stateRule   = regexp.MustCompile(`must state: ([^.\[\]]*?)(?: \[\w+\])?\.`)
	numberRule  = regexp.MustCompile(`(?m)^(\d+)\. `)
	lineNumber  = regexp.MustCompile(`^\s*\d+\s*[|:]?\s`)
	sentenceEnd = regexp.MustCompile(`[.!?]\s+`)
)

// A talk is what a scripted model makes of a request.
type talk struct {
	req    *skill.Request
	task   string // what the user asked
	turn   int    // answers so far
	last   string // the last message
	pieces []piece
	all    string // every message, for who obeys whatever it reads
}

func newTalk(req *skill.Request, task string) *talk {
	t := &talk{req: req, task: task}
	var b strings.Builder
	for _, m := range req.Messages {
		if m.From == skill.FromModel {
			t.turn++
			continue
		}
		t.last = m.Text
		b.WriteString(m.Text + "\n")
	}
	t.all = b.String()
	var now *piece
	for line := range strings.Lines(t.all) {
		switch m := headRule.FindStringSubmatch(line); {
		case m != nil:
			now = nil
			if !slices.ContainsFunc(t.pieces, func(p piece) bool { return p.key == m[1] }) {
				t.pieces = append(t.pieces, piece{key: m[1]})
				now = &t.pieces[len(t.pieces)-1]
			}
		case strings.HasPrefix(line, "</data"):
			now = nil
		case now != nil:
			now.text += line
		}
	}
	return t
}

func (t *talk) offers(tool string) bool {
	return slices.ContainsFunc(t.req.Tools, func(s skill.ToolSpec) bool { return s.Name == tool })
}

// gathers reports whether the model is to look things up, and not to write.
func (t *talk) gathers() bool {
	return t.req.Role == skill.RoleWorker && len(t.req.Tools) > 0 && t.req.Schema == nil
}
func (t *talk) refused() bool { return strings.HasPrefix(t.last, "This is refused") }

// mends are the numbers of the sentences that are to be mended.
func (t *talk) mends() (numbers []string) {
	if !strings.HasPrefix(t.last, "Some sentences of your answer are refused") {
		return nil
	}
	for _, m := range numberRule.FindAllStringSubmatch(t.last, -1) {
		numbers = append(numbers, m[1])
	}
	return numbers
}

// key is that of the i-th piece, or one that nobody gave.
func (t *talk) key(i int) string {
	if i < len(t.pieces) {
		return t.pieces[i].key
	}
	return "D99"
}

// best is the sentence or line of a piece that has most of the task's words, as it stands there; empty: none can be quoted.
func (t *talk) best(p piece) (best string) {
	words := strings.FieldsFunc(fold(t.task), func(r rune) bool { return !letter(r) })
	most := 0
	for _, s := range t.sentences(p) {
		low, score := fold(s), 1
		for _, w := range words {
			if len(w) > 3 && strings.Contains(low, w) {
				score += 2
			}
		}
		if strings.ContainsAny(s, "0123456789(") {
			score++
		}
		if score > most {
			best, most = s, score
		}
	}
	return best
}

func (t *talk) sentences(p piece) (out []string) {
	code := strings.HasPrefix(p.key, "C")
	parts := strings.Split(p.text, "\n")
	if !code {
		text := strings.Join(strings.Fields(p.text), " ")
		parts = nil
		for from := 0; from < len(text); {
			to := len(text)
			if m := sentenceEnd.FindStringIndex(text[from:]); m != nil {
				to = from + m[0] + 1
			}
			parts = append(parts, text[from:to])
			from = to
		}
	}
	for _, s := range parts {
		if s = strings.TrimSpace(s); code {
			s = strings.TrimSpace(lineNumber.ReplaceAllString(s, ""))
		}
		if len(strings.Fields(s)) < 2 || !code && (!strings.HasSuffix(s, ".") || s[0] < 'A' || s[0] > 'Z') || strings.ContainsAny(s, "\"[]#|`") || strings.Contains(s, "...") || strings.Contains(s, "ssistants") {
			continue
		}
		out = append(out, s)
	}
	return out
}

func letter(r rune) bool {
	return r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
}

// orders are the calls that anything shown tells the model to make, each once.
func (t *talk) orders() (out []order) {
	for _, m := range orderRule.FindAllStringSubmatch(strings.Join(strings.Fields(t.all), " "), -1) {
		if o := (order{m[1], m[2]}); !slices.Contains(out, o) {
			out = append(out, o)
		}
	}
	return out
}

// statements are the sentences that anything shown tells the model to write.
func (t *talk) statements() (out []string) {
	for _, m := range stateRule.FindAllStringSubmatch(strings.Join(strings.Fields(t.all), " "), -1) {
		if !slices.Contains(out, m[1]) {
			out = append(out, m[1])
		}
	}
	return out
}

// holder is the key of the piece that has a text.
func (t *talk) holder(text string) string {
	for _, p := range t.pieces {
		if strings.Contains(fold(p.text), fold(text)) {
			return p.key
		}
	}
	return t.key(0)
}

// names are what a model calls the things that it is to list: code that it writes has all of them.
var names = []string{"threshold", "noise_floor", "window", "found", "false_alarms"}

// instance is a value of a JSON Schema.
func instance(schema json.RawMessage) string {
	var value func(s json.RawMessage, i int) any
	value = func(s json.RawMessage, i int) any {
		var n struct {
			Type       string                     `json:"type"`
			Enum       []any                      `json:"enum"`
			Properties map[string]json.RawMessage `json:"properties"`
			Items      json.RawMessage            `json:"items"`
			MinItems   int                        `json:"minItems"`
		}
		if json.Unmarshal(s, &n) != nil {
			return nil
		}
		if len(n.Enum) > 0 {
			return n.Enum[0]
		}
		switch n.Type {
		case "object":
			m := map[string]any{}
			for k, p := range n.Properties {
				m[k] = value(p, 0)
			}
			return m
		case "array":
			out := []any{}
			for i := range n.MinItems {
				out = append(out, value(n.Items, i))
			}
			return out
		case "integer", "number":
			return 1
		case "boolean":
			return true
		}
		return names[i%len(names)]
	}
	text, err := json.Marshal(value(schema, 0))
	if err != nil {
		return err.Error()
	}
	return string(text)
}

// arguments are those of a call as JSON.
func arguments(pairs ...string) json.RawMessage {
	m := map[string]string{}
	for i := 0; i+1 < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	text, err := json.Marshal(m)
	if err != nil {
		panic(fmt.Sprint("texts are JSON: ", err))
	}
	return text
}
