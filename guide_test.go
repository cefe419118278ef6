package findspot_test

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/findspot/findspot"
)

// TestGuideKeepsTheRest writes the guide into files three times, the last time with other rules, and looks at every byte
// outside of the block.
func TestGuideKeepsTheRest(t *testing.T) {
	plain := open(t, t.TempDir(), &findspot.Options{})
	ruled := open(t, t.TempDir(), &findspot.Options{Rules: "No goto."})
	for _, old := range []string{"", "# Mine\n", "no end", "blank lines\n\n\n\n", "\xef\xbb\xbfdos\r\nlines\r\n", "bytes \x00\xff\n"} {
		path := filepath.Join(t.TempDir(), "AGENTS.md")
		if err := os.WriteFile(path, []byte(old), 0o600); err != nil {
			t.Fatal(err)
		}
		if changed, err := plain.WriteGuide(path); err != nil || !changed {
			t.Fatalf("WriteGuide(%q) = %v, %v", old, changed, err)
		}
		if changed, err := plain.WriteGuide(path); err != nil || changed {
			t.Errorf("WriteGuide(%q) again = %v, %v, want no change", old, changed, err)
		}
		tail := "\r\n\r\nafter \n\n"
		data, err := os.ReadFile(path)
		if err == nil {
			err = os.WriteFile(path, []byte(strings.TrimSuffix(string(data), "\n")+tail), 0o600)
		}
		if err != nil {
			t.Fatal(err)
		}
		link := filepath.Join(filepath.Dir(path), "link.md")
		if err := os.Symlink("AGENTS.md", link); err != nil {
			t.Skip("no symbolic links here:", err)
		}
		if changed, err := ruled.WriteGuide(link); err != nil || !changed {
			t.Fatalf("WriteGuide(%q) with rules = %v, %v", old, changed, err)
		}
		data, err = os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := string(data); !strings.HasPrefix(got, old) || !strings.HasSuffix(got, "-->"+tail) || !strings.Contains(got, "No goto.") {
			t.Errorf("WriteGuide(%q) did not keep the rest: %q ... %q", old, got[:40], got[len(got)-40:])
		}
		if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
			t.Errorf("the link is gone: %v, %v", info, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o600 {
			t.Errorf("permissions %v, %v, want 0600", info.Mode(), err)
		}
	}
}

// TestGuideTrace makes the calls that the guide shows, and finds the lines that it shows in their answers, in order.
func TestGuideTrace(t *testing.T) {
	guide, err := os.ReadFile("guide.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(guide), "\n```\n")
	trace, _, ok := strings.Cut(rest, "\n```\n")
	if !ok {
		t.Fatal("the guide has no trace between lines of ```")
	}
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.AddRepo(t.Context(), filepath.Join("examples", "testdata", "receiver"), nil); err != nil {
		t.Fatal(err)
	}
	tools := byName(ws.Tools(nil))
	var called []string
	answer := ""
	for line := range strings.SplitSeq(trace, "\n") {
		if call, ok := strings.CutPrefix(line, "> "); ok {
			name, args, _ := strings.Cut(call, " ")
			if tools[name].Call == nil {
				t.Fatalf("the guide calls %s, which is no tool", name)
			}
			called, answer = append(called, name), say(t.Context(), tools[name], args)
			continue
		}
		shown := strings.ReplaceAll(regexp.QuoteMeta(line), `\.\.\.`, ".*")
		at := regexp.MustCompile(`(?m)^` + shown + `$`).FindStringIndex(answer)
		if at == nil {
			t.Fatalf("after %v the guide shows\n%s\nwhich is not in what is left of the answer:\n%s", called, line, answer)
		}
		answer = answer[at[1]:]
	}
	if want := "locate search_entity traverse_graph retrieve_entity references"; strings.Join(called, " ") != want {
		t.Errorf("the guide calls %v, want %s", called, want)
	}
}
