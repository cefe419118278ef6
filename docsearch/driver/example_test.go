package driver_test

import (
	"fmt"

	"github.com/findspot/findspot/docsearch/driver"
)

// What an engine indexes of a record, and what a query asks of it.
func ExampleAnalyze() {
	a := driver.Analyze("The synchro-\nnization of maxNrofSSBs")
	fmt.Println(a.Words.Length, len(a.Idents.Terms))
	groups := driver.Groups("synchronization of")
	fmt.Println(len(groups), groups[1].Stop, driver.PhraseCount("the synchro-\nnization of a cell", groups))
	// Output:
	// 4 2
	// 2 true 1
}
