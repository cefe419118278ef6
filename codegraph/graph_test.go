package codegraph_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/codegraph/gosyntax"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/internal/need"
)

// The tests here read Go, so that the package is tested without cgo.
func langs() []lang.Frontend { return []lang.Frontend{gosyntax.Frontend()} }

func repo() fstest.MapFS {
	file := func(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s)} }
	return fstest.MapFS{
		"go.mod":           file("module example.com/m\n"),
		"main.go":          file("package main\n\nimport \"example.com/m/radio\"\n\nfunc main() {\n\tr := radio.NewReceiver()\n\tr.Run()\n}\n"),
		"radio/rx.go":      file("package radio\n\n// Receiver detects synchronization signals.\ntype Receiver struct{ n int }\n\nfunc NewReceiver() *Receiver { return &Receiver{} }\n\nfunc (r *Receiver) Run() {\n\tr.DetectPSS()\n\tr.decode()\n\tundefined()\n}\n\nfunc (r *Receiver) DetectPSS() {\n\t// correlate with the primary sequence\n\tr.n++\n\tr.n++\n\tr.n++\n\tr.n++\n\tr.n++\n\tr.n++\n}\n\nfunc (r *Receiver) decode() { r.DetectPSS() }\n"),
		"radio/rx_test.go": file("package radio\n\nfunc TestRun() { NewReceiver().Run() }\n"),
		"nothing.dat":      file("# nothing\n"),
	}
}

