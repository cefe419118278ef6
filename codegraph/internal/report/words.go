package report

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/internal/text"
)

// Words are the words of a report with what each is worth.
type Words struct {
	Terms  []Term // stemmed words and parts of words, and wholes
	Names  []Name
	Places []Place
}

// A Term is a stemmed word, a part of one, or a whole name.
type Term struct {
	Term   string
	Weight float64
	Title  bool // it stands in the title
}

// A Name is what a report writes as a name of code.
type Name struct {
	Parts  []string // its names, outermost first, in their case
	Plain  bool     // a word that could be no name
	Weight float64
}

// A Place is a path that a report names.
type Place struct {
	Path   string
	Weight float64
}

const (
	maxTerms  = 600
	maxNames  = 200
	maxPlaces = 100

	maxWritten = 120  // bytes of a word or a name
	maxPlace   = 1000 // of a path
)

var (
	hexRun  = lazyregexp.New(`^[0-9a-f]{7,40}$`)
	nameRun = lazyregexp.New(`[\pL_$][\pL\pN_$]*(?:(?:\.|::|->|#)[\pL_$][\pL\pN_$]*)*(?:\(\)?)?`)
	pathRun = lazyregexp.New(`[~.\w@-]*(?:[/\\][.\w@+\-]+)*\.[A-Za-z]\w{0,5}\b(?::\d+|#L\d+)?`)
	imports = lazyregexp.New(`(?m)^\s*(?:>>> )?from\s+([\w.]+)\s+import\s+\(?([\w, ]+)`)
)

// Weights say what words are worth: by the part that they stand in, and how soon one that is repeated says nothing more.
type Weights struct {
	Parts      [parts]float64
	Saturation float64
}

// Weigh weighs the words of a report.
func Weigh(r *Report, w Weights) *Words {
	q := &Words{}
	counts, names := map[string]*[parts]int{}, map[string]int{}
	count := func(term string, p Part) {
		c := counts[term]
		if c == nil {
			c = new([parts]int)
			counts[term] = c
		}
		c[p]++
	}
	name := func(parts []string, plain bool, p Part) {
		key := strings.Join(parts, ".")
		i, ok := names[key]
		if !ok {
			if len(q.Names) == maxNames {
				return
			}
			i = len(q.Names)
			names[key] = i
			q.Names = append(q.Names, Name{Parts: parts, Plain: plain})
		}
		n := &q.Names[i]
		n.Plain = n.Plain && plain
		n.Weight = max(n.Weight, w.Parts[p])
	}
	for _, s := range r.stretches {
		for _, t := range text.Tokens(s.text) {
			if t.Stop || len(t.Word) > maxWritten || isHash(t.Word) {
				continue
			}
			for _, x := range t.Parts {
				count(x.Term, s.part)
			}
			if t.Whole != "" {
				count(t.Whole, s.part)
			}
		}
		for _, m := range imports.FindAllStringSubmatch(s.text, -1) {
			if len(m[1]) > maxWritten {
				continue
			}
			for _, n := range strings.FieldsFunc(m[2], func(r rune) bool { return r == ',' || r == ' ' }) {
				if len(n) > maxWritten {
					continue
				}
				name(append(strings.FieldsFunc(m[1], isJoiner), n), false, s.part)
			}
		}
		for _, m := range nameRun.FindAllString(s.text, -1) {
			call := strings.HasSuffix(m, "(") || strings.HasSuffix(m, ")")
			parts := strings.FieldsFunc(strings.TrimRight(m, "()"), isJoiner)
			for len(parts) > 1 && slices.Contains(receivers, parts[0]) {
				parts = parts[1:]
			}
			if len(parts) == 0 {
				continue
			}
			last := parts[len(parts)-1]
			plain := len(parts) == 1 && !call && s.part != partInline && !looksLikeName(last)
			if len(last) < 2 || len(m) > maxWritten || plain && (len(last) < 4 || text.IsStop(strings.ToLower(last))) {
				continue
			}
			name(parts, plain, s.part)
		}
		for _, m := range pathRun.FindAllString(s.text, -1) {
			q.place(m, min(1, w.Parts[s.part]))
		}
	}
	for _, p := range r.places {
		q.place(p, 1)
	}
	k := w.Saturation
	for t, c := range counts {
		x := 0.
		for p, n := range c {
			if n > 0 {
				x += w.Parts[p] * float64(n) * (1 + k) / (float64(n) + k)
			}
		}
		q.Terms = append(q.Terms, Term{t, x, c[partTitle] > 0})
	}
	slices.SortFunc(q.Terms, func(a, b Term) int {
		return cmp.Or(cmp.Compare(b.Weight, a.Weight), strings.Compare(a.Term, b.Term))
	})
	q.Terms = q.Terms[:min(len(q.Terms), maxTerms)]
	return q
}

// InTitle tells whether a term stands in the title.
func (q *Words) InTitle(term string) bool {
	return slices.ContainsFunc(q.Terms, func(t Term) bool { return t.Title && t.Term == term })
}

// place keeps a path, once.
func (q *Words) place(p string, weight float64) {
	if len(p) > maxPlace {
		return
	}
	p = strings.ReplaceAll(strings.TrimLeft(p, "@"), `\`, "/")
	for i := range q.Places {
		if q.Places[i].Path == p {
			q.Places[i].Weight = max(q.Places[i].Weight, weight)
			return
		}
	}
	if len(q.Places) < maxPlaces {
		q.Places = append(q.Places, Place{p, weight})
	}
}

// receivers are what stands for an object or a module that is not named.
var receivers = []string{"self", "cls", "this", "crate", "super"}

// isJoiner tells what joins the names of ".", "::", "->" and "#".
func isJoiner(r rune) bool { return strings.ContainsRune(".:#->", r) }

// isHash tells the hash of a commit from a word.
func isHash(s string) bool {
	return hexRun.MatchString(s) && strings.IndexFunc(s, unicode.IsDigit) != strings.LastIndexFunc(s, unicode.IsDigit)
}

// looksLikeName tells a name of code from a word: by an underscore inside, or a capital letter behind a small one.
func looksLikeName(s string) bool {
	if strings.Contains(strings.Trim(s, "_"), "_") || strings.HasPrefix(s, "__") {
		return true
	}
	_, n := utf8.DecodeRuneInString(s)
	return strings.IndexFunc(s[n:], unicode.IsUpper) >= 0 && strings.ToUpper(s) != s
}
