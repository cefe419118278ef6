package latex

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/mathtext"
)

// begin begins an environment.
func (m *machine) begin(name string, floor int) {
	plain := strings.TrimSuffix(name, "*")
	if e := m.envs[name]; e != nil {
		if e.begin == nil {
			m.theorem(e, floor)
			return
		}
		m.push(m.expand(e.begin, floor))
		return
	}
	switch plain {
	case "document":
	case "verbatim", "Verbatim", "lstlisting", "minted", "alltt", "BVerbatim", "LVerbatim", "verbatimtab", "semiverbatim", "code", "program", "pyverbatim", "Highlighting", "filecontents", "comment",
		"tikzpicture", "picture", "pspicture", "pgfpicture", "asy", "forest", "tikzcd", "circuitikz", "axis", "lstlisting_", "macrocode", "spverbatim", "sourcecode", "ltxexample", "LTXexample", "VerbatimOut":
		m.verbatim(name, plain, floor)
	case "equation", "align", "gather", "multline", "eqnarray", "displaymath", "math", "flalign", "alignat", "xalignat", "dmath", "subequations", "IEEEeqnarray", "equationarray":
		if plain == "subequations" {
			return
		}
		m.displayed(name, plain, floor)
	case "tabular", "tabularx", "tabulary", "longtable", "array", "supertabular", "xltabular", "longtabu", "tabu", "tblr", "longtblr", "mpsupertabular", "NiceTabular":
		m.tabular(name, plain, floor)
	case "figure", "table", "wrapfigure", "wraptable", "sidewaysfigure", "sidewaystable", "SCfigure", "algorithm", "listing", "marginfigure", "margintable":
		m.floating(name, plain, floor)
	case "subfigure", "subtable":
		m.option(floor)
		m.arg(floor)
	case "itemize", "enumerate", "description", "compactitem", "compactenum", "compactdesc", "inparaenum", "inparaitem", "thebibliography", "list", "trivlist", "labeling", "todolist", "enumitem", "tightitemize", "asparaenum", "asparaitem":
		m.open(plain, floor)
	case "abstract":
		m.abstract(name, floor)
	case "keywords", "IEEEkeywords", "keyword":
		s := m.text(m.body(floor, name))
		m.meta.Keywords = s
		m.emit("Keywords: " + s)
		m.paragraph()
	case "frame":
		m.frame(floor)
	case "block", "alertblock", "exampleblock":
		m.paragraph()
		m.angle(floor)
		if s := m.text(m.arg(floor)); s != "" {
			m.emit(s + ": ")
		}
	case "proof":
		m.paragraph()
		label := "Proof"
		if s, ok := m.option(floor); ok {
			label = m.text(s)
		}
		m.emit(label + ". ")
	case "quote", "quotation", "verse", "center", "flushleft", "flushright", "displayquote", "titlepage", "appendices", "landscape", "small", "footnotesize":
		m.paragraph()
		if m.peek(floor) == '[' {
			m.option(floor)
		}
		if plain == "appendices" {
			m.refs.appendix, m.refs.counters["section"], m.refs.counters["chapter"] = true, 0, 0
		}
	case "split", "aligned", "gathered", "cases", "matrix", "pmatrix", "bmatrix", "vmatrix": // without dollar signs: still a formula
		m.math(`\begin{`+name+`}`+m.body(floor, name)+`\end{`+name+`}`, true)
	default:
		m.angle(floor)
		m.paragraph()
		if m.peek(floor) == '[' {
			m.option(floor)
		}
		for range arguments[plain] {
			m.option(floor)
			m.arg(floor)
		}
	}
}

func (m *machine) end(name string) {
	plain := strings.TrimSuffix(name, "*")
	if e := m.envs[name]; e != nil {
		if e.begin == nil {
			m.paragraph()
		} else {
			m.push(e.end)
		}
		return
	}
	switch plain {
	case "document":
		m.stop = m.whole
	case "itemize", "enumerate", "description", "compactitem", "compactenum", "compactdesc", "inparaenum", "inparaitem", "thebibliography", "list", "trivlist", "labeling", "todolist", "enumitem", "tightitemize", "asparaenum", "asparaitem":
		m.close()
	case "subequations", "math":
	default:
		m.paragraph()
	}
}

