package rst

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	bulletMark = lazyregexp.New(`^[-*+•‣⁃]( +|$)`)
	enumMark   = lazyregexp.New(`^\(?([0-9]{1,9}|[a-zA-Z]|[ivxlcdm]+|[IVXLCDM]+|#)[.)]( +|$)`)
	optionMark = lazyregexp.New(`^(?:(?:--?|/|\+)[A-Za-z0-9?][\w-]*(?:[ =]?(?:<[^<>]+>|[A-Za-z][\w-]*))?(?:, )?)+(?:  +|$)`)
	gridTop    = lazyregexp.New(`^\+-[-+]*-\+$`)
	simpleTop  = lazyregexp.New(`^=+( +=+)+$`)
	lineMark   = lazyregexp.New(`^\|( +|$)`)
	explicit   = lazyregexp.New(`^\.\.( +|$)`)
	directive  = lazyregexp.New(`^((?:\|[^|]+\| +)?)([\p{L}\p{N}][\p{L}\p{N}_.:+-]*?) ?::(?: +(.*))?$`)
	target     = lazyregexp.New("^_((?:`[^`]+`|\\\\.|[^:\\\\]|:[^ ])+):(?: +(.*))?$")
	footnote   = lazyregexp.New(`^\[([0-9]+|#[\w.-]*|\*|[\p{L}\p{N}][\w.:+-]*)\](?: +(.*))?$`)
)

// indentOf returns how many blanks a line begins with.
func indentOf(s string) int { return len(s) - len(strings.TrimLeft(s, " ")) }

// block returns the lines from i that are indented, without the indentation that they share and without empty lines at the end; next is the line
// after them.
func block(lines []string, i int) (out []string, next int) {
	least, end := -1, i
	for next = i; next < len(lines) && (lines[next] == "" || lines[next][0] == ' '); next++ {
		if lines[next] == "" {
			continue
		}
		if n := indentOf(lines[next]); least < 0 || n < least {
			least = n
		}
		end = next + 1
	}
	for _, line := range lines[i:end] {
		if line != "" {
			line = line[least:]
		}
		out = append(out, line)
	}
	return out, end
}

// hanging returns the lines of an item whose first line is lines[i] without its mark of width bytes: those that follow and are indented.
func hanging(lines []string, i, width int) (out []string, next int) {
	first := lines[i][min(width, len(lines[i])):]
	rest, next := block(lines, i+1)
	if first == "" {
		return rest, next
	}
	return append([]string{strings.TrimLeft(first, " ")}, rest...), next
}

// hangingAt is as hanging where the width of the mark says how far the rest must be indented.
func hangingAt(lines []string, i, width int) (out []string, next int) {
	end := i + 1
	for next = i + 1; next < len(lines) && (lines[next] == "" || indentOf(lines[next]) >= width); next++ {
		if lines[next] != "" {
			end = next + 1
		}
	}
	out = []string{lines[i][min(width, len(lines[i])):]}
	for _, line := range lines[i+1 : end] {
		if line != "" {
			line = line[width:]
		}
		out = append(out, line)
	}
	return out, end
}

// adornment returns the sign of a line that is one sign again and again, and 0 for others.
func adornment(s string) byte {
	if s == "" || s[0] >= utf8.RuneSelf || !strings.ContainsRune("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", rune(s[0])) || strings.Trim(s, s[:1]) != "" {
		return 0
	}
	return s[0]
}

// parse reads blocks. sections says whether there may be titles of sections.
func (d *document) parse(lines []string, depth int, sections bool) []*node {
	if depth > maxDepth {
		return []*node{{text: strings.Join(lines, " ")}}
	}
	var out []*node
	for i := 0; i < len(lines); {
		line := lines[i]
		switch {
		case line == "":
			i++
			continue
		case line[0] == ' ':
			var b []string
			b, i = block(lines, i)
			out = append(out, &node{kind: quote, kids: d.parse(b, depth+1, false)})
			continue
		}
		if sections {
			if n, next := d.title(lines, i); next > i {
				if n != nil {
					out = append(out, n)
				}
				i = next
				continue
			}
		}
		nodes, next := d.item(lines, i, depth, sections)
		if next == i {
			nodes, next = d.text(lines, i, depth)
		}
		out = append(out, nodes...)
		i = next
	}
	return out
}

