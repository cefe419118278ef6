package procedure

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestNamedSteps: conditions that name steps of the text.
func TestNamedSteps(t *testing.T) {
	const steps = "1. Search the papers for the term.\n2. Write a plan.\n3. Show me the plan.\n4. Change the code.\n\n"
	for text, want := range map[string]string{
		"Never change a file before steps 1 to 3 are done.":                                 "[approve plan search_docs]",
		"No edits unless 1 and 3 are done.":                                                 "[approve search_docs]",
		"Step 4 does not begin before step 2 is through.":                                   "[plan]",
		"Do not change anything until step 2 is finished.":                                  "[plan]",
		"No edits before the search has come back.":                                         "[search_docs]",
		"Do not edit until two papers have been found. Until then, do not deploy anything.": "[search_docs] [search_docs]",
	} {
		var got []string
		for _, g := range Read(steps+text, 1).Guards {
			got = append(got, fmt.Sprint(g.Until))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: until %q, want %q", text, got, want)
		}
	}
}

// TestGuardAct: what is not to be done, and what lifts that, is of the kind of the step with its words, unless other words speak against it.
func TestGuardAct(t *testing.T) {
	steps := []Step{{Line: 1, Kind: SearchCode, Text: "Look for the brass grommets of the pink frobnicator"}, {Line: 2, Kind: Callers, Text: "Trace the tin flanges of the blue sprocket"}, {Line: 9, Kind: Stop, Text: "the grommets"}}
	g := Guard{Line: 9, Act: "the brass grommets of the pink frobnicator", cond: "the tin flanges of the blue sprocket are there"}
	shipped().choose(&g, newNearness(steps))
	if !slices.Equal(g.Deny, []Kind{SearchCode}) || !slices.Equal(g.Until, []Kind{Callers}) {
		t.Errorf("%v until %v, want the kinds of the steps", g.Deny, g.Until)
	}
	shipped().choose(&g, newNearness(steps[2:]))
	if slices.Equal(g.Deny, []Kind{SearchCode}) || slices.Equal(g.Until, []Kind{Callers}) {
		t.Errorf("%v until %v without them", g.Deny, g.Until)
	}
	if g := Read("# Notes\n\nCode is written only after approval.", 1).Guards; len(g) != 1 {
		t.Errorf("%+v of a note", g)
	}
}

// TestStepBrings: a condition that a step of the text brings about is of that step's kind.
func TestStepBrings(t *testing.T) {
	for text, want := range map[string]string{
		"1. Confirm the identity of the requester.\n2. Send the data.\n\nNo data is sent unless the identity has been confirmed.":    "[check]",
		"- [ ] contract signed by both sides\n- [ ] create the account\n\nNo account is created before the contract is signed.":      "[check]",
		"1. Write the report for the approval of the lead.\n2. Send it.\n\nNothing is sent before the lead has approved the report.": "[approve]",
	} {
		if g := Read(text, 1).Guards; len(g) != 1 || fmt.Sprint(g[0].Until) != want {
			t.Errorf("%q: %+v, want until %s", text, g, want)
		}
	}
}

// TestNamedAct: an act that names a step is of that step's kind.
func TestNamedAct(t *testing.T) {
	const steps, rule = "1. Search the papers.\n2. Write a plan.\n3. Show me the plan.\n4. Change the code.\n", "Do not start step 4 before step 2 is done.\n"
	for _, text := range []string{steps + "\n" + rule, rule + "\n" + steps} {
		if g := Read(text, 1).Guards; len(g) != 1 || fmt.Sprint(g[0].Deny, g[0].Until) != "[write] [plan]" {
			t.Errorf("%q: %+v", text, g)
		}
	}
}

// TestCountedGate: a prohibition that names a number of documents waits for as many, with and without "at least".
func TestCountedGate(t *testing.T) {
	for text, want := range map[string]string{
		"Do not write code until two references have been found.":        "docs(documents) >= 2",
		"Write no code before at least 3 independent sources are found.": "docs(documents) >= 3",
		"Do not write code before references have been found.":           "len(documents) > 0",
	} {
		if block := Read("1. Search the papers.\n2. Write the code.\n\n"+text, 1).Block(nil); !strings.Contains(block, "require: "+want) {
			t.Errorf("%q: no gate %q in\n%s", text, want, block)
		}
	}
}

// TestOtherAct: what is forbidden and is no tool's is gated before the step that does it, told by its words.
func TestOtherAct(t *testing.T) {
	const text = `1. Search the register for the supplier.
2. Call the supplier.
3. Verify the bank details by phone.
4. Enter the supplier in the ledger.
5. Transfer the deposit.

The deposit must not be transferred before the head of finance has agreed.`
	block := Read(text, 1).Block(nil)
	gate, act := strings.Index(block, "id: confirmed"), strings.Index(block, "Transfer the deposit\"")
	if before := strings.Index(block, "Enter the supplier in the ledger\""); gate < before || gate > act || before < 0 {
		t.Errorf("the gate stands at %d, between %d and %d expected:\n%s", gate, before, act, block)
	}
	if strings.Contains(block, "deny:") {
		t.Errorf("a tool is denied:\n%s", block)
	}
}

// TestForms: the forms that docs/skills.md lists.
func TestForms(t *testing.T) {
	for _, text := range []string{
		"No edits before the plan is approved", "Do not commit until the tests are green", "Nobody deploys unless the owner has agreed", "Nothing is sent without approval", "Do not edit as long as the plan is pending",
		"No deployment while the canary is red", "In the absence of a signature no money is paid", "Commit only after the reviewer has agreed", "Only once I have said yes may you edit", "Code may be written only with an approved plan",
		"Commits are forbidden until the plan is approved", "Edits are not allowed before the review", "Code is off limits until the plan is signed", "The repository is frozen until the audit is done", "Deployment is blocked until QA has signed",
		"Coding must wait until the plan is approved", "The folder stays closed until she has agreed", "Hold off on coding until the plan is approved", "Postpone the merge until the tests are green", "Hands off the code until the plan is approved",
		"A claim without a source has no place in the report", "An edit without an approved plan is reverted", "Step 4 does not begin before 2 and 3 are done", "The plan must be approved before coding starts",
		"Any release needs the approval of the owner", "An approved plan is a precondition for any edit", "No paper that has not been read may be cited", "Unverified numbers must not be reported",
	} {
		if p := shipped().forbids(text); p < forbidding {
			t.Errorf("%q: %.2f", text, p)
		}
	}
	for _, text := range []string{"Before you edit, read the file", "You must read the file first", "Never guess", "Search until three sources agree", "If the tests fail, stop"} {
		if p := shipped().forbids(text); p >= mayForbid {
			t.Errorf("%q: %.2f", text, p)
		}
	}
}

// TestDoubtMore: what is sure enough to forbid in a procedure is in doubt in an explanation.
func TestDoubtMore(t *testing.T) {
	const rule = "Releases are gated on the approval of the owner.\n"
	if r := Read("The parser has three parts. Each has tests.\n\n"+rule, 1); len(r.Guards) != 0 || len(r.Unread) != 1 || r.Unread[0].Line != 3 {
		t.Errorf("explanation: guards %+v, in doubt %+v", r.Guards, r.Unread)
	}
	if r := Read("1. Search the papers.\n2. Write the code.\n3. Release it.\n\n"+rule, 1); len(r.Guards) != 1 || len(r.Unread) != 0 {
		t.Errorf("procedure: guards %+v, in doubt %+v", r.Guards, r.Unread)
	}
}
