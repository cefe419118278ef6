package library_test

import (
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

// A document and a clause that a task names are inputs of the skill, in whatever order they stand.
func TestClauseOfTask(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	for _, task := range []string{"what does 38.331 say in 5.3.5", "what does 38.331 say in clause 5.3.5", "quote clause 5.3.5 of 38.331", "38.331, 5.3.5"} {
		c, ok := skill.Select(skills, task, nil)
		if !ok || c.Skill.Name != "specification-clause" || c.Inputs["doc"] != "38.331" || c.Inputs["clause"] != "5.3.5" {
			t.Errorf("%q: %v", task, c)
		}
	}
}
