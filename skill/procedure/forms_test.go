package procedure

import (
	"fmt"
	"strings"
	"testing"
)

// laterForms are prohibitions written in six lots, each before the reader saw it (docs/bench/skills.md).
const laterForms = `[write] until [approve] | Keep the editor closed until I have nodded at the outline.
[run] until [check] | Production is untouchable as long as staging shows a single red probe.
[write] until [read] | Whilst the style guide is unread, no sentence of the manual gets changed.
[answer] until [approve] | Circulation of the minutes is subject to the chair's approval.
[write] until [approve] | Merging presupposes two approvals.
[run] until [approve] | A rollout with no sign-off from the release manager is a firing offence.
[write] until [plan] | No plan, no code.
[write] until [approve] | Absent my go-ahead, the repository is read-only.
[run] until [plan] | Experiments without a protocol are banned.
[other] until [approve] | Payment is blocked pending the treasurer's signature.
[write] until [run] | The patch may not be written for a bug that has not been reproduced.
[answer] until [approve] | Under no condition is the client to hear a number which the partner has not signed off.
[write] until [approve] | If the architect says no, leave the code alone.
[run] until [check] | Do not run ¬terraform apply¬ if the plan shows a deletion that nobody has checked.
[other] until [check] | In no event ship the sample until the label has been compared with the list.
[answer] until [search_docs] | What has no source does not go into the report.
[answer] until [approve] | Hold the announcement back until marketing has okayed it.
[write] until [approve] | You are forbidden to touch the schema unless Petra has approved the migration plan.
[run] until [approve] | Nothing goes live until the product owner has given the thumbs up.
[write] until [approve] | There shall be no editing of the contract ahead of the lawyer's consent.
[answer] until [read] | It won't do to cite a judgment that you haven't read in full.
[write] until [approve] | Don't you dare commit anything before I have looked at the diff.
[answer] until [check] | Results can't be reported till the blank has been checked.
[run] until [approve] | The deploy button is off limits for everyone until the incident commander gives the all-clear.
[write] until [approve] | No pen touches the manuscript before the author agrees.
[write] until [approve search_docs] | Code needs two things first: a source and my approval.
[answer] until [approve] | Neither the letter nor the invoice may leave the office unless the partner has signed.
[write] until [check] | A merge on a red pipeline is never acceptable.
[run] until [read] | Never power up the rig if the safety sheet hasn't been read.
[other] until [approve] | The door stays locked until the supervisor says otherwise.
[write] until [approve] | Refactoring is permitted with the maintainer's blessing only.
[run] until [run] | The long simulation has to wait until the short one has run.
[write] until [plan] | Implementation cannot begin in the absence of a written design.
[other] until [check] | It is a mistake to order parts before the stock has been checked, so don't.
[write] until [approve] | Should the owner object, nothing may be changed.
[write] until [callers] | A signature whose callers are unknown is not to be changed.
[write] until [approve] | None of this goes into main before Anna has had a look.
[write] until [read] | Editing blind is not allowed: no file may be changed unless it was opened first.
[write] until [approve] | Changes to the firmware: not before the test lead has signed.
[other] until [approve] | A refund must be authorised by a manager before it is paid out.
[write] until [approve] | Not a keystroke before Mara has seen the plan.
[write] until [approve] | The keyboard stays cold until the plan is signed.
[answer] until [check] | Nothing leaves this room until the numbers have been gone over twice.
[write] until [approve] | No touching the config until ops says yes.
[run] until [approve] | The pipeline must not be kicked off until the data owner has released the dataset.
[answer] until [read] | Quote nothing you have not opened yourself.
[write] until [approve] | Implementation is blocked on the sign-off from step 4.
[answer] until [approve] | The client hears nothing from us until the partner has read the memo.
[run] until [check] | Don't even think of deploying with a failing smoke test.
[run] until [run] | Nobody runs the migration on the live system without having run it on the copy.
[write] until [callers] | Until you know who calls it, the function is not yours to change.
[other] until [approve] | We do not order anything until the budget holder has put her initials on the form.
[write] until [approve] | Coding without a nod from the lead gets reverted.
[write] until [plan] | You do not open the editor before there is a written plan.
[answer] until [approve] | The press release is embargoed until the director clears it.
[write] until [approve] | Only after the committee's vote is the bylaw amended.
[write] until [check] | Commits wait for a green build.
[write] until [approve] | Merge only with two approvals.
[answer] until [check] | Do not hand in the assessment with open questions in the checklist.
[other] until [approve] | No sample is thrown away unless its owner has agreed in writing.
[write] until [approve] | As long as a single reviewer has an objection, the text stays as it is.
[write] until [run] | If you couldn't reproduce it, you don't get to fix it.
[answer] until [approve] | The letter may not be posted till Mrs Lund has put her signature to it.
[write] until [approve] | The text is frozen once submitted and may only be changed with the editor's consent.
[run] until [check] | Unless the checksum matches, the image must not be flashed.
[write] until [search_docs] | A threshold without a source has no place in the code.
[answer] until [check] | Before the sums agree, nobody sends anything to the tax office.
[write] until [approve] | I want to approve the diff before it is committed; without that, no commit.
[answer] until [approve] | Please never forward the draft to the customer before I've okayed it.
[write] until [read] | You're not allowed to edit a chapter you haven't read to the end.
[write] until [approve] | There is to be no implementation work whatsoever prior to the approval of the design.
[write] until [check] | Refrain from merging as long as the licence check has not come back clean.
[answer] until [approve] | Whatever the outcome, no word of it to the press before the spokesman agrees.
[write] until [approve] | The change may be made once, and only once, the owner has confirmed.
[run] until [plan] | The experiment is not started without a protocol that has been written down.
[write] until [approve] | In this lab nobody changes a file before the lead has agreed.
[answer] until [check] | Nothing goes to a client before the figures have been checked.
[write] until [approve] | Hold your horses with the code until the outline is accepted.
[answer] until [check] | If the two readings disagree, don't report either.
[write] until [approve] | Anything that touches the database has to have the DBA's consent beforehand.
[run] until [check] | A dose calculation that has not been checked by a second person is never to be executed.
[answer] until [search_docs] | No recommendation leaves my desk without at least one guideline behind it.
[write] until [approve] | I'd rather you didn't write any code until we've agreed on the interface.
[write] until [approve] | No file is to be altered except with the curator's written permission.
[answer] until [approve] | The statement shall not be released to anyone outside before Legal has finished with it.
[write] until [plan] | You won't write a single test before the test plan is done.
[write] until [approve] | Write access is used only after a human has confirmed the plan.
[write] until [approve] | Edits made before my approval will be thrown away.
[write] until [approve] | It is essential that no code be written before the stakeholders have agreed to the design.
[answer] until [check] | The invoice goes nowhere until the hours are verified.
[run] until [approve] | Deploys on a Friday need the on-call lead's blessing.
[other] until [approve] | Under no circumstances is the account to be closed before the customer has confirmed in writing.
[write] until [approve] | You may look at everything, but you may not change anything until I have given you the word.
[write] until [read] | Before you have read the contributing guide, keep your hands off the repository.
[answer] until [approve] | The answer to the journalist is held back until the board has seen it.
[run] until [check] | Scripts from the internet must not be run unless somebody has checked them line by line.
[write] until [approve] | Whatever you do, don't start coding before the review.
[answer] until [search_docs] | Do not state that something is "well known" without a source.
[write] until [approve] | All changes to the wiki are subject to prior approval by the editor.
[other] until [approve] | A volunteer must not be contacted before the ethics board has given its vote.
[answer] until [check] | I don't want to receive a report whose numbers you haven't checked yourself.
[run] until [plan] | There will be no migration without a rollback plan.
[write] until [approve] | The schema can be changed, but never before the data team has given its okay.
[answer] until [approve] | The minutes must stay internal until they are approved.
[write] until [approve] | Nobody, not even the maintainer, pushes to main without a review.
[other] until [check] | No refund is paid out until the return has been received and checked.
[write] until [search_docs] | No code is to be written until the references have been gathered.
[write] until [search_docs] | Nothing gets written before the literature has been gone through.
[write] until [search_docs] | Not a line of code until you have at least three papers in hand.
[write] until [search_docs] | Don't implement the equation until you have located it in the standard.
[write] until [search_docs] | Never code from memory: no line without its clause.
[write] until [search_docs] | Implementation stays off the table until the sources agree.
[write] until [search_docs] | Do not begin to code as long as a term has no reference.
[write] until [search_docs] | You don't touch the model before the evidence is on the table.
[write] until [search_docs] | Without a passage to point at, no change to the calculation.
[write] until [search_docs] | The code has to wait until the search has produced something.
[write] until [search_docs] | Only once two independent papers support it may a formula go into the code.
[write] until [plan] | No code without a plan on paper.
[write] until [plan] | Nothing is implemented before the outline is written.
[write] until [plan] | Don't open an editor before you have put your plan in writing.
[write] until [plan] | Edits are not allowed until there's a plan that says what changes and why.
[write] until [plan] | You may not start on the code before the design document exists.
[write] until [plan] | As long as the plan is not written down, hands off the files.
[write] until [approve callers] | No edit before the callers are listed and the owner has agreed.
[write] until [approve search_docs] | You may write code once you have the references and my approval, not earlier.
[read] until [approve] | Do not open a patient's file before the doctor has released it.
[read] until [approve] | The records may not be viewed without the patient's consent.
[search_docs] until [approve] | No searching in the mailbox before the works council has agreed.
[run] until [approve] | Nothing runs on the cluster before the quota is approved.
[answer] until [approve] | Nothing is sent out that the partner hasn't seen.
[answer] until [approve] | Keep the result to yourself until the lead has had a look at it.
[answer] until [approve] | The customer is not told anything before the team lead has okayed the wording.
[answer] until [check] | Give no figure that you have not recalculated.
[write] until [check] | No merge while the pipeline is anything but green.
[write] until [run] | Don't commit without a test run.
[write] until [approve] | Show the owner the list and wait; the code is not to be changed until she has said yes.
[write] until [plan] | Once you know the cause, write the plan, and leave the code alone until it is written.
[run] until [approve] | The cluster is shared, so no job is to be started there until the administrator has given permission.
[write] until [search_docs] | We have been burned by folklore, and that is why no constant enters the code before its source has been found.
[write] until [approve] | If you think a line must change, say so, but do not change it before the editor agrees.
[answer] until [approve] | When the draft is ready, show it to me, and don't send it to anyone before I have answered.
[write] until [callers] | The function is used all over the place, which is why it may not be renamed until all callers are known.
[other] until [approve] | Fill in the order form, but do not order anything until finance has approved it.
[run] until [check] | Deploy to staging first; production is off limits until staging has been green for a day.
[answer] until [search_docs] | A statement that cannot be traced to a clause has no business in the report.
[write] until [approve] | I am serious about this one: until I have approved the plan, not a single file is to be edited.
[answer] until [check] | Compare the totals; as long as they differ, the report must not go out.
[write] until [approve] | You propose, I decide: nothing gets merged until I have decided.
[answer] until [read] | Read the judgment itself, and never rely on a summary or cite a case you have not read.
[run] until [plan] | Because every run costs money, no simulation is started without a written test plan.
[write] until [approve] | This is a document with legal effect, and it must not be altered in any way unless counsel has agreed.
[answer] until [approve] | Prepare the answer for the customer; it may be sent when the account manager has approved it, and not before.
[other] until [approve] | The machine may be restarted, but only after the shift leader has confirmed that nobody is inside.
[write] until [approve] | Ask me first. Without my yes nothing is deleted.
[run] until [approve] | Never restart the database on your own; the on-call engineer has to agree first.
[write] until [approve] | Any edit to the statutes is on hold until the assembly has voted.
[write] until [plan] | Think before you type: no code until the design is on paper.
[write] until [approve callers] | No edit until the list of call sites is complete and the owner has agreed.
[write] until [approve callers] | Nothing is changed before you know everyone who uses it and Ruth has approved the plan.
[write] until [approve callers] | Do not edit until you have the callers and my go-ahead.
[write] until [approve callers] | Not one line is edited before the callers are on the table and the plan is signed.
[write] until [approve callers] | Editing starts when the callers have been counted and the maintainer has said yes, not before.
[write] until [approve callers] | Without a list of callers and an approved plan, hands off the code.
[write] until [approve callers] | No change goes in until all dependants have been found and the team has agreed.
[write] until [approve search_docs] | Before the sources are found and the plan is approved, nothing is written.
[write] until [approve search_docs] | No implementation before both the evidence and the approval are in.
[write] until [search_docs] | Do not write code until the relevant sections have been found.
[write] until [search_docs] | No code until the standard has been consulted.
[write] until [search_docs] | Don't code anything you cannot cite a source for.
[write] until [search_docs] | Not a line before the literature backs it.
[write] until [search_docs] | No equation is coded before you have found where it comes from.
[write] until [search_docs] | Code must rest on a source: no source, no code.
[answer] until [approve] | Do not release the statement before the board has cleared it.
[answer] until [approve] | The findings are not for circulation until the client has seen them.
[answer] until [approve] | Until the editor has passed it, the article is not published.
[answer] until [approve] | Your report stays a draft until I have signed it.
[answer] until [approve] | Don't go public before the board agrees.
[answer] until [approve] | No word to the customer before the lawyer has read the letter.
[run] until [approve] | No experiment on animals without the vote of the committee.
[write] until [plan] | Not a single edit before the plan is down on paper.
[write] until [plan] | Write the plan first; until there is one, the source is read-only.
[write] until [plan] | Leave the editor closed until you have a plan.`

