// Package toolpattern matches names of tools, and their calls, against entries of lists: a name, a pattern such as lsp_*, or
// NAME(RULE) as in allowed-tools, whose rule is matched with a call's command or path. It takes an entry and a name or arguments,
// and returns whether they match. Which names belong to the same tool is decided by package toolset.
package toolpattern
