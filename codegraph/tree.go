package codegraph

import (
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/tree"
)

// A Format is a way to write a walk as text.
type Format string

// The formats of text.
const (
	FormatTree Format = "tree" // the expanded tree of LocAgent (arXiv 2503.09089): relation and id
	FormatRich Format = "rich" // kind, id, relation with its direction as an arrow, line of the call, level
)

// TreeOptions of [Walk.Write].
type TreeOptions struct {
	Format    Format // "" means FormatTree
	MaxLines  int    // most lines to write; 0 means no limit
	MaxTokens int    // most tokens to write, as a model would take them, estimated; 0 means no limit
}

// A TreeStat says how much was written, and what the budget cut off.
type TreeStat struct {
	Lines       int `json:"lines"`
	Tokens      int `json:"tokens"`       // estimated
	CutLines    int `json:"cut_lines"`    // lines of edges that were left out
	CutEntities int `json:"cut_entities"` // entities of the walk that stand on none of the lines written
}

// relations are the words of the kinds of edges.
var relations = map[EdgeKind]string{Contain: "contains", Import: "imports", Invoke: "invokes", Inherit: "inherits", Reference: "references", Define: "defined by"}

// WriteTree writes the walk as text, one tree a root with an empty line between two. Children stand under their parent,
// with the relation, or "-by" when the edge points to the parent; an entity is opened only where it is met first, depth
// first. The output format is the expanded tree of LocAgent (arXiv 2503.09089): the same edges in the same order give
// the same text. The last line has no newline.
func (w *Walk) WriteTree(out io.Writer) error {
	_, err := w.Write(out, nil)
	return err
}

// Write writes the walk as text, as [Walk.WriteTree] does, within a budget. What is nearer to a root goes before what is
// farther; under each entity "… 12 more" counts the lines cut there. The roots are always written.
//
// In the rich format children are indented by two blanks and a line is
//
//	→ invokes function app/core.py:detect  33, import
//
// with → for an edge to the entity and ← for one from it, the first lines of the places in the source of the edge, and
// the level; "exact" is not said. A line ends in "test" for test code, and in ↑ when the entity is opened elsewhere. The
// line of a root is its kind, id, and first and last line. Unlike in the tree format an entity is opened where it is
// nearest to the root, so that none is lost at the last hop.
func (w *Walk) Write(out io.Writer, o *TreeOptions) (TreeStat, error) {
	var opt TreeOptions
	if o != nil {
		opt = *o
	}
	if opt.Format == "" {
		opt.Format = FormatTree
	}
	if opt.Format != FormatTree && opt.Format != FormatRich {
		return TreeStat{}, fmt.Errorf("codegraph: unknown format %q: use tree or rich", opt.Format)
	}
	if opt.MaxLines < 0 || opt.MaxTokens < 0 {
		return TreeStat{}, fmt.Errorf("codegraph: a budget is negative: %d lines, %d tokens", opt.MaxLines, opt.MaxTokens)
	}
	rich := opt.Format == FormatRich
	s, err := w.tree(rich).Write(out, tree.Options{Rich: rich, MaxLines: opt.MaxLines, MaxTokens: opt.MaxTokens})
	return TreeStat{Lines: s.Lines, Tokens: s.Tokens, CutLines: s.CutLines, CutEntities: max(len(w.IDs)-s.Shown, 0)}, err
}

// tree gives the walk as package tree takes it.
func (w *Walk) tree(rich bool) *tree.Walk {
	t := &tree.Walk{Roots: w.Roots, Hops: w.Hops, Forward: w.Direction.forward(), Backward: w.Direction.backward(), Edges: make([]tree.Edge, len(w.Edges))}
	for i := range w.Edges {
		e := &w.Edges[i]
		t.Edges[i] = tree.Edge{Src: e.Src, Dst: e.Dst, Relation: relations[e.Kind]}
		if !rich {
			continue
		}
		if e.Level != LevelExact {
			t.Edges[i].Level = string(e.Level)
		}
		if e.Kind != Contain {
			lines := make([]int, len(e.Sites))
			for k, s := range e.Sites {
				lines[k] = s.Line
			}
			t.Edges[i].Lines = lines
		}
	}
	if !rich {
		return t
	}
	t.Nodes = make([]tree.Node, len(w.Nodes))
	for i := range w.Nodes {
		e := &w.Nodes[i]
		t.Nodes[i] = tree.Node{ID: e.ID, Kind: string(e.Kind), Line: e.Line, EndLine: e.EndLine, Marks: e.marks()}
	}
	return t
}

// marks says in words what code an entity is, besides the repository's own.
func (e *Entity) marks() []string {
	var out []string
	for _, m := range [...]struct {
		is   bool
		word string
	}{{e.Test, "test"}, {e.Vendored, "vendored"}, {e.Generated, "generated"}} {
		if m.is {
			out = append(out, m.word)
		}
	}
	return out
}

// Notes says in words what the walk left out, by reason, and what is not known of its roots; nothing for a walk that has
// all there is.
func (w *Walk) Notes() []string {
	var out []string
	note := func(n int, one, many string) {
		if n > 0 {
			out = append(out, counted(n, one, many))
		}
	}
	note(w.Cut, "entity left out by the limit", "entities left out by the limit")
	note(w.TestsHidden, "entity in test code not shown", "entities in test code not shown")
	note(w.GeneratedHidden, "entity in generated or vendored code not shown", "entities in generated or vendored code not shown")
	note(w.KindsHidden, "entity of another kind not shown", "entities of other kinds not shown")
	note(w.WeakHidden, "entity known by a weaker level not shown", "entities known by weaker levels not shown")
	note(w.Beyond, "entity one hop further", "entities one hop further")
	for _, a := range w.About {
		var what []string
		if w.Direction.backward() && a.Open > 0 {
			what = append(what, counted(a.Open, "reference", "references")+" to the name unresolved")
		}
		if w.Direction.backward() && a.Outside > 0 {
			what = append(what, counted(a.Outside, "leads", "lead")+" outside")
		}
		if a.Uses > 0 {
			what = append(what, counted(a.Uses, "mentions", "mention")+" it without a call (direction users shows them)")
		}
		if len(what) > 0 {
			out = append(out, a.ID+": "+strings.Join(what, ", "))
		}
	}
	return out
}

func counted(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + many
}
