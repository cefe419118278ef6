package procedure

import (
	"testing"

	"github.com/findspot/findspot/skill/internal/bayes"
)

// TestLoops: what is to be done several times, and what speaks of each of something and is done once.
func TestLoops(t *testing.T) {
	for text, want := range map[string]bool{
		"1. Search the papers until at least three sources agree.":              true,
		"1. For each paper, read the methods.":                                  true,
		"1. Read each paper.":                                                   true,
		"1. Read every paper and write down the dose.":                          true,
		"1. Correct it and run the tests again until they pass.":                true,
		"1. Run the tests twice.":                                               true,
		"1. Run the benchmark five times.":                                      true,
		"1. Correct it and simulate again, at most three rounds.":               true,
		"1. Repeat the search until nothing new turns up.":                      true,
		"1. Go through the modules one by one: convert, run the tests, commit.": true,
		"1. Take the entries one at a time and check them.":                     true,
		"1. As long as tests fail, correct the code.":                           true,
		"1. Look up each column in the dictionary.":                             true,
		"1. Find every paper on the drug.":                                      false,
		"1. Search the repository for every API that was removed.":              false,
		"1. Check that each value has a source.":                                false,
		"1. Report each finding with its page.":                                 false,
		"1. Search the papers.":                                                 false,
	} {
		steps := Read(text, 1).Steps
		if len(steps) == 0 {
			t.Errorf("%q: no steps", text)
		}
		for _, st := range steps {
			if st.Loop != want {
				t.Errorf("%q: %q is repeated: %v", text, st.Text, st.Loop)
			}
		}
	}
	var got []bool
	for _, st := range Read("1. Get the list.\n2. For each component:\n   - read the licence;\n   - compare the text.\n3. Report it.\n\nRead the manual.", 1).Steps {
		got = append(got, st.Loop)
	}
	if len(got) != 5 || got[0] || !got[1] || !got[2] || got[3] || got[4] {
		t.Errorf("below an item with each: %v", got)
	}
}

// TestConditions: conditions before a comma or a colon, as a question, and after so many rounds.
func TestConditions(t *testing.T) {
	for text, want := range map[string]string{
		"1. If nothing is found, stop.":                    "If nothing is found",
		"1. If it has no build for the target: stop here.": "If it has no build for the target",
		"1. Not in the manual? Ask the vendor.":            "Not in the manual",
		"1. After five failed rounds, stop.":               "After five failed rounds",
		"1. no hit → stop":                                 "no hit",
		"1. Stop if the sums differ.":                      "if the sums differ",
		"1. The server is restarted if the log is empty.":  "if the log is empty",
		"1. The tests are run when it arrives.":            "", // a time
		"1. The clerk verifies if the sums agree.":         "",
		"1. Search the papers: they are on the drive.":     "",
	} {
		if steps := Read(text, 1).Steps; len(steps) != 1 || steps[0].Condition != want {
			t.Errorf("%q: %+v, want one under %q", text, steps, want)
		}
	}
}

// TestCircumstances: what was learned adds a condition that the grammar does not see, as what stands before the clause or else its sentence, and drops none.
func TestCircumstances(t *testing.T) {
	var rain []bayes.Example
	for range 20 {
		rain = append(rain, bayes.Example{Class: isConditional, Terms: []string{"rain", "<rain"}}, bayes.Example{Class: isAlways, Terms: []string{"sun"}})
	}
	m := *shipped()
	m.conditions = bayes.LearnLinear(rain, pseudoCount, independent, ofCircumstances)
	for _, tt := range []struct{ sentence, text, condition, want string }{
		{"Rain: stay in", "stay in", "", "Rain"},
		{"The rain keeps her in", "keep in the rain", "", "The rain keeps her in"}, // the sentence does not have the clause as it stands
		{"Read the rain gauge", "Read the rain gauge", "", "Read the rain gauge"},
		{"In the sun, read it", "In the sun, read it", "In the sun", "In the sun"}, // what the grammar read stays
	} {
		steps := []Step{{Sentence: tt.sentence, Text: tt.text, Condition: tt.condition}}
		if m.circumstances(steps); steps[0].Condition != tt.want {
			t.Errorf("%q: under %q, want %q", tt.sentence, steps[0].Condition, tt.want)
		}
	}
}
