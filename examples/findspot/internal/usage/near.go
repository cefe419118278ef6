package usage

import (
	"cmp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// Commands returns the commands that a word may have been meant for, nearest first, with their parents and without the program: those below c, then any of the program. At most three.
func Commands(c *cobra.Command, word string) []string {
	found := near(word, names(c, 1))
	if len(found) == 0 {
		found = near(word, names(c.Root(), 9))
	}
	var out []string
	for _, f := range found {
		out = append(out, strings.TrimPrefix(f, c.Root().Name()+" "))
	}
	return out[:min(len(out), 3)]
}

// Near returns the names that a word may have been meant for, nearest first.
func Near(word string, known []string) []string {
	all := map[string][]string{}
	for _, k := range known {
		all[k] = []string{k}
	}
	return near(word, all)
}

// names lists the commands below c by their names.
func names(c *cobra.Command, depth int) map[string][]string {
	out := map[string][]string{}
	var walk func(c *cobra.Command, depth int)
	walk = func(c *cobra.Command, depth int) {
		for _, s := range c.Commands() {
			if !s.IsAvailableCommand() && s.Name() != "help" {
				continue
			}
			out[s.Name()] = append(out[s.Name()], s.CommandPath())
			for _, a := range append(slices.Clone(s.Aliases), s.SuggestFor...) {
				out[a] = append(out[a], s.CommandPath())
			}
			if depth > 1 {
				walk(s, depth-1)
			}
		}
	}
	walk(c, depth)
	return out
}

// Flag returns the flag of a command that a name may have been meant for, with its dashes; "" for none.
func Flag(c *cobra.Command, name string) string {
	known := map[string][]string{}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			known[f.Name] = []string{"--" + f.Name}
		}
	})
	if found := near(strings.TrimLeft(name, "-"), known); len(found) > 0 {
		return found[0]
	}
	return ""
}

// near returns what is named nearly as a word is, nearest first: one that begins with it, or is at most two changes away, one for short words.
func near(word string, known map[string][]string) []string {
	type hit struct {
		name string
		far  int
	}
	var hits []hit
	word = strings.ToLower(word)
	for name := range known {
		d := distance(word, name)
		if len(word) >= 3 && strings.HasPrefix(name, word) {
			d = 1
		}
		if d <= min(2, max(1, len(word)/3)) {
			hits = append(hits, hit{name, d})
		}
	}
	slices.SortFunc(hits, func(a, b hit) int { return cmp.Or(cmp.Compare(a.far, b.far), strings.Compare(a.name, b.name)) })
	var out []string
	for _, h := range hits {
		out = append(out, known[h.name]...)
	}
	return out
}

// distance is the number of letters to change, add, drop or swap with the next one to make b of a (optimal string alignment).
func distance(a, b string) int {
	if len(a) > 64 || len(b) > 64 {
		return 64
	}
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			cost := 1
			if s[i-1] == t[j-1] {
				cost = 0
			}
			d[i][j] = min(d[i-1][j]+1, d[i][j-1]+1, d[i-1][j-1]+cost)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
