// Package doctools is the tools for agents that search, list and read documents of the library. Arguments of a call go in; passages, figures and tables with their
// places, or a stretch of text, come out under keys of the session's ledger. It knows no code; files of either kind are read by filetools.
package doctools
