package main

import (
	"context"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"time"

	"github.com/findspot/findspot/skill/evidence"
)

func main() {
	dir := flag.String("dir", "docs/bench/proof/pairs", "folder of the pairs")
	missed := flag.Bool("missed", false, "print the wrong ones that are called supported, and the right ones that are called unsupported")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"fit", "fit2", "fit3", "fit4", "fit5", "fit6"}
	}
	if err := run(*dir, names, *missed); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

func run(dir string, names []string, missed bool) error {
	var pairs []pair
	for _, name := range names {
		more, err := readPairs(dir, name)
		if err != nil {
			return err
		}
		pairs = append(pairs, more...)
	}
	var took []time.Duration
	t := table{}
	for _, p := range pairs {
		start := time.Now()
		v, reason, err := verdict(p)
		if err != nil {
			return fmt.Errorf("%s: %w", p.ID, err)
		}
		took = append(took, time.Since(start))
		t.add(p, v)
		if missed && (p.Right && v == evidence.Unsupported || !p.Right && v == evidence.Supported) {
			fmt.Printf("%s (%s, right %v): %s %s\n  %s\n", p.ID, p.Kind, p.Right, v, reason, p.Sentence)
		}
	}
	slices.Sort(took)
	fmt.Print(t)
	fmt.Printf("\nmedian %v, 95 %% %v a sentence\n", took[len(took)/2].Round(time.Microsecond), took[len(took)*95/100].Round(time.Microsecond))
	return nil
}

// verdict judges a pair as an answer that cites its evidence.
func verdict(p pair) (evidence.Verdict, string, error) {
	led := evidence.NewLedger()
	var keys []string
	for _, e := range p.Evidence {
		kind := evidence.KindPassage
		if strings.HasPrefix(e.Text, "|") {
			kind = evidence.KindTable
		}
		keys = append(keys, led.Add(evidence.Item{Kind: kind, At: evidence.Place{Doc: e.Doc, Name: e.Doc}, Text: e.Text}).Key)
	}
	text := strings.TrimRight(p.Sentence, " ") + " [" + strings.Join(keys, ", ") + "]"
	judged, err := evidence.Judge(context.Background(), led, text, nil)
	if err != nil {
		return "", "", err
	}
	// A pair is one sentence; where it was cut in two, the worse verdict counts.
	worst := evidence.Supported
	reason := ""
	for _, j := range judged {
		if j.Verdict == evidence.Unsupported || j.Verdict == evidence.Undecided && worst == evidence.Supported {
			worst, reason = j.Verdict, j.Reason
		}
	}
	return worst, reason, nil
}

// A table counts verdicts by kind.
type table map[string]*[3]int

func (t table) add(p pair, v evidence.Verdict) {
	side := "wrong"
	if p.Right {
		side = "right"
	}
	for _, k := range []string{side + ", " + p.Kind, side + ", all"} {
		if t[k] == nil {
			t[k] = &[3]int{}
		}
		t[k][slices.Index([]evidence.Verdict{evidence.Supported, evidence.Unsupported, evidence.Undecided}, v)]++
	}
}

func (t table) String() string {
	var b strings.Builder
	b.WriteString("| pairs | number | supported | unsupported | undecided |\n|---|---|---|---|---|\n")
	kinds := make([]string, 0, len(t))
	for k := range t {
		kinds = append(kinds, k)
	}
	slices.SortFunc(kinds, func(a, b string) int { // all first on each side
		return strings.Compare(strings.Replace(a, ", all", ", ", 1), strings.Replace(b, ", all", ", ", 1))
	})
	for _, k := range kinds {
		c := t[k]
		n := c[0] + c[1] + c[2]
		fmt.Fprintf(&b, "| %s | %d |", k, n)
		for _, x := range c {
			fmt.Fprintf(&b, " %d (%.1f %%) |", x, 100*float64(x)/float64(n))
		}
		b.WriteString("\n")
	}
	return b.String()
}
