package formula

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
)

// Text returns a formula (m:oMath, or m:oMathPara with several) as text.
func Text(n *xmlnode.Node) string {
	var b strings.Builder
	if size(n) > maxSize {
		plain(&b, n)
	} else {
		write(&b, n)
	}
	return strings.Join(strings.Fields(b.String()), " ")
}

// maxSize is how many bytes of text a formula may have; of more, the signs alone are written.
const maxSize = 64 << 10

func size(n *xmlnode.Node) int {
	total := len(n.Text)
	for _, c := range n.Nodes {
		total += size(c)
	}
	return total
}

func plain(b *strings.Builder, n *xmlnode.Node) {
	b.WriteString(n.Text)
	for _, c := range n.Nodes {
		plain(b, c)
	}
}

func of(n *xmlnode.Node) string {
	var b strings.Builder
	for _, c := range nodes(n) {
		write(&b, c)
	}
	return strings.TrimSpace(b.String())
}

func nodes(n *xmlnode.Node) []*xmlnode.Node {
	if n == nil {
		return nil
	}
	return n.Nodes
}

// group puts what is more than one word or number in parentheses.
func group(s string) string {
	if utf8.RuneCountInString(s) <= 1 {
		return s
	}
	word := true
	for _, r := range s {
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && r != '.' {
			word = false
		}
	}
	if word || enclosed(s) {
		return s
	}
	return "(" + s + ")"
}

// enclosed reports whether one pair of parentheses is around all of s.
func enclosed(s string) bool {
	if !strings.HasPrefix(s, "(") || !strings.HasSuffix(s, ")") {
		return false
	}
	depth := 0
	for i, r := range s {
		switch r {
		case '(':
			depth++
		case ')':
			depth--
		}
		if depth == 0 && i < len(s)-1 {
			return false
		}
	}
	return true
}

// script writes a sign that lowers or raises, and what it is about.
func script(sign, s string) string {
	if s == "" {
		return ""
	}
	return sign + group(s)
}

func property(n *xmlnode.Node, props, name, other string) string {
	if v, ok := n.Child(props, name).Lookup("m:val"); ok {
		return v
	}
	return other
}

func hidden(n *xmlnode.Node, props, name string) bool { return n.Child(props, name).On("m:val") }

func write(b *strings.Builder, n *xmlnode.Node) {
	put := func(parts ...string) {
		for _, s := range parts {
			b.WriteString(s)
		}
	}
	part := func(name string) string { return of(n.Child(name)) }
	switch n.Name {
	case "m:t", "w:t", "a:t":
		put(n.Text)
	case "m:f":
		switch num, den := part("m:num"), part("m:den"); property(n, "m:fPr", "m:type", "bar") {
		case "noBar":
			put("(", num, " ; ", den, ")")
		default:
			put(group(num), "/", group(den))
		}
	case "m:sSup":
		put(group(part("m:e")), script("^", part("m:sup")))
	case "m:sSub":
		put(group(part("m:e")), script("_", part("m:sub")))
	case "m:sSubSup":
		put(group(part("m:e")), script("_", part("m:sub")), script("^", part("m:sup")))
	case "m:sPre":
		put(script("_", part("m:sub")), script("^", part("m:sup")), group(part("m:e")))
	case "m:rad":
		degree := part("m:deg")
		if hidden(n, "m:radPr", "m:degHide") {
			degree = ""
		}
		switch degree {
		case "", "2":
			put("√(", part("m:e"), ")")
		case "3":
			put("∛(", part("m:e"), ")")
		default:
			put("root(", degree, ", ", part("m:e"), ")")
		}
	case "m:nary":
		sub, sup := part("m:sub"), part("m:sup")
		if hidden(n, "m:naryPr", "m:subHide") {
			sub = ""
		}
		if hidden(n, "m:naryPr", "m:supHide") {
			sup = ""
		}
		put(" ", property(n, "m:naryPr", "m:chr", "∫"), script("_", sub), script("^", sup), " ", part("m:e"))
	case "m:d":
		var inside []string
		for e := range n.Children("m:e") {
			inside = append(inside, of(e))
		}
		put(property(n, "m:dPr", "m:begChr", "("), strings.Join(inside, property(n, "m:dPr", "m:sepChr", "|")), property(n, "m:dPr", "m:endChr", ")"))
	case "m:func":
		name, arg := part("m:fName"), part("m:e")
		if enclosed(arg) {
			put(name, arg)
		} else {
			put(name, " ", arg)
		}
	case "m:limLow":
		put(part("m:e"), script("_", part("m:lim")))
	case "m:limUpp":
		put(part("m:e"), script("^", part("m:lim")))
	case "m:acc":
		sign := property(n, "m:accPr", "m:chr", "\u0302")
		if e := part("m:e"); utf8.RuneCountInString(e) == 1 {
			put(e, sign)
		} else {
			put(group(e), sign)
		}
	case "m:bar":
		sign := "\u0304"
		if property(n, "m:barPr", "m:pos", "bot") == "bot" {
			sign = "\u0331"
		}
		if e := part("m:e"); utf8.RuneCountInString(e) == 1 {
			put(e, sign)
		} else {
			put(group(e), sign)
		}
	case "m:groupChr":
		put(part("m:e"))
	case "m:m":
		var rows []string
		for r := range n.Children("m:mr") {
			var cells []string
			for e := range r.Children("m:e") {
				cells = append(cells, of(e))
			}
			rows = append(rows, strings.Join(cells, ", "))
		}
		put("[", strings.Join(rows, "; "), "]")
	case "m:eqArr":
		var rows []string
		for e := range n.Children("m:e") {
			rows = append(rows, strings.ReplaceAll(of(e), "&", ""))
		}
		put(strings.Join(rows, "; "))
	case "m:phant":
		if property(n, "m:phantPr", "m:show", "1") != "0" {
			put(part("m:e"))
		}
	case "w:del", "w:moveFrom", "w:rPr", "m:ctrlPr", "m:rPr", "a:rPr":
	case "m:oMath":
		for _, c := range n.Nodes {
			write(b, c)
		}
		put(" ")
	default:
		for _, c := range n.Nodes {
			write(b, c)
		}
	}
}
