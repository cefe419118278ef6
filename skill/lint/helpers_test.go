package lint_test

import "github.com/findspot/findspot/skill/internal/fixture"

var (
	md           = fixture.MD
	folder       = fixture.Folder
	named        = fixture.Named
	parse        = fixture.Parse
	sharedSkills = fixture.SharedSkills
)
