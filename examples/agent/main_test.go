package main

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/skilltest"
)

// runAgent runs the program over the example papers and receiver.
func runAgent(t *testing.T, dir string, args ...string) (stdout, stderr string) {
	t.Helper()
	data := filepath.Join("..", "testdata")
	var out, errs bytes.Buffer
	args = append([]string{"-dir", dir, "-docs", filepath.Join(data, "papers"), "-repo", filepath.Join(data, "receiver")}, args...)
	if err := run(t.Context(), args, &out, &errs); err != nil {
		t.Fatalf("run: %v\n%s", err, errs.String())
	}
	return out.String(), errs.String()
}

// TestAgent answers with each provider's protocol, over real documents and code; only the model is scripted.
func TestAgent(t *testing.T) {
	turns := func() []skilltest.Turn {
		return []skilltest.Turn{
			{Calls: []skill.ToolCall{
				{ID: "a", Name: "search_internal", Args: json.RawMessage(`{"query":"primary synchronization signal","limit":2}`)},
				{ID: "b", Name: "retrieve_entity", Args: json.RawMessage(`{"id":"receiver/pss.py:detect_pss"}`)}}},
			skilltest.Says("The signal: [D1]; the detector: [C1]."),
			skilltest.Says("The detector takes a buffer of samples [C1]. It was written in 1999 [D99]. The paper is about it [D1]."),
			skilltest.Says("1. -"),
		}
	}
	openai := httptest.NewServer(skilltest.NewOpenAIServer(turns()...))
	defer openai.Close()
	anthropic := httptest.NewServer(skilltest.NewAnthropicServer(turns()...))
	defer anthropic.Close()
	t.Setenv("OPENAI_BASE_URL", openai.URL+"/v1")
	t.Setenv("ANTHROPIC_BASE_URL", anthropic.URL)
	t.Setenv("ANTHROPIC_API_KEY", "none")
	dir := t.TempDir()
	for _, provider := range []string{"openai", "anthropic"} {
		recorded, file := filepath.Join(dir, provider+".jsonl"), filepath.Join(dir, provider+".json")
		out, errs := runAgent(t, dir, "-provider", provider, "-model", "m", "-record", recorded, "-answer", file, "how is the PSS detected?")
		want := "The detector takes a buffer of samples [C1]. The paper is about it [D1]. ✓\n\n[C1] receiver/pss.py:67-93\n[D1] "
		if !strings.HasPrefix(out, want) || !strings.Contains(out, "done: 1 sentences verified, 1 undecided, 1 left out.") {
			t.Errorf("%s: output %q, want it to begin with %q", provider, out, want)
		}
		if !strings.Contains(errs, "left out: ") || !strings.Contains(errs, "[D99]") {
			t.Errorf("%s: stderr %q does not name the sentence that was left out", provider, errs)
		}
		verify(t, dir, file)
		replay(t, recorded, "The detector takes a buffer of samples [C1]. The paper is about it [D1].")
	}
}

// written reads an answer file, and opens the workspace that it came from, which the caller closes.
func written(t *testing.T, dir, file string) (*evidence.Answer, *findspot.Workspace) {
	t.Helper()
	data, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	a, err := evidence.ReadAnswer(bytes.NewReader(data))
	if err != nil {
		t.Fatal(err)
	}
	ws, err := findspot.Open(t.Context(), dir, nil)
	if err != nil {
		t.Fatal(err)
	}
	return a, ws
}

// verify checks the answer file against the sources, as findspot verify does.
func verify(t *testing.T, dir, file string) {
	t.Helper()
	a, ws := written(t, dir, file)
	defer ws.Close()
	if err := a.Check(t.Context(), ws); err != nil {
		t.Errorf("the answer file does not hold: %v", err)
	}
}

// replay answers again from the record alone.
func replay(t *testing.T, recorded, want string) {
	t.Helper()
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	r, err := skilltest.ReadRecording(f)
	if err != nil {
		t.Fatal(err)
	}
	g, err := agent.Gather(t.Context(), r.Model, r.Tools, r.Question, &r.Gather)
	if err != nil {
		t.Fatal(err)
	}
	var text strings.Builder
	for p, err := range agent.Answer(t.Context(), r.Model, g, &agent.AnswerOptions{Source: r.Source}) {
		if err != nil {
			t.Fatal(err)
		}
		text.WriteString(p.Text)
	}
	if diff := cmp.Diff(want, text.String()); diff != "" {
		t.Errorf("the replayed answer (-want +got):\n%s", diff)
	}
}

