package querytext

import (
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// Document numbers are those of specifications: "38.331", "38331", "RFC 3261", "TS 138 331" (ETSI writes a 1 before the
// number of a 3GPP specification). They are compared as their digits.

var (
	dotted = lazyregexp.New(`\b([0-9]{2})\.([0-9]{3})(?:-([0-9]{1,2}))?\b`)
	etsi   = lazyregexp.New(`(?:^|[^0-9a-z])t[sr][ _-]?1?([0-9]{2})[ _.]?([0-9]{3})`)
	rfc    = lazyregexp.New(`(?:^|[^a-z])rfc[ _-]?([0-9]{3,5})(?:[^0-9]|$)`)
	leader = lazyregexp.New(`^([0-9]{4,6})(?:[^0-9]|$)`)
)

// DocNumbers returns the document numbers in the name of a document and in its title or the beginning of its text.
func DocNumbers(name, title, head string) []string {
	set := map[string]bool{}
	base := text.Fold(strings.TrimSuffix(path.Base(name), path.Ext(name)))
	add := func(s string) {
		if !strings.ContainsAny(s, "0123456789") {
			return
		}
		for _, m := range etsi.FindAllStringSubmatch(s, -1) {
			set[m[1]+m[2]] = true
		}
		for _, m := range dotted.FindAllStringSubmatch(s, -1) {
			set[m[1]+m[2]+m[3]] = true
		}
		for _, m := range rfc.FindAllStringSubmatch(s, -1) {
			set["rfc"+m[1]] = true
			set[m[1]] = true
		}
	}
	add(base)
	if m := leader.FindStringSubmatch(base); m != nil {
		set[m[1]] = true
	}
	if len(set) == 0 {
		add(text.Fold(title))
	}
	// On a first page the document's own number stands before those it refers to.
	s := ""
	if len(set) == 0 {
		s = text.Fold(head)
	}
	if ours := strings.HasPrefix(strings.TrimSpace(s), "3gpp"); ours || strings.Contains(s, "etsi") {
		first := ""
		at := len(s)
		for _, re := range []*lazyregexp.Regexp{etsi, dotted} {
			if m := re.FindStringSubmatchIndex(s); m != nil && m[0] < at {
				at, first = m[0], s[m[2]:m[3]]+s[m[4]:m[5]]
			}
		}
		if first != "" && (ours || strings.Contains(s[:at], "etsi")) {
			set[first] = true
		}
	}
	out := make([]string, 0, len(set))
	for n := range set {
		out = append(out, n)
	}
	slices.Sort(out)
	return out
}

// DocNumber returns the number that a word or two of a query name, or "".
func DocNumber(s string) string {
	s = text.Fold(s)
	if m := rfc.FindStringSubmatch(s); m != nil {
		return "rfc" + m[1]
	}
	if m := etsi.FindStringSubmatch(s); m != nil {
		return m[1] + m[2]
	}
	if m := dotted.FindStringSubmatch(s); m != nil {
		return m[1] + m[2] + m[3]
	}
	if m := leader.FindStringSubmatch(s); m != nil && m[0] == s {
		return s
	}
	return ""
}
