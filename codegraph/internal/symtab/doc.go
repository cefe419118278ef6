// Package symtab is the symbol table of a repository. The facts of files go in; what comes out is a [Program]: its files, their
// declarations under numbers that an edit elsewhere does not change, and for each file which declarations, parameters, imports
// and bindings each name of each scope has. It does not know what an import leads to, nor what a name's value is.
package symtab
