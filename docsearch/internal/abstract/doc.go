// Package abstract finds the abstract of a document in the text of its first pages: what stands under the heading Abstract, or its like in four languages, else the
// first paragraph of prose. Text goes in, a range of its bytes comes out. It is the one rule for the library and for extractors, and knows neither.
package abstract
