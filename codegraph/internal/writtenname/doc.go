// Package writtenname takes names of code apart as people and programs write them: "Class.method", "path.py:func", the forms of test
// runners, stack traces, declarations and documentation. Text goes in; a path, a line and the parts of a name come out, or that it
// is no name. It knows no repository: what a name means in one, package query says.
package writtenname
