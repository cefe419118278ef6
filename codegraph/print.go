package codegraph

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/internal/text"
	"github.com/findspot/findspot/internal/visible"
)

// What String gives is for people: on one line what an id or a name is, and written out what would be invisible.

// String is the place as compilers write it, path:line:column.
func (l Location) String() string { return fmt.Sprintf("%s:%d:%d", clean(l.Path), l.Line, l.Col) }

// String is the id, the place and the kind: "app.py:run  app.py:3-9  (function)".
func (e Entity) String() string { return e.line(string(e.Kind)) }

// line is the id and place, with notes in parentheses.
func (e Entity) line(notes ...string) string {
	place := clean(e.Path)
	if e.Line > 0 {
		place += fmt.Sprintf(":%d-%d", e.Line, e.EndLine)
	}
	return fmt.Sprintf("%s  %s  (%s)", clean(e.ID), place, strings.Join(append(notes, e.marks()...), "; "))
}

// String is the edge as a sentence, with its level and first place: "a.go:f invokes b.go:g  (import)  a.go:3:2".
func (e Edge) String() string {
	s := fmt.Sprintf("%s %s %s  (%s)", clean(e.Src), relations[e.Kind], clean(e.Dst), e.Level)
	if len(e.Sites) > 0 {
		s += "  " + e.Sites[0].String()
	}
	return s
}

// String is the entity with the kind of its match, and its text below.
func (h EntityHit) String() string {
	var b strings.Builder
	b.WriteString(h.line(string(h.Kind), h.Match) + "\n")
	for line := range strings.Lines(h.Text) {
		b.WriteString("     " + clean(strings.TrimRight(line, "\r\n")) + "\n")
	}
	return b.String()
}

// String is the reading: "administrator ~ superuser: 14 functions".
func (r Reading) String() string {
	return fmt.Sprintf("%s ~ %s: %s", clean(r.Word), r.As, text.Plural(r.Functions, "function"))
}

// String is the hits and how many there are, as a person reads it.
func (r *SearchResult) String() string {
	var b strings.Builder
	for _, h := range r.Hits {
		b.WriteString(h.String())
	}
	for _, x := range r.Readings {
		b.WriteString(x.String() + "\n")
	}
	fmt.Fprintf(&b, "%d of %s; %d in test code, %d in generated or vendored code not shown\n", len(r.Hits), text.Plural(r.Total, "entity"), r.TestsHidden, r.GeneratedHidden)
	return b.String()
}

// String is the text.
func (r Retrieved) String() string { return visible.Text(r.Text) }

// String is the walk in the rich format of [Walk.Write], with [Walk.Notes] below.
func (w *Walk) String() string {
	var b strings.Builder
	_, _ = w.Write(&b, &TreeOptions{Format: FormatRich}) // a builder takes everything
	b.WriteByte('\n')
	for _, n := range w.Notes() {
		b.WriteString("(" + n + ")\n")
	}
	return visible.Text(b.String())
}

// String is the place with its score and the signals that speak for it, most first.
func (s Spot) String() string {
	var why []string
	for _, r := range s.Why {
		w := fmt.Sprintf("%s %.2f", r.Signal, r.Score)
		if len(r.Words) > 0 {
			w += ": " + clean(strings.Join(r.Words, ", "))
		}
		why = append(why, w)
	}
	return fmt.Sprintf("%.3f  %s\n     %s\n", s.Score, s.line(string(s.Kind)), strings.Join(why, "; "))
}

// String is the places, best first, and how many there are.
func (r *LocateResult) String() string {
	var b strings.Builder
	for _, s := range r.Spots {
		b.WriteString(s.String())
	}
	fmt.Fprintf(&b, "%s; the text leads to %s", text.Plural(len(r.Spots), "place"), text.Plural(r.Total, "file"))
	if r.Truncated {
		b.WriteString(", and to more places in them")
	}
	return b.String() + "\n"
}

// clean writes out what would be invisible, and ends of lines.
func clean(s string) string {
	return visible.Text(strings.NewReplacer("\n", `\n`, "\r", `\r`).Replace(s))
}
