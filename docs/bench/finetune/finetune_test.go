package finetune

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
)

// TestFinetune goes from records through runs export and finetune.py to an adapter, with a model of random weights.
func TestFinetune(t *testing.T) {
	python := filepath.Join(need.Folder(t, "finetune_venv", "make one as docs/bench/finetune.md says"), "bin", "python3")
	dir := t.TempDir()
	for i := range 24 {
		writeRun(t, filepath.Join(dir, "runs", fmt.Sprintf("issue-%02d.jsonl", i)), i)
	}
	data := filepath.Join(dir, "data")
	command(t, "go", "run", "../../../examples/findspot", "runs", "export", "--to", data, "--status", "done", "--validation", "0.3", filepath.Join(dir, "runs"))
	for _, part := range []string{"train.jsonl", "validation.jsonl"} {
		if text, err := os.ReadFile(filepath.Join(data, part)); err != nil || len(text) == 0 {
			t.Fatalf("%s: %d bytes, %v", part, len(text), err)
		}
	}
	for name, flags := range map[string][]string{"plain": nil, "template": {"--template"}} {
		model, adapter := filepath.Join(dir, name), filepath.Join(dir, name+"-adapter")
		command(t, python, append([]string{"tiny.py", data, model}, flags...)...)
		out := command(t, python, "finetune.py", "--model", model, "--data", data, "--out", adapter, "--epochs", "8", "--accumulate", "2", "--rate", "0.005", "--rank", "8", "--longest", "2048")
		lines := strings.Split(strings.TrimSpace(out), "\n")
		type losses struct{ Train, Validation float64 }
		var end struct {
			Examples int
			Template bool
			Before   losses
			After    losses
			Differs  *float64 `json:"reloaded_differs_by"`
		}
		if err := json.Unmarshal([]byte(lines[len(lines)-1]), &end); err != nil || len(lines) != 10 {
			t.Fatalf("%s: %v\n%s", name, err, out)
		}
		t.Log(name, lines[len(lines)-1])
		if end.Template != (flags != nil) || end.Examples < 5 || end.After.Train > 0.9*end.Before.Train || end.After.Validation >= end.Before.Validation || end.Differs == nil || *end.Differs > 1e-4 {
			t.Errorf("%s: %s", name, out)
		}
		for _, file := range []string{"adapter_config.json", "adapter_model.safetensors"} {
			if _, err := os.Stat(filepath.Join(adapter, file)); err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
	}
}

// TestLabels: only what the assistant said is learned, with a template and without.
func TestLabels(t *testing.T) {
	python := filepath.Join(need.Folder(t, "finetune_venv", "make one as docs/bench/finetune.md says"), "bin", "python3")
	dir := t.TempDir()
	line := `{"messages":[{"role":"system","content":"SYS"},{"role":"user","content":"QUESTION"},{"role":"assistant","content":null,"tool_calls":[{"id":"call_1","type":"function","function":{"name":"search","arguments":"{\"query\":\"load\"}"}}]},{"role":"tool","tool_call_id":"call_1","content":"RESULT"},{"role":"assistant","content":"ANSWER"}]}`
	if err := os.WriteFile(filepath.Join(dir, "train.jsonl"), []byte(line+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	for name, flags := range map[string][]string{"plain": nil, "template": {"--template"}} {
		model := filepath.Join(dir, name)
		command(t, python, append([]string{"tiny.py", dir, model}, flags...)...)
		script := `
import sys, json, finetune
from transformers import AutoTokenizer
tok = AutoTokenizer.from_pretrained(sys.argv[1])
ids, labels = finetune.encode(tok, json.loads(open(sys.argv[2]).read()), bool(tok.chat_template))
print(json.dumps([tok.decode([i for i, l in zip(ids, labels) if l != finetune.IGNORED]), tok.decode(ids)]))
`
		var got [2]string
		if err := json.Unmarshal([]byte(command(t, python, "-c", script, model, filepath.Join(dir, "train.jsonl"))), &got); err != nil {
			t.Fatal(err)
		}
		for _, want := range []string{"ANSWER", "search", "load"} {
			if !strings.Contains(got[0], want) {
				t.Errorf("%s: %q is not learned: %q", name, want, got[0])
			}
		}
		for _, bad := range []string{"SYS", "QUESTION", "RESULT"} {
			if strings.Contains(got[0], bad) || !strings.Contains(got[1], bad) {
				t.Errorf("%s: %q is learned, or missing: %q of %q", name, bad, got[0], got[1])
			}
		}
	}
}

func command(t *testing.T, name string, args ...string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), name, args...)
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	cmd.Env = append(os.Environ(), "HF_HUB_OFFLINE=1", "PYTHONDONTWRITEBYTECODE=1")
	if err := cmd.Run(); err != nil {
		t.Fatalf("%s %q: %v\n%s", name, args, err, &stderr)
	}
	return stdout.String()
}

// writeRun records a run that searches for a name and answers with its place.
func writeRun(t *testing.T, file string, i int) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	names := []string{"reader", "writer", "cache", "router", "parser", "session"}
	name := fmt.Sprintf("%s_%d", names[i%len(names)], i)
	question := fmt.Sprintf("The %s number %d of component %c fails on empty input: where is it?", names[i%len(names)], i, 'a'+i)
	args := json.RawMessage(fmt.Sprintf(`{"query":%q}`, name))
	user := skill.Message{From: skill.FromUser, Text: question}
	call := skill.Message{From: skill.FromModel, Calls: []skill.ToolCall{{ID: "c1", Name: "search", Args: args}}}
	found := fmt.Sprintf("src/%s.py:%s", names[i%len(names)], name)
	tool := skill.Message{From: skill.FromTool, CallID: "c1", Text: found}
	w := record.NewWriter(f, nil)
	for _, e := range []record.Event{
		&record.Run{Agent: "locate", Inputs: map[string]any{"question": question, "repo": fmt.Sprint("owner/repo", i%8)}, Model: true,
			Tools: []record.ToolOffer{{Name: "search", Description: "Search.", Schema: json.RawMessage(`{"type":"object","properties":{"query":{"type":"string"}}}`)}}},
		&record.Model{Conversation: 1, System: "You find places.", Messages: []skill.Message{user}, Tools: []string{"search"}},
		&record.Reply{Conversation: 1, Reply: &skill.Reply{Calls: call.Calls}},
		&record.Call{Call: 1, Tool: "search", Args: args, By: "model"},
		&record.Result{Call: 1, Tool: "search", By: "model", Result: &skill.Result{Text: found}},
		&record.Model{Conversation: 1, Keep: 1, Messages: []skill.Message{call, tool}, Tools: []string{"search"}},
		&record.Reply{Conversation: 1, Reply: &skill.Reply{Text: "It is " + found + "."}},
		&record.Outcome{Status: skill.StatusDone, Items: []string{}},
	} {
		if err := w.Write(e); err != nil {
			t.Fatal(err)
		}
	}
}
