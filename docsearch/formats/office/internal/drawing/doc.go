// Package drawing reads what documents, slides and sheets have in common (DrawingML, ECMA-376 part 1, section 20): paragraphs of shapes, charts with the values that
// are stored with them, diagrams (SmartArt), and what is said of pictures.
package drawing
