package asciidoc

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	sectionLine  = lazyregexp.New(`^(={1,6}|#{1,6})[ \t]+(\S.*?)(?:[ \t]+=+)?$`)
	blockAttrs   = lazyregexp.New(`^\[(?:[\p{L}\p{N}_.#"'%,{*].*|\s*)?\]$`)
	blockAnchor  = lazyregexp.New(`^\[\[([\p{L}_:][^\],]*)(?:, *([^\]]+))?\]\]$`)
	titleLine    = lazyregexp.New(`^\.([^\s.].*)$`)
	bullet       = lazyregexp.New(`^[ \t]*(-|\*{1,5}|•)[ \t]+(\S.*)$`)
	ordered      = lazyregexp.New(`^[ \t]*(\.{1,5}|[0-9]{1,9}\.|[a-zA-Z]\.|[ivxIVX]+\))[ \t]+(\S.*)$`)
	callout      = lazyregexp.New(`^<([0-9]+|\.)>[ \t]+(\S.*)$`)
	definition   = lazyregexp.New(`^[ \t]*(\S.*?)(:::{1,2}|::|;;)(?:[ \t]+(\S.*))?$`)
	admonition   = lazyregexp.New(`^(NOTE|TIP|IMPORTANT|WARNING|CAUTION):[ \t]+(.*)$`)
	blockMacro   = lazyregexp.New(`^([\p{L}_][\w-]*)::([^\s\[]*)\[(.*)\]$`)
	tableFence   = lazyregexp.New(`^([|,:!])={3,}$`)
	markdownCode = lazyregexp.New("^```[ \t]*([\\w+#.-]*).*$")
)

// underline returns the level of a two-line title, from 1, and 0 for none.
func underline(title, rule string) int {
	if len(rule) < 3 || title == "" || strings.Trim(rule, rule[:1]) != "" {
		return 0
	}
	if d := len(rule) - utf8.RuneCountInString(title); d > 2 || d < -2 || !strings.ContainsFunc(title, isWord) || strings.HasPrefix(title, "[") || strings.HasPrefix(title, ".") {
		return 0
	}
	return strings.IndexByte("=-~^+", rule[0]) + 1
}

// fence returns the sign of a line that begins a delimited block.
func fence(s string) byte {
	if s == "--" {
		return 'o'
	}
	if len(s) < 4 || strings.IndexByte("-.=*_+/", s[0]) < 0 || strings.Trim(s, s[:1]) != "" {
		return 0
	}
	return s[0]
}

// attrs are what stands before a block.
type attrs struct {
	style, id, title string
	named            map[string]string
	position         []string
}

func (a *attrs) parse(s string) {
	for i, part := range splitAttrs(s) {
		k, v, ok := strings.Cut(part, "=")
		if k = strings.TrimSpace(k); ok && strings.IndexByte(k, ' ') < 0 && !strings.HasPrefix(k, `"`) {
			if a.named == nil {
				a.named = map[string]string{}
			}
			a.named[k] = strings.Trim(strings.TrimSpace(v), `"'`)
			if k == "id" {
				a.id = a.named[k]
			}
			continue
		}
		part = strings.Trim(strings.TrimSpace(part), `"'`)
		if i == 0 {
			if h := strings.IndexByte(part, '#'); h >= 0 {
				a.id, _, _ = strings.Cut(part[h+1:], ".")
				a.id, _, _ = strings.Cut(a.id, "%")
			}
			if style := strings.FieldsFunc(" "+part, func(r rune) bool { return r == '.' || r == '#' || r == '%' }); len(style) > 0 && strings.TrimSpace(style[0]) != "" {
				a.style = strings.ToLower(strings.TrimSpace(style[0]))
			}
		}
		a.position = append(a.position, part)
	}
}

// splitAttrs splits a list of attributes at the commas that no quotes hide.
func splitAttrs(s string) (out []string) {
	quote, from := byte(0), 0
	for i := 0; i < len(s); i++ {
		switch c := s[i]; {
		case quote != 0:
			if c == quote {
				quote = 0
			}
		case c == '"' || c == '\'':
			if t := strings.TrimSpace(s[from:i]); t == "" || strings.HasSuffix(t, "=") {
				quote = c
			}
		case c == ',':
			out = append(out, s[from:i])
			from = i + 1
		}
	}
	return append(out, s[from:])
}

