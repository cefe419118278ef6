package latex

import (
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/internal/mathtext"
)

// command executes a command whose name was read.
func (m *machine) command(name string, floor int) {
	if name == "" {
		return
	}
	// Blanks after a name of letters go.
	if last := name[len(name)-1]; last >= 'a' && last <= 'z' || last >= 'A' && last <= 'Z' || last == '@' {
		if f := m.top(floor); f != nil {
			for f.i < len(f.s) && (f.s[f.i] == ' ' || f.s[f.i] == '\t') {
				f.i++
			}
			if f.i+1 < len(f.s) && f.s[f.i] == '\n' && strings.TrimLeft(f.s[f.i+1:min(len(f.s), f.i+40)], " \t") != "" && strings.TrimLeft(f.s[f.i+1:min(len(f.s), f.i+40)], " \t")[0] != '\n' {
				f.i++
			}
		}
	}
	if d := m.macros[name]; d != nil {
		m.push(m.expand(d, floor))
		return
	}
	if m.isCondition(name) {
		m.condition(name, floor)
		return
	}
	if s, ok := signs[name]; ok {
		if name == `"` {
			return
		}
		m.emit(s)
		return
	}
	if mark, ok := accents[name]; ok {
		m.accent(mark, floor)
		return
	}
	for _, s := range sections {
		if s == name {
			m.heading(name, floor)
			return
		}
	}
	if m.definition(name, floor) || m.reference(name, floor) || m.known(name, floor) {
		return
	}
	if n, ok := dropped[name]; ok {
		m.drop(name, n, floor)
		return
	}
	if textual[name] {
		m.star(floor)
		m.angle(floor)
		m.option(floor)
		if name == "parbox" {
			m.arg(floor)
		}
		if m.peek(floor) == '<' {
			m.angle(floor)
		}
		return // its argument is read as text
	}
	// An unknown command: what it is given in braces is text, options are not.
	m.star(floor)
	if m.peek(floor) == '[' {
		m.option(floor)
	}
	m.angle(floor)
}

func (m *machine) drop(name string, n, floor int) {
	m.star(floor)
	m.angle(floor)
	m.option(floor)
	if name == "resizebox" || name == "cmidrule" {
		m.star(floor)
	}
	if name == "cmidrule" && m.peek(floor) == '(' {
		m.until(floor, ")")
	}
	if name == "includegraphics" || name == "definecolor" || name == "newtheoremstyle" {
		m.option(floor)
	}
	for range n {
		m.option(floor)
		if m.blanks(floor); m.peek(floor) != '{' && n > 1 && name != "rule" && name != "setlength" && name != "addtolength" {
			return
		}
		m.arg(floor)
	}
	m.option(floor)
}

