package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/record"
	"github.com/findspot/findspot/skill/skilltest"
)

// settings is a small program: what it prints is wrong in cli.py, and the cause lies in merge.py, which the report does not name.
var settings = map[string]string{
	"settings/cli.py": `from settings.loader import load


def show_timeout(path):
    """Print the timeout of a settings file."""
    values = load(path)
    print("timeout:", values["timeout"])
`,
	"settings/loader.py": `from settings.merge import Merger

DEFAULTS = {"timeout": 30}


def load(path):
    """Read a settings file over the defaults."""
    merger = Merger(DEFAULTS)
    return merger.over(read(path))


def read(path):
    with open(path) as f:
        return dict(line.strip().split("=") for line in f)
`,
	"old/settings/merge.py": `class Old:
    def over(self, top):
        return top
`,
	"settings/merge.py": `class Merger:
    def __init__(self, base):
        self.base = base

    def over(self, top):
        out = dict(top)
        out.update(self.base)
        return out
`,
	"tests/test_cli.py": `from settings.cli import show_timeout


def test_show_timeout(tmp_path):
    show_timeout(tmp_path / "s")
`,
}

const settingsReport = "show_timeout prints the wrong timeout\n\nWith timeout=5 in the settings file, show_timeout prints 30."

// writeSettings writes the program into a folder.
func writeSettings(t *testing.T) string {
	t.Helper()
	root := t.TempDir()
	for name, text := range settings {
		file := filepath.Join(root, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	return root
}

// open opens a workspace on the program.
func open(t *testing.T) *findspot.Workspace {
	t.Helper()
	ws, err := findspot.Open(t.Context(), t.TempDir(), &findspot.Options{NoServers: true})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ws.Close() })
	if _, err := ws.AddRepo(t.Context(), writeSettings(t), nil); err != nil {
		t.Fatal(err)
	}
	return ws
}

func bounds(how string) *locateOptions {
	return &locateOptions{How: how, Samples: 1, Turns: 6, Calls: 20, Show: 8000, Timeout: time.Minute}
}

// mustLocate runs locate, which must give every place of Locate's order.
func mustLocate(t *testing.T, ws *findspot.Workspace, m skill.Model, o *locateOptions) *located {
	t.Helper()
	out, err := locate(t.Context(), ws, m, settingsReport, o)
	if err != nil {
		t.Fatal(err)
	}
	got := ids(out.Places)
	for _, id := range plain(t, ws) {
		if n := len(slices.DeleteFunc(slices.Clone(got), func(s string) bool { return s != id })); n != 1 {
			t.Errorf("%s is %d times in the answer %q", id, n, got)
		}
	}
	for i := 1; i < len(out.Places); i++ {
		if out.Places[i].Score > out.Places[i-1].Score {
			t.Errorf("place %d has a higher score than the one before it: %v", i, out.Places)
		}
	}
	if out.Places[0].Score > 2 {
		t.Errorf("the first score is %v, and none is over 2", out.Places[0].Score)
	}
	return out
}

func plain(t *testing.T, ws *findspot.Workspace) []string {
	t.Helper()
	out, err := locate(t.Context(), ws, nil, settingsReport, bounds(howNone))
	if err != nil {
		t.Fatal(err)
	}
	return ids(out.Places)
}

func ids(places []place) []string {
	var out []string
	for _, p := range places {
		out = append(out, p.id)
	}
	return out
}

// places are the arguments of ranking and locations.
func places(ids ...string) string {
	list := []named{}
	for _, id := range ids {
		list = append(list, named{ID: id, Reason: "because of " + id})
	}
	data, err := json.Marshal(map[string]any{"places": list})
	if err != nil {
		return err.Error()
	}
	return string(data)
}

func TestNoModelGivesTheOrderOfLocate(t *testing.T) {
	ws := open(t)
	got := plain(t, ws)
	if !slices.Contains(got[:2], "settings/cli.py:show_timeout") || !slices.Contains(got, "settings/loader.py:load") {
		t.Errorf("places %q", got)
	}
	out, err := locate(t.Context(), ws, nil, settingsReport, bounds(howNone))
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range out.Places {
		if path, _, inside := strings.Cut(p.id, ":"); p.Path != path || (p.Entity == p.id) != inside || (p.Entity == "") == inside {
			t.Errorf("place %q has the path %q and the entity %q", p.id, p.Path, p.Entity)
		}
	}
	if _, err := locate(t.Context(), ws, nil, settingsReport, bounds(howRerank)); err == nil || !strings.Contains(err.Error(), "--provider") {
		t.Errorf("rerank without a model: %v, want an error that says how to give one", err)
	}
}

