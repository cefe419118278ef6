// Package modules resolves imports. It takes the files of a program and the resolvers of their languages, and finds which module each import
// names: its files and the folder of its submodules. Each module has a number, which it keeps as long as every import resolves it to the
// same place. When files are added or removed, a [Reask] queries the resolvers again and reports which answers changed. Which names a module
// offers is up to package infer.
package modules
