package answers

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/skill/evidence"
)

// here is a folder with files, as a command sees it.
func here(t *testing.T, files map[string]string) *env.Env {
	t.Helper()
	e := &env.Env{Dir: t.TempDir(), Getenv: func(string) string { return "" }}
	for name, text := range files {
		p := filepath.Join(e.Dir, filepath.FromSlash(name))
		if err := errors.Join(os.MkdirAll(filepath.Dir(p), 0o777), os.WriteFile(p, []byte(text), 0o640)); err != nil {
			t.Fatal(err)
		}
	}
	return e
}

type anySource struct{}

func (anySource) Text(context.Context, evidence.Place) (string, error) { return "Some words.\n", nil }

// sealed is an answer file; what it asks tells one from another.
func sealed(t *testing.T, question string) string {
	t.Helper()
	led := evidence.NewLedger()
	led.Add(evidence.Item{Kind: evidence.KindPassage, At: evidence.Place{Doc: "d", Name: "d.md", Line: 1, EndLine: 1}, Text: "Some words."})
	a := &evidence.Answer{Question: question, Text: "Some words [D1]."}
	if err := a.Seal(t.Context(), anySource{}, led); err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := a.Write(&b); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestFind(t *testing.T) {
	e := here(t, map[string]string{"a/one.json": "", "a/two.JSON": "", "a/deep/three.json": "", "a/note.txt": "", "a/.git/four.json": "", ".hidden/five.json": "", "b.txt": ""})
	if err := os.Symlink(filepath.Join(e.Dir, "b.txt"), filepath.Join(e.Dir, "a", "link.json")); err != nil {
		t.Skip(err)
	}
	for _, tt := range []struct {
		names []string
		want  string
	}{
		{[]string{"a"}, "a/deep/three.json a/one.json a/two.JSON"},
		{[]string{"b.txt", "a/one.json", "a"}, "b.txt a/one.json a/deep/three.json a/two.JSON"}, // a file as it is, and each once
		{[]string{"a/../a/one.json", "./a/one.json"}, "a/../a/one.json"},
		{[]string{".hidden"}, ".hidden/five.json"}, // a folder that was named itself
		{nil, ""},
	} {
		got, err := Find(e, tt.names)
		if err != nil || filepath.ToSlash(strings.Join(got, " ")) != tt.want {
			t.Errorf("%q: %q, %v, want %q", tt.names, got, err, tt.want)
		}
	}
	if _, err := Find(e, []string{"a", "nowhere"}); !errors.Is(err, os.ErrNotExist) || strings.Contains(err.Error(), e.Dir) {
		t.Errorf("a name that is nowhere: %v", err)
	}
}

// states makes a checker that says of each answer what its question says.
func states(updated *evidence.Answer) Checker {
	return func(_ context.Context, a *evidence.Answer) (*evidence.Recheck, error) {
		r := &evidence.Recheck{Question: a.Question, Holds: a.Question != "fails", Items: []evidence.ItemCheck{{Key: "D1", State: evidence.StateHolds}}}
		switch a.Question {
		case "moved":
			r.Items[0].State = evidence.StateMoved
			r.Updated = updated
		case "fails":
			r.Items[0].State = evidence.StateGone
		case "error":
			return nil, errors.New("no source")
		}
		return r, nil
	}
}

func TestCheck(t *testing.T) {
	moved := sealed(t, "moved")
	files := map[string]string{
		"holds.json": sealed(t, "holds"), "moved.json": moved, "fails.json": sealed(t, "fails"), "other.json": `{"name": "x"}`, "list.json": "[1]", "empty.json": "", "text.json": "format text items sources",
		"cut.json": moved[:len(moved)/2], "later.json": strings.Replace(moved, `"format": 1`, `"format": 99`, 1), "large.json": moved + strings.Repeat(" ", maxFile),
	}
	e := here(t, files)
	names, err := Find(e, []string{"."})
	if err != nil {
		t.Fatal(err)
	}
	again, err := evidence.ReadAnswer(strings.NewReader(sealed(t, "new places")))
	if err != nil {
		t.Fatal(err)
	}
	for _, update := range []bool{false, true} {
		rep, err := Check(t.Context(), e, names, states(again), update)
		if err != nil {
			t.Fatal(err)
		}
		var got []string
		for _, f := range rep.Answers {
			got = append(got, fmt.Sprint(f.File, " ", f.State, " ", f.Updated))
		}
		want := []string{"fails.json fails false", "holds.json holds false", fmt.Sprint("moved.json moved ", update)}
		if diff := cmp.Diff(want, got); diff != "" || rep.Holds {
			t.Errorf("holds %v (-want +got):\n%s", rep.Holds, diff)
		}
		var skipped []string
		for _, s := range rep.Skipped {
			skipped = append(skipped, fmt.Sprint(s.File, " ", s.Broken))
			if s.Reason == "" || strings.Contains(s.Reason, e.Dir) {
				t.Errorf("%s: %q", s.File, s.Reason)
			}
		}
		if diff := cmp.Diff([]string{"cut.json true", "empty.json false", "large.json true", "later.json true", "list.json false", "other.json false", "text.json false"}, skipped); diff != "" {
			t.Errorf("skipped (-want +got):\n%s", diff)
		}
		data, err := os.ReadFile(filepath.Join(e.Dir, "moved.json"))
		if err != nil || strings.Contains(string(data), "new places") != update {
			t.Errorf("update %v: %v, the file is\n%s", update, err, data)
		}
		for _, name := range []string{"holds.json", "fails.json"} {
			if data, err := os.ReadFile(filepath.Join(e.Dir, name)); err != nil || string(data) != files[name] {
				t.Errorf("%s was written, %v", name, err)
			}
		}
		if info, err := os.Stat(filepath.Join(e.Dir, "moved.json")); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("who may read the file: %v, %v", info.Mode(), err)
		}
	}
	if rep, err := Check(t.Context(), e, []string{"holds.json"}, states(nil), true); err != nil || !rep.Holds {
		t.Errorf("one that holds: %+v, %v", rep, err)
	}
	e = here(t, map[string]string{"error.json": sealed(t, "error")})
	if _, err := Check(t.Context(), e, []string{"error.json"}, states(nil), false); err == nil || err.Error() != "error.json: no source" {
		t.Errorf("an error of the check: %v", err)
	}
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	e = here(t, map[string]string{"holds.json": sealed(t, "holds")})
	if _, err := Check(ended, e, []string{"holds.json"}, states(nil), false); !errors.Is(err, context.Canceled) {
		t.Errorf("after the end: %v", err)
	}
}

