package training

import (
	"encoding/json"
	"fmt"
	"html/template"
	"io"
	"strings"
	"sync"
	"time"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
)

// A View is one run for a reader.
type View struct {
	Name     string          `json:"name"`
	Skill    string          `json:"skill,omitempty"`
	Agent    string          `json:"agent,omitempty"`
	Question string          `json:"question,omitempty"`
	Status   string          `json:"status"` // empty: the record ends without an outcome
	Reason   string          `json:"reason,omitempty"`
	Verified bool            `json:"verified"`
	Events   []Entry         `json:"events"`
	Evidence []string        `json:"evidence"` // key and place of what the run ended with
	Places   []string        `json:"places"`
	Measures record.Measures `json:"measures"`
}

// An Entry is an event for a reader.
type Entry struct {
	N    int    `json:"n"`    // number of the event in the record
	Kind string `json:"kind"` // of package record, such as call
	Head string `json:"head"` // one line
	Text string `json:"text,omitempty"`
	// Failed says that it is an error, a refusal or a condition that does not hold.
	Failed bool `json:"failed,omitempty"`
}

// maxEntry bounds the text of an entry, in bytes: a page of a long run stays one that a browser opens.
const maxEntry = 16 << 10

// View returns the run for a reader: steps, requests and answers of models, calls with their results, gates and the outcome.
func (r *Run) View() *View {
	var meter record.Meter
	v := &View{Name: r.Name, Skill: r.Begin.Skill, Agent: r.Begin.Agent, Status: r.Status(), Verified: r.Verified(), Events: []Entry{}, Evidence: []string{}, Places: r.Places()}
	for _, k := range []string{"question", "task"} {
		if s, ok := r.Begin.Inputs[k].(string); ok && v.Question == "" {
			v.Question = s
		}
	}
	for _, e := range r.Events {
		meter.Observe(e)
		if one, ok := entry(e); ok {
			one.N, one.Kind = e.Head().N, e.Head().Name
			if len(one.Text) > maxEntry {
				one.Text = strings.ToValidUTF8(one.Text[:maxEntry], "") + fmt.Sprintf("\n... %d bytes more in the record", len(one.Text)-maxEntry)
			}
			v.Events = append(v.Events, one)
		}
	}
	v.Measures = meter.Measures()
	if r.Outcome != nil {
		v.Reason = r.Outcome.Reason
		for _, key := range r.Outcome.Items {
			place := ""
			if it, ok := r.items[key]; ok {
				place = it.At.String()
			}
			v.Evidence = append(v.Evidence, strings.TrimSpace(key+" "+place))
		}
	}
	return v
}

