// Findspot answers questions from documents and code on the command line. It only parses flags, calls the library and
// prints: results go to standard output, everything else to standard error.
//
//	findspot ask --docs papers --repo receiver "how is the PSS detected, and who calls detect_pss?"
package main
