package lang

// A Place is a half-open range in a file. Lines and columns count from 1, columns in bytes; paths are slash-separated and relative to
// the root.
type Place struct {
	Path            string
	Line, Col       int32
	EndLine, EndCol int32
}

// An Observation is what a compiler or a language server says of one name in a file: what it leads to. A graph takes it for
// exact.
type Observation struct {
	At   Place    // the name
	To   Place    // the name in the declaration that it leads to; without a path it leads out of the repository
	Name string   // the name that is declared there
	Call bool     // the name is called; else it is mentioned
	By   string   // who says so, with the version: "gopls v0.23.0"
	Hash [32]byte // SHA-256 of the content of At.Path that was looked at; of other content the observation says nothing
}
