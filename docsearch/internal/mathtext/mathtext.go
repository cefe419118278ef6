package mathtext

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxDepth bounds groups in groups: the braces of those that are deeper are left out.
const maxDepth = 60

// Text returns a formula as text. Its rows, where it has several, are lines. It takes time in proportion to src.
func Text(src string) string {
	p := &parser{s: src}
	var b strings.Builder
	for p.i < len(p.s) { // a "}" too many does not end it
		b.WriteString(p.group(0))
		if p.i < len(p.s) {
			p.i++
		}
	}
	var lines []string
	for line := range strings.SplitSeq(b.String(), "\n") {
		if line = tidy(line); line != "" {
			lines = append(lines, line)
		}
	}
	return strings.Join(lines, "\n")
}

// tidy makes one blank of several, and none beside brackets.
func tidy(s string) string {
	s = strings.Join(strings.Fields(s), " ")
	return strings.NewReplacer("( ", "(", " )", ")", "[ ", "[", " ]", "]", " ,", ",", " ;", ";", " ^", "^", " _", "_").Replace(s)
}

type parser struct {
	s string
	i int
}

// group reads to the "}" that ends the group, or to the end, and leaves the "}" unread.
func (p *parser) group(depth int) string {
	var b strings.Builder
	numerator, over := "", ""
	for p.i < len(p.s) && p.s[p.i] != '}' {
		s := p.next(depth, &b)
		if s == "\x00over" {
			numerator, over = b.String(), "/"
			b.Reset()
			continue
		}
		b.WriteString(s)
	}
	if over != "" {
		return parens(numerator) + over + parens(b.String())
	}
	return b.String()
}

// arg reads the argument of a command or script: a group, a command or one sign.
func (p *parser) arg(depth int) string {
	for p.i < len(p.s) && (p.s[p.i] == ' ' || p.s[p.i] == '\n') {
		p.i++
	}
	if p.i >= len(p.s) || p.s[p.i] == '}' {
		return ""
	}
	if p.s[p.i] == '{' {
		return p.braced(depth)
	}
	if depth > maxDepth {
		_, n := utf8.DecodeRuneInString(p.s[p.i:])
		p.i += n
		return p.s[p.i-n : p.i]
	}
	var none strings.Builder
	return p.next(depth+1, &none)
}

func (p *parser) braced(depth int) string {
	p.i++
	if depth > maxDepth {
		return ""
	}
	s := p.group(depth + 1)
	if p.i < len(p.s) {
		p.i++
	}
	return s
}

// raw reads the argument of a command as it stands.
func (p *parser) raw() string {
	for p.i < len(p.s) && p.s[p.i] == ' ' {
		p.i++
	}
	if p.i >= len(p.s) || p.s[p.i] != '{' {
		return ""
	}
	from, n := p.i+1, 0
	for ; p.i < len(p.s); p.i++ {
		switch p.s[p.i] {
		case '\\':
			p.i++
		case '{':
			n++
		case '}':
			if n--; n == 0 {
				p.i++
				return p.s[from : p.i-1]
			}
		}
	}
	p.i = len(p.s)
	return p.s[min(from, len(p.s)):]
}

// option reads what stands in brackets, where there is any.
func (p *parser) option() string {
	if p.i < len(p.s) && p.s[p.i] == '[' {
		if k := strings.IndexByte(p.s[p.i:min(len(p.s), p.i+200)], ']'); k > 0 {
			s := p.s[p.i+1 : p.i+k]
			p.i += k + 1
			return s
		}
	}
	return ""
}

func (p *parser) next(depth int, before *strings.Builder) string {
	c := p.s[p.i]
	switch c {
	case '{':
		return p.braced(depth)
	case '%':
		if k := strings.IndexByte(p.s[p.i:], '\n'); k >= 0 {
			p.i += k + 1
		} else {
			p.i = len(p.s)
		}
		return ""
	case '^', '_':
		p.i++
		return script(string(c), p.arg(depth))
	case '&':
		p.i++
		return " "
	case '~':
		p.i++
		return " "
	case '\'':
		p.i++
		return "′"
	case '\n', '\t':
		p.i++
		return " "
	case '$':
		p.i++
		return ""
	case '\\':
		return p.command(depth)
	}
	_, n := utf8.DecodeRuneInString(p.s[p.i:])
	p.i += n
	return p.s[p.i-n : p.i]
}

