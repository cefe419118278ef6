package catalog

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestEntriesPatched makes sure that a list that was patched finds what a list made anew finds.
func TestEntriesPatched(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var x List
	x.reset()
	truth := map[string]*Stored{}
	for step := range 3000 {
		id := fmt.Sprint("doc", rng.IntN(60))
		if rng.IntN(4) == 0 {
			if e := x.byID[id]; e != nil {
				x.drop(e)
			}
			delete(truth, id)
		} else {
			s := &Stored{
				ID: id, Name: fmt.Sprintf("Folder%d/name%d", rng.IntN(3), rng.IntN(20)), Title: fmt.Sprint("Title ", rng.IntN(5)),
				Status: []string{Ready, Failed}[rng.IntN(2)], Collections: []string{"a", "b", "c"}[:rng.IntN(4)],
				Numbers: []string{"38331", "38211"}[:rng.IntN(3)],
			}
			x.put(s.Entry(x.share))
			truth[id] = s
		}
		if step%100 != 99 {
			continue
		}
		var fresh List
		fresh.reset()
		for _, s := range truth {
			fresh.put(s.Entry(fresh.share))
		}
		find := func(x *List) map[string][]string {
			out := map[string][]string{}
			ids := func(k uint64) (out []string) {
				for _, e := range x.found(k, func(*Entry) bool { return true }) {
					out = append(out, e.ID)
				}
				slices.Sort(out)
				return out
			}
			for i := range 20 {
				out[fmt.Sprint("n", i)] = ids(key('n', fmt.Sprint("name", i)))
				out[fmt.Sprint("t", i)] = ids(key('t', fmt.Sprint("title ", i)))
			}
			out["#"] = ids(key('#', "38211"))
			for c, m := range x.members {
				for e := range m {
					out["c"+c] = append(out["c"+c], e.ID)
				}
				slices.Sort(out["c"+c])
			}
			for s, n := range x.counts {
				if n != 0 {
					out["count "+s] = []string{fmt.Sprint(n)}
				}
			}
			out["all"] = slices.Sorted(maps.Keys(x.byID))
			return out
		}
		if diff := cmp.Diff(find(&fresh), find(&x)); diff != "" {
			t.Fatalf("after %d changes (-fresh +patched):\n%s", step+1, diff)
		}
	}
}
