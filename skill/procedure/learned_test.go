package procedure

import (
	"bytes"
	"cmp"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
)

// hands are the authors of the labelled procedures, by the last that each wrote.
var hands = []struct {
	name string
	last int
}{{"first", 60}, {"second", 75}, {"third", 90}, {"fourth", 105}}

func handOf(n int) string {
	return hands[slices.IndexFunc(hands, func(h struct {
		name string
		last int
	}) bool {
		return n <= h.last
	})].name
}

// TestKindsFile makes kinds.tsv with -update: of the labelled procedures, each clause with the kind of its label; orders.tsv, with which the rules
// were made, too; and taught.tsv, which they had not seen. What they read in what they were made with says nothing about what they read elsewhere, and is left out.
func TestKindsFile(t *testing.T) {
	var b bytes.Buffer
	for n := 1; n <= hands[len(hands)-1].last; n++ {
		text, want := labelledText(t, n)
		r := readWith(text, 1, nil)
		all := r.candidates()
		kinds := align(all, want.Steps)
		for i, st := range all {
			fmt.Fprintf(&b, "%s\t%s\t%s\t%s\n", handOf(n), cmp.Or(kinds[i], noStep), strings.Join(r.tags(all, i, n > lastRead), " "), strings.ReplaceAll(st.Text, "\t", " "))
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

// TestDecide: what the rules leave open, clear words decide.
func TestDecide(t *testing.T) {
	for text, want := range map[string]Kind{
		"1. Search the papers.\n2. Acquaint yourself with the best of them.\n3. Report the result.": ReadOne,
	} {
		if got := Read(text, 1).Steps[1].Kind; got != want {
			t.Errorf("%q: %s, want %s", text, got, want)
		}
	}
}
