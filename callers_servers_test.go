package findspot_test

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/fakels"
)

// callersRepo has a function that is used, one that is not, and a method, in two languages.
func callersRepo(t *testing.T) string {
	return write(t, map[string]string{
		"core.py": "def used():\n    return 1\n\n\ndef unused():\n    return 2\n",
		"app.py":  "from core import used\n\n\ndef main():\n    return used()\n",
		"go.mod":  "module example.com/m\n\ngo 1.24\n",
		"m.go":    "package m\n\nfunc used() int {\n\treturn 1\n}\n\nfunc run() int {\n\treturn used()\n}\n",
	})
}

func said(res *findspot.CallersResult) []string {
	out := []string{}
	for _, c := range res.Callers {
		via, _, _ := strings.Cut(c.Via, " ")
		kind := "uses"
		if c.Call {
			kind = "calls"
		}
		out = append(out, strings.Join([]string{c.Entity.ID, kind, via, string(c.Level)}, " "))
	}
	return out
}

// TestCallersByServerState asks for callers while a server is in each state. Only a complete answer may make "verified none", and
// whatever a server does, what the graph and the text know is there.
func TestCallersByServerState(t *testing.T) {
	exact := []string{"app.py:main calls fakepy exact", "app.py uses fakepy exact"}
	graph := []string{"app.py:main calls graph import", "app.py uses graph import"}
	for _, tt := range []struct {
		name   string
		server fakels.Server
		opt    *findspot.CallersOptions
		want   []string         // callers of used
		none   findspot.Verdict // of unused
		why    string           // a part of what is said about the server
	}{
		{"complete", fakels.Server{}, nil, exact, findspot.VerifiedNone, ""},
		{"no call hierarchy", fakels.Server{Fault: fakels.NoCalls}, nil, exact, findspot.VerifiedNone, ""},
		{"indexing", fakels.Server{Fault: fakels.Indexing}, &findspot.CallersOptions{ServerTimeout: time.Second}, graph, findspot.NoneKnown, "still reading the workspace"},
		{"degraded", fakels.Server{Fault: fakels.Degraded}, nil, exact, findspot.NoneKnown, "the workspace does not load"},
		{"not installed", fakels.Server{NotInstalled: true}, nil, graph, findspot.NoneKnown, "fakepy is not installed"},
		{"hanging", fakels.Server{Fault: fakels.Hang}, &findspot.CallersOptions{ServerTimeout: time.Second}, graph, findspot.NoneKnown, "did not answer within 1s"},
		{"crashing", fakels.Server{Fault: fakels.Crash}, nil, graph, findspot.NoneKnown, "out of luck"},
		{"knowing less than the graph", fakels.Server{Fault: fakels.Blind}, nil, graph, findspot.VerifiedNone, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			tt.server.Name, tt.server.Language, tt.server.Ext = "fakepy", "python", ".py"
			o := fakeOptions(t, tt.server)
			if tt.server.NotInstalled { // nor any other for the language
				t.Setenv("PATH", t.TempDir())
			}
			ws := withRepos(t, o, callersRepo(t))
			if tt.server.Fault == fakels.Indexing { // its start is not to take the time that it indexes in
				if _, err := ws.Symbols(t.Context(), "core.py"); err != nil {
					t.Fatal(err)
				}
			}
			res, err := ws.Callers(t.Context(), "core.py:used", tt.opt)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, said(res)); d != "" || res.Verdict != findspot.Found {
				t.Errorf("used: %s (-want +got):\n%s\nwhy %q", res.Verdict, d, res.Why)
			}
			if got := strings.Join(res.Why, "; "); !strings.Contains(got, tt.why) {
				t.Errorf("why = %q, want %q in it", got, tt.why)
			}
			if res, err = ws.Callers(t.Context(), "unused", tt.opt); err != nil {
				t.Fatal(err)
			}
			if len(res.Callers) != 0 || res.Verdict != tt.none {
				t.Errorf("unused: %s, %q, %q; want %s", res.Verdict, said(res), res.Why, tt.none)
			}
		})
	}
}

// TestCallersOfSeveralLanguages has a name in two languages: a server that hangs, or is not there, keeps nobody from the answer of
// the other's.
func TestCallersOfSeveralLanguages(t *testing.T) {
	py := []string{"app.py:main calls fakepy exact", "app.py uses fakepy exact"}
	for _, tt := range []struct {
		name    string
		servers []fakels.Server
		want    []string
	}{
		{"both", []fakels.Server{fakePy, {Name: "fakego", Language: "go", Ext: ".go"}}, []string{py[0], "m.go:run calls fakego exact", py[1]}},
		{"one hangs", []fakels.Server{fakePy, {Name: "fakego", Language: "go", Ext: ".go", Fault: fakels.Hang}}, []string{py[0], "m.go:run calls graph scope", py[1]}},
		{"the first hangs", []fakels.Server{{Name: "fakepy", Language: "python", Ext: ".py", Fault: fakels.Hang}, {Name: "fakego", Language: "go", Ext: ".go"}},
			[]string{"app.py:main calls graph import", "m.go:run calls fakego exact", "app.py uses graph import"}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ws := withRepos(t, fakeOptions(t, tt.servers...), callersRepo(t))
			res, err := ws.Callers(t.Context(), "used", &findspot.CallersOptions{ServerTimeout: 2 * time.Second})
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(tt.want, said(res)); d != "" {
				t.Errorf("callers (-want +got):\n%s\nwhy %q", d, res.Why)
			}
		})
	}
}

// TestCallersTeachTheGraph: what a server said of callers, walks of the graph know as exact, until the file changes.
func TestCallersTeachTheGraph(t *testing.T) {
	dir := write(t, map[string]string{
		"core.py": "class Box:\n    def open(self):\n        return 1\n\n\nclass Other:\n    def shut(self):\n        return 1\n\n\ndef helper():\n    return 2\n",
		"app.py":  "import core\n\n\ndef main(box):\n    core.helper()\n    box.open()\n",
	})
	ws := withRepos(t, fakeOptions(t, fakePy), dir)
	level := func(dst string) string {
		t.Helper()
		walk, err := ws.Traverse(t.Context(), []string{"app.py:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range walk.Edges {
			if e.Dst == dst {
				by, _, _ := strings.Cut(e.By, " ")
				return string(e.Level) + " by " + by
			}
		}
		return "none"
	}
	before := [2]string{level("core.py:helper"), level("core.py:Box.open")}
	if strings.Contains(strings.Join(before[:], " "), "exact") {
		t.Fatalf("before: %q", before)
	}
	for _, name := range []string{"helper", "Box.open"} {
		if _, err := ws.Callers(t.Context(), name, nil); err != nil {
			t.Fatal(err)
		}
	}
	if got := [2]string{level("core.py:helper"), level("core.py:Box.open")}; got != [2]string{"exact by fakepy", "exact by fakepy"} {
		t.Errorf("after Callers: %q", got)
	}
	if err := os.WriteFile(filepath.Join(dir, "app.py"), []byte("import core\n\n\ndef main(box):\n    box.open()\n    core.helper()\n"), 0o666); err != nil {
		t.Fatal(err)
	}
	if got := [2]string{level("core.py:helper"), level("core.py:Box.open")}; got != before {
		t.Errorf("after an edit: %q, want %q", got, before)
	}
}
