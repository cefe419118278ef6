package langtest

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"
	"golang.org/x/tools/txtar"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/lang"
)

var (
	comment = regexp.MustCompile(`(?:#|//|/\*)@(.*)`)
	call    = regexp.MustCompile(`(\w+)\(([^)]*)\)`)
)

// Run checks every case of an archive in its own subtest. It gives the number of cases.
func Run(t *testing.T, langs []lang.Frontend, fsys fs.FS, archive string) int {
	t.Helper()
	data, err := fs.ReadFile(fsys, archive)
	if err != nil {
		t.Fatal(err)
	}
	cases := map[string]fstest.MapFS{}
	var order []string
	for _, f := range txtar.Parse(data).Files {
		name, rest, ok := strings.Cut(f.Name, "/")
		if !ok {
			t.Fatalf("%s: file %s is in no case", archive, f.Name)
		}
		if cases[name] == nil {
			cases[name] = fstest.MapFS{}
			order = append(order, name)
		}
		cases[name][rest] = &fstest.MapFile{Data: f.Data}
	}
	for _, name := range order {
		t.Run(name, func(t *testing.T) { check(t, langs, cases[name]) })
	}
	return len(order)
}

func check(t *testing.T, langs []lang.Frontend, fsys fstest.MapFS) {
	g, err := codegraph.Build(context.Background(), fsys, langs, nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range g.Skipped() {
		t.Errorf("skipped %s: %s", s.Path, s.Reason)
	}
	v := verifier{t: t, g: g, at: map[string][]codegraph.Edge{}}
	for e := range g.Edges() {
		for _, s := range e.Sites {
			k := fmt.Sprintf("%s:%d", s.Path, s.Line)
			v.at[k] = append(v.at[k], e)
		}
	}
	marks := 0
	paths := make([]string, 0, len(fsys))
	for p := range fsys {
		paths = append(paths, p)
	}
	slices.Sort(paths)
	for _, p := range paths {
		for i, line := range strings.Split(string(fsys[p].Data), "\n") {
			if m := comment.FindStringSubmatch(line); m != nil {
				marks++
				v.line(p, i+1, m[1])
			}
		}
	}
	if marks == 0 {
		t.Error("no expectations")
	}
}

type verifier struct {
	t  *testing.T
	g  *codegraph.Graph
	at map[string][]codegraph.Edge // by path:line
}

// id completes a name.
func (v *verifier) id(file, name string) string {
	name = strings.TrimSpace(name)
	if name == "." {
		return file
	}
	if _, ok := v.g.Entity(name); ok || strings.Contains(name, ":") {
		return name
	}
	return file + ":" + name
}

func (v *verifier) line(file string, n int, text string) {
	where := fmt.Sprintf("%s:%d", file, n)
	var want, got []string
	strict := false
	withLevel := map[string]bool{}
	for _, m := range call.FindAllStringSubmatch(text, -1) {
		args := strings.Split(m[2], ",")
		for i := range args {
			args[i] = strings.TrimSpace(args[i])
		}
		switch m[1] {
		case "invoke":
			if len(args) < 2 {
				v.t.Fatalf("%s: %s: want a source and a target", where, m[0])
			}
			strict = true
			w := v.id(file, args[0]) + " -> " + v.id(file, args[1])
			if len(args) > 2 {
				withLevel[w] = true
				w += " " + args[2]
			}
			want = append(want, w)
		case "none":
			strict = true
		case "reference":
			if len(args) < 2 {
				v.t.Fatalf("%s: %s: want a source and a target", where, m[0])
			}
			v.edge(where, codegraph.Reference, v.id(file, args[0]), v.id(file, args[1]))
		case "import":
			v.edge(where, codegraph.Import, file, v.id(file, args[0]))
		case "inherit", "contain":
			if len(args) != 2 {
				v.t.Fatalf("%s: %s: want a source and a target", where, m[0])
			}
			v.edge("", codegraph.EdgeKind(m[1]), v.id(file, args[0]), v.id(file, args[1]))
		case "open", "outside":
			v.loose(where, args[0], m[1] == "outside")
		case "def":
			e, ok := v.g.Entity(v.id(file, args[0]))
			if !ok || e.Line != n || len(args) > 1 && string(e.Kind) != args[1] {
				v.t.Errorf("%s: %s: entity is %+v, there: %v", where, m[0], e, ok)
			}
		default:
			v.t.Errorf("%s: unknown expectation %s", where, m[0])
		}
	}
	if !strict {
		return
	}
	for _, e := range v.at[where] {
		if e.Kind == codegraph.Invoke {
			s := e.Src + " -> " + e.Dst
			if withLevel[s] {
				s += " " + string(e.Level)
			}
			got = append(got, s)
		}
	}
	slices.Sort(want)
	slices.Sort(got)
	if d := cmp.Diff(slices.Compact(want), slices.Compact(got)); d != "" {
		v.t.Errorf("%s: invoke edges (-want +got):\n%s", where, d)
	}
}

func (v *verifier) edge(where string, kind codegraph.EdgeKind, src, dst string) {
	var have []string
	for e := range v.g.Edges() {
		if e.Kind != kind || e.Src != src {
			continue
		}
		have = append(have, e.Dst)
		if e.Dst != dst {
			continue
		}
		if where == "" || slices.ContainsFunc(e.Sites, func(l codegraph.Location) bool { return fmt.Sprintf("%s:%d", l.Path, l.Line) == where }) {
			return
		}
	}
	v.t.Errorf("%s: no %s edge from %s to %s; there are edges to %v", path.Clean(where), kind, src, dst, have)
}

func (v *verifier) loose(where, name string, outside bool) {
	for _, u := range v.g.Unresolved(name) {
		if fmt.Sprintf("%s:%d", u.At.Path, u.At.Line) == where && u.Outside == outside {
			return
		}
	}
	v.t.Errorf("%s: no unresolved %s (outside: %v); there are %+v; edges %+v", where, name, outside, v.g.Unresolved(name), v.at[where])
}
