// Package grid finds the rules of a page and the grids they form. It takes a canvas and collects horizontal and
// vertical rules from strokes, thin areas, the edges of shaded areas and runs of dashes, and joins those that meet.
// Rules that cross make lattices, and a lattice makes a grid of cells with their words; cells are split if their text
// shows rows and columns that were not drawn. Whether a grid is a table, a frame, a form or a chart is up to package
// table.
package grid
