package entail

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

var (
	keys     = lazyregexp.New(`\s*\[(?:[DC]\d+[a-z]?(?:\s*,\s*|\s+)?)+\]`)
	quoted   = lazyregexp.New(`“([^”]+)”|"([^"]+)"`)
	gap      = lazyregexp.New(`\s*(?:\[\s*(?:\.\.\.|…)\s*\]|\.\.\.|…)\s*`)
	cutOff   = lazyregexp.New(`^[\s,;:.)]*(?:but|only|unless|except|if|provided|as long as|until|while|although|though|when|so far as|under|with the exception|for)\b`)
	behindIf = lazyregexp.New(`(?:^|[.!?:;]\s+)((?:If|Unless|Provided|if|unless|provided)\s[^.!?;]*),\s*(?:(?:the|a|an|then)\s*)?$`)
	before   = lazyregexp.New(`(?:\b(?:not|never|neither|nor|without|cannot|nothing|hardly|no longer|nobody)|n't)(?:\s+[\pL-]+){0,2}\s*$`)
)

// quotations looks at what stands in quotation marks: it must be in the evidence, and what was cut off or left out must not turn it.
func (j *judge) quotations() *Judgement {
	for _, m := range quoted.FindAllStringSubmatch(j.claim.text, -1) {
		q := m[1] + m[2]
		if len(strings.Fields(q)) < 2 {
			continue
		}
		if bad := j.quotation(q); bad != nil {
			return bad
		}
	}
	// What was found as it stands need not be looked at again.
	before := j.claim
	if rest := quoted.ReplaceAllStringFunc(j.claim.text, func(q string) string {
		if len(strings.Fields(q)) < 3 {
			return q
		}
		return " ; "
	}); rest != j.claim.text {
		j.claim, j.cited = read(rest), true
		j.quoted = j.claim.contents()*2 <= before.contents()
	}
	return nil
}

func (j *judge) quotation(q string) *Judgement {
	parts := gap.Split(flat(q), -1)
	outside := strings.Replace(flat(j.claim.text), flat(q), " ", 1)
	for _, e := range j.evidence {
		s := flat(e.text)
		at, first, ok := 0, -1, true
		left := ""
		for _, p := range parts {
			p = strings.Trim(p, " .,;:")
			if p == "" {
				continue
			}
			i := strings.Index(small(s[at:]), small(p))
			if i < 0 {
				ok = false
				break
			}
			if first < 0 {
				first = at + i
			} else {
				left = s[at : at+i]
				whole := strings.HasPrefix(left, ".") && strings.HasSuffix(left, ". ") // of sentences
				if n := sentences(left); n > 1 && !whole || n > 1 {
					return bad("the quotation leaves out more than a sentence: "+strings.TrimSpace(left), q)
				}
				if !whole && turns(left) {
					return bad("the quotation leaves out what turns it: "+strings.TrimSpace(left), q)
				}
			}
			at += i + len(p)
		}
		if !ok || first < 0 {
			continue
		}
		if m := before.FindString(s[:first]); m != "" && !holdsWords(outside, m) {
			return bad("the quotation begins behind "+strings.TrimSpace(m), q)
		}
		if m := behindIf.FindStringSubmatch(s[:first]); m != nil && !holdsWords(outside, m[1]) {
			j.under = open("the evidence says so under a condition: "+m[1], q)
		}
		rest := s[at:]
		if end := strings.Index(rest+". ", ". "); end >= 0 && end < len(rest) {
			rest = rest[:end]
		}
		if cut, _, _ := strings.Cut(strings.TrimLeft(rest, " "), ","); !strings.HasPrefix(rest, ",") && !strings.HasPrefix(rest, ";") && !strings.HasPrefix(rest, ":") && !strings.HasPrefix(rest, ")") && says(cut) && !holdsWords(outside, cut) && !cutOff.MatchString(strings.ToLower(rest)) {
			j.doubts = append(j.doubts, open("the quotation ends inside a clause, before: "+cut, q))
		}
		if strings.HasPrefix(rest, ";") && turns(rest) && !holdsWords(outside, rest) {
			j.doubts = append(j.doubts, open("the quotation ends before: "+strings.TrimSpace(rest), q))
		}
		if cutOff.MatchString(strings.ToLower(rest)) && !holdsWords(outside, rest) {
			return bad("the quotation ends before: "+strings.TrimSpace(rest), q)
		}
		return nil
	}
	if len(strings.Fields(q)) < 3 {
		return nil
	}
	return bad("the quotation is not in the evidence", q)
}

// sentences counts the ends of sentences within a text, but for one at its beginning.
func sentences(s string) int {
	p := read(strings.TrimLeft(s, ".!? "))
	if len(p.clauses) == 0 {
		return 0
	}
	return p.clauses[len(p.clauses)-1].sentence + 1
}

// says reports whether a text has a word of content or a number.
func says(s string) bool {
	for _, t := range tokenize(s) {
		if t.kind == number || t.kind == name || t.kind == word && !lex().stop[t.low] {
			return true
		}
	}
	return false
}

// turns reports whether a text that was left out changes what is around it.
func turns(left string) bool {
	for _, t := range tokenize(left) {
		if negators()[t.low] || t.low == "but" || t.low == "unless" || t.low == "only" || t.low == "except" || t.low == "longer" {
			return true
		}
	}
	return false
}

// holdsWords reports whether half of the content words of a text, or a negator of it, stand in another.
func holdsWords(in, of string) bool {
	n, have := 0, 0
	inside := tokenize(in)
	for _, t := range tokenize(of) {
		if t.kind == sign || lex().stop[t.low] && !negators()[t.low] {
			continue
		}
		n++
		for _, x := range inside {
			if lex().like(t, x) || negators()[t.low] && negators()[x.low] {
				have++
				break
			}
		}
	}
	if slices.ContainsFunc(tokenize(of), func(t token) bool { return negators()[t.low] }) && !slices.ContainsFunc(inside, func(t token) bool { return negators()[t.low] }) {
		return false
	}
	return n > 0 && have*2 >= n
}

// small is a text with ASCII letters in lower case, each byte where it was.
func small(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// flat is a text on one line.
func flat(s string) string { return strings.Join(strings.Fields(s), " ") }
