package training_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/training"
)

var plain = story{id: "flask-1", repo: "pallets/flask", text: "load() is slow", results: []string{"a.py", "no file", "def c"}, places: []string{"src/a.py:f"}}

const definitions = `[{"type":"function","function":{"name":"read","description":"Read.","parameters":{"type":"object","properties":{"query":{"type":"string"}}},"strict":false}},` +
	`{"type":"function","function":{"name":"search","description":"Search. Use it first.","parameters":{"type":"object","properties":{"query":{"type":"string"}}},"strict":false}}]`

func TestFormats(t *testing.T) {
	for format, want := range map[string]string{
		training.OpenAIChat: `{"messages":[{"role":"system","content":"You find places."},{"role":"user","content":"load() is slow"},` +
			`{"role":"assistant","content":"Two looks.","tool_calls":[{"id":"call_1","type":"function","function":{"name":"search","arguments":"{\"query\":\"load\"}"}},{"id":"call_2","type":"function","function":{"name":"read","arguments":"{\"query\":\"b\"}"}}]},` +
			`{"role":"tool","tool_call_id":"call_1","content":"a.py"},{"role":"tool","tool_call_id":"call_2","content":"no file"},` +
			`{"role":"assistant","content":null,"tool_calls":[{"id":"call_3","type":"function","function":{"name":"read","arguments":"{\"query\":\"c\"}"}}]},` +
			`{"role":"tool","tool_call_id":"call_3","content":"def c"},{"role":"user","content":"One turn is left."},{"role":"assistant","content":"It is in src/a.py:f."}],"tools":` + definitions + `}`,
		training.Anthropic: `{"system":"You find places.","messages":[{"role":"user","content":[{"type":"text","text":"load() is slow"}]},` +
			`{"role":"assistant","content":[{"type":"text","text":"Two looks."},{"type":"tool_use","id":"call_1","name":"search","input":{"query":"load"}},{"type":"tool_use","id":"call_2","name":"read","input":{"query":"b"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_1","content":"a.py"},{"type":"tool_result","tool_use_id":"call_2","content":"no file","is_error":true}]},` +
			`{"role":"assistant","content":[{"type":"tool_use","id":"call_3","name":"read","input":{"query":"c"}}]},` +
			`{"role":"user","content":[{"type":"tool_result","tool_use_id":"call_3","content":"def c"},{"type":"text","text":"One turn is left."}]},` +
			`{"role":"assistant","content":[{"type":"text","text":"It is in src/a.py:f."}]}],` +
			`"tools":[{"name":"read","description":"Read.","input_schema":{"type":"object","properties":{"query":{"type":"string"}}}},{"name":"search","description":"Search. Use it first.","input_schema":{"type":"object","properties":{"query":{"type":"string"}}}}]}`,
		training.ShareGPT: `{"system":"You find places.","conversations":[{"from":"human","value":"load() is slow"},` +
			`{"from":"function_call","value":"<think>Two looks.</think>\n[{\"arguments\":{\"query\":\"load\"},\"name\":\"search\"},{\"arguments\":{\"query\":\"b\"},\"name\":\"read\"}]"},` +
			`{"from":"observation","value":"[\"a.py\",\"no file\"]"},{"from":"function_call","value":"{\"arguments\":{\"query\":\"c\"},\"name\":\"read\"}"},` +
			`{"from":"observation","value":"[\"def c\",\"One turn is left.\"]"},{"from":"gpt","value":"It is in src/a.py:f."}],` +
			`"tools":"[{\"description\":\"Read.\",\"name\":\"read\",\"parameters\":{\"properties\":{\"query\":{\"type\":\"string\"}},\"type\":\"object\"}},{\"description\":\"Search. Use it first.\",\"name\":\"search\",\"parameters\":{\"properties\":{\"query\":{\"type\":\"string\"}},\"type\":\"object\"}}]"}`,
	} {
		got, _, rep := export(t, training.Options{Format: format}, plain)
		var a, b any
		if err := json.Unmarshal([]byte(want), &a); err != nil {
			t.Fatal(format, err)
		}
		if err := json.Unmarshal([]byte(got), &b); err != nil {
			t.Fatal(format, err, rep)
		}
		if diff := cmp.Diff(a, b); diff != "" {
			t.Errorf("%s (-want +got):\n%s", format, diff)
		}
	}
}

