package findspot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"iter"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
	"github.com/findspot/findspot/skill/runner"
	"github.com/findspot/findspot/skill/skilltest"
)

// dutiful is a model that does what a step asks for, no more: JSON of the wanted form, the file that it may write, else a text
// in which every sentence cites, with one true quote. It knows nothing: what it cites and quotes it takes from the evidence it is shown.
type dutiful struct {
	promised string // answer to a step with a schema
	path     string // of the file it writes
	text     string
}

var (
	shownItem        = regexp.MustCompile(`(?m)^\[([A-Z]+\d+)\] [^\n]*\n([^\n]+)`)
	plainWordsInARow = regexp.MustCompile(`(?:^| )((?:[a-z]+ ){4}[a-z]+) `)
	shownParts       = regexp.MustCompile(`(?m)^Sections, in this order, each as a heading: (.*)$`)
)

func (m dutiful) Generate(ctx context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	turn := skilltest.Says(m.answer(req))
	switch {
	case bytes.Contains(req.Schema, []byte(`"holds"`)): // whether what was written holds to the step's check
		turn = skilltest.Says(`{"holds":true,"problems":[]}`)
	case req.Schema != nil:
		turn = skilltest.Says(m.promised)
	case len(req.Tools) > 0 && req.Messages[len(req.Messages)-1].From != skill.FromTool:
		args, err := json.Marshal(map[string]string{"path": m.path, "text": m.text})
		if err != nil {
			turn = skilltest.Turn{Err: err}
			break
		}
		turn = skilltest.Calls(req.Tools[0].Name, string(args))
	case len(req.Tools) > 0:
		if k := shownItem.FindStringSubmatch(req.Messages[0].Text); k != nil {
			turn = skilltest.Says("The file follows the plan [" + k[1] + "].")
		} else {
			turn = skilltest.Says("One file was written.")
		}
	}
	return skilltest.NewModel(turn).Generate(ctx, req)
}

func (m dutiful) answer(req *skill.Request) string {
	prompt := req.Messages[0].Text
	items := shownItem.FindAllStringSubmatch(prompt, -1)
	if len(items) == 0 {
		return "Nothing was shown."
	}
	key, quote := items[0][1], ""
	for _, it := range items {
		if q := plainWordsInARow.FindStringSubmatch(it[2]); q != nil {
			key, quote = it[1], q[1]
			break
		}
	}
	said := "This rests on what was found [" + key + "]."
	if quote != "" {
		said = "The source has \"" + quote + "\" [" + key + "]."
	}
	parts := shownParts.FindStringSubmatch(prompt)
	if parts == nil {
		return said
	}
	var b strings.Builder
	for _, p := range strings.Split(parts[1], "; ") {
		b.WriteString("## " + p + "\n\n" + said + "\n\n")
	}
	return strings.TrimSpace(b.String())
}

// recordedTools leaves of a workspace's tools what a skill lists. Of their answers it takes out what differs between machines, and what says again what the
// pieces of evidence say, so that records stay small.
func recordedTools(ws *findspot.Workspace, s *skill.Skill, dir string) (out []skill.Tool) {
	for _, t := range ws.Tools(&findspot.ToolsOptions{WriteDir: dir}) {
		if !slices.Contains(s.AllowedTools, t.Name) {
			continue
		}
		call := t.Call
		t.Call = func(ctx context.Context, args json.RawMessage) (*skill.Result, error) {
			res, err := call(ctx, args)
			if err != nil {
				return nil, err
			}
			c := *res
			if len(c.Items) > 0 && c.Verdict == "" {
				c.Data = nil
				c.Text, _, _ = strings.Cut(c.Text, "\n")
			}
			if t.Name == "list_documents" {
				data, err := json.Marshal(c.Data)
				if err != nil {
					return nil, err
				}
				var list struct {
					Documents []map[string]any `json:"documents"`
				}
				if err := json.Unmarshal(data, &list); err != nil {
					return nil, err
				}
				for _, d := range list.Documents {
					delete(d, "origin")
					delete(d, "added")
				}
				c.Data = list
			}
			return &c, nil
		}
		out = append(out, t)
	}
	return out
}

