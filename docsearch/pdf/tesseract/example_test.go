package tesseract_test

import (
	"context"
	"log"

	"github.com/findspot/findspot/docsearch/pdf"
	"github.com/findspot/findspot/docsearch/pdf/tesseract"
)

// Pages without text are read by the program tesseract.
func ExampleOpen() {
	engine, err := tesseract.Open(context.Background(), &tesseract.Options{Languages: "deu+eng"})
	if err != nil {
		log.Fatal(err) // says what to install
	}
	extractor := pdf.New(&pdf.Options{OCR: engine})
	_ = extractor
}
