package lint_test

import (
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/lint"
)

// The step write comes before the gate that its guard waits for.
func Example() {
	s, err := skill.Parse("SKILL.md", `---
name: hasty
description: Writes before it looks.
allowed-tools: search_internal write_file
---
`+"```yaml workflow"+`
guards:
  - {deny: write_file, until: passed.enough}
steps:
  - {id: out, call: write_file, args: {path: a, text: b}}
  - {id: found, search: {in: docs, for: pss}}
  - {id: enough, require: "len(found) > 0"}
`+"```\n")
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, f := range lint.Check(s, nil).Findings {
		if f.Severity == lint.SeverityError {
			fmt.Println(f)
		}
	}
	// Output: SKILL.md:10: error: write_file in step out before passed.enough, and is refused there: out [leak]
}
