// Package plant adds source files of its own to a copy of a repository, changes them on disk in every way that people and tools do, and says what
// must be true of them after each change. It measures whether a program that answers questions about the repository, such as a language server behind
// a client, has seen the change.
//
//	p, err := plant.New(root, "go", "gopls", buffers)
//	for _, kind := range p.Kinds() {
//		for _, step := range p.Steps(kind, round) {
//			checks, err := step.Do() // changes files
//			for _, c := range checks {
//				// ask c.Question, compare with c.Want
//			}
//		}
//	}
//
// The files lie in a folder zqprobe, and declare and use names that occur nowhere else. So the right answers are known by construction: where a name
// is declared, and every line that uses it. A name in an import is a use. Each kind of change begins and ends with the same files.
//
// A Plant is not safe for concurrent use. It writes only below its root, and runs git there for one kind of change.
package plant
