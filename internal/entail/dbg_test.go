package entail

import (
	"bufio"
	"encoding/json"
	"fmt"
	"os"
	"testing"
)

func TestDbg(t *testing.T) {
	id := os.Getenv("DBG")
	f, _ := os.Open(*file)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var p struct {
			ID, Sentence string
			Evidence     []struct{ Text string }
		}
		json.Unmarshal(sc.Bytes(), &p)
		if p.ID != id {
			continue
		}
		j := &judge{claim: read(plain(p.Sentence))}
		for _, e := range p.Evidence {
			j.evidence = append(j.evidence, read(e.Text))
		}
		j.quotations()
		j.capitals()
		for _, c := range j.claim.clauses {
			a := j.align(c)
			fmt.Printf("%q head %q\n", j.words(c), c.head)
			if a.found {
				fmt.Printf("   -> %q share %.2f exact %.2f back %.2f whole exact %.2f\n", a.text(), a.share, j.exact(c, a), j.back(c, a), j.exact(c, a.sentenceOf()))
			}
		}
		fmt.Println(j.claim.named())
		for _, e := range j.evidence {
			for _, c := range e.clauses {
				fmt.Printf("E %d %q head %q\n", c.sentence, e.text[e.toks[c.from].start:e.toks[c.to-1].end], c.head)
			}
			fmt.Println(e.named())
		}
	}
}

func TestFeat(t *testing.T) {
	f, _ := os.Open(*file)
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var p struct {
			ID, Sentence, Kind string
			Right              bool
			Evidence           []struct{ Text string }
		}
		json.Unmarshal(sc.Bytes(), &p)
		var ev []string
		for _, e := range p.Evidence {
			ev = append(ev, e.Text)
		}
		j := &judge{claim: read(plain(p.Sentence))}
		for _, e := range ev {
			j.evidence = append(j.evidence, read(e))
		}
		v := j.judge()
		if v.Verdict != Undecided {
			continue
		}
		n, miss := 0, 0
		for i := range j.claim.toks {
			if j.claim.content(i) {
				n++
				if !j.anywhere(i) {
					miss++
				}
			}
		}
		ds := ""
		for _, d := range j.doubts {
			r := d.Reason
			if len(r) > 28 {
				r = r[:28]
			}
			ds += r + " / "
		}
		fmt.Printf("%v %s %s %d/%d %s\n", p.Right, p.ID, p.Kind, miss, n, ds)
	}
}
