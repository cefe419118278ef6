// Package expression is the language of a workflow's conditions and templates. It takes their text, and returns compiled
// programs with the names that they read, the parts of a template, and the gates and conditions that an expression joins.
// Programs run on plain values (package jsonvalue), bounded in size, depth and memory, and read no clock, file or network.
// What a name stands for, and when an expression is evaluated, is up to the caller; the package does not depend on steps or runs.
package expression
