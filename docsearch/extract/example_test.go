package extract_test

import (
	"fmt"

	"github.com/findspot/findspot/docsearch/extract"
)

// Contents makes sections of the headings of pages.
func ExampleContents() {
	var contents extract.Contents
	contents.Add(&extract.Page{Text: "1 Scope\nWhat it is.\n1.1 Terms\nA cell is a cell.\n", Headings: []extract.Heading{
		{Text: "1 Scope", Level: 1, Line: 1}, {Text: "1.1 Terms", Level: 2, Line: 3},
	}})
	contents.Add(&extract.Page{Text: "2 Search\nLook for it.\n", Headings: []extract.Heading{{Text: "2 Search", Level: 1, Line: 1}}})
	for _, s := range contents.Sections() {
		fmt.Printf("%s: page %d, lines %d to %d\n", s.Heading(), s.Page, s.Lines.First, s.Lines.Last)
	}
	// Output:
	// 1 Scope: page 1, lines 1 to 4
	// 1.1 Terms: page 1, lines 3 to 4
	// 2 Search: page 2, lines 5 to 6
}

// A phrase is found over line ends and hyphens.
func ExamplePage_Find() {
	page := &extract.Page{Number: 1, Text: "A robust esti-\nmate of it.\n"}
	places, err := page.Find("robust estimate")
	fmt.Println(len(places), places[0].Line, err)
	// Output: 1 1 <nil>
}
