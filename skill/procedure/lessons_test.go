package procedure

import (
	"fmt"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/findspot/findspot/skill/internal/bayes"
)

// hands are the authors of the labelled procedures, by the last that each wrote.
var hands = []struct {
	name string
	last int
}{{"first", 60}, {"second", 75}, {"third", 90}, {"fourth", 105}, {"fifth", 120}, {"sixth", 150}, {"seventh", 175}, {"eighth", 200}, {"ninth", 230}, {"tenth", 260}, {"eleventh", 290}, {"twelfth", 320}, {"thirteenth", 345}, {"fourteenth", 375}, {"fifteenth", 405}, {"sixteenth", 435}, {"seventeenth", 465}, {"eighteenth", 495},
	{"nineteenth", 525}, {"twentieth", 555}, {"twenty-first", 585}, {"twenty-second", 615}, {"twenty-third", 645}, {"twenty-fourth", 675}, {"twenty-fifth", 705}}

func handOf(n int) string {
	return hands[slices.IndexFunc(hands, func(h struct {
		name string
		last int
	}) bool {
		return n <= h.last
	})].name
}

// learnedTexts are the numbers of the labelled procedures that are learned from.
func learnedTexts() iter.Seq[int] {
	return func(yield func(int) bool) {
		for n := 1; n <= hands[len(hands)-1].last && (handOf(n) == unseen || yield(n)); n++ {
		}
	}
}

// unseen is the author of the procedures from which nothing has been learned.
const unseen = "thirteenth"

// folds is the number of groups of authors that are left out together.
const folds = 6

var foldModels [folds]*model

// withoutFold is what is learned without an author's group; of the unseen author nothing is learned in any case.
func withoutFold(t *testing.T, author string) *model {
	t.Helper()
	if author == unseen {
		return shipped()
	}
	var all []string
	for _, h := range hands {
		all = append(all, h.name)
	}
	all = append(all, banAuthors(t)...)
	fold := slices.Index(all, author) % folds
	if foldModels[fold] == nil {
		var group []string
		for i := fold; i < len(all); i += folds {
			group = append(group, all[i])
		}
		foldModels[fold] = learn(t, group...)
	}
	return foldModels[fold]
}

// banAuthors are those of the files of single sentences, in order.
func banAuthors(t *testing.T) (out []string) {
	t.Helper()
	for _, f := range fieldsOf(t, "testdata/bans/*.tsv", 2) {
		out = append(out, f[0])
	}
	return slices.Compact(out)
}

// A phrase is a part of a sentence.
type phrase struct {
	kind, form, text string
}

// Roles of the parts of a prohibition: sorted, as split takes them.
const (
	isAct       = "act"
	isCondition = "condition"
)

// Forms of phrases.
const (
	isOrder = "o" // "grep the handlers for the old flag"
	isState = "s" // that lifts a prohibition: "two pharmacists' signatures"
	isThing = "g" // that is forbidden: "any change to the handlers"
)

// A kindExample is a clause with its label.
type kindExample struct {
	by, kind, text string
	tags           []string
	when, loop     bool     // of a step of a labelled procedure
	circumstances  []string // of one
}

// A ban is a labelled sentence. Its label is "write<plan,approve" where it forbids to write until there is a plan and an approval, "never" where it forbids for good, else "-".
type ban struct {
	author, label  string
	act, condition string // act is the sentence where it does not forbid until
	behind         bool   // the act stands behind the condition
}

func (b *ban) text() string {
	if b.behind {
		return b.condition + " " + b.act
	}
	return strings.TrimSpace(b.act + " " + b.condition)
}

// kinds are what is forbidden and what lifts that; ok is false where the sentence does not forbid until.
func (b *ban) kinds() (deny, until []Kind, ok bool) {
	d, u, ok := strings.Cut(b.label, "<")
	if !ok {
		return nil, nil, false
	}
	return kindsNamed(d), oneGate(kindsNamed(u)), true
}

func kindsNamed(s string) (out []Kind) {
	for k := range strings.SplitSeq(s, ",") {
		out = append(out, Kind(k))
	}
	slices.Sort(out)
	return out
}

// lessons are what is learned from.
type lessons struct {
	kinds   []kindExample
	bans    []ban
	phrases []phrase
}