// title reads the title of a section or a transition at line i; next is i where there is neither.
func (d *document) title(lines []string, i int) (n *node, next int) {
	at := func(k int) string {
		if k < len(lines) {
			return lines[k]
		}
		return ""
	}
	long := func(rule, title string) bool {
		w := display(title)
		return len(rule) >= w || len(rule) >= 4
	}
	text, style := "", ""
	if c := adornment(lines[i]); c != 0 && at(i+1) != "" && at(i+2) == lines[i] && long(lines[i], strings.TrimSpace(at(i+1))) && adornment(at(i+1)) == 0 {
		text, style, next = strings.TrimSpace(lines[i+1]), string(c)+"^", i+3
	} else if c := adornment(at(i + 1)); c != 0 && adornment(lines[i]) == 0 && long(lines[i+1], lines[i]) && !explicit.MatchString(lines[i]) {
		text, style, next = lines[i], string(c), i+2
	} else if adornment(lines[i]) != 0 && len(lines[i]) >= 4 && at(i+1) == "" {
		return nil, i + 1
	} else {
		return nil, i
	}
	level := d.styles[style]
	if level == 0 {
		level = len(d.styles) + 1
		d.styles[style] = level
	}
	d.name(text)
	key := labelKey(text)
	if _, ok := d.labels[key]; !ok {
		d.labels[key] = text
	}
	return &node{kind: heading, text: text, level: level}, next
}

// item reads a block that begins with a mark.
func (d *document) item(lines []string, i, depth int, sections bool) (nodes []*node, next int) {
	line := lines[i]
	switch {
	case explicit.MatchString(line):
		return d.explicit(lines, i, depth, sections)
	case line == "__" || strings.HasPrefix(line, "__ "):
		_, next = block(lines, i+1)
		return nil, next
	case bulletMark.MatchString(line):
		return d.list(lines, i, depth, bulletMark, func(m string, n int) string { return "- " })
	case enumMark.MatchString(line) && d.isItem(lines, i):
		return d.list(lines, i, depth, enumMark, func(m string, n int) string {
			return strings.Replace(strings.TrimSpace(m), "#", fmt.Sprint(n), 1) + " "
		})
	case fieldEnd(line) > 0:
		for next = i; next < len(lines) && lines[next] != "" && fieldEnd(lines[next]) > 0; {
			end := fieldEnd(lines[next])
			name := lines[next][1 : end-1]
			var body []string
			body, next = hanging(lines, next, end)
			nodes = append(nodes, &node{kind: field, text: name, kids: d.parse(body, depth+1, false)})
			next = gapBefore(lines, next, func(s string) bool { return fieldEnd(s) > 0 })
		}
		return []*node{{kind: container, mark: "fields", kids: nodes}}, next
	case optionMark.MatchString(line) && d.isOption(lines, i):
		for next = i; next < len(lines) && lines[next] != "" && optionMark.MatchString(lines[next]) && d.isOption(lines, next); {
			m := optionMark.FindString(lines[next])
			var body []string
			body, next = hanging(lines, next, len(m))
			nodes = append(nodes, &node{kind: term, text: literalText(strings.TrimSpace(m)), kids: d.parse(body, depth+1, false)})
			next = gapBefore(lines, next, optionMark.MatchString)
		}
		return nodes, next
	case strings.HasPrefix(line, ">>> ") || line == ">>>":
		for next = i; next < len(lines) && lines[next] != ""; next++ {
		}
		return []*node{{kind: literal, text: strings.Join(lines[i:next], "\n")}}, next
	case lineMark.MatchString(line):
		n := &node{kind: lineBlock}
		for next = i; next < len(lines) && lines[next] != ""; next++ {
			switch s := lines[next]; {
			case lineMark.MatchString(s):
				n.lines = append(n.lines, strings.TrimPrefix(s[1:], " "))
			case s[0] == ' ' && len(n.lines) > 0:
				n.lines[len(n.lines)-1] += " " + strings.TrimSpace(s)
			default:
				return []*node{n}, next
			}
		}
		return []*node{n}, next
	case gridTop.MatchString(line):
		return d.gridTable(lines, i, depth)
	case simpleTop.MatchString(line):
		return d.simpleTable(lines, i, depth)
	}
	return nil, i
}

