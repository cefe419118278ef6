package procedure

import (
	"bytes"
	"cmp"
	"fmt"
	"iter"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/skill/internal/bayes"
)

// hands are the authors of the labelled procedures, by the last that each wrote.
var hands = []struct {
	name string
	last int
}{{"first", 60}, {"second", 75}, {"third", 90}, {"fourth", 105}, {"fifth", 120}, {"sixth", 150}, {"seventh", 175}}

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
const unseen = "seventh"

// TestKindsFile makes kinds.tsv with -update: of the labelled procedures, each clause with the kind of its label; orders.tsv, with which the rules
// were made, too; and taught.tsv, which they had not seen. What they read in what they were made with says nothing about what they read elsewhere, and is left out.
func TestKindsFile(t *testing.T) {
	var b bytes.Buffer
	for n := range learnedTexts() {
		text, want := labelledText(t, n)
		r := readWith(text, 1, nil, shippedBans())
		all := candidates(r)
		kinds := align(all, want.Steps)
		for i, st := range all {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", handOf(n), cmp.Or(kinds[i], noStep), strings.Join(tags(r, all, i, n > lastRead), " "), strings.ReplaceAll(st.Text, "\t", " "))
		}
	}
	for _, file := range []string{"taught", "orders"} {
		data, err := os.ReadFile("testdata/" + file + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			kind, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !ok {
				t.Fatalf("%s.tsv: no tab in %q", file, line)
			}
			var tags []string
			if file == "taught" {
				steps, _ := stepsOf(sentence{text: text, item: true, listed: true})
				tags = ruleTags(slices.Concat(steps, []Step{{}})[0].Kind)
			}
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", file, kind, strings.Join(tags, " "), text)
		}
	}
	m, err := learnKinds(b.String(), "")
	if err != nil {
		t.Fatal(err)
	}
	if want := []string{"answer", "approve", "callers", "check", noStep, "other", "plan", "read", "run", "search_code", "search_docs", "stop", "write"}; !slices.Equal(m.Classes, want) {
		t.Errorf("classes %q, want %q", m.Classes, want)
	}
	golden.Compare(t, "kinds.tsv", b.Bytes())
}

// align gives the clauses of each line the labels of that line, in their order and so that as many as can be agree.
func align(all []Step, labels []labelledStep) (out []Kind) {
	out = make([]Kind, len(all))
	for from := 0; from < len(all); {
		to := from
		for to < len(all) && all[to].Line == all[from].Line {
			to++
		}
		var kinds []Kind
		for _, l := range labels {
			if l.Line == all[from].Line {
				kinds = append(kinds, l.Kind)
			}
		}
		alignLine(all[from:to], kinds, out[from:to])
		from = to
	}
	return out
}

func alignLine(all []Step, kinds, out []Kind) (score int) {
	if len(all) == 0 || len(kinds) == 0 {
		return 0
	}
	best := []Kind(nil)
	for i := -1; i < len(kinds); i++ { // the first clause has no label, or the i-th
		rest, s := make([]Kind, len(all)), 0
		if i >= 0 {
			rest[0] = kinds[i]
			switch all[0].Kind {
			case kinds[i]:
				s = 30
			case "":
				s = 7
			default:
				s = 15
			}
		}
		if s += alignLine(all[1:], kinds[i+1:], rest[1:]); best == nil || s > score {
			best, score = rest, s
		}
	}
	copy(out, best)
	return score
}

// TestDecide: what the rules do not know, or read otherwise, the labelled clauses tell; approvals are never taken away.
func TestDecide(t *testing.T) {
	learn := func(more ...string) *bayes.Model {
		m, err := learnKinds(strings.Join(append(more, "a\tnone\t\tthe moon is one", "a\tread\t\tread the book", "a\trun\t\trun it"), "\n"), "")
		if err != nil {
			t.Fatal(err)
		}
		return m
	}
	frob := learn("a\trun\t\tfrob the machine", "a\trun\t\tfrob the pump", "a\trun\t\tponder the pump")
	for _, tt := range []struct {
		text  string
		kinds *bayes.Model
		want  []Kind
	}{
		{"1. Frob the pump, which is red.\n2. Read the book.", nil, []Kind{ReadOne}},
		{"1. Frob the pump, which is red.\n2. Read the book.", frob, []Kind{Run, ReadOne}},
		{"Frob pump and machine.", nil, nil},
		{"Frob pump and machine.", frob, []Kind{Run}},
		{"The moon is red.", frob, nil},
		{"1. Write the code.", nil, []Kind{Write}},
		{"1. Write the code.", learn(repeated3("a\tplan\t\twrite the code")...), []Kind{Plan}},
		{"1. Write the code.", learn(repeated3("a\tnone\t\twrite the code")...), []Kind{Other}}, // an order is not lost
		{"1. Get the approval of the owner.", learn(repeated3("a\tread\t\tget the approval of the owner")...), []Kind{Approve}},
	} {
		var got []Kind
		for _, st := range readWith(tt.text, 1, tt.kinds, shippedBans()).Steps {
			got = append(got, st.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
	if r := readWith(strings.Repeat("1. Read the book.\nFrob pump and machine.\n\n", 100), 1, frob, shippedBans()); len(r.Steps) != maxSteps || r.Steps[maxSteps-1].Kind != ReadOne {
		t.Errorf("%d steps, want all orders and as many others as have room", len(r.Steps))
	}
	if _, err := learnKinds("a\tread\tread the book", ""); err == nil {
		t.Error("no error for a line of three fields")
	}
}

func repeated3(line string) []string { return []string{line, line, line} }

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
