// Package symtab is the symbol table of a repository. It takes the facts of files and makes a [Program]: its files, their declarations under
// numbers that an edit elsewhere does not change, and, for each name of each scope of a file, the declarations, parameters, imports and
// bindings that it has. It does not depend on where an import leads or what the value of a name is.
package symtab
