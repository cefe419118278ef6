package findspot_test

import (
	"bytes"
	"context"
	"encoding/json"
	"iter"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

// An obedient model writes what it is asked for, with a key, and calls the tool it is offered once.
type obedient struct{}

func (obedient) Generate(_ context.Context, req *skill.Request) iter.Seq2[*skill.Delta, error] {
	last := req.Messages[len(req.Messages)-1]
	return func(yield func(*skill.Delta, error) bool) {
		d := &skill.Delta{Text: "The work rests on the first passage [D1].", Stop: skill.StopEnd, Usage: &skill.Usage{Input: 100, Output: 10}}
		switch {
		case req.Schema != nil:
			d.Text = `{"holds":true,"problems":[]}`
		case len(req.Tools) > 0 && last.From == skill.FromUser:
			d.Text, d.Stop = "", skill.StopTools
			d.Call = &skill.ToolCall{ID: "1", Name: req.Tools[0].Name, Args: json.RawMessage(`{"path":"sim.py","text":"# objective\nsnr_db = 3\n"}`)}
		}
		yield(d, nil)
	}
}

// TestSharedSkills runs worked skills on real documents and code, with and without a model, and replays each run without
// either.
func TestSharedSkills(t *testing.T) {
	skills, err := skill.Load(os.DirFS(need.Shared(t, "skills")))
	if err != nil {
		t.Fatal(err)
	}
	ws := filled(t, nil)
	spec := filepath.Join(t.TempDir(), "38.331.md")
	text := "# 5 Procedures\n\n## 5.3.5.3 Reception of a message\n\nThe receiver shall apply ssb-PositionsInBurst as it is given.\n\n" +
		"# 6 Definitions\n\nssb-PositionsInBurst ::= SEQUENCE { shortBitmap BIT STRING }\n\nThe field ssb-PositionsInBurst says which blocks are sent.\n"
	if err := os.WriteFile(spec, []byte(text), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, err := range ws.AddDocs(t.Context(), spec) {
		if err != nil {
			t.Fatal(err)
		}
	}
	yes := func(context.Context, runner.Approval) (string, error) { return "approve", nil }
	tests := []struct {
		name, skill string
		in          map[string]any
		model       skill.Model
		approve     func(context.Context, runner.Approval) (string, error)
		status, at  string
		reason      string
		written     bool
	}{
		{"sync without a model, unattended", "synchronisation-signals", map[string]any{"task": "simulate the detection of synchronization signals"}, nil, nil, skill.StatusStopped, "plan_ok", "unattended", false},
		{"sync without a model, approved", "synchronisation-signals", map[string]any{"task": "simulate the detection of synchronization signals"}, nil, yes, skill.StatusInsufficient, "code", "needs a model", false},
		{"sync with a model, unattended", "synchronisation-signals", map[string]any{"task": "simulate the detection of synchronization signals"}, obedient{}, nil, skill.StatusStopped, "plan_ok", "unattended", false},
		{"sync with a model, approved", "synchronisation-signals", map[string]any{"task": "simulate the detection of synchronization signals"}, obedient{}, yes, skill.StatusDone, "", "", true},
		{"who calls, found", "who-calls", map[string]any{"symbol": "detect_pss"}, nil, nil, skill.StatusDone, "", "", false},
		{"who calls, no such symbol", "who-calls", map[string]any{"symbol": "quuxify"}, nil, nil, skill.StatusInsufficient, "unused", "no symbol is named", false},
		{"a field of the specification", "ts-38331-lookup", map[string]any{"task": "Which IE carries ssb-PositionsInBurst"}, nil, nil, skill.StatusDone, "", "", false},
		{"the same with a model", "ts-38331-lookup", map[string]any{"task": "Which IE carries ssb-PositionsInBurst"}, obedient{}, nil, skill.StatusDone, "", "", false},
		{"a field that is not there", "ts-38331-lookup", map[string]any{"task": "zebra"}, nil, nil, skill.StatusVerifiedNone, "none", "found nothing", false},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			var s *skill.Skill
			for _, x := range skills {
				if x.Name == tt.skill {
					s = x
				}
			}
			if s == nil {
				t.Fatalf("no skill %s", tt.skill)
			}
			out := t.TempDir()
			var record, again bytes.Buffer
			got, err := runner.New(tt.model, ws.Tools(&findspot.ToolsOptions{WriteDir: out}), &runner.Options{Record: &record, Source: ws, Approve: tt.approve}).Run(t.Context(), s, tt.in)
			if err != nil {
				t.Fatal(err)
			}
			if got.Status != tt.status || got.At != tt.at || !strings.Contains(got.Reason, tt.reason) {
				t.Errorf("%s at %q: %s", got.Status, got.At, got.Reason)
			}
			if entries, err := os.ReadDir(out); err != nil || (len(entries) == 1) != tt.written {
				t.Errorf("files: %v, %v", entries, err)
			}
			if _, err := runner.Replay(t.Context(), s, bytes.NewReader(record.Bytes()), &again); err != nil || !bytes.Equal(record.Bytes(), again.Bytes()) {
				t.Errorf("Replay: %v", err)
			}
		})
	}
}

