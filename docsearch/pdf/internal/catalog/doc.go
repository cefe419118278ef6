// Package catalog reads what the catalog of a file leads to: pages with what they inherit, bookmarks, layers and XMP metadata
// (ISO 32000-1, 7.7, 8.11, 12.3.3, 14.3). A reader of objects goes in, plain values come out. A page tree with gaps is
// completed by the pages found elsewhere in the file. It reads no content stream.
package catalog
