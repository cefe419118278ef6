// Package library holds the skills that are shipped: folders with a SKILL.md, embedded.
//
//	skills, err := skill.Load(library.Skills())
//
// # Model
//
// who-calls finds the callers of a symbol and shows each; synchronisation-signals studies a synchronisation problem:
// references and a plan before any code.
//
// # Guarantees
//
// Every skill here loads without a problem or warning, and uses only the tools that the façade offers by these names.
package library
