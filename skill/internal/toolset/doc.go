// Package toolset answers questions about a set of tools in which some are aliases of others: which is a tool's main name, does a
// tool write, does a list of names and patterns contain it. It takes the tools of a host and checks their names; it calls none.
package toolset
