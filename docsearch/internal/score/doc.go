// Package score matches and scores records by their texts, to the last bit as docsearch/driver defines it. It is for
// engines without an index, or whose index only narrows. It takes a query and how many records hold each of its terms;
// for the text of a record it returns whether it matches, and the score. It does not depend on a store.
package score
