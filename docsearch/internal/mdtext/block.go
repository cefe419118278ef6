package mdtext

import (
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/format"
	"github.com/findspot/findspot/docsearch/internal/mathtext"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// maxDepth bounds lists and quotes in one another: what is deeper is text.
const maxDepth = 30

var (
	atx       = lazyregexp.New(`^ {0,3}(#{1,6})(?:[ \t]+(.*?))?(?:[ \t]+#+)?[ \t]*$`)
	fenceMark = lazyregexp.New("^( {0,3})(```+|~~~+)[ \t]*([^`]*)$")
	itemMark  = lazyregexp.New(`^( {0,3})([-*+]|[0-9]{1,9}[.)])( +|$)`)
	rule      = lazyregexp.New(`^ {0,3}(?:(?:\*[ \t]*){3,}|(?:-[ \t]*){3,}|(?:_[ \t]*){3,})$`)
	setext    = lazyregexp.New(`^ {0,3}(=+|-+)[ \t]*$`)
	tableRule = lazyregexp.New(`^ {0,3}\|?[ \t]*:?-+:?[ \t]*(?:\|[ \t]*:?-+:?[ \t]*)*\|?[ \t]*$`)
	htmlBlock = lazyregexp.New(`(?i)^ {0,3}<(?:!--|/?(?:address|article|aside|blockquote|body|br|center|details|dialog|dd|div|dl|dt|fieldset|figure|figcaption|footer|form|h[1-6]|head|header|hr|html|iframe|img|legend|li|link|main|menu|nav|ol|p|pre|script|section|style|summary|table|tbody|td|tfoot|th|thead|title|tr|ul|video)(?:[\s/>]|$))`)
	reference = lazyregexp.New(`^ {0,3}\[[^\]^][^\]]*\]:[ \t]*\S+`)
	beginMath = lazyregexp.New(`^\s*\\begin\{([a-z]+\*?)\}`)
)

// Write writes Markdown into a page. It takes time in proportion to src.
func Write(p *compose.Page, src string) {
	src = strings.ReplaceAll(strings.ReplaceAll(src, "\r\n", "\n"), "\r", "\n")
	w := &writer{Page: p}
	w.blocks(strings.Split(src, "\n"), 0, false)
	w.Mark("")
	w.Paragraph(true)
}

type writer struct {
	*compose.Page
	margin int
}

func (w *writer) text(s string) {
	for i, line := range strings.Split(Inline(s), "\n") {
		if i > 0 {
			w.Break()
		}
		w.Words(line)
	}
}

// blocks writes lines; tight ones have no empty lines between them.
func (w *writer) blocks(lines []string, depth int, tight bool) {
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case strings.TrimSpace(line) == "":
			i++
		case fenceMark.MatchString(line):
			i = w.fence(lines, i)
		case strings.HasPrefix(line, "    ") || strings.HasPrefix(line, "\t"):
			var code []string
			for ; i < len(lines) && (strings.HasPrefix(lines[i], "    ") || strings.HasPrefix(lines[i], "\t") || strings.TrimSpace(lines[i]) == ""); i++ {
				code = append(code, strings.TrimPrefix(strings.TrimPrefix(lines[i], "    "), "\t"))
			}
			w.Pre(strings.TrimLeft(strings.Join(code, "\n"), "\n"))
		case atx.MatchString(line):
			m := atx.FindStringSubmatch(line)
			w.Heading(strings.ReplaceAll(Inline(m[2]), "\n", " "), len(m[1]))
			i++
		case rule.MatchString(line):
			w.Paragraph(true)
			i++
		case strings.HasPrefix(strings.TrimLeft(line, " "), ">") && depth < maxDepth:
			i = w.quote(lines, i, depth)
		case itemMark.MatchString(line) && depth < maxDepth:
			i = w.list(lines, i, depth)
		case htmlBlock.MatchString(line):
			from := i
			for i < len(lines) && strings.TrimSpace(lines[i]) != "" {
				i++
			}
			src := []byte(strings.Join(lines[from:i], "\n"))
			if format.WriteHTML(w.Page, src, 0) != nil {
				w.Words(format.HTMLText(src))
				w.Paragraph(true)
			}
		case i+1 < len(lines) && strings.Contains(line, "|") && strings.Contains(lines[i+1], "-") && tableRule.MatchString(lines[i+1]):
			i = w.table(lines, i)
		case strings.HasPrefix(strings.TrimSpace(line), "$$") || beginMath.MatchString(line):
			i = w.formula(lines, i)
		case reference.MatchString(line):
			i++
		default:
			i = w.paragraph(lines, i, tight)
		}
	}
}

