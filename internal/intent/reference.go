package intent

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// References returns the symbols whose callers or uses a text asks for, by name and in order. Objects that only a graph
// could tell from plain words ("the shots") are left out; ok is false when none is left. At most the first 4,000 bytes are read, and
// at most 8 objects are given.
func References(text string) (objects []string, ok bool) {
	found, w := referenceForms(text)
	for i, f := range found {
		if f.pronoun() {
			f = antecedent(w, f)
			if slices.ContainsFunc(found, func(o Object) bool { return o.Name == f.Name }) {
				continue
			}
			found[i] = f
		}
		if f.Kind >= KindPhrase {
			objects = append(objects, f.Name)
		}
	}
	return objects, len(objects) > 0
}

const (
	maxQuestion = 4000 // bytes of a question that are read for its form
	maxObjects  = 8
)

// A Kind is how an object is written. Greater kinds are more likely to name code.
type Kind int

const (
	KindNone   Kind = iota
	KindWord        // plain words: the graph decides
	KindPhrase      // words that may well name code: a capital, an agent ("the detector"), a single word that is called
	KindName        // written as a name, or called one
)

// An Object is what a question asks the callers or uses of.
type Object struct {
	Name       string // as written, normalised
	Kind       Kind
	Scope      string // where the question looks: "receiver/pss.py", "the tests"; "" for everywhere
	start, end int    // bytes of the question that this form takes up, its scope included
}

// referenceForms finds the forms in a text, in order, and returns its words too.
func referenceForms(text string) ([]Object, []word) {
	if len(text) > maxQuestion {
		cut := maxQuestion
		for cut > 0 && !utf8.RuneStart(text[cut]) {
			cut--
		}
		text = text[:cut]
	}
	p := &formReader{w: words(text)}
	var out []Object
	for i := 0; i < len(p.w); {
		found, next := p.formAt(i)
		if next <= i {
			i++
			continue
		}
		for _, f := range found {
			if len(out) < maxObjects {
				out = append(out, f)
			}
		}
		i = next
	}
	return out, p.w
}

func (a *Object) pronoun() bool { return a.Kind == KindWord && pronounWords[strings.ToLower(a.Name)] }

// antecedent resolves "it" where one name alone stands in the text before: "before I touch X, tell me who calls it".
func antecedent(ws []word, a Object) Object {
	name := ""
	for _, w := range ws {
		if w.start >= a.start && a.start > 0 {
			break
		}
		if nameLook(w) != KindName || w.end > a.end {
			continue
		}
		if n := cleanName(w.raw); name != "" && name != n {
			return a // which of them, nobody can tell
		} else {
			name = n
		}
	}
	if name != "" {
		a.Name, a.Kind = name, KindName
	}
	return a
}
