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
		{"1. Search the papers.\n2. If nothing is found, call the owner and stop.\n3. Read one.", "ask: \"call the owner\""}, // which is more than the end says
		{"1. Search the papers.\n2. If fewer than two trials remain, stop.\n3. Read one.", "when: \"docs(documents) < 2\"\n    finish: insufficient"},
		{"1. Search the papers until at least three sources agree.\n2. Read one.", "until: \"docs(documents) >= 3\""},
		{"1. Search the papers. There must be at least three sources.\n2. Find at least 3 papers more.\n3. Read one.", "require: docs(documents_2) >= 3"},
		{"1. Find the function in the code.\n2. List its callers.", "len(code) > 0 ? code[0].id"},
		{"1. List the callers of the function.\n2. Read the first.", "identifiers(inputs.task)"},
		{"1. Search the papers.\n2. Write a plan.\n3. Show me the plan.\n4. Write the code.", "approve: \"${plan}\""},
		{"1. Search the papers.\n2. Wait for my approval.\n3. Write the code.", "approve: \"Wait for my approval.\""},
		{"1. Search the papers.\n2. Write a plan.\n3. Write the code.\n\nNobody writes code while the weather is bad.", "${plan}\""},
		{"1. Search the papers.\n2. Write the code.\n3. Write a plan.\n\nNobody writes code while the weather is bad.", "is bad.\"\n"}, // the plan comes later
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

// TestBlockOnce: what one sentence asks, of a person or of the model, is asked once.
func TestBlockOnce(t *testing.T) {
	block := Read("1. Search the datasheets.\n2. Write a plan.\n3. Show it to Meera and wait for her yes.\n4. Change the constants.\n5. Report it.\n\nIf the datasheet contradicts itself, stop and say so.\n", 1).Block(nil)
	if strings.Count(block, "approve:") != 1 || strings.Count(block, "ask: \"If the datasheet") != 1 {
		t.Error(block)
	}
}

// TestBlockDoubt: a sentence that may forbid something and was not understood is put to a person before the first step that writes or does what it names; a text without one has no such step.
func TestBlockDoubt(t *testing.T) {
	const steps = "1. Search the papers for the limit.\n2. Run the suite.\n3. Write the code.\n4. Report it.\n"
	for _, tt := range []struct {
		doubt  string
		act    Kind
		before string
	}{
		{"The repository is to be regarded as glass and not touched until the audit is done.", Write, "id: write"},
		{"The suite is somebody else's and not run until the audit is over.", Run, "Run the suite"},
	} {
		r := Read(steps, 1)
		r.Unread = []Doubt{{Line: 6, Text: tt.doubt, acts: []Kind{tt.act}}}
		block := r.Block(nil)
		ask, act := strings.Index(block, "approve: \"May the run go on? The text says: "+tt.doubt), strings.Index(block, tt.before)
		if ask < 0 || act < ask || strings.Index(block, "Search the papers") > ask || !strings.Contains(block, "deny: [write_file], until: approved.confirmed,") || !strings.Contains(block, "# line 6: may forbid something, and is in doubt: ") {
			t.Errorf("%q is asked at %d, before %d:\n%s", tt.doubt, ask, act, block)
		}
	}
	for _, text := range []string{steps, steps + "\nNever guess.", steps + "\nDo not write code before the plan is approved."} {
		if block := Read(text, 1).Block(nil); block == "" || strings.Contains(block, "May the run go on?") {
			t.Errorf("%q:\n%s", text, block)
		}
	}
	r := Read("1. Search the papers for the limit.\n2. Read one.\n3. Report it.\n", 1)
	r.Unread = []Doubt{{Line: 5, Text: "The vault remains shut while the audit is outstanding."}}
	block := r.Block(nil)
	if ask, answer := strings.Index(block, "May the run go on?"), strings.Index(block, "id: answer"); ask < 0 || answer < ask {
		t.Errorf("asked at %d, the answer is at %d:\n%s", ask, answer, block)
	}
}

// TestBlockEnds: "say so and stop" is one end, and an answer under a condition does not stand for the answer of the run.
func TestBlockEnds(t *testing.T) {
	if block := Read("1. Search the papers.\n2. If nothing is found, say so and stop.\n3. Read one.", 1).Block(nil); strings.Contains(block, " ask: ") || strings.Count(block, "finish: ") != 1 {
		t.Error(block)
	}
	if block := Read("1. Search the papers.\n2. If nothing is found, report that to the client.\n3. Read one.", 1).Block(nil); strings.Count(block, "synthesize: ") != 2 || !strings.Contains(block, "not in the text: the answer") {
		t.Error(block)
	}
}
