// Package figure finds the figures of a page: images, joined if they are strips or layers of one picture, and drawings
// above or below a caption. It takes a page with its captions and the areas of its tables, and returns boxes with their
// captions and the images inside. Package render makes the pictures.
package figure
