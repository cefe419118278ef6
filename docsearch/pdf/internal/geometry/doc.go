// Package geometry holds the matrices and boxes of a page. Boxes are on the page as shown: in points, from the upper
// left corner, y down. It does not depend on what is drawn in them.
package geometry