// TestLibrary runs every shipped skill with the real tools on our papers and code, without a model and with a scripted one. With -update
// it records the runs as the skills' own cases, which findspot skill test runs without any of that.
func TestLibrary(t *testing.T) {
	ws := filled(t, nil)
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	study := dutiful{promised: `{"parameters":["snr_db","cfo","threshold","seed"],"metrics":["detection_rate"]}`, path: "study.py",
		text: "# generator, channel, receiver: sections of the plan\ndef run(snr_db, cfo, threshold, seed):\n    detection_rate = 0\n    return {\"detection_rate\": detection_rate}\n"}
	careless := study
	careless.text = "def run(snr_db, cfo, seed):\n    return {\"detection_rate\": 0}\n"
	paper := dutiful{promised: `{"parameters":["threshold","hypotheses"],"checks":["0.89"]}`, path: "test_detector.py",
		text: "def detect(samples, hypotheses, threshold):\n    # equation 6\n    return None\n\ndef test_reported():\n    assert 0.89\n"}
	untested := paper
	untested.path = "detector.py"
	tests := []struct {
		skill, name string
		in          map[string]any
		model       skill.Model
		approve     bool
		status, at  string
		evidence    string // documents or entities among the evidence
		large       bool   // no case is recorded of it: it says little beside another one
	}{
		{"synchronisation-signals", "stops-at-the-plan", in("task", "simulate cell search with a carrier frequency offset"), nil, false, skill.StatusStopped, "plan_ok", "pss-detection.pdf fs-12.401-cell-search.pdf", false},
		{"synchronisation-signals", "to-checked-code", in("task", "simulate cell search with a carrier frequency offset"), study, true, skill.StatusDone, "", "pss-detection.pdf receiver/pss.py", false},
		{"synchronisation-signals", "a-parameter-is-missing", in("task", "simulate cell search with a carrier frequency offset"), careless, true, skill.StatusInsufficient, "code", "", true},
		{"explain-code-behaviour", "a-function", in("task", "how does detect_pss decide that there is a peak", "symbol", "detect_pss"), nil, false, skill.StatusDone, "", "receiver/pss.py pss-detection.pdf", false},
		{"explain-code-behaviour", "with-a-model", in("task", "what happens in the code when no cell is found"), dutiful{}, false, skill.StatusDone, "", "receiver/cell_search.py", false},
		{"explain-code-behaviour", "nothing", in("task", "zeppelin mooring mast"), nil, false, skill.StatusVerifiedNone, "nothing", "", false},
		{"specification-clause", "a-clause", in("task", "what does clause 5.2.3 of FS 12.401 say", "doc", "12.401", "clause", "5.2.3"), nil, false, skill.StatusDone, "", "fs-12.401-cell-search.pdf", false},
		{"specification-clause", "with-a-model", in("task", "quote the requirement on the threshold in FS 12.401", "doc", "12.401"), dutiful{}, false, skill.StatusDone, "", "fs-12.401-cell-search.pdf", false},
		{"specification-clause", "no-such-clause", in("task", "what does clause 9.9.9 of FS 12.401 say", "doc", "12.401", "clause", "9.9.9"), nil, false, skill.StatusInsufficient, "the_clause_is_there", "", false},
		{"specification-clause", "another-specification", in("task", "what does TS 38.331 clause 5.3.5.3 say", "doc", "38.331", "clause", "5.3.5.3"), nil, false, skill.StatusInsufficient, "none", "", false},
		{"reproduce-algorithm", "stops-at-the-plan", in("task", "reproduce the detector of the paper in Python"), nil, false, skill.StatusStopped, "plan_ok", "pss-detection.pdf", false},
		{"reproduce-algorithm", "to-checked-code", in("task", "reproduce the detector of the paper in Python"), paper, true, skill.StatusDone, "", "pss-detection.pdf", false},
		{"reproduce-algorithm", "without-a-test", in("task", "reproduce the detector of the paper in Python"), untested, true, skill.StatusInsufficient, "code", "", true},
		{"literature-table", "detection", in("task", "make a comparison table of the papers on PSS detection"), nil, false, skill.StatusDone, "", "pss-detection.pdf fs-12.401-cell-search.pdf", false},
		{"literature-table", "with-a-model", in("task", "how do the papers define the threshold over the noise floor"), dutiful{}, false, skill.StatusDone, "", "pss-detection.pdf", false},
		{"literature-table", "nothing", in("task", "zeppelin mooring mast"), nil, false, skill.StatusVerifiedNone, "nothing", "", false},
		{"change-impact", "a-function", in("symbol", "receiver/pss.py:detect_pss", "task", "change the signature of detect_pss"), nil, false, skill.StatusDone, "", "receiver/cell_search.py tests/test_pss.py", false},
		{"change-impact", "with-a-model", in("symbol", "receiver/pss.py:noise_floor", "task", "use the mean instead of the median"), dutiful{}, false, skill.StatusDone, "", "receiver/pss.py", false},
		{"change-impact", "no-such-symbol", in("symbol", "no_such_function"), nil, false, skill.StatusInsufficient, "unused", "", false},
	}
	for _, tt := range tests {
		t.Run(tt.skill+"/"+tt.name, func(t *testing.T) {
			i := slices.IndexFunc(skills, func(s *skill.Skill) bool { return s.Name == tt.skill })
			if i < 0 {
				t.Fatal("no such skill")
			}
			s := skills[i]
			dir := t.TempDir()
			var record bytes.Buffer
			o := &runner.Options{Record: &record, Now: skilltest.Clock(time.Millisecond)}
			if tt.approve {
				o.Approve = func(context.Context, runner.Approval) (string, error) { return "approve", nil }
			}
			runner := runner.New(tt.model, recordedTools(ws, s, dir), o)
			out, err := runner.Run(t.Context(), s, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if out.Status != tt.status || out.At != tt.at {
				t.Fatalf("ended %s at %q, want %s at %q: %s", out.Status, out.At, tt.status, tt.at, out.Reason)
			}
			places := map[string]bool{}
			for _, it := range out.Items {
				places[it.At.Name], places[it.At.Path] = true, true
			}
			for _, want := range strings.Fields(tt.evidence) {
				if !places[want] {
					t.Errorf("no evidence of %s", want)
				}
			}
			written, err := os.ReadDir(dir)
			if err != nil {
				t.Fatal(err)
			}
			if !tt.approve && len(written) > 0 {
				t.Errorf("files were written without an approval: %v", written)
			}
			if bytes.Contains(record.Bytes(), []byte(dir)) || bytes.Contains(record.Bytes(), []byte(os.TempDir()+"/Test")) {
				t.Error("the record holds a path of this machine")
			}
			if golden.Updating() && !tt.large {
				file := filepath.Join("skill", "library", tt.skill, "tests", tt.name+".jsonl")
				if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
					t.Fatal(err)
				}
				if err := os.WriteFile(file, record.Bytes(), 0o666); err != nil {
					t.Fatal(err)
				}
			}
		})
	}
}

