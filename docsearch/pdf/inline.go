package pdf

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/docsearch/pdf/internal/content"
	"github.com/findspot/findspot/docsearch/pdf/internal/layout"
	"github.com/findspot/findspot/docsearch/pdf/internal/pattern"
	"golang.org/x/text/unicode/norm"
)

// A face is how a stretch of text is set.
type face uint8

const (
	faceBold face = 1 << iota
	faceItalic
	faceMono
	faceMath
	faceSup
	faceSub
)

// A span is a stretch of text in one face. A blank in it separates words.
type span struct {
	text string
	face face
}

// bodyFace is how most of a document's text is set: what all of it has says nothing.
type bodyFace struct{ bold, mono bool }

// faceOf is the face of a glyph on a line.
func (b bodyFace) faceOf(g *content.Glyph, l *layout.Line) face {
	var f face
	if ft := g.Font; ft != nil {
		if ft.Bold && !b.bold {
			f |= faceBold
		}
		if ft.Italic {
			f |= faceItalic
		}
		if ft.Mono && !b.mono {
			f |= faceMono
		}
		if ft.Math {
			f = f&^faceItalic | faceMath
		}
	}
	if r, _ := utf8.DecodeRuneInString(g.Text); r >= 0x1D400 && r <= 0x1D7FF {
		f = f&^faceItalic | faceMath
	}
	if g.Size < scriptSize*l.Size && l.Dx > .99 {
		switch off := layout.Baseline(l) - g.Y; {
		case off > .15*l.Size:
			f |= faceSup
		case off < -.06*l.Size:
			f |= faceSub
		}
	}
	return f
}

// spans cuts a line into stretches of one face.
func (b bodyFace) spans(l *layout.Line) []span {
	var buf [512]byte
	text := buf[:0] // of all spans, one after the other
	var starts [32]int
	ends := starts[:0]
	var out []span
	open := func(f face) {
		if n := len(out); n == 0 || out[n-1].face != f {
			if n > 0 {
				ends = append(ends, len(text))
			}
			out = append(out, span{face: f})
		}
	}
	blank := func() {
		if r, _ := utf8.DecodeLastRune(text); len(text) > 0 && !unicode.IsSpace(r) {
			text = append(text, ' ')
		}
	}
	over := "" // an arrow or a stroke that the next sign has
	for i := range l.Segs {
		s := &l.Segs[i]
		if i > 0 && !layout.StartsSpace(s.Text) && over == "" {
			blank()
		}
		if reordered(s) {
			if s.Text != "" {
				open(b.faceOf(&s.Glyphs[0], l) &^ (faceSup | faceSub | faceMath))
				text = append(text, s.Text...)
			}
			continue
		}
		next := 0
		var plain *content.Glyph // the last one opened, if it is of ASCII and neither raised nor lowered
		for k := range s.Glyphs {
			g := &s.Glyphs[k]
			if next < len(s.Spaces) && s.Spaces[next] == k {
				if over == "" && !raisedBeside(s, k, l) {
					blank()
				}
				next++
			}
			t := g.Text
			if t == vecAccent || t == stroke {
				over = t
				continue
			}
			if len(t) == 1 && t[0] > ' ' && t[0] < 0x7F {
				if plain == nil || g.Font != plain.Font || g.Size < .86*l.Size {
					open(b.faceOf(g, l))
					if plain = g; g.Size < .86*l.Size {
						plain = nil
					}
				}
				text = append(text, t[0])
				if over != "" {
					text = append(text[:len(text)-1], norm.NFC.String(t+over)...)
					over = ""
				}
				continue
			}
			plain = nil
			t = strings.Map(func(r rune) rune {
				switch {
				case r == '\n' || r == '\r' || r == '\t':
					return ' '
				case r < 0x20 || r == 0x7F:
					return -1
				}
				return r
			}, t)
			if strings.TrimSpace(t) == "" {
				if t != "" {
					blank()
				}
				continue
			}
			open(b.faceOf(g, l))
			if over != "" {
				t, over = norm.NFC.String(t+over), ""
			}
			text = append(text, ligatures.Replace(t)...)
		}
	}
	if len(out) > 0 {
		s := string(text)
		from := 0
		for i, end := range append(ends, len(s)) {
			out[i].text = s[from:end]
			from = end
		}
		last := &out[len(out)-1]
		last.text = strings.TrimRight(last.text, " ")
	}
	return out
}

