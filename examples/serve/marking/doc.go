// Package marking is what the tool mark_pdf needs of a host: it marks PDFs with package docsearch/pdf/mark, and keeps the copies in a folder, or for a while in memory,
// from where they are served.
//
//	shelf := marking.NewShelf(0)
//	tools := ws.Tools(&findspot.ToolsOptions{MarkPDF: marking.OnShelf(shelf)})
//	mux.Handle("GET /marked/{id}", shelf)
//
// The copies of a shelf have addresses that nobody can guess. Whoever mounts it checks who asks, as for everything else.
package marking