// script writes what stands above or below.
func script(sign, s string) string {
	s = strings.TrimSpace(s)
	switch {
	case s == "":
		return ""
	case sign == "^" && (s == "′" || s == "∘" || s == "*" || s == "†"):
		if s == "∘" {
			return "°"
		}
		return s
	case simple(s):
		return sign + s
	}
	return sign + "(" + s + ")"
}

// simple reports whether s reads as one thing.
func simple(s string) bool {
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) && !strings.ContainsRune(".′∞*", r) {
			return false
		}
	}
	return true
}

// parens puts s in brackets where it is more than one thing.
func parens(s string) string {
	if s = strings.TrimSpace(s); simple(s) || closed(s) {
		return s
	}
	return "(" + s + ")"
}

// closed reports whether s is in brackets already, or one thing with its script or argument.
func closed(s string) bool {
	n := 0
	for i, r := range s {
		switch {
		case r == '(':
			n++
		case r == ')':
			n--
			if n == 0 && i != len(s)-1 && s[0] == '(' {
				return false
			}
		case n == 0 && (unicode.IsSpace(r) || strings.ContainsRune("+-−=<>/·×,", r)):
			return false
		}
	}
	return n == 0
}

func (p *parser) command(depth int) string {
	p.i++
	if p.i >= len(p.s) {
		return ""
	}
	from := p.i
	for p.i < len(p.s) && (p.s[p.i] >= 'a' && p.s[p.i] <= 'z' || p.s[p.i] >= 'A' && p.s[p.i] <= 'Z') {
		p.i++
	}
	name := p.s[from:p.i]
	if name == "" {
		r, n := utf8.DecodeRuneInString(p.s[p.i:])
		p.i += n
		switch r {
		case '\\':
			if p.i < len(p.s) && p.s[p.i] == '*' {
				p.i++
			}
			p.option()
			return "\n"
		case ',', ';', ':', ' ', '>', '\n', '/':
			return " "
		case '!', '(', ')', '[', ']', '-':
			return ""
		case '|':
			return "‖"
		}
		return string(r)
	}
	if p.i < len(p.s) && p.s[p.i] == '*' {
		p.i++
	}
	if s, ok := symbols[name]; ok {
		return s
	}
	if accent, ok := accents[name]; ok {
		s := strings.TrimSpace(p.arg(depth))
		if utf8.RuneCountInString(s) == 1 {
			return s + accent
		}
		return s
	}
	switch name {
	case "frac", "dfrac", "tfrac", "cfrac", "sfrac", "nicefrac":
		p.option()
		a := p.arg(depth)
		return " " + parens(a) + "/" + parens(p.arg(depth)) + " "
	case "binom", "dbinom", "tbinom":
		a := p.arg(depth)
		return " C(" + a + ", " + p.arg(depth) + ") "
	case "sqrt":
		n := p.option()
		s := p.arg(depth)
		return " " + Root(n) + parens(s)
	case "over":
		return "\x00over"
	case "text", "textrm", "mbox", "textit", "textbf", "textsf", "texttt", "hbox", "textup", "textnormal", "intertext", "shortintertext", "textsc":
		return strings.NewReplacer("$", "", `\ `, " ", "~", " ", "\n", " ", `\_`, "_", `\%`, "%", `\&`, "&", "{", "", "}", "", `\`, "").Replace(p.raw())
	case "mathrm", "mathbf", "mathit", "mathsf", "mathtt", "mathcal", "mathscr", "mathfrak", "boldsymbol", "bm", "bf", "pmb", "operatorname", "mathop", "mathbin", "mathrel",
		"mathord", "mathopen", "mathclose", "mathpunct", "mathinner", "ensuremath", "underbrace", "overbrace", "boxed", "displaystyle", "textstyle", "scriptstyle",
		"scriptscriptstyle", "limits", "nolimits", "left", "right", "big", "Big", "bigg", "Bigg", "bigl", "bigr", "Bigl", "Bigr", "biggl", "biggr", "Biggl", "Biggr",
		"middle", "rm", "it", "cal", "sf", "tt", "substack", "smash", "cancel", "rlap", "llap", "mathstrut", "strut", "nonumber", "notag", "hfill", "allowbreak",
		"bigm", "Bigm", "biggm", "Biggm", "relax", "noindent", "centering", "protect", "mathnormal", "mathsurround", "hline", "em", "small", "normalsize", "symbf", "symbfit", "mathbfit",
		"mathclap", "mathrlap", "mathllap", "vphantom", "hphantom", "phantom":
		if strings.HasSuffix(name, "phantom") {
			p.raw()
			return ""
		}
		if name == "operatorname" {
			return " " + p.arg(depth) + " "
		}
		if strings.HasPrefix(name, "left") || name == "right" || name == "middle" {
			if p.i < len(p.s) && p.s[p.i] == '.' {
				p.i++
			}
		}
		return ""
	case "parbox":
		p.option()
		p.raw()
		return p.arg(depth)
	case "item", "textwidth", "linewidth":
		return ""
	case "mathbb", "Bbb":
		s := strings.TrimSpace(p.arg(depth))
		if d, ok := doubled[s]; ok {
			return d
		}
		return s
	case "not":
		s := strings.TrimSpace(p.arg(depth))
		switch s {
		case "=":
			return " ≠ "
		case "∈":
			return " ∉ "
		}
		return " ¬" + s
	case "label", "eqlabel", "vspace", "hspace", "color", "kern", "raisebox", "setlength":
		p.raw()
		return " "
	case "textcolor", "colorbox", "href":
		p.raw()
		return p.arg(depth)
	case "tag":
		return " (" + p.raw() + ")"
	case "ref", "eqref":
		return p.raw()
	case "stackrel", "overset", "underset":
		a := p.arg(depth)
		return p.arg(depth) + script("^", a)
	case "xrightarrow", "xleftarrow":
		under := p.option()
		s := p.arg(depth)
		return " " + map[bool]string{true: "→", false: "←"}[name == "xrightarrow"] + script("^", s) + script("_", under) + " "
	case "pmod":
		return " (mod " + p.arg(depth) + ")"
	case "bmod", "mod":
		return " mod "
	case "begin":
		return p.environment(depth)
	case "end":
		p.raw()
		return ""
	case "cr":
		return "\n"
	}
	return " " + name + " "
}

// Root returns the sign of the n-th root; n is "" for the square root.
func Root(n string) string {
	switch n = strings.TrimSpace(n); n {
	case "", "2":
		return "√"
	case "3":
		return "∛"
	case "4":
		return "∜"
	}
	return n + "√"
}

// environment reads what begins with \begin. Rows of a matrix are parted by ";".
func (p *parser) environment(depth int) string {
	name := strings.TrimSuffix(p.raw(), "*")
	open, end, rows, cols := "", "", "\n", " "
	switch name {
	case "matrix", "smallmatrix", "array", "bmatrix", "pmatrix", "vmatrix", "Vmatrix", "Bmatrix", "tabular":
		open, end, rows, cols = "[", "]", "; ", ", "
		if name == "array" || name == "tabular" {
			p.option()
			p.raw()
		}
	case "cases", "dcases", "rcases":
		open, end, rows, cols = "{ ", " }", "; ", ", "
	case "alignat", "alignedat":
		p.raw()
	case "aligned", "split", "gathered":
		p.option()
	}
	if depth > maxDepth {
		return ""
	}
	var b, row strings.Builder
	b.WriteString(open)
	first := true
	for p.i < len(p.s) && p.s[p.i] != '}' {
		if strings.HasPrefix(p.s[p.i:], `\end`) && (p.i+4 >= len(p.s) || p.s[p.i+4] == '{' || p.s[p.i+4] == ' ') {
			p.i += 4
			p.raw()
			break
		}
		if p.s[p.i] == '&' {
			p.i++
			row.WriteString(cols)
			continue
		}
		s := p.next(depth+1, &row)
		if s != "\n" {
			row.WriteString(strings.TrimPrefix(s, "\x00over"))
			continue
		}
		if !first {
			b.WriteString(rows)
		}
		first = false
		b.WriteString(strings.TrimSpace(row.String()))
		row.Reset()
	}
	if s := strings.TrimSpace(row.String()); s != "" {
		if !first {
			b.WriteString(rows)
		}
		b.WriteString(s)
	}
	b.WriteString(end)
	return b.String()
}
