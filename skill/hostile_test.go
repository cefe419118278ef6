package skill_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/findspot/findspot/skill"
)

// TestHostileFilesEnd gives the parser what makes naive ones slow or overflow their stack; that it returns at all, within
// the test's time, is the point.
func TestHostileFilesEnd(t *testing.T) {
	var keys strings.Builder
	for i := range 12000 {
		fmt.Fprintf(&keys, "k%d: v\n", i)
	}
	for name, w := range map[string]string{
		"keys":     keys.String(),
		"list":     "steps: [" + strings.Repeat("a,", 60000) + "]\n",
		"maps":     strings.Repeat("{a: ", 30000),
		"quotes":   "steps: " + strings.Repeat(`"a" `, 30000) + "\n",
		"comments": strings.Repeat("# x\n", 30000),
		"indent":   "steps:\n" + strings.Repeat(" ", 100000) + "a\n",
		"tags":     "steps: " + strings.Repeat("!a ", 40000) + "\n",
		"anchors":  "steps: " + strings.Repeat("&a ", 40000) + "\n",
		"dashes":   strings.Repeat("-", 100000) + "\n",
		"pipes":    strings.Repeat("a: |\n", 30000),
		"ladder":   ladder(600),
		"expr":     "steps: [{id: x, finish: done, when: \"" + strings.Repeat("(", 1500) + "\"}]\n",
		"unary":    "steps: [{id: x, finish: done, when: \"" + strings.Repeat("!", 1500) + "true\"}]\n",
		"ternary":  "steps: [{id: x, finish: done, when: \"" + strings.Repeat("true?", 300) + "\"}]\n",
	} {
		if _, err := skill.Parse("SKILL.md", md("a", w)); err == nil {
			t.Errorf("%s: parsed", name)
		}
	}
}
