// Package convention holds the names that tools have by convention: those that search steps call, those that count as a search of
// the whole, and those that measures tell apart. A host's tools are known by these, as their main names. It knows no tool itself.
package convention