// waiting is a model that answers when its context ends.
type waiting struct{ cancel func() }

func (w waiting) Generate(ctx context.Context, _ *skill.Request) iter.Seq2[*skill.Delta, error] {
	return func(yield func(*skill.Delta, error) bool) {
		w.cancel()
		<-ctx.Done()
		yield(nil, ctx.Err())
	}
}

func TestLocateEnds(t *testing.T) {
	ws := open(t)
	for _, how := range []string{howRerank, howLoop} {
		ctx, cancel := context.WithCancel(t.Context())
		var recorded bytes.Buffer
		o := bounds(how)
		o.Record = &recorded
		if _, err := locate(ctx, ws, waiting{cancel}, settingsReport, o); !errors.Is(err, context.Canceled) {
			t.Errorf("%s, cancelled: %v", how, err)
		}
		if e, ok := last(t, &recorded).(*record.Outcome); !ok || e.Reason != "the caller ended it" {
			t.Errorf("%s: the record ends in %+v", how, e)
		}
		o = bounds(how)
		o.Timeout = time.Millisecond
		out := mustLocate(t, ws, waiting{func() {}}, o)
		if notes := strings.Join(out.Notes, "\n"); out.Named != 0 || !strings.Contains(notes, "order of Locate") {
			t.Errorf("%s, out of time: %d places named, notes %s", how, out.Named, notes)
		}
	}
}

func last(t *testing.T, recorded io.Reader) record.Event {
	t.Helper()
	var out record.Event
	for e, err := range record.Read(recorded) {
		if err != nil {
			t.Fatal(err)
		}
		out = e
	}
	return out
}

// TestLocateCommand runs the program with a provider's protocol, over the example receiver.
func TestLocateCommand(t *testing.T) {
	srv := httptest.NewServer(skilltest.NewOpenAIServer(skilltest.Calls("ranking", places("receiver/pss.py:noise_floor"))))
	defer srv.Close()
	t.Setenv("OPENAI_BASE_URL", srv.URL+"/v1")
	dir := t.TempDir()
	file, recorded := filepath.Join(dir, "issue.md"), filepath.Join(dir, "record.jsonl")
	if err := os.WriteFile(file, []byte("detect_pss finds no peak: the noise floor is too high"), 0o644); err != nil {
		t.Fatal(err)
	}
	receiver := filepath.Join("..", "testdata", "receiver")
	var out, errs bytes.Buffer
	args := []string{"locate", "-dir", dir, "-repo", receiver, "-provider", "openai", "-model", "m", "-query-file", file, "-record", recorded, "-json", "-limit", "3"}
	if err := run(t.Context(), args, &out, &errs); err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	var got []place
	if err := json.Unmarshal(out.Bytes(), &got); err != nil {
		t.Fatal(err)
	}
	if len(got) != 3 || got[0].Entity != "receiver/pss.py:noise_floor" || got[0].Path != "receiver/pss.py" || got[0].Score != 2 {
		t.Errorf("output %s", out.String())
	}
	f, err := os.Open(recorded)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	if _, ok := last(t, f).(*record.Outcome); !ok {
		t.Error("the record does not end in an outcome")
	}
	out.Reset()
	if err := run(t.Context(), []string{"locate", "-dir", dir, "-repo", receiver, "detect_pss", "is", "slow"}, &out, &errs); err != nil || !strings.HasPrefix(out.String(), " 1  ") ||
		!strings.Contains(out.String(), "receiver/pss.py:detect_pss  receiver/pss.py:67-93") {
		t.Errorf("output %q, %v", out.String(), err)
	}
}

