package skill

import (
	"cmp"
	"fmt"
	"strings"
	"sync"

	"github.com/findspot/findspot/skill/internal/selection"
)

// SelectOptions change how a skill is chosen. The zero value means the defaults.
type SelectOptions struct {
	Name      string  // take the skill of this name
	Threshold float64 // least score, from 0 to 1; 0 means DefaultThreshold
	Margin    float64 // how far the best must be before the second, as a share of the best; 0 means DefaultMargin
}

// What [Select] takes when its options say nothing: a skill must be more probable than not. They were chosen by leaving out one author of labelled tasks after the other.
const (
	DefaultThreshold = 0.5
	DefaultMargin    = 0.03
)

func (o *SelectOptions) withDefaults() SelectOptions {
	opt := SelectOptions{}
	if o != nil {
		opt = *o
	}
	opt.Threshold = cmp.Or(opt.Threshold, DefaultThreshold)
	opt.Margin = cmp.Or(opt.Margin, DefaultMargin)
	return opt
}

// A Choice is the skill that fits a task.
type Choice struct {
	Skill  *Skill
	Score  float64        // 1 for a name or trigger, else the fit from 0 to 1
	Why    []string       // reasons, strongest first; also when nothing was chosen
	Inputs map[string]any // named groups of the triggers that match
	Fits   []Fit          // every skill, best first, ties by name; nil when a name was given
}

// A Fit is what speaks for and against one skill, for a task.
type Fit struct {
	Skill    *Skill
	Score    float64        // from 0 to 1: how probable it is that the task is for the skill, from Wish, Near and the weight of Words
	Covered  float64        // share of the task's weight that the skill's texts know
	Near     float64        // how near the nearest example is
	Example  string         // that example
	Words    []string       // of the task, that the skill shares with it, in order
	Trigger  string         // the trigger that matches, or empty
	Inputs   map[string]any // named groups of the triggers that match
	Wish     float64        // from -1, the task wants something else done than the skill's examples, to 1, it wants the same
	NotFor   string         // the nearest task that the skill is not for, or empty
	Against  float64        // how near that one is
	Denied   bool           // a task it is not for is nearer than every example
	Decision string         // chosen, or why not
}

// Select chooses the skill for a task without a model: by name, by trigger, or by words. By words, it estimates for each skill how probable it is that the
// task is for it, from what the task wants done compared with what the skill's examples want, from its nearest example, and from the words that they share. What texts
// want is learned from some 1,600 labelled tasks about papers, specifications and code, which are compiled in; a skill of another field is told by its words alone. A task that is
// nearer to one that a skill says it is not for denies that skill. It chooses none when no skill is probable enough, or two are alike; Why says so. What
// looks at words alone can be wrong: [SelectWith] asks a model.
func Select(skills []*Skill, task string, o *SelectOptions) (Choice, bool) {
	opt := o.withDefaults()
	if opt.Name != "" {
		for _, s := range skills {
			if s.Name == opt.Name {
				_, in := selection.Triggered(s.triggers, task)
				return Choice{Skill: s, Score: 1, Why: []string{"named " + s.Name}, Inputs: in}, true
			}
		}
		return Choice{Why: []string{fmt.Sprintf("no skill is named %q", opt.Name)}}, false
	}
	profiles := make([]*selection.Profile, len(skills))
	for i, s := range skills {
		profiles[i] = s.profile()
	}
	fits, chosen := selection.Choose(profiles, task, opt.Threshold, opt.Margin)
	if len(fits) == 0 {
		return Choice{Fits: []Fit{}, Why: []string{"there are no skills"}}, false
	}
	c := Choice{Fits: make([]Fit, len(fits))}
	for i, f := range fits {
		c.Fits[i] = Fit{Skill: skills[f.Skill], Score: f.Score, Covered: f.Covered, Near: f.Near, Example: f.Example, Words: f.Words, Trigger: f.Trigger,
			Inputs: f.Inputs, Wish: f.Wish, NotFor: f.NotFor, Against: f.Against, Denied: f.Denied, Decision: f.Decision}
	}
	if chosen >= 0 {
		f := &c.Fits[chosen]
		c.Skill, c.Score, c.Inputs = f.Skill, f.Score, f.Inputs
		if f.Trigger != "" {
			c.Score = 1
			c.Why = []string{fmt.Sprintf("trigger %s of %s matches", f.Trigger, f.Skill.Name)}
		}
	}
	c.Score = max(c.Score, c.Fits[0].Score)
	for i, f := range c.Fits {
		if i < 5 && (f.Score > 0 || f.Trigger != "") {
			c.Why = append(c.Why, fmt.Sprintf("%s: fit %.2f (%s): %s", f.Skill.Name, f.Score, strings.Join(f.Words, " "), f.Decision))
		}
	}
	if len(c.Why) == 0 {
		c.Why = []string{"no skill shares a word with the task"}
	}
	return c, c.Skill != nil
}

// profileMemory holds the profile of a loaded skill, which is made when it is first asked for.
type profileMemory struct {
	once    sync.Once
	profile *selection.Profile
}

func (s *Skill) profile() *selection.Profile {
	if s.words == nil {
		return s.readProfile()
	}
	s.words.once.Do(func() { s.words.profile = s.readProfile() })
	return s.words.profile
}

func (s *Skill) readProfile() *selection.Profile { return selection.NewProfile(s.texts()) }

// texts are the skill's texts. Its glossaries and the queries that it adds hold the words of its topic.
func (s *Skill) texts() selection.Texts {
	t := selection.Texts{Name: s.Name, Description: s.Description, Examples: s.Examples, NotFor: s.NotFor, Triggers: s.triggers}
	if s.workflow == nil {
		return t
	}
	for st := range s.workflow.All() {
		if st.Expand == nil || st.Expand.Glossary == "" {
			continue
		}
		if data, err := s.Asset(st.Expand.Glossary); err == nil { // one that cannot be read is the run's to report
			for line := range strings.Lines(string(data)) {
				if !strings.HasPrefix(line, "#") {
					t.Topic = append(t.Topic, line)
				}
			}
		}
		for _, q := range st.Expand.Add {
			if !strings.Contains(q, "${") {
				t.Topic = append(t.Topic, q)
			}
		}
	}
	return t
}
