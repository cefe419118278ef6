// Package answers checks folders of answer files against sources that have changed. [Find] finds the files, [Check] says what has become of each, and a [Watch] tells
// which of them hold no longer, or hold again. It takes names of files and a function that checks one answer, and prints a [Report] with marks that it is given. It neither
// opens indexes nor looks for evidence.
package answers
