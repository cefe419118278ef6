package items

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/callers"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/visible"
	"github.com/findspot/findspot/skill/evidence"
)

// Entity is an entity of a repository's graph.
func Entity(r *repository.Repository, e codegraph.Entity, tier, note string, score float64) evidence.Item {
	return evidence.Item{
		Kind: evidence.KindEntity, Text: cmp.Or(e.Signature, e.Name), Tier: tier, Note: note, Score: score, Via: "graph",
		At: evidence.Place{Repo: r.Label(), Path: e.Path, Line: e.Line, EndLine: e.EndLine, Entity: r.ID(e.ID)},
	}
}

// Lines are some lines of an entity that answer a question.
func Lines(r *repository.Repository, p codegraph.Piece) evidence.Item {
	it := evidence.Item{Kind: evidence.KindEntity, Text: p.Text, Score: p.Score, Via: "graph",
		At: evidence.Place{Repo: r.Label(), Path: p.Path, Line: p.First, EndLine: p.Last, Entity: p.ID}}
	if p.Signature != "" && p.First > p.Line {
		it.Note = "in " + p.Signature
	}
	return it
}

// Retrieved is the text of an entity.
func Retrieved(r codegraph.Retrieved) evidence.Item {
	return evidence.Item{Kind: evidence.KindEntity, Text: r.Text, Via: "graph",
		At: evidence.Place{Repo: r.Repo, Path: r.Path, Line: r.Line, EndLine: r.EndLine, Entity: r.ID}}
}

// Caller is an entity that calls or uses a symbol.
func Caller(u callers.Use) evidence.Item {
	it := evidence.Item{
		Kind: evidence.KindCaller, Text: u.Text, Via: u.Via, Level: string(u.Level),
		At: evidence.Place{Repo: u.Repo, Path: u.Entity.Path, Entity: u.Entity.ID},
	}
	if len(u.Sites) > 0 {
		it.At.Path, it.At.Line, it.At.EndLine = u.Sites[0].Path, u.Sites[0].Line, u.Sites[0].Line
	}
	var note []string
	if !u.Call {
		it.Kind = evidence.KindReference
		note = append(note, "a use, not a call")
	}
	if u.Entity.Test {
		note = append(note, "test code")
	}
	if n := len(u.Sites); n > 1 {
		note = append(note, fmt.Sprintf("%d places", n))
	}
	it.Note = strings.Join(note, ", ")
	return it
}

// A CodeRead says how far the code of callers was read.
type CodeRead struct {
	Read     int      // entities whose code was read
	Unread   []string // the others, as "id: reason"
	Complete bool     // nothing is left to be read
}

// Verdict is the result of a search for callers: its text is the [Summary], and its place the symbol alone, as it is no text of a file (see
// [evidence.Item.Derived]). read is nil where no code was read.
func Verdict(res *callers.Result, read *CodeRead) evidence.Item {
	it := evidence.Item{Kind: evidence.KindReference, Tier: evidence.TierVerdict, Text: Summary(res, read), Via: cmp.Or(res.Via, "findspot"),
		Note: "result of a reference search", At: evidence.Place{Entity: res.Asked}}
	if len(res.Symbols) > 0 {
		it.At.Entity = res.Symbols[0].ID
	}
	return it
}

// Summary is the result of a search for callers in a few sentences: the verdict, the number of callers and uses, what was searched, how far the
// callers' code was read, and what limits the answer.
func Summary(res *callers.Result, read *CodeRead) string {
	var b strings.Builder
	ids := res.Asked
	if n := len(res.Symbols); n > 0 {
		ids = res.Symbols[0].ID
		if n > 1 {
			ids += fmt.Sprintf(" and %d more of the name", n-1)
		}
	}
	switch res.Verdict {
	case callers.VerifiedNone:
		fmt.Fprintf(&b, "Nothing calls or uses %s (verified none).", ids)
	case callers.NoneKnown:
		fmt.Fprintf(&b, "No caller or use of %s is known, but that there is none could not be verified (none known).", ids)
	default:
		calls, tests := res.Calls(), res.Tests()
		fmt.Fprintf(&b, "%s has %s and %s (found).", ids, text.Plural(calls, "caller"), text.Plural(len(res.Uses)-calls, "other use"))
		switch {
		case tests == len(res.Uses):
			b.WriteString(" All of them are test code.")
		case tests > 0:
			fmt.Fprintf(&b, " %d of them are test code.", tests)
		}
	}
	if len(res.Looked) > 0 {
		fmt.Fprintf(&b, " Searched: %s.", strings.Join(res.Looked, "; "))
	}
	if read != nil && len(res.Uses) > 0 {
		fmt.Fprintf(&b, " The code of %s was read", text.Plural(read.Read, "of them"))
		if n := len(read.Unread); n > 0 {
			fmt.Fprintf(&b, ", of %d not", n)
		}
		b.WriteByte('.')
	}
	if n := res.Unexplained - len(res.Unread); len(res.Unread) > 0 {
		var places []string
		for _, p := range res.Unread {
			places = append(places, p.String())
		}
		fmt.Fprintf(&b, " Not explained: %s", strings.Join(places, ", "))
		if n > 0 {
			fmt.Fprintf(&b, " and %d more", n)
		}
		b.WriteByte('.')
	}
	return b.String()
}

// File is the file of a place in code as the workspace names it: with the repository's name where there are several.
func File(at evidence.Place) string {
	if at.Repo == "" {
		return at.Path
	}
	return at.Repo + "//" + at.Path
}

// Spot is what a reader opens to see a place.
func Spot(at evidence.Place) visible.Spot {
	return visible.Spot{Doc: at.Doc, Name: at.Name, Page: at.Page, Repo: at.Repo, Path: at.Path, Line: at.Line}
}
