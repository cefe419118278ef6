package word

import (
	"strconv"
	"strings"

	"github.com/findspot/findspot/docsearch/formats/office/internal/numeral"
	"github.com/findspot/findspot/docsearch/formats/office/internal/xmlnode"
	"github.com/findspot/findspot/docsearch/internal/compose"
)

const (
	levels    = 9
	maxFormat = 200 // bytes of the text of a level
)

// A level says how the paragraphs of one depth of a list are numbered.
type level struct {
	start   int
	format  string // such as "decimal"
	text    string // such as "%1.%2", in which %n is the number of level n
	legal   bool   // numbers of all levels are decimal
	restart int    // starts again after a paragraph of level restart, from 1; 0 never, -1 after any that is higher
	style   string // the style of paragraphs that are of this level
}

type override struct {
	start *int
	level *level
}

type list struct {
	pattern   string // id of the abstract list
	overrides [levels]override
	used      [levels]bool // its own start of the level has been taken
}

type pattern struct {
	levels [levels]level
	link   string // a style whose list has the levels
	counts [levels]int
	used   [levels]bool
}

// A numbering counts the paragraphs of lists (numbering.xml, ECMA-376 part 1, section 17.9), in the order of the text.
type numbering struct {
	lists    map[string]*list
	patterns map[string]*pattern
	styles   *styles
}

func newNumbering(n *xmlnode.Node, s *styles) *numbering {
	x := &numbering{lists: map[string]*list{}, patterns: map[string]*pattern{}, styles: s}
	for a := range n.Children("w:abstractNum") {
		p := &pattern{link: a.Child("w:numStyleLink").Attr("w:val")}
		for i := range p.levels {
			p.levels[i] = level{start: 1, format: "decimal", restart: -1}
		}
		for l := range a.Children("w:lvl") {
			if i := l.Int("w:ilvl", -1); i >= 0 && i < levels {
				p.levels[i] = newLevel(l)
			}
		}
		x.patterns[a.Attr("w:abstractNumId")] = p
	}
	for c := range n.Children("w:num") {
		l := &list{pattern: c.Child("w:abstractNumId").Attr("w:val")}
		for o := range c.Children("w:lvlOverride") {
			i := o.Int("w:ilvl", -1)
			if i < 0 || i >= levels {
				continue
			}
			if s := o.Child("w:startOverride"); s != nil {
				n := s.Int("w:val", 0)
				l.overrides[i].start = &n
			}
			if v := o.Child("w:lvl"); v != nil {
				lv := newLevel(v)
				l.overrides[i].level = &lv
			}
		}
		x.lists[c.Attr("w:numId")] = l
	}
	return x
}

func newLevel(n *xmlnode.Node) level {
	l := level{
		start: n.Child("w:start").Int("w:val", 0), format: n.Child("w:numFmt").Attr("w:val"), text: n.Child("w:lvlText").Attr("w:val"),
		legal: n.Child("w:isLgl").On("w:val"), restart: n.Child("w:lvlRestart").Int("w:val", -1), style: n.Child("w:pStyle").Attr("w:val"),
	}
	if l.format == "" {
		l.format = "decimal"
	}
	if len(l.text) > maxFormat {
		l.text = strings.ToValidUTF8(l.text[:maxFormat], "")
	}
	return l
}

// A number is what stands before a paragraph of a list.
type number struct {
	text   string // such as "2.1" or "a)"; "" for a bullet, and for a level that shows nothing
	bullet bool
	depth  int
	parts  int // how many levels the number names
}

