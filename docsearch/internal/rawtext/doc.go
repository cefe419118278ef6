// Package rawtext keeps the raw text of a document: its pages in a row, cut into chunk records, and a [Layout] that says where each stretch of it is
// kept. [Cut] makes the records and the layout of a text that is added; a [Reader] gives stretches of it back from a driver.Store, with their lines and
// pages, and checks that all of it is there. References to sections ("5.3.5.3", "Annex A") are resolved here too. It knows no search, and of a document
// only what package catalog holds.
package rawtext