// raisedBeside reports whether glyph k is raised or lowered at the mathematical letter before it. Slanted letters reach
// over their width, and what is raised stands off; by its own size the gap is a blank.
func raisedBeside(s *layout.Segment, k int, l *layout.Line) bool {
	if k == 0 || l.Dx < .99 {
		return false
	}
	g, before := &s.Glyphs[k], &s.Glyphs[k-1]
	return g.Size < scriptSize*l.Size && before.Font != nil && before.Font.Math && before.Size > g.Size && g.X-before.EndX < .2*l.Size && scriptAt(g, layout.Baseline(l), l.Size) != 0
}

// ligatures are written out in the view; the raw text keeps them.
var ligatures = strings.NewReplacer("ﬀ", "ff", "ﬁ", "fi", "ﬂ", "fl", "ﬃ", "ffi", "ﬄ", "ffl", "ﬅ", "st", "ﬆ", "st")

// reordered reports whether the text of a segment is not its glyphs in their order.
func reordered(s *layout.Segment) bool {
	for i := range s.Glyphs {
		if layout.IsRTLGlyph(&s.Glyphs[i]) {
			return true
		}
	}
	return false
}

// A term is a word of running text: what stands between blanks.
type term struct {
	parts []span
	kind  termKind
}

type termKind int

const (
	textTerm termKind = iota
	mathTerm
	operatorTerm // says nothing alone: "=", "+"
	numberTerm   // numbers, brackets and function names: part of a formula only beside one
	codeTerm
)

var (
	operatorWord = pattern.Regexp{Regexp: regexp.MustCompile(`^[=<>≤≥≠≈∼≃≡±∓×·∗⋆+−–/∈∉⊂⊆⊃∪∩∧∨¬→←↔⇒⇐⇔↦∝|:∘⊕⊗…-]+$`), Maybe: func(s string) bool { return s != "" && !pattern.IsLetter(s[0]) && !pattern.StartsWithDigit(s) }}
	numberWord   = pattern.Regexp{Regexp: regexp.MustCompile(`^[()\[\]{}\d.,'′%!]+$`), Maybe: func(s string) bool { return s != "" && !pattern.IsLetter(s[0]) }}
	functionWord = pattern.Regexp{Regexp: regexp.MustCompile(`^\(?(log|ln|exp|sin|cos|tan|min|max|arg|argmin|argmax|lim|sup|inf|det|mod|Pr|gcd)\(?$`), Maybe: func(s string) bool { return functionNames[strings.Trim(s, "(")] }}
	footMark     = regexp.MustCompile(`^[\d,∗*†‡§¶a-z#]{1,6}$`)
)

// longestFunction is no less than the length of what functionWord matches.
const longestFunction = 8

// functionNames are those that functionWord knows.
var functionNames = func() map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields("log ln exp sin cos tan min max arg argmin argmax lim sup inf det mod Pr gcd") {
		m[w] = true
	}
	return m
}()

func (t *term) text() string {
	if len(t.parts) == 1 {
		return t.parts[0].text
	}
	var b strings.Builder
	for _, p := range t.parts {
		b.WriteString(p.text)
	}
	return b.String()
}

