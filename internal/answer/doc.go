// Package answer chooses the evidence for a question. The text of a question and the rooms, as functions, go in; the candidates that documents and code have for it are
// gathered, and those that are chosen come out in order, under keys, with what was assumed and what could not be looked at. Where the question asks for callers, they
// are looked up and their code is read. How a room searches is the room's; how evidence is shown is for who asks.
package answer
