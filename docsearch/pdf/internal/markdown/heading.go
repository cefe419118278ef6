package markdown

import (
	"math"
	"strings"

	"github.com/findspot/findspot/docsearch/pdf/internal/catalog"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/structure"
	"github.com/findspot/findspot/internal/clause"
)

// maxPageMarks bounds the entries of the outline that are looked for on one page.
const maxPageMarks = 300

// matchBookmarks finds the lines that the entries of the outline for this page mean. Several lines may make up a heading.
func (w *writer) matchBookmarks(marks []catalog.Bookmark) {
	const maxLines = 4
	if len(marks) > maxPageMarks {
		marks = marks[:maxPageMarks]
	}
	if len(marks) == 0 {
		return
	}
	squashed := make([]string, len(w.lines))
	for i := range w.lines {
		squashed[i] = structure.Squash(w.lines[i].text)
	}
	for _, m := range marks {
		want := structure.Squash(m.Title)
		best, bestN, bestCost := -1, 0, math.Inf(1)
		if want != "" {
			number, title, numbered := clause.Parse(m.Title)
			bare, digits := structure.Squash(title), structure.Squash(number.Text)
			end := want
			if numbered && bare != "" {
				end = bare
			}
			for i := range w.lines {
				if w.lines[i].kind == kindRunning && math.IsNaN(m.Y) || w.lines[i].l.Dx < .99 {
					continue
				}
				size := 0
				for n := 1; n <= maxLines && i+n <= len(w.lines); n++ {
					if n > 1 && w.lines[i+n-1].l.Base < w.lines[i+n-2].l.Base-1 {
						break
					}
					last := squashed[i+n-1]
					if size += len(last); size > len(want)+40 {
						break
					}
					// Nearly all lines fail here: the title stands at the end, or the number does somewhere.
					if size < len(end) || !strings.HasSuffix(last, end) && !strings.HasSuffix(end, last) {
						if size != len(want) && !(n == 1 && numbered && strings.Contains(last, digits)) {
							continue
						}
					}
					got := last
					if n > 1 {
						got = strings.Join(squashed[i:i+n], "")
					}
					cost := 0.0
					switch {
					case got == want:
					case !numbered && strings.HasSuffix(got, want) && numberedOnly(w.join(i, n), m.Title):
						cost = 1
					case numbered && bare != "" && got == bare:
						cost = 3
					case numbered && bare != "":
						// The number may be written in another way, or a sign of the title lost.
						own, rest, ok := clause.Parse(w.join(i, n))
						switch {
						case ok && structure.Squash(rest) == bare:
							cost = 1
						case ok && own.Text == number.Text && n == 1 && w.st.HeadingShape(w.lines[i].l, w.lines[i].text):
							cost = 4
						default:
							continue
						}
					default:
						continue
					}
					l := w.lines[i].l
					if !math.IsNaN(m.Y) {
						cost += math.Abs(l.Box.Y0-m.Y) / (6 * math.Max(l.Size, 1))
					}
					if l.Size < .9*w.st.BodySize || w.lines[i].kind == kindRunning {
						cost += 4
					}
					if !w.st.HeadingShape(l, w.lines[i].text) {
						cost += 2
					}
					if cost < bestCost {
						best, bestN, bestCost = i, n, cost
					}
				}
			}
		}
		text := m.Title
		if best < 0 || w.lines[best].heading && bestN == w.lines[best].span {
			w.orphans = append(w.orphans, m) // placed by its height alone
			continue
		}
		if full := w.join(best, bestN); structure.Squash(full) != want {
			if _, _, numbered := clause.Parse(m.Title); !numbered {
				text = full // the page has the number
			}
		}
		ln := &w.lines[best]
		ln.heading, ln.level, ln.span, ln.title, ln.marked = true, m.Level, bestN, text, true
		for k := best; k < best+bestN; k++ {
			if w.lines[k].kind == kindTitle {
				continue // written as the title
			}
			w.lines[k].kind = kindHeading
			if k > best {
				w.lines[k].kind = kindTaken
			}
		}
		w.chapter(best)
	}
}

