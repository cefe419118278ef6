package codegraph

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/findspot/findspot/internal/text"
)

// reportWords are the words of a report with what each is worth.
type reportWords struct {
	terms  []reportTerm // stemmed words and parts of words, and wholes
	wholes []reportTerm // words as they are written, in lower case
	names  []reportName
	places []reportPlace
}

type reportTerm struct {
	term   string
	weight float64
}

// A reportName is what a report writes as a name of code.
type reportName struct {
	last   string   // its last name, in its case
	parts  []string // all names
	dotted bool
	plain  bool // a word that could be no name
	weight float64
}

type reportPlace struct {
	path   string
	weight float64
}

const (
	maxTerms = 600
	maxNames = 200
)

var (
	nameRun = regexp.MustCompile(`[\pL_$][\pL\pN_$]*(?:(?:\.|::|->|#)[\pL_$][\pL\pN_$]*)*(?:\(\)?)?`)
	pathRun = regexp.MustCompile(`[~.\w@-]*(?:[/\\][.\w@+\-]+)*\.[A-Za-z]\w{0,5}\b(?::\d+|#L\d+)?`)
	imports = regexp.MustCompile(`^\s*from\s+([\w.]+)\s+import\s+\(?([\w, ]+)`)
)

func newReportWords(r *report, w *weights) *reportWords {
	q := &reportWords{}
	counts := map[string]*[parts]int{}
	wholes := map[string]*[parts]int{}
	names := map[string]*reportName{}
	var order []string
	count := func(in map[string]*[parts]int, term string, p reportPart) {
		c := in[term]
		if c == nil {
			c = new([parts]int)
			in[term] = c
		}
		c[p]++
	}
	for _, s := range r.stretches {
		for _, t := range text.Tokens(s.text) {
			if t.Stop || len(t.Word) > 120 || hashOnly.MatchString(t.Word) && strings.ContainsAny(t.Word, "0123456789") && len(t.Parts) < 3 && isHash(t.Word) {
				continue
			}
			for _, x := range t.Parts {
				count(counts, x.Term, s.part)
			}
			if t.Whole != "" {
				count(counts, t.Whole, s.part)
			}
			count(wholes, t.Word, s.part)
		}
		for _, m := range nameRun.FindAllString(s.text, -1) {
			call := strings.Contains(m, "(")
			m = strings.TrimRight(m, "()")
			parts := strings.FieldsFunc(m, func(r rune) bool { return r == '.' || r == ':' || r == '#' || r == '-' || r == '>' })
			for len(parts) > 1 && slices.Contains([]string{"self", "cls", "this", "crate", "super"}, parts[0]) {
				parts = parts[1:]
			}
			if len(parts) == 0 {
				continue
			}
			last := parts[len(parts)-1]
			plain := len(parts) == 1 && !call && s.part != partInline && !looksLikeName(last)
			if len(last) < 2 || len(last) > 100 || plain && (len(last) < 4 || text.IsStop(strings.ToLower(last))) {
				continue
			}
			key := strings.Join(parts, ".")
			n := names[key]
			if n == nil {
				n = &reportName{last: last, parts: parts, dotted: len(parts) > 1, plain: plain}
				names[key] = n
				order = append(order, key)
			}
			n.plain = n.plain && plain
			n.weight = max(n.weight, w[wTitle+factor(s.part)])
		}
		for _, m := range pathRun.FindAllString(s.text, -1) {
			if strings.Contains(m, ".") {
				q.places = append(q.places, reportPlace{strings.ReplaceAll(strings.TrimLeft(m, "@"), `\`, "/"), min(1, w[wTitle+factor(s.part)])})
			}
		}
	}
	for _, p := range r.places {
		q.places = append(q.places, reportPlace{p, 1})
	}
	weigh := func(c *[parts]int) float64 {
		x, k := 0., w[wSaturation]
		for p, n := range c {
			if n > 0 {
				x += w[wTitle+factor(p)] * float64(n) * (1 + k) / (float64(n) + k)
			}
		}
		return x
	}
	list := func(in map[string]*[parts]int) []reportTerm {
		var out []reportTerm
		for t, c := range in {
			out = append(out, reportTerm{t, weigh(c)})
		}
		slices.SortFunc(out, func(a, b reportTerm) int {
			return cmp.Or(cmp.Compare(b.weight, a.weight), strings.Compare(a.term, b.term))
		})
		return out[:min(len(out), maxTerms)]
	}
	q.terms, q.wholes = list(counts), list(wholes)
	for _, k := range order[:min(len(order), maxNames)] {
		q.names = append(q.names, *names[k])
	}
	return q
}

// isHash tells a hash of a commit from a word.
func isHash(s string) bool {
	digits := 0
	for _, r := range s {
		if unicode.IsDigit(r) {
			digits++
		}
	}
	return digits >= 2 && len(s) >= 7
}

// looksLikeName tells a name of code from a word: by an underscore, or a capital letter behind a small one.
func looksLikeName(s string) bool {
	if strings.Contains(strings.Trim(s, "_"), "_") || strings.HasPrefix(s, "__") {
		return true
	}
	for i, r := range s {
		if i > 0 && unicode.IsUpper(r) && strings.ToUpper(s) != s {
			return true
		}
	}
	return false
}
