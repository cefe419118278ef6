package rawtext

import (
	"testing"

	"github.com/findspot/findspot/docsearch/extract"
)

func TestSectionsCalled(t *testing.T) {
	all := []extract.Section{
		{Number: "5.2.3", Title: "Threshold"}, {Number: "5.2", Title: "Detection in release 15.4"}, {Title: "2.7 Not told by a number"}, {Title: "Noise 3.1.2"},
	}
	for _, tt := range []struct {
		ref  string
		want int // -1: none
	}{
		{"5.2.3", 0}, {"5.2", 1}, {"2.3", -1}, {"2", -1}, {"3", -1}, {"15.4", 1}, {"5.4", -1}, {"15", -1}, {"2.7", 2}, {"2.7.", 2}, {"7", -1}, {"3.1.2", 3}, {"3.1", -1}, {"1.2", -1},
		{"thresh", 0}, {"5.2.3 Threshold", 0}, {"noise", 3}, {"", -1},
	} {
		got := -1
		if found := SectionsCalled(all, tt.ref); len(found) == 1 {
			got = found[0]
		} else if len(found) > 1 {
			t.Errorf("%q means %v", tt.ref, found)
		}
		if got != tt.want {
			t.Errorf("%q means %d, want %d", tt.ref, got, tt.want)
		}
	}
}
