// Package render makes picture files of what a page shows: of the images of a figure, and of a scanned page. Images that viewers show
// rightly are handed on as they are; others are decoded, turned, put together and written as PNG. Placed images go in, a
// picture comes out. It draws neither text nor paths.
package render