// theorem begins a theorem with its name and number.
func (m *machine) theorem(e *environment, floor int) {
	m.paragraph()
	number := ""
	if !e.running {
		m.refs.step(e.counter)
		number = m.refs.number(e.counter, 0)
		m.refs.current = ref{kind: e.theorem, number: number}
	}
	m.emit(strings.TrimSpace(m.text(e.theorem) + " " + number))
	if s, ok := m.option(floor); ok {
		m.emit(" (" + m.text(s) + ")")
	}
	m.emit(". ")
}

// verbatim writes what stands as it is, and leaves out drawings and comments.
func (m *machine) verbatim(name, plain string, floor int) {
	options, _ := m.option(floor)
	language := ""
	if plain == "minted" {
		language = m.arg(floor)
	}
	s := m.until(floor, `\end{`+name+`}`)
	switch plain {
	case "comment", "filecontents", "picture", "pspicture", "pgfpicture", "asy", "forest", "tikzcd", "circuitikz", "axis", "tikzpicture":
		return
	case "macrocode":
		s = strings.TrimSuffix(strings.TrimRight(s, " "), "%")
	}
	for o := range strings.SplitSeq(options, ",") {
		k, v, _ := strings.Cut(o, "=")
		switch strings.TrimSpace(k) {
		case "language":
			language = strings.Trim(v, " {}")
		case "caption":
			m.refs.step("lstlisting")
			m.refs.current = ref{kind: "lstlisting", number: m.refs.number("lstlisting", 0)}
			m.paragraph()
			m.emit("Listing " + m.refs.current.number + ": " + m.text(strings.Trim(v, " {}")))
			m.paragraph()
		case "label":
			m.refs.name(strings.Trim(v, " {}"))
		}
	}
	if m.inline != nil {
		m.emit(" " + strings.Join(strings.Fields(s), " ") + " ")
		return
	}
	m.paragraph()
	m.page.Code(strings.TrimPrefix(s, "\n"), strings.ToLower(strings.Join(strings.Fields(language), "-")), "")
}

// open begins a list.
func (m *machine) open(kind string, floor int) {
	if m.inline == nil {
		m.page.Paragraph(len(m.lists) == 0)
	}
	m.option(floor)
	switch kind {
	case "thebibliography":
		m.arg(floor)
		name := "References"
		if m.refs.chapters {
			name = "Bibliography"
		}
		if m.inline == nil {
			m.page.Heading(name, 1+m.shift)
		}
	case "list":
		m.arg(floor)
		m.arg(floor)
	case "labeling":
		m.arg(floor)
	}
	if len(m.lists) < maxNested {
		m.lists = append(m.lists, list{kind: kind, margin: m.margin})
	}
}

// close ends a list.
func (m *machine) close() {
	n := len(m.lists)
	if n == 0 {
		return
	}
	m.margin = m.lists[n-1].margin
	m.lists = m.lists[:n-1]
	if m.inline != nil {
		m.emit(" ")
		return
	}
	m.page.Paragraph(false)
	m.page.Mark(strings.Repeat(" ", m.margin))
	m.page.Paragraph(len(m.lists) == 0)
	m.flush()
}

// item begins an item of a list.
func (m *machine) item(floor int) {
	m.angle(floor)
	label, has := m.option(floor)
	m.angle(floor)
	if has {
		label = m.text(label)
	}
	mark := "- "
	if n := len(m.lists); n > 0 {
		l := &m.lists[n-1]
		numbered := strings.HasSuffix(l.kind, "enumerate") || strings.HasSuffix(l.kind, "enum")
		if numbered && !has {
			l.item++
			depth := 0
			for _, o := range m.lists {
				if strings.HasSuffix(o.kind, "enumerate") || strings.HasSuffix(o.kind, "enum") {
					depth++
				}
			}
			s := fmt.Sprint(l.item)
			switch depth {
			case 2:
				s = compose.Ordinal(l.item, 'a')
			case 3:
				s = compose.Ordinal(l.item, 'i')
			case 4:
				s = compose.Ordinal(l.item, 'A')
			}
			mark = s + ". "
			m.refs.current = ref{kind: "item", number: s}
		}
		if has && label != "" {
			mark = label + " "
			if strings.HasSuffix(l.kind, "description") || l.kind == "compactdesc" || l.kind == "labeling" {
				mark = "- " + label + ": "
			}
		}
		if m.inline == nil {
			m.page.Paragraph(false)
			m.flush()
			m.margin = min(l.margin, 24)
			if has && label != "" { // as long as it is, it is no margin
				m.page.Mark(strings.Repeat(" ", m.margin))
				if strings.HasPrefix(mark, "- ") {
					m.page.Mark(strings.Repeat(" ", m.margin) + "- ")
					mark = mark[2:]
				}
				m.page.Words(mark)
			} else {
				m.page.Mark(strings.Repeat(" ", m.margin) + mark)
			}
			m.margin = min(l.margin+2, 24)
			return
		}
	}
	m.emit(" " + mark)
}

