package procedure

import (
	"slices"
	"strings"
	"testing"
)

// TestOrders: orders in words of every day, written in two lots before the reader saw them, by verb, particle, object and what is asked.
func TestOrders(t *testing.T) {
	for line := range strings.Lines(`search_docs | Rummage through the shared drive for last year's budget.
search_docs | See what the handbook says about travel on Sundays.
search_docs | Comb the archive for letters from the same sender.
search_docs | Check the standard for the permitted tolerances.
search_docs | Collect all clauses that mention the term.
search_docs | Find precedent.
search_docs | Run a literature search on the compound.
search_docs | Do a search in PubMed for the two drugs.
search_docs | Look for similar incidents.
search_docs | Trawl the forum for people with the same fault.
search_docs | Establish from the contract which notice period applies.
search_docs | Work out from the specification which fields are mandatory.
search_docs | Find three independent sources for each figure.
search_docs | Check what has been published on it.
search_docs | Hunt for the original report in the library.
search_docs | Search out the applicable regulation.
search_code | Find where in the code the timeout is set.
search_code | Look in the source for the place that builds the header.
search_code | Pin down the function that swallows the error.
search_code | Go looking for the code that writes the file.
search_code | Track down the module that does the rounding.
search_code | Find the file in which the route is declared.
search_code | Spot the line that sets the flag.
search_code | Work out where the retry is implemented.
search_code | Check whether the code base already has a helper for this.
callers | List everything that imports the module.
callers | Get all references to the constant from the language server.
callers | Follow the calls upwards until you reach an entry point.
callers | Look up where the type is defined.
callers | Ask the language server for the implementations of the interface.
read | Read the ticket to the end.
read | Have a good look at the stack trace.
read | Open the two newest minutes.
read | Go over the diff line by line.
read | Study the drawings.
read | Take the lease from the file and read it.
read | Read up on the device in its manual.
read | Call up the patient's record.
read | Bring up the log of the failing run.
read | Familiarise yourself with the file.
read | Listen to the recording.
plan | Set out how you intend to change it.
plan | Draw up a test plan.
plan | Come up with a design.
plan | Write down the plan in five lines.
plan | Put together a proposal for the client.
plan | Decide on the approach and write it up as an outline.
plan | Lay out the chapters of the report.
plan | Think through the change and write a short plan.
plan | Prepare a schedule for the move.
plan | Map out the migration.
plan | Make an outline with one line per section.
approve | Run the plan past the lead.
approve | Get Petra's okay.
approve | Have a second pharmacist countersign.
approve | Clear it with the data protection officer.
approve | Send the draft round and wait until everyone has agreed.
approve | Let the user choose between the options.
approve | Pause here for my confirmation.
approve | Hand the plan to the owner and wait for the verdict.
approve | The head of department must sign.
approve | Put the options to the customer.
approve | Stop and ask me before going on.
approve | Seek consent from the participant.
approve | Ask the tenant to confirm the date.
approve | Check with Legal that the wording is all right.
approve | Await the reviewer's verdict.
write | Make the change.
write | Put the fix in.
write | Type the new limits into the config file.
write | Rework the function so that it returns an error.
write | Bring the documentation up to date.
write | Strip the dead branches.
write | Draft the minutes.
write | Rename the variable everywhere.
write | Correct the typos in the manuscript.
write | Check the change in.
write | Apply the patch.
write | Record the decision in ¬DECISIONS.md¬.
run | Kick off the nightly build.
run | Give the tests a run.
run | Let the benchmark run overnight.
run | Fire up the simulator with the new parameters.
run | Execute the query on the replica.
run | Put it on the bench and measure the current.
run | Try it on the test bench.
run | Repeat the measurement with a fresh sample.
run | Do a dry run.
run | Roll it out to one machine.
run | Process the data with the script.
run | Fit the model to the data.
run | Put the suite through its paces.
run | Ship it to staging.
run | Take three readings.
run | Run it again with the debug flag.
check | See that the totals add up.
check | Hold the result against the published value.
check | Check it for spelling.
check | Look whether anything is missing.
check | Make certain the name is spelled right.
check | Go through the list and tick off what is done.
check | Count the pages and compare with the table of contents.
check | Satisfy yourself that no test was skipped.
check | Weigh the two versions against each other.
check | Test whether the link works.
check | Every figure must have a source.
check | Establish that the sample is complete.
check | Judge for each source whether it supports the claim.
answer | Tell me what you found.
answer | Write back to the customer with the answer.
answer | Put the result in the ticket.
answer | Report back with file and line.
answer | Give a verdict with reasons.
answer | Hand the finished memo to the partner.
answer | Close with a recommendation.
answer | Let the requester know the outcome.
answer | Post a summary in the channel.
answer | Answer with yes or no and one quotation.
answer | Send everyone the minutes.
answer | Set down the result in one paragraph.
answer | Mail the table to the team.
answer | State which of the two applies and why.
answer | Wrap up with a list of open points.
answer | Deliver the translation.
search_docs | Leaf back through the old tickets for anything like it.
search_docs | Find out from the tariff what the freight costs.
search_docs | Check the wiki first.
search_docs | Skim the last ten newsletters for mentions of the project.
search_docs | Get hold of every study on the drug.
search_docs | Look for the clause on liability.
search_docs | Consult the regulations on working hours.
search_docs | Dig up the contract and the two amendments.
search_docs | See whether the manual has anything on error 17.
search_docs | Find the passage that covers late delivery.
search_code | Search the tree for leftovers of the old name.
search_code | Look for code that swallows exceptions.
search_code | Identify which file holds the parser.
search_code | grep for the id
search_code | Locate the handler for the button.
search_code | Find out where in the code the limit comes from.
callers | Find out what would break in the code if the function changed.
run | The regression suite is to be run.
check | The totals are to be compared.
callers | Check who calls the function before you touch it.
callers | List what inherits from the class.
read | Read the two files next to each other.
read | Open the attachment.
read | Look at how the neighbouring module does it.
read | Read the patient's history.
read | Go to the page and read the note below the table.
read | Read both contracts in full.
read | Have the report in front of you and read chapter three.
read | View the screenshot.
plan | Write a migration plan with a way back.
plan | Outline what you are going to say.
plan | Propose a fix in two sentences.
plan | Make a proposal for the new shift pattern.
plan | Sketch two alternatives and what they cost.
plan | Work out a timetable.
plan | Write down what you want to change, file by file.
plan | Prepare the design of the experiment.
approve | Show the user the diff and ask whether to go on.
approve | Get a yes in writing.
approve | Get the budget signed.
approve | The tenant signs the list.
approve | Have the lead look at it.
approve | Ask for permission to restart the machine.
approve | Agree on the wording with the client.
approve | Send it to the owner for sign-off.
approve | Leave the choice to the customer.
approve | Have it checked by a colleague.
approve | Wait until somebody with authority says go.
approve | Let two colleagues read it and approve it.
write | Patch the function.
write | Make the test pass.
write | Delete what is dead.
write | Add a line to the changelog.
write | Open a branch and commit.
write | Push it and open a merge request.
write | Turn the notes into minutes.
write | Fill in the form.
write | Insert the table after section 2.
write | Change the number in both places.
write | Write a test that fails.
write | Implement it, smallest step first.
write | Reword the paragraph.
write | Replace each call with the new one.
write | Undo the last commit.
write | Log the change in ¬CHANGES.txt¬.
run | Start the service and watch it for a minute.
run | Run everything once more from a clean checkout.
run | Measure the latency under load.
run | Time both versions.
run | Generate the report with ¬make report¬.
run | Reproduce the crash on your machine.
run | Benchmark before and after.
run | Compile with warnings as errors.
run | Run the numbers through the calculator script.
run | Test it on a phone.
run | Launch the training with three seeds.
run | Take a backup and restore it somewhere else.
run | Deploy to the canary.
check | Check the arithmetic.
check | See if the two lists match.
check | Make sure no field is empty.
check | Compare before and after.
check | Look for contradictions between the two statements.
check | Read it through once more for mistakes.
check | Verify the signature on the form.
check | Check off every item of the list.
check | The total must equal the sum of the parts.
check | Double check the dosage.
check | Is every claim backed by a page number? Check.
check | Validate the file.
check | Count the rows; there must be as many as before.
answer | Reply to the customer.
answer | Give me the list.
answer | End with your recommendation and the sources.
answer | Return the table and nothing else.
answer | Tell the requester what was decided and why.
answer | Send out the minutes.
answer | Report the finding to the team.
answer | Summarise for somebody who was not there.
answer | Sum it up in five bullets.
answer | Publish the notice.
answer | Hand the file over with a note.
answer | Produce a report of two pages.
answer | Quote the passage in the answer.
answer | Say what you could not find.
answer | File the final version and tell everyone.`) {
		want, text, _ := strings.Cut(strings.TrimSpace(strings.ReplaceAll(line, "¬", "`")), " | ")
		rest := "3. Take a break."
		if want != string(Answer) { // what is told is the answer only if nothing comes after it
			rest += "\n4. Calibrate it."
		}
		var got []Kind
		for _, st := range Read("1. Look around.\n2. "+text+"\n"+rest, 1).Steps {
			if st.Line == 2 {
				got = append(got, st.Kind)
			}
		}
		if !slices.Contains(got, Kind(want)) {
			t.Errorf("%q: %v, want %s", text, got, want)
		}
	}
}
