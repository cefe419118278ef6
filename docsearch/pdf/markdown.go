package pdf

import (
	"math"
	"regexp"
	"sort"
	"strings"
	"unicode"
)

var (
	bulletLine = regexp.MustCompile(`^[•●○▪■◦‣–]\s+`)
	numberLine = regexp.MustCompile(`^(\(?\d{1,2}[.)]|\(?[a-z]\))\s+\S`)
	sectionNum = regexp.MustCompile(`^(\d{1,2}(?:\.\d{1,2}){0,4})\.?\s+\p{Lu}`)
)

// markdown writes the page as Markdown: headings by letter size and weight, paragraphs re-flowed, tables in their places,
// captions in italics.
func (v *view) markdown() string {
	body := v.bodySize()
	var b strings.Builder
	para := ""
	var last *line
	flush := func() {
		if para != "" {
			b.WriteString(para + "\n\n")
			para = ""
		}
	}
	code := false
	endCode := func() {
		if code {
			b.WriteString("```\n\n")
			code = false
		}
	}
	done := make([]bool, len(v.found))
	for i := range v.lines {
		l := &v.lines[i]
		text := strings.TrimSpace(l.text)
		if text == "" {
			continue
		}
		if k := v.tableAt(l.box); k >= 0 {
			flush()
			endCode()
			if !done[k] {
				b.WriteString(v.found[k].markdown() + "\n")
				done[k] = true
			}
			last = nil
			continue
		}
		if mono(l) && l.dx > .99 {
			flush()
			if !code {
				b.WriteString("```\n")
				code = true
			}
			b.WriteString(strings.TrimRight(l.text, " ") + "\n")
			last = nil
			continue
		}
		endCode()
		if level := heading(l, text, body); level > 0 && !v.isCaption(text) {
			if last != nil && para != "" && strings.HasPrefix(para, "#") && math.Abs(last.size-l.size) < .05*body && l.base-last.base < 1.6*l.size && l.base > last.base {
				para = joinLines(para, text)
			} else {
				flush()
				para = strings.Repeat("#", level) + " " + text
			}
			last = l
			continue
		}
		if strings.HasPrefix(para, "#") {
			flush()
		}
		switch {
		case v.isCaption(text):
			flush()
			para = text
		case bulletLine.MatchString(text):
			flush()
			para = "- " + bulletLine.ReplaceAllString(text, "")
		case numberLine.MatchString(text) && last != nil && last.block != l.block:
			flush()
			para = text
		case last != nil && para != "" && sameParagraph(last, l):
			para = joinLines(para, text)
		default:
			flush()
			para = text
		}
		last = l
	}
	flush()
	endCode()
	for k := range v.found {
		if !done[k] {
			b.WriteString(v.found[k].markdown() + "\n")
		}
	}
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func mono(l *line) bool {
	for i := range l.segs {
		if l.segs[i].font == nil || !l.segs[i].font.mono {
			return false
		}
	}
	return true
}

// bodySize is the letter size that most characters have.
func (v *view) bodySize() float64 {
	count := map[int]int{}
	for i := range v.lines {
		count[int(math.Round(v.lines[i].size*4))] += len(v.lines[i].text)
	}
	keys := make([]int, 0, len(count))
	for k := range count {
		keys = append(keys, k)
	}
	sort.Ints(keys)
	best, n := 40, 0
	for _, k := range keys {
		if count[k] > n {
			best, n = k, count[k]
		}
	}
	return float64(best) / 4
}

// heading returns the level of a heading line, 0 for others.
func heading(l *line, text string, body float64) int {
	if l.dx < .99 || len(text) > 160 || len(text) < 3 || strings.HasSuffix(text, ",") {
		return 0
	}
	letters := 0
	for _, r := range text {
		if unicode.IsLetter(r) {
			letters++
		}
	}
	if letters < 3 || letters*2 < len([]rune(text)) {
		return 0
	}
	bold := l.font != nil && l.font.bold
	numbered := 0
	if m := sectionNum.FindStringSubmatch(text); m != nil {
		numbered = strings.Count(m[1], ".") + 1
	}
	switch ratio := l.size / math.Max(body, 1); {
	case ratio >= 1.5:
		return 1
	case ratio >= 1.15:
		if numbered > 0 {
			return min(numbered+1, 6)
		}
		return 2
	case bold && ratio > .95 && numbered > 0 && !strings.HasSuffix(text, "."):
		return min(numbered+1, 6)
	case bold && ratio > .98 && len(text) < 80 && !strings.HasSuffix(text, ".") && len(l.segs) == 1:
		return 3
	}
	return 0
}

func (v *view) isCaption(text string) bool {
	return (tableStart.MatchString(text) || figureStart.MatchString(text)) && captionShape(text)
}

// sameParagraph reports whether b goes on with the paragraph of a.
func sameParagraph(a, b *line) bool {
	if math.Abs(a.size-b.size) > .2*a.size {
		return false
	}
	step := b.base - a.base
	if step < -a.size { // the next column
		ends := strings.HasSuffix(a.text, ".") || strings.HasSuffix(a.text, ":")
		return !ends
	}
	if step > 1.7*a.size {
		return false
	}
	if b.box.x0 > a.box.x0+.8*a.size && b.box.x0 < a.box.x0+4*a.size && a.box.x1 < b.box.x1-.5*a.size && endsSentence(a.text) {
		return false // an indented first line after a short last one
	}
	return true
}

func endsSentence(s string) bool {
	return strings.HasSuffix(s, ".") || strings.HasSuffix(s, "!") || strings.HasSuffix(s, "?") || strings.HasSuffix(s, ":")
}

func (v *view) tableAt(b rect) int {
	for k := range v.found {
		if t := &v.found[k]; t.box.has(b.midX(), b.midY()) {
			return k
		}
	}
	return -1
}

// markdown writes a table with its first row as the head. Spanned cells stay empty.
func (t *table) markdown() string {
	d := t.export()
	var b strings.Builder
	for r, cells := range d.Rows {
		b.WriteByte('|')
		for _, c := range cells {
			c = strings.ReplaceAll(strings.Join(strings.Fields(c), " "), "|", `\|`)
			b.WriteString(" " + c + " |")
		}
		b.WriteByte('\n')
		if r == 0 {
			b.WriteString("|" + strings.Repeat(" --- |", t.cols) + "\n")
		}
	}
	return b.String()
}
