package querytext

import (
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/text"
)

// A Segment is a stretch of a query without its signs.
type Segment struct {
	Text   string
	Quoted bool
	Minus  bool
}

// quotes are the signs that may open a phrase, with those that close it.
var quotes = map[rune]string{'"': `"`, '“': "”“\"", '„': "“”\"", '«': "»"}

// Parse splits a query into plain stretches, phrases in quotes, and what a minus leaves out. What does not fit is plain text,
// and notes say so.
func Parse(q string) (segs []Segment, notes []string) {
	var plain strings.Builder
	flush := func() {
		if strings.TrimSpace(plain.String()) != "" {
			segs = append(segs, Segment{Text: plain.String()})
		}
		plain.Reset()
	}
	prev := ' '
	for i := 0; i < len(q); {
		r, n := utf8.DecodeRuneInString(q[i:])
		begins := unicode.IsSpace(prev) || prev == '('
		switch {
		case r == '\\' && i+n < len(q) && strings.ContainsRune(`"\-“”„«»`, firstRune(q[i+n:])):
			// An escaped sign is no sign. It takes part in no word, but a hyphen within one.
			sign, m := utf8.DecodeRuneInString(q[i+n:])
			if sign == '-' {
				plain.WriteByte('-')
			} else {
				plain.WriteByte(' ')
			}
			prev, i = sign, i+n+m
			continue
		case r == '-' && begins && i+n < len(q):
			next, m := utf8.DecodeRuneInString(q[i+n:])
			if _, ok := quotes[next]; ok {
				if inner, after, ok := quoted(q, i+n); ok {
					flush()
					segs = append(segs, Segment{Text: inner, Quoted: true, Minus: true})
					prev, i = ' ', after
					continue
				}
			}
			// "-5" is a number, and "--flag" is no minus word.
			if m > 0 && (unicode.IsLetter(next) || next == '_') {
				end := i + n
				if j := strings.IndexFunc(q[end:], unicode.IsSpace); j >= 0 {
					end += j
				} else {
					end = len(q)
				}
				flush()
				segs = append(segs, Segment{Text: q[i+n : end], Minus: true})
				prev, i = ' ', end
				continue
			}
		case quotes[r] != "" && !unicode.IsLetter(prev) && !unicode.IsDigit(prev):
			inner, after, ok := quoted(q, i)
			if !ok {
				notes = append(notes, fmt.Sprintf("the quote %c at byte %d is not closed: it is read as plain text", r, i))
				break
			}
			flush()
			segs = append(segs, Segment{Text: inner, Quoted: true})
			prev, i = ' ', after
			continue
		}
		plain.WriteRune(r)
		prev = r
		i += n
	}
	flush()
	return segs, notes
}

// quoted returns what stands in the quotes that open at i, and the offset after them.
func quoted(q string, i int) (inner string, after int, ok bool) {
	r, n := utf8.DecodeRuneInString(q[i:])
	end := strings.IndexAny(q[i+n:], quotes[r])
	if end < 0 {
		return "", 0, false
	}
	_, m := utf8.DecodeRuneInString(q[i+n+end:])
	return q[i+n : i+n+end], i + n + end + m, true
}

func firstRune(s string) rune {
	r, _ := utf8.DecodeRuneInString(s)
	return r
}

// Word is one written word of a query.
type Word struct {
	text.Token
	Written   string
	Quoted    bool
	PartTexts []string // of the token, as written
}

// Words returns the written words of a stretch of a query.
func Words(s string, quoted bool) []Word {
	var out []Word
	for _, t := range text.Tokens(s) {
		w := Word{Token: t, Written: s[t.Start:t.End], Quoted: quoted}
		for _, p := range t.Parts {
			w.PartTexts = append(w.PartTexts, s[p.Start:p.End])
		}
		out = append(out, w)
	}
	return out
}
