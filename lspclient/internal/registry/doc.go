// Package registry knows the language servers: the entries that describe them (the folder servers, and those that a user
// adds), which of them serves a file, and from which folder. In goes a file, out come the entry and the program that is
// installed for it; a program counts only outside of the repository and after its probe. It also makes the environment that
// a server is started with, without what would run code of the repository or reach the network. It may not know how a
// server is spoken with, nor what it is doing.
package registry
