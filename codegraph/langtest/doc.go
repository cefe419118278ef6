// Package langtest checks a language front end against source files whose comments state the expected edges.
//
//	func TestMarkers(t *testing.T) {
//		langtest.Run(t, treesitter.Frontends(), os.DirFS("testdata"), "python.txtar")
//	}
//
// # Model
//
// An archive (txtar) holds many small repositories; the first element of each path is the name of the case. A comment that begins with "@"
// holds expectations about its line, separated by semicolons:
//
//	def main(): run()      #@invoke(main, run)
//	run()                  #@invoke(., run); def(helper)
//
//	invoke(SRC, DST[, LEVEL])   an invoke edge with a site on this line
//	reference(SRC, DST)         a reference edge with a site on this line
//	import(DST)                 an import edge of this file with a site on this line
//	inherit(SRC, DST)           an inherit edge
//	contain(SRC, DST)           a contain edge
//	none()                      no invoke edge has a site on this line
//	open(NAME) outside(NAME)    an unresolved reference on this line; outside: known to lead out of the repository
//	def(NAME[, KIND])           an entity begins on this line
//
// The kinds of edges are those of [codegraph.EdgeKind]. Names are ids of the case's repository; one without a file is looked up in the file
// of the comment; "." is that file. A line with an invoke expectation must have no other invoke edges than the expected ones.
package langtest
