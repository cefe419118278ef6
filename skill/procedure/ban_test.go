package procedure

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/golden"
)

// labelledBans are the sentences of testdata/bans, a file for each author, the orders that kinds are learned from, and the sentences of the labelled procedures; not yet split.
func labelledBans(t *testing.T) (out []ban) {
	t.Helper()
	files, err := filepath.Glob("testdata/bans/*.tsv")
	if err != nil || len(files) == 0 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		data, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			label, text, ok := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			if !ok {
				t.Fatalf("%s: no tab in %q", file, line)
			}
			out = append(out, ban{author: strings.TrimSuffix(filepath.Base(file), ".tsv"), label: label, act: plainSentence(text)})
		}
	}
	for _, file := range []string{"orders", "taught"} { // what orders something forbids nothing
		data, err := os.ReadFile("testdata/" + file + ".tsv")
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(data)) {
			_, text, _ := strings.Cut(strings.TrimSuffix(line, "\n"), "\t")
			out = append(out, ban{author: file, label: "-", act: plainSentence(text)})
		}
	}
	for n := range learnedTexts() {
		text, want := labelledText(t, n)
		all := sentences(text, &measure{})
		for _, s := range all {
			b := ban{author: handOf(n), label: "-", act: plainSentence(s.text)}
			if i := slices.IndexFunc(want.Guards, func(g labelledGuard) bool { return g.Line == s.line }); i >= 0 && s.text == mostForbidding(all, s.line) {
				b.label = kindNames(want.Guards[i].Deny) + "<" + kindNames(want.Guards[i].Until)
			}
			out = append(out, b)
		}
	}
	return out
}

func plainSentence(s string) string {
	return strings.ReplaceAll(strings.TrimRight(s, " .!"), "\t", " ")
}

func kindNames(kinds []Kind) string {
	return strings.ReplaceAll(strings.Trim(fmt.Sprint(kinds), "[]"), " ", ",")
}

// mostForbidding is the sentence of a line that its label is about: the one with the most words that forbid.
func mostForbidding(all []sentence, line int) (text string) {
	most := -1
	for _, s := range all {
		n := 0
		for w := range strings.FieldsSeq(strings.ToLower(s.text)) {
			if slices.Contains(strings.Fields("not no never until before without only unless nothing nor off must may pending blocked wait till requires wasted don't neither"), strings.Trim(w, ",.;:!")) {
				n++
			}
		}
		if s.line == line && n > most {
			text, most = s.text, n
		}
	}
	return text
}

// splitBans cuts the prohibitions into their parts: first at a word that begins a condition, then as what was learned from that cuts them, twice.
func splitBans(all []ban) {
	texts := make([]string, len(all))
	for i := range all {
		if texts[i] = all[i].act; strings.Contains(all[i].label, "<") {
			all[i].act, all[i].condition, all[i].behind = firstSplit(texts[i])
		}
	}
	for range 2 {
		m := &banModel{roles: learnRoles(all)}
		for i := range all {
			if strings.Contains(all[i].label, "<") {
				all[i].act, all[i].condition, all[i].behind = m.split(texts[i])
			}
		}
	}
}

func firstSplit(text string) (act, condition string, behind bool) {
	f := strings.Fields(text)
	i := slices.IndexFunc(f, func(w string) bool {
		return slices.Contains(strings.Fields("before until till unless without pending once only while prior ahead w/o require requires needs after post"), strings.ToLower(strings.Trim(w, ",;:")))
	})
	if i > 0 {
		return strings.Join(f[:i], " "), strings.Join(f[i:], " "), false
	}
	if before, after, ok := strings.Cut(text, ", "); i == 0 && ok {
		return after, before, true
	}
	return text, "", false // nothing is learned from it at first
}

// TestBansFile makes bans.tsv with -update.
func TestBansFile(t *testing.T) {
	all := slices.DeleteFunc(labelledBans(t), func(b ban) bool { return !mayBan(b.act) && !strings.Contains(b.label, "<") }) // no such sentence is looked at
	splitBans(all)
	var b bytes.Buffer
	for _, x := range all {
		first := ""
		if strings.Contains(x.label, "<") {
			first = map[bool]string{false: isAct, true: isCondition}[x.behind]
		}
		fmt.Fprintf(&b, "%s\t%s\t%s\t%s\t%s\n", x.author, x.label, first, x.act, x.condition)
	}
	golden.Compare(t, "bans.tsv", b.Bytes())
}

// TestBans measures the reading of single sentences, with their authors left out, a few at a time. TestLabelled has those of the labelled procedures.
func TestBans(t *testing.T) {
	all, err := readBans(learnedBans)
	if err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	for _, authors := range [][]string{{"one", "two", "three"}, {"four", "five", "six"}, {"seven", "eight", "nine"}, {"ten", "eleven"}, {"twelve", "thirteen"}, {"forms", "later", "steps"}} {
		m, err := learnBans(learnedBans, learnedKinds, authors...)
		if err != nil {
			t.Fatal(err)
		}
		for _, author := range authors {
			var found, whole count
			doubtful, acts, conditions := 0, 0, 0
			for _, b := range all {
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
	}
	golden.Compare(t, "testdata/bans.txt", out.Bytes())
}
