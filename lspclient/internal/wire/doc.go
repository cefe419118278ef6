// Package wire decodes the answers of language servers. Servers differ from the protocol in small ways, and one wrong place must not spoil a list of
// a thousand. It takes the JSON of an answer and returns what can be used of it, with a count of what was left out ([Losses]). Positions stay those
// of the server. It does not depend on who asked, or on files, sessions and the types that callers see.
package wire
