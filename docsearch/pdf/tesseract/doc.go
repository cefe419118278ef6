// Package tesseract reads text from pictures with the program tesseract, where it is installed.
//
//	ocr, err := tesseract.Open(ctx, &tesseract.Options{Languages: "deu+eng"})
//	...
//	x := pdf.New(&pdf.Options{OCR: ocr})
//
// The program is found on PATH, never in a folder of documents. A picture goes to its standard input, the words with their
// boxes come from its standard output; no file is written. Each run is bounded in time and output, runs side by side are
// bounded in number, and when the context ends the program and what it started are killed.
//
// Tested with tesseract 5.3.
package tesseract
