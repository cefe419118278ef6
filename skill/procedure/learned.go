package procedure

import (
	"cmp"
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
	pseudoCount = 0.3
	independent = 0.5
	likely      = 0.5 // probability from which on a kind is believed,
	surely      = 0.6 // and of a clause that the rules read no order in
	doubtful    = 0.8 // probability from which on an order that the rules read is perhaps none
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

// learnKinds learns kinds from lines as of kinds.tsv, of all authors but one.
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
	return bayes.Learn(examples, pseudoCount), nil
}

// candidates are the steps that the rules read, and the clauses that they read no order in, in the order of the text.
func candidates(r *Reading) []Step {
	out := slices.Concat(r.Steps, r.open)
	slices.SortStableFunc(out, func(a, b Step) int { return cmp.Or(cmp.Compare(a.at, b.at), cmp.Compare(a.index, b.index)) })
	return out
}

// decide gives each step the kind that it has by the labelled texts, which know what the rules read in it. One of which no kind is likely is [Other], and a
// clause that the rules read no order in becomes a step where it is surely one.
func decide(r *Reading, kinds *bayes.Model) {
	all, room := candidates(r), maxSteps-len(r.Steps)
	r.Steps = r.Steps[:0:0]
	for i, st := range all {
		p := kinds.Of(append(kindTerms(st.Text), tags(r, all, i, true)...), independent)
		best := slices.Index(p, slices.Max(p))
		class := kinds.Classes[best]
		switch {
		case st.Kind == "":
			if class == noStep || p[best] < surely || room == 0 {
				continue
			}
			st.Kind = Kind(class)
			room--
		case st.Kind == Approve, st.Kind == Stop, class == noStep && p[best] < doubtful: // it stays what the rules read
		case class == noStep, p[best] < likely:
			st.Kind = Other
		default:
			st.Kind = Kind(class)
		}
		if n := len(r.Steps); n > 0 && st.Kind == Approve && r.Steps[n-1].Kind == Approve && r.Steps[n-1].at == st.at {
			continue // "show it to her and wait for her yes" is one approval
		}
		r.Steps = append(r.Steps, st)
	}
}

// tags tell of one of the candidates what its words do not: where it stands, what stands around it, and what the rules read in it.
func tags(r *Reading, all []Step, i int, rules bool) (out []string) {
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
	add(r.papers, "papers")
	add(!r.papers, "code")
	add(!slices.ContainsFunc(all[i+1:], func(later Step) bool { return later.Kind != "" && later.Line > st.Line }), "last")
	add(true, fmt.Sprintf("quarter%d", 4*st.Line/(r.measure.all+1)))
	add(true, fmt.Sprintf("of%d", min(st.of, 3)))
	add(true, fmt.Sprintf("index%d", min(st.index, 2)))
	if i > 0 {
		add(true, "behind:"+strings.ToLower(firstWords(all[i-1].Text, 1)))
	}
	if i+1 < len(all) {
		add(true, "before:"+strings.ToLower(firstWords(all[i+1].Text, 1)))
	}
	if rules {
		out = append(out, ruleTags(st.Kind)...)
	}
	return out
}

// ruleTags are two, so that all of their evidence counts (independent).
func ruleTags(k Kind) []string {
	return []string{"#rules:" + string(cmp.Or(k, noStep)), "#rules2:" + string(cmp.Or(k, noStep))}
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
