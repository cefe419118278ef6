package claude_test

import (
	"net/http/httptest"
	"testing"

	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/claude"
	"github.com/findspot/findspot/skill/skilltest"
)

// start is a model over a local server that plays the turns.
func start(t *testing.T, o claude.Options, turns ...skilltest.Turn) (*claude.Model, *skilltest.Server) {
	t.Helper()
	s := skilltest.NewAnthropicServer(turns...)
	srv := httptest.NewServer(s)
	t.Cleanup(srv.Close)
	o.BaseURL, o.Key = srv.URL+"", "sk-test-0123456789"
	m, err := claude.New("model-1", &o)
	if err != nil {
		t.Fatal(err)
	}
	return m, s
}

func TestConformance(t *testing.T) {
	skilltest.TestModel(t, func(t *testing.T, turns ...skilltest.Turn) skill.Model {
		m, _ := start(t, claude.Options{Retries: -1}, turns...)
		return m
	})
}