// gapBefore goes over empty lines where what follows them fits.
func gapBefore(lines []string, i int, fits func(string) bool) int {
	k := i
	for k < len(lines) && lines[k] == "" {
		k++
	}
	if k < len(lines) && fits(lines[k]) {
		return k
	}
	return i
}

// isItem reports whether an enumerator at line i begins an item: what follows is indented, empty or an item.
func (d *document) isItem(lines []string, i int) bool {
	if i+1 >= len(lines) || lines[i+1] == "" || lines[i+1][0] == ' ' {
		return true
	}
	return enumMark.MatchString(lines[i+1])
}

// isOption reports whether an option at line i has a description.
func (d *document) isOption(lines []string, i int) bool {
	if m := optionMark.FindString(lines[i]); len(m) < len(lines[i]) {
		return true
	}
	return i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ")
}

func (d *document) list(lines []string, i, depth int, mark *lazyregexp.Regexp, show func(m string, n int) string) (nodes []*node, next int) {
	l := &node{kind: list}
	for next = i; next < len(lines) && lines[next] != ""; {
		m := mark.FindString(lines[next])
		if m == "" || mark == bulletMark && m[0] != lines[i][0] || mark == enumMark && !d.isItem(lines, next) {
			break
		}
		var body []string
		width := len(m)
		if m == lines[next] { // nothing stands beside the mark: what is indented belongs to it
			body, next = hanging(lines, next, width)
		} else {
			body, next = hangingAt(lines, next, width)
		}
		l.kids = append(l.kids, &node{kind: item, mark: show(m, len(l.kids)+1), kids: d.parse(body, depth+1, false)})
		next = gapBefore(lines, next, mark.MatchString)
	}
	return []*node{l}, next
}

// fieldEnd returns the length of ":name:" at the beginning of a line, and 0 where there is none.
func fieldEnd(s string) int {
	if len(s) < 3 || s[0] != ':' || s[1] == ' ' || s[1] == ':' || s[1] == '`' {
		return 0
	}
	for i := 1; i < len(s); i++ {
		switch s[i] {
		case '\\':
			i++
		case ':':
			if s[i-1] != ' ' && (i+1 == len(s) || s[i+1] == ' ') {
				return i + 1
			}
		}
	}
	return 0
}

// text reads a paragraph, the items of a definition list, and the literal block that a paragraph announces.
func (d *document) text(lines []string, i, depth int) (nodes []*node, next int) {
	if i+1 < len(lines) && strings.HasPrefix(lines[i+1], " ") && !strings.HasSuffix(lines[i], "::") {
		body, next := block(lines, i+1)
		name := lines[i]
		for k := strings.Index(name, " : "); k >= 0; k = strings.Index(name, " : ") { // classifiers
			name = name[:k] + " (" + strings.TrimSpace(name[k+3:]) + ")"
		}
		d.name(lines[i])
		return []*node{{kind: term, text: name, kids: d.parse(body, depth+1, false)}}, next
	}
	var text []string
	for next = i; next < len(lines) && lines[next] != "" && (next == i || lines[next][0] != ' '); next++ {
		text = append(text, lines[next])
	}
	s := strings.Join(text, "\n")
	d.name(text[0])
	if !strings.HasSuffix(s, "::") {
		return []*node{{text: s}}, next
	}
	switch s = strings.TrimSuffix(s, "::"); {
	case strings.TrimSpace(s) == "":
	case strings.HasSuffix(s, " ") || strings.HasSuffix(s, "\n"):
		nodes = append(nodes, &node{text: s})
	default:
		nodes = append(nodes, &node{text: s + ":"})
	}
	b, after := block(lines, next)
	if len(b) == 0 {
		b, after = quoted(lines, next)
	}
	if len(b) > 0 {
		next = after
		nodes = append(nodes, &node{kind: literal, text: strings.Join(trimEmpty(b), "\n")})
	}
	return nodes, next
}

