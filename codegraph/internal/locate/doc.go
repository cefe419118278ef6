// Package locate ranks the places that a text is likely about. The text of an issue and what is known of graphs before they are asked
// ([Locator]) go in, with weights and past changes ([History]); files, classes and functions come out with their scores and what speaks for each
// ([Spot]). Files are ranked first, by signals of words, names, paths, frames and edges; then the entities of the best ones. It does not read
// the text itself, which package report does, and does not know where the numbers of users come from.
package locate
