package claude_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/skilltest"
)

// The server is a scripted one here; without BaseURL it is the provider's, and the key is that of the environment.
func ExampleNew() {
	server := httptest.NewServer(skilltest.NewAnthropicServer(skilltest.Says("127")))
	defer server.Close()
	m, err := claude.New("a-model", &claude.Options{BaseURL: server.URL, Key: "none"})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &skill.Request{Role: skill.RoleWorker, Messages: []skill.Message{{From: skill.FromUser, Text: "How long is the PSS?"}}}
	reply, err := skill.Collect(m.Generate(context.Background(), req))
	fmt.Println(reply.Text, err)
	// Output: 127 <nil>
}