// TestNothingFoundIsProvenOrNot asks real indexes for what is not there, fresh and behind their sources.
func TestNothingFoundIsProvenOrNot(t *testing.T) {
	workflow := func(steps string) *skill.Skill {
		s, err := skill.Parse("SKILL.md", "---\nname: none\ndescription: d\n---\n```yaml workflow\nsteps:\n"+steps+"  - {id: n, finish: nothing_found}\n```\n")
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	docs := "  - {id: d, search: {in: docs, for: zebraquux}}\n"
	code := "  - {id: c, search: {in: code, for: zebraquux}}\n"
	refs := "  - {id: r, call: references, args: {symbol: zebraquux}}\n"
	text := "  - {id: x, call: search_text, args: {pattern: zebraquux}}\n"
	dir := write(t, map[string]string{"a.md": "# One\n\nA text about signals.\n", "b.md": "# Two\n\nAnother text.\n"})
	stale := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), stale, dir); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "a.md"), []byte("# One\n\nNow about a zebraquux and more.\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	repo := write(t, map[string]string{"a.py": "def signal():\n    pass\n"})
	edited := open(t, t.TempDir(), nil)
	if _, err := edited.AddRepo(t.Context(), repo, nil); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(repo, "b.py"), []byte("def zebraquux():\n    pass\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	gone := open(t, t.TempDir(), nil)
	full := filled(t, nil)
	tests := []struct {
		name   string
		ws     *findspot.Workspace
		steps  string
		status string
		reason string
	}{
		{"documents", full, docs, skill.StatusVerifiedNone, "fresh index"},
		{"code", full, code, skill.StatusVerifiedNone, "fresh index"},
		{"text of code", full, text, skill.StatusVerifiedNone, "fresh index"},
		{"both", full, docs + code + text, skill.StatusVerifiedNone, "3 searches"},
		{"some tiers", full, "  - {id: d, search: {in: docs, for: zebraquux, tiers: [phrase]}}\n", skill.StatusInsufficient, "left something out"},
		{"references of a name that is no symbol", full, refs, skill.StatusInsufficient, "references"},
		{"there is something", full, "  - {id: d, search: {in: docs, for: synchronization}}\n", skill.StatusInsufficient, "results"},
		{"one document only", full, "  - {id: d, search: {in: docs, for: zebraquux, where: {doc: sync-raster}}}\n", skill.StatusVerifiedNone, "fresh index"},
		{"documents that have changed since", stale, docs, skill.StatusInsufficient, ""},
		{"code that has changed since", edited, code, skill.StatusInsufficient, "1 results"},
		{"text that has changed since", edited, text, skill.StatusInsufficient, "1 results"},
		{"no documents", gone, docs, skill.StatusInsufficient, ""},
		{"no code", gone, code, skill.StatusInsufficient, ""},
		{"nothing was searched", full, "", skill.StatusInsufficient, "nothing was searched"},
	}
	for _, tt := range tests {
		out, err := runner.New(nil, tt.ws.Tools(nil), nil).Run(t.Context(), workflow(tt.steps), nil)
		if err != nil {
			t.Fatal(err)
		}
		if out.Status != tt.status || !strings.Contains(out.Reason, tt.reason) {
			t.Errorf("%s: %s: %s", tt.name, out.Status, out.Reason)
		}
	}
}
