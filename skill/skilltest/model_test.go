package skilltest_test

import (
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

func TestScriptedModel(t *testing.T) {
	skilltest.TestModel(t, func(_ *testing.T, turns ...skilltest.Turn) skill.Model { return skilltest.NewModel(turns...) })
}
