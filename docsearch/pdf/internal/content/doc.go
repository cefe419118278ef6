// Package content runs the content streams of a page: operators, graphics state, forms, annotations and inline images
// (ISO 32000-1, 7.8, 8 and 9.4). It takes a page of package catalog and returns a Canvas: glyphs, rules, areas and
// images, placed on the page as shown. Of paths it keeps only what tables and figures need. It does not group glyphs
// into words or lines, and decodes no image.
package content
