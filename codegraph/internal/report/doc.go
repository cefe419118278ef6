// Package report takes the text of an issue apart: its title, its prose, code, output and messages, the frames of tracebacks and
// the places that it names ([Read]), and the words, names and paths in them with what each is worth ([Weigh]). Text goes in, which
// may be anything; what comes out is bounded. What words are worth by where they stand is given by the caller. It knows no
// repository: whether a name or a place is in one, others say.
package report