func (m *machine) abstract(name string, floor int) {
	m.option(floor)
	s := m.body(floor, name)
	notes, counters := m.notes, m.refs.counters["footnote"]
	if m.meta.Abstract = m.text(s); m.inline != nil {
		m.emit(m.meta.Abstract)
		return
	}
	m.notes, m.refs.counters["footnote"] = notes, counters
	m.paragraph()
	m.page.Heading("Abstract", 1+m.shift)
	m.push(s + "\n\n")
}

// frame begins a frame of beamer.
func (m *machine) frame(floor int) {
	m.paragraph()
	m.angle(floor)
	m.option(floor)
	m.option(floor)
	if m.blanks(floor); m.peek(floor) == '{' {
		m.frameTitle(m.arg(floor))
		if m.peek(floor) == '{' {
			m.emit(m.text(m.arg(floor)))
			m.paragraph()
		}
	}
}

func (m *machine) frameTitle(src string) {
	title := m.text(src)
	if m.inline != nil {
		m.emit(title)
		return
	}
	m.paragraph()
	level := max(m.level, m.shift) + 1
	m.page.Heading(title, level)
}

// floating goes through a figure or table. The caption of a table goes with it.
func (m *machine) floating(name, plain string, floor int) {
	m.option(floor)
	if strings.HasPrefix(plain, "wrap") {
		m.option(floor)
		m.arg(floor)
		m.option(floor)
		m.arg(floor)
	}
	body := m.body(floor, name)
	kind := plain
	for _, k := range []string{"figure", "table", "algorithm", "listing"} {
		if strings.HasSuffix(strings.ToLower(plain), k) {
			kind = k
		}
	}
	if m.inline != nil {
		m.emit(" " + m.text(body) + " ")
		return
	}
	m.paragraph()
	was, lists, margin := m.float, m.lists, m.margin
	m.float, m.lists, m.margin = &float{kind: kind}, nil, 0
	m.page.Mark("")
	src := body
	if kind == "table" && strings.Contains(body, `\begin{tab`) {
		// The caption first, wherever it stands, so that the table has it.
		if k := strings.Index(body, `\caption`); k >= 0 {
			in := input{frames: []frame{{body, k + len(`\caption`)}}, at: m.at}
			in.star(0)
			in.option(0)
			caption := in.arg(0)
			rest := ""
			if f := in.top(0); f != nil {
				rest = f.s[f.i:]
			}
			m.float.caption = m.captionText(caption)
			src = body[:k] + rest
		}
	}
	m.run(src + "\n\n")
	if m.float.caption != "" { // no table took it
		m.page.Words(m.float.caption)
		m.page.Paragraph(true)
	}
	m.float, m.lists, m.margin = was, lists, margin
	m.page.Mark(strings.Repeat(" ", m.margin))
}

// captionText counts a float and returns its caption with its number.
func (m *machine) captionText(src string) string {
	kind := "figure"
	if m.float != nil {
		kind = m.float.kind
	}
	m.refs.step(kind)
	number := m.refs.number(kind, 0)
	m.refs.current = ref{kind: kind, number: number}
	text := m.text(src)
	m.refs.current.title = text
	return kinds[kind] + " " + number + ": " + text
}

func (m *machine) caption(src string) {
	if m.inline != nil {
		m.emit(m.text(src))
		return
	}
	kind := "figure"
	if m.float != nil {
		kind = m.float.kind
	}
	s := m.captionText(src)
	m.page.Paragraph(true)
	m.page.Words(s)
	m.page.Paragraph(true)
	if kind == "figure" {
		m.page.Figure(s)
	}
	m.flush()
}

