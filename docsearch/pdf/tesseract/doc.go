// Package tesseract reads text from pictures with the program tesseract, if it is installed.
//
//	ocr, err := tesseract.Open(ctx, &tesseract.Options{Languages: "deu+eng"})
//	...
//	x := pdf.New(&pdf.Options{OCR: ocr})
//
// The program is found on PATH, never in a folder of documents. It gets a picture on its standard input and writes the
// words with their boxes to its standard output; no file is written. The time and output of each run and the number of
// parallel runs are bounded, and when the context ends the program and every process it started are killed.
//
// Tested with tesseract 5.3.
package tesseract
