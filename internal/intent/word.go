package intent

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

// A word of a question.
type word struct {
	low        string // lower case
	raw        string
	start, end int
	quoted     bool // in quotes or back quotes
	stop       bool // a mark that ends a clause stands behind it
	comma      bool // a comma stands behind it
	possessive bool // 's stands behind it
}

// words cuts a text into words. What is in back quotes or quotes is one, and so are a name and its argument list.
func words(s string) []word {
	var out []word
	for i := 0; i < len(s); {
		r, n := utf8.DecodeRuneInString(s[i:])
		if closing, ok := quotes[r]; ok {
			if j := strings.IndexRune(s[i+n:], closing); j > 0 && j <= 120 && (r == '`' || !strings.ContainsAny(s[i+n:i+n+j], "\n") && (r != '\'' || startsWord(s, i))) {
				inner := s[i+n : i+n+j]
				end := i + n + j + utf8.RuneLen(closing)
				if strings.TrimSpace(inner) != "" && (r == '`' || len(strings.Fields(inner)) <= 4) {
					out = append(out, word{low: strings.ToLower(inner), raw: strings.TrimSpace(inner), start: i, end: end, quoted: true})
					i = end
					continue
				}
			}
		}
		if unicode.IsSpace(r) {
			i += n
			continue
		}
		if strings.ContainsRune(",;?!.:…", r) || r == '-' || r == '–' || r == '—' {
			if k := len(out) - 1; k >= 0 {
				out[k].comma = out[k].comma || r == ','
				out[k].stop = out[k].stop || r != ','
			}
			i += n
			continue
		}
		if suffix := possessive(s[i:]); suffix > 0 && len(out) > 0 && out[len(out)-1].end == i {
			out[len(out)-1].possessive = true
			i += suffix
			continue
		}
		end := i + wordLen(s[i:])
		raw := s[i:end]
		w := word{start: i, end: end}
		trimmed := strings.TrimRight(raw, ",;?!.:…)]}\"'”’")
		if strings.HasSuffix(raw[:min(len(raw), len(trimmed)+1)], ")") && strings.Contains(trimmed, "(") { // main()
			trimmed = raw[:len(trimmed)+1]
		}
		for _, r := range raw[len(trimmed):] {
			w.comma = w.comma || r == ','
			w.stop = w.stop || strings.ContainsRune(";?!.:…", r)
		}
		lead := len(trimmed) - len(strings.TrimLeft(trimmed, "([{\"'“‘&*@#"))
		w.start += lead
		trimmed = trimmed[lead:]
		for _, q := range []string{"'s", "’s"} {
			if t, ok := strings.CutSuffix(trimmed, q); ok && t != "" {
				trimmed, w.possessive = t, true
			}
		}
		if trimmed == "" {
			if k := len(out) - 1; k >= 0 {
				out[k].stop = out[k].stop || w.stop
				out[k].comma = out[k].comma || w.comma
			}
			i = end
			continue
		}
		w.raw, w.low = trimmed, strings.ToLower(trimmed)
		switch w.low { // "who's calling" and "isn't": two words, or the one that counts
		case "who", "what", "where", "that", "there":
			if w.possessive {
				w.possessive = false
				is := word{low: "is", raw: "is", start: w.start + len(trimmed), end: end, stop: w.stop, comma: w.comma}
				w.stop, w.comma = false, false
				w.end = is.start
				out = append(out, w, is)
				i = end
				continue
			}
		default:
			for _, q := range []string{"n't", "n’t"} {
				if t, ok := strings.CutSuffix(w.low, q); ok && auxiliary[t] {
					w.low = t
				}
			}
		}
		w.end = end
		out = append(out, w)
		i = end
	}
	return out
}

var quotes = map[rune]rune{'`': '`', '"': '"', '“': '”', '‘': '’', '\'': '\''}

func startsWord(s string, i int) bool { return i == 0 || s[i-1] == ' ' || s[i-1] == '(' }

func possessive(s string) int {
	for _, q := range []string{"'s", "’s"} {
		if strings.HasPrefix(s, q) && (len(s) == len(q) || strings.ContainsAny(s[len(q):len(q)+1], " ?.,!;")) {
			return len(q)
		}
	}
	return 0
}

// wordLen is the length of the word at the beginning of s: up to a blank, but a list of arguments or of type arguments
// behind a name belongs to it, blanks and all.
func wordLen(s string) int {
	depth, name := 0, false
	for i, r := range s {
		switch {
		case depth == 0 && unicode.IsSpace(r) || r == '`' && i > 0 || i > 200 && unicode.IsSpace(r):
			return i
		case r == '(' || r == '<' && name:
			if (name || depth > 0) && strings.ContainsRune(s[i:], map[rune]rune{'(': ')', '<': '>'}[r]) {
				depth++
			}
		case (r == ')' || r == '>') && depth > 0:
			depth--
		case r == '\n':
			return i
		}
		name = unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_'
	}
	return len(s)
}
