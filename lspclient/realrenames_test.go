package lspclient

import (
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/lspclient/internal/edit"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	gocmp "github.com/google/go-cmp/cmp"
)

// renamings compares previews with the golden diffs: that of the repository, or that of the server where it differs.
func (e *edgeTest) renamings() {
	for _, one := range e.marks {
		if one.kind != "rename" {
			continue
		}
		targets := []Target{Named(one.args[0]), e.place(e.T, one.args[0])}
		for _, use := range e.marks {
			if n, alias := use.split2(); use.kind == "use" && n == one.args[0] && alias == n {
				targets = append(targets, At(use.path, use.line, e.columns(use.path, use.line, symbolname.Last(n))[0]))
			}
		}
		file := filepath.Join("testdata", "renames", e.s.repo+"."+one.args[1])
		own := file + "." + testName(e.s.entry, e.s.program) + ".diff"
		file += ".diff"
		for _, t := range targets {
			r, err := e.c.Rename(e.Context(), t, one.args[1], nil)
			if no := e.s.refuses[one.args[0]]; no != "" {
				if err == nil || !strings.Contains(err.Error(), no) {
					e.Errorf("renaming %v: %v, and yet the server is said to refuse it", t, err)
				}
				continue
			}
			_, degraded := e.want("renaming", one.args[0], nil)
			if err != nil || (r.State == Complete) == degraded {
				e.Errorf("renaming %v: %+v, %v", t, r, err)
				continue
			}
			want, err := os.ReadFile(own)
			if errors.Is(err, os.ErrNotExist) {
				want, err = os.ReadFile(file)
			}
			e.applies(r)
			diff := gocmp.Diff(string(want), r.Diff)
			if diff == "" && err == nil {
				continue
			}
			if *update {
				to := file
				if err == nil {
					to = own
				}
				if err := os.MkdirAll(filepath.Dir(to), 0o755); err != nil {
					e.Fatal(err)
				}
				if err := os.WriteFile(to, []byte(r.Diff), 0o644); err != nil {
					e.Fatal(err)
				}
				continue
			}
			e.Errorf("renaming %v: %v (-want +got):\n%s", t, err, diff)
		}
	}
}

// applies hands the diff of a renaming to git, which must make of the files what the edits make of them.
func (e *edgeTest) applies(r *RenameResult) {
	git, err := exec.LookPath("git")
	if err != nil {
		return
	}
	dir := e.TempDir()
	want := map[string]string{}
	for _, f := range r.Files {
		text := string(must(os.ReadFile(filepath.Join(e.root, f.Path))))
		writeFiles(e.T, dir, map[string]string{f.Path: text})
		mark := ""
		if e.texts[f.Path].BOM {
			mark = "\ufeff"
		}
		want[f.Path] = mark + string(edit.Apply(e.texts[f.Path], convert(f.Edits, func(e Edit) edit.Edit {
			return edit.Edit{Location: place.Location(e.Location), New: e.New}
		})))
	}
	cmd := exec.CommandContext(e.Context(), git, "apply", "--whitespace=nowarn", "-")
	cmd.Dir, cmd.Stdin = dir, strings.NewReader(r.Diff)
	if out, err := cmd.CombinedOutput(); err != nil {
		e.Errorf("the diff does not apply: %v: %s\n%s", err, out, r.Diff)
		return
	}
	for path, text := range want {
		if diff := gocmp.Diff(text, string(must(os.ReadFile(filepath.Join(dir, path))))); diff != "" {
			e.Errorf("%s after the diff (-want +got):\n%s", path, diff)
		}
	}
}
