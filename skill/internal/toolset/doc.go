// Package toolset asks questions of a set of tools in which some are other names of others: which is the main name, does a
// tool write, does a list of names and patterns name it. It takes the tools of a host and checks their names; it calls none.
package toolset