// TestLaterForms: prohibitions in rarer forms, and behind what is said before and after them.
func TestLaterForms(t *testing.T) {
	for line := range strings.Lines(laterForms) {
		want, text, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "¬", "`")), " | ")
		if got := guardsIn(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

func guardsIn(text string) string {
	var got []string
	for _, g := range Read(text, 1).Guards {
		got = append(got, fmt.Sprintf("%v until %v", g.Deny, g.Until))
	}
	return strings.Join(got, " ")
}

// TestWrapped: what stands before and behind a prohibition, and how it is marked, seldom changes what is read. Those that are read otherwise are mostly turned ones ("... not until X may you").
func TestWrapped(t *testing.T) {
	for _, wrap := range []string{ // %s is the sentence, %l begins with a small letter, %n has no end
		"For good reasons, %l", "Since we were burned, %l", "However, %l", "To be clear: %l", "Remember, %l", "%n, because it went wrong.", "%n; we learnt that in 2019.", "%n, full stop.",
		"%n (no exceptions).", "- **Rule 2.** %s", "> %s", "_%s_", "Look at it twice, and %l",
	} {
		wrong := 0
		for line := range strings.Lines(laterForms) {
			want, text, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "¬", "`")), " | ")
			small := strings.ToLower(text[:1]) + text[1:]
			text = strings.NewReplacer("%s", text, "%l", small, "%n", strings.TrimRight(text, ".!")).Replace(wrap)
			if guardsIn(text) != want {
				wrong++
			}
		}
		if wrong > 12 {
			t.Errorf("%q: %d are read otherwise", wrap, wrong)
		}
	}
}

