package sheet

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"time"
)

// Kinds of tokens of a number format.
const (
	literal = iota
	digit   // 0, # or ?
	point
	exponent // its sign is the text
	textHere // @
	date     // such as yyyy, mm, [h], AM/PM, .00
)

type token struct {
	kind int
	text string
}

// A section is one of the parts of a number format, which hold for positive numbers, negative ones, zero and text.
type section struct {
	tokens      []token
	condition   string // such as ">="
	limit       float64
	date        bool
	text        bool // shows text
	general     bool // shows the number as it is
	percents    int
	thousands   int  // commas at the end, each of which divides by a thousand
	grouped     bool // a comma between groups of three digits
	whole       int  // digits before the point
	decimals    int  // digits after it
	point       int  // token of the point, or where it would be
	exponent    bool
	expDigits   int // of the exponent, or of the denominator
	fraction    bool
	denominator int // where it is fixed
}

// parse reads the code of a number format (ECMA-376 part 1, section 18.8.31).
func parse(code string) []section {
	var out []section
	quoted, start := false, 0
	for i := 0; i < len(code) && len(out) < 3; i++ {
		switch {
		case code[i] == ';' && !quoted:
			out = append(out, parseSection(code[start:i]))
			start = i + 1
		case code[i] == '\\' && !quoted:
			i++
		case code[i] == '"':
			quoted = !quoted
		}
	}
	return append(out, parseSection(code[start:]))
}

func parseSection(code string) section {
	var s section
	lit := func(t string) {
		if n := len(s.tokens); n > 0 && s.tokens[n-1].kind == literal {
			s.tokens[n-1].text += t
			return
		}
		s.tokens = append(s.tokens, token{literal, t})
	}
	runes := []rune(code)
	run := func(i int) int { // how often the letter at i is repeated
		n := 1
		for i+n < len(runes) && lower(runes[i+n]) == lower(runes[i]) {
			n++
		}
		return n
	}
	seenPoint := false
	commas := 0
	for i := 0; i < len(runes); i++ {
		c := runes[i]
		rest := strings.ToLower(string(runes[i:min(i+8, len(runes))]))
		switch {
		case c == '\\' && i+1 < len(runes):
			i++
			lit(string(runes[i]))
		case c == '"':
			k := i + 1
			for k < len(runes) && runes[k] != '"' {
				k++
			}
			lit(string(runes[i+1 : k]))
			i = k
		case c == '_': // as wide as the next sign
			i++
			lit(" ")
		case c == '*': // fills the cell with the next sign
			i++
		case c == '[':
			k := i
			for k < len(runes) && runes[k] != ']' {
				k++
			}
			s.bracket(string(runes[i+1:min(k, len(runes))]), lit)
			i = k
		case strings.HasPrefix(rest, "general"):
			s.general = true
			i += 6
		case strings.HasPrefix(rest, "am/pm"):
			s.tokens, s.date = append(s.tokens, token{date, "AM/PM"}), true
			i += 4
		case strings.HasPrefix(rest, "a/p"):
			s.tokens, s.date = append(s.tokens, token{date, "A/P"}), true
			i += 2
		case c == 'E' && i+1 < len(runes) && (runes[i+1] == '+' || runes[i+1] == '-') && !s.date:
			s.exponent = true
			s.tokens = append(s.tokens, token{exponent, string(runes[i+1])})
			i++
			for i+1 < len(runes) && strings.ContainsRune("0#?", runes[i+1]) {
				s.expDigits++
				i++
			}
		case strings.ContainsRune("ymdhsYMDHS", c):
			n := run(i)
			s.tokens, s.date = append(s.tokens, token{date, strings.ToLower(string(runes[i : i+n]))}), true
			i += n - 1
		case c == '0' && s.date || c == '#' && s.date:
			// digits of a fraction of a second, which the point has taken
		case strings.ContainsRune("0#?", c):
			if commas > 0 {
				s.grouped = true
				commas = 0
			}
			if len(s.tokens) < 200 {
				s.tokens = append(s.tokens, token{digit, string(c)})
			}
			if seenPoint {
				s.decimals = min(s.decimals+1, maxDigits)
			} else {
				s.whole++
			}
		case c == '.':
			n := 0
			for i+1+n < len(runes) && runes[i+1+n] == '0' {
				n++
			}
			if s.date && n > 0 {
				s.tokens = append(s.tokens, token{date, "." + strings.Repeat("0", min(n, 3))})
				i += n
				continue
			}
			if seenPoint || s.date {
				lit(".")
				continue
			}
			seenPoint = true
			s.point = len(s.tokens)
			s.tokens = append(s.tokens, token{point, ""})
		case c == ',' && !s.date:
			if s.whole > 0 || seenPoint {
				commas++
			}
		case c == '%':
			s.percents = min(s.percents+1, 3)
			lit("%")
		case c == '/' && !s.date && s.whole > 0 && !seenPoint:
			s.fraction = true
			for i+1 < len(runes) && (strings.ContainsRune("?#0", runes[i+1]) || runes[i+1] >= '0' && runes[i+1] <= '9') {
				i++
				s.expDigits++
				if s.denominator < 10_000 && runes[i] >= '0' && runes[i] <= '9' {
					s.denominator = s.denominator*10 + int(runes[i]-'0')
				}
			}
			// Of "# ?/?" only what stands before the blank is the whole number.
			whole := 0
			for k, t := range s.tokens {
				if t.kind == digit && k+1 < len(s.tokens) && s.tokens[k+1].kind == literal {
					whole = 1
				}
			}
			s.whole = whole
		case c == '@':
			s.text = true
			s.tokens = append(s.tokens, token{textHere, ""})
		default:
			lit(string(c))
		}
	}
	s.thousands = min(commas, 5)
	if !seenPoint {
		s.point = len(s.tokens)
		for i, t := range s.tokens {
			if t.kind == digit {
				s.point = i + 1
			}
			if t.kind == exponent {
				s.point = i
				break
			}
		}
	}
	return s
}

