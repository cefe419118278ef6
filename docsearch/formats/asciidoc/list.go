package asciidoc

import (
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/compose"
)

// marker returns the kind of the list whose item begins with a line, and "" for no item: items of one list have the same.
func marker(line string) string {
	if m := bullet.FindStringSubmatch(line); m != nil {
		return m[1]
	}
	if m := ordered.FindStringSubmatch(line); m != nil {
		switch c := m[1][0]; {
		case c == '.':
			return m[1]
		case c >= '0' && c <= '9':
			return "1."
		case strings.HasSuffix(m[1], ")"):
			return "i)"
		case c >= 'a' && c <= 'z':
			return "a."
		}
		return "A."
	}
	if callout.MatchString(line) {
		return "<1>"
	}
	if m := definition.FindStringSubmatch(line); m != nil && !blockMacro.MatchString(line) && !strings.HasPrefix(m[1], "//") {
		return m[2]
	}
	return ""
}

// list reads a list whose first item is at line i. markers are those of the lists around.
func (d *document) list(lines []string, i, depth int, markers []string, a *attrs) ([]*node, int) {
	kind := marker(lines[i])
	inner := append(slices.Clone(markers), kind)
	l := &node{kind: list}
	if len(markers) > maxDepth {
		return []*node{{text: lines[i]}}, i + 1
	}
	for n := 1; i < len(lines); n++ {
		if marker(lines[i]) != kind {
			break
		}
		it, next := d.listItem(lines, i, depth, inner, kind, n, a)
		l.kids = append(l.kids, it)
		i = next
		k := i
		for k < len(lines) && (lines[k] == "" || strings.HasPrefix(lines[k], "//") && !strings.HasPrefix(lines[k], "////")) {
			k++
		}
		if k < len(lines) && marker(lines[k]) == kind {
			i = k
		}
	}
	return d.titled(a, l), i
}

// listItem reads an item with what is attached to it.
func (d *document) listItem(lines []string, i, depth int, markers []string, kind string, n int, a *attrs) (*node, int) {
	it := &node{kind: item}
	text := ""
	line := lines[i]
	switch kind {
	case "::", ":::", "::::", ";;":
		m := definition.FindStringSubmatch(line)
		it.kind, it.text, text = term, d.substitute(m[1]), m[3]
		if a.style == "qanda" {
			it.text = fmt.Sprintf("%d. %s", n, it.text)
		}
	case "<1>":
		m := callout.FindStringSubmatch(line)
		it.mark, text = "<"+m[1]+"> ", m[2]
		if m[1] == "." {
			it.mark = fmt.Sprintf("<%d> ", n)
		}
	default:
		if m := bullet.FindStringSubmatch(line); m != nil {
			it.mark, text = "- ", m[2]
			for _, box := range []struct{ from, to string }{{"[ ] ", "[ ] "}, {"[x] ", "[x] "}, {"[*] ", "[x] "}} {
				if rest, ok := strings.CutPrefix(text, box.from); ok {
					it.mark, text = "- "+box.to, rest
					break
				}
			}
		} else {
			m := ordered.FindStringSubmatch(line)
			it.mark, text = m[1]+" ", m[2]
			if m[1][0] == '.' {
				it.mark = compose.Ordinal(n, "1aiAI"[min(len(m[1]), 5)-1]) + ". "
			}
		}
	}
	var para []string
	if text != "" {
		para = append(para, text)
	}
	add := func() {
		if len(para) > 0 {
			s := strings.Join(para, "\n")
			para = nil
			if m := admonition.FindStringSubmatch(strings.ReplaceAll(s, "\n", " ")); m != nil && it.kind == term {
				it.kids = append(it.kids, &node{kind: labelled, text: d.attributes[strings.ToLower(m[1])+"-caption"], kids: []*node{{text: d.substitute(s[len(m[1])+1:])}}})
				return
			}
			it.kids = append(it.kids, &node{text: d.substitute(s)})
		}
	}
	for i++; i < len(lines); {
		s := lines[i]
		m := marker(s)
		switch {
		case s == "":
			k := i
			for k < len(lines) && lines[k] == "" {
				k++
			}
			if k == len(lines) {
				add()
				return it, k
			}
			nm := marker(lines[k])
			switch {
			case nm != "" && !slices.Contains(markers, nm) && len(lines[k]) > 0:
				add()
				i = k
				nodes, next := d.list(lines, i, depth, markers, &attrs{})
				it.kids = append(it.kids, nodes...)
				i = next
			case nm != "":
				add()
				return it, i
			case it.kind == term && len(it.kids) == 0 && len(para) == 0 && fence(lines[k]) == 0 && !strings.HasPrefix(lines[k], "[") && !sectionLine.MatchString(lines[k]) && lines[k] != "+":
				i = k
				for i < len(lines) && lines[i] != "" && marker(lines[i]) == "" && lines[i] != "+" {
					para = append(para, strings.TrimLeft(lines[i], " \t"))
					i++
				}
				add()
			case lines[k][0] == ' ' || lines[k][0] == '\t':
				add()
				end := k
				for end < len(lines) && lines[end] != "" && lines[end] != "+" && marker(lines[end]) == "" {
					end++
				}
				it.kids = append(it.kids, &node{kind: literal, text: strings.Join(dedent(lines[k:end]), "\n")})
				i = end
			default:
				add()
				return it, i
			}
		case s == "+":
			add()
			i++
			if i < len(lines) && lines[i] == "" {
				continue
			}
			nodes, next := d.block(lines, i, depth+1, markers, false)
			it.kids = append(it.kids, nodes...)
			i = next
		case m != "" && slices.Contains(markers, m):
			add()
			return it, i
		case m != "":
			add()
			nodes, next := d.list(lines, i, depth, markers, &attrs{})
			it.kids = append(it.kids, nodes...)
			i = next
		case strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "////"):
			i++
		case conditional.MatchString(s):
			i = d.condition(lines, i)
		case attributeLine.MatchString(s):
			i = d.attribute(lines, i)
		case fence(s) != 0 || tableFence.MatchString(s) || blockAttrs.MatchString(s) && !strings.HasPrefix(s, "[["):
			add()
			if it.kind == term && len(it.kids) == 0 || blockAttrs.MatchString(s) && i+1 < len(lines) && marker(lines[i+1]) != "" && !slices.Contains(markers, marker(lines[i+1])) {
				nodes, next := d.block(lines, i, depth+1, markers, false)
				it.kids = append(it.kids, nodes...)
				i = next
				continue
			}
			return it, i
		default:
			if len(para) == 0 && len(it.kids) > 0 { // after a list within or an attached block
				return it, i
			}
			if im := includeLine.FindStringSubmatch(s); im != nil {
				s = "pass:[(includes " + strings.ReplaceAll(im[1], "]", "") + ")]"
			}
			para = append(para, strings.TrimLeft(s, " \t"))
			i++
		}
	}
	add()
	return it, i
}
