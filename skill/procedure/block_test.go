package procedure

import (
	"strings"
	"testing"
)

// TestBlock: what becomes of steps and of their conditions.
func TestBlock(t *testing.T) {
	long := strings.Repeat("the limit of the value in the manual and ", 20)
	for _, tt := range []struct{ text, want string }{
		{"1. Search the papers.\n2. If nothing is found, say so and stop.\n3. Read one.", "when: \"len(documents) == 0\"\n    finish: nothing_found"},
		{"1. Search the papers.\n2. If fewer than two trials remain, stop.\n3. Read one.", "when: \"docs(documents) < 2\"\n    finish: insufficient"},
		{"1. Search the papers until at least three sources agree.\n2. Read one.", "until: \"docs(documents) >= 3\""},
		{"1. Search the papers. There must be at least three sources.\n2. Find at least 3 papers more.\n3. Read one.", "require: docs(documents_2) >= 3"},
		{"1. Find the function in the code.\n2. List its callers.", "len(code) > 0 ? code[0].id"},
		{"1. List the callers of the function.\n2. Read the first.", "identifiers(inputs.task)"},
		{"1. Search the papers.\n2. Write a plan.\n3. Show me the plan.\n4. Write the code.", "approve: \"${plan}\""},
		{"1. Search the papers.\n2. Wait for my approval.\n3. Write the code.", "approve: \"Wait for my approval.\""},
		{"1. Search the papers.\n2. If the sun shines, ponder it.\n3. Read one.", "ask: \"If the sun shines, ponder it.\""},
		{"1. Search the papers.\n2. Ponder it.\n3. Read one.", "ask: \"Ponder it\"\n    from: [documents]"},
		{"1. Ponder it.\n2. Run the tests.\n3. Search the papers.", "ask: \"Ponder it\"\n    on_error: continue"},
		{"1. Search the papers.\n2. Search the code.\n3. Read it.", "each: \"${code}\""},
		{"1. Search the papers.\n2. Read one.\n3. Check " + long, " ..."},
		{"1. Search the papers.\n2. Search the web.\n3. Read one.", "not in the text: the answer"},
	} {
		if block := Read(tt.text, 1).Block(nil); !strings.Contains(block, tt.want) {
			t.Errorf("%q: no %q in\n%s", tt.text, tt.want, block)
		}
	}
	for l := range strings.Lines(Read("1. Search the papers.\n2. Report "+long+long+".", 1).Block(nil)) {
		if len(l) > 700 {
			t.Errorf("a line of %d bytes", len(l))
		}
	}
}
