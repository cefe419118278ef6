package compose

import (
	"strings"

	"github.com/findspot/findspot/docsearch/extract"
)

// Bounds of one page: what is beyond stays in the text, and is no table or figure of its own.
const (
	MaxCells   = 200_000 // of one table, spans counted
	maxObjects = 10_000  // tables, and figures
)

// A Page is being written. The zero value is not ready: see [New].
type Page struct {
	page     *extract.Page
	text, md strings.Builder
	line     int             // lines of text written
	run      strings.Builder // words of the paragraph under way; a line end in it is one that is wanted
	mark     string          // stands before the paragraph: the sign of a list
	gap      bool            // an empty line is due
}

// New returns an empty page of a number, from 1.
func New(number int) *Page {
	return &Page{page: &extract.Page{Number: number, Tables: []extract.Table{}, Figures: []extract.Figure{}}}
}

// Words adds to the paragraph under way. White space becomes one blank; no-break spaces too, and soft hyphens go.
func (p *Page) Words(s string) {
	space := false
	for _, r := range s {
		switch r {
		case ' ', '\n', '\t', '\r', '\f', '\u00a0':
			space = true
			continue
		case '\u00ad': // may be hyphenated here, and is not
			continue
		}
		if space {
			p.run.WriteByte(' ')
			space = false
		}
		p.run.WriteRune(r)
	}
	if space {
		p.run.WriteByte(' ')
	}
}

// Break ends the line within the paragraph under way.
func (p *Page) Break() { p.run.WriteByte('\n') }

// Mark sets what stands before the paragraph under way, such as "- " or "  2. " of a list; "" for nothing. Further paragraphs until the next Mark are indented by as much.
func (p *Page) Mark(mark string) { p.mark = mark }

// Paragraph ends the paragraph under way, which is wrapped in lines of about 100 bytes; gap asks for an empty line before what follows.
func (p *Page) Paragraph(gap bool) {
	var b strings.Builder
	for part := range strings.SplitSeq(p.run.String(), "\n") {
		if s := strings.Join(strings.Fields(part), " "); s != "" {
			wrap(&b, s)
		}
	}
	p.run.Reset()
	if b.Len() > 0 {
		s := b.String()
		if p.mark != "" {
			s = p.mark + s
			p.mark = strings.Repeat(" ", len(p.mark))
		}
		p.put(s, s)
	}
	p.gap = p.gap || gap
}

// Heading writes a heading of a level from 1. It ends the paragraph under way.
func (p *Page) Heading(text string, level int) {
	p.Paragraph(true)
	if text = strings.Join(strings.Fields(text), " "); text == "" {
		return
	}
	level = max(level, 1)
	p.put(text+"\n", strings.Repeat("#", min(level, 6))+" "+text+"\n")
	p.page.Headings = append(p.page.Headings, extract.Heading{Text: text, Level: level, Line: p.line})
	p.gap = true
}

// Pre writes lines as they stand, such as those of code. It ends the paragraph under way.
func (p *Page) Pre(s string) { p.Code(s, "", "") }

// Code is as Pre, and names the language of the lines in the Markdown view. before is a line that only that view has; "" for none.
func (p *Page) Code(s, language, before string) {
	p.Paragraph(true)
	s = strings.TrimRight(strings.ReplaceAll(strings.ReplaceAll(s, "\r\n", "\n"), "\r", "\n"), " \t\n")
	if strings.TrimSpace(s) == "" {
		return
	}
	ticks, run := 2, 0 // the longest run of backticks, which the fence must be longer than
	for i := range len(s) {
		if run++; s[i] != '`' {
			run = 0
		}
		ticks = max(ticks, run)
	}
	fence := strings.Repeat("`", ticks+1)
	if before != "" {
		before += "\n\n"
	}
	p.put(s+"\n", before+fence+language+"\n"+s+"\n"+fence+"\n")
	p.gap = true
}

// Table writes the caption of a table and a line for each row, with " | " between cells. Rows may be of different length. A table that is
// continued keeps its caption, which is not written again. It ends the paragraph under way.
func (p *Page) Table(t extract.Table) {
	p.Paragraph(true)
	cols := 0
	for _, r := range t.Rows {
		cols = max(cols, len(r))
	}
	rows := make([][]string, len(t.Rows))
	for i, r := range t.Rows {
		rows[i] = make([]string, cols)
		copy(rows[i], r)
	}
	t.Rows = rows
	if t.Cells == nil {
		t.Cells = []extract.Cell{}
	}
	var text, md strings.Builder
	if t.Caption != "" && !t.Continued {
		text.WriteString(t.Caption + "\n")
		md.WriteString(t.Caption + "\n\n")
	}
	for i, r := range t.Rows {
		if line := strings.TrimRight(strings.Join(r, " | "), " |"); line != "" {
			text.WriteString(line + "\n")
		}
		escaped := make([]string, len(r))
		for k, s := range r {
			escaped[k] = strings.ReplaceAll(s, "|", `\|`)
		}
		md.WriteString("| " + strings.Join(escaped, " | ") + " |\n")
		if i == 0 {
			md.WriteString(strings.Repeat("| --- ", cols) + "|\n")
		}
	}
	if strings.TrimSpace(text.String()) == "" {
		return
	}
	p.put(text.String(), md.String())
	p.gap = true
	if len(p.page.Tables) < maxObjects {
		p.page.Tables = append(p.page.Tables, t)
	}
}

// Figure notes a figure with a caption. It writes nothing: a caption that is to be read is a paragraph too.
func (p *Page) Figure(caption string) {
	if caption = strings.Join(strings.Fields(caption), " "); caption != "" && len(p.page.Figures) < maxObjects {
		p.page.Figures = append(p.page.Figures, extract.Figure{Caption: caption})
	}
}

// Empty reports whether nothing was written yet.
func (p *Page) Empty() bool { return p.line == 0 && strings.TrimSpace(p.run.String()) == "" }

// End ends the page and returns it.
func (p *Page) End() *extract.Page {
	p.Paragraph(false)
	p.page.Text, p.page.Markdown = p.text.String(), p.md.String()
	return p.page
}

// put writes whole lines of text and of Markdown, after an empty line where one is due.
func (p *Page) put(text, md string) {
	if p.gap && p.line > 0 {
		text, md = "\n"+text, "\n"+md
	}
	p.gap = false
	p.text.WriteString(text)
	p.md.WriteString(md)
	p.line += strings.Count(text, "\n")
}

// wrapAt is the length in bytes after which a line of a paragraph ends: lines are what is cited.
const wrapAt = 100

// wrap writes the words of s in lines. None ends in a hyphen, which would read as that of a word that goes on.
func wrap(b *strings.Builder, s string) {
	n, last := 0, byte(0)
	for word := range strings.SplitSeq(s, " ") {
		switch {
		case n > 0 && n+len(word) >= wrapAt && last != '-':
			b.WriteByte('\n')
			n = 0
		case n > 0:
			b.WriteByte(' ')
			n++
		}
		b.WriteString(word)
		n += len(word)
		last = word[len(word)-1]
	}
	b.WriteByte('\n')
}
