// Package xmlnode reads the XML of office documents (ECMA-376) within bounds: a part as one tree, or element by element. Names carry the usual prefix
// of their namespace, such as "w:p", whatever the part calls it, and the namespaces of the strict and the transitional form are one.
//
// Of mc:AlternateContent (ECMA-376 part 3) the first choice is taken, or the fallback where there is none, in the place of the element. No entity is expanded but those of
// XML itself, and a document type is refused, as ECMA-376 part 2 has it.
package xmlnode
