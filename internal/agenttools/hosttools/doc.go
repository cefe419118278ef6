// Package hosttools is the tools for agents whose reach the host sets: index, which adds what lies below allowed folders, ask, which gathers evidence for a whole question,
// and run_command, which runs programs that a policy or a person allows. Arguments of a call go in; a report, evidence or output comes out. Which folders, programs and
// people those are is not decided here.
package hosttools
