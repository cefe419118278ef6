// Package abstract finds the abstract in the text of a document's first pages: the text under the heading Abstract, or
// its equivalent in German, French, Spanish or Italian, or else the first paragraph of prose. It takes text and returns
// a range of bytes. It is the one rule for the library and the extractors, and depends on neither.
package abstract
