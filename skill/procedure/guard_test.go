package procedure

import (
	"fmt"
	"strings"
	"testing"
)

// TestForms: prohibitions in the forms that English has for them.
func TestForms(t *testing.T) {
	for line := range strings.Lines(`[write] until [approve] | You are not to touch the code until the plan has my approval.
[write] until [approve] | Editing files before the design is approved is not allowed.
[write] until [check] | Changes to the schema are forbidden until the backup has been verified.
[write] until [approve] | Writing code is off limits until the reviewer has agreed.
[write] until [check] | Do all reading first; do not write anything until then.
[write] until [run] | No edits until the tests have been run.
[write] until [callers] | Not a line of code is to be written before the callers are known.
[answer] until [approve] | Not before the supervisor has signed may the order be sent.
[write] until [plan] | Not until the plan is approved do you start coding.
[run] until [run] | Under no circumstances should the migration be run before the backup is made.
[write] until [approve] | At no point may you commit without my approval.
[answer] until [approve] | The report must never be sent unless the lead has approved it.
[run] until [check] | Never ever deploy without a green build.
[answer] until [check] | Nothing is to be published until the figures have been checked.
[write] until [approve] | Nobody merges before two reviewers have approved.
[write] until [approve] | I do not want to see any code before I have approved the plan.
[write] until [approve] | I don't want any changes made until I say so.
[write] until [approve] | Make no changes until the owner has confirmed.
[write] until [read] | Make no edits before the references are read.
[write] until [approve] | Take no action until the customer has agreed.
[write] until [search_docs] | Write no code until you have found at least two papers.
[answer] until [read] | Give no answer until every source has been read.
[write] until [approve] | Write nothing before the plan is approved.
[write] until [approve] | Change nothing until I have said yes.
[answer] until [approve] | Send nothing out until the editor has signed off.
[write] until [approve] | Leave the files alone until I approve.
[write] until [approve] | Leave the code as it is until the plan is approved.
[write] until [approve] | Keep your hands off the code until the plan is approved.
[other] until [check] | Hands off the database until the backup is verified!
[write] until [approve] | Coding starts only after approval.
[write] until [approve] | Coding may start only after the plan has been approved.
[write] until [approve] | Implementation begins only when the design has been approved.
[write] until [approve] | You may only write code once the plan is approved.
[write] until [approve] | You may write code only once the plan is approved.
[write] until [approve] | You can start implementing only after I have approved the plan.
[write] until [approve] | Code may be written only after the plan is approved.
[write] until [approve] | Only after approval may code be written.
[write] until [check] | Only when the tests pass may you commit.
[write] until [check] | Only then may you write the code.
[write] until [approve] | It is only after the approval that you may edit.
[write] until [approve] | The patch can only be applied after the review.
[write] until [approve] | The code is only written after the plan has been approved.
[write] until [approve] | Do not, under any circumstances, write code before the plan is approved.
[write] until [approve] | Do NOT (ever) edit a file before I have approved the plan.
[write] until [approve] | Please don't touch the repository until I've had a look at the plan.
[write] until [approve] | Before I have approved the plan, you must not write any code.
[write] until [approve] | Before the plan is approved no code is written.
[write] until [approve] | Before approval, no code.
[write] until [approve] | Until approval: no code.
[write] until [approve] | Until the plan has been approved you may not write any code.
[write] until [approve] | Until I say go, don't write code.
[write] until [check] | Until the tests are green the branch stays closed.
[write] until [approve] | As long as the plan has not been approved, no code may be written.
[write] until [approve] | As long as there is no approved plan, do not write code.
[write] until [approve] | While the review is open, nothing is merged.
[write] until [approve] | So long as a reviewer objects, do not merge.
[write] until [approve] | Unless the plan is approved, do not write code.
[write] until [approve] | Without an approved plan you must not write code.
[run] until [approve] | Without approval, do not deploy.
[answer] until [search_docs] | Without a citation, no claim goes into the report.
[write] until [approve] | If the plan has not been approved, do not write code.
[write] until [approve] | If no plan has been approved, do not write code.
[answer] until [read] | If you have not read the clause, do not cite it.
[answer] until [approve] | If the user hasn't agreed, don't send anything.
[write] until [approve] | Writing code requires an approved plan.
[run] until [approve] | Deployment needs the approval of the release manager.
[write] until [approve] | Any deletion requires my explicit consent.
[write] until [approve] | Every change needs a sign-off from the owner first.
[write] until [approve] | You need my approval before you write any code.
[write] until [approve] | My approval is required before any code is written.
[run] until [approve] | Approval by the lead is needed before anything is deployed.
[write] until [approve] | The plan must be approved before any code is written.
[run] until [approve] | The review has to be finished before the release is made.
[write] until [approve] | An edit is allowed only after the plan is approved.
[write] until [approve] | Edits are permitted once the plan is approved, not earlier.
[write] until [plan] | Code comes after the plan, never before.
[write] until [callers] | Hold off on editing until the callers are listed.
[write] until [callers] | Refrain from editing before the callers are listed.
[write] until [approve] | Postpone all edits until the plan is approved.
[write] until [approve] | Do not proceed to implementation until the plan is approved.
[other] until [check] | Do not move on to step 4 until step 3 is complete.
[other] until [check] | Do not start step 4 before step 3 is done.
[write] until [approve] | Never skip ahead to code before the plan is approved.
[other] until [approve] | Stop and do not continue until the user confirms.
[write] until [approve] | Code must wait for the approval.
[write] until [read] | The fix has to wait until the log has been read.
[answer] until [search_docs] | The answer is withheld until two sources agree.
[run] until [approve] | No one is allowed to deploy until the on-call engineer agrees.
[answer] until [read] | It is not permitted to cite a paper that has not been read.
[answer] until [read] | Do not cite papers you have not read.
[answer] until [read] | Never cite a source you haven't opened.
[answer] until [check] | Do not report numbers that have not been checked.
[answer] until [search_docs] | Claims without a source must not appear in the report.
[answer] until [check] | Unverified numbers must not be reported.
[answer] until [check] | Do not present an unverified result.
[write] until [approve] | No unreviewed change may be merged.
[write] until [approve] | Only reviewed changes may be merged.
[answer] until [check] | Only verified numbers go into the report.
[answer] until [read] | Only cite what you have read.
[write] until [approve] | An unapproved plan must not be implemented.
[answer] until [check] | The order may not go out before payment has been received.
[write] until [read] | Don't even think about code before the papers have been read.
[write] until [approve] | You shall not pass to coding before the plan is approved.
[write] until [approve] | Approval first, code second: never write before I agree.
[write] until [approve] [run] until [check] | Do not edit before the plan is approved, or deploy before the tests are green.
[write] until [approve] [run] until [check] | No code before the plan is approved and no deployment before the tests are green.
[answer] until [read] [answer] until [approve] | Never answer before the clause is read or send before the lead has signed.
[answer write] until [approve] | Do not write code or send the report until I have approved the plan.`) {
		want, text, _ := strings.Cut(strings.TrimSpace(line), " | ")
		var got []string
		for _, g := range Read(text, 1).Guards {
			got = append(got, fmt.Sprintf("%v until %v", g.Deny, g.Until))
		}
		if got := strings.Join(got, " "); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestNoGuard: what has a negation, or a "before", and forbids nothing that is ever lifted.
func TestNoGuard(t *testing.T) {
	for line := range strings.Lines(`Wait for approval before writing any code.
Wait until I have approved the plan before you write any code.
Skip a step only when the owner has agreed.
Check for empty values before processing them.
Make sure the file is not empty before you open it.
Before concluding that there are none, verify that the index is not stale.
Use the cache only when it is needed.
Never change the order of columns without losing the header.
Do not use tabs unless needed.
Do not change a text unless adding depth.
The parser does not stop until the input ends.
The flag is not read unless the file exists.
It will not start without a config file.
If they decline, go on without images.
Avoid long names unless they help.
Use a table only if there are more than five values.
Do not mention the price.
Read the file before editing it.
Only report the URL.
Not a replacement for a lawyer.
No index: rows are numbered from 0.
The test must not depend on time.
Wait until the page has loaded.
Never wait until the deadline.
This step needs no network.
The model only answers after loading.
You can skip this once you know the format.
Values without a unit are metres.`) {
		if g := Read(strings.TrimSpace(line), 1).Guards; len(g) > 0 {
			t.Errorf("%q: %v until %v", strings.TrimSpace(line), g[0].Deny, g[0].Until)
		}
	}
}

// TestNamedSteps: conditions that name steps of the text.
func TestNamedSteps(t *testing.T) {
	const steps = "1. Search the papers for the term.\n2. Write a plan.\n3. Show me the plan.\n4. Change the code.\n\n"
	for text, want := range map[string]string{
		"Never change a file before steps 1 to 3 are done.":                           "[approve plan search_docs]",
		"Do not change anything until step 2 is finished.":                            "[plan]",
		"No edits before the search has come back.":                                   "[search_docs]",
		"Do not edit until the plan is approved. Until then, do not deploy anything.": "[approve] [approve]",
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

// TestCountedGate: a prohibition that names a number of documents waits for as many, with and without "at least".
func TestCountedGate(t *testing.T) {
	for text, want := range map[string]string{
		"Do not write code until two references have been found.":        "docs(documents) >= 2",
		"Write no code before at least 3 independent sources are found.": "docs(documents) >= 3",
		"Never edit a file with fewer than four papers.":                 "docs(documents) >= 4",
		"Do not write code before references have been found.":           "len(documents) > 0",
	} {
		if block := Read("1. Search the papers.\n2. Write the code.\n\n"+text, 1).Block(nil); !strings.Contains(block, "require: "+want) {
			t.Errorf("%q: no gate %q in\n%s", text, want, block)
		}
	}
}