// TestDoubts: what forbids by its form, and is not understood, is doubtful.
func TestDoubts(t *testing.T) {
	for line := range strings.Lines(`No reference, no equation.
Samples must under no circumstances leave the lab prior to release by the quality manager.
Wait for the owner's consent, and don't edit a thing while you wait.
The offer is to be treated as a draft and not sent until sales has confirmed the price.
Unless the sums add up, keep the statement to yourself.
The certificate is issued after, never before, the measurement was verified.
Never put a constant into the code that you cannot trace back to a page of the standard.
Money moves only when both entries agree.
It is for the ward physician to decide; until then the drug is not given.
The branch is nobody's to push to until Karin has replied with a yes.
Only a change whose tests pass may be committed.
Don't change the type as long as you don't know where it is used.
Code is written only when there are references for it and an approved plan.
The answer goes to nobody before the editor has had it.
The fix is not written before the failure has been seen on the bench.`) {
		if r := Read(strings.TrimSpace(line), 1); len(r.Unread) != 1 || r.Unread[0].Line != 1 || len(r.Guards) > 0 {
			t.Errorf("%q: %+v", strings.TrimSpace(line), r)
		}
	}
}

// TestNoDoubt: conditions of orders, and orders that come first, are not doubtful.
func TestNoDoubt(t *testing.T) {
	for _, text := range []string{
		"Skip the check only when the pattern is clear.", "Before concluding, verify that nothing is left.", "Don't just wait until the tests are through.", "Is there no plan before the code is written?",
		"Implement it only when needed.",
	} {
		if r := Read(text, 1); len(r.Unread)+len(r.Guards) > 0 {
			t.Errorf("%q: %+v, %+v", text, r.Unread, r.Guards)
		}
	}
}

