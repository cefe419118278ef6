// Package expression is the language of a workflow's conditions and templates. It takes their text, and gives compiled
// programs with the names that they read, the parts of a template, and the gates and conditions that an expression joins.
// Programs run on plain values (see jsonvalue) under bounds of size, depth and memory, and read no clock, file or network.
// What a name stands for, and when an expression is looked at, is for the caller: it knows no step and no run.
package expression
