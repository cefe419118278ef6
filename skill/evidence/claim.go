package evidence

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/text"
)

// exempt reports whether the unit, which has no key, needs none. The rules are in the comment of [CheckText]. They are
// narrow, since whatever passes here is read as part of an answer that was checked.
func (k *checker) exempt(u *unit) bool {
	name := bare(u.Text)
	if isSection(name) || slices.ContainsFunc(k.opt.Headings, func(h string) bool { return strings.EqualFold(bare(h), name) }) {
		return true
	}
	switch u.kind {
	case columns:
		for cell := range strings.SplitSeq(strings.Trim(u.Text, "| \t\r"), "|") {
			if cell = bare(cell); cell != "" && !isSection(cell) && !k.names(cell) && !(k.opt.Names && isName(cell)) {
				return false
			}
		}
		return true
	case heading:
		return k.names(name) || k.isSource(name) || k.opt.Names && isName(name)
	case prose:
		return isUnknown(u)
	}
	return false
}

// bare cuts the marks of a heading, the number of a section, emphasis and a colon off a name.
func bare(s string) string {
	s = strings.Trim(strings.TrimSpace(s), "#*_ \t")
	s = strings.TrimLeft(s, "0123456789.")
	return strings.Join(strings.Fields(strings.Trim(s, "*_: \t")), " ")
}

// sections are names of the parts of a text, and of columns, that state nothing whatever they head.
const sections = "|abstract|answer|short answer|appendix|assumptions|background|callers|citations|code|comparison|conclusion|conclusions|" +
	"context|details|discussion|evaluation|evidence|example|examples|explanation|figures|findings|implementation|introduction|" +
	"limitations|limits|literature|method|methods|metrics|next steps|notes|open questions|overview|parameters|plan|plots|procedure|purpose|" +
	"question|quotes|references|related work|result|results|scope|sources|steps|summary|tables|tests|unknown|" +
	"claim|claims|column|entity|file|key|keys|line|lines|name|page|paper|parameter|quantity|source|unit|value|where|"

func isSection(s string) bool {
	return len(s) < 32 && !strings.Contains(s, "|") && strings.Contains(sections, "|"+strings.ToLower(s)+"|")
}

// isUnknown reports a sentence that says only what is not known: one clause, and nothing that could carry a claim beside it.
func isUnknown(u *unit) bool {
	const word = "unknown:"
	s := strings.TrimLeft(u.Text, "*_ ")
	if len(s) < len(word) || !strings.EqualFold(s[:len(word)], word) {
		return false
	}
	s = s[len(word):]
	if utf8.RuneCountInString(s) > 300 || len(u.quotes) > 0 || strings.ContainsAny(s, ";:=()\n\u2013\u2014") || strings.Contains(s, " - ") {
		return false
	}
	return !slices.ContainsFunc(words(s), func(w string) bool {
		return strings.Contains(" but however although though whereas while yet because since except only ", " "+w+" ")
	})
}

// stating are words that make a statement of a name, and turn its meaning.
const stating = " is are was were be been am has have had do does did can cannot could may might must shall should will would " +
	"not no never without always only all none nor isn aren wasn doesn don didn won fails fail equals equal means exceeds needs requires uses "

const maxNameWords = 8

// names reports whether a short text only names something: its words stand, one behind the other, in the text, title or name of
// some evidence, and none of them states anything.
func (k *checker) names(name string) bool {
	if !isName(name) {
		return false
	}
	phrase := " " + strings.Join(words(name), " ") + " "
	for _, it := range k.led.Items() {
		for _, in := range []string{it.Text, it.At.Title, it.At.Entity, it.At.Name} {
			if strings.Contains(" "+strings.Join(words(in), " ")+" ", phrase) {
				return true
			}
		}
	}
	return false
}

// isSource reports whether a heading is, whole, the file, the entity, the name or the title of some evidence, as an answer that lists its
// evidence by source has them. A title may hold numbers, and states nothing all the same.
func (k *checker) isSource(name string) bool {
	if name == "" {
		return false
	}
	for _, it := range k.led.Items() {
		for _, in := range []string{it.At.Path, it.At.Entity, it.At.Name} {
			if in != "" && !strings.ContainsFunc(in, unicode.IsSpace) && bare(in) == name {
				return true
			}
		}
		if it.At.Title != "" && bare(it.At.Title) == name && !strings.ContainsAny(name, "=<>≤≥≠≈±!?;") && !states(name) {
			return true
		}
	}
	return false
}

// states reports whether a word of a name makes a statement of it.
func states(name string) bool {
	return slices.ContainsFunc(words(name), func(w string) bool { return strings.Contains(stating, " "+w+" ") })
}

// isName reports a few words without a number, a sign or a word that states something.
func isName(name string) bool {
	ws := words(name)
	if len(ws) == 0 || len(ws) > maxNameWords || strings.ContainsFunc(name, func(r rune) bool {
		return unicode.IsNumber(r) || strings.ContainsRune("=<>≤≥≠≈±.!?;:", r)
	}) {
		return false
	}
	return !states(name)
}

// words are the folded words of s.
func words(s string) []string {
	return strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsNumber(r) })
}
