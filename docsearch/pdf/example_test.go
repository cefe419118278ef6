package pdf_test

import (
	"context"
	"fmt"
	"log"
	"os"

	"github.com/findspot/findspot/docsearch/pdf"
)

// The text, tables and figures of a file, page by page.
func ExampleNew() {
	ctx := context.Background()
	f, err := os.Open("testdata/quality/inventory.pdf")
	if err != nil {
		log.Fatal(err)
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		log.Fatal(err)
	}
	doc, err := pdf.New(nil).Open(ctx, f, info.Size())
	if err != nil {
		log.Fatal(err)
	}
	defer doc.Close()
	for page, err := range doc.Pages(ctx, 1, 0) {
		if err != nil {
			log.Print(err) // of this page; the next ones follow
		}
		if page != nil {
			for _, t := range page.Tables {
				fmt.Println(page.Number, t.Rows[0])
			}
		}
	}
	// Output: 1 [Item Count State]
}
