// Package registry holds the descriptions of language servers, called entries (the YAML files in its folder servers, and those that a user adds), and
// finds which of them serves a file, and from which folder. It takes a file and returns the entry and the program that is installed for it; a program
// counts only if it lies outside of the repository and passes its probe. It also makes the environment that a server is started with, and leaves out
// what would run code of the repository or reach the network. It does not depend on how a server is spoken to or what it is doing. The form of an
// entry is up to package serverspec.
package registry
