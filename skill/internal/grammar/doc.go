// Package grammar is the form of a workflow file: which keys stand where, what each holds, and in one sentence what it is
// for. The parser takes its keys from these tables, and [JSONSchema] makes the schema for editors of them, so that neither
// can know a key that the other does not. [InputSchema] does the same for the inputs of a run. It reads no file, and what a
// step does is not known here.
package grammar