// TestCheckRefuses breaks an exported line in one place each.
func TestCheckRefuses(t *testing.T) {
	for format, breaks := range map[string][][2]string{
		training.OpenAIChat: {
			{`"tool_call_id":"call_2"`, `"tool_call_id":"call_9"`}, {`"content":"One turn is left.","role":"user"`, `"content":"Well.","role":"assistant"`},
			{`"arguments":"{\"query\":\"load\"}"`, `"arguments":"query"`}, {`"name":"search"},"id"`, `"name":"find"},"id"`},
			{`"type":"object"`, `"type":"string"`}, {`{"messages"`, `{"extra":1,"messages"`}, {`"id":"call_2"`, `"id":"call_1"`},
			{`,{"content":"It is in src/a.py:f.","role":"assistant"}`, ``},
		},
		training.Anthropic: {
			{`"tool_use_id":"call_3"`, `"tool_use_id":"call_1"`}, {`"role":"user"`, `"role":"assistant"`}, {`"input":{"query":"c"}`, `"input":"c"`},
			{`"input_schema":{"properties"`, `"input_schema":{"props"`}, {`"type":"tool_use"`, `"type":"image"`},
		},
		training.ShareGPT: {
			{`"from":"observation"`, `"from":"human"`}, {`"from":"gpt"`, `"from":"function_call"`}, {`\"name\":\"read\"`, `\"name\":\"rd\"`}, {`"from":"human"`, `"from":"gpt"`},
		},
		training.JSONL: {
			{`"from":"user"`, `"from":"model"`}, {`"call_id":"call_1"`, `"call_id":"x"`}, {`"id":"flask-1"`, `"id":""`}, {`"args":{"query":"load"}`, `"args":"load"`},
		},
	} {
		line, _, _ := export(t, training.Options{Format: format}, plain)
		for _, b := range breaks {
			broken := strings.Replace(line, b[0], b[1], 1)
			if broken == line {
				t.Fatalf("%s: %s is not there:\n%s", format, b[0], line)
			}
			if err := training.Check(format, []byte(broken)); !errors.Is(err, skill.ErrFormat) {
				t.Errorf("Check(%s) with %s for %s: %v", format, b[1], b[0], err)
			}
		}
	}
	if err := training.Check("xml", nil); !errors.Is(err, skill.ErrUnsupported) {
		t.Error(err)
	}
}

// TestNothingSurvives: neither secrets nor absolute paths nor the names of home folders are in any format.
func TestNothingSurvives(t *testing.T) {
	token := "ghp_" + strings.Repeat("aB3dE5gH7j", 3) + "kLmNoP"
	leaks := []string{
		"/home/janedoe/src/app/src/a.py", "/Users/janedoe/x.py", `C:\Users\janedoe\proj\a.py`, `C:\\Users\\janedoe\\proj`, "file:///home/janedoe/y", "~/secret/plan.txt",
		"/tmp", "/root/.ssh/id_rsa", `\\fileserver\share\doc.txt`, "//home/janedoe/z", "/opt/corp/bin/tool", "/data/janedoe/set.csv", "-I/usr/include/x.h", "PATH=/usr/bin:/usr/local/bin",
		`"path":"\/home\/janedoe\/q.py"`, `\n/home/janedoe/w.py`, "\x1b[31m/home/janedoe/c.py", "(/srv/www/index.html)", "`/var/log/app.log`", "D:/work/janedoe/a.py", "see /home/janedoe.", "user janedoe said",
	}
	s := plain
	s.text = "broken:\n" + strings.Join(leaks, "\n") + "\ntoken " + token
	s.results = []string{strings.Join(leaks, " "), "export API_TOKEN=" + token, `{"stderr":"at /home/janedoe/src/app/src/a.py:3","key":"` + token + `"}`}
	args, err := json.Marshal(map[string]string{"query": strings.Join(leaks, "; "), "/home/janedoe/key": token})
	if err != nil {
		t.Fatal(err)
	}
	s.args = string(args)
	s.id, s.repo = "/home/janedoe/run", "/home/janedoe/repo"
	absolute := regexp.MustCompile(`(?i)janedoe|ghp_|fileserver|[a-z]:\\+users|/(home|root|users|tmp|usr|opt|srv|var|data)\b`)
	for _, format := range training.Formats() {
		out, _, rep := export(t, training.Options{Format: format}, s)
		if rep.Written != 1 || rep.Secrets < 4 || rep.Paths < len(leaks) {
			t.Errorf("%s: %+v", format, rep)
		}
		for _, m := range absolute.FindAllStringIndex(out, -1) {
			t.Errorf("%s: %q survives: ...%s...", format, out[m[0]:m[1]], out[max(0, m[0]-60):min(len(out), m[1]+40)])
		}
		if !strings.Contains(out, `/src/a.py`) || !strings.Contains(out, "<root1>/src/a.py") {
			t.Errorf("%s: the path below the root is gone: %.300s", format, out)
		}
	}
	// What is no absolute path stays.
	s = plain
	s.text = "see docs/guide/a.md, ./b/c.py, ../d/e.py, https://example.com/home/x?y=/z, </div>, and/or, 1/2, a // comment, x:\ny"
	out, _, rep := export(t, training.Options{Format: training.OpenAIChat}, s)
	if want, _ := json.Marshal(s.text); rep.Paths != 0 || !strings.Contains(strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(out), strings.NewReplacer(`\u003c`, "<", `\u003e`, ">").Replace(string(want))) {
		t.Errorf("%+v: %s", rep, out)
	}
	// The same path gets the same word, another one another.
	s.text = "/opt/a/b.py and /opt/a/c.py, then /opt/a/b.py."
	if out, _, _ = export(t, training.Options{Format: training.OpenAIChat}, s); !strings.Contains(out, "<path1> and <path2>, then <path1>.") {
		t.Error(out)
	}
}

