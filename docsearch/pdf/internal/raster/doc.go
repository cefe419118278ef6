// Package raster decodes image XObjects: filters for images, colour spaces, functions and masks (ISO 32000-1, 7.10, 8.6, 8.9). An
// image stream goes in, an image of package image comes out. JPEG 2000 is not decoded; that and JPEGs which viewers show
// rightly can be handed on as they are. Sizes are bounded before memory is taken. It knows nothing of where images are placed.
package raster