// terms cuts spans at their blanks and tells what each word is.
func terms(spans []span) []term {
	n := len(spans)
	for i := range spans {
		n += strings.Count(spans[i].text, " ")
	}
	out := make([]term, 0, n)
	parts := make([]span, 0, n) // of all terms; there are no more than spans and blanks
	fresh := true
	for _, s := range spans {
		for len(s.text) > 0 {
			i := strings.IndexByte(s.text, ' ')
			if i == 0 {
				fresh = true
				s.text = s.text[1:]
				continue
			}
			word := s.text
			if i > 0 {
				word = s.text[:i]
			}
			parts = append(parts, span{word, s.face})
			if fresh {
				out = append(out, term{parts: parts[len(parts)-1:]})
				fresh = false
			} else {
				t := &out[len(out)-1]
				t.parts = t.parts[:len(t.parts)+1]
			}
			s.text = s.text[len(word):]
		}
	}
	for i := range out {
		out[i].parts = slices.Clip(out[i].parts)
		out[i].kind = out[i].classify()
	}
	return out
}

func (t *term) classify() termKind {
	text := t.text()
	if len(t.parts) == 1 && t.parts[0].face&(faceMono|faceMath) == 0 && pattern.IsLetter(text[0]) { // nearly all words
		if len(text) <= longestFunction && functionWord.MatchString(text) {
			return numberTerm
		}
		return textTerm
	}
	mono, math, low, high := 0, false, false, false
	for i, p := range t.parts {
		if p.face&faceMono != 0 {
			mono += len(p.text)
		}
		if p.face&faceMath != 0 && p.face&faceSup == 0 && strings.ContainsFunc(p.text, func(r rune) bool { return unicode.IsLetter(r) || unicode.Is(unicode.Sm, r) }) {
			math = true
		}
		if i > 0 && p.face&faceSub != 0 {
			low = true
		}
		if p.face&faceSup != 0 && i > 0 {
			// After a word it is a mark, after a letter or a number a power.
			at := i - 1
			for at > 0 && t.parts[at].face&(faceSup|faceSub) != 0 {
				at--
			}
			base, under := t.parts[at].text, t.parts[at].face
			r, _ := utf8.DecodeLastRuneInString(base)
			n := utf8.RuneCountInString(strings.TrimLeft(base, "(["))
			switch {
			case strings.Trim(p.text, "∗*†‡§¶#,+") == "" && n > 1:
			case under&faceMath != 0, unicode.IsDigit(r) && strings.Trim(p.text, "0123456789-−–") == "", n == 1 && unicode.IsLetter(r) && under&faceItalic != 0:
				high = true
			}
		}
	}
	switch {
	case mono > 0 && mono*10 >= len(strings.Trim(text, ".,;:()[]“”\"'’!?"))*7:
		return codeTerm
	case operatorWord.MatchString(text) || strings.IndexFunc(text, func(r rune) bool { return !unicode.Is(unicode.Sm, r) }) < 0:
		return operatorTerm
	case math || low || high:
		return mathTerm
	case numberWord.MatchString(text) || functionWord.MatchString(text):
		return numberTerm
	}
	return textTerm
}

// render writes running text as Markdown: code between backticks, formulas between dollar signs, emphasis.
func render(spans []span) string {
	ts := terms(spans)
	var b strings.Builder
	var run termRun
	space := func() {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
	}
	for i := 0; i < len(ts); {
		if end := run.math(ts, i); end > i {
			space()
			b.WriteString(inlineMath(ts[i:end]))
			i = end
			continue
		}
		if ts[i].kind == codeTerm {
			end := i
			for end < len(ts) && ts[end].kind == codeTerm {
				end++
			}
			space()
			b.WriteString(inlineCode(ts[i:end]))
			i = end
			continue
		}
		f := ts[i].emphasis()
		end := i + 1
		for end < len(ts) && ts[end].kind != codeTerm && ts[end].emphasis() == f && run.math(ts, end) == end {
			end++
		}
		space()
		b.WriteString(emphasise(ts[i:end], f))
		i = end
	}
	return b.String()
}

// maxBracket is how many words a bracket at the end of a formula may go on for.
const maxBracket = 24

