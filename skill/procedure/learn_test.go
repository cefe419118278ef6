package procedure

import (
	"bytes"
	"cmp"
	"compress/gzip"
	"os"
	"slices"
	"sync"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill/internal/bayes"
)

// How the model is learned. The numbers were chosen by leaving authors out (TestQualityLabelled, TestQualityBans).
const (
	pseudoCount     = 0.1
	independent     = 0.5 // part of the evidence of words that counts in naive Bayes,
	ofSentence      = 0.2 // and in whole sentences
	regression      = 0.5 // part of logistic regression,
	ofCircumstances = 0.8 // and where conditions and repetitions are told
)

// TestModel learns the model from the texts in testdata, and compares it with the one that is compiled in, or writes that with -update. Processors round differently.
func TestModel(t *testing.T) {
	need.NoRace(t)
	m := learn(t)
	var b []byte
	for _, part := range m.parts() {
		b = (*part).Append(b)
	}
	if golden.Updating() {
		var file bytes.Buffer
		z, err := gzip.NewWriterLevel(&file, gzip.BestCompression)
		if err == nil {
			_, err = z.Write(b)
		}
		if err = cmp.Or(err, z.Close()); err == nil {
			err = os.WriteFile("model.gz", file.Bytes(), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
		return
	}
	for i, part := range shipped().parts() {
		if other, far := (*part).Differs(*m.parts()[i]); far > 2 {
			t.Errorf("model %d differs from what is learned at %q by %d units: go test ./skill/procedure -run TestModel -update", i, other, far)
		}
	}
}

// learn learns from all authors but some.
func learn(t *testing.T, without ...string) *model {
	t.Helper()
	l := corpus(t)
	kinds := slices.DeleteFunc(slices.Clone(l.kinds), func(k kindExample) bool { return slices.Contains(without, k.by) })
	bans := slices.DeleteFunc(slices.Clone(l.bans), func(b ban) bool { return slices.Contains(without, b.author) })
	m := &model{}
	var wg sync.WaitGroup
	wg.Go(func() { m.kinds = learnKinds(kinds) })
	wg.Go(func() { m.sentences, m.roles = learnSentences(bans), learnRoles(bans, l.phrases) })
	wg.Go(func() { m.acts, m.lifts = learnParts(bans, kinds, l.phrases) })
	wg.Go(func() { m.conditions, m.repetitions = learnCircumstances(kinds) })
	wg.Wait()
	return m
}

func learnKinds(kinds []kindExample) *bayes.Linear {
	var examples []bayes.Example
	for _, k := range kinds {
		examples = append(examples, bayes.Example{Class: k.kind, Terms: append(kindTerms(k.text), k.tags...)})
	}
	return bayes.LearnLinear(examples, pseudoCount, independent, regression)
}

func learnCircumstances(kinds []kindExample) (conditions, repetitions *bayes.Linear) {
	var whens, loops []bayes.Example
	for _, k := range kinds {
		if k.circumstances != nil {
			when, loop := isAlways, isOnce
			if k.when {
				when = isConditional
			}
			if k.loop {
				loop = isRepeated
			}
			whens, loops = append(whens, bayes.Example{Class: when, Terms: k.circumstances}), append(loops, bayes.Example{Class: loop, Terms: k.circumstances})
		}
	}
	return bayes.LearnLinear(whens, pseudoCount, independent, ofCircumstances), bayes.LearnLinear(loops, pseudoCount, independent, ofCircumstances)
}

func learnSentences(bans []ban) *bayes.Linear {
	var examples []bayes.Example
	for _, b := range bans {
		class := b.label
		if _, _, ok := b.kinds(); ok {
			class = isGuard
		}
		examples = append(examples, bayes.Example{Class: class, Terms: sentenceTerms(b.text())})
	}
	return bayes.LearnLinear(examples, pseudoCount, ofSentence, regression)
}

func learnRoles(bans []ban, phrases []phrase) *bayes.Linear {
	var examples []bayes.Example
	add := func(role, text string) {
		examples = append(examples, bayes.Example{Class: role, Terms: kindTerms(text)})
	}
	for _, b := range bans {
		if b.condition != "" {
			add(isAct, b.act)
			add(isCondition, b.condition)
		}
	}
	for _, p := range phrases {
		switch p.form {
		case isThing:
			add(isAct, p.text)
		case isState:
			add(isCondition, p.text)
		}
	}
	return bayes.LearnLinear(examples, pseudoCount, independent, regression) // it is cut where this says so, and learned again from that
}

func learnParts(bans []ban, kinds []kindExample, phrases []phrase) (ofAct, ofCondition *bayes.Linear) {
	var acts, conditions []bayes.Example
	add := func(to *[]bayes.Example, kind, text string) {
		if kind != noStep && kind != string(Stop) {
			*to = append(*to, bayes.Example{Class: kind, Terms: partTerms(text)})
		}
	}
	for _, b := range bans {
		deny, until, _ := b.kinds()
		for _, k := range deny {
			add(&acts, string(k), b.act)
		}
		for _, k := range until {
			add(&conditions, string(k), untied(b.condition))
		}
	}
	// What is forbidden, and a condition that has been met, are told in the words of a step.
	for _, k := range kinds {
		if k.by != "phrases" {
			add(&acts, k.kind, k.text)
			add(&conditions, k.kind, k.text)
		}
	}
	for _, p := range phrases {
		if p.form != isState {
			add(&acts, p.kind, p.text)
		}
		if p.form != isThing {
			add(&conditions, p.kind, p.text)
		}
	}
	return bayes.LearnLinear(acts, pseudoCount, independent, regression), bayes.LearnLinear(conditions, pseudoCount, independent, regression)
}
