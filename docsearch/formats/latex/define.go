package latex

import (
	"slices"
	"strconv"
	"strings"
)

// A macro is a command that the document defines.
type macro struct {
	args     int
	optional []*string // by argument: what it is where it is left out; nil: it is not optional
	starred  bool      // a first argument says whether there is a star
	body     string
	operator bool // of mathematics
}

// An environment is one that the document defines, by \newenvironment or \newtheorem.
type environment struct {
	begin   *macro
	end     string
	theorem string // its name, as it prints
	counter string
	running bool // the theorem has no number
}

// maxMacros bounds what a document may define.
const maxMacros = 50_000

// expand returns the body of a macro with its arguments, which it reads.
func (m *machine) expand(d *macro, floor int) string {
	if d.operator {
		return `\operatorname{` + d.body + `}`
	}
	if d.args == 0 {
		return d.body
	}
	args := make([]string, d.args)
	for i := range args {
		switch {
		case d.starred && i == 0:
			args[0] = map[bool]string{true: "*", false: ""}[m.star(floor)]
		case i < len(d.optional) && d.optional[i] != nil:
			if s, ok := m.option(floor); ok {
				args[i] = s
			} else {
				args[i] = *d.optional[i]
			}
		default:
			args[i] = m.arg(floor)
		}
	}
	return substitute(d.body, args)
}

// substitute puts arguments in the place of #1, #2 and so on.
func substitute(body string, args []string) string {
	if !strings.Contains(body, "#") {
		return body
	}
	var b strings.Builder
	for i := 0; i < len(body); i++ {
		if body[i] == '#' && i+1 < len(body) {
			if n := int(body[i+1] - '0'); n >= 1 && n <= len(args) {
				if b.Len()+len(args[n-1]) > maxExpanded/4 {
					return b.String()
				}
				b.WriteString(args[n-1])
				i++
				continue
			}
			if body[i+1] == '#' {
				i++
			}
		}
		b.WriteByte(body[i])
	}
	return b.String()
}