// quoted returns the lines of a literal block that is not indented: each begins with the same sign.
func quoted(lines []string, i int) (out []string, next int) {
	for i < len(lines) && lines[i] == "" {
		i++
	}
	next = i
	if i == len(lines) || !unicode.IsPunct(rune(lines[i][0])) && !unicode.IsSymbol(rune(lines[i][0])) || lines[i][0] >= utf8.RuneSelf || explicit.MatchString(lines[i]) {
		return nil, i
	}
	for next < len(lines) && lines[next] != "" && lines[next][0] == lines[i][0] {
		next++
	}
	if next < len(lines) && lines[next] != "" {
		return nil, i
	}
	return lines[i:next], next
}

func trimEmpty(lines []string) []string {
	for len(lines) > 0 && lines[0] == "" {
		lines = lines[1:]
	}
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// explicit reads what begins with "..".
func (d *document) explicit(lines []string, i, depth int, sections bool) (nodes []*node, next int) {
	head := strings.TrimLeft(lines[i][2:], " ")
	if head == "" && (i+1 >= len(lines) || lines[i+1] == "") {
		return nil, i + 1 // an empty comment ends here
	}
	body, next := block(lines, i+1)
	if m := target.FindStringSubmatch(head); m != nil || strings.HasPrefix(head, "__:") {
		if m != nil {
			if url := strings.TrimSpace(m[2]); url == "" && len(body) == 0 {
				d.pending = append(d.pending, labelKey(strings.Trim(m[1], "`")))
			}
		}
		if len(body) == 0 {
			next = i + 1
		}
		return nil, next
	}
	if m := footnote.FindStringSubmatch(head); m != nil {
		if m[2] != "" {
			body = append([]string{m[2]}, body...)
		}
		n := &node{kind: note, text: m[1]}
		d.footnotes = append(d.footnotes, n)
		n.kids = d.parse(body, depth+1, false)
		return []*node{n}, next
	}
	if m := directive.FindStringSubmatch(head); m != nil {
		if len(body) == 0 {
			next = i + 1
		}
		name := strings.ToLower(m[2])
		if s := strings.TrimSpace(m[1]); s != "" {
			if got := d.directive(name, m[3], trimLast(body), depth, false); len(d.substitutions) < 10_000 {
				d.substitutions[strings.Trim(s, "|")] = &node{kind: container, kids: got}
			}
			return nil, next
		}
		return d.directive(name, m[3], trimLast(body), depth, sections), next
	}
	if len(body) == 0 {
		next = i + 1
	}
	return nil, next
}

func trimLast(lines []string) []string {
	for len(lines) > 0 && lines[len(lines)-1] == "" {
		lines = lines[:len(lines)-1]
	}
	return lines
}

// number gives the footnotes the numbers that they show: those without one of their own take the next that is free.
func (d *document) number() {
	taken := map[string]bool{}
	for _, n := range d.footnotes {
		taken[n.text] = true
	}
	signs := []rune("*†‡§¶#♠♥♦♣")
	auto, unnamed, symbols := 0, 0, 0
	for _, n := range d.footnotes {
		label, shown := n.text, n.text
		switch {
		case label == "*":
			shown = strings.Repeat(string(signs[symbols%len(signs)]), min(symbols/len(signs)+1, 10))
			symbols++
			label = fmt.Sprintf("*%d", symbols)
		case label[0] == '#':
			for auto++; taken[fmt.Sprint(auto)]; auto++ {
			}
			shown = fmt.Sprint(auto)
			if label == "#" {
				unnamed++
				label = fmt.Sprintf("#%d", unnamed)
			}
		}
		d.notes[label] = shown
		n.text, n.mark = "", "["+shown+"] "
	}
}
