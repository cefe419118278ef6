// Package agenttools makes tools for agents out of functions. [New] takes a function over a struct and returns a [Definition] of a [skill.Tool]: its
// schema is read from the struct's tags, its arguments are checked and also accepted under the names that other systems use. A [Guard] marks the
// answers as data, masks secrets in them and makes invisible characters visible. The package also has the tool write_file, which needs nothing except
// a folder. [Session.Result] and [Lines] fill the budget of an answer and make its [Structured] form. What a tool answers is up to its function: the
// package does not depend on workspaces. The other tools are in the packages below it.
package agenttools