// define keeps a macro, unless the name is one whose meaning is known.
func (m *machine) define(name string, d *macro) {
	name = strings.TrimPrefix(strings.TrimSpace(name), `\`)
	if name == "" || known(name) || len(m.macros) >= maxMacros || strings.Contains(d.body, `\`+name+`@`) {
		return
	}
	m.macros[name] = d
}

// known reports whether a command has a meaning here that a definition does not change.
func known(name string) bool {
	if _, ok := dropped[name]; ok {
		return true
	}
	if _, ok := signs[name]; ok {
		return false // such as \S, which documents make a set
	}
	for _, s := range sections {
		if s == name {
			return true
		}
	}
	return structural[name]
}

// structural are commands that are executed whatever the document makes of them.
var structural = map[string]bool{
	"begin": true, "end": true, "item": true, "maketitle": true, "title": true, "author": true, "date": true, "caption": true, "footnote": true, "cite": true, "ref": true,
	"label": true, "input": true, "include": true, "textbf": true, "emph": true, "textit": true, "texttt": true, "url": true, "href": true, "verb": true, "newcommand": true,
	"par": true, "section": true, "includegraphics": true, "appendix": true, "bibitem": true, "tableofcontents": true, "eqref": true, "cref": true, "Cref": true, "autoref": true,
	"citep": true, "citet": true, "bibliography": true, "frametitle": true, "fi": true, "else": true, "\\": true,
}

// newcommand reads \newcommand and its kin.
func (m *machine) newcommand(command string, floor int) {
	m.star(floor)
	name := m.arg(floor)
	d := &macro{}
	if n, ok := m.option(floor); ok {
		d.args, _ = strconv.Atoi(strings.TrimSpace(n)) // 0 where it is no number, as TeX has it
		d.args = min(max(d.args, 0), 9)
		d.optional = make([]*string, d.args)
		if o, ok := m.option(floor); ok && d.args > 0 {
			d.optional[0] = &o
		}
	}
	d.body = m.arg(floor)
	if command == "providecommand" && m.macros[strings.TrimPrefix(name, `\`)] != nil {
		return
	}
	m.define(name, d)
}

// documentcommand reads \NewDocumentCommand of xparse, with arguments of the kinds s, m, o, O, d and t.
func (m *machine) documentcommand(floor int) {
	name, spec := m.arg(floor), m.arg(floor)
	d := &macro{body: m.arg(floor)}
	none := ""
	for i := 0; i < len(spec) && d.args < 9; i++ {
		switch spec[i] {
		case 's', 't':
			if d.args > 0 {
				return
			}
			d.starred = true
		case 'o':
			d.optional = append(d.optional, make([]*string, d.args-len(d.optional)+1)...)
			d.optional[d.args] = &none
		case 'O':
			v := ""
			if i+1 < len(spec) && spec[i+1] == '{' {
				end := closing(spec, i+1)
				v = spec[i+2 : end]
				i = end
			}
			d.optional = append(d.optional, make([]*string, d.args-len(d.optional)+1)...)
			d.optional[d.args] = &v
		case 'm':
		case '+', ' ', '!':
			continue
		default:
			return // a kind that is not read
		}
		d.args++
	}
	m.define(name, d)
}

// def reads \def. Arguments that are delimited by signs are not read, and such a macro is not kept.
func (m *machine) def(floor int) {
	m.blanks(floor)
	name := m.arg(floor)
	f := m.top(floor)
	if f == nil {
		return
	}
	k := strings.IndexByte(f.s[f.i:min(len(f.s), f.i+200)], '{')
	if k < 0 {
		return
	}
	spec := strings.TrimSpace(f.s[f.i : f.i+k])
	f.i += k
	d := &macro{body: m.arg(floor)}
	for n := 1; strings.HasPrefix(spec, "#"+strconv.Itoa(n)); n++ {
		spec = strings.TrimSpace(spec[2:])
		d.args = n
	}
	if spec == "" {
		m.define(name, d)
	}
}

func (m *machine) let(floor int) {
	name := strings.TrimPrefix(m.arg(floor), `\`)
	m.blanks(floor)
	if m.peek(floor) == '=' {
		m.top(floor).i++
	}
	to := m.arg(floor)
	if d := m.macros[strings.TrimPrefix(to, `\`)]; d != nil {
		m.define(name, d)
	} else if strings.HasPrefix(to, `\`) && to != `\`+name && m.macros[name] == nil && !m.at {
		m.define(name, &macro{body: to + " "})
	}
}

func (m *machine) newenvironment(floor int) {
	m.star(floor)
	name := m.arg(floor)
	d := &macro{}
	if n, ok := m.option(floor); ok {
		d.args, _ = strconv.Atoi(strings.TrimSpace(n)) // 0 where it is no number
		d.args = min(max(d.args, 0), 9)
		d.optional = make([]*string, d.args)
		if o, ok := m.option(floor); ok && d.args > 0 {
			d.optional[0] = &o
		}
	}
	d.body = m.arg(floor)
	end := m.arg(floor)
	if !environments[name] && len(m.envs) < maxMacros {
		m.envs[name] = &environment{begin: d, end: end}
	}
}

func (m *machine) newtheorem(floor int) {
	star := m.star(floor)
	name := m.arg(floor)
	shared, isShared := m.option(floor)
	e := &environment{theorem: m.arg(floor), counter: name, running: star}
	if within, ok := m.option(floor); ok {
		m.refs.within[name] = within
	}
	if isShared {
		e.counter = shared
	}
	if len(m.envs) < maxMacros {
		m.envs[name] = e
	}
}

// conditions are the conditionals of TeX and of common packages, which end with \fi.
var conditions = map[string]bool{
	"if": true, "ifcat": true, "ifx": true, "ifnum": true, "ifdim": true, "ifodd": true, "ifvmode": true, "ifhmode": true, "ifmmode": true, "ifinner": true, "ifvoid": true, "ifhbox": true,
	"ifvbox": true, "ifeof": true, "iftrue": true, "iffalse": true, "ifcase": true, "ifdefined": true, "ifcsname": true, "iffontchar": true, "ifpdf": true, "ifxetex": true, "ifluatex": true,
	"ifPDFTeX": true, "ifpdftex": true, "ifXeTeX": true, "ifLuaTeX": true, "iftutex": true, "ifTUTeX": true, "if@twocolumn": true, "if@twoside": true, "if@titlepage": true,
}

// isCondition reports whether a command is a conditional that ends with \fi.
func (m *machine) isCondition(name string) bool {
	if conditions[name] {
		return true
	}
	if !strings.HasPrefix(name, "if") {
		return false
	}
	_, ok := m.switches[name[2:]]
	return ok
}

// condition decides a conditional, or skips to what holds.
func (m *machine) condition(name string, floor int) {
	holds := false
	switch name {
	case "iftrue", "ifpdf", "ifPDFTeX", "ifpdftex":
		holds = true
	case "ifx":
		a, b := m.arg(floor), m.arg(floor)
		da, db := m.macros[strings.TrimPrefix(a, `\`)], m.macros[strings.TrimPrefix(b, `\`)]
		holds = a == b || da != nil && db != nil && da.body == db.body
	case "if", "ifcat":
		a, b := m.arg(floor), m.arg(floor)
		holds = a == b
	case "ifdefined":
		holds = m.macros[strings.TrimPrefix(m.arg(floor), `\`)] != nil
	case "ifcsname":
		holds = m.macros[strings.TrimSpace(m.until(floor, `\endcsname`))] != nil
	case "ifnum", "ifodd", "ifdim", "ifcase":
		holds = m.numeric(name, floor)
	default:
		holds = m.switches[name[2:]]
	}
	if !holds {
		m.skip(floor, true)
	}
}

// numeric decides \ifnum and \ifodd of numbers that are written; what needs a register is false.
func (m *machine) numeric(name string, floor int) bool {
	f := m.top(floor)
	if f == nil {
		return false
	}
	line := f.s[f.i:min(len(f.s), f.i+80)]
	k := 0
	num := func() (int, bool) {
		for k < len(line) && line[k] == ' ' {
			k++
		}
		from := k
		for k < len(line) && (line[k] >= '0' && line[k] <= '9' || line[k] == '-') {
			k++
		}
		n, err := strconv.Atoi(line[from:k])
		return n, err == nil
	}
	a, ok := num()
	if !ok || name == "ifdim" || name == "ifcase" {
		return name == "ifcase" && ok && a == 0
	}
	if name == "ifodd" {
		f.i += k
		return a%2 != 0
	}
	for k < len(line) && line[k] == ' ' {
		k++
	}
	if k == len(line) {
		return false
	}
	op := line[k]
	k++
	b, ok := num()
	if !ok {
		return false
	}
	f.i += k
	return op == '<' && a < b || op == '=' && a == b || op == '>' && a > b
}

// skip goes to the \fi that ends a conditional, or to its \else where that counts.
func (m *machine) skip(floor int, toElse bool) {
	if m.noFi {
		return
	}
	depth, frames := 0, slices.Clone(m.frames)
	for f := m.top(floor); f != nil; f = m.top(floor) {
		k := strings.IndexAny(f.s[f.i:], `\%`)
		if k < 0 {
			f.i = len(f.s)
			continue
		}
		f.i += k
		if f.s[f.i] == '%' {
			m.comment(f)
			continue
		}
		f.i++
		if f.i == len(f.s) {
			continue
		}
		switch name := m.name(f); {
		case name == "fi":
			if depth == 0 {
				return
			}
			depth--
		case (name == "else" || name == "or") && depth == 0 && toElse:
			return
		case m.isCondition(name):
			depth++
		case name == "newif":
			m.blanks(floor)
			if f := m.top(floor); f != nil && f.s[f.i] == '\\' {
				f.i++
				m.name(f)
			}
		}
	}
	// Nothing ends it: this was no conditional, or the source is broken. All of it is kept rather than lost.
	m.noFi, m.frames = true, frames
}