// A termRun is a stretch of words between those of the text. It is kept from word to word: a page of numbers is one run.
type termRun struct {
	from, end int
	first     int // the first letter of a formula that is not before the word at hand; end for none
}

// math returns the end of the formula that begins at ts[i], or i.
func (r *termRun) math(ts []term, i int) int {
	if k := ts[i].kind; k == textTerm || k == codeTerm {
		return i
	}
	if i < r.from || i >= r.end {
		r.from, r.end, r.first = i, i, i
		for r.end < len(ts) && ts[r.end].kind != textTerm && ts[r.end].kind != codeTerm {
			r.end++
		}
	}
	for r.first = max(r.first, i); r.first < r.end && ts[r.first].kind != mathTerm; {
		r.first++
	}
	first, end := r.first, r.end
	if first == end {
		return i
	}
	// What stands before the first letter belongs to it only through an operator; the same at the end.
	if first > i && ts[first-1].kind != operatorTerm {
		return i
	}
	if first > i && ts[i].kind == operatorTerm && ts[i].text() != "−" && ts[i].text() != "-" && first-i == 1 {
		return i // "– x": a dash of the text
	}
	for end > first+1 && ts[end-1].kind != mathTerm {
		if ts[end-1].kind == numberTerm && ts[end-2].kind == operatorTerm {
			break
		}
		end--
	}
	// A bracket that was opened is closed, by the numbers and signs that follow, or the formula ends before it.
	if open := count(ts[i:end], "{[(") - count(ts[i:end], "}])"); open > 0 {
		for k := end; k < len(ts) && k < end+maxBracket && ts[k].kind != textTerm && ts[k].kind != codeTerm; k++ {
			if open += count(ts[k:k+1], "{[(") - count(ts[k:k+1], "}])"); open <= 0 {
				return k + 1
			}
		}
		if end > first+2 && ts[end-1].kind == numberTerm && count(ts[end-1:end], "{[(") > count(ts[end-1:end], "}])") {
			for end > first+1 && ts[end-1].kind != mathTerm {
				end--
			}
		}
	}
	return end
}

// count is how often one of the characters stands in the words.
func count(ts []term, chars string) int {
	n := 0
	for i := range ts {
		for _, r := range ts[i].text() {
			if strings.ContainsRune(chars, r) {
				n++
			}
		}
	}
	return n
}

// inlineMath writes a formula between dollar signs; punctuation at its end and brackets that it does not close stay outside.
func inlineMath(ts []term) string {
	var b strings.Builder
	for i := range ts {
		if i > 0 {
			b.WriteByte(' ')
		}
		prev := face(0)
		open := ""
		for _, p := range ts[i].parts {
			level := p.face & (faceSup | faceSub)
			if level != prev {
				b.WriteString(open)
				open = ""
				switch level {
				case faceSup:
					b.WriteString("^{")
					open = "}"
				case faceSub:
					b.WriteString("_{")
					open = "}"
				}
				prev = level
			}
			if p.face&faceMath != 0 {
				b.WriteString(texAccent(texEscape(p.text)))
			} else {
				b.WriteString(texEscape(p.text))
			}
		}
		b.WriteString(open)
	}
	s := b.String()
	before, after := "", ""
	for s != "" {
		last, size := utf8.DecodeLastRuneInString(s)
		if strings.ContainsRune(".,;:?", last) || last == ')' && strings.Count(s, "(") < strings.Count(s, ")") || last == ']' && strings.Count(s, "[") < strings.Count(s, "]") {
			after = string(last) + after
			s = s[:len(s)-size]
			continue
		}
		break
	}
	for strings.HasPrefix(s, "(") && strings.Count(s, "(") > strings.Count(s, ")") || strings.HasPrefix(s, "[") && strings.Count(s, "[") > strings.Count(s, "]") {
		before += s[:1]
		s = s[1:]
	}
	if s = strings.TrimSpace(s); s == "" {
		return before + after
	}
	return before + "$" + s + "$" + after
}

