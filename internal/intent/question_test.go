package intent

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParseQuestion(t *testing.T) {
	for _, tt := range []struct {
		in      string
		callers []string
		topic   string
	}{
		{"how is the primary synchronization signal detected, and who calls detect_pss?", []string{"detect_pss"}, "how is the primary synchronization signal detected"},
		{"who calls ReplayService", []string{"ReplayService"}, ""},
		{"where is CommandRouter referenced", []string{"CommandRouter"}, ""},
		{"who uses ToolResult?", []string{"ToolResult"}, ""},
		{"where is SessionState used", []string{"SessionState"}, ""},
		{"callers of Server.Run", []string{"Server.Run"}, ""},
		{"Where do we use `Flask.dispatch_request` in the app?", []string{"Flask.dispatch_request"}, ""},
		{"who calls the detector, and how is CFO estimated?", []string{"the detector"}, "how is CFO estimated"},
		{"which functions call the function detect_pss()", []string{"detect_pss"}, ""},
		{"is detect_pss ever called anywhere?", []string{"detect_pss"}, ""},
		{"who calls the shots", []string{"the shots"}, ""},
		{"who calls detect_pss and what does it return", []string{"detect_pss"}, "what does it return"},
		{"how does cell search use correlation", nil, "how does cell search use correlation"},
		{"what is the PSS?", nil, "what is the PSS"},
		{"who's calling detect_pss", []string{"detect_pss"}, ""},
		{"what functions invoke detect_pss?", []string{"detect_pss"}, ""},
		{"what code uses CellSearcher", []string{"CellSearcher"}, ""},
		{"detect_pss callers", []string{"detect_pss"}, ""},
		{"show me all the usages of detect_pss", []string{"detect_pss"}, ""},
		{"find all detect_pss usages", []string{"detect_pss"}, ""},
		{"who imports receiver.pss", []string{"receiver.pss"}, ""},
		{"where does detect_pss get called?", []string{"detect_pss"}, ""},
		{"is anybody using detect_pss", []string{"detect_pss"}, ""},
		{"how many places call detect_pss", []string{"detect_pss"}, ""},
		{"how often is detect_pss used", []string{"detect_pss"}, ""},
		{"is detect_pss dead code?", []string{"detect_pss"}, ""},
		{"how does it work, and is detect_pss still used", []string{"detect_pss"}, "how does it work"},
		{"what is called a cell", nil, "what is called a cell"},
		{"what is the threshold used for", nil, "what is the threshold used for"},
		{"how is the primary synchronization signal used in cell search", nil, "how is the primary synchronization signal used in cell search"},
		{"what does detect_pss use", nil, "what does detect_pss use"},
		{"which signal is used first", nil, "which signal is used first"},
		{"what calls detect_pss in the tests", []string{"detect_pss"}, ""},
	} {
		q := Parse(tt.in)
		var callers []string
		for _, c := range q.References {
			callers = append(callers, c.Name)
		}
		if diff := cmp.Diff(tt.callers, callers); diff != "" {
			t.Errorf("callers of %q (-want +got):\n%s", tt.in, diff)
		}
		if q.Topic != tt.topic {
			t.Errorf("topic of %q = %q, want %q", tt.in, q.Topic, tt.topic)
		}
	}
}

func FuzzParseQuestion(f *testing.F) {
	f.Add("who calls `a` and where is b used")
	f.Fuzz(func(t *testing.T, s string) {
		q := Parse(s)
		if len(q.Topic) > len(s)+maxObjects {
			t.Fatalf("the topic %q is longer than the question %q", q.Topic, s)
		}
		for _, part := range Split(q.Topic) {
			if !strings.Contains(q.Topic, part) {
				t.Fatalf("%q is no part of %q", part, q.Topic)
			}
		}
	})
}
