// Package rawtext stores the raw text of a document: its pages in a row. [Cut] takes the text of a new document and
// returns chunk records and a [Layout], which says which record holds each stretch of the text. A [Reader] reads
// stretches back from a driver.Store, with their lines and pages, and checks that the text is complete. The package
// also resolves references to sections ("5.3.5.3", "Annex A"). It depends on package catalog, not on search.
package rawtext
