package skill_test

import (
	"os"
	"testing"

	"github.com/findspot/findspot/internal/need"
	"github.com/findspot/findspot/skill"
	"github.com/findspot/findspot/skill/library"
)

func TestSelect(t *testing.T) {
	skills, err := skill.Load(library.Skills())
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct{ task, want, symbol string }{
		{"who calls detect_pss", "who-calls", "detect_pss"},
		{"Who calls Server.Run?", "who-calls", "Server.Run"},
		{"where is SessionState used", "who-calls", "SessionState"},
		{"where is the SessionState used", "who-calls", ""},
		{"where are tool_results referenced in the agent?", "who-calls", "tool_results"},
		{"who uses ToolResult", "who-calls", "ToolResult"},
		{"show me the callers of parse_frame", "who-calls", "parse_frame"},
		{"what calls run()?", "who-calls", "run"},
		{"who calls the shots in this project", "", ""},
		{"who uses the most memory", "", ""},
		{"Design and simulate synchronization signals in a communication system", "synchronisation-signals", ""},
		{"Compare PSS detection at low SNR", "synchronisation-signals", ""},
		{"Simulate cell search with a carrier frequency offset", "synchronisation-signals", ""},
		{"what does 38.331 say about ssb-PositionsInBurst", "specification-clause", ""},
		{"translate this letter into French", "", ""},
		{"what is the weather in Berlin", "", ""},
		{"book a table for two", "", ""},
		{"", "", ""},
	}
	for _, tt := range tests {
		c, ok := skill.Select(skills, tt.task, nil)
		got, symbol := "", ""
		if ok {
			got = c.Skill.Name
			symbol, _ = c.Inputs["symbol"].(string)
		}
		if got != tt.want || symbol != tt.symbol || len(c.Why) == 0 {
			t.Errorf("Select(%q) = %q %q, want %q %q\n%q", tt.task, got, symbol, tt.want, tt.symbol, c.Why)
		}
	}
	if c, ok := skill.Select(skills, "anything", &skill.SelectOptions{Name: "who-calls"}); !ok || c.Skill.Name != "who-calls" {
		t.Errorf("by name: %v", c)
	}
	if c, ok := skill.Select(skills, "who calls run", &skill.SelectOptions{Name: "nope"}); ok || len(c.Why) != 1 {
		t.Errorf("by an unknown name: %v", c)
	}
}

func TestSelectShared(t *testing.T) {
	skills, err := skill.Load(os.DirFS(need.Shared(t, "skills")))
	if err != nil {
		t.Fatal(err)
	}
	for _, s := range skills {
		for _, ex := range s.Examples {
			if c, ok := skill.Select(skills, ex, nil); !ok || c.Skill != s {
				t.Errorf("Select(%q) = %v, want %s: %q", ex, c.Skill, s.Name, c.Why)
			}
		}
		for _, ex := range s.NotFor {
			if c, ok := skill.Select(skills, ex, nil); ok && c.Skill == s {
				t.Errorf("Select(%q) = %s, which says it is not for this", ex, s.Name)
			}
		}
	}
}
