package writtenname

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]Name{
		"Receiver.Tune":                 {Parts: []string{"Receiver", "Tune"}},
		"rx/tune.py::TestTune::test_a":  {Path: "rx/tune.py", Parts: []string{"TestTune", "test_a"}},
		`File "rx/tune.py", line 12`:    {Path: "rx/tune.py", Line: 12},
		"./rx/tune.go:8":                {Path: "rx/tune.go", Line: 8},
		"func (r *Receiver) Tune() int": {Parts: []string{"Receiver", "Tune"}},
		"crate::rx::tune":               {Parts: []string{"rx", "tune"}},
		"def tune(gain):":               {Parts: []string{"tune"}},
		"Receiver.Tune#2":               {Parts: []string{"Receiver", "Tune#2"}},
	} {
		got, ok := Parse(in)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(Name{})); !ok || d != "" {
			t.Errorf("Parse(%q) is %v (-want +got):\n%s", in, ok, d)
		}
	}
	for _, in := range []string{"", "the gain is lost", strings.Repeat("a", maxName+1)} {
		if got, ok := Parse(in); ok {
			t.Errorf("Parse(%q) = %+v", in, got)
		}
	}
	if got := Unnumbered("rx/tune.go:Tune#2"); got != "rx/tune.go:Tune" {
		t.Errorf("Unnumbered gives %s", got)
	}
}
