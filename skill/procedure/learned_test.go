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
}{{"first", 60}, {"second", 75}, {"third", 90}, {"fourth", 105}, {"fifth", 120}, {"sixth", 150}, {"seventh", 175}, {"eighth", 200}, {"ninth", 230}, {"tenth", 260}, {"eleventh", 290}, {"twelfth", 320}, {"thirteenth", 345}, {"fourteenth", 375}, {"fifteenth", 405}, {"sixteenth", 435}, {"seventeenth", 465}, {"eighteenth", 495},
	{"nineteenth", 525}, {"twentieth", 555}, {"twenty-first", 585}, {"twenty-second", 615}}

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

// TestKindsFile makes kinds.tsv with -update: of the labelled procedures, each clause with the kind of its label, and taught.tsv and orders.tsv. Which of the clauses of a line
// a label is about is told by their verbs at first, and then by what was learned with that.
func TestKindsFile(t *testing.T) {
	var b bytes.Buffer
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
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", file, kind, strings.Join(verbTags(text, startsWithVerb(text)), " "), text)
		}
	}
	taught := b.String()
	verbOnly := func(st *Step, k Kind) float64 {
		switch _, v, _ := verbOf(st.Text); {
		case v == k:
			return 30
		case st.orders:
			return 15
		}
		return 7
	}
	lines := taught + kindLines(t, verbOnly)
	m, err := learnKinds(lines, "")
	if err != nil {
		t.Fatal(err)
	}
	lines = taught + kindLines(t, func(st *Step, k Kind) float64 {
		i, _ := slices.BinarySearch(m.Classes, string(k))
		return 1 + 30*m.Of(append(kindTerms(st.Text), verbTags(st.Text, st.orders)...), independent)[i]
	})
	if want := []string{"answer", "approve", "callers", "check", noStep, "other", "plan", "read", "run", "search_code", "search_docs", "stop", "write"}; !slices.Equal(m.Classes, want) {
		t.Errorf("classes %q, want %q", m.Classes, want)
	}
	golden.Compare(t, "kinds.tsv", []byte(lines))
}

func kindLines(t *testing.T, score func(*Step, Kind) float64) string {
	var b strings.Builder
	for n := range learnedTexts() {
		text, want := labelledText(t, n)
		r := &Reading{}
		all, _ := r.candidates(text, shippedBans())
		kinds := align(all, want.Steps, score)
		var prev Kind
		for i, st := range all {
			tags := r.tags(all, i, prev)
			prev = cmp.Or(kinds[i], prev)
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", handOf(n), cmp.Or(kinds[i], noStep), strings.Join(tags, " "), strings.ReplaceAll(st.Text, "\t", " "))
		}
	}
	return b.String()
}

// align gives the clauses of each line the labels of that line, in their order, so that the sum of their scores is the greatest.
func align(all []Step, labels []labelledStep, score func(*Step, Kind) float64) (out []Kind) {
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
		alignLine(all[from:to], kinds, out[from:to], score)
		from = to
	}
	return out
}

func alignLine(all []Step, kinds, out []Kind, score func(*Step, Kind) float64) {
	best := make([][]float64, len(all)+1) // of the clauses from i on with the labels from j on
	for i := range best {
		best[i] = make([]float64, len(kinds)+1)
	}
	for i := len(all) - 1; i >= 0; i-- {
		for j := len(kinds) - 1; j >= 0; j-- {
			best[i][j] = max(best[i+1][j], best[i][j+1], best[i+1][j+1]+score(&all[i], kinds[j]))
		}
	}
	for i, j := 0, 0; i < len(all) && j < len(kinds); {
		switch best[i][j] {
		case best[i][j+1]:
			j++
		case best[i+1][j]:
			i++
		default:
			out[i] = kinds[j]
			i, j = i+1, j+1
		}
	}
}

// TestDecide: the labelled clauses tell which clauses are steps, and of which kind; an order is a step in any case.
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
		{"1. Frob the pump.\n2. Read the book.", shippedKinds(), []Kind{Other, ReadOne}}, // the form of an order
		{"1. Frob the pump.\n2. Read the book.", frob, []Kind{Run, ReadOne}},
		{"Frob pump and machine.", shippedKinds(), nil},
		{"Frob pump and machine.", frob, []Kind{Run}},
		{"The moon is one.", frob, nil},
		{"Do not frob the pump.", frob, nil},
		{"1. Write the code.", shippedKinds(), []Kind{Write}},
		{"1. Write the code.", learn(times(20, "a\tplan\t\twrite the code")...), []Kind{Plan}},
		{"1. Write the code.", learn(times(200, "a\tnone\t\twrite the code")...), []Kind{Other}}, // an order is not lost
		{"- [ ] the door is shut", shippedKinds(), []Kind{Other}},                                // nor what is to be ticked
	} {
		var got []Kind
		for _, st := range readWith(tt.text, 1, tt.kinds, shippedBans()).Steps {
			got = append(got, st.Kind)
		}
		if !slices.Equal(got, tt.want) {
			t.Errorf("%q: %v, want %v", tt.text, got, tt.want)
		}
	}
	if _, err := learnKinds("a\tread\tread the book", ""); err == nil {
		t.Error("no error for a line of three fields")
	}
}

func times(n int, line string) []string { return slices.Repeat([]string{line}, n) }

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
