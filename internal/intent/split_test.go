package intent

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestSplit(t *testing.T) {
	for s, want := range map[string][]string{
		"how is the PSS detected":                                         {"how is the PSS detected"},
		"how is the PSS detected, and what is its threshold?":             {"how is the PSS detected", "what is its threshold"},
		"How is it detected? Why so late?":                                {"How is it detected", "Why so late"},
		"what does the prefetch option do, and where is it implemented?":  {"what does the prefetch option do", "where is it implemented"},
		"By default, how much later does the timer run out?":              {"By default, how much later does the timer run out"},
		"Which prefix is used and how is it set; list the other prefixes": {"Which prefix is used", "how is it set", "list the other prefixes"},
		"Snapshots or log cleaning: which is cheaper?":                    {"Snapshots or log cleaning: which is cheaper"},
		"the threshold, and the noise floor":                              {"the threshold, and the noise floor"},
		"who?":                                                            {"who?"},
		"":                                                                nil,
	} {
		if diff := cmp.Diff(want, Split(s)); diff != "" {
			t.Errorf("Split(%q) (-want +got):\n%s", s, diff)
		}
	}
}

func TestRefersBack(t *testing.T) {
	for s, want := range map[string]bool{"where is it implemented?": true, "what are their limits": true, "who calls the detector": false, "item": false} {
		if got := RefersBack(s); got != want {
			t.Errorf("RefersBack(%q) = %v", s, got)
		}
	}
}
