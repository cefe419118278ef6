package codegraph

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/text"
)

// reportWords are the words of a report with what each is worth.
type reportWords struct {
	terms  []reportTerm // stemmed words and parts of words, and wholes
	names  []reportName
	places []reportPlace
}

type reportTerm struct {
	term   string
	weight float64
	title  bool // it stands in the title
}

// A reportName is what a report writes as a name of code.
type reportName struct {
	parts  []string // its names, outermost first, in their case
	plain  bool     // a word that could be no name
	weight float64
}

type reportPlace struct {
	path   string
	weight float64
}

const (
	maxTerms  = 600
	maxNames  = 200
	maxPlaces = 100

	maxWritten = 120  // bytes of a word or a name
	maxPlace   = 1000 // of a path
)

var (
	hexRun  = regexp.MustCompile(`^[0-9a-f]{7,40}$`)
	nameRun = regexp.MustCompile(`[\pL_$][\pL\pN_$]*(?:(?:\.|::|->|#)[\pL_$][\pL\pN_$]*)*(?:\(\)?)?`)
	pathRun = regexp.MustCompile(`[~.\w@-]*(?:[/\\][.\w@+\-]+)*\.[A-Za-z]\w{0,5}\b(?::\d+|#L\d+)?`)
	imports = regexp.MustCompile(`(?m)^\s*(?:>>> )?from\s+([\w.]+)\s+import\s+\(?([\w, ]+)`)
)

// A wordWeights says what words are worth: by the part that they stand in, and how soon one that is repeated says nothing more.
type wordWeights struct {
	parts      [parts]float64
	saturation float64
}

// newReportWords weighs the words of a report.
func newReportWords(r *report, w wordWeights) *reportWords {
	q := &reportWords{}
	counts, names := map[string]*[parts]int{}, map[string]int{}
	count := func(term string, p reportPart) {
		c := counts[term]
		if c == nil {
			c = new([parts]int)
			counts[term] = c
		}
		c[p]++
	}
	name := func(parts []string, plain bool, p reportPart) {
		key := strings.Join(parts, ".")
		i, ok := names[key]
		if !ok {
			if len(q.names) == maxNames {
				return
			}
			i = len(q.names)
			names[key] = i
			q.names = append(q.names, reportName{parts: parts, plain: plain})
		}
		n := &q.names[i]
		n.plain = n.plain && plain
		n.weight = max(n.weight, w.parts[p])
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
			q.place(m, min(1, w.parts[s.part]))
		}
	}
	for _, p := range r.places {
		q.place(p, 1)
	}
	k := w.saturation
	for t, c := range counts {
		x := 0.
		for p, n := range c {
			if n > 0 {
				x += w.parts[p] * float64(n) * (1 + k) / (float64(n) + k)
			}
		}
		q.terms = append(q.terms, reportTerm{t, x, c[partTitle] > 0})
	}
	slices.SortFunc(q.terms, func(a, b reportTerm) int {
		return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
	})
	q.terms = q.terms[:min(len(q.terms), maxTerms)]
	return q
}

// inTitle tells whether a term stands in the title.
func (q *reportWords) inTitle(term string) bool {
	return slices.ContainsFunc(q.terms, func(t reportTerm) bool { return t.title && t.term == term })
}

// place keeps a path, once.
func (q *reportWords) place(p string, weight float64) {
	if len(p) > maxPlace {
		return
	}
	p = strings.ReplaceAll(strings.TrimLeft(p, "@"), `\`, "/")
	for i := range q.places {
		if q.places[i].path == p {
			q.places[i].weight = max(q.places[i].weight, weight)
			return
		}
	}
	if len(q.places) < maxPlaces {
		q.places = append(q.places, reportPlace{p, weight})
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
