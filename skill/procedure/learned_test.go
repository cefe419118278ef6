package procedure

import (
	"slices"
	"strings"
	"testing"
)

// TestDecide: the labelled clauses tell which clauses are steps, and of which kind; an order is a step in any case.
func TestDecide(t *testing.T) {
	learn := func(more ...kindExample) *model { // from these, twice each, and orders
		all := phraseOrders(phrases(t))
		for _, ex := range append(more, kindExample{kind: noStep, text: "the moon is one"}, kindExample{kind: string(ReadOne), text: "read the book"}, run("run it")) {
			all = append(all, ex, ex)
		}
		m := *shipped()
		m.kinds = learnKinds(all)
		return &m
	}
	frob := learn(run("frob the machine"), run("frob the pump"), run("ponder the pump"))
	for _, tt := range []struct {
		text  string
		model *model
		want  []Kind
	}{
		{"1. Frob the pump.\n2. Read the book.", shipped(), []Kind{Other, ReadOne}}, // the form of an order
		{"1. Frob the pump.\n2. Read the book.", frob, []Kind{Run, ReadOne}},
		{"Frob pump and machine.", shipped(), nil},
		{"Frob pump and machine.", frob, []Kind{Run}},
		{"The moon is one.", frob, nil},
		{"Do not frob the pump.", frob, nil},
		{"1. Write the code.", shipped(), []Kind{Write}},
		{"1. Write the code.", learn(slices.Repeat([]kindExample{{kind: "plan", text: "write the code"}}, 20)...), []Kind{Plan}},
		{"1. Write the code.", learn(slices.Repeat([]kindExample{{kind: noStep, text: "write the code"}}, 200)...), []Kind{Other}}, // an order is not lost
		{"- [ ] the door is shut", shipped(), []Kind{Other}},                                                                       // nor what is to be ticked
	} {
		var got []Kind
		for _, st := range readWith(tt.text, 1, tt.model).Steps {
			got = append(got, st.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
}

func run(text string) kindExample { return kindExample{kind: string(Run), text: text} }

func TestKindTerms(t *testing.T) {
	for text, want := range map[string]string{
		"Read `a.go`, then RUN `x` 12 times": "read|^ read|‹file›|read ‹file›|then|‹file› then|run|then run|‹code›|run ‹code›|‹number›|‹code› ‹number›|times|‹number› times|times $",
		"Write, write, write":                "write|^ write|write write|write $",
		"understand it":                      "understand|^ understand|unders~|it|understand it|it $",
		"":                                   "^ $",
	} {
		if got := strings.Join(kindTerms(text), "|"); got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
