// Package slides reads presentations of PresentationML (ECMA-376 part 1, section 19).
package slides
