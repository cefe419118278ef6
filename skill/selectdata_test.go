package skill_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

// A labelled task: the skill that is right for it, or "none".
type labelled struct{ want, task string }

func labels(t testing.TB, name string) (out []labelled) {
	t.Helper()
	data, err := os.ReadFile(filepath.Join("testdata", "select", name+".tsv"))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(data)) {
		line = strings.TrimRight(line, "\n")
		if line == "" || strings.HasPrefix(line, "#") {
			continue
		}
		want, task, ok := strings.Cut(line, "\t")
		if !ok {
			t.Fatalf("%s: no tab in %q", name, line)
		}
		out = append(out, labelled{want, strings.ReplaceAll(task, `\n`, "\n")})
	}
	return out
}

// A tally counts what became of labelled tasks.
type tally struct {
	tasks, right      int
	outside, falsePos int // tasks for no skill, and those for which one was chosen
	missed, mixed     int // tasks for a skill: none was chosen, another was chosen
	wrong             []string
}

func measure(tasks []labelled, choose func(task string) string) (n tally) {
	for _, l := range tasks {
		got := choose(l.task)
		n.tasks++
		if l.want == "none" {
			n.outside++
		}
		switch {
		case got == l.want:
			n.right++
			continue
		case l.want == "none":
			n.falsePos++
		case got == "none":
			n.missed++
		default:
			n.mixed++
		}
		n.wrong = append(n.wrong, fmt.Sprintf("%q = %s, want %s", l.task, got, l.want))
	}
	return n
}

func (n tally) String() string {
	return fmt.Sprintf("%d tasks, %d right (%.1f %%); of %d for no skill %d chosen (%.1f %%); missed %d, another skill %d",
		n.tasks, n.right, 100*float64(n.right)/float64(n.tasks), n.outside, n.falsePos, 100*float64(n.falsePos)/float64(max(n.outside, 1)), n.missed, n.mixed)
}

func chosen(skills []*skill.Skill) func(string) string {
	return func(task string) string {
		if c, ok := skill.Select(skills, task, nil); ok {
			return c.Skill.Name
		}
		return "none"
	}
}

// TestSelection counts what the choice does with the held-out tasks, from which nothing is learned. They are never listed, so that nobody fits anything to
// them. [TestSelectionByAuthor] has the tasks of others.
func TestSelection(t *testing.T) {
	own, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	var b bytes.Buffer
	for _, author := range []string{"heldout", "ninth-author"} {
		fmt.Fprintf(&b, "%s: %v\n", author, measure(labels(t, author), chosen(own)))
	}
	golden.Compare(t, "testdata/select/golden.txt", b.Bytes())
}

// TestSelectionAmongMany measures the choice with other people's skills in the list, from the folder that FINDSPOT_FOREIGN_SKILLS names. Tasks for no
// shipped skill may be for one of those, so only a shipped skill counts as chosen by mistake.
func TestSelectionAmongMany(t *testing.T) {
	dir := os.Getenv("FINDSPOT_FOREIGN_SKILLS")
	if dir == "" {
		t.Skip("FINDSPOT_FOREIGN_SKILLS names no folder")
	}
	own, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := skill.Load(os.DirFS(dir))
	if err != nil {
		t.Fatal(err)
	}
	all := append(slices.Clone(own), foreign...)
	for _, half := range []string{"heldout", "ninth-author"} {
		taken := 0
		n := measure(labels(t, half), func(task string) string {
			c, ok := skill.Select(all, task, nil)
			if !ok {
				return "none"
			}
			if slices.Contains(foreign, c.Skill) {
				taken++
				return "none"
			}
			return c.Skill.Name
		})
		t.Logf("%d skills, %s: %v; %d tasks went to a foreign skill", len(all), half, n, taken)
		if half != "heldout" {
			for _, w := range n.wrong {
				t.Log(w)
			}
		}
	}
}

// TestSelectionShared does the same with the three skills beside the repository, alone: with few skills the weights of words say less.
func TestSelectionShared(t *testing.T) {
	skills, err := skill.Load(os.DirFS(need.Shared(t, "skills")))
	if err != nil {
		t.Fatal(err)
	}
	n := measure(labels(t, "shared"), chosen(skills))
	slices.Sort(n.wrong)
	golden.Compare(t, "testdata/select/shared.txt", []byte(fmt.Sprintf("%v\n  %s\n", n, strings.Join(n.wrong, "\n  "))))
}

func BenchmarkSelect(b *testing.B) {
	own, err := skill.Load(library.Skills())
	if err != nil {
		b.Fatal(err)
	}
	b.ReportAllocs()
	for b.Loop() {
		skill.Select(own, "Simulate cell search with a carrier frequency offset and plot the miss rate", nil)
	}
}

// TestSelectionForeign measures five skills of other fields, as users write them: alone, with the shipped ones beside them, and with tasks that are for the shipped
// ones or for nobody.
func TestSelectionForeign(t *testing.T) {
	own, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	foreign, err := skill.Load(os.DirFS("testdata/select/foreign"))
	if err != nil {
		t.Fatal(err)
	}
	alone := measure(labels(t, "foreign"), chosen(foreign))
	beside := measure(labels(t, "foreign"), func(task string) string {
		if name := chosen(append(slices.Clone(own), foreign...))(task); slices.ContainsFunc(foreign, func(s *skill.Skill) bool { return s.Name == name }) {
			return name
		}
		return "none"
	})
	others := labels(t, "heldout")
	for i := range others {
		others[i].want = "none"
	}
	none := measure(others, chosen(foreign))
	among := measure(labels(t, "heldout"), chosen(append(slices.Clone(own), foreign...)))
	golden.Compare(t, "testdata/select/foreign.txt", []byte(fmt.Sprintf("alone: %v\n  %s\nbeside the shipped ones: %v\n  %s\nalone, held-out tasks: %v\nall skills, held-out tasks: %v\n",
		alone, strings.Join(alone.wrong, "\n  "), beside, strings.Join(beside.wrong, "\n  "), none, among)))
}