func (w *writer) fence(lines []string, i int) int {
	m := fenceMark.FindStringSubmatch(lines[i])
	language, _, _ := strings.Cut(strings.TrimSpace(m[3]), " ")
	var code []string
	for i++; i < len(lines); i++ {
		s := strings.TrimSpace(lines[i])
		if strings.HasPrefix(s, m[2]) && strings.Trim(s, m[2][:1]) == "" {
			i++
			break
		}
		line := lines[i]
		for range m[1] {
			line = strings.TrimPrefix(line, " ")
		}
		code = append(code, line)
	}
	w.Code(strings.Join(code, "\n"), strings.Trim(language, "{}."), "")
	return i
}

func (w *writer) quote(lines []string, i, depth int) int {
	var inner []string
	for ; i < len(lines); i++ {
		s := strings.TrimLeft(lines[i], " ")
		if rest, ok := strings.CutPrefix(s, ">"); ok {
			inner = append(inner, strings.TrimPrefix(rest, " "))
		} else if s != "" && len(inner) > 0 && strings.TrimSpace(inner[len(inner)-1]) != "" && !startsBlock(lines[i]) {
			inner = append(inner, s)
		} else {
			break
		}
	}
	w.indented(2, func() { w.blocks(inner, depth+1, false) })
	w.Paragraph(true)
	return i
}

func (w *writer) indented(n int, write func()) {
	was := w.margin
	w.margin = min(was+n, 24)
	w.Mark(strings.Repeat(" ", w.margin))
	write()
	w.Paragraph(false)
	w.margin = was
	w.Mark(strings.Repeat(" ", was))
}

func (w *writer) list(lines []string, i, depth int) int {
	first := itemMark.FindStringSubmatch(lines[i])[2]
	w.Paragraph(w.margin == 0)
	for i < len(lines) {
		m := itemMark.FindStringSubmatch(lines[i])
		if m == nil || m[2][len(m[2])-1] != first[len(first)-1] || rule.MatchString(lines[i]) {
			break
		}
		width := len(m[0])
		if len(m[3]) > 4 || m[3] == "" {
			width = len(m[1]) + len(m[2]) + 1
		}
		item := []string{strings.TrimLeft(lines[i][min(width, len(lines[i])):], " ")}
		loose, end := false, i+1
		for i++; i < len(lines); i++ {
			s := strings.ReplaceAll(lines[i], "\t", "    ")
			if strings.TrimSpace(s) == "" {
				item = append(item, "")
				continue
			}
			in := len(s) - len(strings.TrimLeft(s, " "))
			if in < width {
				if in >= 2 && width > 2 && itemMark.MatchString(s) { // a list within, indented by less than it should be
					in = width
					s = strings.Repeat(" ", width) + strings.TrimLeft(s, " ")
				} else if item[len(item)-1] == "" || startsBlock(s) || itemMark.MatchString(s) {
					break
				} else {
					in = len(s) - len(strings.TrimLeft(s, " "))
				}
			}
			loose = loose || item[len(item)-1] == "" && !itemMark.MatchString(strings.TrimLeft(s, " "))
			item = append(item, s[min(in, width):])
			end = i + 1
		}
		mark := "- "
		if len(m[2]) > 1 {
			mark = m[2] + " "
		}
		w.Mark(strings.Repeat(" ", w.margin) + mark)
		was := w.margin
		w.margin = min(was+len(mark), 24)
		w.blocks(item[:end-i+len(item)], depth+1, !loose)
		w.Paragraph(false)
		w.margin = was
		w.Mark(strings.Repeat(" ", was))
		if i < len(lines) && itemMark.MatchString(lines[i]) {
			continue
		}
		i = end
		break
	}
	w.Paragraph(w.margin == 0)
	return i
}

