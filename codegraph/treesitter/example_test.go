package treesitter_test

import (
	"fmt"

	"github.com/findspot/findspot/codegraph/treesitter"
)

func ExampleFrontend() {
	f, err := treesitter.Frontend("typescript")
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(f.Extensions())
	_, err = treesitter.Frontend("cobol")
	fmt.Println(err)
	// Output:
	// [.ts .tsx .mts .cts]
	// treesitter: unknown language "cobol"; there are c, cpp, java, javascript, python, rust, typescript
}
