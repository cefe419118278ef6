package runner

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill/evidence"
	"github.com/findspot/findspot/skill/internal/expression"
	"github.com/findspot/findspot/skill/internal/grammar"
)

// TestPageNamesEveryStep holds the table of docs/skills.md against the parser's own: no kind and no field is missing, and none is made up.
func TestPageNamesEveryStep(t *testing.T) {
	data, err := os.ReadFile(filepath.Join("..", "..", "docs", "skills.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, table, ok := strings.Cut(string(data), "<!-- table of steps")
	table, _, closed := strings.Cut(table, "<!-- end of table -->")
	if !ok || !closed {
		t.Fatal("docs/skills.md: the table of steps is not marked")
	}
	code := regexp.MustCompile("`([^`]+)`")
	page := map[string][]string{}
	for line := range strings.Lines(table) {
		cells := strings.Split(line, "|")
		m := code.FindStringSubmatch(line)
		if len(cells) < 4 || m == nil {
			continue
		}
		kind, _, _ := strings.Cut(m[1], ":")
		page[kind] = []string{}
		for _, f := range code.FindAllStringSubmatch(cells[2], -1) {
			page[kind] = append(page[kind], f[1])
		}
	}
	for _, k := range grammar.Kinds() {
		f := grammar.FormOf(k)
		var want []string
		for _, x := range f.Subject.Fields {
			want = append(want, k+"."+x.Name)
		}
		for _, x := range f.Fields {
			want = append(want, x.Name)
			for _, y := range x.Form.Fields {
				want = append(want, x.Name+"."+y.Name)
			}
		}
		got := slices.Clone(page[k])
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("docs/skills.md: %s takes %v, the page says %v", k, want, got)
		}
		delete(page, k)
	}
	for k := range page {
		t.Errorf("docs/skills.md: there is no kind of step %q", k)
	}
	text := string(data)
	for _, x := range slices.Concat(grammar.BlockKeys(), grammar.InputKeys(), grammar.LimitsKeys(), grammar.GuardKeys(), grammar.StepKeys()) {
		if x != "steps" && !strings.Contains(text, "`"+x+"`") {
			t.Errorf("docs/skills.md does not name the key %s", x)
		}
	}
	for _, name := range expression.FunctionNames() {
		if !strings.Contains(text, "`"+name+"(") {
			t.Errorf("docs/skills.md does not name the function %s", name)
		}
	}
	for name := range plainItem(evidence.Item{}) {
		if !strings.Contains(text, "`"+name+"`") {
			t.Errorf("docs/skills.md does not name the field %s of a found thing", name)
		}
	}
}
