package procedure

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// TestSteps: one sentence each, as people write them.
func TestSteps(t *testing.T) {
	for text, want := range map[string][]Kind{
		"First, search the papers for the equation.":                           {SearchDocs},
		"Search the repository for the name and list everything that calls it": {SearchCode, Callers},
		"You should read the report, then open the log.":                       {ReadOne, ReadOne},
		"Draft a plan and show it to the supervisor for approval.":             {Plan, Approve},
		"Run `make test` and fix what fails.":                                  {Run, Write},
		"If nothing is found, say so and stop.":                                {Stop},
		"Make sure that the numbers agree.":                                    {Check},
		"Return a table with one row per message.":                             {Answer},
		"Back to step 2.":                                        nil,
		"- Go back to step 2.":                                   {Other},
		"- tests green on main":                                  {Check},
		"- approval of the owner":                                {Approve},
		"The tide has two causes.":                               nil,
		"Do not guess.":                                          nil,
		"For example, search the papers.":                        nil,
		"```\n1. Search the papers.\n```":                        nil,
		"| search | the papers |":                                nil,
		"## Step 1: Search the papers\n\nThey are on the drive.": {SearchDocs},
		"## Step 1: Search the papers\n\nSearch the papers for the word.": {SearchDocs},
		"## Notes\n\nSearch the papers.":                                  nil,
		"Report what was found.":                                          {Answer},
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

// TestWhere: a search that does not say where looks where the one before did, or what most of the text is about.
func TestWhere(t *testing.T) {
	for text, want := range map[string][]Kind{
		"1. Search the code for the flag.\n2. Find what is left of it.":           {SearchCode, SearchCode},
		"1. Search the papers for the term.\n2. Find what is left of it.":         {SearchDocs, SearchDocs},
		"1. List the callers of the function.\n2. Search for the rest.":           {Callers, SearchCode},
		"This is about a class of the module and its functions.\n\n1. Find them.": {SearchCode},
		"1. Search for `parse_header`.":                                           {SearchCode},
		"1. Grep for the word.\n2. Search the papers.\n3. Find the others.":       {SearchCode, SearchDocs, SearchDocs},
	} {
		var got []Kind
		for _, st := range Read(text, 1).Steps {
			got = append(got, st.Kind)
		}
		if !slices.Equal(got, want) {
			t.Errorf("%q: %v, want %v", text, got, want)
		}
	}
}

// TestGuards: forms of prohibitions, with what lifts them.
func TestGuards(t *testing.T) {
	for text, want := range map[string]string{
		"No code before references and an approved plan.":                              "[write] until [approve search_docs]",
		"Only once I have said yes may you edit.":                                      "[write] until [approve]",
		"Until legal has cleared the text, nothing goes out.":                          "[answer] until [approve]",
		"Wait with the patch until the callers are known.":                             "[write] until [callers]",
		"An approved plan is a precondition for any edit.":                             "[write] until [approve]",
		"Never push before the suite is green.":                                        "[write] until [check]",
		"No verdict may be given for a requirement whose clause has not been read.":    "[answer] until [read]",
		"Deploying is allowed only after the canary is healthy.":                       "[run] until [check]",
		"If you have not read the clause, do not quote it.":                            "[answer] until [read]",
		"Code stays untouched until the matrix has been accepted by the lead.":         "[write] until [approve]",
		"There is no merge without a second pair of eyes.":                             "[write] until [approve]",
		"Take out the branch that is never taken.":                                     "",
		"No code before the plan is approved, and no merge before the suite is green.": "[write] until [approve][write] until [check]",
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
	if r := Read(strings.Repeat("word ", maxText), 1); len(r.Steps) != 1 {
		t.Errorf("%d steps of a text without any but the rest", len(r.Steps))
	}
	block := Read("1. Search the papers for ${inputs.task + `rm`}.\n2. Consider $${x} well, ask ${y}.\n3. Report it: ${z}.", 1).Block(nil)
	for _, l := range strings.Split(block, "\n") {
		if strings.Contains(strings.ReplaceAll(l, "${inputs.task}", ""), "${") && !strings.HasPrefix(strings.TrimSpace(l), "#") {
			t.Errorf("an expression of the text: %s", l)
		}
	}
}
