package skill

import (
	"bytes"
	"fmt"
	"math"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill/internal/selection"
)

// TestSelectionByAuthor leaves out one author after the other: wishes are learned from the tasks of all others, and counted is what becomes of his. The
// development files are by one author, and taught.tsv, by one who had read all the others, is never counted. The last line has the weights of the score
// that fit best to what is so known of each task; those of the package give a little more to the words of a skill itself, which is all that is known of one that is not shipped.
func TestSelectionByAuthor(t *testing.T) {
	skills, err := Load(os.DirFS("library"))
	if err != nil {
		t.Fatal(err)
	}
	byAuthor := map[string][]selection.LabelledTask{}
	var all []selection.LabelledTask
	tasks, err := selection.LabelledTasks()
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range tasks {
		l.Author = strings.TrimRight(l.Author, "2")
		all = append(all, l)
		if l.Author != "taught" {
			byAuthor[l.Author] = append(byAuthor[l.Author], l)
		}
	}
	var authors []string
	for a := range byAuthor {
		authors = append(authors, a)
	}
	slices.Sort(authors)
	var b bytes.Buffer
	var sum selectionCount
	var pairs []selectionPair
	for _, a := range authors {
		w := selection.LearnWishes(slices.DeleteFunc(slices.Clone(all), func(l selection.LabelledTask) bool { return l.Author == a }))
		var profiles []*selection.Profile
		for _, s := range skills {
			profiles = append(profiles, selection.NewProfileBy(w, s.texts()))
		}
		var n selectionCount
		for _, l := range byAuthor[a] {
			fits, chosen := selection.Choose(profiles, l.Task, DefaultThreshold, DefaultMargin)
			got := "none"
			if chosen >= 0 {
				got = skills[fits[chosen].Skill].Name
			}
			n.add(l.Wish, got)
			for _, f := range fits {
				pairs = append(pairs, selectionPair{f.Evidence(), skills[f.Skill].Name == l.Wish})
			}
			if got != l.Wish {
				t.Logf("%s: %.120q = %s, want %s", a, l.Task, got, l.Wish)
			}
		}
		fmt.Fprintf(&b, "%s: %v\n", a, n)
		sum = selectionCount{sum.tasks + n.tasks, sum.right + n.right, sum.outside + n.outside, sum.chosen + n.chosen}
	}
	fmt.Fprintf(&b, "all: %v\nweights: %.1f\n", sum, fitScore(pairs))
	golden.Compare(t, "testdata/select/authors.txt", b.Bytes())
}

type selectionCount struct{ tasks, right, outside, chosen int }

func (n *selectionCount) add(want, got string) {
	n.tasks++
	if got == want {
		n.right++
	}
	if want == "none" {
		n.outside++
		if got != "none" {
			n.chosen++
		}
	}
}

func (n selectionCount) String() string {
	return fmt.Sprintf("%d tasks, %d right (%.1f %%); of %d for no skill %d chosen (%.1f %%)", n.tasks, n.right, 100*float64(n.right)/float64(n.tasks), n.outside, n.chosen, 100*float64(n.chosen)/float64(n.outside))
}

// A selectionPair is the evidence of a task and a skill, and whether the skill is right for it.
type selectionPair struct {
	x     [4]float64
	right bool
}

// fitScore fits a logistic regression by gradient descent, its bias last.
func fitScore(pairs []selectionPair) (w [5]float64) {
	for range 3000 {
		var g [5]float64
		for _, p := range pairs {
			z := w[4]
			for i, x := range p.x {
				z += w[i] * x
			}
			d := 1 / (1 + math.Exp(-z))
			if p.right {
				d--
			}
			for i, x := range p.x {
				g[i] += d * x
			}
			g[4] += d
		}
		for i := range w {
			w[i] -= 4 * (g[i] + .1*w[i]) / float64(len(pairs))
		}
	}
	return w
}
