package lspclient

import (
	"errors"
	"maps"
	"slices"
	"strings"
	"testing"
	"time"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"

	"github.com/findspot/findspot/internal/need"
)

// goplsSetups are repositories in the ways that people lay out Go, whole ones and broken ones. Each declares F, or what name says.
var goplsSetups = map[string]struct {
	files map[string]string
	name  string
	want  []string // where it is used, all of it
	// degraded is a part of the reason where not everything can be known; then want is what must be there at least. Or
	// it is a part of the error.
	degraded string
}{
	"a workspace of two modules": {
		files: map[string]string{
			"go.work": "go 1.24\n\nuse (\n\t./a\n\t./b\n)\n", "a/go.mod": "module example.com/a\n\ngo 1.24\n", "b/go.mod": "module example.com/b\n\ngo 1.24\n",
			"a/a.go": "package a\n\nimport \"example.com/b\"\n\nvar _ = b.F()\n", "b/b.go": "package b\n\nfunc F() int { return 1 }\n\nvar _ = F()\n",
		},
		want: []string{"a/a.go:5", "b/b.go:5"},
	},
	"a vendor folder": {
		files: map[string]string{
			"go.mod":             "module example.com/a\n\ngo 1.24\n\nrequire example.com/dep v1.0.0\n",
			"vendor/modules.txt": "# example.com/dep v1.0.0\n## explicit; go 1.21\nexample.com/dep\n", "vendor/example.com/dep/dep.go": "package dep\n\nfunc F() int { return 1 }\n",
			"a.go": "package a\n\nimport \"example.com/dep\"\n\nvar _ = dep.F()\n",
		},
		name: "a.go:5:13", want: []string{"a.go:5"},
	},
	"a module that is not there": {
		files: map[string]string{
			"go.mod": "module example.com/a\n\ngo 1.24\n\nrequire example.com/gone v1.0.0\n", "a.go": "package a\n\nimport \"example.com/gone\"\n\nfunc F() int { return gone.X }\n\nvar _ = F()\n",
		},
		want: []string{"a.go:7"}, degraded: "gone",
	},
	"an import that nothing requires": {
		files: map[string]string{
			"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n",
			"cmd/main.go": "package main\n\nimport (\n\t\"example.com/a\"\n\t\"example.com/gone\"\n)\n\nfunc main() { gone.Do(a.F()) }\n",
		},
		want: []string{"a.go:5", "cmd/main.go:8"}, degraded: "gone",
	},
	"a newer Go": {
		files: map[string]string{
			"go.mod": "module example.com/a\n\ngo 1.99.0\n", "a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n", "b/b.go": "package b\n\nimport \"example.com/a\"\n\nvar _ = a.F()\n",
		},
		want: nil, degraded: "1.99",
	},
	"no go.mod": {
		files: map[string]string{
			"a.go": "package a\n\nfunc F() int { return 1 }\n", "b.go": "package a\n\nvar _ = F()\n",
		},
		want: []string{"b.go:3"},
	},
	"no go.mod, and folders": {
		files: map[string]string{
			"a/a.go": "package a\n\nfunc F() int { return 1 }\n", "a/b.go": "package a\n\nvar _ = F()\n", "c/c.go": "package c\n\nimport \"example.com/x/a\"\n\nvar _ = a.F()\n",
		},
		want: []string{"a/b.go:3"}, // c uses a package that is nowhere: without go.mod no import path leads to a folder
	},
	"nested modules": {
		files: map[string]string{
			"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n",
			"tool/go.mod": "module example.com/a/tool\n\ngo 1.24\n\nrequire example.com/a v0.0.0\n\nreplace example.com/a => ../\n", "tool/main.go": "package main\n\nimport \"example.com/a\"\n\nfunc main() { println(a.F()) }\n",
		},
		want: []string{"a.go:5"}, degraded: "tool",
	},
	"a broken go.mod": {
		files: map[string]string{"go.mod": "module example.com/a\n\ngo 1.24\n\nrequre x\n", "a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n"},
		want:  nil, degraded: "go.mod",
	},
	"a workspace whose module is gone": {
		files: map[string]string{
			"go.work": "go 1.24\n\nuse (\n\t./a\n\t./gone\n)\n", "a/go.mod": "module example.com/a\n\ngo 1.24\n", "a/a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n",
		},
		want: nil, degraded: "gone",
	},
	"a module outside of the workspace": {
		files: map[string]string{
			"go.work": "go 1.24\n\nuse ./a\n", "a/go.mod": "module example.com/a\n\ngo 1.24\n", "a/a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n",
			"b/go.mod": "module example.com/b\n\ngo 1.24\n\nrequire example.com/a v0.0.0\n\nreplace example.com/a => ../a\n", "b/b.go": "package b\n\nimport \"example.com/a\"\n\nvar _ = a.F()\n",
		},
		want: []string{"a/a.go:5", "b/b.go:5"},
	},
	"a package that does not compile": {
		files: map[string]string{
			"go.mod": "module example.com/a\n\ngo 1.24\n", "a.go": "package a\n\nfunc F() int { return 1 }\n\nvar _ = F()\n", "b/b.go": "package b\n\nimport \"example.com/a\"\n\nfunc broken( {\n\nvar _ = a.F()\n",
			"c/c.go": "package c\n\nimport \"example.com/a\"\n\nvar x string = a.F()\n",
		},
		want: []string{"a.go:5", "c/c.go:5"}, degraded: "b/b.go",
	},
}

// TestRealGoplsSetups: what is said to be complete is all there is, however a repository is laid out.
func TestRealGoplsSetups(t *testing.T) {
	need.Tool(t, "gopls", "version")
	for _, title := range slices.Sorted(maps.Keys(goplsSetups)) {
		t.Run(title, func(t *testing.T) {
			tt := goplsSetups[title]
			root := t.TempDir()
			writeFiles(t, root, tt.files)
			c, err := Open(t.Context(), root, &Options{Timeout: time.Minute})
			if err != nil {
				t.Fatal(err)
			}
			defer func() {
				if err := c.Close(); err != nil {
					t.Error(err)
				}
			}()
			name := tt.name
			if name == "" {
				name = "F"
			}
			r, err := c.References(t.Context(), Named(name), nil)
			if err != nil {
				if tt.degraded == "" || tt.want != nil || !strings.Contains(err.Error(), tt.degraded) || errors.Is(err, ErrNotFound) {
					t.Errorf("References(%s): %v", name, err)
				}
				t.Logf("%v", err)
				return
			}
			got := lines(r.Locations)
			t.Logf("%s %s %s: %v", r.State, r.Reason, r.Note, got)
			if tt.degraded == "" {
				if diff := gocmp.Diff(tt.want, got, cmpopts.EquateEmpty()); diff != "" || r.State != Complete {
					t.Errorf("References(%s) is %s %s (-want +got):\n%s", name, r.State, r.Reason, diff)
				}
				return
			}
			if r.State != Degraded || !strings.Contains(r.Reason, tt.degraded) {
				t.Errorf("References(%s) is %s: %s, and yet not everything can be known", name, r.State, r.Reason)
			}
			for _, at := range tt.want {
				if !slices.Contains(got, at) {
					t.Errorf("References(%s) lacks %s: %v", name, at, got)
				}
			}
		})
	}
}
