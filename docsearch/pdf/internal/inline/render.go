package inline

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// Markdown writes running text as Markdown: code between backticks, formulas between dollar signs, emphasis.
func Markdown(spans []Span) string {
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
		prev := Face(0)
		open := ""
		for _, p := range ts[i].parts {
			level := p.Face & (Superscript | Subscript)
			if level != prev {
				b.WriteString(open)
				open = ""
				switch level {
				case Superscript:
					b.WriteString("^{")
					open = "}"
				case Subscript:
					b.WriteString("_{")
					open = "}"
				}
				prev = level
			}
			if p.Face&Math != 0 {
				b.WriteString(AccentTeX(EscapeTeX(p.Text)))
			} else {
				b.WriteString(EscapeTeX(p.Text))
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

// EscapeTeX writes text so that TeX shows it as it is.
func EscapeTeX(s string) string { return texSpecial.Replace(s) }

func inlineCode(ts []term) string {
	// What is set in another face at either end is the text's, and so is punctuation at the end.
	before, after := "", ""
	first := ts[0].parts
	for len(first) > 1 && first[0].Face&Mono == 0 {
		before += Escape(first[0].Text)
		first = first[1:]
	}
	ts[0].parts = first
	if last := ts[len(ts)-1].parts; len(last) > 1 {
		for len(last) > 1 && last[len(last)-1].Face&Mono == 0 {
			after = Escape(last[len(last)-1].Text) + after
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
func (t *term) emphasis() Face {
	bold, italic, all := 0, 0, 0
	for _, p := range t.parts {
		if p.Face&(Superscript|Subscript) != 0 {
			continue
		}
		n := 0
		for _, r := range p.Text {
			if unicode.IsLetter(r) || unicode.IsDigit(r) {
				n++
			}
		}
		all += n
		if p.Face&Bold != 0 {
			bold += n
		}
		if p.Face&Italic != 0 {
			italic += n
		}
	}
	var f Face
	if all > 0 && bold*2 > all {
		f |= Bold
	}
	if all > 0 && italic*2 > all {
		f |= Italic
	}
	return f
}

// maxEmphasis is how many runes may be emphasised at once: a whole paragraph in italics is not.
const maxEmphasis = 400

func emphasise(ts []term, f Face) string {
	words := make([]string, len(ts))
	n := 0
	for i := range ts {
		words[i] = ts[i].markdown()
		n += utf8.RuneCountInString(words[i])
	}
	s := strings.Join(words, " ")
	mark := ""
	switch f {
	case Bold:
		mark = "**"
	case Italic:
		mark = "*"
	case Bold | Italic:
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
	if len(t.parts) == 1 && t.parts[0].Face&Superscript == 0 {
		return Escape(t.parts[0].Text)
	}
	var b strings.Builder
	for i, p := range t.parts {
		s := Escape(p.Text)
		switch {
		case p.Face&Superscript != 0 && (i > 0 || footMark.MatchString(p.Text)):
			b.WriteString("<sup>" + s + "</sup>")
		case p.Face&Subscript != 0 && i > 0:
			b.WriteString("<sub>" + s + "</sub>")
		default:
			b.WriteString(s)
		}
	}
	return b.String()
}
