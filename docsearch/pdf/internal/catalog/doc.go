// Package catalog reads what the catalog of a PDF file refers to: pages with their inherited attributes, bookmarks,
// layers and XMP metadata (ISO 32000-1, 7.7, 8.11, 12.3.3, 14.3). It takes a reader of objects and returns plain
// values. It fills gaps in the page tree with pages found elsewhere in the file. It reads no content stream.
package catalog