var texSpecial = strings.NewReplacer(`\`, `\backslash `, "{", `\{`, "}", `\}`, "$", `\$`, "%", `\%`, "#", `\#`, "&", `\&`, "_", `\_`, "^", `\hat{}`)

func texEscape(s string) string { return texSpecial.Replace(s) }

func inlineCode(ts []term) string {
	// What is set in another face at either end is the text's, and so is punctuation at the end.
	before, after := "", ""
	first := ts[0].parts
	for len(first) > 1 && first[0].face&faceMono == 0 {
		before += escape(first[0].text)
		first = first[1:]
	}
	ts[0].parts = first
	if last := ts[len(ts)-1].parts; len(last) > 1 {
		for len(last) > 1 && last[len(last)-1].face&faceMono == 0 {
			after = escape(last[len(last)-1].text) + after
			last = last[:len(last)-1]
		}
		ts[len(ts)-1].parts = last
	}
	words := make([]string, len(ts))
	for i := range ts {
		words[i] = ts[i].text()
	}
	s := strings.Join(words, " ")
	for len(s) > 1 && (strings.HasSuffix(s, ",") || strings.HasSuffix(s, ".") || strings.HasSuffix(s, ")") && !strings.Contains(s, "(")) {
		after = s[len(s)-1:] + after
		s = s[:len(s)-1]
	}
	for len(s) > 1 && strings.HasPrefix(s, "(") && !strings.Contains(s, ")") {
		before += "("
		s = s[1:]
	}
	fence := "`"
	for strings.Contains(s, fence) {
		fence += "`"
	}
	if len(fence) > 1 {
		s = " " + s + " "
	}
	return before + fence + s + fence + after
}

// emphasis is the weight and slant of a word, as most of its letters have it.
func (t *term) emphasis() face {
	bold, italic, all := 0, 0, 0
	for _, p := range t.parts {
		if p.face&(faceSup|faceSub) != 0 {
			continue
		}
		n := 0
		for _, r := range p.text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
		all += n
		if p.face&faceBold != 0 {
			bold += n
		}
		if p.face&faceItalic != 0 {
			italic += n
		}
	}
	var f face
	if all > 0 && bold*2 > all {
		f |= faceBold
	}
	if all > 0 && italic*2 > all {
		f |= faceItalic
	}
	return f
}

// maxEmphasis is how many runes may be emphasised at once: a whole paragraph in italics is not.
const maxEmphasis = 400

func emphasise(ts []term, f face) string {
	words := make([]string, len(ts))
	n := 0
	for i := range ts {
		words[i] = ts[i].markdown()
		n += utf8.RuneCountInString(words[i])
	}
	s := strings.Join(words, " ")
	mark := ""
	switch f {
	case faceBold:
		mark = "**"
	case faceItalic:
		mark = "*"
	case faceBold | faceItalic:
		mark = "***"
	}
	if mark == "" || n > maxEmphasis || strings.IndexFunc(s, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }) < 0 {
		return s
	}
	// The marks must touch letters, or a renderer takes them for asterisks.
	from := strings.IndexFunc(s, func(r rune) bool { return !strings.ContainsRune("(“\"'‘[", r) })
	to := len(s)
	for to > from {
		r, size := utf8.DecodeLastRuneInString(s[:to])
		if !strings.ContainsRune(".,;:!?)”\"'’]", r) || r == ')' && strings.Count(s[from:to], "(") >= strings.Count(s[from:to], ")") {
			break
		}
		to -= size
	}
	if from < 0 || to <= from {
		return s
	}
	return s[:from] + mark + s[from:to] + mark + s[to:]
}

