// Package page is a page to look at a workspace with: documents are dropped on it, questions asked, and every piece of an answer opened at its
// place, on the page of the PDF or in the code, with the passage marked. It also walks the code graph, runs skills, and shows the status.
//
//	svc := api.New(ws, nil)
//	svc.Register(mux)               // what the page asks
//	mux.Handle("/", page.Handler()) // GET / and /assets/...
//
// Everything is embedded: HTML, CSS and JavaScript modules as they are written, without a framework and without a build step, and pdf.js as its npm
// package has it (assets/pdfjs, see README.md there). A browser needs nothing from the network.
//
// # How it is made
//
// The page has one fragment of its address for all that is seen (assets/js/core/route.js): #/ask?q=...&at=D2, #/documents/ID?page=3, #/graph?id=...
// A view (assets/js/views) draws from the address alone, so that reload, bookmarks, back and forward work. The service is called with Connect's JSON
// (assets/js/core/api.js); answers that come in pieces are Connect's enveloped streams (assets/js/core/envelope.js).
//
// A passage is found on the page of a PDF by its letters (assets/js/text/match.js): our reading of a file and that of pdf.js agree on them, and not on
// spaces, hyphens at the ends of lines, ligatures or the order of columns. Where the text of the page does not have it, its place is framed, as far as the
// service knows it, and else the page says that the passage was not found.
//
// # Safety
//
// Names, titles and texts of documents and code become text nodes, never markup; a Content-Security-Policy lets nothing run or load that is not one of
// these files. Of a PDF, only what can be drawn is used: no links, no forms, no scripts.
//
// Addresses are relative, so that the page also works behind a prefix. With a token (see package api) the page takes one from #token=..., or asks for it, and
// keeps it as long as the tab is open.
package page