// TestNoLaterGuard: what has a negation, and forbids nothing that is ever lifted; at most two in five of such sentences are doubtful.
func TestNoLaterGuard(t *testing.T) {
	all, doubtful := 0, 0
	for line := range strings.Lines(`Do not stop until every file has been read.
Don't wait until Friday before asking.
The tool doesn't print anything until it has finished.
If no index exists yet, build it before searching.
Read the list once, not twice.
Nothing speaks against using both sources.
Only use the metric system.
Do not forget to close the file after reading it.
Never use more than one colour unless asked to.
The compiler will not complain until the second pass.
If you cannot find the function, search again with another name before giving up.
There are no tests for the module; write one before changing it.
Use plain words; no jargon without an explanation.
The build does not need the network once the cache is warm.
Do not guess while reading: look it up.
The results are not comparable unless the same seed is used.
In 2019 nobody checked the units before the launch.
It is not necessary to wait for the reply.
Take care not to lose the header while sorting.
Search without quotes first.
Write to the point, without adjectives.
Ask no more than three questions before you begin.
If the test is not flaky, go on.
Keep going until there are no open items.
The value is not valid before the first reset.
Do not shorten names unless the table is too wide.
Nobody will read it unless it is short.
Repeat until no difference is left.
Only show the last ten lines unless more is asked for.
Copy the file without its comments.
Do not be afraid to ask before you start.
You will not see the effect until you restart the program.
Close the ticket once nobody objects.
Never use abbreviations without explaining them.
Don't translate code comments while translating the text.
The page is only rendered when it is visible.
Check that nothing is left open before leaving.
Without a match, say so.
Only mention the licence if it is unusual.
The log is not written until the buffer is full.
Do not open more than one file at a time.
Nothing here is confidential.
The form is only valid with a date.
Never reuse a sample number.
Don't use the old template.
No duplicates, please.
The queue is never longer than ten.
If there is no owner, take the next entry.
Do not apologise in the reply.
Not all papers have a DOI.
Ask once, not twice, before you give up.
No need to sort before you search.
You can't go wrong with the first option.
The lights stay on until ten.
Do not round before you add.
Only the owner may edit the page.
The report should not take longer than an hour to write.
A draft is not an answer.
If nothing turns up after ten minutes, stop.
Don't bother with the appendix unless it has tables.
Never mind the warnings until the end.
Without a key the entry is skipped.
Only read the abstract unless the title fits.
Use no more than two fonts without a reason.
The tests must not take more than a minute.
Keep the window open until the download has finished.
Leave the header as it is.
No answer is also an answer.
Never search by first name only.
The machine does not start when the lid is open.
Do not include values without units.
It is not a bug if the test is skipped.
Read nothing into the order of the names.
Stay below ten pages.
The budget is not the problem until the third quarter.
Do not close the window while the import is running.
Nobody likes a table that is wider than the page.
Do not cite web pages if there is a paper.
An empty result is fine, do not invent one.
Do not change the language of the quotes.
The report stays available until the server has been checked.
A report without a source is still welcome.`) {
		r := Read(strings.TrimSpace(line), 1)
		if len(r.Guards) > 0 {
			t.Errorf("%q: %v until %v", strings.TrimSpace(line), r.Guards[0].Deny, r.Guards[0].Until)
		}
		all++
		doubtful += len(r.Unread)
	}
	if 5*doubtful > 2*all {
		t.Errorf("%d of %d are doubtful", doubtful, all)
	}
}