// markdown writes one word of text, raised parts as superscripts.
func (t *term) markdown() string {
	if len(t.parts) == 1 && t.parts[0].face&faceSup == 0 {
		return escape(t.parts[0].text)
	}
	var b strings.Builder
	for i, p := range t.parts {
		s := escape(p.text)
		switch {
		case p.face&faceSup != 0 && (i > 0 || footMark.MatchString(p.text)):
			b.WriteString("<sup>" + s + "</sup>")
		case p.face&faceSub != 0 && i > 0:
			b.WriteString("<sub>" + s + "</sub>")
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}

// escape keeps signs of the text from being read as Markdown (CommonMark 0.31, 2.4).
func escape(s string) string {
	plain := true
	for i := 0; i < len(s) && plain; i++ {
		switch s[i] {
		case '*', '_', '$', '<', '`', '\\', '[', '&', '~', '|':
			plain = false
		}
	}
	if plain {
		return s
	}
	var b strings.Builder
	rs := []rune(s)
	at := func(i int) rune {
		if i < 0 || i >= len(rs) {
			return ' '
		}
		return rs[i]
	}
	word := func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) }
	for i, r := range rs {
		switch r {
		case '*', '$', '`':
			b.WriteByte('\\')
		case '\\':
			if n := at(i + 1); n < 0x80 && (unicode.IsPunct(n) || unicode.IsSymbol(n)) {
				b.WriteByte('\\')
			}
		case '_':
			if !word(at(i-1)) || !word(at(i+1)) {
				b.WriteByte('\\')
			}
		case '<':
			if n := at(i + 1); unicode.IsLetter(n) || n == '/' || n == '!' || n == '?' {
				b.WriteByte('\\')
			}
		case '&':
			if n := at(i + 1); n == '#' || unicode.IsLetter(n) && strings.ContainsRune(string(rs[i+1:]), ';') {
				b.WriteByte('\\')
			}
		case '[':
			if rest := string(rs[i:]); strings.Contains(rest, "](") || strings.Contains(rest, "]:") {
				b.WriteByte('\\')
			}
		case '~':
			if at(i+1) == '~' || at(i-1) == '~' {
				b.WriteByte('\\')
			}
		}
		b.WriteRune(r)
	}
	return b.String()
}

// guardStart keeps the beginning of a paragraph from being read as a list, a heading or a quotation.
var blockStart = regexp.MustCompile(`^(?:([-+>])(\s|$)|(#{1,6})(\s|$)|(\d{1,9})([.)])(\s|$)|([=-]{3,}|~{3,})\s*$)`)

func guardStart(s string) string {
	m := blockStart.FindStringSubmatchIndex(s)
	switch {
	case m == nil:
		return s
	case m[10] >= 0: // a number: the point is what makes it a list
		return s[:m[12]] + `\` + s[m[12]:]
	}
	return `\` + s
}

// joinSpans appends the spans of the next line to those of a paragraph.
func joinSpans(words *layout.Vocabulary, para, next []span) []span {
	if len(para) == 0 || len(next) == 0 {
		return append(para, next...)
	}
	last := &para[len(para)-1]
	r, size := utf8.DecodeLastRuneInString(last.text)
	if strings.ContainsRune(layout.Hyphens, r) && utf8.RuneCountInString(last.text) > 1 {
		before := plainSpans(para)
		before = before[:len(before)-size]
		prev, _ := utf8.DecodeLastRuneInString(before)
		switch {
		case r == '\u00ad' || words.Divided(before, plainSpans(next)):
			last.text = last.text[:len(last.text)-size]
			return append(para, next...)
		case unicode.IsLetter(prev) || unicode.IsDigit(prev):
			return append(para, next...) // the hyphen stays, and so does the word
		}
	}
	if layout.EndsCJK(last.text) && layout.StartsCJK(next[0].text) {
		return append(para, next...)
	}
	last.text += " "
	return append(para, next...)
}

func plainSpans(spans []span) string {
	if len(spans) == 1 {
		return spans[0].text
	}
	var b strings.Builder
	for _, s := range spans {
		b.WriteString(s.text)
	}
	return b.String()
}
