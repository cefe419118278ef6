package findspot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/lspclient"
)

// TestServerQuestions asks everything that the workspace can ask, of two repositories.
func TestServerQuestions(t *testing.T) {
	left := repoNamed(t, "left", map[string]string{
		"core.py": "class Box:\n    def open(self):\n        return helper()\n\n\ndef helper():\n    return leaf()\n\n\ndef leaf():\n    BROKEN\n",
	})
	right := repoNamed(t, "right", map[string]string{"other.py": "def elsewhere():\n    pass\n"})
	ws := withRepos(t, fakeOptions(t, fakePy), left, right)
	ctx := t.Context()

	for name, ask := range map[string]func() (*findspot.Places, error){
		"Definition":     func() (*findspot.Places, error) { return ws.Definition(ctx, lspclient.Named("helper"), nil) },
		"TypeDefinition": func() (*findspot.Places, error) { return ws.TypeDefinition(ctx, lspclient.Named("helper"), nil) },
		"Implementation": func() (*findspot.Places, error) { return ws.Implementation(ctx, lspclient.Named("helper"), nil) },
	} {
		p, err := ask()
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		if d := cmp.Diff([]string{"left//core.py:helper | def helper():"}, lines(p)); d != "" {
			t.Errorf("%s (-want +got):\n%s", name, d)
		}
	}
	calls := func(l *findspot.CallList, err error) []string {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
		out := []string{string(l.State)}
		for _, c := range l.Placed {
			out = append(out, c.Entity.ID+" | "+c.Text)
		}
		return out
	}
	if d := cmp.Diff([]string{"complete", "left//core.py:Box.open | return helper()"}, calls(ws.IncomingCalls(ctx, lspclient.Named("helper"), nil))); d != "" {
		t.Errorf("IncomingCalls (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"complete", "left//core.py:leaf | return leaf()"}, calls(ws.OutgoingCalls(ctx, lspclient.Named("helper"), nil))); d != "" {
		t.Errorf("OutgoingCalls (-want +got):\n%s", d)
	}
	if h, err := ws.Hover(ctx, lspclient.Named("left//helper")); err != nil || h.Text != "word helper" || h.Repo != "left" {
		t.Errorf("Hover: %+v, %v", h, err)
	}
	dg, err := ws.Diagnostics(ctx, "core.py", nil)
	if err != nil {
		t.Fatal(err)
	}
	if len(dg.Placed) != 1 || dg.Placed[0].Entity.ID != "left//core.py:leaf" || dg.Placed[0].Text != "BROKEN" || dg.Placed[0].Severity != "error" {
		t.Errorf("Diagnostics: %+v", dg)
	}
	ren, err := ws.Rename(ctx, lspclient.Named("helper"), "aide", nil)
	if err != nil {
		t.Fatal(err)
	}
	if ren.Total != 2 || !strings.Contains(ren.Diff, "+def aide():") {
		t.Errorf("Rename: %d edits:\n%s", ren.Total, ren.Diff)
	}
	if data, err := os.ReadFile(filepath.Join(left, "core.py")); err != nil || strings.Contains(string(data), "aide") {
		t.Errorf("the preview of a renaming wrote a file: %v", err)
	}
	syms, err := ws.WorkspaceSymbols(ctx, "e", nil)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range syms.Placed {
		got = append(got, s.Repo+" "+s.Entity.ID)
	}
	if d := cmp.Diff([]string{"left left//core.py:Box.open", "left left//core.py:helper", "left left//core.py:leaf", "right right//other.py:elsewhere"}, got); d != "" || syms.State != lspclient.Complete || syms.Total != 4 {
		t.Errorf("WorkspaceSymbols: %s, %d (-want +got):\n%s", syms.State, syms.Total, d)
	}
	if s, err := ws.Symbols(ctx, "right//other.py"); err != nil || len(s.Symbols) != 1 {
		t.Errorf("Symbols: %+v, %v", s, err)
	}
	var wrong *lspclient.AmbiguousError
	if _, err := ws.Hover(ctx, lspclient.Named("nothing")); !errors.Is(err, findspot.ErrNotFound) || errors.As(err, &wrong) {
		t.Errorf("Hover of an unknown name: %v, want ErrNotFound", err)
	}
}

// TestOverlay: unsaved buffers are seen by servers, their functions are those of the buffer, and callers are never none for certain.
func TestOverlay(t *testing.T) {
	dir := write(t, map[string]string{"core.py": "def helper():\n    return 1\n", "app.py": "def main():\n    pass\n"})
	ws := withRepos(t, fakeOptions(t, fakePy), dir)
	ctx := t.Context()
	if err := ws.SetOverlay(ctx, "app.py", []byte("from core import helper\n\n\nclass Late:\n    def run(self):\n        helper()\n")); err != nil {
		t.Fatal(err)
	}
	refs, err := ws.References(ctx, lspclient.Named("helper"), nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"app.py | from core import helper", "app.py:Late.run | helper()"}, lines(refs)); d != "" {
		t.Errorf("references with an unsaved buffer (-want +got):\n%s", d)
	}
	res, err := ws.Callers(ctx, "helper", nil)
	if err != nil {
		t.Fatal(err)
	}
	if d := cmp.Diff([]string{"app.py:Late.run calls fakepy exact", "app.py uses fakepy exact"}, said(res)); d != "" {
		t.Errorf("callers with an unsaved buffer (-want +got):\n%s", d)
	}
	if res, err = ws.Callers(ctx, "main", nil); err != nil || res.Verdict != findspot.NoneKnown || !strings.Contains(strings.Join(res.Why, " "), "1 unsaved buffer") {
		t.Errorf("callers of what only the disk has: %+v, %v; want none known, and why", res, err)
	}
	if err := ws.RemoveOverlay(ctx, "app.py"); err != nil {
		t.Fatal(err)
	}
	if refs, err = ws.References(ctx, lspclient.Named("helper"), nil); err != nil || !refs.None() {
		t.Errorf("after RemoveOverlay: %+v, %v; want none, for certain", refs, err)
	}
	if err := ws.SetOverlay(ctx, "../out.py", nil); err == nil {
		t.Error("an unsaved buffer outside of the repository was taken")
	}
}