func build(t testing.TB, fsys fs.FS) *codegraph.Graph {
	t.Helper()
	g, err := codegraph.Build(t.Context(), fsys, langs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	return g
}

// dump gives everything a graph says, as text.
func dump(g *codegraph.Graph) string {
	var b strings.Builder
	for e := range g.Entities() {
		fmt.Fprintf(&b, "%+v\n", e)
	}
	for e := range g.Edges() {
		fmt.Fprintf(&b, "%+v\n", e)
		for _, u := range g.Unresolved(e.Dst) {
			fmt.Fprintf(&b, "%+v\n", u)
		}
	}
	open, outside := g.UnresolvedCount()
	fmt.Fprintln(&b, open, outside)
	return b.String()
}

func TestEntitiesAndEdges(t *testing.T) {
	g := build(t, repo())
	var ids []string
	for e := range g.Entities() {
		ids = append(ids, string(e.Kind)+" "+e.ID)
	}
	want := []string{"directory /", "file main.go", "function main.go:main", "directory radio", "file radio/rx.go",
		"function radio/rx.go:NewReceiver", "class radio/rx.go:Receiver", "function radio/rx.go:Receiver.DetectPSS",
		"function radio/rx.go:Receiver.Run", "function radio/rx.go:Receiver.decode", "file radio/rx_test.go", "function radio/rx_test.go:TestRun"}
	if d := cmp.Diff(want, ids); d != "" {
		t.Errorf("entities (-want +got):\n%s", d)
	}
	if u := g.Unresolved("undefined"); len(u) != 1 || u[0].Outside || u[0].At.Line != 11 {
		t.Errorf("Unresolved(undefined) = %+v", u)
	}
	if e, ok := g.Enclosing("radio/rx.go", 10); !ok || e.ID != "radio/rx.go:Receiver.Run" {
		t.Errorf("Enclosing = %+v, %v", e, ok)
	}
	if e, ok := g.Enclosing("radio/rx.go", 1); !ok || e.ID != "radio/rx.go" {
		t.Errorf("Enclosing = %+v, %v", e, ok)
	}
	if e, _ := g.Entity("radio/rx.go:Receiver.Run"); e.Signature != "func (r *Receiver) Run()" || e.Line != 8 || e.EndLine != 12 {
		t.Errorf("Entity = %+v", e)
	}
	for name, want := range map[string][]string{
		"DetectPSS":                {"radio/rx.go:Receiver.DetectPSS"},
		"detectpss":                {"radio/rx.go:Receiver.DetectPSS"},
		"Receiver.Run":             {"radio/rx.go:Receiver.Run"},
		"radio/rx.go:Receiver.Run": {"radio/rx.go:Receiver.Run"},
		"rx.go":                    {"radio/rx.go"},
		"nobody":                   {},
	} {
		got := []string{}
		for _, e := range g.Named(name) {
			got = append(got, e.ID)
		}
		if d := cmp.Diff(want, got); d != "" {
			t.Errorf("Named(%q) (-want +got):\n%s", name, d)
		}
	}
}

func TestTraverse(t *testing.T) {
	g := build(t, repo())
	tests := []struct {
		name   string
		ids    []string
		o      *codegraph.TraverseOptions
		want   []string
		cut    int
		hidden int
	}{
		{"callers", []string{"radio/rx.go:Receiver.DetectPSS"}, &codegraph.TraverseOptions{Direction: codegraph.Callers, Hops: 2},
			[]string{"radio/rx.go:Receiver.Run", "radio/rx.go:Receiver.decode", "main.go:main"}, 0, 1},
		{"callers with tests", []string{"radio/rx.go:Receiver.Run"}, &codegraph.TraverseOptions{Direction: codegraph.Callers, Tests: true},
			[]string{"main.go:main", "radio/rx_test.go:TestRun"}, 0, 0},
		{"callees", []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, Hops: -1},
			[]string{"radio/rx.go:NewReceiver", "radio/rx.go:Receiver.Run", "radio/rx.go:Receiver.DetectPSS", "radio/rx.go:Receiver.decode"}, 0, 0},
		{"limit", []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, Limit: 1},
			[]string{"radio/rx.go:NewReceiver"}, 1, 0},
		{"kinds", []string{"radio/rx.go"}, &codegraph.TraverseOptions{Hops: 2, Kinds: []codegraph.Kind{codegraph.KindClass}},
			[]string{"radio/rx.go:Receiver"}, 0, 0},
		{"level", []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, MinLevel: codegraph.LevelImport},
			[]string{"radio/rx.go:NewReceiver"}, 0, 0},
		{"roots", []string{"main.go", "radio"}, &codegraph.TraverseOptions{Edges: []codegraph.EdgeKind{codegraph.Contain}},
			[]string{"main.go:main", "radio/rx.go"}, 0, 1},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			w, err := g.Traverse(t.Context(), tt.ids, tt.o)
			if err != nil {
				t.Fatal(err)
			}
			if d := cmp.Diff(append(slices.Clone(tt.ids), tt.want...), w.IDs); d != "" {
				t.Errorf("IDs (-want +got):\n%s", d)
			}
			if w.Cut != tt.cut || w.TestsHidden != tt.hidden || len(w.Nodes) != len(w.IDs) {
				t.Errorf("cut %d, hidden %d, %d nodes; want %d, %d", w.Cut, w.TestsHidden, len(w.Nodes), tt.cut, tt.hidden)
			}
		})
	}
	_, err := g.Traverse(t.Context(), []string{"radio/rx.go:Receiver.DetectPS"}, nil)
	if !errors.Is(err, codegraph.ErrNotFound) || !strings.Contains(err.Error(), "radio/rx.go:Receiver.DetectPSS") {
		t.Errorf("Traverse of an unknown id: %v", err)
	}
	if _, err := g.Traverse(t.Context(), nil, &codegraph.TraverseOptions{Direction: "up", MinLevel: "strong"}); err == nil ||
		!strings.Contains(err.Error(), "up") || !strings.Contains(err.Error(), "strong") {
		t.Errorf("bad options: %v", err)
	}
}

// The tree's text is LocAgent's: its own outputs are taken apart into edges and written again.
func TestWriteTreeAsLocAgent(t *testing.T) {
	data, err := os.ReadFile(need.Shared(t, "codegraph", "locagent_outputs.json"))
	if err != nil {
		t.Fatal(err)
	}
	var outputs []struct {
		Tool string
		Args json.RawMessage
		Text string
	}
	if err := json.Unmarshal(data, &outputs); err != nil {
		t.Fatal(err)
	}
	n := 0
	for _, o := range outputs {
		if o.Tool != "explore_tree_structure" {
			continue
		}
		n++
		var args []any
		if err := json.Unmarshal(o.Args, &args); err != nil {
			t.Fatal(err)
		}
		w := takeApart(t, o.Text)
		w.Hops = int(args[2].(float64))
		w.Direction = map[string]codegraph.Direction{"downstream": codegraph.Out, "upstream": codegraph.In, "both": codegraph.Both}[args[1].(string)]
		var b bytes.Buffer
		if err := w.WriteTree(&b); err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(o.Text, b.String()); d != "" {
			t.Errorf("%s (-want +got):\n%s", o.Args, d)
		}
	}
	if n < 10 {
		t.Errorf("%d trees", n)
	}
}