// block reads one block from line i, with what stands before it, and returns the line after it. It always goes on by a line at least. markers are
// those of the lists around.
func (d *document) block(lines []string, i, depth int, markers []string, sections bool) ([]*node, int) {
	if depth > maxDepth {
		return []*node{{text: strings.Join(lines[i:], " ")}}, len(lines)
	}
	a := &attrs{}
	for i < len(lines) {
		line := lines[i]
		switch {
		case line == "":
			if a.style == "" && a.title == "" && a.id == "" && a.position == nil {
				return nil, i + 1
			}
			i++
		case strings.HasPrefix(line, "//") && !strings.HasPrefix(line, "////"):
			i++
		case attributeLine.MatchString(line):
			i = d.attribute(lines, i)
			if _, ok := d.attributes["numbered"]; ok {
				d.attributes["sectnums"] = ""
			}
		case conditional.MatchString(line):
			if i = d.condition(lines, i); i == len(lines) {
				return nil, i
			}
		case blockAnchor.MatchString(line):
			m := blockAnchor.FindStringSubmatch(line)
			a.id = m[1]
			if m[2] != "" {
				d.titles[m[1]] = m[2]
			}
			i++
		case blockAttrs.MatchString(line) && !strings.HasPrefix(line, "[[["):
			a.parse(d.substitute(line[1 : len(line)-1]))
			i++
		case titleLine.MatchString(line) && fence(line) == 0 && !ordered.MatchString(line):
			a.title = d.substitute(line[1:])
			i++
		default:
			return d.one(lines, i, depth, markers, sections, a)
		}
	}
	return nil, i
}

// all reads the blocks of lines.
func (d *document) all(lines []string, depth int) (out []*node) {
	for i := 0; i < len(lines); {
		n, next := d.block(lines, i, depth, nil, false)
		out = append(out, n...)
		i = max(next, i+1)
	}
	return out
}

// one reads the block that begins at line i.
func (d *document) one(lines []string, i, depth int, markers []string, sections bool, a *attrs) ([]*node, int) {
	line := lines[i]
	if m := includeLine.FindStringSubmatch(line); m != nil {
		return []*node{{text: "pass:[(includes " + strings.ReplaceAll(d.substitute(m[1]), "]", "") + ")]"}}, i + 1
	}
	if m := sectionLine.FindStringSubmatch(line); m != nil && (sections || a.style == "discrete" || a.style == "float") {
		return []*node{d.section(len(m[1]), d.substitute(m[2]), a)}, i + 1
	}
	if i+1 < len(lines) && sections {
		if level := underline(line, lines[i+1]); level > 0 && !bullet.MatchString(line) && !ordered.MatchString(line) {
			return []*node{d.section(level, d.substitute(line), a)}, i + 2
		}
	}
	if sign := fence(line); sign != 0 {
		end := i + 1
		for end < len(lines) && lines[end] != line {
			end++
		}
		return d.delimited(sign, lines[i+1:min(end, len(lines))], depth, a), min(end+1, len(lines))
	}
	if m := markdownCode.FindStringSubmatch(line); m != nil {
		end := i + 1
		for end < len(lines) && !strings.HasPrefix(lines[end], "```") {
			end++
		}
		a.style, a.position = "source", []string{"source", m[1]}
		return d.delimited('-', lines[i+1:end], depth, a), min(end+1, len(lines))
	}
	if m := tableFence.FindStringSubmatch(line); m != nil {
		end := i + 1
		for end < len(lines) && lines[end] != line {
			end++
		}
		return []*node{d.table(m[1], lines[i+1:min(end, len(lines))], depth, a)}, min(end+1, len(lines))
	}
	if line == "'''" || line == "<<<" || line == "---" || line == "***" || line == "- - -" {
		return nil, i + 1
	}
	if m := blockMacro.FindStringSubmatch(line); m != nil {
		return d.macro(m[1], m[2], m[3], a), i + 1
	}
	if marker(line) != "" {
		return d.list(lines, i, depth, markers, a)
	}
	if line[0] == ' ' || line[0] == '\t' {
		end := i
		for end < len(lines) && lines[end] != "" {
			end++
		}
		if a.style == "" || a.style == "literal" || a.style == "listing" || a.style == "source" {
			return d.titled(a, &node{kind: literal, text: strings.Join(dedent(lines[i:end]), "\n")}), end
		}
	}
	return d.paragraph(lines, i, markers, a)
}

