// Package lint checks a skill before it runs. [Check] tries to prove for each guard that no step can reach a tool that it denies, and
// finds gates that always pass, tools that write unguarded, unknown names and loops that multiply.
//
//	report := lint.Check(s, tools) // the tools of the runner; nil: not known
//	for _, f := range report.Findings {
//		fmt.Println(f)
//	}
//
// It runs no step and calls no tool or model. What a proof covers, and what it does not, is described at [Report].
package lint
