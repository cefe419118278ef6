package markdown

import (
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/geometry"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	bulletMark = pattern.Regexp{Regexp: lazyregexp.New(`^([•●○▪▫■□◦‣∙·⁃✓✔✗➢ˆ➤►▸▶❖◆◇♦★☆*\x{F0A7}\x{F0B7}\x{F0D8}\x{F076}\x{F0FC}\x{F0A8}–—⋆-])(\s+|$)`), Maybe: func(s string) bool { return s != "" && (s[0] >= 0x80 || s[0] == '*' || s[0] == '-') }}
	orderMark  = pattern.Regexp{Regexp: lazyregexp.New(`^(\((?:\d{1,3}|[a-zA-Z]|[ivx]{2,5})\)|(?:\d{1,3}|[a-zA-Z]|[ivx]{2,5})\)|(?:\d{1,3}|[a-z]|[ivx]{2,5})\.|\d{1,2}>)(\s+|$)`), Maybe: func(s string) bool { return strings.ContainsAny(s[:min(len(s), 7)], ").>") }}
	glyphMark  = pattern.Regexp{Regexp: lazyregexp.New(`^([•●○▪■◦‣∙❖◆➢►▸✓\x{F0A7}\x{F0B7}\x{F0D8}])(\S)`), Maybe: func(s string) bool { return s != "" && s[0] >= 0x80 }}
	digitMark  = lazyregexp.New(`^\d{1,3}[.)]$`)
	refMark    = pattern.Regexp{Regexp: lazyregexp.New(`^\[[\w+’'-]{1,12}\](\s+|$)`), Maybe: pattern.Begins("[")}
)

// listMark returns the mark that a line begins with and the number of its bytes, white space included; "" for other lines.
func listMark(text string) (mark string, n int) {
	if m := bulletMark.FindStringSubmatch(text); m != nil {
		return m[1], len(m[0])
	}
	if m := orderMark.FindStringSubmatch(text); m != nil {
		return m[1], len(m[0])
	}
	if m := glyphMark.FindStringSubmatch(text); m != nil {
		return m[1], len(m[1])
	}
	return "", 0
}

func bulletOnly(mark string) bool { return mark != "" && !orderMark.MatchString(mark+" ") }

// A listEntry is an open item of a list: where its mark and its text stand.
type listEntry struct {
	x, text float64
	mark    string
	indent  int // columns that its continuation is indented by in Markdown
}

// markdownMark is what a mark is written as. Letters and brackets stay in the text: Markdown has only numbers.
func markdownMark(mark string) (md, keep string) {
	switch {
	case bulletOnly(mark):
		return "-", ""
	case digitMark.MatchString(mark):
		return mark, ""
	}
	return "-", mark + " "
}

// nextMark reports whether b counts on from a: "b)" after "a)".
func nextMark(a, b string) bool {
	if len(a) != len(b) || len(a) < 2 || bulletOnly(a) {
		return false
	}
	at := -1
	for i := range len(a) {
		if a[i] != b[i] {
			if at >= 0 || b[i] != a[i]+1 {
				return false
			}
			at = i
		}
	}
	return at >= 0
}

// maxSketch is how many small shapes of a page are looked at as marks of lists; a page with more of them has a chart.
const maxSketch = 2000

// findBullets notes the small shapes that may be the marks of lists: browsers and slides draw them.
func (w *writer) findBullets() {
	em := w.st.BodySize
	small := func(b geometry.Rect) bool { return b.Width() < .8*em && b.Height() < .8*em }
	if len(w.v.Canvas.Diagonals)+len(w.v.Canvas.Fills) > maxSketch {
		return
	}
	for _, b := range w.v.Canvas.Diagonals {
		if small(b) {
			w.shapes = append(w.shapes, b)
		}
	}
	for _, f := range w.v.Canvas.Fills {
		if small(f.Box) && !content.White(f.Color) {
			w.shapes = append(w.shapes, f.Box)
		}
	}
}

// drawnBullet reports whether a small square or round shape stands before a line, and where it begins.
func (w *writer) drawnBullet(m *mline) (x float64, ok bool) {
	l := m.l
	area := geometry.NewRect(l.Box.X0-2.4*l.Size, l.Base-.95*l.Size, l.Box.X0-.1*l.Size, l.Base+.2*l.Size)
	all := geometry.Empty()
	for _, b := range w.shapes {
		if !b.Overlaps(area) {
			continue
		}
		if b.X0 < area.X0 || b.X1 > area.X1 || b.Y0 < area.Y0 || b.Y1 > area.Y1 {
			return 0, false
		}
		all = all.Union(b)
	}
	if all.IsEmpty() || all.Width() < .12*l.Size || all.Height() < .12*l.Size || all.Width() > .8*l.Size || all.Height() > .8*l.Size || all.Width() > 1.7*all.Height() || all.Height() > 1.7*all.Width() {
		return 0, false
	}
	return all.X0, true
}

// enter opens the item of a line whose mark begins at x and returns the indentation of its mark in columns.
func (w *writer) enter(x, textX float64, mark string, em float64) int {
	for len(w.items) > 0 {
		top := w.items[len(w.items)-1]
		if x > top.x+.6*em && (x > top.text-1.2*em || bulletOnly(mark) != bulletOnly(top.mark)) {
			break // within the item
		}
		w.items = w.items[:len(w.items)-1]
	}
	indent := 0
	if n := len(w.items); n > 0 {
		indent = w.items[n-1].indent
	}
	md, _ := markdownMark(mark)
	w.items = append(w.items, listEntry{x: x, text: textX, mark: mark, indent: indent + len(md) + 1})
	return indent
}

// textStart is where the text of a line begins after a mark of n bytes.
func textStart(l *layout.Line, n int) float64 {
	left := n
	for i := range l.Segs {
		s := &l.Segs[i]
		next := 0
		if i > 0 && !layout.StartsSpace(s.Text) {
			left--
		}
		for k := range s.Glyphs {
			if next < len(s.Spaces) && s.Spaces[next] == k {
				left--
				next++
			}
			if left <= 0 && strings.TrimSpace(s.Glyphs[k].Text) != "" {
				return s.Glyphs[k].X
			}
			left -= len(s.Glyphs[k].Text)
		}
	}
	return l.Box.X0
}

// cutSpans drops the first n bytes of text.
func cutSpans(spans []inline.Span, n int) []inline.Span {
	for len(spans) > 0 && n > 0 {
		if len(spans[0].Text) > n {
			spans[0].Text = spans[0].Text[n:]
			break
		}
		n -= len(spans[0].Text)
		spans = spans[1:]
	}
	for len(spans) > 0 {
		if spans[0].Text = strings.TrimLeft(spans[0].Text, " "); spans[0].Text != "" {
			break
		}
		spans = spans[1:]
	}
	return spans
}