// section makes the heading of a section.
func (d *document) section(level int, title string, a *attrs) *node {
	id := a.id
	if k := strings.Index(title, "[["); k >= 0 && strings.HasSuffix(title, "]]") {
		id, title = title[k+2:len(title)-2], strings.TrimSpace(title[:k])
	}
	if id != "" && d.titles[id] == "" {
		d.titles[id] = title
	}
	auto := "_" + strings.Trim(regexpWords.ReplaceAllString(strings.ToLower(title), "_"), "_")
	if d.titles[auto] == "" {
		d.titles[auto] = title
	}
	if d.titles[title] == "" {
		d.titles[title] = title
	}
	if _, ok := d.attributes["sectnums"]; ok && level > 1 && a.style != "discrete" && a.style != "float" {
		k := level - 1
		for len(d.sections) < k {
			d.sections = append(d.sections, 0)
		}
		d.sections = d.sections[:k]
		d.sections[k-1]++
		parts := make([]string, k)
		for i, n := range d.sections {
			parts[i] = fmt.Sprint(n)
		}
		if k <= 3 {
			title = strings.Join(parts, ".") + ". " + title
		}
	}
	if a.style == "appendix" {
		d.counts["appendix"]++
		title = fmt.Sprintf("%s %c: %s", d.attributes["appendix-caption"], 'A'+rune(min(d.counts["appendix"], 26)-1), title)
	}
	return &node{kind: heading, text: title, level: level}
}

var regexpWords = lazyregexp.New(`[^\p{L}\p{N}]+`)

// caption counts what has a number, and returns its title with it.
func (d *document) caption(kind string, a *attrs) string {
	if a.title == "" {
		return ""
	}
	s := a.title
	if label, ok := d.attributes[kind+"-caption"]; ok && label != "" && a.named["caption"] == "" {
		d.counts[kind]++
		s = fmt.Sprintf("%s %d. %s", label, d.counts[kind], a.title)
	}
	if a.id != "" && d.titles[a.id] == "" {
		d.titles[a.id] = strings.TrimSuffix(s[:len(s)-len(a.title)], ". ")
		if d.titles[a.id] == "" {
			d.titles[a.id] = a.title
		}
	}
	return s
}

// titled puts the title of a block before it.
func (d *document) titled(a *attrs, n *node) []*node {
	if a.id != "" && a.title != "" && d.titles[a.id] == "" {
		d.titles[a.id] = a.title
	}
	if a.title == "" {
		return []*node{n}
	}
	return []*node{{text: a.title}, n}
}

// delimited makes the node of a delimited block.
func (d *document) delimited(sign byte, lines []string, depth int, a *attrs) []*node {
	text := strings.Join(lines, "\n")
	switch a.style {
	case "stem", "latexmath", "asciimath":
		return d.titled(a, &node{kind: formula, text: text, mark: a.style})
	case "comment":
		return nil
	}
	switch sign {
	case '/':
		return nil
	case '+':
		return d.titled(a, &node{kind: raw, text: text})
	case '-', '.':
		if a.style == "verse" || a.style == "quote" {
			break
		}
		for i, line := range lines {
			if m := includeLine.FindStringSubmatch(line); m != nil {
				lines[i] = "(includes " + d.substitute(m[1]) + ")"
			} else if strings.HasPrefix(line, `\include::`) || strings.HasPrefix(line, `\if`) || strings.HasPrefix(line, `\endif`) {
				lines[i] = line[1:]
			}
		}
		language := ""
		if a.style == "source" && len(a.position) > 1 {
			language = a.position[1]
		}
		return d.titled(a, &node{kind: literal, text: strings.Join(lines, "\n"), mark: language})
	case '_':
		if a.style == "verse" {
			return d.titled(a, &node{kind: verse, text: d.substitute(text)})
		}
		kids := d.all(lines, depth+1)
		if len(a.position) > 1 {
			kids = append(kids, &node{text: "— " + strings.Join(a.position[1:], ", ")})
		}
		return d.titled(a, &node{kind: quote, kids: kids})
	case '=', 'o', '*':
		if label := d.attributes[a.style+"-caption"]; label != "" && strings.Contains("note tip important warning caution", a.style) {
			if a.title != "" {
				label += ": " + a.title
			}
			return []*node{{kind: labelled, text: label, kids: d.all(lines, depth+1)}}
		}
		if a.style == "source" || a.style == "listing" || a.style == "literal" {
			return d.titled(a, &node{kind: literal, text: text})
		}
		if a.style == "abstract" && d.meta.Abstract == "" {
			d.meta.Abstract = strings.Join(strings.Fields(text), " ")
		}
		title := a.title
		if sign == '=' {
			title = d.caption("example", a)
		}
		return []*node{{kind: container, text: title, kids: d.all(lines, depth+1)}}
	}
	return d.titled(a, &node{kind: verse, text: d.substitute(text)})
}