// startsBlock reports whether a line ends the paragraph before it.
func startsBlock(s string) bool {
	return fenceMark.MatchString(s) || atx.MatchString(s) || rule.MatchString(s) || strings.HasPrefix(strings.TrimLeft(s, " "), ">") || htmlBlock.MatchString(s)
}

func (w *writer) paragraph(lines []string, i int, tight bool) int {
	var text []string
	for ; i < len(lines) && strings.TrimSpace(lines[i]) != ""; i++ {
		if len(text) > 0 {
			if m := setext.FindStringSubmatch(lines[i]); m != nil {
				level := 1
				if m[1][0] == '-' {
					level = 2
				}
				w.Heading(strings.ReplaceAll(Inline(strings.Join(text, "\n")), "\n", " "), level)
				return i + 1
			}
			if m := itemMark.FindStringSubmatch(lines[i]); startsBlock(lines[i]) || m != nil && m[3] != "" && (len(m[2]) == 1 || m[2][0] == '1') || beginMath.MatchString(lines[i]) || strings.HasPrefix(strings.TrimSpace(lines[i]), "$$") && strings.Count(lines[i], "$$") == 1 {
				break
			}
		}
		text = append(text, strings.TrimLeft(lines[i], " \t"))
	}
	w.text(strings.Join(text, "\n"))
	w.Paragraph(!tight)
	return i
}

// formula reads "$$ ... $$" or an environment of LaTeX that begins a line.
func (w *writer) formula(lines []string, i int) int {
	s, end := strings.TrimSpace(lines[i]), "$$"
	if m := beginMath.FindStringSubmatch(s); m != nil {
		end = `\end{` + m[1] + `}`
	} else {
		s = s[2:]
	}
	from := i
	var body []string
	for ; i < len(lines); i++ {
		if i > from {
			s = lines[i]
		}
		if strings.TrimSpace(s) == "" && i > from {
			break
		}
		if at := strings.Index(s, end); at >= 0 {
			tail := s[at+len(end):]
			if end != "$$" {
				body = append(body, s[:at]+end)
			} else {
				body = append(body, s[:at])
			}
			i++
			w.lines(mathtext.Text(strings.Join(body, "\n")))
			w.text(tail)
			w.Paragraph(true)
			return i
		}
		body = append(body, s)
	}
	w.lines(mathtext.Text(strings.Join(body, "\n")))
	w.Paragraph(true)
	return i
}

func (w *writer) lines(s string) {
	for line := range strings.SplitSeq(s, "\n") {
		w.Words(line)
		w.Break()
	}
}

// table reads a table of GitHub Flavored Markdown.
func (w *writer) table(lines []string, i int) int {
	g := &compose.Grid{}
	for k := i; k < len(lines) && strings.TrimSpace(lines[k]) != "" && strings.Contains(lines[k], "|"); k++ {
		i = k + 1
		if k > 0 && tableRule.MatchString(lines[k]) && g.Rows() == 1 {
			continue
		}
		g.Row()
		for _, c := range cells(lines[k]) {
			g.Cell(strings.ReplaceAll(Inline(c), "\n", " "), 1, 1)
		}
	}
	w.Table(g.Table(""))
	return i
}

// cells splits a row at the bars that no backslash or code hides.
func cells(s string) (out []string) {
	s = strings.TrimSpace(s)
	s = strings.TrimPrefix(s, "|")
	from, code := 0, false
	for i := 0; i < len(s); i++ {
		switch {
		case s[i] == '\\':
			i++
		case s[i] == '`':
			code = !code
		case s[i] == '|' && !code:
			out = append(out, strings.TrimSpace(s[from:i]))
			from = i + 1
		}
	}
	if rest := strings.TrimSpace(s[min(from, len(s)):]); rest != "" {
		out = append(out, rest)
	}
	return out
}
