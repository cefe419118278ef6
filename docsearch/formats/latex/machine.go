package latex

import (
	"context"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"

	"github.com/findspot/findspot/docsearch/extract"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

// A machine goes through a document and writes its text.
type machine struct {
	input
	ctx   context.Context
	refs  *refs
	files *library
	meta  extract.Meta
	page  *compose.Page

	macros   map[string]*macro
	envs     map[string]*environment
	switches map[string]bool // of \newif

	inline  *strings.Builder // where text goes instead of the page
	nested  int              // inline texts around
	include int              // included files around

	title, author, date string
	level               int // of the section under way
	shift               int // levels that the title of the document takes
	depth               int // of sections that have a number
	unnumbered          bool
	lists               []list
	margin              int
	thanks              int      // notes of the title so far
	notes               []string // footnotes to be written after the paragraph
	float               *float
	whole, stop         bool // \begin{document} and \end{document} were read
	noFi                bool // nothing ends the conditionals any more
	beamer              bool
	short               [256]bool // signs that begin verbatim text
}

type list struct {
	kind   string
	item   int
	margin int
}

// A float is a figure or table with its caption.
type float struct {
	kind    string
	caption string // where a table is to take it; "" when it was written
}

func newMachine(ctx context.Context, known *refs, files *library) *machine {
	return &machine{
		ctx: ctx, refs: known, files: files, page: compose.New(1), macros: map[string]*macro{}, envs: map[string]*environment{}, switches: map[string]bool{},
		depth: 3,
	}
}

// document reads a whole document: its preamble for what it defines, then its body.
func (m *machine) document(src string) {
	const begin = `\begin{document}`
	at := 0
	class := strings.Index(src, `\documentclass`)
	if class < 0 {
		class = strings.Index(src, `\documentstyle`)
	}
	if class < 0 || strings.Contains(src[:class], `\begin{`) || strings.Contains(src[:class], `section{`) {
		at = -1 // a part of a document, which may speak of these commands
	}
	for at >= 0 {
		k := strings.Index(src[at:], begin)
		if k < 0 {
			at = -1
			break
		}
		from := strings.LastIndexByte(src[at:at+k], '\n') + 1 + at
		if !comments(src[from : at+k]) {
			at += k
			break
		}
		at += k // one that a comment hides does not count
		if k = strings.IndexByte(src[at:], '\n'); k < 0 {
			at = -1
			break
		}
		at += k
	}
	body := src
	if at >= 0 {
		m.at = true
		var none strings.Builder
		m.inline = &none
		m.run(src[:at])
		m.inline, m.at, m.stop = nil, false, false
		body = src[at+len(begin):]
		m.notes, m.whole = nil, true
	}
	m.run(body)
	m.flush()
	m.paragraph()
	if m.meta.Title == "" {
		m.meta.Title = m.text(m.title)
	}
	if m.meta.Authors == nil {
		m.meta.Authors = m.authors()
	}
	if m.meta.Date == "" && !strings.Contains(m.date, `\today`) {
		m.meta.Date = m.text(m.date)
	}
}

// comments reports whether a "%" begins a comment in a line.
func comments(line string) bool {
	for i := 0; i < len(line); i++ {
		switch line[i] {
		case '\\':
			i++
		case '%':
			return true
		}
	}
	return false
}

// text returns a source as one line of text.
func (m *machine) text(src string) string {
	if m.nested > maxNested {
		return src
	}
	m.nested++
	was, frames := m.inline, m.frames
	var b strings.Builder
	m.inline, m.frames = &b, nil
	m.run(src)
	m.inline, m.frames = was, frames
	m.nested--
	return strings.Join(strings.Fields(strings.ReplaceAll(b.String(), "\u00a0", " ")), " ")
}

// run reads a text to its end.
func (m *machine) run(src string) {
	floor := len(m.frames)
	if m.pushed += len(src); m.pushed > maxExpanded+maxFile+maxIncluded || m.stop {
		return
	}
	m.frames = append(m.frames, frame{src, 0})
	for n := 0; !m.stop; n++ {
		if n&0xfff == 0 && m.ctx.Err() != nil {
			break
		}
		f := m.top(floor)
		if f == nil {
			break
		}
		m.step(f, floor)
	}
	m.frames = m.frames[:min(floor, len(m.frames))]
}

func (m *machine) step(f *frame, floor int) {
	s := f.s[f.i:]
	switch s[0] {
	case '\\':
		f.i++
		if f.i == len(f.s) {
			return
		}
		m.command(m.name(f), floor)
	case '%':
		m.input.comment(f)
	case '{', '}':
		f.i++
	case '$':
		m.dollars(f)
	case '~':
		f.i++
		m.emit("\u00a0")
	case '\n':
		k := 1
		for k < len(s) && (s[k] == ' ' || s[k] == '\t') {
			k++
		}
		f.i += k
		if k < len(s) && s[k] == '\n' {
			m.paragraph()
			return
		}
		m.emit(" ")
	case '&':
		f.i++
		m.emit(" ")
	case '-':
		n := 1
		for n < min(len(s), 3) && s[n] == '-' {
			n++
		}
		f.i += n
		m.emit([]string{"-", "–", "—"}[n-1])
	case '`':
		if strings.HasPrefix(s, "``") {
			f.i += 2
			m.emit("“")
			return
		}
		f.i++
		m.emit("‘")
	case '\'':
		if strings.HasPrefix(s, "''") {
			f.i += 2
			m.emit("”")
			return
		}
		f.i++
		m.emit("’")
	case '?', '!':
		if strings.HasPrefix(s[1:], "`") {
			f.i += 2
			m.emit(map[byte]string{'?': "¿", '!': "¡"}[s[0]])
			return
		}
		f.i++
		m.emit(s[:1])
	default:
		if m.short[s[0]] {
			m.shortVerb(f)
			return
		}
		k := strings.IndexAny(s, "\\%{}$~\n&-`'?!|\"")
		if k < 0 {
			k = len(s)
		}
		_, n := utf8.DecodeRuneInString(s)
		k = max(k, n)
		f.i += k
		m.emit(s[:k])
	}
}

// emit writes text.
func (m *machine) emit(s string) {
	if m.inline != nil {
		m.inline.WriteString(s)
		return
	}
	m.page.Words(norm.NFC.String(s))
}

// paragraph ends the paragraph under way, and writes the footnotes that it had.
func (m *machine) paragraph() {
	if m.inline != nil {
		m.inline.WriteByte(' ')
		return
	}
	m.page.Paragraph(len(m.lists) == 0)
	m.flush()
}

func (m *machine) flush() {
	if len(m.notes) == 0 || m.inline != nil {
		return
	}
	notes := m.notes
	m.notes = nil
	m.page.Paragraph(false)
	for _, n := range notes {
		mark, text, _ := strings.Cut(n, "\x00")
		m.page.Mark(strings.Repeat(" ", m.margin) + mark + " ")
		m.page.Words(text)
		m.page.Paragraph(false)
	}
	m.page.Mark(strings.Repeat(" ", m.margin))
	m.page.Paragraph(len(m.lists) == 0)
}

// note writes the mark of a footnote, and keeps its text.
func (m *machine) note(number, src string) {
	was := m.refs.current
	m.refs.current = ref{kind: "footnote", number: number}
	text := m.text(src)
	m.refs.current = was
	m.emit("[^" + number + "]")
	if len(m.notes) < 100_000 {
		m.notes = append(m.notes, "[^"+number+"]\x00"+text)
	}
}

// heading writes the heading of a section.
func (m *machine) heading(name string, floor int) {
	star := m.star(floor)
	m.option(floor)
	m.angle(floor)
	src := m.arg(floor)
	if m.inline != nil { // in a cell or title
		m.emit(m.text(src))
		return
	}
	m.paragraph()
	rank := 0
	for i, s := range sections {
		if s == name {
			rank = i
		}
	}
	number := ""
	if name == "chapter" {
		m.refs.chapters = true
	}
	limit := m.depth + 1
	if m.refs.chapters {
		limit = m.depth
		if m.depth == 3 {
			limit = 3
		}
	}
	if !star && !m.unnumbered && rank <= limit && !m.beamer {
		m.refs.step(name)
		number = m.refs.number(name, 0)
	}
	m.refs.current = ref{kind: name, number: number}
	title := m.text(src)
	m.refs.current.title = title
	level := rank - 1 // a section is 1
	if m.refs.chapters {
		level = rank
	}
	if rank == 0 {
		level = 1
	}
	m.level = max(level, 1) + m.shift
	m.page.Heading(strings.TrimSpace(number+" "+title), m.level)
	m.flush()
}

// authors returns the names of \author.
func (m *machine) authors() (out []string) {
	for _, part := range split(m.author, `\and`, `\And`, `\AND`) {
		first, _, _ := strings.Cut(strings.TrimSpace(part), `\\`)
		was := m.notes
		name := m.text(first)
		m.notes = was
		for n := range strings.SplitSeq(name, ",") {
			if n, _, _ = strings.Cut(n, "[^"); len(out) < 1000 {
				if n = strings.Trim(strings.TrimPrefix(strings.TrimSpace(n), "and "), " *†‡§"); n != "" {
					out = append(out, n)
				}
			}
		}
	}
	return out
}

// split splits at commands.
func split(s string, seps ...string) []string {
	for _, sep := range seps {
		var b strings.Builder
		for {
			k := strings.Index(s, sep)
			if k < 0 {
				break
			}
			b.WriteString(s[:k])
			s = s[k+len(sep):]
			if s == "" || !(s[0] >= 'a' && s[0] <= 'z' || s[0] >= 'A' && s[0] <= 'Z') {
				b.WriteByte(0)
			} else {
				b.WriteString(sep)
			}
		}
		s = b.String() + s
	}
	return strings.Split(s, "\x00")
}

// maketitle writes the title of the document.
func (m *machine) maketitle() {
	if m.inline != nil || m.title == "" {
		return
	}
	m.paragraph()
	m.meta.Authors = m.authors()
	m.thanks, m.notes = 0, nil
	m.meta.Title = m.text(m.title)
	if k := strings.Index(m.meta.Title, "[^*"); k > 0 {
		m.meta.Title = strings.TrimSpace(m.meta.Title[:k])
	}
	if !strings.Contains(m.date, `\today`) {
		m.meta.Date = m.text(m.date)
	}
	m.page.Heading(m.meta.Title, 1)
	m.shift = 1
	for _, s := range append(split(m.author, `\and`, `\And`, `\AND`), m.date) {
		m.run(s)
		m.page.Paragraph(false)
	}
	m.page.Paragraph(true)
	m.flush()
}
