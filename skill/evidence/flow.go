package evidence

import (
	"context"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/hyphen"
	"github.com/findspot/findspot/internal/lazyregexp"
)

// read fills in the running texts of a group's documents: without the numbers that stand in the margins of lines, and with the words that line ends
// divide put together. The words of the whole document, where src has it, say which keep their hyphen, and its lines where there was a line end; without it
// there are the texts of the items. Items keep their texts as they are, and so does what is verified.
func (g *group) read(ctx context.Context, src Source) {
	g.flow = make([]string, len(g.items))
	words := hyphen.NewVocabulary()
	whole := ""
	for i := range g.items {
		it := &g.items[i]
		if !it.IsDocument() {
			continue
		}
		if whole == "" && src != nil && it.At.Doc != "" {
			if text, err := src.Text(ctx, Place{Doc: it.At.Doc, Name: it.At.Name}); err == nil && len(text) <= maxPlaceBytes {
				whole = text
				words.Learn(rests.ReplaceAllString(text, " "))
			}
		}
		words.Learn(rests.ReplaceAllString(it.Text, " "))
	}
	margins := marginNumbers(whole)
	for i := range g.items {
		if it := &g.items[i]; it.IsDocument() {
			g.flow[i] = flow(it, whole, margins, words)
		}
	}
}

// rests are the two parts of words that were divided: no words of the document.
var rests = lazyregexp.New(`[\pL'-]+[-\x{2010}\x{ad}]\s+(?:\d{1,4}\s+)?\p{Ll}[\pL'-]*`)

// flow is the running text of an item. What it holds within quotation marks must still stand in the source, and so must the numbers then.
func flow(it *Item, whole string, margins []span, words *hyphen.Vocabulary) string {
	at := it.At
	if at.End <= at.Start || at.End > len(whole) || oneLine(whole[at.Start:at.End]) != oneLine(it.Text) {
		return unbroken(it.Text, words, false)
	}
	raw := whole[at.Start:at.End]
	out := unbroken(joinLines(without(whole, at.Start, at.End, margins), words, true), words, true)
	quotes := 0
	for u := range units(escape(out)) {
		for _, q := range u.quotations() {
			if quotes++; quotes > maxFlowQuotes || len(raw) > maxFlowQuoted || matchQuote(raw, *it, q) != nil {
				return joinLines(raw, words, false)
			}
		}
	}
	return out
}

// Quotations that are looked for in the text of an item, and the bytes of that.
const (
	maxFlowQuotes = 50
	maxFlowQuoted = 64 << 10
)

// without returns a stretch of s with some spans of s cut out of it.
func without(s string, start, stop int, cut []span) string {
	var b strings.Builder
	for _, c := range cut {
		if c.end <= start || c.start >= stop {
			continue
		}
		b.WriteString(s[start:max(start, c.start)])
		start = min(c.end, stop)
	}
	b.WriteString(s[start:stop])
	return b.String()
}

// joinLines makes one line of several. A number that stands alone on a line, as that of a page or note does, goes where it parts a word.
func joinLines(s string, words *hyphen.Vocabulary, numbers bool) string {
	var b strings.Builder
	out := ""       // behind what is in b
	var lone string // a number that may stand in a word
	for line := range strings.Lines(s) {
		line = oneLine(line)
		switch {
		case line == "":
			continue
		case numbers && lone == "" && allDigits(line) && divided(out):
			lone = line
			continue
		case lone != "":
			if first, _ := utf8.DecodeRuneInString(line); !unicode.IsLower(first) {
				out += " " + lone
			}
			lone = ""
		}
		if cut := strings.LastIndexByte(out, ' ') + 1; len(out) > 512 {
			b.WriteString(out[:cut])
			out = out[cut:]
		}
		out = words.JoinLines(out, line)
	}
	return strings.TrimSpace(b.String() + out + " " + lone)
}

func allDigits(s string) bool { return len(s) < 6 && strings.Trim(s, "0123456789") == "" }

// divided reports whether a text ends in a word with a hyphen.
func divided(s string) bool {
	r, n := utf8.DecodeLastRuneInString(s)
	before, _ := utf8.DecodeLastRuneInString(s[:len(s)-n])
	return strings.ContainsRune(hyphen.Signs, r) && unicode.IsLower(before)
}

// broken is a word that may have been divided where white space is one blank: a letter, a hyphen, maybe a number, and what may be its rest.
var broken = lazyregexp.New(`(\pL+)[-\x{2010}\x{ad}] (?:(\d{1,4}) )?(\p{Ll}[\pL'-]*)`)

