package openai_test

import (
	"context"
	"fmt"
	"net/http/httptest"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/openai"
	"github.com/findspot/findspot/skill/skilltest"
)

// The server is a scripted one here; without BaseURL it is the provider's, and the key is that of the environment.
func ExampleNew() {
	server := httptest.NewServer(skilltest.NewOpenAIServer(skilltest.Says("127")))
	defer server.Close()
	m, err := openai.New("a-model", &openai.Options{BaseURL: server.URL + "/v1", Key: "none"})
	if err != nil {
		fmt.Println(err)
		return
	}
	req := &skill.Request{Role: skill.RoleWorker, Messages: []skill.Message{{From: skill.FromUser, Text: "How long is the PSS?"}}}
	reply, err := skill.Collect(m.Generate(context.Background(), req))
	fmt.Println(reply.Text, err)
	// Output: 127 <nil>
}