// numberedOnly reports whether full is title with a number before it.
func numberedOnly(full, title string) bool {
	_, rest, ok := clause.Parse(full)
	return ok && structure.Squash(rest) == structure.Squash(title)
}

// lineAt returns the line that stands first at or below the height y, -1 when there is none.
func (w *writer) lineAt(y float64) int {
	best := -1
	for i := range w.lines {
		l := &w.lines[i]
		if l.kind == kindRunning || l.l.Dx < .99 {
			continue
		}
		if math.IsNaN(y) {
			return i
		}
		if l.l.Base >= y-1 && (best < 0 || l.l.Base < w.lines[best].l.Base-1) {
			best = i
		}
	}
	if best < 0 && len(w.lines) > 0 {
		return len(w.lines) - 1
	}
	return best
}

// slideTitle reports whether line i is the title of a slide: the first text, above the others and larger or heavier than they are.
func (w *writer) slideTitle(i int) bool {
	m := &w.lines[i]
	if m.l.Base > .3*w.v.Canvas.Height || structure.LetterCount(m.text) < 2 || m.l.Size < .95*w.st.BodySize {
		return false
	}
	for k := range w.lines {
		o := &w.lines[k]
		if k == i || o.kind == kindRunning || o.kind == kindTaken || o.l.Dx < .99 {
			continue
		}
		if k < i && o.kind != kindTitle && o.l.Size > .8*w.st.BodySize || o.l.Base < m.l.Base-1 && o.l.Size > m.l.Size || o.l.Size > 1.02*m.l.Size {
			return false
		}
	}
	return m.l.Size >= 1.12*w.st.BodySize || layout.IsBold(m.l) && !w.st.Bold || !w.st.Bold && m.l.Base < .15*w.v.Canvas.Height
}

// below reports whether line i is one of the lines of usual weight that are centred under a centred title: who wrote the
// document, and when. What sections are usually called is a heading all the same, and so is a line with a number.
func (w *writer) below(i int) bool {
	if _, _, numbered := clause.Parse(w.lines[i].text); numbered || clause.Known(w.lines[i].text) {
		return false
	}
	middle := 0.0
	for k := i; k >= 0; k-- {
		m := &w.lines[k]
		if m.kind == kindTitle {
			middle = m.l.Box.MidX()
			break
		}
		if m.kind != kindText && m.kind != kindRunning || i-k > 8 || layout.IsBold(m.l) {
			return false
		}
	}
	if middle == 0 || math.Abs(middle-w.v.Canvas.Width/2) > .05*w.v.Canvas.Width {
		return false
	}
	for k := i; w.lines[k].kind != kindTitle; k-- {
		if b := w.lines[k].l.Box; math.Abs(b.MidX()-middle) > .02*w.v.Canvas.Width || b.Width() > .8*w.v.Canvas.Width {
			return false
		}
	}
	return true
}

