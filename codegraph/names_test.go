package codegraph_test

import (
	"bytes"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/internal/tree"
)

func TestNamedForms(t *testing.T) {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	g := build(t, fstest.MapFS{
		"go.mod":           file("module example.com/m\n"),
		"radio/rx.go":      file("package radio\n\ntype Base struct{}\n\nfunc (b *Base) Close() {}\n\ntype Receiver struct{ Base }\n\nfunc (r *Receiver) Run() {\n\tr.Close()\n}\n\nfunc run() {}\n"),
		"radio/ui/view.go": file("package ui\n\nfunc Show() {}\n"),
		"radio/Other.go":   file("package radio\n\nfunc Show() {}\n"),
	})
	run := "radio/rx.go:Receiver.Run"
	for _, tt := range []struct {
		name string
		want string
	}{
		{"Receiver.Run", run},
		{"rx.go:Receiver.Run", run},
		{"rx:Receiver.Run", run},
		{"radio/rx.go:Run", run + " radio/rx.go:run"}, // in exact case first
		{"radio/rx.go::Receiver::Run", run},
		{"rx.go::Receiver.Run()", run},
		{"Receiver::Run", run},
		{"Receiver#Run", run},
		{"(*Receiver).Run", run},
		{"radio.(*Receiver).Run", run},
		{"func (r *Receiver) Run()", run},
		{"radio.Receiver.Run", run},
		{"m.radio.rx.Receiver.Run", ""},
		{"radio.rx.Receiver.Run", run},
		{"`Receiver.Run`", run},
		{"Receiver.Run(a, b):", run},
		{"/home/me/m/radio/rx.go:Receiver.Run", run},
		{`radio\rx.go:Receiver.Run`, run},
		{"radio/rx.go:10", run},
		{"rx.go:10:3", run},
		{"rx.go#L10", run},
		{"rx.go:9-11", run},
		{`File "/srv/m/radio/rx.go", line 10, in Run`, run},
		{"rx.go line 10", run},
		{"rx.go:99999", ""},
		{"rx.go:99999999999999999999", ""},
		{"Receiver.Close", "radio/rx.go:Base.Close"},
		{"receiver.close", ""},
		{"run", "radio/rx.go:run " + run},
		{"RUN", run + " radio/rx.go:run"},
		{"Show", "radio/Other.go:Show radio/ui/view.go:Show"},
		{"ui.Show", "radio/ui/view.go:Show"},
		{"radio.Show", "radio/Other.go:Show"},
		{"radio.rx", "radio/rx.go"},
		{"rx.go", "radio/rx.go"},
		{"./radio/rx.go", "radio/rx.go"},
		{"radio/", "radio"},
		{"type Receiver struct", "radio/rx.go:Receiver"},
		{"export class Receiver<T> extends Base<T> {", "radio/rx.go:Receiver"},
		{"class of a receiver", ""},
		{"async def run(a):", "radio/rx.go:run " + run},
		{"how does it run", ""},
		{"", ""},
		{"::", ""},
		{strings.Repeat("a.", 1000), ""},
	} {
		var got []string
		for _, e := range g.Named(tt.name) {
			got = append(got, e.ID)
		}
		if s := strings.Join(got, " "); s != tt.want {
			t.Errorf("Named(%q) = %q, want %q", tt.name, s, tt.want)
		}
	}
	if _, err := g.Traverse(t.Context(), []string{"Show"}, nil); err == nil || !strings.Contains(err.Error(), "2 have this name") {
		t.Errorf("Traverse of a name of two: %v", err)
	}
	r, err := g.Retrieve(t.Context(), []string{"rx.go:10", "Receiver.Run"}, nil)
	if err != nil || r[0].ID != run || r[1].ID != run {
		t.Errorf("Retrieve by place and name = %+v, %v", r, err)
	}
}

func FuzzNamed(f *testing.F) {
	for _, s := range []string{"a.b", "a.go:1", "radio/rx.go::Receiver::Run", "func (r *Receiver) Run()", `File "x", line 1`, "a#2", "::"} {
		f.Add(s)
	}
	g := build(f, repo())
	f.Fuzz(func(t *testing.T, name string) {
		for _, e := range g.Named(name) {
			if got, ok := g.Entity(e.ID); !ok || got != e {
				t.Errorf("Named(%q) gives %+v, which is no entity", name, e)
			}
		}
	})
}

func TestWriteRich(t *testing.T) {
	g := build(t, repo())
	for _, tt := range []struct {
		o         codegraph.TreeOptions
		want      string
		cut, lost int
	}{
		{codegraph.TreeOptions{Format: codegraph.FormatRich}, `function main.go:main  5-8
  → invokes function radio/rx.go:NewReceiver  6, import
  → invokes function radio/rx.go:Receiver.Run  7, flow
    → invokes function radio/rx.go:Receiver.DetectPSS  9, member
    → invokes function radio/rx.go:Receiver.decode  10, member
      → invokes function radio/rx.go:Receiver.DetectPSS  24, member, ↑`, 0, 0},
		{codegraph.TreeOptions{Format: codegraph.FormatRich, MaxLines: 4}, `function main.go:main  5-8
  → invokes function radio/rx.go:NewReceiver  6, import
  → invokes function radio/rx.go:Receiver.Run  7, flow
    … 2 more`, 3, 2},
		{codegraph.TreeOptions{MaxLines: 3}, `main.go:main
├── invokes ── radio/rx.go:NewReceiver
└── … 1 more`, 4, 3},
		{codegraph.TreeOptions{MaxTokens: 1}, "main.go:main\n└── … 2 more", 5, 4},
	} {
		w, err := g.Traverse(t.Context(), []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, Hops: 3})
		if err != nil {
			t.Fatal(err)
		}
		var b bytes.Buffer
		stat, err := w.Write(&b, &tt.o)
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, b.String()); d != "" {
			t.Errorf("%+v (-want +got):\n%s", tt.o, d)
		}
		want := codegraph.TreeStat{Lines: strings.Count(tt.want, "\n") + 1, Tokens: tree.Tokens(tt.want) - strings.Count(tt.want, "\n"), CutLines: tt.cut, CutEntities: tt.lost}
		if stat != want {
			t.Errorf("%+v: %+v, want %+v", tt.o, stat, want)
		}
	}
	w := &codegraph.Walk{}
	if _, err := w.Write(&bytes.Buffer{}, &codegraph.TreeOptions{Format: "svg"}); err == nil {
		t.Error("a format that there is not")
	}
	if _, err := w.Write(&bytes.Buffer{}, &codegraph.TreeOptions{MaxLines: -1}); err == nil {
		t.Error("a negative budget")
	}
}