// TestAgentLooksUpCallersFirst asks for callers: references and their code come before the model is asked, and are cited.
func TestAgentLooksUpCallersFirst(t *testing.T) {
	var asked string
	fake := skilltest.NewOpenAIServer(skilltest.Says("Callers: [C1]."), skilltest.Says("The searcher calls it [C1]."), skilltest.Says("1. -"))
	srv := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		if asked == "" {
			asked = string(body)
		}
		r.Body = io.NopCloser(bytes.NewReader(body))
		fake.ServeHTTP(w, r)
	}))
	defer srv.Close()
	t.Setenv("OPENAI_BASE_URL", srv.URL+"/v1")
	dir := t.TempDir()
	recorded := filepath.Join(dir, "record.jsonl")
	out, errs := runAgent(t, dir, "-provider", "openai", "-model", "m", "-record", recorded, "who calls detect_pss?")
	if !strings.Contains(asked, "receiver/cell_search.py:CellSearcher.search") || !strings.Contains(asked, "self.hypotheses, self.threshold") {
		t.Errorf("the model was asked without the callers or their code:\n%s", asked)
	}
	if !strings.HasPrefix(out, "The searcher calls it [C1].") {
		t.Errorf("output %q\n%s", out, errs)
	}
	replay(t, recorded, "The searcher calls it [C1].")
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	m, err := record.Measure(record.Read(f))
	if err != nil {
		t.Fatal(err)
	}
	if m.ReferenceToolHits != 1 || m.CallerResolutionRate != 1 {
		t.Errorf("measures of the session: %d reference calls, rate %v, want 1 and 1", m.ReferenceToolHits, m.CallerResolutionRate)
	}
}

// TestAgentSealsWithoutModel: an answer that lists its evidence by source, the result of a search among it, is sealed, and what can be
// checked of it holds.
func TestAgentSealsWithoutModel(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "a.json")
	runAgent(t, dir, "-answer", file, "who calls detect_pss?")
	a, ws := written(t, dir, file)
	defer ws.Close()
	rep, err := a.Verify(t.Context(), ws, nil)
	if err != nil {
		t.Fatal(err)
	}
	var failed []string
	for _, f := range rep.Findings {
		if !f.Holds {
			failed = append(failed, f.About+": "+f.Reason)
		}
	}
	if len(failed) != 1 || !strings.Contains(failed[0], "the result of a search") {
		t.Errorf("%d findings, of which fail: %q; want the verdict alone", len(rep.Findings), failed)
	}
}

func TestAgentWithoutModel(t *testing.T) {
	out, _ := runAgent(t, t.TempDir(), "which threshold is used for the correlation peak?")
	if !strings.Contains(out, " ✓") || !strings.Contains(out, "[D1]") || !strings.Contains(out, "No model wrote this") {
		t.Errorf("output %q", out)
	}
}

// TestAgentUnderASkill runs a skill first; the model's tools are then those of its run.
func TestAgentUnderASkill(t *testing.T) {
	model := skilltest.NewOpenAIServer(
		skilltest.Says("It has callers [C1]."), // the skill's own answer
		skilltest.Turn{Calls: []skill.ToolCall{{ID: "a", Name: "search_internal", Args: json.RawMessage(`{"query":"x"}`)}}},
		skilltest.Says("All is in [C1]."), skilltest.Says("CellSearcher.search is among the callers [C1]."))
	srv := httptest.NewServer(model)
	defer srv.Close()
	t.Setenv("OPENAI_BASE_URL", srv.URL+"/v1")
	out, errs := runAgent(t, t.TempDir(), "-provider", "openai", "-model", "m", "-skill", "auto", "who calls detect_pss?")
	if !strings.Contains(errs, "skill who-calls: done") || !strings.Contains(out, "callers [C1].") {
		t.Errorf("output %q, stderr %q", out, errs)
	}
	if reqs := strings.Join(model.Requests(), "\n"); !strings.Contains(reqs, "does not list it in allowed-tools") {
		t.Error("search_internal was not denied, which the skill does not list")
	}
}

func TestAgentErrors(t *testing.T) {
	for _, args := range [][]string{{"-provider", "other", "q"}, {"-provider", "openai", "q"}, {"-skill", "no-such-skill", "q"}, {"-repo", "no/such/folder", "q"}} {
		if err := run(t.Context(), append([]string{"-dir", t.TempDir()}, args...), &bytes.Buffer{}, &bytes.Buffer{}); err == nil {
			t.Errorf("run(%q) is no error", args)
		}
	}
}
