package procedure

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
)

// A telling is how a clause says what is done, where it is no order: "the clerk reads the form", "the form is read".
type telling struct {
	voice   string // active or passive; empty: it is an order
	subject string // the last word of who does it, or of what it is done with, in lower case
	object  string // of a passive, as written: all of what it is done with
}

const (
	active  = "active"
	passive = "passive"
)

// How far one looks for the verb, in words.
const (
	longestActive  = 6
	longestPassive = 14
)

var (
	auxiliary = lazyregexp.New(`(?i)^(?:(?:(?:shall|must|should|will|has to|have to|needs? to|ought to|is to|are to|to)(?: then| first| also| always| likewise)? )?be|is|are|gets?)(?: (?:then|now|also|first|next|finally|always|likewise|[a-z]+ly))? `)
	// anybody are words that begin what a clause tells of.
	anybody = words(`the a an each every this these all both two three it he she they one somebody someone i we you our your his her its their`)
	// breaks are words that no subject has before its verb, or that turn round what is told of it.
	breaks = words(`is are was were be been has have had can may might will would could what that which who whose not never no nobody none nothing neither nor hardly rarely seldom cannot does do did if when where unless until before after because since so than and or but`)
	// determiners stand before a noun, also one that looks like a verb: "two reports".
	determiners = words(`the a an each every this these all both two three few some many several most its their our your his her`)
)

// ordered makes an order of a clause that tells what somebody does, or what is done: "the clerk reads the form" and "the form is read" order "read the form".
func ordered(c string) (string, telling) {
	f := strings.Fields(c)
	if len(f) < 2 {
		return c, telling{}
	}
	low := strings.Fields(strings.ToLower(c))
	if breaks()[low[0]] {
		return c, telling{}
	}
	for i := 1; i < min(len(f), longestPassive); i++ {
		if m := auxiliary.Get().FindString(strings.Join(low[i:min(len(low), i+6)], " ") + " "); m != "" {
			return passiveOrder(c, f, low, i, i+len(strings.Fields(m)))
		}
		if breaks()[strings.Trim(low[i], ",:")] {
			break
		}
	}
	if !anybody()[low[0]] && !beginsLarge(c) {
		return c, telling{}
	}
	for i := 1; i < min(len(f), longestActive); i++ {
		if breaks()[low[i]] || strings.ContainsAny(f[i-1][len(f[i-1])-1:], ",;:") || ends()[low[i-1]] {
			break
		}
		v := thirdPerson(low[i])
		if v == "" && (i > 1 || slices.Contains([]string{"they", "we", "you", "i"}, low[0])) && (i == 1 || strings.HasSuffix(low[i-1], "s")) {
			if _, ok := verbs()[low[i]]; ok {
				v = low[i]
			}
		}
		if v == "" || determiners()[low[i-1]] {
			continue
		}
		return strings.Join(append([]string{v}, f[i+1:]...), " "), telling{voice: active, subject: strings.Trim(low[i-1], ",:;")}
	}
	return c, telling{}
}

func beginsLarge(s string) bool {
	first, _ := utf8.DecodeRuneInString(s)
	return unicode.IsUpper(first)
}

// passiveOrder makes an order of a clause whose auxiliary verb stands at the words from is to verb.
func passiveOrder(c string, f, low []string, is, verb int) (string, telling) {
	if verb >= len(f) || slices.ContainsFunc(low[is+1:verb], func(w string) bool { return w != "be" && breaks()[w] }) { // "is rarely read"
		return c, telling{}
	}
	v := ofParticiple(low[verb])
	if v == "" {
		return c, telling{}
	}
	rest := f[verb+1:]
	if len(rest) > 0 {
		if two := v + " " + strings.Trim(strings.ToLower(rest[0]), ",;:."); verbs()[two] != "" { // "looked up"
			v, rest = two, rest[1:]
		}
	}
	subject := slices.Clone(f[:is])
	if first, n := utf8.DecodeRuneInString(subject[0]); strings.ToLower(subject[0][n:]) == subject[0][n:] { // no "SQL"
		subject[0] = string(unicode.ToLower(first)) + subject[0][n:]
	}
	return strings.Join(append(append([]string{v}, subject...), rest...), " "), telling{passive, strings.Trim(low[is-1], ",:;"), strings.Join(subject, " ")}
}

// ofParticiple is the verb of a form such as "written", or "".
func ofParticiple(form string) string {
	form = strings.Trim(form, ",;:.")
	v := base(form)
	if v == form && irregular()[form] == "" && !slices.Contains([]string{"read", "put", "set", "cut", "split", "run", "hit", "let", "shut"}, form) || strings.HasSuffix(form, "ing") || strings.HasSuffix(form, "s") {
		return ""
	}
	return v
}

// participle is the verb of a participle with which a text begins, where no noun stands behind that ("signed copies"), or "".
func participle(s string) string {
	f := strings.Fields(strings.ToLower(s))
	if len(f) == 0 || len(f) > 1 && f[0] == strings.Trim(f[0], ",;:") && !ends()[strings.Trim(f[1], ",;:")] {
		return ""
	}
	return ofParticiple(f[0])
}

// thirdPerson is the verb of a form such as "reads", or "".
func thirdPerson(w string) string {
	if !strings.HasSuffix(w, "s") {
		return ""
	}
	if _, is := verbs()[w]; is {
		return ""
	}
	for _, e := range [...]struct{ end, instead string }{{"s", ""}, {"es", ""}, {"ies", "y"}} {
		if stem, ok := strings.CutSuffix(w, e.end); ok {
			if _, is := verbs()[stem+e.instead]; is {
				return stem + e.instead
			}
		}
	}
	return ""
}