const golds = `{"id":"flask-1","repo":"pallets/flask","query":"load() is slow","gold_files":["src/a.py"],"gold_funcs":["src/a.py:f"]}
{"instance_id":"click-2","repo":"pallets/click","problem_statement":"echo fails","edit_functions":["src/b.py:C.g","src/b.py:C.h"]}
`

func gold(t *testing.T) *training.Golds {
	t.Helper()
	g, err := training.ReadGold("gold.jsonl", strings.NewReader(golds))
	if err != nil {
		t.Fatal(err)
	}
	return g
}

func TestFilters(t *testing.T) {
	file := story{id: "click-2", text: "echo fails", places: []string{"src/b.py:C.g"}}
	byText := story{text: "echo  fails", places: []string{"src/b.py:C.h", "src/b.py:C.g"}, gates: []bool{true}}
	stopped := story{id: "x", text: "something else", status: skill.StatusStopped, gates: []bool{true}}
	closed := story{id: "y", text: "again something else", gates: []bool{true, false}}
	all := []story{plain, file, byText, stopped, closed}
	for name, tt := range map[string]struct {
		o       training.Options
		written int
		dropped map[string]int
	}{
		"all":      {training.Options{}, 5, map[string]int{}},
		"file":     {training.Options{Found: "file"}, 3, map[string]int{"not in the gold file": 2}},
		"function": {training.Options{Found: "function"}, 2, map[string]int{"not in the gold file": 2, "gold function not found": 1}},
		"verified": {training.Options{Verified: true}, 1, map[string]int{"not verified": 4}},
		"status":   {training.Options{Status: []string{skill.StatusDone}}, 4, map[string]int{"status": 1}},
		"turns":    {training.Options{MaxTurns: 2}, 0, map[string]int{"number of turns": 5}},
		"enough":   {training.Options{MinTurns: 3, MaxTurns: 3}, 5, map[string]int{}},
	} {
		tt.o.Format, tt.o.Gold, tt.o.Near = training.JSONL, gold(t), 1
		_, _, rep := export(t, tt.o, all...)
		if rep.Runs != 5 || rep.Written != tt.written {
			t.Errorf("%s: %+v", name, rep)
		}
		if diff := cmp.Diff(tt.dropped, rep.Dropped); diff != "" {
			t.Errorf("%s: dropped (-want +got):\n%s", name, diff)
		}
	}
	_, err := training.NewExporter(nil, nil, &training.Options{Format: "xml", Found: "line", Near: 2, Validation: 1, MinTurns: 3, MaxTurns: 2})
	for _, want := range []string{"xml", "line", "near 2", "validation 1", "turns from 3 to 2", "gold file"} {
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("NewExporter: %v lacks %q", err, want)
		}
	}
}

