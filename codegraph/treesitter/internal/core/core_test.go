package core

import (
	"slices"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/lang"
)

// tree makes a tree of "kind text" or "kind text field" lines; a deeper indentation is a child. Texts stand in src in their order.
func tree(t *testing.T, src string, lines ...string) *Tree {
	t.Helper()
	g := &Grammar{fields: []string{""}}
	out := &Tree{Grammar: g, Src: []byte(src)}
	number := func(list *[]string, s string) int {
		i := slices.Index(*list, s)
		if i < 0 {
			i = len(*list)
			*list = append(*list, s)
		}
		return i
	}
	var open []int // nodes that are not closed, with their indentation in depth
	var depth []int
	at := 0
	for _, l := range lines {
		w := strings.Fields(l)
		in := len(l) - len(strings.TrimLeft(l, "\t"))
		for len(open) > 0 && depth[len(depth)-1] >= in {
			open, depth = open[:len(open)-1], depth[:len(depth)-1]
		}
		i := strings.Index(src[at:], w[1])
		if i < 0 {
			t.Fatalf("no %q behind offset %d", w[1], at)
		}
		n := Node{Symbol: uint16(number(&g.Symbols, w[0])), Start: int32(at + i), End: int32(at + i + len(w[1]))}
		if len(w) > 2 {
			n.Field = uint8(number(&g.fields, w[2]))
		}
		at += i
		out.Nodes = append(out.Nodes, n)
		open, depth = append(open, len(out.Nodes)-1), append(depth, in)
		for _, o := range open {
			out.Nodes[o].Next = int32(len(out.Nodes))
			out.Nodes[o].End = max(out.Nodes[o].End, n.End)
		}
	}
	out.IndexLines(out.Src)
	return out
}

func sum(t *testing.T) *Tree {
	return tree(t, "x = a +\n b /*c*/ d", "assign x", "\tname x left", "\tbinary a right", "\t\tname a", "\t\tname b", "\t\tcomment /*c*/", "\t\tname d")
}

func TestTree(t *testing.T) {
	tr := sum(t)
	right := tr.Field(0, "right")
	a, b := tr.Child(right, 0), tr.Child(right, 1)
	if tr.Text(a) != "a" || tr.Text(b) != "b" || tr.Text(tr.Child(right, 2)) != "d" || tr.Text(tr.Last(right)) != "d" {
		t.Errorf("parts %q, %q, %q", tr.Text(a), tr.Text(b), tr.Text(tr.Last(right)))
	}
	if op := tr.Between(a, b); op != "+" {
		t.Errorf("operator %q", op)
	}
	texts := func(nodes []int32) (out []string) {
		for _, n := range nodes {
			out = append(out, tr.Text(n))
		}
		return out
	}
	if d := cmp.Diff([]string{"a", "b", "d"}, texts(slices.Collect(tr.Parts(right)))); d != "" {
		t.Errorf("parts (-want +got):\n%s", d)
	}
	if d := cmp.Diff([]string{"/*c*/"}, texts(slices.Collect(tr.Of(right, "comment", "other")))); d != "" {
		t.Errorf("comments (-want +got):\n%s", d)
	}
	if line, col := tr.Place(tr.Start(b)); line != 2 || col != 2 || tr.Line(b) != 2 {
		t.Errorf("b on line %d, column %d", line, col)
	}
}

// What a node lacks is no node, and of no node nothing is said.
func TestNoNode(t *testing.T) {
	tr := sum(t)
	none := tr.Field(0, "missing")
	if none != -1 || tr.Kind(none) != "" || tr.Text(none) != "" || tr.Field(none, "x") != -1 || tr.First(none, "name") != -1 || tr.Last(none) != -1 ||
		tr.Is(none, "name") || tr.Between(none, 1) != "" || len(slices.Collect(tr.Children(none))) != 0 {
		t.Error("a node that is not there has something")
	}
}

// Places in a part are those of the file that it was cut from.
func TestPartOf(t *testing.T) {
	file, part := sum(t), tree(t, "(b)", "name b")
	part.PartOf(file, file.Start(file.Child(file.Field(0, "right"), 1))-1)
	if got, want := part.Span(part.Start(0), part.End(0)), file.Span(9, 10); got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
}

