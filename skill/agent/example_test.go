package agent_test

import (
	"context"
	"fmt"

	"github.com/findspot/findspot/skill/agent"
	"github.com/findspot/findspot/skill/skilltest"
)

// A model gathers with a tool, and answers with sentences that cite what was found. What it makes up is left out.
func Example() {
	search := skilltest.NewTool("search_internal", skilltest.Passages("ssb.pdf", 3, "The PSS has length 127."))
	model := skilltest.NewModel(
		skilltest.Calls("search_internal", `{"query":"PSS length"}`),
		skilltest.Says("[D1] says it."),
		skilltest.Says("The PSS has length 127 [D1]. It was found on Mars."),
	)
	ctx := context.Background()
	g, err := agent.Gather(ctx, model, skilltest.Tools(search), "How long is the PSS?", nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for piece, err := range agent.Answer(ctx, model, g, &agent.AnswerOptions{Repairs: -1}) {
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Print(piece.Text)
		if r := piece.Report; r != nil {
			fmt.Printf("\n%s: %d verified, %d left out\n", r.Status, r.Verified, r.LeftOut)
		}
	}
	// Output:
	// The PSS has length 127 [D1].
	// done: 1 verified, 1 left out
}