func in(pairs ...string) map[string]any {
	m := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		m[pairs[i]] = pairs[i+1]
	}
	return m
}

// TestLibraryCases runs the recorded cases of the shipped skills: every skill has a good run, and one with a model or one that ends otherwise.
func TestLibraryCases(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skills {
		results, err := runner.Test(t.Context(), s)
		if err != nil {
			t.Fatal(err)
		}
		good := 0
		for _, r := range results {
			if !r.Passed {
				t.Errorf("%s/%s: %s", s.Name, r.Case, strings.Join(r.Problems, "; "))
			} else if r.Outcome.Status == skill.StatusDone {
				good++
			}
		}
		if s.Name != "who-calls" && (len(results) < 2 || good < 1) { // those of who-calls stand with the tests of reference questions
			t.Errorf("%s: %d cases, %d of them done; want two and one", s.Name, len(results), good)
		}
	}
}

// TestLibraryWritesNothingEarly: in a skill that can write, the file tool is refused from the first moment, for the host as for a model.
func TestLibraryWritesNothingEarly(t *testing.T) {
	ws := filled(t, nil)
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, s := range skills {
		dir := t.TempDir()
		inputs := map[string]any{}
		for _, i := range s.Workflow().Inputs {
			if i.Required {
				inputs[i.Name] = "detect_pss"
			}
		}
		run, err := runner.New(nil, ws.Tools(&findspot.ToolsOptions{WriteDir: dir}), nil).Start(t.Context(), s, inputs)
		if err != nil {
			t.Fatal(err)
		}
		var denied *skill.DeniedError
		if _, err := run.Call(t.Context(), "write_file", json.RawMessage(`{"path":"x.py","text":"x"}`)); !errors.As(err, &denied) {
			t.Errorf("%s: write_file gives %v, want a refusal", s.Name, err)
		}
		if files, err := os.ReadDir(dir); err != nil || len(files) > 0 {
			t.Errorf("%s: %v, %v", s.Name, files, err)
		}
		tried++
	}
	if tried < 7 {
		t.Errorf("%d skills", tried)
	}
}
