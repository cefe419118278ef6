// Package links gives the addresses of places, which a terminal opens when they are clicked (OSC 8): of a page of a PDF, of a line of a source file.
// It takes a place as the printers of the library name it, with what is known of where documents and repositories lie, and returns a file URI, or none. It
// opens no file, and writes nothing: [visible.Writer.Link] does.
package links