func TestSketch(t *testing.T) {
	s := &Sketch{Tree: sum(t)}
	x := s.OrUnknown(lang.None)
	if s.Op(x) != lang.OpUnknown || s.Op(lang.None) != lang.OpUnknown || s.Op(s.Instance(s.B.Name(lang.File, "A"))) != lang.OpInstance {
		t.Error("operations")
	}
	s.Ref(lang.Use, 1, lang.File, x, "x")
	s.Ref(lang.Use, -1, lang.File, x, "nowhere")
	s.Ref(lang.Use, 1, lang.File, lang.None, "nothing")
	s.Quiet(func() int32 {
		s.Ref(lang.Use, 1, lang.File, x, "quiet")
		return x
	})
	d := s.B.Declare(lang.Decl{Name: "A", Kind: lang.Class, Span: s.Span(0, 1)})
	if !s.In(d, lang.Function, lang.Class) || s.In(d, lang.Function) || s.In(lang.File, lang.Class) {
		t.Error("In")
	}
	f := s.Facts("test")
	if len(f.Refs) != 1 || f.Refs[0].Name != "x" || f.Lines != 2 || f.Lang != "test" {
		t.Errorf("references %+v of %d lines", f.Refs, f.Lines)
	}
	args := []lang.Arg{{X: 4}, {X: 5, Spread: true}, {X: 6, Name: "n"}}
	if Arg(args, 0) != 4 || Arg(args, 1) != lang.None || Arg(args, 2) != lang.None || Arg(args, 3) != lang.None || Arg(args, -1) != lang.None || Nth([]int32{7}, 0) != 7 || Nth(nil, 0) != lang.None {
		t.Error("arguments")
	}
}

func TestNames(t *testing.T) {
	var n Names[int]
	n.Add("a", 1)
	around := n.Len()
	n.Add("a", 2)
	n.Add("b", 3)
	if a := n.Find("a"); a == nil || *a != 2 {
		t.Errorf("a of the inner block: %v", a)
	} else if *a = 4; *n.Find("a") != 4 {
		t.Error("a name does not take another meaning")
	}
	n.Leave(around)
	if a := n.Find("a"); a == nil || *a != 1 || n.Find("b") != nil || n.Find("c") != nil {
		t.Errorf("behind the block: a is %v, b %v", a, n.Find("b"))
	}
}

func TestWords(t *testing.T) {
	if d := cmp.Diff(map[string]int{"a": 1, "b": 1, "c": 2}, Kinds(map[int]string{1: "a\n b", 2: "c"})); d != "" {
		t.Errorf("(-want +got):\n%s", d)
	}
	if !Words("x y")["y"] || Words("x")["z"] || !Capital("Ab") || Capital("") || Capital("ab") || IsWord('-') || !IsWord('_') {
		t.Error("words")
	}
}

// files is a repository of source files alone.
type files struct {
	lang.Tree
	fstest.MapFS
}

func (f files) HasFile(p string) bool { return f.MapFS[p] != nil }
func (f files) Dirs() []string        { return []string{"a", "a/b"} }
func (f files) Files(dir string) (out []string) {
	for p := range f.MapFS {
		if Dir(p) == dir {
			out = append(out, p)
		}
	}
	slices.Sort(out)
	return out
}

func TestResolver(t *testing.T) {
	repo := files{MapFS: fstest.MapFS{"x.rs": {}, "a/y.rs": {}, "a/y.c": {}, "a/b/z.rs": {}}}
	if d := cmp.Diff([]string{"x.rs", "a/y.rs", "a/b/z.rs"}, slices.Collect(Sources(repo, ".rs"))); d != "" {
		t.Errorf("sources (-want +got):\n%s", d)
	}
	look := func(p string) (lang.Module, bool) { return One(repo, p) }
	if m, ok := First([]string{"no", "a/y.c", "x.rs"}, look); !ok || m.Files[0] != "a/y.c" {
		t.Errorf("first: %v, %v", m, ok)
	}
	if _, ok := First([]string{"no"}, look); ok {
		t.Error("a file that is not there was found")
	}
	memo, asked := Memo[string]{}, 0
	for range 2 {
		m, ok := memo.Find("k", func() (lang.Module, bool) {
			asked++
			return look("x.rs")
		})
		if !ok || m.Files[0] != "x.rs" || asked != 1 {
			t.Errorf("%v, %v, asked %d times", m, ok, asked)
		}
	}
	if SharedDirs("a/b/c", "a/b/d/e") != 2 || SharedDirs("ab", "a") != 0 || Dir("a/b/c") != "a/b" || Dir("a") != "" {
		t.Error("folders")
	}
}