// accent puts a mark on the letter that follows.
func (m *machine) accent(mark string, floor int) {
	s := m.arg(floor)
	if strings.HasPrefix(s, `\`) || strings.ContainsAny(s, `{\`) {
		s = m.text(s)
	}
	if s == "" {
		return
	}
	switch s[:min(2, len(s))] {
	case "ı":
		s = "i"
	case "ȷ":
		s = "j"
	}
	_, n := utf8.DecodeRuneInString(s)
	m.emit(s[:n] + mark + s[n:])
}

// definition executes commands that define something.
func (m *machine) definition(name string, floor int) bool {
	switch name {
	case "newcommand", "renewcommand", "providecommand", "DeclareRobustCommand", "newrobustcmd", "renewrobustcmd":
		m.newcommand(name, floor)
	case "NewDocumentCommand", "RenewDocumentCommand", "DeclareDocumentCommand", "ProvideDocumentCommand", "NewExpandableDocumentCommand":
		m.documentcommand(floor)
	case "def", "gdef", "edef", "xdef":
		m.def(floor)
	case "let":
		m.let(floor)
	case "futurelet":
	case "newenvironment", "renewenvironment":
		m.newenvironment(floor)
	case "newtheorem", "spnewtheorem", "declaretheorem":
		m.newtheorem(floor)
	case "DeclareMathOperator":
		m.star(floor)
		n := m.arg(floor)
		m.define(n, &macro{body: m.arg(floor), operator: true})
	case "newif":
		if n := strings.TrimPrefix(m.arg(floor), `\`); strings.HasPrefix(n, "if") && len(m.switches) < maxMacros {
			m.switches[n[2:]] = false
		}
	case "else", "or":
		m.skip(floor, false)
	case "fi":
	case "makeatletter":
		m.at = true
	case "makeatother":
		m.at = false
	case "ifthenelse", "iftoggle", "ifbool", "ifstrequal", "ifdef", "ifundef", "ifblank", "IfFileExists", "ifboolexpr":
		test := m.arg(floor)
		if name == "ifstrequal" {
			test = map[bool]string{true: "true", false: ""}[test == m.arg(floor)]
		}
		yes, no := m.arg(floor), m.arg(floor)
		holds := false
		switch name {
		case "ifstrequal":
			holds = test != ""
		case "iftoggle", "ifbool":
			holds = m.switches[strings.TrimSpace(test)]
		case "ifdef":
			holds = m.macros[strings.TrimPrefix(test, `\`)] != nil
		case "ifundef":
			holds = m.macros[strings.TrimPrefix(test, `\`)] == nil
		case "ifblank":
			holds = strings.TrimSpace(test) == ""
		case "ifthenelse":
			if rest, ok := strings.CutPrefix(strings.TrimSpace(test), `\boolean`); ok {
				holds = m.switches[strings.Trim(rest, "{} ")]
			}
		}
		if holds {
			yes, no = no, yes
		}
		m.push(no)
	case "newtoggle", "newboolean", "newbool":
		m.switches[strings.TrimSpace(m.arg(floor))] = false
	case "toggletrue", "togglefalse", "booltrue", "boolfalse":
		m.switches[strings.TrimSpace(m.arg(floor))] = strings.HasSuffix(name, "true")
	case "setboolean", "settoggle", "setbool":
		n := strings.TrimSpace(m.arg(floor))
		m.switches[n] = strings.TrimSpace(m.arg(floor)) == "true"
	case "csname":
		n := strings.TrimSpace(m.until(floor, `\endcsname`))
		if d := m.macros[n]; d != nil {
			m.push(m.expand(d, floor))
		}
	case "setcounter", "addtocounter":
		counter := strings.TrimSpace(m.arg(floor))
		n, err := strconv.Atoi(strings.TrimSpace(m.arg(floor)))
		switch {
		case err != nil:
		case counter == "secnumdepth":
			m.depth = n
		case name == "setcounter":
			m.refs.counters[counter] = n
		default:
			m.refs.counters[counter] += n
		}
	case "numberwithin", "counterwithin":
		m.star(floor)
		inner := strings.TrimSpace(m.arg(floor))
		m.refs.within[inner] = strings.TrimSpace(m.arg(floor))
	case "newcounter":
		c := m.arg(floor)
		if w, ok := m.option(floor); ok {
			m.refs.within[c] = w
		}
	case "refstepcounter", "stepcounter":
		c := strings.TrimSpace(m.arg(floor))
		m.refs.step(c)
		if name == "refstepcounter" {
			m.refs.current = ref{kind: c, number: m.refs.number(c, 0)}
		}
	default:
		for _, suffix := range []string{"true", "false"} { // of \newif
			if n, ok := strings.CutSuffix(name, suffix); ok {
				if _, ok := m.switches[n]; ok {
					m.switches[n] = suffix == "true"
					return true
				}
			}
		}
		return false
	}
	return true
}

// reference executes commands that name or show a place.
func (m *machine) reference(name string, floor int) bool {
	switch name {
	case "label":
		m.refs.name(m.arg(floor))
	case "ref", "eqref", "autoref", "cref", "Cref", "nameref", "pageref", "vref", "subref", "labelcref", "titleref", "Autoref", "vpageref", "cpageref", "zcref", "fref", "Vref":
		m.star(floor)
		m.emit(m.refs.show(name, m.arg(floor)))
	case "hyperref":
		m.option(floor)
	case "bibitem":
		label, _ := m.option(floor)
		key := strings.TrimSpace(m.arg(floor))
		m.page.Paragraph(false)
		if m.inline == nil {
			m.page.Mark("[" + m.refs.entry(key, m.text(label)) + "] ")
		}
	case "bibliography":
		m.arg(floor)
		base := strings.TrimSuffix(strings.TrimPrefix(m.files.name, m.files.dir+"/"), ".tex")
		if text, ok := m.files.read(m.ctx, base, ".bbl"); ok && m.include < maxInclude {
			m.include++
			m.run(text)
			m.include--
		}
	case "input", "include", "subfile", "subimport", "import", "subfileinclude":
		dir := ""
		if strings.HasSuffix(name, "import") {
			dir = strings.TrimSuffix(m.arg(floor), "/") + "/"
		}
		m.blanks(floor)
		file := ""
		if f := m.top(floor); f != nil && f.s[f.i] != '{' { // as TeX has it: up to a blank
			k := strings.IndexAny(f.s[f.i:], " \n\\}")
			if k < 0 {
				k = len(f.s) - f.i
			}
			file = f.s[f.i : f.i+k]
			f.i += k
		} else {
			file = m.arg(floor)
		}
		m.inputFile(dir + strings.TrimSpace(file))
	default:
		if strings.HasPrefix(strings.ToLower(name), "cite") || strings.HasSuffix(name, "cite") && len(name) <= 12 && name != "nocite" {
			m.star(floor)
			before, ok := m.option(floor)
			after, both := m.option(floor)
			if ok && !both {
				before, after = "", before
			}
			m.emit(m.refs.cite(name, m.text(before), m.text(after), m.arg(floor)))
			return true
		}
		return false
	}
	return true
}

// inputFile reads an included file, or names it.
func (m *machine) inputFile(name string) {
	text, ok := "", false
	if m.include < maxInclude {
		text, ok = m.files.read(m.ctx, name, ".tex", "")
	}
	if !ok {
		if m.inline == nil {
			m.page.Paragraph(true)
			m.page.Words("(includes " + name + ")")
			m.page.Paragraph(true)
		}
		return
	}
	const begin = `\begin{document}`
	if k := strings.Index(text, begin); k >= 0 { // of \subfile
		text = text[k+len(begin):]
		text, _, _ = strings.Cut(text, `\end{document}`)
	}
	m.include++
	m.run(text)
	m.include--
}

// known executes the commands of LaTeX and of common packages that are no plain text.
func (m *machine) known(name string, floor int) bool {
	switch name {
	case "begin":
		m.begin(strings.TrimSpace(m.arg(floor)), floor)
	case "end":
		m.end(strings.TrimSpace(m.arg(floor)))
	case "par", "newline", "linebreak":
		if name == "par" {
			m.paragraph()
		} else if m.inline == nil {
			m.page.Break()
		} else {
			m.emit(" ")
		}
	case `\`, "tabularnewline":
		m.star(floor)
		if m.peek(floor) == '[' {
			m.option(floor)
		}
		if m.inline != nil {
			m.emit(" ")
		} else {
			m.page.Break()
		}
	case "(", "[":
		end := map[string]string{"(": `\)`, "[": `\]`}[name]
		m.math(m.until(floor, end), name == "[")
	case "title":
		m.option(floor)
		m.title = m.arg(floor)
	case "author":
		m.option(floor)
		if a := m.arg(floor); len(m.author) < maxAuthors {
			if m.author != "" {
				m.author += ` \and `
			}
			m.author += a
		}
	case "date":
		m.date = m.arg(floor)
	case "institute", "affiliation", "affil":
		m.option(floor)
		if s := m.text(m.arg(floor)); s != "" && len(m.meta.Institutions) < 1000 {
			m.meta.Institutions = append(m.meta.Institutions, s)
		}
	case "subtitle":
		m.option(floor)
		m.title += ": " + m.arg(floor)
	case "keywords":
		m.meta.Keywords = m.text(m.arg(floor))
		m.emit("Keywords: " + m.meta.Keywords)
		m.paragraph()
	case "abstract":
		m.meta.Abstract = m.text(m.arg(floor))
		m.emit("Abstract: " + m.meta.Abstract)
		m.paragraph()
	case "maketitle", "titlepage", "makefrontmatter":
		m.maketitle()
	case "thanks":
		m.thanks++
		m.note(strings.Repeat("*", min(m.thanks, 20)), m.arg(floor))
	case "footnote", "sidenote", "marginpar", "marginnote", "tnote", "endnote":
		m.option(floor)
		m.refs.step("footnote")
		m.note(m.refs.number("footnote", 0), m.arg(floor))
	case "footnotemark":
		if n, ok := m.option(floor); ok {
			m.emit("[^" + n + "]")
		} else {
			m.refs.step("footnote")
			m.emit("[^" + m.refs.number("footnote", 0) + "]")
		}
	case "footnotetext":
		n, ok := m.option(floor)
		if !ok {
			n = m.refs.number("footnote", 0)
		}
		m.notes = append(m.notes, "[^"+n+"]\x00"+m.text(m.arg(floor)))
	case "item":
		m.item(floor)
	case "caption", "captionof":
		m.star(floor)
		if name == "captionof" {
			m.arg(floor)
		}
		m.option(floor)
		m.caption(m.arg(floor))
	case "subcaption", "subfloat", "subfigure":
		if s, ok := m.option(floor); ok {
			m.emit(" " + m.text(s) + " ")
		}
	case "appendix":
		m.refs.appendix = true
		m.refs.counters["section"], m.refs.counters["chapter"] = 0, 0
	case "frontmatter", "backmatter":
		m.unnumbered = true
	case "mainmatter":
		m.unnumbered = false
	case "documentclass":
		m.option(floor)
		switch class := m.arg(floor); class {
		case "book", "report", "memoir", "scrbook", "scrreprt", "extbook", "extreport", "amsbook", "svmono":
			m.refs.chapters = true
			for _, c := range []string{"figure", "table", "equation", "footnote"} {
				m.refs.within[c] = "chapter"
			}
			m.depth = 2
		case "beamer":
			m.beamer = true
		case "ltxdoc", "ltxguide", "l3doc", "ltnews":
			m.short['|'] = true
		}
	case "MakeShortVerb", "DefineShortVerb", "lstMakeShortInline":
		m.star(floor)
		m.option(floor)
		if c := strings.TrimPrefix(m.arg(floor), `\`); c == "|" || c == `"` { // others begin words
			m.short[c[0]] = true
		}
	case "DeleteShortVerb", "UndefineShortVerb":
		if c := strings.TrimPrefix(m.arg(floor), `\`); c != "" {
			m.short[c[0]] = false
		}
	case "verb", "lstinline", "mintinline", "Verb", "spverb", "path":
		m.verb(name, floor)
	case "url", "nolinkurl":
		s := strings.TrimSpace(m.arg(floor))
		m.emit(strings.NewReplacer(`\%`, "%", `\#`, "#", `\_`, "_", `\&`, "&", `\~`, "~").Replace(s))
	case "href":
		m.option(floor)
		m.arg(floor)
	case "enquote", "textquote":
		m.star(floor)
		m.emit("“" + m.text(m.arg(floor)) + "”")
	case "ensuremath":
		m.math(m.arg(floor), false)
	case "frametitle":
		m.angle(floor)
		m.option(floor)
		m.frameTitle(m.arg(floor))
	case "framesubtitle":
		m.angle(floor)
		m.emit(m.text(m.arg(floor)))
		m.paragraph()
	case "multicolumn", "multirow":
		m.arg(floor)
		m.option(floor)
		m.arg(floor)
		m.option(floor)
	case "texorpdfstring":
		s := m.arg(floor)
		m.arg(floor)
		m.push(s)
	case "SI", "qty", "num", "si", "unit", "ang":
		m.option(floor)
		s := m.arg(floor)
		if name == "SI" || name == "qty" {
			s += " " + m.arg(floor)
		}
		m.emit(strings.ReplaceAll(mathtext.Text(s), "\n", " "))
	case "ac", "acs", "acl", "acf", "gls", "Gls", "glspl", "acrshort", "acrlong", "acrfull", "acp":
		m.star(floor)
		m.emit(m.text(m.arg(floor)))
	case "char", "symbol":
		m.blanks(floor)
		if name == "symbol" {
			if n, err := strconv.ParseInt(strings.TrimSpace(m.arg(floor)), 0, 32); err == nil && n > 31 && n < utf8.MaxRune {
				m.emit(string(rune(n)))
			}
			return true
		}
		f := m.top(floor)
		for f != nil && f.i < len(f.s) && strings.IndexByte("0123456789abcdefABCDEF'\"`\\", f.s[f.i]) >= 0 {
			f.i++
		}
	case "vskip", "hskip", "kern", "vglue", "hglue", "looseness", "baselineskip", "parskip", "parindent", "tolerance", "hyphenpenalty", "tabcolsep", "textwidth", "linewidth", "emergencystretch",
		"textheight", "extrarowheight", "hangindent", "hangafter", "columnwidth", "penalty", "clubpenalty", "widowpenalty", "topmargin", "oddsidemargin", "evensidemargin", "hoffset", "voffset", "rightskip", "leftskip", "catcode":
		m.length(floor)
	case "appto", "gappto", "xappto":
		m.arg(floor)
		m.arg(floor)
	default:
		return false
	}
	return true
}

