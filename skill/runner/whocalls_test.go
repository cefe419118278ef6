package runner_test

import (
	"testing"

	"github.com/findspot/findspot/skill/runner"
)

// TestWhoCallsCases runs the recorded cases of who-calls: reference questions about examples/testdata/console with gopls
// and pyright. Each that is about a symbol that is there ends complete.
func TestWhoCallsCases(t *testing.T) {
	results, err := runner.Test(t.Context(), shipped(t, "who-calls"))
	if err != nil {
		t.Fatal(err)
	}
	complete := map[string]bool{}
	for _, r := range results {
		if !r.Passed {
			t.Errorf("%s: %q", r.Case, r.Problems)
		}
		if r.Outcome != nil {
			complete[r.Case] = r.Outcome.Measures.CallerResolutionRate == 1
		}
	}
	for _, name := range []string{"replay-service", "command-router", "tool-result", "session-state", "uncalled", "tests-only"} {
		if !complete[name] {
			t.Errorf("%s: caller_resolution_rate is not 1.0", name)
		}
	}
	if complete["near-names"] {
		t.Error("near-names: a name that is no symbol was resolved")
	}
}