// entry shows an event; false: it says nothing that another one does not.
func entry(e record.Event) (Entry, bool) {
	switch e := e.(type) {
	case *record.Step:
		return Entry{Head: fmt.Sprintf("step %s (%s)", e.ID, e.Kind)}, true
	case *record.StepEnd:
		return Entry{Head: strings.TrimSpace(fmt.Sprintf("step %s: %s %s %s", e.ID, e.Status, e.Note, strings.Join(e.Items, " "))), Failed: e.Status == "failed"}, true
	case *record.Call:
		return Entry{Head: fmt.Sprintf("call %d %s by %s", e.Call, e.Tool, e.By), Text: strings.TrimSpace(string(e.Args) + "\n" + e.Refused), Failed: e.Refused != ""}, true
	case *record.Result:
		if e.Result == nil {
			return Entry{Head: fmt.Sprintf("result %d %s: error", e.Call, e.Tool), Text: e.Error, Failed: true}, true
		}
		var keys []string
		for _, it := range e.Result.Items {
			keys = append(keys, it.Key)
		}
		return Entry{Head: strings.TrimSpace(fmt.Sprintf("result %d %s: %s %s", e.Call, e.Tool, e.Result.Verdict, strings.Join(keys, " "))), Text: e.Result.Text}, true
	case *record.Denied:
		return Entry{Head: "denied " + e.Tool, Text: e.Because, Failed: true}, true
	case *record.Model:
		var b strings.Builder
		for _, m := range e.Messages {
			if m.From == skill.FromUser {
				fmt.Fprintf(&b, "%s\n", m.Text)
			}
		}
		return Entry{Head: fmt.Sprintf("request, conversation %d, %s", e.Conversation, e.Role), Text: strings.TrimSpace(b.String())}, b.Len() > 0
	case *record.Reply:
		if e.Reply == nil || e.Error != "" {
			return Entry{Head: fmt.Sprintf("answer, conversation %d: error", e.Conversation), Text: e.Error, Failed: true}, true
		}
		text := e.Reply.Text
		for _, c := range e.Reply.Calls {
			text += "\n-> " + c.Name + " " + string(c.Args)
		}
		return Entry{Head: fmt.Sprintf("answer, conversation %d", e.Conversation), Text: strings.TrimSpace(text)}, true
	case *record.Refused:
		return Entry{Head: "sent back", Text: e.Why, Failed: true}, true
	case *record.Gate:
		return Entry{Head: fmt.Sprintf("gate %s: %s", e.ID, map[bool]string{true: "open", false: "closed"}[e.Passed]), Text: e.Condition, Failed: !e.Passed}, true
	case *record.Approval:
		return Entry{Head: fmt.Sprintf("approval %s: %s by %s", e.ID, e.Choice, e.By), Text: e.Error, Failed: e.Error != ""}, true
	case *record.None:
		return Entry{Head: "nothing was found", Text: e.Why}, true
	case *record.Use:
		return Entry{Head: "uses skill " + e.Skill}, true
	case *record.Final:
		return Entry{Head: "answer, judged by the host", Text: strings.Join(append(e.Notes, e.Error), "\n"), Failed: e.Error != ""}, true
	case *record.Limit:
		return Entry{Head: "limit reached: " + e.What, Failed: true}, true
	case *record.Cancelled:
		return Entry{Head: "cancelled", Text: e.Why, Failed: true}, true
	case *record.Outcome:
		data, err := json.Marshal(e.Telemetry)
		if err != nil || len(e.Telemetry) == 0 {
			data = nil
		}
		return Entry{Head: fmt.Sprintf("outcome: %s", e.Status), Text: strings.TrimSpace(e.Reason + "\n" + string(data)), Failed: e.Status != skill.StatusDone && e.Status != skill.StatusVerifiedNone}, true
	}
	return Entry{}, false
}

