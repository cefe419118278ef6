// Package proving is what shows where evidence stands: it marks PDFs with package docsearch/pdf/mark and writes bundles with package proof. Servers and the tool mark_pdf take it
// from their hosts, so that only programs that import this package link github.com/pdfcpu/pdfcpu.
//
//	srv, err := serve.New(ws, &serve.Options{Proof: proving.New(log)})
//	tools := ws.Tools(&findspot.ToolsOptions{MarkPDF: proving.InFolder("marked")})
package proving
