package procedure

import (
	"bytes"
	"compress/gzip"
	_ "embed" // model.gz
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/findspot/findspot/internal/lazyregexp"
	"github.com/findspot/findspot/skill/internal/bayes"
)

// modelFile has what was learned from labelled texts, compressed. TestModel makes it.
//
//go:embed model.gz
var modelFile []byte

// A model has what was learned from labelled texts.
type model struct {
	kinds       *bayes.Linear // of clauses
	sentences   *bayes.Linear // whether they forbid something until something else
	roles       *bayes.Linear // of the parts of those that do
	acts, lifts *bayes.Linear // kinds of these
	conditions  *bayes.Linear // whether a step is conditional,
	repetitions *bayes.Linear // and whether it is repeated
}

func (m *model) parts() []**bayes.Linear {
	return []**bayes.Linear{&m.kinds, &m.sentences, &m.roles, &m.acts, &m.lifts, &m.conditions, &m.repetitions}
}

var shipped = sync.OnceValue(func() *model {
	m, err := readModel(modelFile)
	if err != nil {
		panic(err) // the file is compiled in, and a test reads it
	}
	return m
})

func readModel(file []byte) (*model, error) {
	z, err := gzip.NewReader(bytes.NewReader(file))
	if err != nil {
		return nil, err
	}
	b, err := io.ReadAll(z)
	m := &model{}
	for _, part := range m.parts() {
		if err != nil {
			return nil, err
		}
		*part, b, err = bayes.ParseLinear(b)
	}
	return m, err
}

// They were chosen by leaving authors out (TestQualityLabelled).
const (
	likely    = 0.5 // probability from which on a kind is believed,
	surely    = 0.6 // and of a clause that begins with no verb of the lexicon
	doubtful  = 0.7 // probability from which on an order is perhaps none
	beginning = 6   // letters of a longer word that count as another one
)

// noStep is the class of a clause that tells nobody to do anything.
const noStep = "none"

// decide takes the clauses that the labelled texts know as steps, with their kinds. An order of which no kind is likely is [Other].
func (r *Reading) decide(all []Step, m *model) {
	kinds := m.kinds
	before := Kind("")
	none, _ := slices.BinarySearch(kinds.Classes, noStep)
	for i, st := range all {
		p := kinds.Of(append(kindTerms(st.Text), r.tags(all, i, before)...))
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
		st.Loop = st.Loop || repeated(st.Text)
		r.Steps, before = append(r.Steps, st), st.Kind
	}
	r.Steps = withoutTitles(r.Steps)
	m.circumstances(r.Steps)
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
