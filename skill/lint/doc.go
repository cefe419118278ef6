// Package lint looks at a skill before it runs: [Check] proves of each guard that no step can reach a tool that it denies, and finds
// gates that always pass, tools that write unguarded, names that mean nothing and loops that multiply.
//
//	report := lint.Check(s, tools) // the tools of the runner; nil: not known
//	for _, f := range report.Findings {
//		fmt.Println(f)
//	}
//
// It runs no step and calls no tool or model. What is proven and what is not, [Report] says.
package lint