func takeApart(t *testing.T, text string) *codegraph.Walk {
	lines := strings.Split(text, "\n")
	w := &codegraph.Walk{Roots: lines[:1]}
	type level struct {
		id    string
		width int
	}
	stack := []level{{lines[0], 0}}
	kinds := map[string]codegraph.EdgeKind{"contains": codegraph.Contain, "imports": codegraph.Import, "invokes": codegraph.Invoke, "inherits": codegraph.Inherit}
	for _, l := range lines[1:] {
		at := strings.IndexAny(l, "├└")
		width := len([]rune(l[:at]))
		rel, id, ok := strings.Cut(strings.TrimLeft(l[at:], "├└─ "), " ── ")
		if !ok {
			t.Fatalf("line %q", l)
		}
		for stack[len(stack)-1].width > width {
			stack = stack[:len(stack)-1]
		}
		parent := stack[len(stack)-1].id
		name, back := strings.CutSuffix(rel, "-by")
		e := codegraph.Edge{Src: parent, Dst: id, Kind: kinds[name]}
		if back {
			e.Src, e.Dst = id, parent
		}
		w.Edges = append(w.Edges, e)
		stack = append(stack, level{id, width + len(rel) + 8})
	}
	return w
}

func TestWriteTree(t *testing.T) {
	g := build(t, repo())
	w, err := g.Traverse(t.Context(), []string{"main.go:main"}, &codegraph.TraverseOptions{Direction: codegraph.Callees, Hops: 3})
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	if err := w.WriteTree(&b); err != nil {
		t.Fatal(err)
	}
	want := `main.go:main
├── invokes ── radio/rx.go:NewReceiver
└── invokes ── radio/rx.go:Receiver.Run
               ├── invokes ── radio/rx.go:Receiver.DetectPSS
               └── invokes ── radio/rx.go:Receiver.decode
                              └── invokes ── radio/rx.go:Receiver.DetectPSS`
	if d := cmp.Diff(want, b.String()); d != "" {
		t.Errorf("tree (-want +got):\n%s", d)
	}
}

func TestSearch(t *testing.T) {
	g := build(t, repo())
	tests := []struct{ query, want, tier, match string }{
		{"DetectPSS", "radio/rx.go:Receiver.DetectPSS", "name", "exact"},
		{"detectpss", "radio/rx.go:Receiver.DetectPSS", "name", "case"},
		{"Detect", "radio/rx.go:Receiver.DetectPSS", "name", "prefix"},
		{"pss", "radio/rx.go:Receiver.DetectPSS", "name", "subword"},
		{"detect the PSS", "radio/rx.go:Receiver.DetectPSS", "name", "subword"},
		{"DetectPSX", "radio/rx.go:Receiver.DetectPSS", "name", "fuzzy"},
		{"how is the primary sequence correlated", "radio/rx.go:Receiver.DetectPSS", "body", "bm25"},
		{"Receiver.Run", "radio/rx.go:Receiver.Run", "name", "exact"},
		{"main.go", "main.go", "name", "exact"},
	}
	for _, tt := range tests {
		r, err := g.Search(t.Context(), tt.query, nil)
		if err != nil || len(r.Hits) == 0 {
			t.Errorf("Search(%q) = %+v, %v", tt.query, r, err)
			continue
		}
		if h := r.Hits[0]; h.ID != tt.want || h.Tier != tt.tier || h.Match != tt.match {
			t.Errorf("Search(%q) = %s %s %s, want %s %s %s", tt.query, h.ID, h.Tier, h.Match, tt.want, tt.tier, tt.match)
		}
	}
	r, err := g.Search(t.Context(), "xyzzy quux", nil)
	if err != nil || r.Total != 0 || r.Hits == nil {
		t.Errorf("Search for nothing = %+v, %v", r, err)
	}
	if r, _ := g.Search(t.Context(), "TestRun", nil); r.TestsHidden == 0 || slices.ContainsFunc(r.Hits, func(h codegraph.EntityHit) bool { return h.Test }) {
		t.Errorf("tests are not hidden: %+v", r)
	}
	if r, _ := g.Search(t.Context(), "Run", &codegraph.SearchOptions{Kinds: []codegraph.Kind{codegraph.KindClass}, Paths: []string{"radio"}}); len(r.Hits) > 0 && r.Hits[0].Kind != codegraph.KindClass {
		t.Errorf("kinds are not kept: %+v", r)
	}
}

