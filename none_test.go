package findspot_test

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/runner"
)

// TestNoneIsNotClaimedFalsely makes runs end with nothing_found where something was left out, stands elsewhere or stands in another form.
func TestNoneIsNotClaimedFalsely(t *testing.T) {
	full := filled(t, nil)
	dir := write(t, map[string]string{
		"a.md":   "# Signals\n\nThe co-ordinates of a synchronization signal. Two antennae hear the base-station. The pre-amble is short.\n",
		"b.md":   "# Other\n\nNothing of that.\n",
		"c.pdf":  "%PDF-1.4\nno PDF at all\n",
		"ok.txt": "plain words",
	})
	broken := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), broken, dir); err != nil {
		t.Fatal(err)
	}
	forms := open(t, t.TempDir(), nil)
	if err := addDocs(t.Context(), forms, write(t, map[string]string{
		"a.md": "# Signals\n\nThe co-ordinates of a synchronization signal. Two antennae hear the base-station. The pre-amble is short.\nÜbertragung und STRASSE.\n"})); err != nil {
		t.Fatal(err)
	}
	gone := open(t, t.TempDir(), nil)
	away := write(t, map[string]string{"a.md": "# A\n\nWords.\n", "b.md": "# B\n\nWords.\n"})
	if err := addDocs(t.Context(), gone, away); err != nil {
		t.Fatal(err)
	}
	if err := os.Remove(filepath.Join(away, "a.md")); err != nil {
		t.Fatal(err)
	}
	code := func(files map[string]string) *findspot.Workspace {
		ws := open(t, t.TempDir(), nil)
		if _, err := ws.AddRepo(t.Context(), write(t, files), nil); err != nil {
			t.Fatal(err)
		}
		return ws
	}
	unread := code(map[string]string{"a.py": "def alone():\n    pass\n", "b.py": "def zebraquux():\n    pass\n\x00"})
	other := code(map[string]string{"a.py": "def alone():\n    pass\n", "b.foreign": "zebraquux\n"})
	noCode := code(map[string]string{"notes.foreign": "zebraquux\n"})
	tested := code(map[string]string{"a.py": "def alone():\n    pass\n", "tests/test_a.py": "def test_zebraquux():\n    pass\n"})
	made := code(map[string]string{"a.py": "def alone():\n    pass\n", "vendor/x/b.py": "def zebraquux():\n    pass\n"})
	repo := code(map[string]string{"a.py": "class Holder:\n    pass\n\ndef fetch_frames():\n    # Zebraquux\n    pass\n"})
	docs := func(args string) string { return "  - {id: d, call: search_internal, args: {" + args + "}}\n" }
	entity := func(args string) string { return "  - {id: c, call: search_entity, args: {" + args + "}}\n" }
	text := func(args string) string { return "  - {id: x, call: search_text, args: {" + args + "}}\n" }
	tests := []struct {
		name  string
		ws    *findspot.Workspace
		steps string
		want  string // the status, or of a proof what its reason says
	}{
		{"a file that failed to be read", broken, docs("query: zebraquux"), skill.StatusInsufficient},
		{"one document beside one that failed", broken, docs("query: zebraquux, doc: b.md"), "limited to: b.md"},
		{"a file that is gone", gone, docs("query: zebraquux"), skill.StatusInsufficient},
		{"one tier", full, docs("query: zebraquux, tiers: [any]"), skill.StatusInsufficient},
		{"strict", full, docs("query: zebraquux, strict: true"), skill.StatusVerifiedNone},
		{"a typo", full, docs("query: synchronizaton"), skill.StatusInsufficient},
		{"no word", full, docs("query: '---'"), skill.StatusInsufficient},
		{"stop words", full, docs("query: the of and"), skill.StatusInsufficient},
		{"what stands is left out", full, docs("query: 'synchronization -signal -synchronization'"), "limited to: without signal"},
		{"a date that no document has", full, docs("query: synchronization, from: 2190-01-01"), skill.StatusInsufficient},
		{"a format that is not there", full, docs("query: synchronization, formats: [html]"), skill.StatusInsufficient},
		{"a collection that is not there", full, docs("query: synchronization, collections: [nowhere]"), skill.StatusInsufficient},
		{"a title that is not there", full, docs("query: synchronization, title: zebraquux"), skill.StatusInsufficient},
		{"case", forms, docs("query: SYNCHRONIZATION"), skill.StatusInsufficient},
		{"plural", forms, docs("query: synchronizations"), skill.StatusInsufficient},
		{"spelling", forms, docs("query: coordinates"), skill.StatusInsufficient},
		{"a hyphen less, which the index does not join", forms, docs("query: basestation"), "found nothing"},
		{"a hyphen for a space", forms, docs("query: synchronization-signal"), skill.StatusInsufficient},
		{"another hyphen, the same", forms, docs("query: preamble"), "found nothing"},
		{"capital umlaut", forms, docs("query: übertragung"), skill.StatusInsufficient},
		{"sharp s", forms, docs("query: Straße"), skill.StatusInsufficient},
		{"decomposed umlaut", forms, docs("query: \"U\\u0308bertragung\""), skill.StatusInsufficient},
		{"in quotes, in another order", forms, docs("query: '\"signal synchronization\"'"), skill.StatusVerifiedNone},
		{"literal case", forms, docs("query: SYNCHRONIZATION, literal: true"), skill.StatusInsufficient},

		{"an unreadable file, by name", unread, entity("query: zebraquux"), skill.StatusInsufficient},
		{"an unreadable file, by text", unread, text("pattern: zebraquux"), skill.StatusInsufficient},
		{"a file that no front end reads", other, entity("query: zebraquux"), "found nothing"},
		{"no file that a front end reads", noCode, entity("query: zebraquux"), skill.StatusInsufficient},
		{"hidden tests", tested, entity("query: zebraquux"), skill.StatusInsufficient},
		{"shown tests", tested, entity("query: zebraquux, tests: true"), skill.StatusInsufficient},
		{"vendored", made, entity("query: zebraquux"), skill.StatusInsufficient},
		{"kinds that it is not of", repo, entity("query: fetch_frames, kinds: [class]"), "limited to: kinds class"},
		{"paths where it is not", repo, entity("query: fetch_frames, paths: [nowhere]"), "limited to: paths nowhere"},
		{"an entity in another case", repo, entity("query: FetchFrames"), skill.StatusInsufficient},
		{"skipped results", repo, entity("query: fetch_frames, skip: 10"), skill.StatusInsufficient},
		{"a glob of no file", repo, text("pattern: fetch_frames, path: '*.go'"), skill.StatusInsufficient},
		{"text in another case", repo, text("pattern: zebraquux"), skill.StatusInsufficient},
		{"a part, as a word", repo, text("pattern: fetch, word: true"), skill.StatusInsufficient},
		{"references of what has a near name", repo, "  - {id: r, call: references, args: {symbol: fetch_frame}}\n", skill.StatusInsufficient},
		{"lsp_references without a server", repo, "  - {id: r, call: lsp_references, args: {symbol: fetch_frames}, on_error: continue}\n", skill.StatusInsufficient},
		{"a refused argument", full, docs("query: zebraquux") + entity("query: 7, kinds: [nonsense]"), skill.StatusInsufficient},
		{"no documents at all", repo, docs("query: fetch_frames"), skill.StatusInsufficient},
		{"documents alone, of a name in code", full, docs("query: detect_pss_zebraquux, tiers: [phrase, all, any]"), skill.StatusInsufficient},
		{"documents alone", full, docs("query: zebraquux"), "found nothing"},
		{"both", full, docs("query: zebraquux") + entity("query: zebraquux"), skill.StatusVerifiedNone},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			out := nothing(t.Context(), t, tt.ws, "", tt.steps)
			if proof := tt.want != skill.StatusInsufficient; proof != (out.Status == skill.StatusVerifiedNone) || proof && tt.want != out.Status && !strings.Contains(out.Reason, tt.want) {
				t.Errorf("%s, want %s: %s", out.Status, tt.want, out.Reason)
			}
		})
	}
	guard := "allowed-tools: search_internal search_entity\nguards:\n  - {deny: [search_entity], until: passed.never}\n"
	out := nothing(t.Context(), t, full, guard, docs("query: zebraquux")+"  - {id: c, call: search_entity, args: {query: zebraquux}, on_error: continue}\n  - {id: never, when: 'false', require: 'true'}\n")
	if out.Status == skill.StatusVerifiedNone {
		t.Errorf("a search that a guard denied: %s: %s", out.Status, out.Reason)
	}
}

func nothing(ctx context.Context, t *testing.T, ws *findspot.Workspace, head, steps string) *runner.Outcome {
	t.Helper()
	front, guards, _ := strings.Cut(head, "\n")
	if front != "" {
		front += "\n"
	}
	s, err := skill.Parse("SKILL.md", "---\nname: none\ndescription: d\n"+front+"---\n```yaml workflow\n"+guards+"steps:\n"+steps+"  - {id: n, finish: nothing_found}\n```\n")
	if err != nil {
		t.Fatal(err)
	}
	out, err := runner.New(nil, ws.Tools(nil), nil).Run(ctx, s, nil)
	if err != nil {
		t.Fatal(err)
	}
	return out
}
