// Package locate ranks the places that a text is likely about. It takes the text of an issue, graphs prepared in advance ([Locator]),
// weights and past changes ([History]), and returns files, classes and functions with their scores and the reasons for them ([Spot]). Files
// are ranked first, by signals from words, names, paths, frames and edges; then the entities of the best files. Package report parses the
// text, and package codegraph takes the weights that users set.
package locate
