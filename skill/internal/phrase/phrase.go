package phrase

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/text"
)

// openers are words that say what to do with an answer, not what to look for.
var openers = map[string]bool{"find": true, "show": true, "tell": true, "list": true, "give": true, "explain": true, "describe": true,
	"design": true, "simulate": true, "implement": true, "evaluate": true, "compare": true, "study": true, "investigate": true,
	"please": true, "write": true, "search": true, "look": true, "plan": true, "build": true, "develop": true, "analyse": true, "analyze": true}

const MaxTask = 8 << 10 // bytes of a task that are looked at

const maxRefineItems = 200

// Fold is a phrase as phrases are compared.
func Fold(q string) string { return strings.Join(strings.Fields(text.Fold(q)), " ") }

// Key cuts a task at stop words, openers and punctuation into runs of words, as written, in order.
func Key(task string) []string {
	var out []string
	start, end := -1, 0
	flush := func() {
		if start >= 0 {
			out = append(out, task[start:end])
		}
		start = -1
	}
	for _, t := range text.Tokens(task) {
		if t.Stop || openers[t.Word] {
			flush()
			continue
		}
		if start >= 0 && strings.TrimSpace(task[end:t.Start]) != "" {
			flush()
		}
		if start < 0 {
			start = t.Start
		}
		end = t.End
	}
	flush()
	return out
}

// GlossaryTerms reads lines "term, tab, expansion" and gives the other side of each that the task names.
func GlossaryTerms(glossary, task string) (out []string) {
	words := " " + strings.Join(Words(task), " ") + " "
	names := func(s string) bool {
		w := strings.Join(Words(s), " ")
		return w != "" && strings.Contains(words, " "+w+" ")
	}
	for line := range strings.Lines(glossary) {
		term, expansion, ok := strings.Cut(strings.TrimRight(line, "\r\n"), "\t")
		if !ok || strings.HasPrefix(term, "#") {
			continue
		}
		expansion, _, _ = strings.Cut(expansion, "\t")
		switch {
		case names(term):
			out = append(out, strings.TrimSpace(expansion))
		case names(expansion):
			out = append(out, strings.TrimSpace(term))
		}
	}
	return out
}

// Words are the folded words of a text, at anything that is no letter or digit.
func Words(s string) []string {
	return strings.FieldsFunc(text.Fold(s), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// Common counts groups of two and three neighbouring words over texts, each text once.
func Common(found []string, task string, asked map[string]bool) []string {
	inTask := map[string]bool{}
	for _, t := range text.Terms(task) {
		inTask[t] = true
	}
	type gram struct {
		n, words int
		near     bool
	}
	grams := map[string]*gram{}
	for _, s := range found[:min(len(found), maxRefineItems)] {
		if len(s) > MaxTask {
			s = strings.ToValidUTF8(s[:MaxTask], "")
		}
		seen := map[string]bool{}
		toks := text.Tokens(s)
		for i := range toks {
			var words []string
			near := false
			for j := i; j < len(toks) && j < i+3; j++ {
				t := toks[j]
				if t.Stop || len([]rune(t.Word)) < 2 || !strings.ContainsFunc(t.Word, unicode.IsLetter) {
					break
				}
				if j > i && strings.ContainsAny(s[toks[j-1].End:t.Start], ".,;:!?()[]{}=<>|") {
					break
				}
				words = append(words, t.Word)
				for _, p := range t.Parts {
					near = near || inTask[p.Term]
				}
				if len(words) < 2 {
					continue
				}
				g := strings.Join(words, " ")
				if seen[g] {
					continue
				}
				seen[g] = true
				if grams[g] == nil {
					grams[g] = &gram{words: len(words), near: near}
				}
				grams[g].n++
			}
		}
	}
	names := slices.SortedFunc(maps.Keys(grams), func(a, b string) int {
		x, y := grams[a], grams[b]
		if x.near != y.near {
			if x.near {
				return -1
			}
			return 1
		}
		return cmp.Or(cmp.Compare(y.n, x.n), cmp.Compare(y.words, x.words), cmp.Compare(a, b))
	})
	done := slices.Collect(maps.Keys(asked))
	var out []string
	for _, g := range names {
		if grams[g].n < 2 && len(found) > 1 {
			continue
		}
		within := func(o string) bool { return strings.Contains(" "+o+" ", " "+g+" ") }
		if !slices.ContainsFunc(out, within) && !slices.ContainsFunc(done, within) {
			out = append(out, g)
		}
		if len(out) == 100 {
			break
		}
	}
	return out
}

// Distinct leaves out what is folded alike, and what is empty.
func Distinct(in []string) []string {
	seen := map[string]bool{}
	out := []string{}
	for _, s := range in {
		if k := Fold(s); k != "" && !seen[k] {
			seen[k] = true
			out = append(out, strings.TrimSpace(s))
		}
	}
	return out
}

// Single are the words of a task that were not searched yet; all of it when there are none.
func Single(task string, searched map[string]bool) (queries []string) {
	for _, t := range text.Tokens(task) {
		if !t.Stop && !openers[t.Word] && !searched[t.Word] {
			queries = append(queries, t.Word)
		}
	}
	if len(queries) == 0 && strings.TrimSpace(task) != "" {
		queries = []string{task}
	}
	return queries
}