func TestSameAndNear(t *testing.T) {
	words := make([]string, 300)
	for i := range words {
		words[i] = fmt.Sprint("word", i*7%307)
	}
	long := story{id: "a", text: strings.Join(words, " ")}
	same := long
	same.id, same.text = "b", "  "+strings.ToUpper(long.text)
	near := long
	near.id, near.text = "c", long.text+" and one word more"
	other := story{id: "d", text: strings.Join(words[150:], " ") + strings.Repeat(" other text", 3)}
	_, _, rep := export(t, training.Options{Format: training.OpenAIChat}, long, same, near, other)
	if diff := cmp.Diff(map[string]int{"the same as another": 1, "nearly the same as another": 1}, rep.Dropped); diff != "" || rep.Written != 2 {
		t.Errorf("%+v (-want +got):\n%s", rep, diff)
	}
}

func TestSplit(t *testing.T) {
	var stories []story
	for i := range 60 {
		stories = append(stories, story{id: fmt.Sprint("i", i), repo: fmt.Sprint("owner/r", i%20), text: fmt.Sprint("issue number ", i)})
	}
	o := training.Options{Format: training.JSONL, Validation: 0.3, Near: 1}
	train, validation, rep := export(t, o, stories...)
	if rep.Written != 60 || rep.Validation == 0 || rep.Validation == 60 || strings.Count(validation, "\n") != rep.Validation {
		t.Fatalf("%+v", rep)
	}
	repos := func(text string) map[string]bool {
		out := map[string]bool{}
		for line := range strings.Lines(text) {
			var e struct{ Repository string }
			if err := json.Unmarshal([]byte(line), &e); err != nil {
				t.Fatal(err)
			}
			out[e.Repository] = true
		}
		return out
	}
	in := repos(train)
	for r := range repos(validation) {
		if in[r] {
			t.Errorf("%s is in both parts", r)
		}
	}
	again, _, _ := export(t, o, stories...)
	o.Seed = 1
	seeded, _, _ := export(t, o, stories...)
	if again != train || seeded == train {
		t.Error("the parts do not follow from the seed")
	}
}

func TestCompactedAndDamaged(t *testing.T) {
	s := plain
	s.compact = true
	out, _, rep := export(t, training.Options{Format: training.JSONL}, s)
	if rep.Written != 2 || !strings.Contains(out, `"flask-1#1"`) || !strings.Contains(out, `"flask-1#2"`) {
		t.Errorf("%+v: %s", rep, out)
	}
	data := recorded(t, plain)
	lines := bytes.SplitAfter(data, []byte("\n"))
	_, err := training.Read("bad.jsonl", bytes.NewReader(bytes.Join(append(lines[:3:3], lines[4:]...), nil)))
	if !errors.Is(err, skill.ErrFormat) || !strings.HasPrefix(err.Error(), "bad.jsonl: record, line 4: ") {
		t.Errorf("a line is missing: %v", err)
	}
	// A call that is no JSON object, and a tool that the record does not describe.
	for old, want := range map[string]string{`"args":{"query":"c"}`: "not a JSON object", `"name":"read","description"`: "does not describe"} {
		broken := bytes.ReplaceAll(data, []byte(old), []byte(map[bool]string{true: `"args":"c"`, false: `"name":"rd","description"`}[old[1] == 'a']))
		var b bytes.Buffer
		x, err := training.NewExporter(&b, nil, nil)
		if err != nil {
			t.Fatal(err)
		}
		var told error
		if err := x.Add(read(t, "odd.jsonl", broken), func(err error) { told = err }); err != nil {
			t.Fatal(err)
		}
		if told == nil || !strings.HasPrefix(told.Error(), "odd.jsonl: ") || !strings.Contains(told.Error(), want) || b.Len() > 0 || x.Report().Dropped["not an example"] != 1 {
			t.Errorf("%v, %+v", told, x.Report())
		}
	}
}

