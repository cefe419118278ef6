// Package content runs the content streams of a page: operators, graphics state, forms, annotations and inline images
// (ISO 32000-1, 7.8, 8 and 9.4). A page of package catalog goes in; a Canvas comes out, with glyphs, rules, areas and images on the
// page as shown. It keeps of paths what tables and figures need. It knows nothing of words and lines, and decodes no image.
package content
