package main

import (
	"net/http"
	"net/http/httptest"

	"github.com/rogpeppe/go-internal/testscript"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/skilltest"
)

// modelServers gives a script a server of its own for each provider, of a model that searches, writes a sentence without a
// key, and then a right one. The first request is told to come again.
func modelServers(e *testscript.Env) {
	turns := []skilltest.Turn{
		{Err: &skill.ModelError{Fault: skill.FaultOverloaded, Text: "a moment", After: 1}},
		skilltest.Calls("search_internal", `{"query": "length of the primary synchronization signal"}`),
		skilltest.Says("The signal is searched first."),
		skilltest.Says("The signal is searched first [D1]."),
	}
	for name, h := range map[string]http.Handler{
		"ANTHROPIC": skilltest.NewAnthropicServer(turns...), "OPENAI": skilltest.NewOpenAIServer(turns...),
	} {
		srv := httptest.NewServer(h)
		e.Defer(srv.Close)
		e.Setenv("MODEL_"+name, srv.URL)
	}
	e.Setenv("ANTHROPIC_API_KEY", "")
	e.Setenv("OPENAI_API_KEY", "")
}
