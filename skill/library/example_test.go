package library_test

import (
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

func ExampleSkills() {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, s := range skills {
		fmt.Println(s.Name)
	}
	// Output:
	// change-impact
	// explain-code-behaviour
	// literature-table
	// reproduce-algorithm
	// specification-clause
	// synchronisation-signals
	// who-calls
}