// An answer behind a link that leads out of the folder is not written through it.
func TestCheckLink(t *testing.T) {
	e := here(t, nil)
	outside := filepath.Join(t.TempDir(), "moved.json")
	if err := os.WriteFile(outside, []byte(sealed(t, "moved")), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(outside, filepath.Join(e.Dir, "moved.json")); err != nil {
		t.Skip(err)
	}
	again, err := evidence.ReadAnswer(strings.NewReader(sealed(t, "new places")))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := Check(t.Context(), e, []string{"moved.json"}, states(again), true); err == nil {
		t.Error("it was written")
	}
	if data, err := os.ReadFile(outside); err != nil || strings.Contains(string(data), "new places") {
		t.Errorf("the file outside was written: %v", err)
	}
}

// A watch tells what changed since it looked last, and nothing twice.
func TestWatch(t *testing.T) {
	e := here(t, map[string]string{"a/holds.json": sealed(t, "holds"), "a/fails.json": sealed(t, "fails")})
	w := NewWatch([]string{"a"}, states(nil))
	put := func(name, text string) {
		p := filepath.Join(e.Dir, "a", name)
		err := os.WriteFile(p, []byte(text), 0o666)
		if text == "" {
			err = os.Remove(p)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	for i, tt := range []struct {
		do     func()
		want   string // that held and do not any more, or the reverse
		broken string
		holds  bool
	}{
		{func() {}, "a/fails.json", "", false},
		{func() {}, "", "", false},
		{func() { put("holds.json", sealed(t, "fails")) }, "a/holds.json", "", false},
		{func() { put("holds.json", sealed(t, "holds")); put("fails.json", sealed(t, "holds")) }, "a/fails.json a/holds.json", "", true},
		{func() { put("new.json", sealed(t, "fails")) }, "a/new.json", "", false},
		{func() { put("new.json", "") }, "", "", true},
		{func() { put("cut.json", `{"format": 1, "text": "`) }, "", "a/cut.json", true},
		{func() {}, "", "", true},
		{func() { put("cut.json", "") }, "", "", true},
		{func() { put("cut.json", `{"format": 1, "text": "`) }, "", "a/cut.json", true},
	} {
		tt.do()
		rep, err := w.Look(t.Context(), e)
		if err != nil {
			t.Fatal(err)
		}
		var got, broken []string
		for _, f := range rep.Answers {
			got = append(got, filepath.ToSlash(f.File))
		}
		for _, s := range rep.Skipped {
			broken = append(broken, filepath.ToSlash(s.File))
		}
		slices.Sort(got)
		if strings.Join(got, " ") != tt.want || strings.Join(broken, " ") != tt.broken || rep.Holds != tt.holds {
			t.Errorf("look %d: %q, broken %q, holds %v", i+1, got, broken, rep.Holds)
		}
	}
}

func TestWriteText(t *testing.T) {
	long := strings.TrimSpace(strings.Repeat("word ", 60))
	place := func(line int) evidence.Place { return evidence.Place{Path: "a.py", Line: line, EndLine: line} }
	rep := &Report{Answers: []File{
		{"a.json", Holds, false, &evidence.Recheck{}},
		{"b.json", Moved, false, &evidence.Recheck{Items: slices.Concat(slices.Repeat([]evidence.ItemCheck{{Key: "C1", State: evidence.StateMoved, Was: place(1), At: place(9)}}, 10), []evidence.ItemCheck{{Key: "C2", State: evidence.StateHolds}})}},
		{"c\x1b[31m.json", Fails, false, &evidence.Recheck{
			Problems: []string{"sealed\nby another"},
			Items: []evidence.ItemCheck{
				{Key: "C1", State: evidence.StateChanged, Was: place(1), At: place(2), Words: []evidence.WordChange{{Kept: long + " "}, {Went: "12", Came: "9\x1b[31m"}, {Kept: " " + long}}, Cited: []int{0, 1}},
				{Key: "C2", State: evidence.StateGone, Was: place(3), At: place(4), Text: "old", Now: "near", Score: .42, Cited: []int{2}},
				{Key: "C3", State: evidence.StateUnread, Was: place(5), Note: "no\nfile"},
			},
			Sentences: []evidence.SentenceCheck{
				{Text: "One " + long, Keys: []string{"C1"}, Stands: true}, {Text: "Two", Keys: []string{"C1"}, Holds: true, Reason: "a judge\nsays so"}, {Text: "Three", Keys: []string{"C2"}}, {Text: "Four", Reason: "no key"},
			},
		}},
	}}
	want := `holds    a.json
moved    b.json  (it holds; 10 of 11 pieces of evidence moved: verify --all --update writes the new places)
` + strings.Repeat("  [C1] moved  a.py:1 -> 9\n", 8) + `  and 2 pieces more moved
FAILS    c[U+001B][31m.json  (4 sentences, 3 no longer hold)
  sealed by another
  [C1] changed  a.py:1 -> 2
       ... word word word word word word word [-12-]{+9[U+001B][31m+} word word word word word word word ...
       cited by: One ` + (long + " ")[:160-4] + `...
                 (its own words still stand there)
       cited by: Two
                 (it holds: a judge says so)
  [C2] gone  a.py:3; the nearest to it, 42% alike, is in a.py:4
       was: old
       now: near
       cited by: Three
  [C3] unread  a.py:5  (no file)
  Four
       no key
3 answers: 1 holds, 1 holds at new places, 1 no longer holds
`
	var b bytes.Buffer
	if err := rep.WriteText(&b, Plain()); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, b.String()); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	failing := writerFunc(func([]byte) (int, error) { return 0, os.ErrClosed })
	if err := rep.WriteText(failing, Coloured()); !errors.Is(err, os.ErrClosed) {
		t.Errorf("a writer that fails: %v", err)
	}
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(p []byte) (int, error) { return f(p) }
