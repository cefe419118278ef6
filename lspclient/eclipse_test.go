package lspclient

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/project"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/google/go-cmp/cmp"
)

// javaServer is a server for Java on a new root with files, without a process.
func javaServer(t *testing.T, files map[string]string) (*session.Server, *project.DataFolder) {
	t.Helper()
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	root := t.TempDir()
	writeFiles(t, root, files)
	c, err := Open(t.Context(), root, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	for _, s := range c.pool.Registry.Specs {
		if s.Name == "jdtls" {
			d, err := project.OpenData(c.pool.Registry.Inside, s.Name, s.Commands[0].Args)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { d.Close() })
			return &session.Server{Pool: c.pool, Spec: s, Install: &registry.Install{}, Folder: c.pool.Tree.Root()}, d
		}
	}
	t.Fatal("no entry jdtls")
	return nil, nil
}

func TestEclipseProject(t *testing.T) {
	v, d := javaServer(t, map[string]string{
		"pom.xml":                                "<project/>",
		"core/src/main/java/a/b/C.java":          "package a.b;\nclass C {}\n",
		"core/src/main/java/module-info.java":    "module m { }\n",
		"core/src/test/java/a/CTest.java":        "package a;\nimport org.junit.Test;\nclass CTest {}\n",
		"Script.java":                            "class Script {}\n",
		"templates/T.java":                       "package of.another.folder;\nclass T {}\n",
		"odd & <folder>/a/D.java":                "package a;\nclass D {}\n",
		"other/build/settings.gradle":            "",
		"other/build/src/main/java/x/Apart.java": "package x;\nclass Apart {}\n",
	})
	p, err := project.NewEclipse(t.Context(), v.Pool.Tree, v.Folder, v.Owns, "", d)
	if err != nil {
		t.Fatal(err)
	}
	var roots []string
	for _, r := range p.Roots {
		roots = append(roots, v.Pool.Tree.Relative(r))
	}
	// A file with another marker is of another workspace folder.
	if diff := cmp.Diff([]string{v.Pool.Tree.Relative(v.Folder), "core/src/main/java", "core/src/test/java", "odd & <folder>"}, roots); diff != "" {
		t.Errorf("source folders (-want +got):\n%s", diff)
	}
	var misfits []string
	for path := range p.Misfits {
		misfits = append(misfits, v.Pool.Tree.Relative(path))
	}
	if diff := cmp.Diff([]string{"templates/T.java"}, misfits); diff != "" {
		t.Errorf("files in no source folder (-want +got):\n%s", diff)
	}
	desc, err := os.ReadFile(filepath.Join(d.Project, ".project"))
	path, err2 := os.ReadFile(filepath.Join(d.Project, ".classpath"))
	if err := errors.Join(err, err2); err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(desc), "<locationURI>"+source.FileURI(filepath.Join(v.Folder, "odd & <folder>"))+"</locationURI>") {
		t.Errorf(".project has no link to the folder with the odd name:\n%s", desc)
	}
	if !strings.Contains(string(path), `excluding="module-info.java|core/src/main/java/|core/src/test/java/|odd &amp; &lt;folder&gt;/"`) {
		t.Errorf(".classpath does not keep the folders apart:\n%s", path)
	}
	facts, err := p.Read(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff("dependencies are not read, and 1 of 6 files import them: org.junit.Test", p.Lacks(facts)); diff != "" {
		t.Errorf("what it lacks (-want +got):\n%s", diff)
	}
	entries, err := filepath.Glob(filepath.Join(v.Folder, "*"))
	if err != nil || len(entries) != 6 {
		t.Errorf("the repository holds %v now, %v", entries, err)
	}
}

// TestEclipseProjectOutdated: which changes need another project.
func TestEclipseProjectOutdated(t *testing.T) {
	files := map[string]string{
		"src/a/A.java": "package a;\nclass A {}\n", "lost/B.java": "package b;\nclass B {}\n",
	}
	for name, tt := range map[string]struct{ path, text, want string }{
		"an edit":                      {"src/a/A.java", "package a;\nclass A { int x; }\n", ""},
		"a new file":                   {"src/a/New.java", "package a;\nclass New {}\n", ""},
		"a new package":                {"src/c/d/New.java", "package c.d;\nclass New {}\n", ""},
		"a new source folder":          {"gen/a/New.java", "package a;\nclass New {}\n", "gen became a source folder"},
		"a misfit in a source folder":  {"src/a/Odd.java", "package z;\nclass Odd {}\n", ""},
		"a misfit elsewhere":           {"tmp/Odd.java", "package z;\nclass Odd {}\n", "Odd.java lies in no source folder"},
		"a misfit that fits now":       {"lost/B.java", "class B {}\n", "lost became a source folder"},
		"a misfit as it was":           {"lost/B.java", "package b;\nclass B { int x; }\n", ""},
		"a misfit that went":           {"lost/B.java", "", "B.java is gone"},
		"a file that fits and is gone": {"src/a/A.java", "", ""},
		"no Java file":                 {"src/a/notes.txt", "text", ""},
	} {
		v, d := javaServer(t, files)
		p, err := project.NewEclipse(t.Context(), v.Pool.Tree, v.Folder, v.Owns, "", d)
		if err != nil {
			t.Fatal(err)
		}
		abs := filepath.Join(v.Folder, filepath.FromSlash(tt.path))
		if tt.text == "" {
			if err := os.Remove(abs); err != nil {
				t.Fatal(err)
			}
		} else {
			writeFiles(t, v.Folder, map[string]string{tt.path: tt.text})
		}
		if got := p.Outdated(abs); got != tt.want {
			t.Errorf("%s: outdated = %q, want %q", name, got, tt.want)
		}
	}
}

