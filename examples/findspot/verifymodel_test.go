package main

import (
	"bytes"
	"crypto/md5"
	"encoding/hex"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/skilltest"
)

// TestVerifyModel has verify ask a model about the one sentence that words cannot decide, alone and through a server, and says so without one.
func TestVerifyModel(t *testing.T) {
	const pump = "The pump raises no alarms at night."
	dir := t.TempDir()
	c := exampleProject(t, dir)
	c.env["OPENAI_API_KEY"] = "sk-secret-0123456789"
	if err := os.WriteFile(filepath.Join(dir, "papers", "pump.md"), []byte(pump+"\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	c.must(t, "docs", "add", "papers")
	src, err := findspot.OpenFolders([]string{filepath.Join(dir, "papers")}, nil, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = src.Close() })
	id := md5.Sum([]byte("pump.md"))
	led := evidence.NewLedger()
	led.Add(evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: hex.EncodeToString(id[:]), Name: "pump.md", Line: 1, EndLine: 1}, Text: pump})
	ans := &evidence.Answer{Text: "The pump raises no alarms at night [D1]. Whoever maintains the pump sleeps soundly [D1]."}
	if err := ans.Seal(t.Context(), src, led); err != nil {
		t.Fatal(err)
	}
	var file bytes.Buffer
	if err := ans.Write(&file); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(filepath.Join(dir, "pump.json"), file.Bytes(), 0o666); err != nil {
		t.Fatal(err)
	}
	for _, served := range []bool{false, true} {
		if served {
			startServer(t, c)
		}
		if got := c.must(t, "verify", "pump.json"); !strings.Contains(got.Stdout, "words cannot decide 1, and no model was asked") {
			t.Errorf("served %v, without a model:\n%s", served, got.Stdout)
		}
		for _, tt := range []struct {
			turn   skilltest.Turn
			status int
			say    string
		}{
			{skilltest.Says(`{"verdict":"supported","words":["The pump raises no alarms at night."],"reason":"no alarms"}`), exitOK, "supports: 2 of 2, 1 of them as a model says"},
			{skilltest.Says(`{"verdict":"unsupported","words":["sleeps soundly"],"reason":"nothing of sleep"}`), 1, "nothing of sleep"},
			{skilltest.Says(`{"verdict":"supported","words":["It is silent."],"reason":""}`), exitOK, ": the model says supported by words that stand nowhere"},
			{skilltest.Turn{Err: &skill.ModelError{Fault: skill.FaultAuth, Text: "no such key"}}, 3, "no such key"},
		} {
			srv := httptest.NewServer(skilltest.NewOpenAIServer(tt.turn))
			got := c.do(t.Context(), "verify", "pump.json", "--provider", "openai", "--model", "model-1", "--base-url", srv.URL+"/v1")
			srv.Close()
			if all := got.Stdout + got.Stderr; got.Status != tt.status || !strings.Contains(all, tt.say) || strings.Contains(all, "sk-secret") {
				t.Errorf("served %v: status %d, want %d with %q:\n%s", served, got.Status, tt.status, tt.say, all)
			}
		}
		if got := c.do(t.Context(), "verify", "pump.json", "--doubt-words"); got.Status != exitUsage || !strings.Contains(got.Stderr, "--doubt-words is for a model") {
			t.Errorf("words doubted without a model: %+v", got)
		}
		if got := c.do(t.Context(), "verify", "pump.json", "--model", "m"); got.Status != exitUsage || !strings.Contains(got.Stderr, "--provider and --model belong together") {
			t.Errorf("a model without a provider: %+v", got)
		}
	}
}