// TestWithoutModel: a skill's run of steps is an example in our own format only.
func TestWithoutModel(t *testing.T) {
	data, err := os.ReadFile("../runner/testdata/who-calls.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	for _, format := range training.Formats() {
		var b bytes.Buffer
		x, err := training.NewExporter(&b, nil, &training.Options{Format: format})
		if err != nil {
			t.Fatal(err)
		}
		if err := x.Add(read(t, "who-calls.jsonl", data), nil); err != nil {
			t.Fatal(err)
		}
		if rep := x.Report(); format == training.JSONL != (rep.Written == 1) || rep.Written+rep.Dropped["no model took part"] != 1 {
			t.Errorf("%s: %+v", format, rep)
		}
		if b.Len() > 0 && !strings.Contains(b.String(), `"tool":"lsp_definition"`) {
			t.Error(b.String())
		}
	}
}

func TestMeasure(t *testing.T) {
	runs := []*training.Run{
		read(t, "runs/flask-1.jsonl", recorded(t, plain)),
		read(t, "runs/click-2.jsonl", recorded(t, story{text: "?", places: []string{"src/b.py:C.g", "z.py"}})),
		read(t, "runs/flask-1.jsonl", recorded(t, plain)),
		read(t, "runs/none.jsonl", recorded(t, story{text: "?"})),
	}
	got, err := training.Measure(gold(t), runs)
	if err != nil {
		t.Fatal(err)
	}
	if got.Runs != 2 || len(got.Missing) != 0 || len(got.Unknown) != 1 || len(got.Again) != 1 || len(got.Scores) != 7 {
		t.Fatalf("%+v", got)
	}
	for i, want := range map[int][2]float64{0: {1, 1}, 3: {1, 1}, 5: {.5, 1}} { // file@1, module@5, function@5
		if s := got.Scores[i]; s.Acc != want[0] || s.Any != want[1] || s.Issues != 2 {
			t.Errorf("%+v", s)
		}
	}
	for _, bad := range []string{"", "{", `{"id":"a"}`, `{"gold_files":["a"]}`, "{\"id\":\"a\",\"gold_files\":[\"a\"]}\n{\"id\":\"a\",\"gold_files\":[\"a\"]}"} {
		if _, err := training.ReadGold("g.jsonl", strings.NewReader(bad)); !errors.Is(err, skill.ErrFormat) || !strings.HasPrefix(err.Error(), "g.jsonl: ") {
			t.Errorf("ReadGold(%q): %v", bad, err)
		}
	}
}

// FuzzExport: whatever a record holds, what is written passes Check, and holds no home folder.
func FuzzExport(f *testing.F) {
	f.Add(recorded(f, plain))
	f.Fuzz(func(t *testing.T, data []byte) {
		r, err := training.Read("f.jsonl", bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, format := range training.Formats() {
			var b bytes.Buffer
			x, err := training.NewExporter(&b, nil, &training.Options{Format: format})
			if err != nil {
				t.Fatal(err)
			}
			if err := x.Add(r, nil); err != nil {
				t.Fatal(err)
			}
			for line := range strings.Lines(b.String()) {
				if err := training.Check(format, []byte(line)); err != nil {
					t.Errorf("%s: %v", format, err)
				}
			}
		}
	})
}

// FuzzCheck: no line makes it panic.
func FuzzCheck(f *testing.F) {
	f.Add(`{"messages":[{"role":"user","content":"a"},{"role":"assistant","content":"b"}]}`)
	f.Add(`{"conversations":[{"from":"human","value":"a"},{"from":"gpt","value":"b"}],"system":"","tools":"[]"}`)
	f.Fuzz(func(t *testing.T, line string) {
		for _, format := range training.Formats() {
			if err := training.Check(format, []byte(line)); err != nil && !errors.Is(err, skill.ErrFormat) {
				t.Errorf("%s: %v", format, err)
			}
		}
	})
}

// FuzzReadGold: no file makes it panic, and every error names it.
func FuzzReadGold(f *testing.F) {
	f.Add(golds)
	f.Fuzz(func(t *testing.T, text string) {
		if _, err := training.ReadGold("g.jsonl", strings.NewReader(text)); err != nil && !strings.HasPrefix(err.Error(), "g.jsonl: ") {
			t.Error(err)
		}
	})
}