// dollars reads a formula between dollar signs.
func (m *machine) dollars(f *frame) {
	sign := "$"
	if strings.HasPrefix(f.s[f.i:], "$$") {
		sign = "$$"
	}
	f.i += len(sign)
	s := f.s[f.i:]
	end := -1
	for i := 0; i < min(len(s), 100_000); i++ {
		if s[i] == '\\' {
			i++
		} else if strings.HasPrefix(s[i:], sign) {
			end = i
			break
		} else if s[i] == '\n' && i+1 < len(s) && s[i+1] == '\n' {
			break // a formula ends with its paragraph
		}
	}
	if end < 0 {
		m.emit(sign)
		return
	}
	f.i += end + len(sign)
	m.math(s[:end], sign == "$$")
}

// math writes a formula.
func (m *machine) math(src string, display bool) {
	text := mathtext.Text(m.inMath(src, 0))
	if m.inline != nil || !display {
		m.emit(strings.ReplaceAll(text, "\n", " "))
		return
	}
	m.page.Break()
	for line := range strings.SplitSeq(text, "\n") {
		m.page.Words(line)
		m.page.Break()
	}
}

// inMath expands the macros of the document in a formula, and takes its labels.
func (m *machine) inMath(src string, depth int) string {
	if !strings.Contains(src, `\`) || depth > 20 {
		return src
	}
	var b strings.Builder
	in := input{frames: []frame{{src, 0}}, at: m.at}
	frames := m.frames
	for f := in.top(0); f != nil; f = in.top(0) {
		k := strings.IndexByte(f.s[f.i:], '\\')
		if k < 0 {
			b.WriteString(f.s[f.i:])
			break
		}
		b.WriteString(f.s[f.i : f.i+k])
		f.i += k
		from := f.i
		f.i++
		if f.i == len(f.s) {
			break
		}
		name := in.name(f)
		d := m.macros[name]
		switch {
		case name == "label":
			m.refs.name(in.arg(0))
		case name == "ref" || name == "eqref" || name == "cref":
			b.WriteString(`\text{` + m.refs.show(name, in.arg(0)) + `}`)
		case name == "cite":
			b.WriteString(`\text{` + m.refs.cite(name, "", "", in.arg(0)) + `}`)
		case d != nil && m.steps < maxSteps && m.pushed < maxExpanded:
			m.steps++
			m.frames = in.frames
			body := m.expand(d, 0)
			in.frames = m.frames
			m.pushed += len(body)
			b.WriteString(m.inMath(body, depth+1))
			if name[0] >= 'A' && !d.operator {
				b.WriteByte(' ')
			}
		default:
			b.WriteString(f.s[from:f.i])
		}
	}
	m.frames = frames
	return b.String()
}

// displayed writes an environment of formulas; each of its rows has a number where LaTeX gives it one.
func (m *machine) displayed(name, plain string, floor int) {
	switch plain {
	case "alignat", "xalignat", "IEEEeqnarray":
		m.arg(floor)
	case "IEEEeqnarray*":
		m.option(floor)
	}
	body := m.body(floor, name)
	numbered := plain == name && plain != "displaymath" && plain != "math" && plain != "dmath"
	rows := []string{body}
	if plain != "equation" && plain != "multline" && plain != "displaymath" && plain != "math" {
		rows = cells{}.split(body, false)
	}
	if m.inline == nil {
		m.page.Break()
	}
	for _, row := range rows {
		if strings.TrimSpace(row) == "" {
			continue
		}
		number := ""
		if numbered && !strings.Contains(row, `\nonumber`) && !strings.Contains(row, `\notag`) && !strings.Contains(row, `\tag`) {
			m.refs.step("equation")
			number = m.refs.number("equation", 0)
			m.refs.current = ref{kind: "equation", number: number}
			number = " (" + number + ")"
		}
		if at := strings.Index(row, `\tag{`); at >= 0 {
			m.refs.current = ref{kind: "equation", number: row[at+5 : closing(row, at+4)]}
		}
		text := mathtext.Text(m.inMath(row, 0))
		if m.inline != nil {
			m.emit(" " + strings.ReplaceAll(text, "\n", " ") + " ")
			continue
		}
		lines := strings.Split(text, "\n")
		lines[len(lines)-1] += number
		for _, line := range lines {
			m.page.Words(line)
			m.page.Break()
		}
	}
}
