package lspclient

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// needRuntime skips the test when the program that runs an entry's server is missing, with what to install.
func needRuntime(t *testing.T, entry string) {
	t.Helper()
	specs, err := registry.Shipped()
	if err != nil {
		t.Fatal(err)
	}
	i := slices.IndexFunc(specs, func(s serverspec.Spec) bool { return s.Name == entry })
	if i < 0 || specs[i].Commands[0].Runtime.Program == "" {
		return
	}
	r, err := registry.New(t.Context(), t.TempDir(), nil)
	if err != nil {
		t.Fatal(err)
	}
	in, err := r.Install(t.Context(), &registry.Spec{Spec: specs[i]})
	if err != nil {
		t.Fatal(err)
	}
	if in.Path == "" {
		if slices.Contains(strings.Split(os.Getenv("FINDSPOT_REQUIRE"), ","), entry) {
			t.Fatalf("%s: %s (FINDSPOT_REQUIRE names it)", entry, in.Why)
		}
		t.Skipf("%s: %s; %s", entry, in.Why, specs[i].Install)
	}
}

// TestRealJava: what the server cannot resolve for want of dependencies is said, and no file of the repository is touched.
func TestRealJava(t *testing.T) {
	t.Parallel()
	need.Tool(t, "jdtls")
	needRuntime(t, "jdtls")
	if testing.Short() {
		t.Skip("a start takes long")
	}
	root := t.TempDir()
	files := map[string]string{
		"settings.gradle":            "include 'lib', 'app'\n",
		"lib/build.gradle":           "apply plugin: 'java'\n",
		"lib/src/main/java/a/A.java": "package a;\n\npublic class A {\n    public static int whole(int n) { return n; }\n    public static int lost(int n) { return n; }\n    public static int common() { return 1; }\n}\n",
		"lib/src/main/java/a/B.java": "package a;\n\nimport org.lib.Thing;\n\nclass B extends Thing {\n    int one() { return A.whole(2); }\n    int two(Thing t) { return A.lost(t.size()) + t.common(); }\n}\n",
		"app/src/main/java/m/M.java": "package m;\n\nimport static a.A.whole;\n\nrecord M(int x) {\n    int twice() { return whole(2) + a.A.whole(x); }\n}\n",
		"misc/Odd.java":              "package not.here;\n\nclass Odd { void odd() { odd(); } }\n",
	}
	writeFiles(t, root, files)
	before, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	c, err := Open(t.Context(), root, &Options{Timeout: 3 * time.Minute})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	refs := func(target Target) *Result {
		t.Helper()
		r, err := c.References(t.Context(), target, nil)
		if err != nil {
			t.Fatal(err)
		}
		return r
	}
	r := refs(Named("A.whole"))
	want := []string{"app/src/main/java/m/M.java:3", "app/src/main/java/m/M.java:6", "lib/src/main/java/a/B.java:6"}
	if diff := cmp.Diff(want, lines(r.Locations)); diff != "" || r.State != Complete {
		t.Errorf("every use of A.whole is resolved: %s %s (-want +got):\n%s", r.State, r.Reason, diff)
	}
	for name, place := range map[string]string{"A.lost": "B.java:7", "A.common": "B.java:7"} {
		r := refs(Named(name))
		if r.State == Complete && len(r.Locations) == 0 || r.State == Degraded && !strings.Contains(r.Reason, place) || r.None() {
			t.Errorf("References(%s) is %s (%s) with %v, and the server cannot know", name, r.State, r.Reason, lines(r.Locations))
		}
	}
	if d, err := c.Definition(t.Context(), At("lib/src/main/java/a/B.java", 5, 17), nil); err != nil || d.State != Degraded || !strings.Contains(d.Reason, "org.lib.Thing") {
		t.Errorf("the definition of a dependency's type: %+v, %v", d, err)
	}
	if d, err := c.Definition(t.Context(), At("lib/src/main/java/a/B.java", 6, 28), nil); err != nil || d.State != Complete || len(d.Locations) != 1 {
		t.Errorf("the definition of A.whole: %+v, %v", d, err)
	}
	if r, err := c.Implementation(t.Context(), Named("A"), nil); err != nil || r.State != Degraded {
		t.Errorf("implementations while a dependency is missing: %+v, %v", r, err)
	}
	if r := refs(At("misc/Odd.java", 3, 19)); r.State != Degraded {
		t.Errorf("references in a file of no source folder: %+v", r)
	}
	// A file that makes a source folder of its own.
	writeFiles(t, root, map[string]string{"gen/src/g/G.java": "package g;\nclass G { int x = a.A.whole(1); }\n"})
	if r := refs(Named("A.whole")); !slices.Contains(lines(r.Locations), "gen/src/g/G.java:2") || r.State != Complete {
		t.Errorf("a new source folder is not seen: %s %s %v", r.State, r.Reason, lines(r.Locations))
	}
	if err := os.RemoveAll(filepath.Join(root, "gen")); err != nil {
		t.Fatal(err)
	}
	if diff := cmp.Diff(want, lines(refs(Named("A.whole")).Locations)); diff != "" {
		t.Errorf("after the source folder is gone (-want +got):\n%s", diff)
	}
	// A type that was missing comes into a folder that is known.
	writeFiles(t, root, map[string]string{"lib/src/main/java/a/D.java": "package a;\nclass D { int d(Late l) { return A.lost(l.size()); } }\n"})
	if r := refs(Named("A.lost")); r.State != Degraded {
		t.Errorf("with an unknown type in the package: %s %v", r.State, lines(r.Locations))
	}
	writeFiles(t, root, map[string]string{"lib/src/main/java/a/Late.java": "package a;\nclass Late { int size() { return 1; } }\n"})
	if r := refs(Named("A.lost")); !slices.Contains(lines(r.Locations), "lib/src/main/java/a/D.java:2") {
		t.Errorf("with the type that was missing: %s %s %v", r.State, r.Reason, lines(r.Locations))
	}
	// With the type that was missing the doubt is gone.
	writeFiles(t, root, map[string]string{"lib/src/main/java/org/lib/Thing.java": "package org.lib;\npublic class Thing { public int size() { return 1; } public int common() { return 2; } }\n"})
	for name, n := range map[string]int{"A.lost": 2, "A.common": 0} {
		if r := refs(Named(name)); r.State != Complete || r.Total != n {
			t.Errorf("References(%s) once all is there: %s %s %v", name, r.State, r.Reason, lines(r.Locations))
		}
	}
	if r, err := c.Implementation(t.Context(), Named("Thing"), nil); err != nil || r.State != Complete || r.Total != 1 {
		t.Errorf("implementations once all is there: %+v, %v", r, err)
	}
	after, err := os.ReadDir(root)
	if err != nil {
		t.Fatal(err)
	}
	if len(after) != len(before) {
		t.Errorf("the root holds %v", after)
	}
	for path, text := range files {
		if data, err := os.ReadFile(filepath.Join(root, path)); err != nil || string(data) != text {
			t.Errorf("%s was changed: %v", path, err)
		}
		list, err := os.ReadDir(filepath.Dir(filepath.Join(root, path)))
		if err != nil || path != "settings.gradle" && len(list) > 4 {
			t.Errorf("the folder of %s holds %v, %v", path, list, err)
		}
	}
}
