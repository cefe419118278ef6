// Package questions puts together what callers ask: where something is defined, used or implemented, who calls whom, what a
// symbol is, what is wrong in a file, what a renaming would change. In go queries and options; out come answers in callers'
// coordinates, each with how far it can be trusted. It asks through sessions, finds names with package symbols and what servers
// leave out with package complete; it starts no server and sees no file but through these.
package questions
