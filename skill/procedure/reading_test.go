package procedure

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

// TestSteps: one sentence each, as people write them.
func TestSteps(t *testing.T) {
	for text, want := range map[string][]Kind{
		"First, search the papers for the equation.":                           {SearchDocs},
		"Search the repository for the name and list everything that calls it": {SearchCode, Callers},
		"You should read the report, then open the log.":                       {ReadOne, ReadOne},
		"Draft a plan and show it to the supervisor for approval.":             {Plan, Approve},
		"Run `make test` and fix what fails.":                                  {Run, Write},
		"If nothing is found, say so and stop.":                                {Other, Stop},
		"Make sure that the numbers agree.":                                    {Check},
		"Return a table with one row per message.":                             {Answer},
		"Back to step 2.":                                                 {Other},
		"- Go back to step 2.":                                            {Other},
		"- approval of the owner":                                         {Approve},
		"The tide has two causes.":                                        nil,
		"Do not guess.":                                                   nil,
		"For example, search the papers.":                                 nil,
		"```\n1. Search the papers.\n```":                                 nil,
		"| search | the papers |":                                         nil,
		"## Step 1: Search the papers\n\nThey are on the drive.":          {SearchDocs},
		"## Step 1: Search the papers\n\nSearch the papers for the word.": {SearchDocs},
		"## Notes\n\nSearch the papers.":                                  nil,
		"Report what was found.":                                          {Answer},
		"- no hit → say so and stop":                                      {Other, Stop},
		"- Peer review: a colleague confirms each statement.":             {Approve},
		"- Start by running the suite.":                                   {Run},
		"- Try to reproduce the crash.":                                   {Run},
		"- Hand it to the editor, who decides.":                           {Approve},
		"Write the report. Run the tests.":                                {Write, Run},
		"Write the report. Send it to the client.":                        {Write, Answer},
		"Check if the test fails.":                                        {Check},
		"For every claim find the source: a statute, a file.":             {SearchDocs},
		"- Research plan. Write it with metrics.":                         {Plan},
		"- Implementation plan: modules, interfaces":                      {Plan},
		"The owner reads it and signs.":                                   {Approve},
		"Goal: code that gives the numbers.":                              nil,
		"- Commit it. Run the tests.":                                     {Write, Run}, // no title of what stands behind it
		"- Get approval\n  - Write the mail":                              {Approve, Write},
		"- Call the owner\n  - Run the job":                               {Other, Run},
		"- Preparation\n  - Run the job":                                  {Run},
		"- Search\n  - search the papers":                                 {SearchDocs},
		"We \u00a0search the papers.":                                     {SearchDocs},
		"Phase 1: Look. Open the log.":                                    {ReadOne},
		"For each channel out of range search the catalogue.":             {SearchDocs},
		"Let the participants vote.":                                      {Approve},
		"Ask the visitor for the dates.":                                  {Other},
		"Ask for a review.":                                               {Approve},
		"(1) Read the ticket. (2) Search the tracker.":                    {ReadOne, SearchDocs},
		"Suggest asking the board.":                                       {Other},
		"Get the fix approved in the channel.":                            {Approve},
		"Write meaning and unit in a table.":                              {Other},
		"Write the notes to `notes.md`.":                                  {Write},
		"Draw the map.":                                                   {Other},
		"Watch the heap.":                                                 {Other},
		"Sketch the proof with `sorry`.":                                  {Plan},
		"Commit only after the reviewer has agreed.":                      {Write},
		"- Test results are in the folder.":                               nil,
		"- Searching the docs takes long.":                                nil,
		"Look for tests of the code that fail when a line is removed: remove it, run them.": {SearchCode, Write, Run},
		"Ask which of the variants they want.":                                              {Approve},
		"Delete the flag from the console.":                                                 {Other},
		"Send the budget to finance for a decision. Run it.":                                {Approve, Run},
		"Wait for the decision.":                                                            {Approve},
		"Search the building code.":                                                         {SearchDocs},
		"Draft the report.":                                                                 {Write},
		"Search the papers for a decision.":                                                 {SearchDocs},
		"Find the function that the paper describes.":                                       {SearchCode},
		"Give the wording to the editor. Run the tests.":                                    {Approve, Run},
		"Compile.":                                             {Run},
		"Deliver the list of its callers.":                     {Answer},
		"Push the branch and open a pull request.":             {Write, Write},
		"Draft a plan: old value, new value, files touched.":   {Plan},
		"Search the code for what the paper describes.":        {SearchCode},
		"Grep the papers for the term.":                        {SearchCode},
		"After each deletion run the tests.":                   {Run},
		"Find the limit in the code that the paper describes.": {SearchCode},
		"Post its callers.":                                    {Answer},
		"<!-- 1. Search the papers. -->":                       nil,
		"Open the log, e.g. with less. Search the papers.":     {ReadOne, SearchDocs},
	} {
		var got []Kind
		for _, st := range Read(text, 1).Steps {
			got = append(got, st.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
	st := Read("intro\n\n- For each paper, open it if it is new.", 10).Steps
	if len(st) != 1 || st[0].Line != 12 || !st[0].Loop || st[0].Condition != "if it is new" {
		t.Errorf("%+v", st)
	}
}

// TestGuards: forms of prohibitions, with what lifts them.
func TestGuards(t *testing.T) {
	for text, want := range map[string]string{
		"No code before references and an approved plan.":                              "[write] until [approve search_docs]",
		"Only once I have said yes may you edit.":                                      "[write] until [approve]",
		"Until legal has cleared the text, nothing goes out.":                          "[answer] until [approve]",
		"An approved plan is a precondition for any edit.":                             "[write] until [approve]",
		"Never push before the suite is green.":                                        "[write] until [run]",
		"No verdict may be given for a requirement whose clause has not been read.":    "[answer] until [read]",
		"Deploying is allowed only after the canary is healthy.":                       "[run] until [check]",
		"Code stays untouched until the matrix has been accepted by the lead.":         "[write] until [approve]",
		"Take out the branch that is never taken.":                                     "",
		"No code before the plan is approved, and no merge before the suite is green.": "[write] until [approve][write] until [run]",
		"Never guess.":                    "",
		"Before you edit, read the file.": "",
	} {
		got := ""
		for _, g := range Read(text, 1).Guards {
			got += fmt.Sprintf("%v until %v", g.Deny, g.Until)
		}
		if got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// TestBounds: of a text that is too long the rest is one step, and nothing in a text is an expression.
func TestBounds(t *testing.T) {
	r := Read(strings.Repeat("- Search the papers.\n", 500), 1)
	if n := len(r.Steps); n != maxSteps+1 || r.Steps[n-1].Kind != Other || r.Steps[n-1].Line != maxSteps+1 {
		t.Errorf("%d steps, the last %+v", len(r.Steps), r.Steps[len(r.Steps)-1])
	}
	long := strings.Repeat("- Search the papers.\n", 500)
	if r := Read(long+"\nDo not write code before the plan is approved.\n", 1); len(r.Guards) != 1 || len(r.Steps) != maxSteps+1 {
		t.Errorf("behind the last step: %+v", r.Guards)
	}
	if r := Read(strings.Repeat("word ", maxText), 1); len(r.Steps) != 1 {
		t.Errorf("%d steps of a text without any but the rest", len(r.Steps))
	}
	if r := Read(strings.Repeat("word ", maxText/5)+"\nSearch the papers.", 7); len(r.Steps) != 1 || r.Steps[0].Line != 8 {
		t.Errorf("%+v, want the rest in line 8", r.Steps)
	}
	prose := strings.Repeat("The tide has two causes.\n\n", maxSentences)
	if r := Read(prose+"Search the papers.", 1); len(r.Steps) != 1 || r.Steps[0].Line != 2*maxSentences+1 {
		t.Errorf("%+v, want the rest behind %d sentences", r.Steps, maxSentences)
	}
	if r := Read(strings.Repeat("Then search the papers. Then read one. ", maxSteps), 1); len(r.Steps) != maxSteps+1 || r.Block(nil) == "" {
		t.Errorf("%d steps in a line, %d sentences, want a block", len(r.Steps), r.measure.sentences)
	}
	block := Read("1. Search the papers for ${inputs.task + `rm`}.\n2. Consider $${x} well, ask ${y}.\n3. Report it: ${z}.", 1).Block(nil)
	for _, l := range strings.Split(block, "\n") {
		if strings.Contains(strings.ReplaceAll(l, "${inputs.task}", ""), "${") && !strings.HasPrefix(strings.TrimSpace(l), "#") {
			t.Errorf("an expression of the text: %s", l)
		}
	}
}

// TestLongSentences: what is built to be read slowly is read.
func TestLongSentences(t *testing.T) {
	for _, piece := range []string{"a: ", "do not ", "until ", "check and ", "if x, ", "no a, ", "the x is ", "only when ", "without not ", "for each ", "\n1. a: ", "a→b ", "never, before "} {
		line := "- " + strings.Repeat(piece, 1900/len(piece)) + "\n"
		r := Read(strings.Repeat(line, 4), 1)
		if r.Block(nil); len(r.Steps) > maxSteps+1 || len(r.Guards) > maxGuards || len(r.Unread) > maxGuards {
			t.Errorf("%q: %d steps, %d guards, %d not read", piece, len(r.Steps), len(r.Guards), len(r.Unread))
		}
	}
}

// TestNothingLost: of more than there is room for the rest is a step, and a long sentence is read to its end.
func TestNothingLost(t *testing.T) {
	r := Read("1. Search the papers.\n"+strings.Repeat("No code before the plan is approved by the lead of the team.\n\n", maxGuards+1)+"2. Write the code.\n", 1)
	if n := len(r.Steps); len(r.Guards) != maxGuards || r.Steps[n-1].Kind != Other || r.Steps[n-1].Line != 2*maxGuards+2 {
		t.Errorf("%d guards, the last step %+v", len(r.Guards), r.Steps[n-1])
	}
	r = Read("- Search the papers "+strings.Repeat("for the word é ", 200)+"and then delete the database", 1)
	if n := len(r.Steps); n != 2 || !strings.HasSuffix(r.Steps[1].Text, "delete the database") || !utf8.ValidString(r.Steps[0].Text) {
		t.Errorf("%d steps of a long sentence: %+v", n, r.Steps)
	}
	if r := Read("1. Write the code.\n\nNo code before the plan is approved. No code is deleted before the owner agrees.", 1); len(r.Guards) != 2 {
		t.Errorf("%d guards on one line, want 2: %+v", len(r.Guards), r.Guards)
	}
	if r := Read("I. Search the papers.\nII. Read one.\nb) Report it.\n\nStop.", 1); r.measure.ordered != 3 {
		t.Errorf("%d steps in an order, want 3", r.measure.ordered)
	}
}

// FuzzRead: whatever a text is, it is read within the bounds, and a text of whole letters makes steps of whole letters.
func FuzzRead(f *testing.F) {
	f.Add("1. The Élan is opened, and the form is read.\n2. SQL is run until it passes.\n\nNo code before the plan is approved.")
	for _, n := range []int{1, 20, 77, 300} {
		text, _ := labelledText(f, n)
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		r := Read(text, 1)
		if r.Block(nil); len(r.Steps) > maxSteps+1 || len(r.Guards) > maxGuards || len(r.Unread) > maxGuards {
			t.Errorf("%d steps, %d guards, %d not read", len(r.Steps), len(r.Guards), len(r.Unread))
		}
		for _, st := range r.Steps {
			if whole := utf8.ValidString; whole(text) && !(whole(st.Text) && whole(st.Sentence) && whole(st.Condition)) {
				t.Errorf("broken letters: %+v", st)
			}
		}
	})
}
