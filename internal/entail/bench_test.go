package entail

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"sort"
	"testing"
)

var show = flag.String("show", "", "kind")
var file = flag.String("pairs", "../../docs/bench/proof/pairs/fit.jsonl", "")

func TestPairs(t *testing.T) {
	f, err := os.Open(*file)
	if err != nil {
		t.Skip(err)
	}
	defer f.Close()
	type count struct{ sup, uns, und int }
	by := map[string]*count{}
	sc := bufio.NewScanner(f)
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		var p struct {
			ID, Sentence, Kind, Why string
			Right                   bool
			Evidence                []struct{ Text string }
		}
		if err := json.Unmarshal(sc.Bytes(), &p); err != nil {
			t.Fatal(err)
		}
		var ev []string
		for _, e := range p.Evidence {
			ev = append(ev, e.Text)
		}
		j := Judge(p.Sentence, ev...)
		side := "wrong"
		if p.Right {
			side = "right"
		}
		for _, k := range []string{side + " " + p.Kind, side + " ALL"} {
			if by[k] == nil {
				by[k] = &count{}
			}
			switch j.Verdict {
			case Supported:
				by[k].sup++
			case Unsupported:
				by[k].uns++
			default:
				by[k].und++
			}
		}
		miss := p.Right && j.Verdict == Unsupported || !p.Right && j.Verdict == Supported
		if *show == "all" && miss || *show == side+" "+p.Kind || *show == side && miss || *show == side+"?" && j.Verdict == Undecided {
			fmt.Printf("%s %s %s -> %s %s %q\n  S: %s\n", p.ID, side, p.Kind, j.Verdict, j.Reason, j.Words, p.Sentence)
			for _, e := range ev {
				fmt.Printf("  E: %s\n", e)
			}
			if p.Why != "" {
				fmt.Println("  W:", p.Why)
			}
		}
	}
	var ks []string
	for k := range by {
		ks = append(ks, k)
	}
	sort.Strings(ks)
	for _, k := range ks {
		c := by[k]
		n := c.sup + c.uns + c.und
		fmt.Printf("%-20s n %3d  supported %3d (%.0f %%)  unsupported %3d (%.0f %%)  undecided %3d (%.0f %%)\n", k, n, c.sup, 100*float64(c.sup)/float64(n), c.uns, 100*float64(c.uns)/float64(n), c.und, 100*float64(c.und)/float64(n))
	}
}
