package procedure

import (
	"bytes"
	"fmt"
	"slices"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
)

// TestQualityBans measures the reading of single sentences, with their authors left out. TestQualityLabelled has those of the labelled procedures.
func TestQualityBans(t *testing.T) {
	need.NoRace(t)
	var out bytes.Buffer
	for _, author := range banAuthors(t) {
		m := withoutFold(t, author)
		var found, whole count
		doubtful, acts, conditions := 0, 0, 0
		for _, b := range corpus(t).bans {
			if b.author != author {
				continue
			}
			deny, until, is := b.kinds()
			p := m.forbids(b.text())
			found.add(p >= forbidding, is)
			if !is {
				continue
			}
			if p >= mayForbid && p < forbidding {
				doubtful++
			}
			g := m.read(b.text())
			m.choose(&g, newNearness(nil))
			whole.add(p >= forbidding, slices.Equal(g.Deny, deny) && slices.Equal(g.Until, until))
			if slices.Equal(g.Deny, deny) {
				acts++
			}
			if slices.Equal(g.Until, until) {
				conditions++
			}
		}
		n := found.labelled
		whole.read, whole.labelled = found.read, n
		fmt.Fprintf(&out, "%s\n  found: %v; doubtful: %d\n  kinds of what is forbidden: %.3f, of what lifts it: %.3f\n  found, with both: %v\n", author, found, doubtful, float64(acts)/float64(n), float64(conditions)/float64(n), whole)
	}
	golden.Compare(t, "testdata/bans.txt", out.Bytes())
}
