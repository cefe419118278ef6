package procedure

import (
	_ "embed" // kinds.tsv
	"fmt"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/bayes"
)

// learnedKinds are clauses of the labelled procedures, and orders that were written for learning, one a line: by whom, kind, tags and text, between tabs. TestKindsFile makes it.
//
//go:embed kinds.tsv
var learnedKinds string

// They were chosen by leaving out one author after the other (TestLabelled).
const (
	pseudoCount = 0.1
	independent = 0.5
	likely      = 0.6 // probability from which on a kind is believed,
	surely      = 0.7 // and of a clause that begins with no verb of the lexicon
	doubtful    = 0.6 // probability from which on an order is perhaps none
	beginning   = 6   // letters of a longer word that count as another one
)

// noStep is the class of a clause that tells nobody to do anything.
const noStep = "none"

var shippedKinds = sync.OnceValue(func() *bayes.Model {
	m, err := learnKinds(learnedKinds, "")
	if err != nil {
		panic(err) // the file is compiled in, and a test reads it
	}
	return m
})

// learnKinds learns kinds from lines as of kinds.tsv, of all authors but one, and from the orders among the phrases.
func learnKinds(lines, without string) (*bayes.Model, error) {
	var examples []bayes.Example
	for line := range strings.Lines(lines) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 4 {
			return nil, fmt.Errorf("kinds.tsv: %d fields in %q, want 4", len(f), line)
		}
		if f[0] != without {
			examples = append(examples, bayes.Example{Class: f[1], Terms: append(kindTerms(f[3]), strings.Fields(f[2])...)})
		}
	}
	for _, p := range phrases() {
		if p.form == isOrder {
			examples = append(examples, bayes.Example{Class: p.kind, Terms: append(kindTerms(p.text), verbTags(p.text, true)...)})
		}
	}
	return bayes.Learn(examples, pseudoCount), nil
}

// decide takes the clauses that the labelled texts know as steps, with their kinds. An order of which no kind is likely is [Other].
func (r *Reading) decide(all []Step, kinds *bayes.Model) {
	before := Kind("")
	none, _ := slices.BinarySearch(kinds.Classes, noStep)
	for i, st := range all {
		p := kinds.Of(append(kindTerms(st.Text), r.tags(all, i, before)...), independent)
		best := slices.Index(p, slices.Max(p))
		if !st.orders && (best == none || p[best] < surely) {
			continue
		}
		if best == none && p[none] < doubtful { // it orders something: what, if so?
			rest := 1 - p[none]
			p[none] = 0
			best = slices.Index(p, slices.Max(p))
			p[best] /= rest
		}
		st.Kind = Kind(kinds.Classes[best])
		if best == none || p[best] < likely || p[best] < surely && !startsWithVerb(st.Text) {
			st.Kind = Other
		}
		if n := len(r.Steps); n > 0 && !joins(&r.Steps[n-1], &st) {
			continue
		}
		repeat(r.Steps, &st)
		r.Steps, before = append(r.Steps, st), st.Kind
	}
	r.Steps = withoutTitles(r.Steps)
}

// tags tell of one of the candidates what its words do not: where it stands, what stands around it, the kind of the step before it, and the kind that its verb has by itself.
func (r *Reading) tags(all []Step, i int, before Kind) (out []string) {
	st := all[i]
	add := func(is bool, tag string) {
		if is {
			out = append(out, "#"+tag)
		}
	}
	add(st.listed, "listed")
	add(st.item, "item")
	add(st.heading, "heading")
	add(st.ordered, "ordered")
	add(st.asks, "asks")
	add(st.Condition != "", "when")
	add(st.told.voice != "", "voice:"+st.told.voice)
	add(st.told.voice != "", "subject:"+st.told.subject)
	add(r.papers, "papers")
	add(!r.papers, "code")
	add(!slices.ContainsFunc(all[i+1:], func(later Step) bool { return later.orders && later.Line > st.Line }), "last")
	if st.title != "" {
		code, docs := tally(strings.ToLower(st.title))
		add(code > docs, "title:code")
		add(code < docs, "title:docs")
	}
	add(true, "prev:"+string(before))
	add(true, fmt.Sprintf("quarter%d", 4*st.Line/(r.measure.all+1)))
	add(true, fmt.Sprintf("of%d", min(st.of, 3)))
	add(true, fmt.Sprintf("index%d", min(st.index, 2)))
	if i > 0 {
		add(true, "behind:"+strings.ToLower(firstWords(all[i-1].Text, 1)))
	}
	if i+1 < len(all) {
		add(true, "before:"+strings.ToLower(firstWords(all[i+1].Text, 1)))
	}
	return append(out, verbTags(st.Text, st.orders)...)
}

// verbTags are the kind that the verb has by itself: two, so that all of their evidence counts (independent).
func verbTags(text string, orders bool) []string {
	_, k, _ := verbOf(text)
	if !orders {
		k = noStep
	}
	out := []string{"#verb:" + string(k), "#verb2:" + string(k)}
	if head := objectOf(text); head != "" {
		for _, c := range wordClasses {
			if c.words()[head] {
				out = append(out, "#object:"+c.name, "#object2:"+c.name)
			}
		}
	}
	return out
}

// objectOf is the noun that names what an order is about: "plan" of "draft a short plan: old value, new value"; empty: it has none, or begins with no known verb.
func objectOf(text string) (head string) {
	f := strings.Fields(strings.ToLower(text))
	_, _, n := verbAt(f)
	if n == 0 {
		return ""
	}
	for i := n; i < len(f) && !strings.ContainsAny(f[i-1][len(f[i-1])-1:], ",;:") && !strings.HasPrefix(f[i], "("); i++ {
		w := strings.Trim(f[i], ",;:.)\"'")
		if ends()[w] {
			break
		}
		head = strings.TrimSuffix(strings.TrimSuffix(w, "'s"), "’s")
	}
	return head
}

var (
	fileSpan = lazyregexp.New("`[^`]*\\.\\w{1,5}`")
	codeSpan = lazyregexp.New("`[^`]*`")
)

// kindTerms are the words of a clause, their pairs, and the beginnings of long ones, each once.
func kindTerms(s string) (out []string) {
	if strings.Contains(s, "`") {
		s = codeSpan.Get().ReplaceAllString(fileSpan.Get().ReplaceAllString(s, " ‹file› "), " ‹code› ")
	}
	seen := map[string]bool{}
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	last := "^"
	for w := range strings.FieldsFuncSeq(strings.ToLower(s), func(r rune) bool {
		return !unicode.IsLetter(r) && !unicode.IsDigit(r) && !strings.ContainsRune("-'’‹›", r)
	}) {
		if strings.TrimFunc(w, unicode.IsDigit) == "" {
			w = "‹number›"
		}
		add(w)
		add(last + " " + w)
		if r := []rune(w); len(r) > beginning && r[0] != '‹' {
			add(string(r[:beginning]) + "~")
		}
		last = w
	}
	add(last + " $")
	return out
}
