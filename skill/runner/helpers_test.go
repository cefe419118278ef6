package runner_test

import "github.com/findspot/findspot/skill/internal/fixture"

type (
	modelFunc  = fixture.ModelFunc
	writerFunc = fixture.WriterFunc
)

var (
	md           = fixture.MD
	folder       = fixture.Folder
	names        = fixture.Names
	named        = fixture.Named
	parse        = fixture.Parse
	mustRun      = fixture.Run
	turn         = fixture.Turn
	told         = fixture.Told
	twoMinds     = fixture.TwoMinds
	gathered     = fixture.Gathered
	sharedSkills = fixture.SharedSkills
	ladder       = fixture.Ladder
)
