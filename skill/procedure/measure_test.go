package procedure

import (
	"strings"
	"testing"
)

// TestIsProcedure: what tells step by step what is to be done is a procedure, and what explains, or lists rules, is none.
func TestIsProcedure(t *testing.T) {
	code := "\n```python\n" + strings.Repeat("x = f(x)\n", 12) + "```\n"
	rules := strings.Repeat("- Verify the sums.\n- Read the manual.\n", 8)
	prose := strings.Repeat("The tide has two causes. The moon is one of them.\n\n", 4)
	for _, tt := range []struct {
		name, text string
		want       bool
	}{
		{"numbers", "1. Search the papers.\n2. Compare the values.\n3. Report the result.\n", true},
		{"bullets", "- search the papers\n- compare the values\n- report the result\n", true},
		{"words of order", "First search the papers. Then compare the values. Finally, report the result.", true},
		{"many words of order", "First search the papers. " + strings.Repeat("Then verify the sums. ", 20), true},
		{"titles with verbs", "## 1. Search the papers\n\nThey are on the drive.\n\n## 2. Compare the values\n\nAll of them.\n\n## 3. Report the result\n\nIn a table.\n", true},
		{"code between numbered steps", "1. Read the file." + code + "2. Run the tests." + code + "3. Report the result." + code, true},
		{"code between sentences", "Read the file." + code + "Run the tests." + code + "Search the web." + code, false},
		{"explanation", prose + "Read the almanac. Compare the times.", false},
		{"a long list of rules", rules, false},
		{"a long list of orders", strings.Repeat("- Search the papers.\n- Read one.\n- Run the tests.\n- Write the code.\n", 5), true},
		{"a longer one", strings.Repeat("- Search the papers.\n- Read one.\n- Run the tests.\n- Write the code.\n", 8), false},
		{"a long list of orders among remarks", strings.Repeat("- Search the papers.\n- Read one.\n- Run the tests.\n- Write the code.\n- The tide has two causes.\n- The moon is one.\n- The sun is one.\n", 4), false},
		{"rules that are numbered", strings.ReplaceAll(rules, "- ", "1. "), true},
		{"one step", "Search the papers.", false},
		{"one step and a guard", "Write the code. Never write code before the plan is approved.", true},
		{"guards alone", "Never write code before the plan is approved. Never send it before the lead agrees.", false},
		{"nothing understood", "- Ponder it.\n- Take a break.\n- Wash your hands.\n- Think about it.\n- Keep calm.\n- Search the papers.\n- Read one.\n", false},
		{"long and ordered in its smaller part", "1. Search the papers.\n2. Compare the values.\n3. Report it.\n\n# Rules\n\n" + rules, false},
		{"ordered within an explanation", "1. Search the papers.\n2. Compare the values.\n3. Report it.\n\n# Tides\n\n" + prose, false},
	} {
		if got := Read(tt.text, 1).Block(nil) != ""; got != tt.want {
			t.Errorf("%s: %v, want %v: %+v, %d steps", tt.name, got, tt.want, Read(tt.text, 1).measure, len(Read(tt.text, 1).Steps))
		}
	}
}