// TestDataFolder: a second process gets a folder of its own, what one left behind is gone for the next, and a cache folder
// inside the root is refused.
func TestDataFolder(t *testing.T) {
	v, first := javaServer(t, map[string]string{"A.java": "class A {}\n"})
	args := v.Spec.Commands[0].Args
	second, err := project.OpenData(v.Pool.Registry.Inside, "jdtls", args)
	if err != nil {
		t.Fatal(err)
	}
	if first.Home == second.Home {
		t.Fatalf("two processes share %s", first.Home)
	}
	if got := first.Fill([]string{"-data", registry.DataArg}); got[1] != first.Data {
		t.Errorf("the arguments are %q", got)
	}
	left := filepath.Join(second.Data, "left")
	if err := errors.Join(os.WriteFile(left, nil, 0o600), second.Lock.Unlock()); err != nil { // as after a crash
		t.Fatal(err)
	}
	third, err := project.OpenData(v.Pool.Registry.Inside, "jdtls", args)
	if err != nil {
		t.Fatal(err)
	}
	defer third.Close()
	if third.Home != second.Home {
		t.Errorf("the free folder %s is not used again, but %s", second.Home, third.Home)
	}
	if _, err := os.Stat(left); err == nil {
		t.Error("what the last process left is still there")
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(v.Folder, "cache"))
	if d, err := project.OpenData(v.Pool.Registry.Inside, "jdtls", args); !errors.Is(err, ErrUnsupported) {
		t.Errorf("a data folder inside the repository: %+v, %v", d, err)
	}
	t.Setenv("XDG_CACHE_HOME", filepath.Join(t.TempDir(), "with a space"))
	d, err := project.OpenData(v.Pool.Registry.Inside, "jdtls", args)
	if err != nil {
		t.Fatal(err)
	}
	defer d.Close()
	if diff := cmp.Diff([]string{"A=-x -z", "B=1"}, d.FillEnv([]string{"A=-x -y={shared} -z", "B=1"})); diff != "" {
		t.Errorf("the environment (-want +got):\n%s", diff)
	}
}

// TestRuntime: the first Java that is new enough counts, that of the variable before PATH.
func TestRuntime(t *testing.T) {
	if _, err := os.Stat("/bin/sh"); err != nil {
		t.Skip("the programs are scripts for a shell")
	}
	java := func(version string) string {
		home := t.TempDir()
		path := filepath.Join(home, "bin", "java")
		writeFiles(t, home, map[string]string{"bin/java": "#!/bin/sh\necho 'openjdk version \"" + version + "\"' >&2\n"})
		if err := os.Chmod(path, 0o755); err != nil {
			t.Fatal(err)
		}
		return home
	}
	v, _ := javaServer(t, map[string]string{"A.java": "class A {}\n"})
	rule := v.Spec.Commands[0].Runtime
	old, fits, newer := java("17.0.15"), java("21"), java("25.0.3")
	for _, tt := range []struct {
		home string
		path []string
		want string
	}{
		{"", []string{old, fits, newer}, fits}, {newer, []string{fits}, newer}, {old, []string{old, newer}, newer}, {"", []string{old}, ""}, {"relative", nil, ""},
	} {
		t.Setenv("JAVA_HOME", tt.home)
		var dirs []string
		for _, p := range tt.path {
			dirs = append(dirs, filepath.Join(p, "bin"))
		}
		t.Setenv("PATH", strings.Join(dirs, string(os.PathListSeparator)))
		found, err := v.Pool.Registry.LookRuntime(v.Spec, rule)
		if tt.want == "" {
			if err == nil || !strings.Contains(err.Error(), "java") {
				t.Errorf("JAVA_HOME %q, PATH %q: %+v, %v", tt.home, tt.path, found, err)
			}
			continue
		}
		if err != nil || found.Home != tt.want {
			t.Errorf("JAVA_HOME %q, PATH %q: %+v, %v, want %s", tt.home, tt.path, found, err, tt.want)
			continue
		}
		env := found.Environ(rule, []string{"JAVA_HOME=/old", "PATH=/usr/bin", "X=1"})
		if diff := cmp.Diff([]string{"PATH=" + filepath.Join(tt.want, "bin") + ":/usr/bin", "X=1", "JAVA_HOME=" + tt.want}, env); diff != "" {
			t.Errorf("the environment (-want +got):\n%s", diff)
		}
	}
}
