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
[write] until [check] | Hands off the database until the backup is verified!
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
[answer write] until [approve] | Do not write code or send the report until I have approved the plan.
[write] until [approve] | No pull request is opened until the maintainer has nodded.
[write] until [approve] | You are free to edit once the architect has given the go-ahead, and not a minute earlier.
[answer] until [check] | The report does not leave the building before its figures have been cross-checked.
[run] until [approve] | The firmware must not be flashed until the test lead gives a green light.
[write] until [search_docs] | No code without a source.
[write] until [plan] | Nobody writes a line of code before the design exists.
[answer] until [approve] | Nothing is mailed to the patient before the physician has signed it.
[other] until [approve] | Do not order the parts until purchasing has released the budget.
[other] until [approve] | The contract may be terminated only after the board has resolved so.
[write] until [callers] | Don't touch the signature until you know every caller.
[write] until [run] | Never refactor before the tests have run once on the old code.
[write] until [check] | Nothing is merged while a single test is red.
[run] until [check] | The rollout waits until the canary looks good.
[answer] until [search_docs] | An answer without a reference is not acceptable.
[write] until [approve] | The manuscript is not changed before the co-authors agree.
[answer] until [approve] | The press release goes out only with the signature of the director.
[other] until [check] | No payment without a verified account number.
[write] until [read] | You must not cut a paragraph that you have not read to the end.
[answer] until [search_docs] | You may answer only when at least two sources say the same.
[write] until [approve] | Edits need the owner's OK.
[run] until [write] | Do not run the migration before the backup script is written.
[answer] until [read] | Never summarise a paper whose methods section you have not read.
[write] until [approve] | Until I have given my blessing, hands off the keyboard.
[write] until [approve] | I must have approved the plan before you write a single line.
[other] until [approve] | No animal is moved before the vet has given permission.
[other] until [read] | Nobody handles the solvent without having read the safety sheet.
[write] until [approve search_docs] | Code is only allowed after references have been found and the plan has been approved.
[write] until [search_docs] | Do not code anything before you have at least three references.
[run] until [plan] | No experiment without a written plan.
[write] until [approve] | Commit only after the reviewer has said yes.
[answer] until [approve] | Send the offer only once the head of sales has approved it.
[write] until [run] | It is not allowed to change the parser before the benchmark has been run.
[write] until [check] | The lock file must not be updated unless the audit is clean.
[answer] until [approve] | The letter remains in the drawer until the notary has signed.
[write] until [approve] | No implementing until a human has picked one of the options.
[answer] until [callers] | You cannot declare a function dead until the language server has been asked for its references.
[write] until [approve] | Do not start with the implementation as long as the plan lacks approval.
[other] until [approve] | Do not delete any sample until the curator has agreed.
[write] until [approve] | Before anything is changed in the repository, the owner must have approved the plan.
[run] until [approve] | Production deployments are forbidden without a sign-off.
[write] until [approve] | No edits, no commits, no branches before I approve the outline.
[answer] until [check] | Results that have not been validated are never reported.
[answer] until [approve] | The decision must not be announced before the committee has voted.
[write] until [search_docs] | Not one equation goes into the code before its source is known.
[write] until [approve] | You may not touch a file until the plan has my OK.
[write] until [read] | Do not edit a configuration file without reading its documentation first.
[answer] until [approve] | The quotation must be approved by the manager before it is sent.
[write] until [plan] | No implementation without a plan.
[write] until [check] | A fix is not committed until the failing test passes.
[other] until [approve] | Nobody books a flight until the trip is authorised.
[write] until [callers] | Removing a function is only permitted after its callers have been listed.
[answer] until [check] | Don't call it done until the whole suite is green.
[write] until [approve] | Hold the merge until QA signs off.
[write] until [approve] | Absolutely no code changes prior to approval of the plan!
[answer] until [read search_docs] | Never give a recommendation before the guideline has been found and read.
[write] until [approve] | Wait with the implementation until the plan has been accepted.
[write] until [approve] | The schema is frozen until the data owner agrees.
[write] until [approve] | Until Ms Brandt has approved the concept, nobody changes anything in the repository.
[write] until [search_docs] | Implementation without at least one published reference is out of the question.
[answer] until [approve] | The minutes may be distributed only when the chairman has signed them.
[write] until [callers] | Do not rename anything until all its callers are known.
[write] until [read] | Do not touch the driver before you have read its data sheet.
[run] until [check] | No deployment while the error budget is exhausted.
[answer] until [search_docs] | Never state a dose without giving its source.
[write] until [approve] | Implementation may begin as soon as the plan is approved, not before.
[other] until [approve] | Goods must not be ordered without the signature of the budget holder.
[write] until [run] | Nothing is changed before the benchmark has been run on the old version.
[answer] until [check run] | A result may be reported only if it was reproduced and checked.
[other] until [check] | Money is never transferred before the IBAN has been checked by phone.
[write] until [plan] | You don't start writing code until there is a plan.
[answer] until [approve] | No letter goes out without the partner's signature.
[write] until [approve] | Please do not commit until I tell you so.
[write] until [approve] | No change to production data without a second pair of eyes.
[answer] until [read] | You must have read a judgment before you cite it.
[answer] until [approve] | The answer must have been approved by the legal department before it leaves the house.
[other] until [approve] | No employee may be dismissed until the works council has been heard.
[write] until [callers] | A function may be deleted only if it has no callers.
[write] until [approve] | Wait for my OK; until then, no edits.
[write] until [approve] | The refactoring starts when, and only when, the owner has agreed.
[write] until [search_docs] | First evidence, then code: not a single line before two sources were found.
[answer] until [approve] | The paper is not to be submitted until all authors have agreed.
[run] until [approve] | Do not run anything on the cluster without permission from the administrator.
[other] until [check] | A sample must not be discarded until its result has been confirmed by a second measurement.
[write] until [check] | If the tests fail, do not commit.
[answer] until [check] | If a figure cannot be verified, it must not appear in the report.
[write] until [approve] | Don't make any change the owner has not agreed to.
[write] until [plan] | Coding before planning is forbidden.
[write] until [approve] | You are not permitted to modify the specification until the committee has voted on it.
[answer] until [search_docs] | No statement without a page number.
[answer] until [read] | Never rely on the abstract alone: do not cite a paper before having read its methods.
[other] until [approve] | The patient is not to be discharged before the senior physician has agreed.
[write] until [approve search_docs] | Before there are references and the user has accepted the plan, no code may be written.
[run] until [approve] | Hold off deploying until the release manager confirms.
[answer] until [approve] | Do not reply to the customer until support management has cleared the wording.
[write] until [check] | The configuration is not to be changed unless the backup has been verified.
[write] until [read] | No refactoring without having read the tests.
[answer] until [approve] | Results stay inside the team until the lead has released them.
[write] until [approve] | You touch no file until I have said so.
[write] until [callers] | The signature must not change before everybody who calls it is known.
[write] until [approve] | Code only after my approval.
[answer] until [check] | Only numbers that have been verified may be reported.
[other] until [approve] | The payment may not be released until two people have signed.
[run] until [approve] | The job is not to be started without the operator's permission.
[write] until [search_docs] | Before at least one source has been found, do not write a single line.
[write] until [run] | Do not fix anything you have not reproduced.
[answer] until [search_docs] | An answer must not be given until the manual has been searched.
[write] until [approve] | Any change to the schema must be approved by the data owner first.
[write] until [plan] | Do not code before a plan has been written.
[write] until [check] | Merging while CI is red is not allowed.
[other] until [approve] | The meeting must not be scheduled until all partners have agreed on a date.
[answer] until [approve] | We never send a quote that the engineer has not checked.
[write] until [approve] | There will be no commits before the design review.
[run] until [check] | It is strictly forbidden to deploy before the checksums have been verified.
[write] until [approve] | Leave everything untouched until the client confirms.
[other] until [read] | Never operate the crane before reading the instructions.
[write] until [approve] | No edits to the contract until the lawyer gives the all-clear.
[answer] until [check] | Figures which nobody has checked do not belong in the report.
[write] until [approve search_docs] | Do not implement anything until a source has been found and I have approved the plan.
[write] until [approve] | Implementation must not begin prior to sign-off.
[answer] until [read] | You may quote a decision only after you have read it in full.
[run] until [run] | No migration on production until it has been run on staging.
[other] until [check] | Do not close the ticket until the fix has been verified.
[write] until [approve] | At no time may code be changed without my consent.
[answer] until [approve] | The letter is sent only when Legal has cleared it.
[write] until [approve] | Keep your fingers off the production branch until the captain gives the word.
[write] until [approve] | Changes are made only after the customer has confirmed the quotation in writing.
[answer] until [read] | Whoever has not read the file may not comment on it.
[write] until [plan] | Writing code without a plan is forbidden.
[other] until [approve] | Don't contact the press before the spokesperson has agreed.
[write] until [approve] | Wait for the green light before you touch anything; until you have it, no file may be changed.
[answer] until [search_docs] | No answer may be given that is not backed by a source.
[write] until [run] | Until the failing test has been reproduced, no fix is to be attempted.
[other] until [approve] | Do not grant access to anybody until the data owner approves.
[write] until [approve] | I don't accept any commit before I have seen the design.
[answer] until [approve] | The draft must not be shown to the client before the partner has read it.
[write] until [check] | As long as the linter complains, nothing gets committed.
[run] until [check] | Only deploy when all checks are green.
[write] until [approve] | No translation is started until the client has accepted the glossary.
[answer] until [search_docs] | A claim may only be made if at least two independent studies support it.
[other] until [check] | The reagent may not be used until its concentration has been verified.
[write] until [approve] | Not a single file is to be touched until I give my okay.
[write] until [search_docs] | You must not start coding before you have found the reference implementation.
[answer] until [approve] | Publication requires the consent of all authors.
[write] until [read] | Do not modify a module whose documentation you haven't read.
[other] until [approve] | The old server is not switched off until operations has signed off.
[run] until [run] | Never run the migration on the live database before a dry run has succeeded.
[answer] until [check] | Do not mail the result until you have compared it with last year's.
[write] until [approve] | Nobody edits the contract text until both parties have agreed on the changes.
[write] until [callers] | First find every caller; never change the function before that.
[answer] until [approve] | Without clearance by Legal the statement must not go out.
[other] until [approve] | Never discard a sample unless the principal investigator has agreed.
[write] until [approve] | Do not open a pull request before I have given you a thumbs-up.
[answer] until [check] | The forecast is not to be circulated unless it has been back-tested.
[write] until [search_docs] | Before you have at least three sources, you write nothing.
[other] until [approve] | The trial may not be unblinded until the steering committee has decided.
[write] until [callers] | Nobody may delete the table until we know which services read it.
[write] until [read] | Do not start rewriting before you have read the whole chapter.
[answer] until [search_docs] | Advice may be given only after the case law has been searched.
[write] until [approve] | No line of the protocol may be altered until the sponsor has agreed in writing.
[write] until [check] | You must not tag a release until every platform has passed.
[other] until [check] | Nothing is bought before three offers have been compared.
[answer] until [approve] | Do not give the customer a date until engineering has confirmed it.
[run] until [run] | The live run must not start until the rehearsal has been run.
[write] until [approve] | Only with the consent of the maintainer may you rewrite history.
[answer] until [read] | A summary must not be written by someone who has not read the report.
[write] until [approve] | Code is off limits until the concept has been blessed by the architect.
[answer] until [check] | Do not answer until you have checked the answer against a second source.
[other] until [approve] | The machine stays off until the foreman has released it.
[write] until [search_docs] | Before evidence has been found, no hypothesis goes into the text.
[write] until [approve] | Please refrain from any edits until I have replied.
[run] until [check] | Do not execute the script until you have verified the paths.
[answer] until [approve] | It must not be published before peer review.
[write] until [callers] | Don't alter an interface before finding out who implements it.
[other] until [approve] | Don't begin without my go.
[write] until [approve] | Approval must precede any edit.
[write] until [check] | Only once the images agree may the shader be deleted.
[answer] until [approve] | Do not publish until the client asks for it.
[write] until [approve] | The text of the treaty stays as it is until both delegations have agreed.
[answer] until [approve] | You don't reply to the journalist until communications has approved the wording.
[write] until [check] | It is not permitted to change the constants until their source has been verified.
[run] until [approve] | Nobody restarts the cluster before the on-call engineer has said yes.
[other] until [read] | Never mix two chemicals before having read both safety sheets.
[answer] until [search_docs] | Do not call a method new before the literature has been searched.
[write] until [approve] | No refactoring, please, until we have talked and I have agreed.
[answer] until [check] | The invoice must not be sent before the hours have been checked.
[write] until [approve] | Nothing gets translated until the termbase has been approved.
[other] until [approve] | No appointment may be cancelled without the patient's consent.
[write] until [run] | Never optimise before you have measured.
[answer] until [read] | Don't cite what you have not read.
[write] until [search_docs] | Code without literature is worthless here.
[answer] until [approve] | Grades are not announced until the dean has signed the list.
[other] until [check] | Don't pay an invoice that has not been checked.
[write] until [plan] | Programming starts when there is a plan, not sooner.
[answer] until [search_docs] | Until you have found it in the standard, do not claim it.`) {
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
Values without a unit are metres.
If there is no match, do not guess.
Do not use the cached version, it may be old.
Never round intermediate results.
Before you start, make sure you have the latest version.
Don't forget the footnotes.
Do not translate names.
The report should not be longer than two pages.
Nothing else is needed.
If no source is found, say so.
If the user does not answer, ask once more.
Only the first page is needed.
Read the manual before you start the machine.
There is no need to read the appendix.
Do not spend more than an hour on it.
Not every test has a reference.
The values must not differ by more than one percent.
Do not include personal data in the summary.
Never use the word obvious.
Check the units before comparing the values.
Only after that compare the two tables.
No more than three sentences.
Do not search outside the repository.
Avoid abbreviations that have not been introduced.
Stop when nothing new turns up.
Do not add a dependency for this.
If the file does not exist, create it.
Wait until the server is up before running the tests.
Run the tests before and after the change.
Ask before deleting anything.
Make a backup before changing the schema.
Do not paraphrase: quote.
A missing value is not a zero.
Do not exceed the budget without a reason in the log.
The index cannot be used until it is built.
Keep the original until the copy has been verified.
You cannot see the result until the job has finished.
Never trust a single source.
Do not change the file names.
It is not enough to read the abstract.
Do not stop before the list is complete.
Never leave a field empty.
Do not go back more than five years.
The order of the steps must not be changed.
Do not ask more than two questions.
No table without a caption.
Do not use more than one colour.
Nothing is printed when the run succeeds.
Do not rely on memory.
There is no second chance.
The letter must not exceed one page.
Do not repeat a search that brought nothing.
If in doubt, do not change it.
The test must be run before lunch.
Do not skip the footnotes.
A claim is not a proof.
It does not matter who reads it first.
Until now nobody has complained.
Use no other source.
Don't be too polite.
You don't need an account until the second week.
Until the queue is empty, take the next entry and check it.
Do not wait for me if I am on holiday.
Values must not be rounded.
Never mix units.
A report without care is worthless.
Results only after lunch.
There is no limit until the second week.
Avoid long names until you know the style.
If the key is not in the file, look at the manual before you answer.
Drawing conclusions without a reason is forbidden.
The cache is only filled after the first request.
Check that the lid stays closed until the bath is empty.
Don't change anything while you are at it.
P-values: only make this suggestion when it is clearly useful.
If the brief does not say what it is, pin it down before designing.
Do not edit the generated files by hand.
Never write to the log more than once.
No figure is larger than the page.
There is no hurry, but do not stop either.
Do not count the same paper twice.
A step may be skipped if its result is known.
Nothing in this list is optional.
The answer must not be longer than ten lines.
Do not begin a sentence with a number.
You may use the phone only in the break.
The letter is not a contract.
Nobody knows why the test is slow.
If the test does not fail, the bug is somewhere else.
Do not delete the original.
Never publish names of patients.
Search until no new paper appears.
The report is written in English only.
Do not accept a number without looking at its unit.
Use the newest version only.
No more than one change per commit.`) {
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
		"No edits unless 1 and 3 are done.":                                           "[approve search_docs]",
		"Step 4 does not begin before step 2 is through.":                             "[plan]",
		"The fourth step must not be started before the third has been finished.":     "[approve]",
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

// TestGuardAct: what is not to be done, as it is written; in a text about documents an account that is created is no file.
func TestGuardAct(t *testing.T) {
	g := Read("1. Search the register.\n2. Read the form.\n3. Create the vendor.\n\nThe vendor is not to be created before finance has approved the form.", 1).Guards
	if len(g) != 1 || g[0].Act != "The vendor be created" || fmt.Sprint(g[0].Deny) != "[other]" {
		t.Errorf("%+v", g)
	}
	if g := Read("# Notes\n\nCode is written only after approval.", 1).Guards; len(g) != 1 {
		t.Errorf("%+v of a note", g)
	}
}

// TestStepBrings: a condition that a step of the text brings about is of that step's kind.
func TestStepBrings(t *testing.T) {
	for text, want := range map[string]string{
		"1. Confirm the identity of the requester.\n2. Send the data.\n\nNo data is sent unless the identity has been confirmed.":    "[check]",
		"1. Have the lead confirm the list.\n2. Send the data.\n\nNo data is sent unless the list has been confirmed.":               "[approve]",
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
		"Never edit a file with fewer than four papers.":                 "docs(documents) >= 4",
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
