package markdown

import (
	"math"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/formula"
	"github.com/findspot/findspot/docsearch/pdf/internal/inline"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/table"
	"github.com/findspot/findspot/internal/clause"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// blocks writes the lines as blocks of Markdown. A float within a paragraph waits for the paragraph's end.
func (w *writer) blocks() {
	done := make([]bool, len(w.tables.Tables))
	if w.page.Number == 1 && w.st.Title != "" && len(w.st.Titled) > 0 {
		w.block("# " + inline.Escape(w.st.Title))
	}
	for i := 0; i < len(w.lines); i++ {
		m := &w.lines[i]
		switch m.kind {
		case kindRunning, kindTaken, kindTitle:
		case kindAside:
			w.notes = append(w.notes, inline.GuardStart(inline.Markdown(w.st.Spans(m.l))))
		case kindTable:
			if !done[m.table] {
				done[m.table] = true
				w.float(strings.TrimRight(tableMarkdown(&w.tables.Tables[m.table]), "\n"))
			}
		case kindHeading:
			w.flush()
			w.closeList()
			w.block(strings.Repeat("#", min(m.level+1, 6)) + " " + w.headingText(i))
		case kindCaption:
			var spans []inline.Span
			for k := i; k < i+max(m.span, 1); k++ {
				spans = inline.Join(w.v.Words, spans, w.st.Spans(w.lines[k].l))
			}
			w.float(captionText(spans))
		case kindFigure:
			j := i
			var parts []string
			for j < len(w.lines) && w.lines[j].kind == kindFigure {
				if strings.Trim(w.lines[j].text, "\ufffd ") != "" { // strokes may be signs of a font
					parts = append(parts, inline.Escape(w.lines[j].text))
				}
				j++
			}
			if len(parts) > 0 {
				w.float("> " + strings.Join(parts, " · "))
			}
			i = j - 1
		case kindCode:
			j := i
			for j < len(w.lines) && (w.lines[j].kind == kindCode || w.lines[j].kind == kindRunning && j+1 < len(w.lines) && w.lines[j+1].kind == kindCode) {
				j++
			}
			w.flush()
			w.code(w.lines[i:j])
			i = j - 1
		case kindFormula:
			j := i
			var lines []*mline
			for j < len(w.lines) && w.lines[j].kind == kindFormula && (j == i || w.near(&w.lines[j-1], &w.lines[j])) {
				lines = append(lines, &w.lines[j])
				j++
			}
			w.displayed(lines)
			i = j - 1
		case kindNote:
			var spans []inline.Span
			j := i
			for j < len(w.lines) && w.lines[j].kind == kindNote && (j == i || !noteStart.MatchString(w.lines[j].text) || !w.raisedStart(&w.lines[j])) {
				spans = inline.Join(w.v.Words, spans, w.st.Spans(w.lines[j].l))
				j++
			}
			w.notes = append(w.notes, inline.GuardStart(inline.Markdown(spans)))
			i = max(i, j-1)
		case kindEntry:
			i = w.entries(i)
		default:
			w.line(m)
		}
	}
	w.flush()
	w.closeList()
	for k := range w.tables.Tables {
		if !done[k] {
			w.block(strings.TrimRight(tableMarkdown(&w.tables.Tables[k]), "\n"))
		}
	}
	for _, n := range w.notes {
		w.block(n)
	}
}

func (w *writer) block(s string) {
	if s != "" {
		w.out.WriteString(s + "\n\n")
	}
}

// float writes a block that does not belong into the running text: at once, or after the paragraph that it interrupts.
func (w *writer) float(s string) {
	if len(w.para) > 0 && !endsSentence(inline.Text(w.para)) {
		w.floats = append(w.floats, s)
		return
	}
	w.flush()
	w.closeList()
	w.block(s)
}

// flush ends the paragraph.
func (w *writer) flush() {
	if len(w.para) > 0 {
		s := inline.Markdown(w.para)
		indent := 0
		if n := len(w.items); n > 0 && (w.prefix != "" || w.inList) {
			indent = w.items[n-1].indent
		}
		switch {
		case w.prefix != "":
			w.out.WriteString(w.prefix + inline.GuardStart(s) + "\n")
			w.inList = true
		case indent > 0: // a further paragraph of an item
			w.out.WriteString("\n" + strings.Repeat(" ", indent) + inline.GuardStart(s) + "\n")
		default:
			w.block(inline.GuardStart(s))
		}
	}
	w.para, w.last, w.prefix = nil, nil, ""
	if len(w.floats) > 0 {
		w.closeList()
		for _, f := range w.floats {
			w.block(f)
		}
		w.floats = nil
	}
}

// closeList ends the open list.
func (w *writer) closeList() {
	if w.inList {
		w.out.WriteByte('\n')
	}
	if len(w.items) > 0 {
		w.ended = w.items[0]
	}
	w.inList, w.items = false, nil
}

// headingText is the text of a heading at line i with its formulas, but no weight and slant.
func (w *writer) headingText(i int) string {
	m := &w.lines[i]
	var spans []inline.Span
	if m.lead > 0 {
		n, _, _ := clause.Parse(m.title)
		spans = []inline.Span{{Text: n.Text + " "}}
	}
	for k := i + m.lead; k < i+m.span && k < len(w.lines); k++ {
		for _, s := range w.st.Spans(w.lines[k].l) {
			s.Face &^= inline.Bold | inline.Italic
			if s.Face&inline.Math == 0 && w.lines[k].l.Size > w.st.BodySize {
				s.Face &^= inline.Mono
			}
			if k > i+m.lead && len(spans) > 0 && s.Text == w.st.Spans(w.lines[k].l)[0].Text {
				spans = inline.Join(w.v.Words, spans, []inline.Span{s})
				continue
			}
			spans = append(spans, s)
		}
	}
	s := inline.Markdown(spans)
	if s == "" {
		s = inline.Escape(m.title)
	}
	return s
}

var captionLabel = lazyregexp.New(`^(?:\S+\s+){0,1}?(?i:table|tab\.|exhibit|tableau|tabelle|figure|fig\.?|abbildung|abb\.)\s*[\w.–-]*\d[\w.–-]*\s?[.:|]?|^\S+\s+[IVXL]+[.:]?`)

// captionText writes a caption with its label in bold.
func captionText(spans []inline.Span) string {
	for i := range spans {
		spans[i].Face &^= inline.Bold | inline.Italic
	}
	s := inline.Markdown(spans)
	if n := len(captionLabel.FindString(s)); n > 0 && !strings.ContainsAny(s[:n], "*$`<") {
		return "**" + strings.TrimSpace(s[:n]) + "** " + strings.TrimSpace(s[n:])
	}
	return inline.GuardStart(s)
}

// line adds a line of running text: to the paragraph that it continues, or as a new one or an item of a list.
func (w *writer) line(m *mline) {
	spans := w.st.Spans(m.l)
	em := math.Max(m.l.Size, 1)
	if x, ok := w.drawnBullet(m); ok {
		w.flush()
		w.prefix = strings.Repeat(" ", w.enter(x, m.l.Box.X0, "•", em)) + "- "
		w.para, w.last = spans, m
		return
	}
	if mark, n := listMark(m.text); mark != "" && w.listItem(m, mark, n) {
		w.flush()
		text := textStart(m.l, n)
		indent := w.enter(m.l.Box.X0, text, mark, em)
		md, keep := markdownMark(mark)
		w.prefix = strings.Repeat(" ", indent) + md + " "
		lead := len(m.l.Text) - len(strings.TrimLeft(m.l.Text, " "))
		w.para = cutSpans(spans, n+lead)
		if keep != "" {
			w.para = append([]inline.Span{{Text: keep}}, w.para...)
		}
		if len(w.para) == 0 {
			w.para = []inline.Span{{}}
		}
		w.last = m
		return
	}
	if w.last != nil && len(w.para) > 0 && w.continues(w.last, m) {
		if len(inline.Text(w.para)) == 0 {
			w.para = spans // the mark of a list stood alone
		} else if script(w.last.l, m.l) {
			f := inline.Superscript
			if m.l.Base > w.last.l.Base {
				f = inline.Subscript
			}
			for i := range spans {
				spans[i].Face |= f
			}
			w.para = append(w.para, spans...)
			return
		} else {
			w.para = inline.Join(w.v.Words, w.para, spans)
		}
		w.last = m
		return
	}
	prev := w.last
	w.flush()
	if len(w.items) > 0 {
		top := w.items[len(w.items)-1]
		// Text that is indented as the item's is a further paragraph of it.
		if !(m.l.Box.X0 > top.x+.6*em && m.l.Box.X0 > top.text-1.2*em && m.l.Box.X0 < top.text+3*em) || prev == nil {
			w.closeList()
		}
	}
	w.para, w.last = spans, m
}

// script reports whether b is raised or lowered at the end of a.
func script(a, b *layout.Line) bool {
	return b.Size < .82*a.Size && math.Abs(b.Base-a.Base) < .7*a.Size && math.Abs(b.Base-a.Base) > .1*a.Size && math.Abs(b.Box.X0-a.Box.X1) < .35*a.Size
}

// listItem tells the mark of a list from the same signs in running text.
func (w *writer) listItem(m *mline, mark string, n int) bool {
	rest := strings.TrimSpace(m.text[min(n, len(m.text)):])
	gap := textStart(m.l, n) - m.l.Box.X0
	em := math.Max(m.l.Size, 1)
	follows := w.last != nil && len(w.para) > 0 && w.continues(w.last, m)
	beside := len(w.items) > 0 && math.Abs(w.items[len(w.items)-1].x-m.l.Box.X0) < .8*em
	switch {
	case rest == "" && !bulletOnly(mark):
		return false
	case strings.ContainsAny(mark, "-–—*⋆"):
		return rest != "" && (beside || gap > .9*em && (!follows || endsSentence(inline.Text(w.para)) || strings.HasSuffix(inline.Text(w.para), ";")) || !follows && gap > .5*em)
	case bulletOnly(mark):
		return true
	case beside, math.Abs(w.ended.x-m.l.Box.X0) < .8*em && nextMark(w.ended.mark, mark):
		return true
	case !follows:
		return gap > .6*em
	}
	p := inline.Text(w.para)
	return endsSentence(p) || strings.HasSuffix(p, ";") || strings.HasSuffix(p, ",") && strings.HasPrefix(mark, "(")
}

// reference reports whether a paragraph is an entry of the references.
func reference(para []inline.Span) bool {
	for _, s := range para {
		if s.Text != "" {
			return refMark.Maybe(s.Text) && refMark.MatchString(inline.Text(para))
		}
	}
	return false
}

// continues reports whether b goes on with the paragraph of a.
func (w *writer) continues(ma, mb *mline) bool {
	a, b := ma.l, mb.l
	step := b.Base - a.Base
	if math.Abs(step) < .35*math.Max(a.Size, b.Size) && b.Box.X0 > a.Box.X0 {
		return b.Box.X0-a.Box.X1 < 12*a.Size // the same line, set in pieces
	}
	if script(a, b) {
		return true
	}
	if math.Abs(a.Size-b.Size) > .2*a.Size {
		return false
	}
	if refMark.MatchString(mb.text) && (endsSentence(ma.text) || reference(w.para)) {
		return false
	}
	if noteWord.MatchString(mb.text) && endsClause(ma.text) {
		return false
	}
	if x, y := tabbed(a), tabbed(b); y > 0 && math.Abs(a.Box.X0-b.Box.X0) < 2 && (math.Abs(x-y) < 2 || math.Abs(w.tab-y) < 2) && step > .5*a.Size {
		return false // the next entry of a list of terms
	} else if y > 0 {
		w.tab = y
	} else if x > 0 {
		w.tab = x
	}
	if w.raisedStart(mb) {
		return false // a mark that the line explains
	}
	left, right := w.column(a)
	if step < -.5*a.Size { // the next column
		return !endsSentence(ma.text) && (b.Box.X0 > a.Box.X0 || b.Box.Y1 < a.Box.Y0) && startsLower(mb.text)
	}
	if step > math.Max(1.32*w.lead, w.lead+.25)*math.Max(a.Size, b.Size) || step < .3*a.Size {
		// Wider than the lines of a paragraph; but across a gap of a float a sentence may go on.
		return len(w.floats) > 0 && step > 0 && !endsSentence(ma.text) && startsLower(mb.text)
	}
	if n := len(w.items); n > 0 && w.prefix != "" {
		top := w.items[n-1]
		if b.Box.X0 < top.x-.5*b.Size {
			return false
		}
		if b.Box.X0 < top.text-1.5*b.Size && endsSentence(ma.text) && b.Box.X0 < top.x+.5*b.Size && top.text-top.x > 1.2*b.Size {
			return false
		}
	}
	if reference(w.para) {
		return true // an entry of the references, hanging
	}
	space := right - a.Box.X1
	fits := firstWord(mb) + .5*a.Size
	switch {
	case endsSentence(ma.text) && space > fits+a.Size:
		return false // the word had room on the line before
	case endsSentence(ma.text) && b.Box.X0 > left+.7*b.Size && b.Box.X0 > a.Box.X0+.7*b.Size && b.Box.X0 < left+6*b.Size:
		return false // an indented first line
	case space > .35*(right-left) && right-left > 10*a.Size && !startsLower(mb.text) && w.prefix == "":
		return false // lines that are lines: an address, a poem
	}
	return true
}

// tabbed returns where the text after a short term and a wide gap begins on a line; 0 where there is none.
func tabbed(l *layout.Line) float64 {
	if len(l.Segs) < 2 || utf8.RuneCountInString(l.Segs[0].Text) > 24 {
		return 0
	}
	if gap := l.Segs[1].Box.X0 - l.Segs[0].Box.X1; gap < 1.1*l.Size {
		return 0
	}
	return l.Segs[1].Box.X0
}

// noteWord begins the notes and examples of standards.
var noteWord = lazyregexp.New(`^(?:NOTE|EXAMPLE|Editor's Note)\b(?:\s+\d+)?:?\s`)

func endsClause(s string) bool {
	return endsSentence(s) || strings.HasSuffix(s, ";") || strings.HasSuffix(s, ",")
}

// raisedStart reports whether a line begins with a raised mark.
func (w *writer) raisedStart(m *mline) bool {
	if !smallStart(m.l) {
		return false
	}
	spans := w.st.Spans(m.l)
	return len(spans) > 1 && spans[0].Face&inline.Superscript != 0 && inline.IsFootMark(strings.TrimSpace(spans[0].Text))
}

// smallStart reports whether the first letter of a line may be raised: it is false where something of the usual size comes
// before anything smaller. It spares most lines the cutting into spans.
func smallStart(l *layout.Line) bool {
	for i := range l.Segs {
		for k := range l.Segs[i].Glyphs {
			g := &l.Segs[i].Glyphs[k]
			if g.Size < .86*l.Size {
				return true
			}
			if len(g.Text) == 1 && g.Text[0] > ' ' && g.Text[0] < 0x7F {
				return false
			}
		}
	}
	return false
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(strings.TrimLeft(s, "(\"“'‘"))
	return unicode.IsLower(r) || unicode.IsDigit(r)
}

// firstWord is the width of the first word of a line.
func firstWord(m *mline) float64 {
	n := strings.IndexByte(m.text, ' ')
	if n < 0 {
		return m.l.Box.Width()
	}
	return m.l.Box.Width() * float64(n) / float64(len(m.text))
}

// near reports whether two lines of formulas belong to one block.
func (w *writer) near(a, b *mline) bool {
	return math.Abs(b.l.Base-a.l.Base) < 3.2*math.Max(a.l.Size, w.st.BodySize) && b.l.Base > a.l.Base-3.2*w.st.BodySize
}

// displayed writes a formula on lines of its own.
func (w *writer) displayed(lines []*mline) {
	letters := 0
	texts := make([]formula.Line, 0, len(lines))
	for _, m := range lines {
		texts = append(texts, formula.Line{Line: m.l, Text: m.text})
		if !formula.IsNumber(m.text) {
			letters += utf8.RuneCountInString(m.text)
		}
	}
	tex, ok := "", false
	if letters >= 3 {
		tex, ok = formula.TeX(w.v.Canvas, texts)
	}
	if !ok {
		for _, m := range lines {
			w.line(m)
		}
		return
	}
	w.flush()
	indent := ""
	if n := len(w.items); n > 0 && w.inList {
		indent = strings.Repeat(" ", w.items[n-1].indent)
		w.out.WriteByte('\n')
	}
	w.out.WriteString(indent + "$$\n" + indent + strings.ReplaceAll(tex, "\n", "\n"+indent) + "\n" + indent + "$$\n\n")
}

// code writes lines of a listing with their indentation, and blank lines where there is room for one.
func (w *writer) code(lines []mline) {
	w.closeList()
	left, pitch, lead := math.Inf(1), 0.0, math.Inf(1)
	for i := range lines {
		l := lines[i].l
		left = math.Min(left, l.Box.X0)
		for k := range l.Segs[0].Glyphs {
			if g := &l.Segs[0].Glyphs[k]; pitch <= 0 && g.EndX-g.X > .2*g.Size {
				pitch = g.EndX - g.X
			}
		}
		if i > 0 {
			if step := l.Base - lines[i-1].l.Base; step > .5*l.Size {
				lead = math.Min(lead, step)
			}
		}
	}
	if pitch <= 0 {
		pitch = .6 * math.Max(lines[0].l.Size, 1)
	}
	var rows []string
	base := math.Inf(-1)
	for i := range lines {
		l := lines[i].l
		if lines[i].kind != kindCode {
			continue
		}
		same := i > 0 && math.Abs(l.Base-base) < .3*l.Size
		if !same {
			if i > 0 && l.Base > base && !math.IsInf(lead, 1) {
				for n := math.Round((l.Base-base)/lead) - 1; n > 0 && n < 4; n-- {
					rows = append(rows, "")
				}
			}
			rows = append(rows, "")
		}
		row := &rows[len(rows)-1]
		for k := range l.Segs {
			s := &l.Segs[k]
			next := 0
			for g := range s.Glyphs {
				blank := next < len(s.Spaces) && s.Spaces[next] == g
				if blank {
					next++
				}
				t := strings.TrimSpace(s.Glyphs[g].Text)
				if t == "" {
					continue
				}
				// A blank is as wide as it is printed; letters follow each other.
				n := utf8.RuneCountInString(*row)
				col := int(math.Round((s.Glyphs[g].X - left) / pitch))
				if blank || g == 0 && k > 0 || endsBlank(s, g) && n > 0 {
					col = max(col, n+1)
				}
				if n == 0 || col > n+1 || blank || g == 0 && k > 0 || endsBlank(s, g) {
					*row += strings.Repeat(" ", min(max(0, col-n), 200))
				}
				*row += t
			}
		}
		base = l.Base
	}
	fence := "```"
	text := strings.Join(rows, "\n")
	for strings.Contains(text, fence) {
		fence += "`"
	}
	w.block(fence + "\n" + text + "\n" + fence)
}

// endsBlank reports whether the glyph before number g of a segment is a blank.
func endsBlank(s *layout.Segment, g int) bool {
	return g > 0 && strings.TrimSpace(s.Glyphs[g-1].Text) == ""
}

var leaders = lazyregexp.New(`(?:\s*\.){4,}\s*|(?:\s\.){3,}\s*|\s*…{2,}\s*`)

// entries writes the entries of a table of contents from line i on as a list and returns its last line.
func (w *writer) entries(i int) int {
	w.flush()
	w.closeList()
	cur := ""
	closed := false
	put := func() {
		if cur = strings.TrimSpace(cur); cur == "" {
			return
		}
		depth := 0
		if n, _, ok := clause.Parse(cur); ok {
			depth = min(n.Depth, 6) - 1
		}
		w.out.WriteString(strings.Repeat("  ", depth) + "- " + inline.GuardStart(inline.Escape(cur)) + "\n")
		cur, closed = "", false
	}
	j := i
	for ; j < len(w.lines) && (w.lines[j].kind == kindEntry || w.lines[j].kind == kindRunning); j++ {
		if w.lines[j].kind == kindRunning {
			continue
		}
		t := w.lines[j].text
		number := pageNumber.MatchString(t)
		if closed && !number || number && cur == "" {
			put()
		}
		led := leaders.MatchString(t)
		t = strings.TrimSpace(leaders.ReplaceAllString(t, " … "))
		if cur != "" {
			cur += " "
		}
		cur += t
		if led || number || endNumber.MatchString(t) {
			closed = true
		}
		if number {
			put()
		}
	}
	put()
	w.out.WriteByte('\n')
	return j - 1
}

func endsSentence(s string) bool {
	s = strings.TrimRight(s, ")\"'”’] ")
	if strings.HasSuffix(s, "■") || strings.HasSuffix(s, "□") || strings.HasSuffix(s, "∎") {
		return true // a proof
	}
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":") || strings.HasSuffix(s, "。")
}

// tableMarkdown writes a table with its first row as the head. Spanned cells stay empty.
func tableMarkdown(t *table.Table) string {
	d := t.Export()
	var b strings.Builder
	for r, cells := range d.Rows {
		b.WriteByte('|')
		for _, c := range cells {
			c = strings.ReplaceAll(inline.Escape(strings.Join(strings.Fields(c), " ")), "|", `\|`)
			b.WriteString(" " + c + " |")
		}
		b.WriteByte('\n')
		if r == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", t.Cols) + "\n")
		}
	}
	return b.String()
}
