package skilltest_test

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

// A scripted model answers in order, and keeps what it was asked.
func ExampleNewModel() {
	m := skilltest.NewModel(skilltest.Says("127"))
	req := &skill.Request{Role: skill.RoleWorker, Messages: []skill.Message{{From: skill.FromUser, Text: "How long is the PSS?"}}}
	reply, err := skill.Collect(m.Generate(context.Background(), req))
	fmt.Println(reply.Text, err)
	// Output: 127 <nil>
}
