package procedure

import (
	"bytes"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/goccy/go-yaml"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
)

type labelledStep struct {
	Line int
	Kind Kind
	When bool
	Loop bool
}

type labelledGuard struct {
	Line  int
	Deny  []Kind
	Until []Kind
}

type labels struct {
	Steps  []labelledStep
	Guards []labelledGuard
}

// A count compares what was read with labels.
type count struct{ right, read, labelled int }

func (c count) String() string {
	return fmt.Sprintf("precision %.3f (%d of %d), recall %.3f (of %d)", float64(c.right)/float64(max(c.read, 1)), c.right, c.read, float64(c.right)/float64(max(c.labelled, 1)), c.labelled)
}

// lastRead is the last of the labelled procedures that have been read by those who made the reader. Of those behind it only counts are shown.
const lastRead = 105

// labelledText gives one of the labelled procedures.
func labelledText(t testing.TB, n int) (string, labels) {
	t.Helper()
	name := filepath.Join("testdata", "labelled", fmt.Sprintf("%02d", n))
	text, err := os.ReadFile(name + ".md")
	if err != nil {
		t.Fatal(err)
	}
	data, err := os.ReadFile(name + ".yaml")
	if err != nil {
		t.Fatal(err)
	}
	var want labels
	if err := yaml.Unmarshal(data, &want); err != nil {
		t.Fatalf("%s.yaml: %v", name, err)
	}
	return string(text), want
}

// A labelledSet is a range of labelled procedures that is measured alone.
type labelledSet struct {
	name     string
	from, to int
}

// sets are those of each author, but for the first, whose last fifteen were apart.
func sets() (out []labelledSet) {
	from := 1
	for _, h := range hands {
		set := labelledSet{fmt.Sprintf("%02d-%02d, held out", from, h.last), from, h.last}
		if h.name == unseen {
			set.name = fmt.Sprintf("%02d-%02d, unseen", from, h.last)
		}
		out = append(out, set)
		from = h.last + 1
	}
	return out
}

// TestQualityLabelled measures the reading of the labelled procedures, each as if its author were new.
func TestQualityLabelled(t *testing.T) {
	need.NoRace(t)
	var b bytes.Buffer
	for _, half := range sets() {
		var steps, understood, places, order, guards, when, loop, doubts, taken count
		m := withoutFold(t, handOf(half.to))
		asked, needless := 0, 0 // texts with a question about a sentence that was not understood; with nothing but needless ones
		for n := half.from; n <= half.to; n++ {
			text, want := labelledText(t, n)
			r := readWith(text, 1, m)
			left := slices.Clone(want.Steps)
			var at []int // of what is right, its place in the labels
			lines := map[int]int{}
			for _, l := range want.Steps {
				lines[l.Line]++
				steps.labelled++
				places.labelled++
				if l.Kind != Other {
					understood.labelled++
				}
			}
			for _, st := range r.Steps {
				steps.read++
				places.read++
				if st.Kind != Other {
					understood.read++
				}
				if lines[st.Line] > 0 {
					lines[st.Line]--
					places.right++
				}
				i := slices.IndexFunc(left, func(l labelledStep) bool { return l.Line == st.Line && l.Kind == st.Kind })
				if i < 0 {
					if half.to <= lastRead && testing.Verbose() {
						t.Logf("%02d:%d read %s: %s", n, st.Line, st.Kind, st.Text)
					}
					continue
				}
				steps.right++
				if st.Kind != Other {
					understood.right++
				}
				l := left[i]
				when.add(st.Condition != "", l.When)
				loop.add(st.Loop, l.Loop)
				if half.to <= lastRead && testing.Verbose() && (st.Loop != l.Loop || (st.Condition != "") != l.When) {
					t.Logf("%02d:%d read with condition %q and loop %v: %s", n, st.Line, st.Condition, st.Loop, st.Sentence)
				}
				at = append(at, slices.Index(want.Steps, l))
				left[i] = labelledStep{}
			}
			for i := range at {
				for j := range i {
					order.read++
					order.labelled++
					if at[j] <= at[i] {
						order.right++
					}
				}
			}
			leftGuards := slices.Clone(want.Guards)
			doubts.read += len(r.Unread)
			needed := doubts.right
			taken.add(r.Block(nil) != "", true)
			for _, g := range want.Guards {
				if !slices.ContainsFunc(r.Guards, func(x Guard) bool { return x.Line == g.Line }) {
					doubts.labelled++
					if slices.ContainsFunc(r.Unread, func(d Doubt) bool { return d.Line == g.Line }) {
						doubts.right++
					}
				}
			}
			if len(r.Unread) > 0 && r.Block(nil) != "" {
				asked++
				if doubts.right == needed {
					needless++
				}
			}
			guards.labelled += len(want.Guards)
			for _, g := range r.Guards {
				guards.read++
				i := slices.IndexFunc(leftGuards, func(l labelledGuard) bool {
					slices.Sort(l.Until)
					return l.Line == g.Line && slices.Equal(l.Deny, g.Deny) && slices.Equal(l.Until, g.Until)
				})
				if i < 0 {
					if half.to <= lastRead && testing.Verbose() {
						t.Logf("%02d:%d guard %v until %v: %s", n, g.Line, g.Deny, g.Until, g.Text)
					}
					continue
				}
				guards.right++
				leftGuards = slices.Delete(leftGuards, i, i+1)
			}
			if half.to <= lastRead && testing.Verbose() {
				for _, l := range left {
					if l.Kind != "" {
						t.Logf("%02d:%d missed %s", n, l.Line, l.Kind)
					}
				}
				for _, g := range leftGuards {
					t.Logf("%02d:%d missed guard %v until %v", n, g.Line, g.Deny, g.Until)
				}
			}
		}
		if steps.labelled == 0 {
			continue
		}
		fmt.Fprintf(&b, "%s\n  steps: %v\n  steps but others: %v\n  places of steps: %v\n  order of pairs: %v\n  conditions: %v\n  loops: %v\n  guards: %v\n  taken for a procedure: %d of %d\n  lines of a guard without any, shown as doubtful: %v\n  texts whose run asks about such a sentence: %d, needlessly %d\n", half.name, steps, understood, places, order, when, loop, guards, taken.right, taken.labelled, doubts, asked, needless)
	}
	golden.Compare(t, "testdata/golden.txt", b.Bytes())
}

