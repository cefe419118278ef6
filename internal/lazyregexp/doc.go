// Package lazyregexp has regular expressions that are compiled when they are used for the first time. It takes the text of an expression and returns
// one with the methods of package regexp. It does not depend on anything.
//
//	var number = lazyregexp.New(`^\d+$`)
//
// Variables of packages are made when a program starts, whatever it is about to do, and a program that imports findspot links some two hundred
// expressions. Compiled at the start they took 10 MB and 10 ms of every program. In the tests of a package all its expressions are compiled at once, so that one
// that is wrong is found there.
package lazyregexp
