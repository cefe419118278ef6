package main

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

func TestRerank(t *testing.T) {
	ws := open(t)
	want := []string{"settings/loader.py:load", "settings/cli.py"}
	answer := places(want[0], "settings/nowhere.py:gone", want[0], want[1])
	for name, turns := range map[string][]skilltest.Turn{
		"by a call":         {skilltest.Calls("ranking", answer)},
		"by text":           {skilltest.Says("The order is\n```json\n" + answer + "\n```")},
		"after no call":     {skilltest.Says("I would look at load."), skilltest.Calls("ranking", answer)},
		"after no JSON":     {skilltest.Calls("ranking", `places: load`), skilltest.Calls("ranking", answer)},
		"after no places":   {skilltest.Calls("ranking", `{"places":[]}`), skilltest.Calls("ranking", answer)},
		"after other ids":   {skilltest.Calls("ranking", places("a.py:b")), skilltest.Calls("ranking", answer)},
		"after a wrong one": {skilltest.Calls("write_file", `{"path":"x"}`), skilltest.Calls("ranking", answer)},
		"after nothing":     {skilltest.Says(""), skilltest.Calls("ranking", answer)},
	} {
		t.Run(name, func(t *testing.T) {
			m := skilltest.NewModel(turns...)
			out := mustLocate(t, ws, m, bounds(howRerank))
			if diff := cmp.Diff(want, ids(out.Places[:2])); diff != "" || out.Named != 2 || out.Dropped != 1 {
				t.Errorf("%d places named, %d dropped, want 2 and 1; the first ones (-want +got):\n%s", out.Named, out.Dropped, diff)
			}
			if got := out.Places[0]; out.Places[1].Score != 1.5 || got.Reason != "because of "+want[0] || got.Line != 6 || got.End != 9 || got.Path != "settings/loader.py" {
				t.Errorf("first places %+v", out.Places[:2])
			}
			rest := slices.DeleteFunc(plain(t, ws), func(id string) bool { return slices.Contains(want, id) })
			if diff := cmp.Diff(rest, ids(out.Places[2:])); diff != "" {
				t.Errorf("what the model did not name has another order (-want +got):\n%s", diff)
			}
			reqs := m.Requests()
			if len(reqs) != len(turns) {
				t.Fatalf("%d requests, want %d", len(reqs), len(turns))
			}
			last := reqs[len(reqs)-1].Messages
			for _, msg := range last {
				if msg.Text == "" && len(msg.Calls) == 0 {
					t.Error("a message is empty, which providers refuse")
				}
			}
			if why := last[len(last)-1].Text; len(turns) > 1 && !strings.Contains(why, "cannot be used: ") {
				t.Errorf("the second request ends in %q, and not with what was wrong", why)
			}
		})
	}
}

// TestRerankShows: ids, places, signatures and the lines that match are shown, within the budget, the report as data.
func TestRerankShows(t *testing.T) {
	ws := open(t)
	for _, show := range []int{8000, 60} {
		m := skilltest.NewModel(skilltest.Calls("ranking", places("settings/cli.py")))
		o := bounds(howRerank)
		o.Show = show
		out := mustLocate(t, ws, m, o)
		if out.Named != 1 {
			t.Errorf("show %d: %d places named, want 1: %q", show, out.Named, out.Notes)
		}
		asked := m.Requests()[0].Messages[0].Text
		_, listing, _ := strings.Cut(asked, "<places ")
		whole := strings.Contains(listing, "settings/loader.py:load  (function, lines 6-9)  def load(path)") && strings.Contains(listing, `    7:     """Read a settings file`) &&
			strings.Contains(listing, `    7:     print("timeout:"`) // the fourth line of its function, which holds words of the report
		if whole != (show == 8000) || len(listing) > 4*show+60 {
			t.Errorf("show %d: %d bytes shown:\n%s", show, len(listing), listing)
		}
		if !strings.HasPrefix(asked, "<report ") || !strings.Contains(asked, settingsReport) {
			t.Errorf("the request does not begin with the report between marks:\n%s", asked)
		}
	}
}

// TestRerankFails: whatever the model does, the order of Locate stands and the notes say why.
func TestRerankFails(t *testing.T) {
	ws := open(t)
	for name, c := range map[string]struct {
		turns []skilltest.Turn
		note  string
		asked int
	}{
		"malformed twice": {[]skilltest.Turn{skilltest.Says("load"), skilltest.Calls("ranking", `{"places":"load"}`), skilltest.Calls("ranking", places("settings/cli.py"))}, "answer 2: the arguments do not read", 2},
		"unknown twice":   {[]skilltest.Turn{skilltest.Calls("ranking", places("a")), skilltest.Calls("ranking", places("b"))}, `such as "b"`, 2},
		"error":           {[]skilltest.Turn{{Err: &skill.ModelError{Fault: skill.FaultAuth, Text: "no key"}}}, "no key", 1},
		"refusal":         {[]skilltest.Turn{{Text: "I will not.", Stop: skill.StopRefusal}}, "I will not", 1},
	} {
		t.Run(name, func(t *testing.T) {
			m := skilltest.NewModel(c.turns...)
			out := mustLocate(t, ws, m, bounds(howRerank))
			if diff := cmp.Diff(plain(t, ws), ids(out.Places)); diff != "" {
				t.Errorf("not the order of Locate (-want +got):\n%s", diff)
			}
			notes := strings.Join(out.Notes, "\n")
			if !strings.Contains(notes, c.note) || !strings.Contains(notes, "this is the order of Locate") || len(m.Requests()) != c.asked {
				t.Errorf("%d requests, want %d; notes %s, want %q in them", len(m.Requests()), c.asked, notes, c.note)
			}
		})
	}
}
