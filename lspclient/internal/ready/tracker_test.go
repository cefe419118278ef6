package ready

import (
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// says plays what a server says to its readiness: "begin TITLE", "end TITLE", "notify PARAMS", "log LINE", "changed", and
// "moved" for files that came or went.
func says(r *Tracker, kind, arg string) {
	switch kind {
	case "begin", "end":
		r.Progress(json.RawMessage(fmt.Sprintf(`{"token":%q,"value":{"kind":%q,"title":%q}}`, arg, kind, arg)))
	case "notify":
		r.Notified("x/status", json.RawMessage(arg))
	case "log":
		r.Log(arg)
	case "changed":
		r.Invalidate(ConfigChanged)
	case "moved":
		r.Invalidate(FilesMoved)
	}
}

func TestReadiness(t *testing.T) {
	t.Parallel()
	notify := serverspec.NotifyRule{Method: "x/status", Match: `"quiet":true`, Problem: `"health":"bad"`}
	for _, tt := range []struct {
		name    string
		rule    serverspec.ReadyRule
		said    [][2]string
		calm    bool
		problem string
	}{
		{"no rule", serverspec.ReadyRule{}, nil, true, ""},
		{"work under way", serverspec.ReadyRule{}, [][2]string{{"begin", "a"}}, false, ""},
		{"work done", serverspec.ReadyRule{}, [][2]string{{"begin", "a"}, {"end", "a"}}, true, ""},
		{"progress of another title", serverspec.ReadyRule{Progress: "^b"}, [][2]string{{"begin", "a"}, {"end", "a"}}, false, ""},
		{"progress", serverspec.ReadyRule{Progress: "^b"}, [][2]string{{"begin", "b"}, {"end", "b"}}, true, ""},
		{"log", serverspec.ReadyRule{Log: "^read"}, [][2]string{{"log", "noise\nread 3 files"}}, true, ""},
		{"no notification yet", serverspec.ReadyRule{Notify: notify}, nil, false, ""},
		{"taken back", serverspec.ReadyRule{Notify: notify}, [][2]string{{"notify", `{"quiet": true}`}, {"notify", `{"quiet":false}`}}, false, ""},
		{"only undo takes back", serverspec.ReadyRule{Notify: serverspec.NotifyRule{Method: "x/status", Match: "ready", Undo: "again"}},
			[][2]string{{"notify", `"ready"`}, {"notify", `"other"`}}, true, ""},
		{"complaint", serverspec.ReadyRule{Notify: notify}, [][2]string{{"notify", `{"quiet":true,"health":"bad","message":"no\n\nmanifest"}`}}, true, "no manifest"},
		{"complaint over", serverspec.ReadyRule{Notify: notify}, [][2]string{{"notify", `{"quiet":true,"health":"bad"}`}, {"notify", `{"quiet":true}`}}, true, ""},
		{"lasting", serverspec.ReadyRule{Notify: serverspec.NotifyRule{Method: "x/status", Match: "ready", Undo: "again", Problem: "bad", Lasting: true}},
			[][2]string{{"notify", `{"message":"bad pom"}`}, {"notify", `"ready"`}}, true, "bad pom"},
		{"configuration changed", serverspec.ReadyRule{}, [][2]string{{"changed", ""}}, false, ""},
		{"read again", serverspec.ReadyRule{}, [][2]string{{"changed", ""}, {"begin", "a"}, {"end", "a"}}, true, ""},
		{"work from before is no reading again", serverspec.ReadyRule{}, [][2]string{{"begin", "a"}, {"changed", ""}, {"end", "a"}}, false, ""},
		{"other work is no reading again", serverspec.ReadyRule{Reload: "^load"}, [][2]string{{"changed", ""}, {"begin", "a"}, {"end", "a"}}, false, ""},
		{"read again by title", serverspec.ReadyRule{Reload: "^load"}, [][2]string{{"changed", ""}, {"begin", "load"}, {"end", "load"}}, true, ""},
		{"read again by notification", serverspec.ReadyRule{Notify: notify},
			[][2]string{{"notify", `{"quiet":true}`}, {"changed", ""}, {"notify", `{"quiet":false}`}, {"notify", `{"quiet":true}`}}, true, ""},
		{"still the old notification", serverspec.ReadyRule{Notify: notify}, [][2]string{{"notify", `{"quiet":true}`}, {"changed", ""}, {"notify", `{"quiet":true}`}}, false, ""},
		{"ignored once ready", serverspec.ReadyRule{Ignore: "^diag"}, [][2]string{{"begin", "diag"}}, false, ""},
		{"settling", serverspec.ReadyRule{Settle: 60_000}, [][2]string{{"moved", ""}}, false, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			r := New(&registry.Spec{Spec: serverspec.Spec{Ready: tt.rule}})
			for _, s := range tt.said {
				says(r, s[0], s[1])
			}
			st, _ := r.Status()
			if st.Calm() != tt.calm || st.Problem != tt.problem {
				t.Errorf("calm %v, problem %q, want %v, %q: %+v", st.Calm(), st.Problem, tt.calm, tt.problem, st)
			}
		})
	}
}

// TestReadinessManyPieces: a server that reports more work than is followed is working until all of it has ended.
func TestReadinessManyPieces(t *testing.T) {
	t.Parallel()
	r := New(&registry.Spec{})
	for i := range maxWork + 2 {
		says(r, "begin", fmt.Sprint(i))
	}
	for i := range maxWork {
		says(r, "end", fmt.Sprint(i))
	}
	if st, _ := r.Status(); st.Calm() {
		t.Error("calm while two pieces of work are under way")
	}
	for i := range 2 {
		says(r, "end", fmt.Sprint(maxWork+i))
	}
	if st, _ := r.Status(); !st.Calm() {
		t.Errorf("not calm after all work has ended: %+v", st)
	}
}

// TestReadinessSilence: a server that says nothing after a changed configuration counts as ready after a while, and then
// its answers must agree; an agreement of before the change is none.
func TestReadinessSilence(t *testing.T) {
	t.Parallel()
	r := New(&registry.Spec{})
	if r.MustAgree("m") {
		t.Error("without a rule one answer is enough")
	}
	r.Invalidate(ConfigChanged)
	r.mu.Lock()
	r.expected = time.Now().Add(-2 * reloadGrace)
	r.mu.Unlock()
	before, _ := r.Status()
	if !before.Calm() || !r.MustAgree("m") {
		t.Errorf("after silence: %+v, must agree: %v", before, r.MustAgree("m"))
	}
	r.Invalidate(FilesMoved)
	if r.Agreed("m", before); !r.MustAgree("m") {
		t.Error("two answers from before a change agreed for after it")
	}
	now, _ := r.Status()
	if r.Agreed("m", now); r.MustAgree("m") {
		t.Error("the agreement did not hold")
	}
}
