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
	reader := flag.Bool("reader", false, "print what is left wrong with a reader who is always right, in the place of a model")
	missed := flag.Bool("missed", false, "print the wrong ones that are called supported, and the right ones that are called unsupported")
	around := flag.Int("around", 0, "widen each piece of evidence to so many bytes of its document on each side, as of whole pages that are cited")
	corpus := flag.String("corpus", "docs/bench/proof/corpus", "folder of the documents")
	flag.Parse()
	names := flag.Args()
	if len(names) == 0 {
		names = []string{"fit", "fit2", "fit3", "fit4", "fit5", "fit6"}
	}
	if err := run(*dir, *corpus, names, *around, *missed, *reader); err != nil {
		fmt.Fprintln(os.Stderr, "proof:", err)
		os.Exit(1)
	}
}

func run(dir, corpus string, names []string, around int, missed, reader bool) error {
	var pairs []pair
	for _, name := range names {
		more, err := readPairs(dir, name)
		if err != nil {
			return err
		}
		if around > 0 {
			if err := widen(more, corpus, around); err != nil {
				return err
			}
		}
		pairs = append(pairs, more...)
	}
	var took []time.Duration
	t := table{}
	for _, p := range pairs {
		start := time.Now()
		v, reason, _, err := verdict(p, nil)
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
	if reader {
		t, err := withReader(pairs)
		if err != nil {
			return err
		}
		fmt.Print("\n" + t)
	}
	return nil
}

// verdict judges a pair as an answer that cites its evidence. asked reports whether o.Decide was.
func verdict(p pair, o *evidence.JudgeOptions) (worst evidence.Verdict, reason string, asked bool, err error) {
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
	judged, err := evidence.Judge(context.Background(), led, text, o)
	if err != nil {
		return "", "", false, err
	}
	// A pair is one sentence; where it was cut in two, the worse verdict counts.
	worst = evidence.Supported
	for _, j := range judged {
		asked = asked || j.Model
		if j.Verdict == evidence.Unsupported || j.Verdict == evidence.Undecided && worst == evidence.Supported {
			worst, reason = j.Verdict, j.Reason
		}
	}
	return worst, reason, asked, nil
}

// withReader says what is left wrong where a reader who is always right stands in the place of a model: what never reaches it.
func withReader(pairs []pair) (string, error) {
	var b strings.Builder
	b.WriteString("| a reader who is always right decides | questions | wrong, called supported | right, called unsupported | right, undecided |\n|---|---|---|---|---|\n")
	for _, doubt := range []bool{false, true} {
		var asked, passed, accused, open int
		wrong := 0
		for _, p := range pairs {
			said := evidence.Unsupported
			if p.Right {
				said = evidence.Supported
			} else {
				wrong++
			}
			v, _, was, err := verdict(p, &evidence.JudgeOptions{DoubtWords: doubt, Decide: func(context.Context, string, []string) (evidence.Verdict, string, error) { return said, "", nil }})
			if err != nil {
				return "", fmt.Errorf("%s: %w", p.ID, err)
			}
			switch {
			case p.Right && v == evidence.Unsupported:
				accused++
			case p.Right && v == evidence.Undecided:
				open++
			case !p.Right && v == evidence.Supported:
				passed++
			}
			if was {
				asked++
			}
		}
		what := "also what words decide, but for near copies"
		if !doubt {
			what = "what words leave undecided"
		}
		share := func(n, of int) float64 { return 100 * float64(n) / float64(max(1, of)) }
		fmt.Fprintf(&b, "| %s | %.1f %% | %d (%.1f %%) | %d (%.1f %%) | %d (%.1f %%) |\n", what, share(asked, len(pairs)), passed, share(passed, wrong), accused, share(accused, len(pairs)-wrong), open, share(open, len(pairs)-wrong))
	}
	return b.String(), nil
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
