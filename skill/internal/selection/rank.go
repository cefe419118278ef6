package selection

import (
	"cmp"
	"fmt"
	"maps"
	"math"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/lazyregexp"
)

const (
	floorWords     = 2       // content words and classes of names that an example must have
	maxSelectTask  = 1 << 16 // bytes of a task that are looked at
	maxSelectParts = 40      // sentences of a task that are looked at
)

// A Fit is what speaks for and against one skill, for a task.
type Fit struct {
	Skill    int            // of those given
	Score    float64        // from 0 to 1: how probable it is that the task is for this skill, from Wish, Near, the words shared and those of everyday life
	Covered  float64        // share of the task's weight that the skill's texts know
	Near     float64        // how near the nearest example is
	Example  string         // that example
	Words    []string       // of the task, that the skill shares with it, in order
	Trigger  string         // the trigger that matches, or empty
	Inputs   map[string]any // named groups of the triggers that match
	Wish     float64        // from -1, it wants something else than the skill's examples, to 1, the same; see [Wishes.agree]
	NotFor   string         // the nearest task that the skill is not for, or empty
	Against  float64        // how near that one is
	Denied   bool           // a task it is not for is nearer than every example
	Decision string         // chosen, or why not
	mass     float64        // weight of the shared content words and classes of names
	daily    float64        // share of the task's weight in words of everyday subjects that the skill does not know
}

// Choose fits every skill to the task, best first, ties by name, and decides among them: the best one that fits by at least
// the threshold and is farther than the margin before the second, as a share of its own score. chosen is its place in fits; -1: none.
func Choose(skills []*Profile, task string, threshold, margin float64) (fits []Fit, chosen int) {
	fits = rank(skills, task)
	chosen = decide(fits, skills, threshold, margin)
	if chosen >= 0 {
		fits[chosen].Decision = "chosen"
	}
	return fits, chosen
}

// decide finds the chosen one and tells the others why they are not.
func decide(fits []Fit, skills []*Profile, threshold, margin float64) int {
	triggered := func(f *Fit) bool { return f.Trigger != "" && !f.Denied }
	any := slices.ContainsFunc(fits, func(f Fit) bool { return triggered(&f) })
	best, second := -1, -1
	for i := range fits {
		f := &fits[i]
		switch {
		case f.Denied:
			f.Decision = fmt.Sprintf("it says that it is not for %q", f.NotFor)
		case any && !triggered(f):
			f.Decision = "a trigger of another skill matches"
		case !any && f.Score < threshold:
			f.Decision = fmt.Sprintf("under the threshold of %.2f", threshold)
		case best < 0:
			best = i
		case second < 0:
			second = i
			f.Decision = "another fits better"
		default:
			f.Decision = "another fits better"
		}
	}
	switch {
	case best < 0:
		return -1
	case second >= 0 && fits[second].Score > fits[best].Score*(1-margin):
		fits[best].Decision = "too close to " + skills[fits[second].Skill].name
		fits[second].Decision = "too close to " + skills[fits[best].Skill].name
		return -1
	}
	return best
}

// Triggered returns the first trigger that matches, and the named groups of all that do, earlier ones first.
func Triggered(triggers []*regexp.Regexp, task string) (string, map[string]any) {
	first, in := "", map[string]any{}
	if len(task) > maxSelectTask {
		task = task[:maxSelectTask]
	}
	for _, re := range triggers {
		m := re.FindStringSubmatch(task)
		if m == nil {
			continue
		}
		first = cmp.Or(first, re.String())
		for g, name := range re.SubexpNames() {
			if _, have := in[name]; name != "" && m[g] != "" && !have {
				in[name] = m[g]
			}
		}
	}
	return first, in
}

// A skillText is one text of a skill that a task is compared with.
type skillText struct {
	text  string
	terms []string // each once
	has   map[string]bool
}

// Texts are what a skill says of itself.
type Texts struct {
	Name        string
	Description string
	Examples    []string // tasks it is for
	NotFor      []string // tasks it is not for
	Topic       []string // further texts of its topic, such as the lines of a glossary
	Triggers    []*regexp.Regexp
}

// A Profile is what tasks are compared with of one skill. It is read-only.
type Profile struct {
	name             string
	triggers         []*regexp.Regexp
	examples, notFor []skillText
	vocabulary       map[string]bool
	light            map[string]bool   // of those, words of requests of any kind
	words            map[string]string // as written, to its term
	wishes           *Wishes
	wish             []float64 // of its examples
}

var (
	quotedText = lazyregexp.New(`"([^"]{3,200})"|“([^”]{3,200})”`)
	useWhen    = lazyregexp.New(`(?i)^use (?:this|it|for|when|whenever|to|if|in)\b(?: skill)?(?: (?:for|when|whenever|to|if|any time))?`)
	notForText = lazyregexp.New(`(?i)^(?:do not|don't|never) (?:use|trigger|activate|load)\b|^not (?:for|to be used)\b|^(?:skip|avoid) (?:it|this|when|if|for)\b`)
)

