// Package agenttools makes tools for agents out of functions. A function over a struct goes in; a [skill.Tool] comes out whose schema is read off the struct's tags,
// whose arguments are checked and taken under other systems' names too, and whose answers are masked, marked as data and free of what nobody sees. It also has
// the tool that writes files, which needs nothing but a folder. What the tools answer is for the functions: it knows no workspace.
package agenttools
