package agent_test

import "github.com/findspot/findspot/skill/internal/fixture"

type (
	modelFunc  = fixture.ModelFunc
	writerFunc = fixture.WriterFunc
)

var (
	parse    = fixture.Parse
	turn     = fixture.Turn
	told     = fixture.Told
	twoMinds = fixture.TwoMinds
	gathered = fixture.Gathered
)