// TestLocateSpeaksToProviders does the loop, with a last turn that is asked for, over the protocols of both providers.
func TestLocateSpeaksToProviders(t *testing.T) {
	repo := writeSettings(t)
	for name, server := range map[string]func(...skilltest.Turn) *skilltest.Server{"openai": skilltest.NewOpenAIServer, "anthropic": skilltest.NewAnthropicServer} {
		model := server(skilltest.Calls("search_entity", `{"query":"load"}`), skilltest.Says("That is all."), skilltest.Calls("locations", places("Merger.over")))
		srv := httptest.NewServer(model)
		defer srv.Close()
		t.Setenv("OPENAI_BASE_URL", srv.URL+"/v1")
		t.Setenv("ANTHROPIC_BASE_URL", srv.URL)
		t.Setenv("ANTHROPIC_API_KEY", "none")
		var out, errs bytes.Buffer
		if err := run(t.Context(), []string{"locate", "-dir", t.TempDir(), "-repo", repo, "-provider", name, "-model", "m", "-how", "loop", settingsReport}, &out, &errs); err != nil {
			t.Fatalf("%s: %v\n%s", name, err, errs.String())
		}
		if !strings.HasPrefix(out.String(), " 1  settings/merge.py:Merger.over  settings/merge.py:5-8  2.000\n    because of Merger.over\n") || errs.Len() > 0 {
			t.Errorf("%s: output %s\n%s", name, out.String(), errs.String())
		}
		reqs := model.Requests()
		if len(reqs) != 3 || !strings.Contains(reqs[2], "Call locations now") || !strings.Contains(reqs[2], `"tool_choice":{`) {
			t.Errorf("%s: %d requests, the last one %s", name, len(reqs), reqs[len(reqs)-1])
		}
	}
}

// TestLocateAsksForRepositoriesAlone: what an index holds from earlier calls is not ranked, and may be gone.
func TestLocateAsksForRepositoriesAlone(t *testing.T) {
	dir, first := t.TempDir(), writeSettings(t)
	call := func(args ...string) string {
		var out, errs bytes.Buffer
		if err := run(t.Context(), append([]string{"locate", "-dir", dir, "-json"}, args...), &out, &errs); err != nil {
			t.Fatalf("%v\n%s", err, errs.String())
		}
		return out.String()
	}
	if got := call("-repo", first, "show_timeout"); !strings.Contains(got, `"settings/cli.py:show_timeout"`) {
		t.Errorf("the first repository gives %s", got)
	}
	if got := call("show_timeout"); !strings.Contains(got, `"settings/cli.py:show_timeout"`) {
		t.Errorf("the index gives %s", got)
	}
	if err := os.RemoveAll(first); err != nil {
		t.Fatal(err)
	}
	if got := call("-repo", filepath.Join("..", "testdata", "receiver"), "show_timeout of detect_pss"); strings.Contains(got, "settings") || !strings.Contains(got, `"receiver/pss.py:detect_pss"`) {
		t.Errorf("the second repository gives %s", got)
	}
}

func TestLocateErrors(t *testing.T) {
	empty := filepath.Join(t.TempDir(), "empty")
	large := filepath.Join(t.TempDir(), "large")
	if err := errors.Join(os.WriteFile(empty, []byte(" \n"), 0o644), os.WriteFile(large, bytes.Repeat([]byte("x"), maxReport+1), 0o644)); err != nil {
		t.Fatal(err)
	}
	t.Setenv("OPENAI_BASE_URL", "http://127.0.0.1:1/v1") // nobody is asked
	receiver := filepath.Join("..", "testdata", "receiver")
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"text"}, "--repo"},
		{[]string{"-repo", receiver}, "empty"},
		{[]string{"-repo", receiver, "-query-file", empty}, "empty"},
		{[]string{"-repo", receiver, "-query-file", large}, "over 1048576 bytes"},
		{[]string{"-repo", receiver, "-query-file", "no/such/file"}, "no/such/file"},
		{[]string{"-repo", receiver, "-query-file", empty, "text"}, "not both"},
		{[]string{"-repo", receiver, "-how", "loop", "text"}, "--provider"},
		{[]string{"-repo", receiver, "-how", "guess", "-provider", "openai", "-model", "m", "text"}, "rerank, loop and none"},
		{[]string{"-repo", receiver, "-limit", "0", "text"}, "--limit"},
		{[]string{"-repo", "no/such/folder", "text"}, "no such file"},
	} {
		if err := run(t.Context(), append([]string{"locate", "-dir", t.TempDir()}, c.args...), io.Discard, io.Discard); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("locate %q: %v, want %q in it", c.args, err, c.want)
		}
	}
}