// macro makes the node of a block macro.
func (d *document) macro(name, target, list string, a *attrs) []*node {
	a.parse(d.substitute(list))
	switch name {
	case "image", "video", "audio":
		if t := a.named["title"]; t != "" && a.title == "" {
			a.title = t
		}
		alt := ""
		if len(a.position) > 0 {
			alt = a.position[len(a.position)-1]
			if a.style != "" && len(a.position) > 1 && name == "image" {
				alt = a.position[0]
			}
		}
		if a.named["alt"] != "" {
			alt = a.named["alt"]
		}
		if strings.Trim(alt, "0123456789%") == "" || name != "image" {
			alt = ""
		}
		return []*node{{kind: figure, text: d.caption("figure", a), mark: alt}}
	case "toc", "ifdef", "ifndef", "endif":
		return nil
	case "stem", "latexmath", "asciimath":
		return []*node{{kind: formula, text: list, mark: name}}
	}
	return []*node{{text: name + "::" + target + "[" + list + "]"}}
}

// paragraph reads lines up to an empty one, or to an item of the lists around.
func (d *document) paragraph(lines []string, i int, markers []string, a *attrs) ([]*node, int) {
	var text []string
	end := i
	for ; end < len(lines) && lines[end] != ""; end++ {
		s := lines[end]
		if strings.HasPrefix(s, "//") && !strings.HasPrefix(s, "///") {
			continue
		}
		if conditional.MatchString(s) {
			if k := d.condition(lines, end); k > end {
				end = k - 1
				continue
			}
			s = lines[end]
		}
		if end > i && (fence(s) != 0 || tableFence.MatchString(s) || blockAttrs.MatchString(s) && len(s) > 3 && fenceAfter(lines, end+1) || s == "+" || strings.HasPrefix(s, "```")) {
			break
		}
		if end > i && len(markers) > 0 && marker(s) != "" {
			break
		}
		if m := includeLine.FindStringSubmatch(s); m != nil {
			s = "pass:[(includes " + strings.ReplaceAll(m[1], "]", "") + ")]"
		}
		text = append(text, s)
	}
	end = max(end, i+1)
	s := d.substitute(strings.Join(text, "\n"))
	switch {
	case a.style == "source" || a.style == "listing" || a.style == "literal":
		language := ""
		if len(a.position) > 1 {
			language = a.position[1]
		}
		return d.titled(a, &node{kind: literal, text: strings.Join(text, "\n"), mark: language}), end
	case a.style == "stem" || a.style == "latexmath" || a.style == "asciimath":
		return d.titled(a, &node{kind: formula, text: strings.Join(text, "\n"), mark: a.style}), end
	case a.style == "verse":
		return d.titled(a, &node{kind: verse, text: s}), end
	case a.style == "pass":
		return []*node{{kind: raw, text: s}}, end
	case a.style == "comment":
		return nil, end
	case a.style == "abstract" && d.meta.Abstract == "":
		d.meta.Abstract = strings.Join(strings.Fields(s), " ")
	}
	if m := admonition.FindStringSubmatch(strings.ReplaceAll(s, "\n", " ")); m != nil {
		a.style, s = strings.ToLower(m[1]), s[len(m[1])+1:]
	}
	if label := d.attributes[a.style+"-caption"]; label != "" && strings.Contains("note tip important warning caution", a.style) {
		if a.title != "" {
			label += ": " + a.title
		}
		return []*node{{kind: labelled, text: label, kids: []*node{{text: s}}}}, end
	}
	if a.style == "quote" {
		kids := []*node{{text: s}}
		if len(a.position) > 1 {
			kids = append(kids, &node{text: "— " + strings.Join(a.position[1:], ", ")})
		}
		return d.titled(a, &node{kind: quote, kids: kids}), end
	}
	return d.titled(a, &node{text: s}), end
}

// fenceAfter reports whether a delimited block begins at line i.
func fenceAfter(lines []string, i int) bool {
	return i < len(lines) && (fence(lines[i]) != 0 || tableFence.MatchString(lines[i]))
}

func dedent(lines []string) []string {
	least := -1
	for _, s := range lines {
		if n := len(s) - len(strings.TrimLeft(s, " \t")); s != "" && (least < 0 || n < least) {
			least = n
		}
	}
	out := make([]string, len(lines))
	for i, s := range lines {
		out[i] = s[min(max(least, 0), len(s)):]
	}
	return out
}
