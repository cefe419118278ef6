package swebench

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

const patch = `diff --git a/src/tide.py b/src/tide.py
index 1111111..2222222 100644
--- a/src/tide.py
+++ b/src/tide.py
@@ -3,5 +3,6 @@ def high(port):
     level = base(port)
-    return level
+    level += surge(port)
+    return level

 def low(port):
     pass
@@ -20,2 +21,3 @@
 last = 1
+--- not a header
 end = 2
diff --git a/docs/new.md b/docs/new.md
new file mode 100644
--- /dev/null
+++ b/docs/new.md
@@ -0,0 +1 @@
+# New
\ No newline at end of file
diff --git a/old.py b/young.py
similarity index 100%
rename from old.py
rename to young.py
diff --git a/a b.py b/c d.py
similarity index 90%
rename from a b.py
rename to c d.py
--- "a/a b.py"
+++ "b/c d.py"
@@ -1 +0,0 @@
-x = 1
diff --git a/gone.py b/gone.py
deleted file mode 100644
--- a/gone.py	2026-01-01 00:00:00
+++ /dev/null
@@ -1,2 +0,0 @@
-a
-b
diff --git a/top.py b/top.py
--- a/top.py
+++ b/top.py
@@ -0,0 +1,2 @@
+import os
+
`

func TestChanges(t *testing.T) {
	got, err := Changes(patch)
	if err != nil {
		t.Fatal(err)
	}
	want := []Change{
		{Path: "src/tide.py", Removed: []int{4}, Added: []int{20}},
		{Path: "docs/new.md", New: true},
		{Path: "old.py"},
		{Path: "a b.py", Removed: []int{1}},
		{Path: "gone.py", Removed: []int{1, 2}},
		{Path: "top.py", Added: []int{0}},
	}
	for i := range got {
		if len(got[i].Added) == 0 {
			got[i].Added = nil
		}
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

func TestBrokenPatches(t *testing.T) {
	for name, tt := range map[string]struct{ patch, want string }{
		"leaves the repository": {"--- a/../etc/passwd\n+++ b/../etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", `"../etc/passwd"`},
		"an absolute path":      {"--- /etc/passwd\n+++ /etc/passwd\n@@ -1 +1 @@\n-a\n+b\n", `"/etc/passwd"`},
		"no file":               {"@@ -1 +1 @@\n-a\n+b\n", "line 1"},
		"cut off":               {"--- a/x\n+++ b/x\n@@ -1,3 +1,3 @@\n a\n", "x ends early"},
		"a hunk too long":       {"--- a/x\n+++ b/x\n@@ -1,1 +1,1 @@\n-a\n-b\n+c\n", "line 5"},
		"line 0":                {"--- a/x\n+++ b/x\n@@ -0,1 +1,2 @@\n+a\n b\n", "line 3"},
		"no hunk":               {"--- a/x\n+++ b/x\n@@ -one +1 @@\n", "line 3"},
	} {
		if got, err := Changes(tt.patch); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

const issue = `{"instance_id": "o__n-1", "repo": "o/n", "base_commit": "0123456789abcdef", "problem_statement": "It fails", "patch": "--- a/x\n", "hints_text": ""}`

func TestRead(t *testing.T) {
	for name, text := range map[string]string{"lines": issue + "\n\n", "an array": "[" + issue + "]"} {
		got, err := Read(strings.NewReader(text))
		if err != nil || len(got) != 1 || got[0].ID != "o__n-1" || got[0].Repo != "o/n" || got[0].Patch == "" {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
	for name, tt := range map[string]struct{ text, want string }{
		"nothing":           {"", "no issues"},
		"Parquet":           {"PAR1....", "export it"},
		"no JSON":           {issue + "\n{", "line 2"},
		"twice":             {issue + "\n" + issue, "twice"},
		"an id with a path": {strings.Replace(issue, "o__n-1", "../x", 1), "instance_id"},
		"a repo with more":  {strings.Replace(issue, "o/n", "o/n/../..", 1), "repo"},
		"an option":         {strings.Replace(issue, "0123456789abcdef", "--output=x", 1), "base_commit"},
		"no text":           {strings.Replace(issue, "It fails", " ", 1), "problem_statement"},
		"an open array":     {"[" + issue, "element"},
	} {
		if got, err := Read(strings.NewReader(tt.text)); err == nil || !strings.Contains(err.Error(), tt.want) {
			t.Errorf("%s: %v, %v", name, got, err)
		}
	}
}

func FuzzChanges(f *testing.F) {
	f.Add(patch)
	f.Add("--- a/x\n+++ b/x\n@@ -0,0 +1 @@\n+a\n")
	f.Add("rename from a\n@@ -1 +1 @@\n-\n+\n")
	f.Fuzz(func(t *testing.T, s string) {
		changes, err := Changes(s)
		if err != nil {
			return
		}
		for _, c := range changes {
			if !slices.IsSorted(c.Removed) || !slices.IsSorted(c.Added) || len(c.Removed) > 0 && c.Removed[0] < 1 || len(c.Added) > 0 && c.Added[0] < 0 {
				t.Errorf("lines %v, %v", c.Removed, c.Added)
			}
			if !fs.ValidPath(c.Path) {
				t.Errorf("the path %q", c.Path)
			}
		}
	})
}
