package pack

import (
	"archive/tar"
	"archive/zip"
	"bytes"
	"compress/gzip"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/skill"
)

func skillText(name, rest string) string {
	return "---\nname: " + name + "\ndescription: Does " + name + ".\nallowed-tools: search_internal write_file\n---\n" + rest
}

const guarded = "```yaml workflow\nguards: [{deny: [write_file], until: passed.enough && approved.ok}]\nsteps:\n  - {id: papers, search: {for: x}}\n  - {id: enough, require: docs(papers) >= 2}\n  - {id: ok, approve: go}\n```\n"

type entry struct {
	name, text string
	mode       fs.FileMode
}

func zipOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	w := zip.NewWriter(&b)
	for _, e := range entries {
		h := &zip.FileHeader{Name: e.name, Method: zip.Deflate}
		h.SetMode(e.mode | 0o644)
		f, err := w.CreateHeader(h)
		if err == nil {
			_, err = f.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func tarOf(t testing.TB, entries ...entry) []byte {
	t.Helper()
	var b bytes.Buffer
	z := gzip.NewWriter(&b)
	w := tar.NewWriter(z)
	for _, e := range entries {
		h := &tar.Header{Name: e.name, Size: int64(len(e.text)), Mode: 0o644, Typeflag: tar.TypeReg}
		switch {
		case e.mode&fs.ModeSymlink != 0:
			h.Typeflag, h.Linkname, h.Size = tar.TypeSymlink, e.text, 0
		case e.mode&fs.ModeNamedPipe != 0:
			h.Typeflag = tar.TypeFifo
		case e.mode.IsDir():
			h.Typeflag = tar.TypeDir
		}
		err := w.WriteHeader(h)
		if err == nil && h.Size > 0 {
			_, err = w.Write([]byte(e.text))
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func write(t *testing.T, file string, data []byte) string {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(file), 0o777); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(file, data, 0o666); err != nil {
		t.Fatal(err)
	}
	return file
}

func read(t *testing.T, source string) *Content {
	t.Helper()
	c, err := Read(source)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// TestSourcesAreOne reads the same pack as a folder and as archives.
func TestSourcesAreOne(t *testing.T) {
	files := []entry{
		{"methods/one/SKILL.md", skillText("one", guarded), 0}, {"methods/one/references/w.tsv", "a\tb\n", 0},
		{"methods/two/SKILL.md", skillText("two", "Text.\n"), 0}, {"methods/README.md", "read", 0}, {"methods/.git/config", "x", 0}, {"__MACOSX/x", "x", 0},
	}
	dir := t.TempDir()
	for _, f := range files {
		write(t, filepath.Join(dir, "Methods 1.2", filepath.FromSlash(f.name)), []byte(f.text))
	}
	sources := []string{
		filepath.Join(dir, "Methods 1.2"), write(t, filepath.Join(dir, "methods-1.2.zip"), zipOf(t, files...)),
		write(t, filepath.Join(dir, "methods-1.2.tar.gz"), tarOf(t, append([]entry{{"methods/", "", fs.ModeDir}}, files...)...)),
	}
	var first Pack
	for i, source := range sources {
		c := read(t, source)
		p := c.Pin()
		if c.Name != "methods-1-2" || len(p.Skills) != 2 || len(p.Skills[0].Files) != 2 {
			t.Errorf("%s: %+v", source, p)
		}
		if p.Source = ""; i == 0 {
			first = p
		}
		if diff := cmp.Diff(first, p); diff != "" {
			t.Errorf("%s (-folder +archive)\n%s", source, diff)
		}
	}
}

// TestHostileArchives has what must not be taken in.
func TestHostileArchives(t *testing.T) {
	good := entry{"one/SKILL.md", skillText("one", guarded), 0}
	many := []entry{good}
	for i := range maxEntries {
		many = append(many, entry{fmt.Sprintf("one/%d", i), "", 0})
	}
	tests := map[string]struct {
		entries []entry
		want    string
	}{
		"parent":        {[]entry{good, {"../x", "x", 0}}, "leaves the pack"},
		"parent inside": {[]entry{good, {"one/../../x", "x", 0}}, "leaves the pack"},
		"unclean":       {[]entry{good, {"one/../one/x", "x", 0}}, "leaves the pack"},
		"absolute":      {[]entry{good, {"/etc/x", "x", 0}}, "leaves the pack"},
		"backslash":     {[]entry{good, {`one\..\..\x`, "x", 0}}, "leaves the pack"},
		"drive":         {[]entry{good, {"C:x", "x", 0}}, "leaves the pack"},
		"control":       {[]entry{good, {"one/a\x1bb", "x", 0}}, "leaves the pack"},
		"link":          {[]entry{good, {"one/l", "/etc/passwd", fs.ModeSymlink}}, "a pack has no links"},
		"pipe":          {[]entry{good, {"one/p", "", fs.ModeNamedPipe}}, "a pack has no links"},
		"twice":         {[]entry{good, {"one/skill.md", "x", 0}}, "the same file"},
		"dot at end":    {[]entry{good, {"one/a./x", "x", 0}}, "dot or space"},
		"long path":     {[]entry{good, {"one/" + strings.Repeat("x", 250), "x", 0}}, "more than 200 bytes"},
		"large file":    {[]entry{good, {"one/big", strings.Repeat("x", maxFile+1), 0}}, "more than"},
		"bomb":          {[]entry{good, {"one/a", strings.Repeat("x", 1<<20), 0}, {"one/b", strings.Repeat("x", 1<<20), 0}}, "all together"},
		"many":          {many, "more than 2000 entries"},
		"no skill":      {[]entry{{"README.md", "x", 0}}, "no folder of it has a SKILL.md"},
		"a bad skill":   {[]entry{good, {"two/SKILL.md", skillText("two", "```yaml workflow\nsteps: 5\n```\n"), 0}}, "two/SKILL.md"},
		"unknown use":   {[]entry{{"two/SKILL.md", skillText("two", "```yaml workflow\nsteps: [{id: a, use: missing}]\n```\n"), 0}}, "missing"},
	}
	for name, tt := range tests {
		for ext, make := range map[string]func(testing.TB, ...entry) []byte{".zip": zipOf, ".tgz": tarOf} {
			if _, err := Read(write(t, filepath.Join(t.TempDir(), "p"+ext), make(t, tt.entries...))); err == nil || !strings.Contains(err.Error(), tt.want) {
				t.Errorf("%s%s: %v, want %q", name, ext, err, tt.want)
			}
		}
	}
	for name, data := range map[string]string{"x.zip": "PK", "x.tgz": "\x1f\x8b", "x.tar": "x", "x.rar": "x", "x.zip ": ""} {
		if _, err := Read(write(t, filepath.Join(t.TempDir(), name), []byte(data))); err == nil {
			t.Errorf("%s: no error", name)
		}
	}
}

// project is a project with a pack in it.
func project(t *testing.T, entries ...entry) (dir string, in *Installation, c *Content) {
	t.Helper()
	dir = t.TempDir()
	c = read(t, write(t, filepath.Join(t.TempDir(), "methods.zip"), zipOf(t, entries...)))
	in = Dir(dir)
	if err := in.Add(c, []string{"who-calls"}); err != nil {
		t.Fatal(err)
	}
	return dir, in, c
}

func TestLife(t *testing.T) {
	one, two := entry{"one/SKILL.md", skillText("one", guarded), 0}, entry{"two/SKILL.md", skillText("two", "Text.\n"), 0}
	dir, in, c := project(t, one, two)
	at := filepath.Join(dir, ".agents", "skills")
	if differ, err := in.Verify(); err != nil || len(differ) != 0 {
		t.Errorf("Verify = %v, %v", differ, err)
	}
	fsys, err := skill.Dir(at)
	if err != nil {
		t.Fatal(err)
	}
	if skills, err := skill.Load(fsys); err != nil || len(skills) != 2 {
		t.Errorf("the workspace finds %d skills, %v", len(skills), err)
	}
	if err := in.Add(c, nil); err == nil || !strings.Contains(err.Error(), "already installed") {
		t.Errorf("Add again = %v", err)
	}
	c.Name = "others"
	if err := in.Add(c, nil); err == nil || !strings.Contains(err.Error(), "there is one of that name: rename") {
		t.Errorf("Add under another name = %v", err)
	}
	shipped := read(t, write(t, filepath.Join(t.TempDir(), "s.zip"), zipOf(t, entry{"who-calls/SKILL.md", skillText("who-calls", "x"), 0})))
	if err := in.Add(shipped, []string{"who-calls"}); err == nil || !strings.Contains(err.Error(), "there is one of that name") {
		t.Errorf("Add over a shipped skill = %v", err)
	}

	write(t, filepath.Join(at, "one", "SKILL.md"), []byte("changed"))
	write(t, filepath.Join(at, "one", "new.txt"), []byte("x"))
	write(t, filepath.Join(at, "one", "tests", "run.jsonl"), []byte("x"))
	if err := os.Remove(filepath.Join(at, "two", "SKILL.md")); err != nil {
		t.Fatal(err)
	}
	differ, err := in.Verify()
	want := []Difference{{"methods", "one", "SKILL.md", "changed"}, {"methods", "one", "new.txt", "added"}, {"methods", "two", "SKILL.md", "missing"}}
	if diff := cmp.Diff(want, differ); diff != "" || err != nil {
		t.Errorf("Verify, %v (-want +got)\n%s", err, diff)
	}
	if _, err := in.Remove("methods", false); err == nil || !strings.Contains(err.Error(), "--force") {
		t.Errorf("Remove of a changed pack = %v", err)
	}
	if _, err := in.Remove("methods", true); err != nil {
		t.Error(err)
	}
	if entries, err := os.ReadDir(at); err != nil || len(entries) != 1 || entries[0].Name() != "packs.lock" {
		t.Errorf("behind Remove: %v, %v", entries, err)
	}
	if _, err := in.Remove("methods", true); err == nil {
		t.Error("removed twice")
	}
}

func TestUpdate(t *testing.T) {
	one, two := entry{"one/SKILL.md", skillText("one", guarded), 0}, entry{"two/SKILL.md", skillText("two", "Text.\n"), 0}
	dir, in, _ := project(t, one, two)
	weaker := strings.NewReplacer(" && approved.ok", "", ">= 2", ">= 1").Replace(guarded)
	next := read(t, write(t, filepath.Join(t.TempDir(), "methods.zip"), zipOf(t, entry{"one/SKILL.md", skillText("one", weaker), 0}, entry{"three/SKILL.md", skillText("three", "x"), 0})))
	u, err := in.PlanUpdate(next, nil)
	if err != nil {
		t.Fatal(err)
	}
	if u.Empty() || cmp.Diff([]string{"three"}, u.Added)+cmp.Diff([]string{"two"}, u.Removed)+cmp.Diff([]string{"SKILL.md"}, u.Changed[0].Files) != "" {
		t.Errorf("PlanUpdate = %+v", u)
	}
	want := []string{"one: write_file no longer waits for approved.ok", "one: gate enough: require docs(papers) >= 1, before require docs(papers) >= 2"}
	if diff := cmp.Diff(want, u.Weakened); diff != "" {
		t.Errorf("weakened (-want +got)\n%s", diff)
	}
	file := filepath.Join(dir, ".agents", "skills", "one", "SKILL.md")
	write(t, file, []byte(skillText("one", "mine")))
	if err := in.Update(u, false); err == nil || !strings.Contains(err.Error(), "was changed here") {
		t.Errorf("Update over a changed file = %v", err)
	}
	if err := in.Update(u, true); err != nil {
		t.Fatal(err)
	}
	if differ, err := in.Verify(); err != nil || len(differ) != 0 {
		t.Errorf("Verify = %v, %v", differ, err)
	}
	if err := in.Update(u, true); err == nil || !strings.Contains(err.Error(), "meanwhile") {
		t.Errorf("the same update again = %v", err)
	}
	if u, err := in.PlanUpdate(next, nil); err != nil || !u.Empty() {
		t.Errorf("PlanUpdate of the same = %+v, %v", u, err)
	}
}

func TestWeakened(t *testing.T) {
	parse := func(text string) *skill.Skill {
		s, err := skill.Parse("SKILL.md", skillText("one", text))
		if err != nil {
			t.Fatal(err)
		}
		return s
	}
	old := parse(guarded)
	for name, tt := range map[string]struct{ text, want string }{
		"same":       {guarded, ""},
		"stronger":   {strings.Replace(guarded, "[write_file]", "[write_file, run_command]", 1), ""},
		"no guard":   {strings.Replace(guarded, "guards: [{deny: [write_file], until: passed.enough && approved.ok}]\n", "", 1), "no guard denies write_file any more"},
		"no flow":    {"Text.\n", "no guard denies write_file any more"},
		"unattended": {strings.Replace(guarded, "approve: go", "approve: go, unattended: approve", 1), "unattended approve"},
	} {
		got := strings.Join(Weakened(old, parse(tt.text)), "\n")
		if got != "" && tt.want == "" || !strings.Contains(got, tt.want) {
			t.Errorf("%s: %q, want %q", name, got, tt.want)
		}
	}
	free := parse(guarded)
	free.AllowedTools = append([]string{"run_command"}, free.AllowedTools...)
	if got := Weakened(old, free); len(got) != 2 || !strings.Contains(got[0], "may now call run_command") {
		t.Errorf("more tools: %q", got)
	}
}

// TestLinksOfTheProject has links where packs go: nothing is written outside of the project.
func TestLinksOfTheProject(t *testing.T) {
	c := read(t, write(t, filepath.Join(t.TempDir(), "methods.zip"), zipOf(t, entry{"one/SKILL.md", skillText("one", "x"), 0})))
	for _, link := range []string{".agents", ".agents/skills", ".agents/skills/one", ".agents/skills/packs.lock"} {
		dir, outside := t.TempDir(), t.TempDir()
		at := filepath.Join(dir, filepath.FromSlash(link))
		if err := os.MkdirAll(filepath.Dir(at), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(outside, at); err != nil {
			t.Skip(err)
		}
		if err := Dir(dir).Add(c, nil); err == nil {
			t.Errorf("%s leads out, and the pack was added", link)
		}
		if entries, err := os.ReadDir(outside); err != nil || len(entries) != 0 {
			t.Errorf("%s: outside: %v, %v", link, entries, err)
		}
	}
}

func TestLock(t *testing.T) {
	dir := t.TempDir()
	for _, text := range []string{"", "{", `{"version":2}`, `{"version":1,"packs":[{"name":"a","skills":[{"name":"../../x"}]}]}`} {
		write(t, filepath.Join(dir, filepath.FromSlash(lockFile)), []byte(text))
		if _, err := Dir(dir).List(); err == nil || !strings.Contains(err.Error(), "packs.lock") {
			t.Errorf("%q: %v", text, err)
		}
	}
}

func FuzzArchive(f *testing.F) {
	good := []entry{{"one/SKILL.md", skillText("one", guarded), 0}, {"one/x/y.txt", "x", 0}}
	f.Add(true, zipOf(f, good...))
	f.Add(false, tarOf(f, good...))
	f.Fuzz(func(t *testing.T, zipped bool, data []byte) {
		name := map[bool]string{true: "p.zip", false: "p.tgz"}[zipped]
		g := &gatherer{files: map[string][]byte{}, folded: map[string]string{}}
		if err := g.archive(name, data); err != nil {
			return
		}
		total := 0
		for name, data := range g.files {
			total += len(data)
			if !filepath.IsLocal(name) || strings.Contains(name, `\`) {
				t.Errorf("%q leaves the pack", name)
			}
		}
		if total > max(freeRatio, maxRatio*len(data)) {
			t.Errorf("%d bytes of %d", total, len(data))
		}
		_, _ = g.content()
	})
}