// length skips a length as TeX writes it, such as "=2pt plus 1fil".
func (m *machine) length(floor int) {
	f := m.top(floor)
	if f == nil {
		return
	}
	k := f.i
	if k < len(f.s) && f.s[k] == '=' {
		k++
	}
	for k < len(f.s) && f.s[k] == ' ' {
		k++
	}
	from := k
	for k < len(f.s) && strings.IndexByte("0123456789.,-+", f.s[k]) >= 0 {
		k++
	}
	if k == from {
		return
	}
	f.i = k
	for _, unit := range []string{"pt", "em", "ex", "cm", "mm", "in", "pc", "bp", "dd", "sp", "mu"} {
		if strings.HasPrefix(strings.TrimLeft(f.s[k:min(len(f.s), k+5)], " "), unit) {
			f.i += strings.Index(f.s[k:], unit) + len(unit)
			break
		}
	}
	for _, more := range []string{"plus", "minus"} {
		if rest := strings.TrimLeft(f.s[f.i:min(len(f.s), f.i+10)], " "); strings.HasPrefix(rest, more) {
			f.i += strings.Index(f.s[f.i:], more) + len(more)
			m.length(floor)
			return
		}
	}
}

// verb reads what stands between two equal signs as it is.
func (m *machine) verb(name string, floor int) {
	m.star(floor)
	m.option(floor)
	if name == "mintinline" {
		m.arg(floor)
	}
	f := m.top(floor)
	if f == nil {
		return
	}
	if f.s[f.i] == '{' && name != "verb" {
		m.emit(strings.ReplaceAll(m.arg(floor), "\n", " "))
		return
	}
	_, n := utf8.DecodeRuneInString(f.s[f.i:])
	sign := f.s[f.i : f.i+n]
	rest := f.s[f.i+n:]
	end := strings.Index(rest, sign)
	if end < 0 || strings.Contains(rest[:end], "\n") {
		return
	}
	f.i += n + end + n
	m.emit(rest[:end])
}

// shortVerb reads verbatim text between signs that the document chose for it.
func (m *machine) shortVerb(f *frame) {
	sign := f.s[f.i]
	f.i++
	end := strings.IndexByte(f.s[f.i:min(len(f.s), f.i+1000)], sign)
	if end < 0 || strings.Contains(f.s[f.i:f.i+end], "\n\n") {
		m.emit(string(rune(sign)))
		return
	}
	m.emit(f.s[f.i : f.i+end])
	f.i += end + 1
}