func (c *count) add(read, labelled bool) {
	if read {
		c.read++
	}
	if labelled {
		c.labelled++
	}
	if read && labelled {
		c.right++
	}
}

// TestForeign prints for each SKILL.md below the folder that FINDSPOT_FOREIGN_SKILLS names how much of what it orders became steps that were understood.
func TestForeign(t *testing.T) {
	dir := os.Getenv("FINDSPOT_FOREIGN_SKILLS")
	if dir == "" {
		t.Skip("FINDSPOT_FOREIGN_SKILLS names no folder")
	}
	var shares []float64
	files, none, guards, blocks := 0, 0, 0, 0
	err := filepath.WalkDir(dir, func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.Name() != "SKILL.md" {
			return err
		}
		data, err := os.ReadFile(path)
		if err != nil {
			return err
		}
		files++
		_, body, _ := strings.Cut(strings.TrimPrefix(string(data), "---"), "\n---")
		r := Read(body, 1)
		understood := 0
		for _, st := range r.Steps {
			if st.Kind != Other {
				understood++
			}
		}
		guards += len(r.Guards)
		if r.Block(nil) != "" {
			blocks++
		}
		rel, err := filepath.Rel(dir, path)
		if len(r.Steps) == 0 {
			none++
			fmt.Printf("%s: no steps\n", rel)
			return err
		}
		share := float64(understood) / float64(len(r.Steps))
		shares = append(shares, share)
		fmt.Printf("%s: %d steps, %.2f understood, %d guards\n", rel, len(r.Steps), share, len(r.Guards))
		return err
	})
	if err != nil || len(shares) == 0 {
		t.Fatal(err, files)
	}
	slices.Sort(shares)
	at := func(q float64) float64 { return shares[int(q*float64(len(shares)-1))] }
	fmt.Printf("%d files, %d without steps, %d with a workflow, %d guards; share understood: quarter %.2f, median %.2f, three quarters %.2f\n", files, none, blocks, guards, at(.25), at(.5), at(.75))
}
