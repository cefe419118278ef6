package intent

import (
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// joint is where one question ends and the next begins: behind a question mark or a semicolon, and at "and how", ", what" and the like.
var joint = lazyregexp.New(`(?i)[?;]\s+(?:and\s+)?|[.]\s+(?:and\s+)?(?:(?:how|what|who|where|which|why|when|explain|describe|list|show)\b)|,?\s+(?:and|but|or)(?:\s+also)?\s+(?:how|what|who|whom|where|which|why|when)\b|,\s+(?:how|what|who|where|why|when)\b`)

var asks = lazyregexp.New(`(?i)\b(how|what|who|whom|where|which|why|when|is|are|does|do|did|can|explain|describe|list|show|compare|find|tell)\b`)

// Split takes a text with several questions apart, in order. A question keeps the word that asks.
func Split(s string) []string {
	var out []string
	at := 0
	add := func(part string) {
		part = TrimTopic(part)
		if len(ContentWords(part)) > 0 {
			out = append(out, part)
		}
	}
	for _, m := range joint.FindAllStringIndex(s, -1) {
		if m[0] <= at || len(ContentWords(s[at:m[0]])) == 0 || s[m[0]] == ',' && !asks.MatchString(s[at:m[0]]) && !strings.Contains(s[m[0]:m[1]], "nd ") {
			continue // "by default, how long"
		}
		add(s[at:m[0]])
		at = m[0]
		for at < m[1] && strings.ContainsRune("?;., \t\n", rune(s[at])) {
			at++
		}
	}
	add(s[at:])
	if len(out) == 0 && strings.TrimSpace(s) != "" {
		out = append(out, s)
	}
	return out
}

var back = set("it its they them their theirs this these those that he she his her")

// RefersBack reports whether a question has a word that stands for something named before.
func RefersBack(s string) bool {
	for w := range strings.FieldsSeq(strings.ToLower(s)) {
		if back[strings.Trim(w, ".,;:?!'\"()")] {
			return true
		}
	}
	return false
}
