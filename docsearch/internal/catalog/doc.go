// Package catalog is the list of a library's documents: what the store keeps of each ([Stored]) and a compact form in
// memory ([Entry]), found by id, name, title, document number or collection. A [List] reads a driver.Store once and is
// updated with each change made through it. A [Catalog] is the list as one call sees it: it resolves references and
// applies a [Filter]. It also defines which ids and names are valid, and why a document failed. It does not depend on
// texts, search or sources.
package catalog
