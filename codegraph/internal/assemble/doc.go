// Package assemble makes the graph that follows another one. What the linker says of the files that changed goes in ([Next]); a graph comes
// out whose blocks of these files are new, while all others are shared with the graph before, and entities keep their numbers as long as their
// ids live. [Incoming] does over the lists of what reaches a file. It reads no files, and does not know how a graph is saved or asked.
package assemble
