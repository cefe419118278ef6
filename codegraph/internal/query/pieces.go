package query

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/internal/snapshot"
	"github.com/findspot/findspot/codegraph/internal/sourcetext"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/relevance"
)

// A Piece is some lines of an entity that answer a question.
type Piece struct {
	snapshot.Node        // its id as the set shows it
	Repo          string // name of the member
	First, Last   int    // lines
	Text          string // of these lines
	Score         float64
	Signals       relevance.Signals
}

const (
	pieceNodes = 40  // entities whose texts are judged
	pieceSize  = 420 // bytes of one piece
	nearStart  = 420 // bytes: a piece that begins so far behind its entity begins with it
)

// Pieces finds the lines that answer a question, best first, at most one piece an entity: entities by the words of their bodies and names, in their texts
// and the comments above them the lines that [relevance.Question.Windows] judges best.
func Pieces(ctx context.Context, in []Member, q *relevance.Question, opt *SearchOptions) ([]Piece, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var finders []*finder
	for _, m := range in {
		finders = append(finders, newFinder(m, opt))
	}
	w, err := word(finders, q)
	if err != nil {
		return nil, err
	}
	var list []found
	for _, f := range finders {
		for _, h := range f.s.Search(w.by, w.terms, w.weigh, func(n uint32) bool {
			return f.g.Kind(n) != model.Directory && !f.g.IsPlain(n) && f.allowed(n, opt.Tests, opt.Generated)
		}) {
			list = append(list, found{in: f, node: h.Node, score: h.Score})
		}
		if err := f.s.Err(); err != nil {
			return nil, err
		}
	}
	rank(q, list)
	near, err := nearest(ctx, finders, q.Text, func(f *finder, n uint32) bool { return f.allowed(n, opt.Tests, opt.Generated) })
	if err != nil {
		return nil, err
	}
	if near != nil {
		list = near.fuse(finders, list)
	}
	if len(list) == 0 {
		return nil, nil
	}
	list = list[:min(len(list), pieceNodes)]
	best := list[0].score
	var texts []relevance.Text
	var from []excerpt
	for _, r := range list {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		x, err := r.in.excerpt(r.node)
		if errors.Is(err, errs.Stale) {
			continue // changed since it was indexed
		}
		if err != nil {
			return nil, err
		}
		from = append(from, x)
		texts = append(texts, relevance.Text{Text: x.text, Ends: lineEnds(x.text), At: relevance.Setting{Rank: r.score / best, Within: r.score / best, Vectors: near != nil && !r.vectorless, Meaning: near.share(r)}})
	}
	var out []Piece
	windows := q.Windows(texts, pieceSize)
	slices.SortStableFunc(windows, func(a, b relevance.Window) int { return cmp.Compare(b.Score, a.Score) })
	seen := map[int]bool{}
	for _, w := range windows {
		if seen[w.Text] {
			continue
		}
		seen[w.Text] = true
		if p := from[w.Text].piece(w); !slices.ContainsFunc(out, func(x Piece) bool { return x.ID == p.ID }) {
			out = append(out, p)
		}
	}
	return out, nil
}

// An excerpt is the text of an entity with the comment above it.
type excerpt struct {
	in   *finder
	node uint32
	line int // of its beginning
	text string
}

func (f *finder) excerpt(n uint32) (excerpt, error) {
	src, err := f.texts.sources.File(f.g.Path(n))
	if err != nil {
		return excerpt{}, err
	}
	s := string(src)
	start, stop, _ := f.g.Extent(n)
	stop = min(stop, len(s))
	start = min(start, stop)
	start = int(sourcetext.CommentAbove(s, int32(start)))
	start = strings.LastIndexByte(s[:start], '\n') + 1
	return excerpt{f, n, 1 + strings.Count(s[:start], "\n"), s[start:min(stop, start+maxPieceText)]}, nil
}

// piece makes a piece of a window. What lies in a function or class within the entity is that one's.
func (x *excerpt) piece(w relevance.Window) Piece {
	if w.Start += closing(x.text[w.Start:w.End]); w.Start <= nearStart {
		w.Start = 0
	}
	p := Piece{Node: x.in.member.node(x.node), Repo: x.in.member.Name, Text: strings.TrimRight(x.text[w.Start:w.End], "\n"), Score: w.Score, Signals: w.Signals}
	p.First = x.line + strings.Count(x.text[:w.Start], "\n")
	p.Last = p.First + strings.Count(p.Text, "\n")
	if p.Kind != model.Function {
		if in, ok := x.in.g.Enclosing(p.Path, (p.First+p.Last)/2); ok && in != x.node {
			p.Node = x.in.member.node(in)
		}
	}
	return p
}

// closing is how many bytes the lines take with which a text begins that only close what stands before it.
func closing(s string) int {
	n := 0
	for line := range strings.Lines(s) {
		if strings.Trim(line, " \t\r\n)]};,") != "" {
			return n
		}
		n += len(line)
	}
	return 0
}

// lineEnds are the offsets behind the lines of a text.
func lineEnds(s string) []int {
	var out []int
	for at := 0; at < len(s); {
		i := strings.IndexByte(s[at:], '\n')
		if i < 0 {
			i = len(s) - at - 1
		}
		at += i + 1
		out = append(out, at)
	}
	return out
}

// maxPieceText is how much of one entity is judged, in bytes.
const maxPieceText = 16 << 10
