package selection

import (
	"embed"
	"fmt"
	"io/fs"
	"math"
	"path"
	"slices"
	"strings"
	"sync"

	"github.com/findspot/findspot/skill/internal/bayes"
)

// A LabelledTask is a task with the wish that it states.
type LabelledTask struct {
	Author string // the file of wishes/ that it is from
	Wish   string // named after the shipped skill that does it, or "none"
	Task   string
}

//go:embed wishes/*.tsv
var wishFiles embed.FS

// LabelledTasks gives the tasks that wishes are learned from, by author.
func LabelledTasks() (out []LabelledTask, err error) {
	names, err := fs.Glob(wishFiles, "wishes/*.tsv")
	if err != nil {
		return nil, err
	}
	for _, name := range names {
		data, err := wishFiles.ReadFile(name)
		if err != nil {
			return nil, err
		}
		author := strings.TrimSuffix(path.Base(name), ".tsv")
		for line := range strings.Lines(string(data)) {
			line = strings.TrimRight(line, "\r\n")
			if line == "" || strings.HasPrefix(line, "#") {
				continue
			}
			wish, task, ok := strings.Cut(line, "\t")
			if !ok {
				return nil, fmt.Errorf("%s: no tab in %q", name, line)
			}
			out = append(out, LabelledTask{author, wish, strings.ReplaceAll(task, `\n`, "\n")})
		}
	}
	return out, nil
}

// Wishes tell what a text wants done, by words alone: by the words and pairs of neighbours of labelled tasks. One of the wishes is to have none of the others. Wishes
// are read-only.
type Wishes struct {
	model   *bayes.Model
	initial map[byte][]string // words that are frequent enough for others to be slips of them, by first letter, sorted
}

const noWish = "none"

// They were chosen by leaving out one author after the other (TestSelectionByAuthor).
const (
	pseudoCount = 0.3 // of each term under each wish
	independent = 0.5 // neighbouring words are no independent evidence: the part of it that counts
	decided     = 6.0 // log odds from which on a wish is certain
	stem        = 6   // letters of a longer word that count as another one: its forms, and its kin in other languages, mostly share them
	familiar    = 3   // tasks with a word, for another word to be a slip of it
	shortSlip   = 5   // letters of the shortest word that may be a slip
)

// shippedWishes are learned from all labelled tasks, when they are first needed.
var shippedWishes = sync.OnceValue(func() *Wishes {
	tasks, err := LabelledTasks()
	if err != nil {
		panic(err) // the files are compiled in, and a test reads them
	}
	return LearnWishes(tasks)
})

// LearnWishes learns wishes from labelled tasks.
func LearnWishes(tasks []LabelledTask) *Wishes {
	var examples []bayes.Example
	count := map[string]int{}
	for _, t := range tasks {
		ex := bayes.Example{Class: t.Wish, Terms: wishTerms(t.Task, false, nil)}
		examples = append(examples, ex)
		for _, term := range ex.Terms {
			count[term]++
		}
	}
	w := &Wishes{model: bayes.Learn(examples, pseudoCount), initial: map[byte][]string{}}
	for term, n := range count {
		if n >= familiar && len(term) >= shortSlip && !strings.ContainsAny(term, " ~‹") {
			w.initial[term[0]] = append(w.initial[term[0]], term)
		}
	}
	for _, words := range w.initial {
		slices.Sort(words)
	}
	return w
}

// of gives how probable each wish is in a text.
func (w *Wishes) of(text string, own bool) []float64 {
	return w.model.Of(wishTerms(text, own, w), independent)
}

// wished gives the mean wish of a skill's examples, and of all tasks for a skill without examples.
func (w *Wishes) wished(examples []skillText) []float64 {
	if len(examples) == 0 {
		return w.model.Prior
	}
	sum := make([]float64, len(w.model.Prior))
	for _, ex := range examples {
		for c, p := range w.of(ex.text, true) {
			sum[c] += p / float64(len(examples))
		}
	}
	return sum
}

// agree tells from -1 to 1 how well the wish of a task and that of a skill go together: the odds of each wish in the task, weighed by the square of the
// skill's, so that the wish of a skill with examples of several says little. To have none of the wishes, as a task of another field, speaks neither for nor against
// a skill of another field.
func (w *Wishes) agree(task, skill []float64) float64 {
	sum := 0.0
	for c, p := range task {
		if w.model.Classes[c] != noWish {
			sum += skill[c] * skill[c] * min(max(math.Log(p/(1-p))/decided, -1), 1)
		}
	}
	return sum
}

// slipOf gives the familiar word that a word is a slip of, or the word itself.
func (w *Wishes) slipOf(word string) string {
	for _, f := range w.initial[word[0]] {
		if nearWord(f, word) {
			return f
		}
	}
	return word
}

// wishTerms are the words of a text, as [wishWords] reads them, the beginnings of long ones, and the pairs of neighbours in a sentence, each once.
func wishTerms(s string, own bool, w *Wishes) (out []string) {
	seen, slips := map[string]bool{}, 0
	add := func(t string) {
		if !seen[t] {
			seen[t] = true
			out = append(out, t)
		}
	}
	for i, sentence := range taskSentences(s) {
		if i == maxSelectParts {
			break
		}
		last := "^"
		for _, word := range wishWords(sentence, own) {
			if w != nil && len(word) >= shortSlip && !w.model.Knows(word) && slips < maxSlips {
				word = w.slipOf(word)
				slips++
			}
			add(word)
			add(last + " " + word)
			if r := []rune(word); len(r) > stem && r[0] != '‹' {
				add(string(r[:stem]) + "~")
			}
			last = word
		}
		add(last + " $")
	}
	return out
}