// unbroken puts words together in a text whose lines are not known any more: "sig- nal", but not "pre- and postamble" or "x- y". A number that stands in a word goes
// where the document has the word elsewhere, also where lines were joined.
func unbroken(s string, words *hyphen.Vocabulary, joined bool) string {
	return replaceAll(broken.Get(), s, func(m []string) string {
		head, number, tail := m[1], m[2], m[3]
		switch {
		case number != "" && words.Has(head+tail):
			return head + tail
		case number != "" || joined || suspended[tail]:
			return m[0]
		case (len(head) < 2 || len(tail) < 2) && !words.Has(head+tail) && !words.Has(head+"-"+tail):
			return m[0]
		case words.Divided(head, tail):
			return head + tail
		}
		return head + "-" + tail
	})
}

// suspended are words behind a hyphen that stands for the rest of a word that comes later: "one- or two-sided".
var suspended = map[string]bool{
	"and": true, "or": true, "to": true, "nor": true, "but": true, "versus": true, "vs": true, "as": true, "than": true, "through": true,
	"und": true, "oder": true, "bis": true, "sowie": true, "et": true, "ou": true, "y": true, "o": true, "e": true, "en": true, "of": true,
}

func replaceAll(re *regexp.Regexp, s string, by func(groups []string) string) string {
	var b strings.Builder
	from := 0
	for _, m := range re.FindAllStringSubmatchIndex(s, -1) {
		groups := make([]string, len(m)/2)
		for i := range groups {
			if m[2*i] >= 0 {
				groups[i] = s[m[2*i]:m[2*i+1]]
			}
		}
		b.WriteString(s[from:m[0]] + by(groups))
		from = m[1]
	}
	return b.String() + s[from:]
}

// A numbered line begins or ends with a number, or is one.
type numbered struct {
	line   int // from 0
	n      int
	at     span // of the number and the blanks beside it
	inside bool // a small letter follows: the line goes on with a sentence
}

// marginNumbers finds the numbers of lines that manuscripts have in their margins: on each line, or on every fifth one. They count up line by line, and most
// lines that have one go on with a sentence, unlike the lines of a contents list or table.
func marginNumbers(s string) []span {
	var first, last []numbered // numbers at the beginnings of lines, and at their ends
	at, no := 0, 0
	for line := range strings.Lines(s) {
		text := strings.TrimRight(line, " \t\r\n\f")
		lead := len(text) - len(strings.TrimLeft(text, " \t\f"))
		rest := strings.TrimLeft(text[lead:], "0123456789")
		digits := len(text) - len(rest)
		rest = strings.TrimLeft(rest, " \t")
		if n, err := strconv.Atoi(text[lead:digits]); err == nil && (rest == "" || len(rest) < len(text)-digits) {
			first = append(first, numbered{line: no, n: n, at: span{at + lead, at + len(text) - len(rest)}})
		}
		tail := strings.TrimRight(text, "0123456789")
		if n, err := strconv.Atoi(text[len(tail):]); err == nil && len(strings.TrimRight(tail, " \t")) < len(tail) && len(tail) > digits {
			last = append(last, numbered{line: no, n: n, at: span{at + len(strings.TrimRight(tail, " \t")), at + len(text)}})
		}
		if lead < len(text) {
			no++
		}
		at += len(line)
	}
	var out []span
	for _, list := range [][]numbered{first, last} {
		for i := range list {
			list[i].inside = startsLower(strings.TrimLeft(s[list[i].at.end:], " \t\r\n\f"))
		}
		out = append(out, counting(list, 1, 5)...)
		out = append(out, counting(list, 5, 3)...)
	}
	slices.SortFunc(out, func(a, b span) int { return a.start - b.start })
	return slices.Compact(out)
}

func startsLower(s string) bool {
	r, _ := utf8.DecodeRuneInString(s)
	return unicode.IsLower(r)
}

// counting returns the numbers of runs of at least so many that count up by step, about a line for each.
func counting(list []numbered, step, least int) (out []span) {
	seen := make([]bool, len(list))
	for i := range list {
		if seen[i] {
			continue
		}
		run := []int{i}
		for k := i; ; {
			next := -1
			for j := k + 1; j < len(list) && list[j].line <= list[k].line+2*step; j++ {
				if list[j].n == list[k].n+step && list[j].line >= list[k].line+(step+1)/2 {
					next = j
					break
				}
			}
			if next < 0 {
				break
			}
			run = append(run, next)
			seen[next] = true
			k = next
		}
		if len(run) < least {
			continue
		}
		inside := 0
		for _, k := range run {
			if list[k].inside {
				inside++
			}
		}
		if 2*inside < len(run) {
			continue
		}
		for _, k := range run {
			out = append(out, list[k].at)
		}
	}
	return out
}
