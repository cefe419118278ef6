// Package grammar defines the form of a workflow file in tables: which keys stand where, what each holds, and, in one sentence, what it is
// for. Package parse takes its keys from these tables and [JSONSchema] makes the schema for editors from them, so the two always
// agree on the keys. [InputSchema] makes a schema for the inputs of a run. The package reads no file and does not depend on what a
// step does.
package grammar
