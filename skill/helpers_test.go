package skill_test

import "github.com/findspot/findspot/skill/internal/fixture"

var (
	md      = fixture.MD
	folder  = fixture.Folder
	names   = fixture.Names
	parse   = fixture.Parse
	mustRun = fixture.Run
	ladder  = fixture.Ladder
)
