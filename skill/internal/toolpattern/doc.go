// Package toolpattern matches names of tools, and their calls, with entries of lists: a name, a pattern such as lsp_*, or
// NAME(RULE) as in allowed-tools, whose rule looks at a call's command or path. It takes an entry and a name or arguments,
// and says whether they match. Which names one tool has is for the caller.
package toolpattern
