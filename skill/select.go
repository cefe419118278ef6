package skill

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/bm25"
	"github.com/findspot/findspot/internal/text"
)

// SelectOptions change how a skill is chosen. The zero value means the defaults.
type SelectOptions struct {
	Name      string  // take the skill of this name
	Threshold float64 // share of the task's weight that must be known to the skill; 0 means 0.5
	Margin    float64 // how far the best must be before the second, as a share of the best; 0 means 0.1
}

// A Choice is the skill that fits a task.
type Choice struct {
	Skill  *Skill
	Score  float64        // 1 for a name or trigger, else the fit from 0 to 1
	Why    []string       // reasons, strongest first; also when nothing was chosen
	Inputs map[string]any // named groups of the trigger that matched
}

// Select chooses the skill for a task without a model: by name, by trigger, or by the words of descriptions and
// examples, from which the tasks a skill says it is not for are taken off. It chooses none when no skill fits well, or
// two fit alike; Why says so.
func Select(skills []*Skill, task string, o *SelectOptions) (Choice, bool) {
	opt := SelectOptions{}
	if o != nil {
		opt = *o
	}
	if opt.Threshold == 0 {
		opt.Threshold = 0.5
	}
	if opt.Margin == 0 {
		opt.Margin = 0.1
	}
	if opt.Name != "" {
		for _, s := range skills {
			if s.Name == opt.Name {
				return Choice{Skill: s, Score: 1, Why: []string{"named " + s.Name}, Inputs: s.match(task)}, true
			}
		}
		return Choice{Why: []string{fmt.Sprintf("no skill is named %q", opt.Name)}}, false
	}
	if len(task) > 1<<16 {
		task = task[:1<<16]
	}
	fits := rank(skills, task)
	var hit *fit
	for i := range fits {
		f := &fits[i]
		if f.trigger == "" || f.denied {
			continue
		}
		if hit != nil && hit.skill != f.skill {
			return Choice{Why: []string{fmt.Sprintf("triggers of %s and %s both match", hit.skill.Name, f.skill.Name)}}, false
		}
		hit = f
	}
	if hit != nil {
		return Choice{Skill: hit.skill, Score: 1, Inputs: hit.inputs, Why: []string{fmt.Sprintf("trigger %s of %s matches", hit.trigger, hit.skill.Name)}}, true
	}
	var why []string
	for i, f := range fits {
		if i < 5 && f.score > 0 {
			why = append(why, fmt.Sprintf("%s: fit %.2f (%s)", f.skill.Name, f.score, strings.Join(f.words, " ")))
		}
	}
	switch {
	case len(fits) == 0 || fits[0].score == 0:
		return Choice{Why: append(why, "no skill shares a word with the task")}, false
	case fits[0].denied:
		return Choice{Score: fits[0].score, Why: append(why, fits[0].skill.Name+" says it is not for this")}, false
	case fits[0].score < opt.Threshold:
		return Choice{Score: fits[0].score, Why: append(why, fmt.Sprintf("the best is under %.2f", opt.Threshold))}, false
	case len(fits) > 1 && fits[1].score > fits[0].score*(1-opt.Margin):
		return Choice{Score: fits[0].score, Why: append(why, "the first two are too close")}, false
	}
	return Choice{Skill: fits[0].skill, Score: fits[0].score, Inputs: map[string]any{}, Why: why}, true
}

// match returns the named groups of the first trigger that matches.
func (s *Skill) match(task string) map[string]any {
	_, in := s.triggered(task)
	return in
}

func (s *Skill) triggered(task string) (string, map[string]any) {
	for i, re := range s.triggers {
		m := re.FindStringSubmatch(task)
		if m == nil {
			continue
		}
		in := map[string]any{}
		for g, name := range re.SubexpNames() {
			if name != "" && m[g] != "" {
				in[name] = m[g]
			}
		}
		return s.Triggers[i], in
	}
	return "", map[string]any{}
}

type fit struct {
	skill   *Skill
	score   float64
	denied  bool // nearer to a task it is not for
	trigger string
	inputs  map[string]any
	words   []string
}

// rank scores every skill, best first, ties by name. The score is the BM25 of the task against the skill's nearest
// text, as a share of what a text would get that held every word of the task, so that it means the same for short and
// long tasks. Words that no skill knows count as rare ones: they are why a task is out of scope.
func rank(skills []*Skill, task string) []fit {
	terms := slices.Compact(slices.Sorted(slices.Values(text.Terms(task))))
	type entry struct {
		skill int
		not   bool
	}
	ix := bm25.New()
	var entries []entry
	df := map[string]int{}
	put := func(e entry, s string) {
		ts := text.Terms(s)
		ix.Add(ts)
		entries = append(entries, e)
		for t := range maps.Keys(setOf(ts)) {
			df[t]++
		}
	}
	vocab := make([]map[string]bool, len(skills))
	for i, s := range skills {
		put(entry{i, false}, strings.ReplaceAll(s.Name, "-", " ")+" "+s.Description)
		vocab[i] = setOf(text.Terms(strings.ReplaceAll(s.Name, "-", " ") + " " + s.Description + " " + strings.Join(s.Examples, " ")))
		for _, ex := range s.Examples {
			put(entry{i, false}, ex)
		}
		for _, ex := range s.NotFor {
			put(entry{i, true}, ex)
		}
	}
	best, against := make([]float64, len(skills)), make([]float64, len(skills))
	for _, h := range ix.Search(terms, len(entries), nil) {
		e := entries[h.Doc]
		if e.not {
			against[e.skill] = max(against[e.skill], h.Score)
		} else {
			best[e.skill] = max(best[e.skill], h.Score)
		}
	}
	idf := func(t string) float64 { return math.Log(1 + (float64(len(entries)-df[t])+0.5)/(float64(df[t])+0.5)) }
	total := 0.0
	for _, t := range terms {
		total += idf(t)
	}
	out := make([]fit, len(skills))
	for i, s := range skills {
		f := fit{skill: s, inputs: map[string]any{}}
		known := 0.0
		for _, t := range terms {
			if vocab[i][t] {
				known += idf(t)
				f.words = append(f.words, t)
			}
		}
		if total > 0 && best[i] > 0 {
			f.score = known / total
		}
		f.denied = against[i] > best[i]
		f.trigger, f.inputs = s.triggered(task)
		out[i] = f
	}
	slices.SortStableFunc(out, func(a, b fit) int {
		switch {
		case a.score != b.score:
			if a.score > b.score {
				return -1
			}
			return 1
		}
		return strings.Compare(a.skill.Name, b.skill.Name)
	})
	return out
}

func setOf(ts []string) map[string]bool {
	out := map[string]bool{}
	for _, t := range ts {
		out[t] = true
	}
	return out
}