// NewProfile reads the texts of a skill, by the wishes that are compiled in. Phrases that its description quotes are examples, and sentences of it that say what it is not for are that.
func NewProfile(s Texts) *Profile { return NewProfileBy(shippedWishes(), s) }

// NewProfileBy is [NewProfile] by other wishes.
func NewProfileBy(wishes *Wishes, s Texts) *Profile {
	p := &Profile{name: s.Name, wishes: wishes, triggers: s.Triggers, vocabulary: map[string]bool{}, light: map[string]bool{}, words: map[string]string{}}
	add := func(list *[]skillText, text string, vocabulary bool) {
		t := skillText{text: text, has: map[string]bool{}}
		counted := 0
		for _, w := range taskWords(text, true) {
			if !t.has[w.term] {
				t.has[w.term] = true
				t.terms = append(t.terms, w.term)
				if !w.light {
					counted++
				}
			}
			if w.light {
				p.light[w.term] = true
			}
			if vocabulary {
				p.vocabulary[w.term] = true
				if !w.class {
					p.words[w.word] = w.term
				}
			}
		}
		if list != nil && counted >= floorWords { // "use it" is near to anything
			*list = append(*list, t)
		}
	}
	add(nil, strings.ReplaceAll(s.Name, "-", " "), true)
	for _, sentence := range taskSentences(s.Description) {
		sentence = useWhen.ReplaceAllString(sentence, "")
		if notForText.MatchString(sentence) {
			add(&p.notFor, sentence, false)
			continue
		}
		add(&p.examples, sentence, true)
		for _, m := range quotedText.FindAllStringSubmatch(sentence, 50) {
			add(&p.examples, m[1]+m[2], true)
		}
	}
	for _, ex := range s.Examples {
		add(&p.examples, ex, true)
	}
	for _, ex := range s.NotFor {
		add(&p.notFor, ex, false)
	}
	for _, t := range s.Topic {
		add(nil, t, true)
	}
	p.wish = wishes.wished(p.examples)
	return p
}

// weights say how much a term tells. They come from how many skills know it, on a background of other skills that might be
// there: with a handful of skills the counts alone would call every word rare.
type weights struct {
	skills int
	df     map[string]int
	light  map[string]bool
	daily  map[string]bool
}

const (
	backgroundSkills = 20.0
	backgroundLight  = 20.0 // of which know a word of requests
	backgroundPlain  = 1.0  // and any other word
	questionWeight   = 0.6  // of who, where, how ...
	unknownWeight    = 1.2  // of a word that no skill knows: the object of a task, which no skill can list. Words of everyday subjects weigh in full.
	clearlyNearer    = 1.1
)

func (w *weights) of(term string) float64 {
	n, df := backgroundSkills+float64(w.skills), backgroundPlain+float64(w.df[term])
	if w.light[term] {
		df = backgroundLight + float64(w.df[term])
	}
	weight := math.Log(1 + n/df)
	if w.df[term] == 0 && !w.daily[term] {
		weight = min(weight, unknownWeight)
	}
	if strings.HasPrefix(term, "?") {
		weight = questionWeight
	}
	return weight
}

func (w *weights) sum(terms []string, count func(string) bool) (sum float64) {
	for _, t := range terms {
		if count == nil || count(t) {
			sum += w.of(t)
		}
	}
	return sum
}

// rank fits every skill to the task, best first, ties by name. A long task is an issue around a wish: it is compared
// whole and by sentence, and the best counts.
func rank(skills []*Profile, task string) []Fit {
	if len(task) > maxSelectTask {
		task = strings.ToValidUTF8(task[:maxSelectTask], "")
	}
	w := &weights{skills: len(skills), df: map[string]int{}, light: map[string]bool{}, daily: map[string]bool{}}
	spelt := maps.Clone(commonWords())
	for _, s := range skills {
		for t := range s.vocabulary {
			w.df[t]++
		}
		maps.Copy(spelt, s.words)
		maps.Copy(w.light, s.light)
	}
	known := newKnownWords(spelt)
	parts := taskSentences(task)
	if len(parts) != 1 {
		parts = append([]string{task}, parts[:min(len(parts), maxSelectParts)]...)
	}
	var read [][]taskWord
	for _, p := range parts {
		words := taskWords(p, false)
		for i := range words {
			words[i].term = known.meant(words[i])
			if words[i].light {
				w.light[words[i].term] = true
			}
			if words[i].daily {
				w.daily[words[i].term] = true
			}
		}
		read = append(read, words)
	}
	fits := make([]Fit, len(skills))
	var wishes *Wishes
	var wish []float64
	for i, s := range skills {
		if wishes != s.wishes {
			wishes, wish = s.wishes, s.wishes.of(task, false)
		}
		agree := wishes.agree(wish, s.wish)
		for n, words := range read {
			if f := s.fit(words, w, agree); n == 0 || f.Score > fits[i].Score {
				fits[i] = f
			}
		}
		fits[i].Skill = i
		fits[i].Trigger, fits[i].Inputs = Triggered(s.triggers, task)
	}
	slices.SortStableFunc(fits, func(a, b Fit) int {
		return cmp.Or(cmp.Compare(b.Score, a.Score), cmp.Compare(skills[a.Skill].name, skills[b.Skill].name))
	})
	return fits
}