func lower(c rune) rune {
	if c >= 'A' && c <= 'Z' {
		return c + 'a' - 'A'
	}
	return c
}

// bracket reads what stands in [ ]: a time that may pass its usual end, a condition, a currency. Colours and languages are left out.
func (s *section) bracket(in string, lit func(string)) {
	switch l := strings.ToLower(in); {
	case l != "" && strings.Trim(l, "h") == "" || l != "" && strings.Trim(l, "m") == "" || l != "" && strings.Trim(l, "s") == "":
		s.tokens, s.date = append(s.tokens, token{date, "[" + l[:1]}), true
	case strings.HasPrefix(in, "$"):
		currency, _, _ := strings.Cut(in[1:], "-")
		if currency != "" {
			lit(currency)
		}
	case strings.HasPrefix(in, "<") || strings.HasPrefix(in, ">") || strings.HasPrefix(in, "="):
		n := len(in) - len(strings.TrimLeft(in, "<>="))
		if v, err := strconv.ParseFloat(strings.TrimSpace(in[n:]), 64); err == nil {
			s.condition, s.limit = in[:n], v
		}
	}
}

// around puts a number, or text, between the words of a part.
func (s *section) around(v string) string {
	var b strings.Builder
	put := false
	for _, t := range s.tokens {
		switch {
		case t.kind == literal && t.text != "%":
			b.WriteString(t.text)
		case t.kind == textHere:
			b.WriteString(v)
			put = true
		}
	}
	if !put {
		return v + strings.TrimRight(b.String(), " ")
	}
	return b.String()
}

// dateText shows a serial date: the days since 30 December 1899, which before March 1900 are counted as if that year had a 29 February.
func (s *section) dateText(v float64) string {
	if v < 0 || v >= 2958466 { // the year 10000
		return general(v)
	}
	fine := 0
	for _, t := range s.tokens {
		if t.kind == date && t.text[0] == '.' {
			fine = max(fine, len(t.text)-1)
		}
	}
	unit := math.Pow10(fine)
	total := math.Round(v*86400*unit) / unit // seconds, rounded to what is shown
	days := math.Floor(total / 86400)
	if days < 60 {
		days++ // there, day 1 is 1 January 1900
	}
	t := time.Date(1899, 12, 30, 0, 0, 0, 0, time.UTC).AddDate(0, 0, int(days))
	second := total - math.Floor(total/86400)*86400
	h, m, sec := int(second)/3600, int(second)/60%60, int(second)%60
	noon := false
	for _, t := range s.tokens {
		noon = noon || t.kind == date && strings.Contains(t.text, "/")
	}
	var b strings.Builder
	lastHour := false // the date token before was an hour, so that m is minutes
	for i, tok := range s.tokens {
		if tok.kind != date {
			b.WriteString(tok.text)
			continue
		}
		n := len(tok.text)
		minutes := false
		if tok.text[0] == 'm' && n <= 2 {
			minutes = lastHour || nextSecond(s.tokens[i+1:])
		}
		lastHour = tok.text[0] == 'h' || tok.text == "[h"
		switch {
		case tok.text == "[h":
			fmt.Fprintf(&b, "%d", int(total/3600))
		case tok.text == "[m":
			fmt.Fprintf(&b, "%d", int(total/60))
		case tok.text == "[s":
			fmt.Fprintf(&b, "%d", int(total))
		case tok.text == "AM/PM":
			b.WriteString([]string{"AM", "PM"}[h/12])
		case tok.text == "A/P":
			b.WriteString([]string{"A", "P"}[h/12])
		case tok.text[0] == '.':
			fmt.Fprintf(&b, "%.*f", n-1, second-math.Floor(second))
			out := b.String()
			if at := strings.LastIndexByte(out, '.'); at > 0 { // the point without the 0 before it
				b.Reset()
				b.WriteString(out[:at-1] + out[at:])
			}
		case tok.text[0] == 'h':
			hour := h
			if noon {
				hour = (h+11)%12 + 1
			}
			fmt.Fprintf(&b, "%0*d", min(n, 2), hour)
		case minutes:
			fmt.Fprintf(&b, "%0*d", n, m)
		case tok.text[0] == 's':
			fmt.Fprintf(&b, "%0*d", min(n, 2), sec)
		case tok.text[0] == 'y':
			if n <= 2 {
				b.WriteString(t.Format("06"))
			} else {
				b.WriteString(t.Format("2006"))
			}
		case tok.text[0] == 'm':
			b.WriteString(t.Format([]string{"1", "01", "Jan", "January"}[min(n, 4)-1]))
			if n == 5 { // its first letter
				out := b.String()
				name := t.Format("January")
				b.Reset()
				b.WriteString(strings.TrimSuffix(out, name) + name[:1])
			}
		case tok.text[0] == 'd':
			b.WriteString(t.Format([]string{"2", "02", "Mon", "Monday"}[min(n, 4)-1]))
		}
	}
	return strings.TrimSpace(b.String())
}

// nextSecond reports whether the next token of a date is of seconds.
func nextSecond(tokens []token) bool {
	for _, t := range tokens {
		if t.kind == date {
			return t.text[0] == 's' || t.text == "[s"
		}
	}
	return false
}
