// Package grid finds the rules of a page and the grids that they make. A canvas goes in; out come horizontal and vertical rules,
// joined where they meet: strokes, thin areas, the edges of shades, words of dashes. Rules that cross make lattices, and a
// lattice a grid of cells with the words that lie in them; cells are cut where their text shows rows and columns that were not
// drawn. What is a table, and what is a frame, a form or a chart, is for package table to say.
package grid
