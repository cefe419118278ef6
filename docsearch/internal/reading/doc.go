// Package reading gives back the text of one document. It resolves a reference to a [Doc], whose methods return lines,
// pages, sections, the abstract, the kept Markdown, the places of a pattern, and the length. It changes nothing and
// does not depend on search over documents.
package reading