var (
	readOnce sync.Once
	lessonsT lessons
)

// corpus reads the lessons, once.
func corpus(t *testing.T) *lessons {
	t.Helper()
	readOnce.Do(func() {
		l := &lessonsT
		l.phrases = phrases(t)
		l.bans = slices.DeleteFunc(labelledBans(t), func(b ban) bool { return !mayBan(b.act) && !strings.Contains(b.label, "<") }) // no such sentence is looked at
		splitBans(l.bans, l.phrases)
		for _, f := range append(fieldsOf(t, "testdata/taught.tsv", 2), fieldsOf(t, "testdata/orders.tsv", 2)...) {
			l.kinds = append(l.kinds, kindExample{by: f[0], kind: f[1], text: f[2], tags: verbTags(f[2], startsWithVerb(f[2]))})
		}
		l.kinds = append(l.kinds, phraseOrders(l.phrases)...)
		l.kinds = append(l.kinds, labelledClauses(t, l)...)
	})
	return &lessonsT
}

func phrases(t *testing.T) (out []phrase) {
	t.Helper()
	for _, f := range fieldsOf(t, "testdata/phrases/*.tsv", 3) {
		out = append(out, phrase{f[1], f[2], f[3]})
	}
	return out
}

func phraseOrders(phrases []phrase) (out []kindExample) {
	for _, p := range phrases {
		if p.form == isOrder {
			out = append(out, kindExample{by: "phrases", kind: p.kind, text: p.text, tags: verbTags(p.text, true)})
		}
	}
	return out
}

// fieldsOf are the lines of files as their fields, behind the name of the file without its ending.
func fieldsOf(t *testing.T, pattern string, fields int) (out [][]string) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatal(pattern, files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
			if len(f) != fields {
				t.Fatalf("%s: %d fields in %q, want %d", file, len(f), line, fields)
			}
			out = append(out, append([]string{strings.TrimSuffix(filepath.Base(file), ".tsv")}, f...))
		}
	}
	return out
}

// labelledClauses are those of the labelled procedures. Which of the clauses of a line a label is about is told by their verbs at first, and then by what was learned with that.
func labelledClauses(t *testing.T, l *lessons) (out []kindExample) {
	noParts := bayes.LearnLinear([]bayes.Example{{Class: string(Other)}}, pseudoCount, independent, 0) // what prohibitions are about does not matter here
	sentences := &model{sentences: learnSentences(l.bans), roles: learnRoles(l.bans, l.phrases), acts: noParts, lifts: noParts}
	read := func(score func(*Step, Kind) float64) (out []kindExample) {
		for n := range learnedTexts() {
			text, want := labelledText(t, n)
			r := &Reading{}
			all, _ := r.candidates(text, sentences)
			labels := align(all, want.Steps, score)
			var before Kind
			var steps []Step
			from := len(out)
			for i, st := range all {
				ex := kindExample{by: handOf(n), kind: noStep, text: st.Text, tags: r.tags(all, i, before)}
				if labels[i] != nil {
					st.Kind = labels[i].Kind
					st.Loop = st.Loop || repeated(st.Text)
					steps = append(steps, st)
					before = st.Kind
					ex.kind, ex.when, ex.loop = string(st.Kind), labels[i].When, labels[i].Loop
				}
				out = append(out, ex)
			}
			for i, at := 0, from; at < len(out); at++ {
				if out[at].kind != noStep {
					out[at].circumstances = circumstanceTerms(steps, i)
					i++
				}
			}
		}
		return out
	}
	first := read(func(st *Step, k Kind) float64 {
		switch _, v, _ := verbOf(st.Text); {
		case v == k:
			return 30
		case st.orders:
			return 15
		}
		return 7
	})
	m := learnKinds(append(slices.Clip(l.kinds), first...))
	return read(func(st *Step, k Kind) float64 {
		i, _ := slices.BinarySearch(m.Classes, string(k))
		return 1 + 30*m.Of(append(kindTerms(st.Text), verbTags(st.Text, st.orders)...))[i]
	})
}

