package edit

import (
	"bytes"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/google/go-cmp/cmp"
)

// TestDiff: git applies what Rename writes, and comes to the text with the edits.
func TestDiff(t *testing.T) {
	git, err := exec.LookPath("git")
	if err != nil {
		t.Skip("git is not installed")
	}
	at := func(line, from, to int, old, text string) Edit {
		return Edit{Location: place.Location{Line: line, Col: from, EndLine: line, EndCol: to}, Old: old, New: text}
	}
	for name, tt := range map[string]struct {
		text  string
		edits []Edit
	}{
		"one":             {"a\nb x\nc\n", []Edit{at(2, 3, 4, "x", "yy")}},
		"two in a line":   {"x x\n", []Edit{at(1, 1, 2, "x", "yy"), at(1, 3, 4, "x", "yy")}},
		"neighbours":      {"x\nx\n1\n", []Edit{at(1, 1, 2, "x", "y"), at(2, 1, 2, "x", "y")}},
		"far apart":       {"x\n" + strings.Repeat("line\n", 30) + "x\n" + strings.Repeat("line\n", 7) + "x\n", []Edit{at(1, 1, 2, "x", "y"), at(32, 1, 2, "x", "y"), at(40, 1, 2, "x", "y")}},
		"no end of line":  {"a\nx", []Edit{at(2, 1, 2, "x", "y")}},
		"crlf":            {"a\r\nx\r\nb\r\n", []Edit{at(2, 1, 2, "x", "y")}},
		"more lines":      {"a\nx\nb\nc\nd\ne\nf\ng\nh\nx\n", []Edit{at(2, 1, 2, "x", "1\n2\n3"), at(10, 1, 2, "x", "y")}},
		"fewer lines":     {"a\nb\nc\nx\n", []Edit{{Location: place.Location{Line: 1, Col: 1, EndLine: 3, EndCol: 1}, New: ""}, at(4, 1, 2, "x", "y")}},
		"joined lines":    {"a\nb\nc\n", []Edit{{Location: place.Location{Line: 1, Col: 2, EndLine: 2, EndCol: 1}, New: ""}}},
		"at the end":      {"a\n", []Edit{{Location: place.Location{Line: 2, Col: 1, EndLine: 2, EndCol: 1}, New: "b\n"}}},
		"an old mac line": {"a\rx\rb\nc\n", []Edit{at(2, 1, 2, "x", "y")}},
		"all gone":        {"a\nb\n", []Edit{{Location: place.Location{Line: 1, Col: 1, EndLine: 3, EndCol: 1}, New: ""}}},
	} {
		for _, file := range []string{"f.txt", "a b/ü \"q\".txt"} {
			for _, around := range []int{0, 3} {
				root := t.TempDir()
				path := filepath.Join(root, filepath.FromSlash(file))
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(tt.text), 0o644)); err != nil {
					t.Fatal(err)
				}
				text := source.NewText([]byte(tt.text))
				var diff bytes.Buffer
				if err := writeDiff(&diff, FileEdits{file, tt.edits}, text, around); err != nil {
					t.Fatal(err)
				}
				args := []string{"apply", "-p1", "--unidiff-zero", "--whitespace=nowarn", "-"}
				cmd := exec.Command(git, args...)
				cmd.Dir, cmd.Stdin = root, strings.NewReader(diff.String())
				if out, err := cmd.CombinedOutput(); err != nil {
					t.Errorf("%s: git apply: %v: %s\n%s", name, err, out, diff.String())
					continue
				}
				got, err := os.ReadFile(filepath.Join(root, filepath.FromSlash(file)))
				if err != nil && !(name == "all gone" && errors.Is(err, os.ErrNotExist)) {
					t.Fatal(err)
				}
				if d := cmp.Diff(string(Apply(text, tt.edits)), string(got)); d != "" {
					t.Errorf("%s (-want +got):\n%s\n%s", name, d, diff.String())
				}
			}
		}
	}
}

// FuzzSmallest: the small edits come to the same text as the big one, lie apart, and stay inside it.
func FuzzSmallest(f *testing.F) {
	f.Add("a b\nc\n", "a x\nc\n")
	f.Add("a b\nc", "a\n\nx y\nc")
	f.Add("é\r\nb", "é\rb")
	f.Fuzz(func(t *testing.T, old, fresh string) {
		if len(old) > 2000 || len(fresh) > 2000 {
			return
		}
		text := source.NewText([]byte(old))
		line, col := text.Place(len(text.Bytes))
		list := smallest(text, Edit{Location: place.Location{Line: 1, Col: 1, EndLine: line, EndCol: col}, New: fresh})
		for i, e := range list {
			if i > 0 && list[i-1].Location.Overlaps(e.Location) {
				t.Fatalf("edits overlap: %+v", list)
			}
			if from, to := text.Offset(e.Location.Line, e.Location.Col), text.Offset(e.Location.EndLine, e.Location.EndCol); old[from:to] != e.Old {
				t.Fatalf("%+v is at %q", e, old[from:to])
			}
		}
		if got := string(Apply(text, list)); got != fresh {
			t.Fatalf("%q with %+v is %q, want %q", old, list, got, fresh)
		}
	})
}
