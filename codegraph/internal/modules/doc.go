// Package modules resolves imports. The files of a program and the resolvers of their languages go in; what comes out is which
// module each import names: its files and where its submodules are, under a number that stays while everybody finds it in the
// same place. When files come or go a [Reask] asks the resolvers again and tells which answers are others. What a module offers
// under a name it does not know.
package modules