// align gives the clauses of each line the labels of that line, in their order, so that the sum of their scores is the greatest.
func align(all []Step, labels []labelledStep, score func(*Step, Kind) float64) (out []*labelledStep) {
	out = make([]*labelledStep, len(all))
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].Line == all[from].Line {
			to++
		}
		var here []*labelledStep
		for i := range labels {
			if labels[i].Line == all[from].Line {
				here = append(here, &labels[i])
			}
		}
		alignLine(all[from:to], here, out[from:to], score)
		from = to
	}
	return out
}

func alignLine(all []Step, labels, out []*labelledStep, score func(*Step, Kind) float64) {
	best := make([][]float64, len(all)+1) // of the clauses from i on with the labels from j on
	for i := range best {
		best[i] = make([]float64, len(labels)+1)
	}
	for i := len(all) - 1; i >= 0; i-- {
		for j := len(labels) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+score(&all[i], labels[j].Kind))
		}
	}
	for i, j := 0, 0; i < len(all) && j < len(labels); {
		switch best[i][j] {
		case best[i][j+1]:
			j++
		case best[i+1][j]:
			i++
		default:
			out[i] = labels[j]
			i, j = i+1, j+1
		}
	}
}

// labelledBans are the sentences of testdata/bans, a file for each author, the orders that kinds are learned from, and the sentences of the labelled procedures; not yet split.
func labelledBans(t *testing.T) (out []ban) {
	t.Helper()
	for _, f := range fieldsOf(t, "testdata/bans/*.tsv", 2) {
		out = append(out, ban{author: f[0], label: f[1], act: plainSentence(f[2])})
	}
	forbidding := learnSentences(out)
	for _, f := range append(fieldsOf(t, "testdata/orders.tsv", 2), fieldsOf(t, "testdata/taught.tsv", 2)...) { // what orders something forbids nothing
		out = append(out, ban{author: f[0], label: "-", act: plainSentence(f[2])})
	}
	for n := range learnedTexts() {
		text, want := labelledText(t, n)
		all := sentences(text, &measure{})
		for _, s := range all {
			b := ban{author: handOf(n), label: "-", act: plainSentence(s.text)}
			if i := slices.IndexFunc(want.Guards, func(g labelledGuard) bool { return g.Line == s.line }); i >= 0 && s.text == mostForbidding(all, s.line, forbidding) {
				b.label = kindNames(want.Guards[i].Deny) + "<" + kindNames(want.Guards[i].Until)
			}
			out = append(out, b)
		}
	}
	return out
}

func plainSentence(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, " .!"), "\t", " ")
}

func kindNames(kinds []Kind) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(kinds), "[]"), " ", ",")
}

// mostForbidding is the sentence of a line that its label is about: the one that forbids most probably.
func mostForbidding(all []sentence, line int, forbidding *bayes.Linear) (text string) {
	is, _ := slices.BinarySearch(forbidding.Classes, isGuard)
	most := -1.0
	for _, s := range all {
		if s.line != line {
			continue
		}
		if p := forbidding.Of(sentenceTerms(s.text))[is]; p > most {
			text, most = s.text, p
		}
	}
	return text
}

// splitBans cuts the prohibitions into their parts: first at a word that begins a condition, then as what was learned from that cuts them, twice.
func splitBans(all []ban, phrases []phrase) {
	texts := make([]string, len(all))
	for i := range all {
		if texts[i] = all[i].act; strings.Contains(all[i].label, "<") {
			all[i].act, all[i].condition, all[i].behind = firstSplit(texts[i])
		}
	}
	for range 2 {
		m := &model{roles: learnRoles(all, phrases)}
		for i := range all {
			if strings.Contains(all[i].label, "<") {
				all[i].act, all[i].condition, all[i].behind = m.split(texts[i])
			}
		}
	}
}

func firstSplit(text string) (act, condition string, behind bool) {
	f := strings.Fields(text)
	i := slices.IndexFunc(f, func(w string) bool {
		return slices.Contains(strings.Fields("before until till unless without pending once only while prior ahead w/o require requires needs after post"), strings.ToLower(strings.Trim(w, ",;:")))
	})
	if i > 0 {
		return strings.Join(f[:i], " "), strings.Join(f[i:], " "), false
	}
	if before, after, ok := strings.Cut(text, ", "); i == 0 && ok {
		return after, before, true
	}
	return text, "", false // nothing is learned from it at first
}