func TestRetrieve(t *testing.T) {
	fsys := repo()
	g := build(t, fsys)
	for _, tt := range []struct {
		id   string
		view codegraph.View
		want string
	}{
		{"radio/rx.go:Receiver.decode", "", "func (r *Receiver) decode() { r.DetectPSS() }\n"},
		{"radio/rx.go:Receiver.Run", codegraph.Fold, "func (r *Receiver) Run()\n"},
		{"radio/rx.go:Receiver.DetectPSS", codegraph.Preview, "func (r *Receiver) DetectPSS() {\n\t// correlate with the primary sequence\n\tr.n++\n\tr.n++\n\tr.n++\n\tr.n++\n\t...\n"},
		{"radio/rx.go:Receiver", codegraph.Preview, "type Receiver struct\n    func (r *Receiver) Run()\n    func (r *Receiver) DetectPSS()\n    func (r *Receiver) decode()\n"},
		{"main.go", codegraph.Preview, "main.go\n    func main()\n"},
	} {
		r, err := g.Retrieve(t.Context(), []string{tt.id}, &codegraph.RetrieveOptions{View: tt.view})
		if err != nil {
			t.Fatal(err)
		}
		if d := cmp.Diff(tt.want, r[0].Text); d != "" {
			t.Errorf("Retrieve(%s, %s) (-want +got):\n%s", tt.id, tt.view, d)
		}
	}
	fsys["radio/rx.go"] = &fstest.MapFile{Data: []byte("package radio\n")}
	if _, err := g.Retrieve(t.Context(), []string{"radio/rx.go:Receiver"}, nil); !errors.Is(err, codegraph.ErrStale) {
		t.Errorf("Retrieve from a changed file: %v", err)
	}
	if _, err := g.Retrieve(t.Context(), []string{"radio/rx.go:Reciever"}, nil); !errors.Is(err, codegraph.ErrNotFound) || !strings.Contains(err.Error(), "radio/rx.go:Receiver") {
		t.Errorf("Retrieve of an unknown id: %v", err)
	}
}

func TestSkips(t *testing.T) {
	fsys := repo()
	fsys["bin.go"] = &fstest.MapFile{Data: []byte("package a\x00")}
	fsys["control.go"] = &fstest.MapFile{Data: []byte("package a // \xff\x01\x02\x03\n")}
	fsys["big.go"] = &fstest.MapFile{Data: bytes.Repeat([]byte("//\n"), 1<<20)}
	fsys["link.go"] = &fstest.MapFile{Data: []byte("main.go"), Mode: fs.ModeSymlink}
	fsys["node_modules/x/a.go"] = &fstest.MapFile{Data: []byte("package x\n")}
	fsys[".gitignore"] = &fstest.MapFile{Data: []byte("gen/\n*.pb.go\n")}
	fsys["gen/a.go"] = &fstest.MapFile{Data: []byte("package x\n")}
	fsys["a.pb.go"] = &fstest.MapFile{Data: []byte("package x\n")}
	g := build(t, fsys)
	want := []codegraph.Skip{{Path: "big.go", Reason: "3145728 bytes, over the limit of 2097152", Rule: true}, {Path: "bin.go", Reason: "binary: a zero byte at offset 9"},
		{Path: "control.go", Reason: "binary: not UTF-8, and many control characters"}, {Path: "link.go", Reason: "not a regular file", Rule: true}}
	if d := cmp.Diff(want, g.Skipped()); d != "" {
		t.Errorf("Skipped (-want +got):\n%s", d)
	}
	for _, id := range []string{"gen/a.go", "a.pb.go", "node_modules"} {
		if _, ok := g.Entity(id); ok {
			t.Errorf("%s is there", id)
		}
	}
}

func write(t testing.TB, root string, fsys fstest.MapFS) {
	t.Helper()
	for p, f := range fsys {
		full := filepath.Join(root, filepath.FromSlash(p))
		if err := os.MkdirAll(filepath.Dir(full), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(full, f.Data, 0o666); err != nil {
			t.Fatal(err)
		}
	}
}

func open(t testing.TB, dir, root string) *codegraph.Index {
	t.Helper()
	ix, err := codegraph.Open(t.Context(), dir, root, langs(), nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { ix.Close() })
	return ix
}