// headingAt reports whether a heading begins at line i, by its looks and by what stands around it.
func (w *writer) headingAt(i int) bool {
	m := &w.lines[i]
	if _, _, numbered := clause.Parse(m.text); w.page.Number == 1 && i <= w.st.People && (!numbered || structure.DateLine(m.text) != "") && !clause.Known(m.text) {
		return false // the authors, and a date that begins with its day
	}
	if w.page.Number == 1 && w.below(i) {
		return false // authors whose names we do not know as such, a date
	}
	if !w.st.HeadingShape(m.l, m.text) || w.st.Bold && m.l.Size < 1.1*w.st.BodySize {
		return false
	}
	if mark, _ := listMark(m.text); bulletOnly(mark) {
		return false
	}
	larger := m.l.Size >= 1.12*w.st.BodySize
	// What goes on on its line, before or after, is running text.
	for _, k := range []int{i - 1, i + 1} {
		if k < 0 || k >= len(w.lines) || w.lines[k].kind != kindText && w.lines[k].kind != kindTable {
			continue
		}
		o := w.lines[k].l
		if math.Abs(o.Base-m.l.Base) < .4*m.l.Size && o.Box.X0 < m.l.Box.X1+40 && o.Box.X1 > m.l.Box.X0-40 && math.Abs(o.Size-m.l.Size) < .2*m.l.Size && !layout.IsBold(o) {
			return false
		}
	}
	if i > 0 && w.lines[i-1].kind == kindText && !larger {
		p := &w.lines[i-1]
		step := m.l.Base - p.l.Base
		tight := step > 0 && step < 1.12*w.lead*m.l.Size && math.Abs(p.l.Box.X0-m.l.Box.X0) < 2*m.l.Size
		if _, right := w.column(p.l); tight && p.l.Box.X1 > right-2*p.l.Size && !endsSentence(p.text) {
			return false // the middle of a paragraph
		}
		if tight && !layout.IsBold(m.l) && !endsSentence(p.text) {
			return false
		}
	}
	if i+1 < len(w.lines) && !larger && w.lines[i+1].kind == kindText {
		// A bold line that fills the column and goes on is a paragraph in bold.
		n := w.lines[i+1].l
		if _, right := w.column(m.l); m.l.Box.X1 > right-m.l.Size && layout.IsBold(n) && n.Base > m.l.Base && n.Base-m.l.Base < 1.5*m.l.Size {
			k := i + 1
			for k < len(w.lines) && layout.IsBold(w.lines[k].l) && k-i < 5 {
				k++
			}
			if k-i > 3 {
				return false
			}
		}
	}
	_, _, numbered := clause.Parse(m.text)
	if !numbered && larger && m.l.Size < 1.3*w.st.BodySize && len(m.text) > 100 {
		return false
	}
	return true
}

// chapter joins "Chapter 3" on a line of its own, which is line i or the one before it, with the title below it.
func (w *writer) chapter(i int) {
	m := &w.lines[i]
	if n, title, ok := clause.Parse(m.title); ok && n.Word != "" && title == "" {
		k := i + m.span
		if k >= len(w.lines) || w.lines[k].kind != kindText || !w.headingAt(k) || w.lines[k].l.Base < m.l.Base {
			return
		}
		if _, _, numbered := clause.Parse(w.lines[k].text); numbered {
			return
		}
		span := w.headingLines(k)
		m.title, m.lead = n.Text+" "+w.join(k, span), m.span
		m.span += span
		return
	}
	if i == 0 || w.lines[i-1].kind != kindText {
		return
	}
	p := &w.lines[i-1]
	n, title, ok := clause.Parse(p.text)
	if !ok || n.Word == "" || title != "" || p.l.Base > m.l.Base || m.l.Base-p.l.Base > 5*m.l.Size {
		return
	}
	if own, _, numbered := clause.Parse(m.title); !numbered {
		m.title = n.Text + " " + m.title
	} else if own.Text != n.Text {
		return
	}
	*p = mline{l: p.l, raw: p.raw, text: p.text, table: -1, kind: kindHeading, heading: true, marked: m.marked, level: m.level,
		span: m.span + 1, lead: 1, title: m.title}
	m.kind, m.heading = kindTaken, false
}

// headingLines is how many lines a heading at i takes: those after it that look the same and are set close.
func (w *writer) headingLines(i int) int {
	n := 1
	first := w.lines[i].l
	for i+n < len(w.lines) && n < 4 {
		a, b := w.lines[i+n-1].l, w.lines[i+n].l
		step := b.Base - a.Base
		if w.lines[i+n].kind != kindText || b.Dx < .99 || math.Abs(b.Size-first.Size) > .06*first.Size || step < -.3*first.Size || step > 1.55*first.Size || layout.IsBold(b) != layout.IsBold(first) || layout.IsItalic(b) != layout.IsItalic(first) {
			break
		}
		if step > .4*first.Size {
			if _, _, numbered := clause.Parse(w.lines[i+n].text); numbered || math.Abs(b.Size-w.st.BodySize) < .05*w.st.BodySize && !layout.IsBold(b) {
				break
			}
			if first.Size < 1.12*w.st.BodySize {
				// Bold at the size of the text: only a full line goes on.
				if _, right := w.column(a); a.Box.X1 < right-4*a.Size {
					break
				}
			}
		}
		n++
	}
	return n
}
