// Package render makes picture files of the images of a figure and of a scanned page. It takes placed images and
// returns a picture. Images that viewers show correctly are passed on unchanged; others are decoded, turned, assembled
// and written as PNG. It draws neither text nor paths.
package render
