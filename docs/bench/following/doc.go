// Following measures whether a procedure is followed when the model does not want to: tasks with traps, such as a document that says to
// skip the plan, each run with scripted models of five temperaments.
//
//	go run ./docs/bench/following                              # the tables as Markdown
//	go run ./docs/bench/following -json                        # every run
//	go run ./docs/bench/following -model openai -name NAME     # with a real model: OPENAI_BASE_URL or OPENAI_API_KEY is set
//
// The tasks are in testdata/tasks: skill, sources, trap, and what must happen. Sources, index and tools are real; a tool fails, or says what a trap
// wants, where the task has it so. What happened is read from the tools that were called, the answers of the person, and the text that came out. The
// program fails when a call that was forbidden was made, or an unsupported statement was called verified.
package main
