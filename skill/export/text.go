package export

import (
	"fmt"
	"strings"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/workflow"
)

// Text is a skill as instructions with checks, in Markdown, for an agent that has no hooks. It ends with a line break.
func Text(s *skill.Skill) string {
	var b strings.Builder
	fmt.Fprintf(&b, "# Skill: %s\n\n%s\n", s.Name, strings.Join(strings.Fields(s.Description), " "))
	if body := strings.TrimSpace(withoutWorkflow(s.Body)); body != "" {
		fmt.Fprintf(&b, "\n%s\n", body)
	}
	if s.Workflow() == nil {
		return b.String()
	}
	if len(s.Workflow().Guards) > 0 {
		b.WriteString("\n## Not before\n\nNothing but you enforces this here. Files, commands and other tools that do the same count alike.\n\n")
		for _, g := range s.Workflow().Guards {
			fmt.Fprintf(&b, "- Do not call %s until %s.", strings.Join(g.Deny, ", "), g.Until)
			if g.Because != "" {
				fmt.Fprintf(&b, " Reason: %s.", g.Because)
			}
			b.WriteString("\n")
		}
	}
	b.WriteString("\n## Steps\n\nWork through these in order, with the tools of findspot, and tick each before the next.\n\n")
	steps(&b, s.Workflow().Steps, "")
	return b.String()
}

// withoutWorkflow is the body without the block that is for findspot.
func withoutWorkflow(body string) string {
	block, first, problems := syntax.WorkflowBlock(body, 1)
	if first == 0 || len(problems) > 0 {
		return body
	}
	lines := strings.SplitAfter(body, "\n")
	behind := min(first+strings.Count(block, "\n"), len(lines)) // the closing fence
	return strings.Join(lines[:first-2], "") + strings.Join(lines[behind:], "")
}

func steps(b *strings.Builder, list []*workflow.Step, in string) {
	for _, st := range list {
		fmt.Fprintf(b, "%s- [ ] **%s**: %s", in, st.ID, what(st))
		if st.When != "" {
			fmt.Fprintf(b, " Only when `%s`.", st.When)
		}
		b.WriteString("\n")
		steps(b, st.Inner(), in+"  ")
	}
}

// what says what a step asks for.
func what(st *workflow.Step) string {
	switch {
	case st.Expand != nil:
		return fmt.Sprintf("make search queries from %s.", st.Expand.Of)
	case st.Refine != nil:
		return "make the next queries from what was found."
	case st.Search != nil:
		return fmt.Sprintf("search %s for %s, and note the key and place of every result.", map[string]string{"": "the documents", "docs": "the documents", "code": "the code", "both": "documents and code"}[st.Search.In], strings.Join(st.Search.For, ", "))
	case st.Call != nil:
		return fmt.Sprintf("call %s.", st.Call.Tool)
	case st.Ask != nil:
		return oneLine(st.Ask.Prompt)
	case st.Write != nil:
		text := fmt.Sprintf("write %s from %s.", st.Write.What, strings.Join(st.Write.From, ", "))
		if len(st.Write.Sections) > 0 {
			text += " Sections: " + strings.Join(st.Write.Sections, ", ") + "."
		}
		if st.Write.Cite != "" {
			text += " Every claim carries its key."
		}
		if st.Write.Check != "" {
			text += " Check: " + oneLine(st.Write.Check) + "."
		}
		return text
	case st.Each != nil:
		return fmt.Sprintf("for each of %s:", st.Each.Of)
	case st.Loop != nil:
		return fmt.Sprintf("at most %d times, until `%s`:", st.Loop.Max, st.Loop.Until)
	case st.Require != nil:
		return fmt.Sprintf("check that `%s` holds, and stop when it does not. %s", st.Require.Cond, oneLine(st.Require.Because))
	case st.Approve != nil:
		return fmt.Sprintf("show %s to the person, and wait for an approval in their own words. You cannot approve it.", st.Approve.What)
	case st.Synthesize != nil:
		text := fmt.Sprintf("answer from %s, with the key of each claim.", strings.Join(st.Synthesize.From, ", "))
		if st.Synthesize.Verify != "" {
			text += " Check " + st.Synthesize.Verify + " against the sources."
		}
		return text
	case st.Use != nil:
		return fmt.Sprintf("follow the skill %s.", st.Use.Skill)
	}
	return "end: " + st.Finish + "."
}

func oneLine(s string) string { return strings.Join(strings.Fields(s), " ") }
