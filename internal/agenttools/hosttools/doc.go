// Package hosttools holds the agents' tools whose reach the host sets: index, which adds what lies below allowed folders, ask, which gathers evidence
// for a whole question, verify_answer, cite and recheck_answer, which say what answers rest on, mark_pdf, which shows it in a copy, and run_command, which runs programs that a policy or a person allows. Each takes the arguments of a call and returns a
// report, evidence or output. The host decides which folders, programs and people these are.
package hosttools