// knownWords are the words of all skills, as written, by their first letter, for words that are misspelt.
type knownWords struct {
	terms   map[string]bool
	initial map[byte][]string // sorted
	term    map[string]string
	memory  map[string]string
}

const maxSlips = 300 // unknown words of a task that are looked up

func newKnownWords(spelt map[string]string) *knownWords {
	k := &knownWords{terms: map[string]bool{}, initial: map[byte][]string{}, term: spelt, memory: map[string]string{}}
	for _, word := range slices.Sorted(maps.Keys(spelt)) {
		k.terms[spelt[word]] = true
		k.initial[word[0]] = append(k.initial[word[0]], word)
	}
	return k
}

// meant gives the term of a word, or of the one that was meant by it when no skill knows it and one is near.
func (k *knownWords) meant(w taskWord) string {
	if w.class || w.light || w.daily || k.terms[w.term] {
		return w.term
	}
	t, ok := k.memory[w.word]
	if !ok && len(k.memory) < maxSlips {
		t = w.term
		for _, word := range k.initial[w.word[0]] {
			if nearWord(word, w.word) {
				t = k.term[word]
				break
			}
		}
		k.memory[w.word] = t
	}
	return cmp.Or(t, w.term)
}

// fit compares the words of a task with the skill. The wishes of both agree as told.
func (p *Profile) fit(words []taskWord, w *weights, wish float64) Fit {
	f := Fit{Words: []string{}, Wish: wish}
	task := skillText{has: map[string]bool{}}
	for _, t := range words {
		if task.has[t.term] {
			continue
		}
		task.has[t.term] = true
		task.terms = append(task.terms, t.term)
		if p.vocabulary[t.term] {
			f.Words = append(f.Words, t.word)
			if !t.light {
				f.mass += w.of(t.term)
			}
		}
	}
	total := w.sum(task.terms, nil)
	if total == 0 { // not a word to go by
		return f
	}
	f.daily = w.sum(task.terms, func(t string) bool { return w.daily[t] && !p.vocabulary[t] }) / total
	f.Covered = w.sum(task.terms, func(t string) bool { return p.vocabulary[t] }) / total
	for i := range p.examples {
		if n := near(&task, total, &p.examples[i], w); n > f.Near {
			f.Near, f.Example = n, p.examples[i].text
		}
	}
	for i := range p.notFor {
		not := &p.notFor[i]
		n := near(&task, total, not, w)
		// What the skill speaks of itself is no reason against it, unless the task is clearly nearer.
		new := slices.ContainsFunc(not.terms, func(t string) bool {
			return task.has[t] && !p.vocabulary[t] && !w.light[t] && !strings.HasPrefix(t, "?")
		})
		if asksOtherwise(&task, not) { // "why is it empty when I call X" is no "who calls X"
			new = false
		}
		if n > f.Against {
			f.Against, f.NotFor = n, not.text
		}
		f.Denied = f.Denied || n > f.Near && (new || n > clearlyNearer*(f.Near+f.Covered)/2)
	}
	f.Score = score(f.Evidence())
	return f
}

// Evidence is what a score is made of, in the order of scoreWeights.
func (f *Fit) Evidence() [4]float64 {
	return [4]float64{f.Wish, f.Near, min(f.mass/fullMass, 1), f.daily}
}

// A score is the probability that a task is a skill's, by a logistic regression over all pairs of labelled tasks and shipped skills. They are about one
// skill and one task each, so that they hold for any skill. TestSelectionByAuthor fits them, and tells what the regression does with tasks of others.
var (
	scoreBias    = -2.6
	scoreWeights = [4]float64{7.2, 3.5, 2.1, -2.5}
)

const fullMass = 9.0 // of about four rare words: more of them say no more

func score(x [4]float64) float64 {
	z := scoreBias
	for i := range x {
		z += scoreWeights[i] * x[i]
	}
	return 1 / (1 + math.Exp(-z))
}

// asksOtherwise reports that both texts ask with words of questions, and with none in common.
func asksOtherwise(a, b *skillText) bool {
	asks := func(t *skillText) (out []string) {
		for _, term := range t.terms {
			if strings.HasPrefix(term, "?") {
				out = append(out, term)
			}
		}
		return out
	}
	x, y := asks(a), asks(b)
	return len(x) > 0 && len(y) > 0 && !slices.ContainsFunc(x, func(t string) bool { return slices.Contains(y, t) })
}

// near is the cosine of the task and a text, over the weights of their terms.
func near(task *skillText, total float64, t *skillText, w *weights) float64 {
	shared := w.sum(t.terms, func(term string) bool { return task.has[term] })
	if shared == 0 {
		return 0
	}
	return shared / math.Sqrt(total*w.sum(t.terms, nil))
}
