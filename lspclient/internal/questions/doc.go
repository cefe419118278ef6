// Package questions answers what callers ask: where something is defined, used or implemented, who calls whom, what a symbol is, what is wrong in a
// file, what a renaming would change. It takes queries and options and returns answers in callers' coordinates, each with how far it can be trusted.
// Package session asks the servers for it, package symbols finds names, and package complete finds what servers leave out. It starts no server and
// reads no file except through these.
package questions