// next counts a paragraph and returns its number, and false where it is in no list.
func (x *numbering) next(f form) (number, bool) {
	if f.num == "" || f.num == "0" {
		return number{}, false
	}
	l := x.lists[f.num]
	if l == nil {
		return number{}, false
	}
	p := x.pattern(l.pattern)
	if p == nil {
		return number{}, false
	}
	depth := f.depth
	if f.style != "" { // the list says of which level a style is
		for i := range levels {
			if x.level(l, p, i).style == f.style {
				depth = i
				break
			}
		}
	}
	depth = min(max(depth, 0), levels-1)
	lv := x.level(l, p, depth)
	// The list starts at numbers of its own where it is met for the first time.
	for i := range depth + 1 {
		if o := l.overrides[i]; o.start != nil && !l.used[i] && (i == depth || !p.used[i]) {
			l.used[i] = true
			p.used[i], p.counts[i] = true, *o.start
			if i == depth {
				p.counts[i]-- // counted below
			}
		}
	}
	if !p.used[depth] {
		p.used[depth] = true
		p.counts[depth] = lv.start
	} else {
		p.counts[depth]++
	}
	for i := depth + 1; i < levels; i++ {
		if r := x.level(l, p, i).restart; r < 0 || r > depth {
			p.used[i] = false
		}
	}
	n := number{depth: depth}
	switch lv.format {
	case "bullet":
		n.bullet = true
		return n, true
	case "none":
		n.text = strings.TrimSpace(expand(lv.text, func(int) string { return "" }))
		return n, true
	}
	n.text = strings.TrimSpace(expand(lv.text, func(i int) string {
		if i > depth {
			return ""
		}
		n.parts++
		at := x.level(l, p, i)
		count := p.counts[i]
		if !p.used[i] {
			count = at.start
		}
		if lv.legal {
			return strconv.Itoa(count)
		}
		return countText(count, at.format)
	}))
	return n, true
}

// pattern returns an abstract list, or the one that the style it links to has.
func (x *numbering) pattern(id string) *pattern {
	p := x.patterns[id]
	for range 10 {
		if p == nil || p.link == "" {
			return p
		}
		np := (*xmlnode.Node)(nil)
		x.styles.chain(p.link, func(_ string, st *style) bool {
			np = st.ppr.Child("w:numPr", "w:numId")
			return np != nil
		})
		l := x.lists[np.Attr("w:val")]
		if l == nil {
			return p
		}
		next := x.patterns[l.pattern]
		if next == p || next == nil {
			return p
		}
		p = next
	}
	return p
}

func (x *numbering) level(l *list, p *pattern, i int) *level {
	if o := l.overrides[i].level; o != nil {
		return o
	}
	return &p.levels[i]
}

// expand replaces %1 to %9 in the text of a level; value gets the level from 0.
func expand(text string, value func(i int) string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		if text[i] == '%' && i+1 < len(text) && text[i+1] >= '1' && text[i+1] <= '9' {
			b.WriteString(value(int(text[i+1] - '1')))
			i++
			continue
		}
		b.WriteByte(text[i])
	}
	return b.String()
}

// countText writes a number in a format of ECMA-376 part 1, section 17.18.59; those that are not known are decimal.
func countText(n int, format string) string {
	decimal := strconv.Itoa(n)
	if n < 1 {
		return decimal
	}
	switch format {
	case "none":
		return ""
	case "lowerLetter":
		return numeral.Letters(n)
	case "upperLetter":
		return strings.ToUpper(numeral.Letters(n))
	case "lowerRoman":
		return compose.Ordinal(n, 'i')
	case "upperRoman":
		return compose.Ordinal(n, 'I')
	case "decimalZero":
		if n < 10 {
			return "0" + decimal
		}
	case "ordinal":
		return ordinal(n)
	case "decimalEnclosedCircle", "decimalEnclosedCircleChinese":
		if n <= 20 {
			return string(rune('①' + n - 1))
		}
	case "russianLower":
		if n <= 28 {
			return string([]rune("абвгдежзиклмнопрстуфхцчшщыэюя")[n-1])
		}
	case "chineseCounting", "chineseCountingThousand", "japaneseCounting", "ideographDigital":
		if n <= 10 {
			return string([]rune("一二三四五六七八九十")[n-1])
		}
	case "numberInDash":
		return "- " + decimal + " -"
	case "symbol", "chicago":
		if n <= 4 {
			return string([]rune("*†‡§")[n-1])
		}
	}
	return decimal
}

func ordinal(n int) string {
	s := strconv.Itoa(n)
	if n%100 >= 11 && n%100 <= 13 {
		return s + "th"
	}
	switch n % 10 {
	case 1:
		return s + "st"
	case 2:
		return s + "nd"
	case 3:
		return s + "rd"
	}
	return s + "th"
}