// WriteText writes the run for a terminal: of each text the first lines, at most lines of them; 0 means 6.
func (v *View) WriteText(w io.Writer, lines int) error {
	if lines <= 0 {
		lines = 6
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%s\n", strings.TrimSpace(v.Name+"  "+v.Skill+v.Agent))
	if v.Question != "" {
		fmt.Fprintf(&b, "  %s\n", folded(v.Question, lines, "  "))
	}
	for _, e := range v.Events {
		mark := " "
		if e.Failed {
			mark = "!"
		}
		fmt.Fprintf(&b, "%s%4d  %s\n", mark, e.N, strings.ReplaceAll(e.Head, "\n", " "))
		if e.Text != "" {
			fmt.Fprintf(&b, "       %s\n", folded(e.Text, lines, "       "))
		}
	}
	for _, list := range []struct {
		name string
		of   []string
	}{{"evidence", v.Evidence}, {"places", v.Places}} {
		if len(list.of) > 0 {
			fmt.Fprintf(&b, "%s\n  %s\n", list.name, folded(strings.Join(list.of, "\n"), 20, "  "))
		}
	}
	m := v.Measures
	fmt.Fprintf(&b, "%s, %s; %d tool calls, %d denied, %d model calls, %d tokens, %s\n", orNone(v.Status), v.verdict(), m.ToolCalls, m.Denied, m.ModelCalls, m.Tokens, m.Time.Round(time.Millisecond))
	_, err := io.WriteString(w, b.String())
	return err
}

func orNone(status string) string {
	if status == "" {
		return "no outcome"
	}
	return status
}

func (v *View) verdict() string {
	if v.Verified {
		return "verified"
	}
	return "not verified"
}

func folded(s string, lines int, indent string) string {
	all := strings.Split(strings.TrimRight(s, "\n"), "\n")
	if more := len(all) - lines; more > 0 {
		all = append(all[:lines:lines], fmt.Sprintf("... %d lines more", more))
	}
	return strings.Join(all, "\n"+indent)
}

// WritePage writes the run as a page that needs nothing beside it: no script, no network, everything of the record escaped.
func (v *View) WritePage(w io.Writer) error {
	return page().Execute(w, struct {
		*View
		Verdict, End string
		Took         time.Duration
	}{v, v.verdict(), orNone(v.Status), v.Measures.Time.Round(time.Millisecond)})
}

// long texts are folded by the browser.
var page = sync.OnceValue(func() *template.Template {
	return template.Must(template.New("run").Funcs(template.FuncMap{
		"long": func(s string) bool { return len(s) > 400 || strings.Count(s, "\n") > 5 },
	}).Parse(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{{.Name}}: {{.End}}</title>
<style>
:root { color-scheme: light dark; --line: #8884; --bad: #c33; --soft: #8882; }
body { font: 16px/1.5 system-ui, sans-serif; max-width: 60rem; margin: 0 auto; padding: 1.5rem; }
h1 { font-size: 1.3rem; overflow-wrap: anywhere; }
h2 { font-size: 1rem; margin: 1.5rem 0 .5rem; }
pre { font: 13px/1.45 ui-monospace, monospace; white-space: pre-wrap; overflow-wrap: anywhere; margin: .3rem 0 0; padding: .5rem .7rem; background: var(--soft); border-radius: .3rem; }
ol { list-style: none; padding: 0; }
ol > li { border-top: 1px solid var(--line); padding: .45rem 0 .45rem .7rem; }
li.call, li.result { margin-left: 1.5rem; }
li.failed { border-left: 3px solid var(--bad); }
.n { opacity: .6; font-variant-numeric: tabular-nums; display: inline-block; min-width: 2.2rem; }
summary { cursor: pointer; } details { display: inline-block; width: calc(100% - 3rem); vertical-align: top; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .1rem 1rem; }
dt { opacity: .7; } dd { margin: 0; overflow-wrap: anywhere; }
</style>
<h1>{{.Name}}</h1>
<dl>
{{with .Skill}}<dt>skill</dt><dd>{{.}}</dd>{{end}}{{with .Agent}}<dt>agent</dt><dd>{{.}}</dd>{{end}}
<dt>outcome</dt><dd>{{.End}}, {{.Verdict}}{{with .Reason}}: {{.}}{{end}}</dd>
<dt>measures</dt><dd>{{.Measures.ToolCalls}} tool calls, {{.Measures.Denied}} denied, {{.Measures.ModelCalls}} model calls, {{.Measures.Tokens}} tokens, {{.Took}}</dd>
</dl>
{{with .Question}}<h2>Question</h2><pre>{{.}}</pre>{{end}}
<h2>Events</h2>
<ol>
{{range .Events}}<li class="{{.Kind}}{{if .Failed}} failed{{end}}"><span class="n">{{.N}}</span>{{if not .Text}}{{.Head}}{{else if long .Text}}<details><summary>{{.Head}}</summary><pre>{{.Text}}</pre></details>{{else}}{{.Head}}<pre>{{.Text}}</pre>{{end}}</li>
{{end}}</ol>
{{if .Evidence}}<h2>Evidence</h2><pre>{{range .Evidence}}{{.}}
{{end}}</pre>{{end}}
{{if .Places}}<h2>Places</h2><pre>{{range .Places}}{{.}}
{{end}}</pre>{{end}}
</html>
`))
})
