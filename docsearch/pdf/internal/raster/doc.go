// Package raster decodes image XObjects: image filters, colour spaces, functions and masks (ISO 32000-1, 7.10, 8.6,
// 8.9). It takes an image stream and returns an image.Image. JPEG 2000 is not decoded; such files, and JPEGs that
// viewers show correctly, can be passed on unchanged. Sizes are checked before memory is taken. It does not depend on
// where images are placed.
package raster
