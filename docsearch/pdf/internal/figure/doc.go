// Package figure finds the figures of a page: images, put together where they are strips or layers of one picture, and
// drawings above or beneath a caption. A page with its captions and the areas of its tables goes in; boxes with captions
// and the images within come out. Their pictures are made by package render.
package figure