// An entity that is met last at the last hop and again nearer is opened at the nearer place; the budget holds.
func TestRichOpensNearest(t *testing.T) {
	e := func(src, dst string) codegraph.Edge {
		return codegraph.Edge{Src: src, Dst: dst, Kind: codegraph.Invoke}
	}
	w := &codegraph.Walk{Roots: []string{"a"}, IDs: []string{"a", "b", "c", "d"}, Hops: 2, Direction: codegraph.Callees,
		Edges: []codegraph.Edge{e("a", "b"), e("a", "c"), e("b", "c"), e("c", "d")}}
	var b bytes.Buffer
	stat, err := w.Write(&b, &codegraph.TreeOptions{Format: codegraph.FormatRich})
	want := "a\n  → invokes b\n    → invokes c  ↑\n  → invokes c\n    → invokes d"
	if err != nil || b.String() != want || stat.CutEntities != 0 {
		t.Errorf("%q, %+v, %v; want %q", b.String(), stat, err, want)
	}
	b.Reset()
	if stat, err = w.Write(&b, nil); err != nil || stat.CutEntities != 1 { // as LocAgent has it
		t.Errorf("tree: %+v, %v", stat, err)
	}
	for lines := 1; lines < 8; lines++ {
		b.Reset()
		stat, err := w.Write(&b, &codegraph.TreeOptions{Format: codegraph.FormatRich, MaxLines: lines})
		if n := strings.Count(b.String(), "\n") + 1; err != nil || n != stat.Lines || n > max(lines, 2) {
			t.Errorf("%d lines of %d: %v\n%s", n, lines, err, b.String())
		}
	}
}

func TestWalkCounts(t *testing.T) {
	g := build(t, repo())
	count := func(o *codegraph.TraverseOptions, ids ...string) [5]int {
		t.Helper()
		w, err := g.Traverse(t.Context(), ids, o)
		if err != nil {
			t.Fatal(err)
		}
		return [5]int{w.Cut, w.TestsHidden, w.KindsHidden, w.WeakHidden, w.Beyond}
	}
	for _, tt := range []struct {
		o    *codegraph.TraverseOptions
		id   string
		want [5]int
	}{
		{&codegraph.TraverseOptions{Direction: codegraph.Callees}, "main.go:main", [5]int{0, 0, 0, 0, 2}},
		{&codegraph.TraverseOptions{Direction: codegraph.Callees, MinLevel: codegraph.LevelImport}, "main.go:main", [5]int{0, 0, 0, 1, 0}},
		{&codegraph.TraverseOptions{Kinds: []codegraph.Kind{codegraph.KindClass}}, "radio/rx.go", [5]int{0, 0, 1, 0, 0}},
		{&codegraph.TraverseOptions{Direction: codegraph.Callees, Limit: 1}, "main.go:main", [5]int{1, 0, 0, 0, 0}},
		{&codegraph.TraverseOptions{Direction: codegraph.Callers}, "radio/rx.go:Receiver.Run", [5]int{0, 1, 0, 0, 0}},
	} {
		if got := count(tt.o, tt.id); got != tt.want {
			t.Errorf("%s %+v: %v, want %v (limit, tests, kinds, level, beyond)", tt.id, tt.o, got, tt.want)
		}
	}
	fsys := repo()
	fsys["radio/cb.go"] = &fstest.MapFile{Data: []byte("package radio\n\nvar hook = helper\n\nfunc helper() {}\n\nfunc use(x any) { x.helper() }\n")}
	g = build(t, fsys)
	w, err := g.Traverse(t.Context(), []string{"radio/cb.go:helper"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
	if err != nil || len(w.About) != 1 {
		t.Fatalf("%+v, %v", w, err)
	}
	if a := w.About[0]; a.ID != "radio/cb.go:helper" || a.Open+a.Outside+a.Uses == 0 {
		t.Errorf("About = %+v: what is not known of the root must show", a)
	}
	fsys["radio/two.go"] = &fstest.MapFile{Data: []byte("package radio\n\ntype two struct{}\n\nfunc (two) helper() {}\n")}
	both, err := build(t, fsys).Traverse(t.Context(), []string{"radio/cb.go:helper", "radio/two.go:two.helper"}, &codegraph.TraverseOptions{Direction: codegraph.Callers})
	if err != nil || len(both.About) != 2 {
		t.Fatalf("%+v, %v", both, err)
	}
	if one, two := both.About[0], both.About[1]; one.Open+one.Outside == 0 || two.Open != one.Open || two.Outside != one.Outside {
		t.Errorf("About = %+v and %+v: what is open of a name is open of all that have it", one, two)
	}
	if len(w.Notes()) == 0 {
		t.Error("no notes")
	}
}
