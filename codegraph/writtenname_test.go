package codegraph

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

func TestParse(t *testing.T) {
	for in, want := range map[string]writtenName{
		"Receiver.Tune":                 {parts: []string{"Receiver", "Tune"}},
		"rx/tune.py::TestTune::test_a":  {path: "rx/tune.py", parts: []string{"TestTune", "test_a"}},
		`File "rx/tune.py", line 12`:    {path: "rx/tune.py", line: 12},
		"./rx/tune.go:8":                {path: "rx/tune.go", line: 8},
		"func (r *Receiver) Tune() int": {parts: []string{"Receiver", "Tune"}},
		"crate::rx::tune":               {parts: []string{"rx", "tune"}},
		"def tune(gain):":               {parts: []string{"tune"}},
		"Receiver.Tune#2":               {parts: []string{"Receiver", "Tune#2"}},
	} {
		got, ok := parseName(in)
		if d := cmp.Diff(want, got, cmp.AllowUnexported(writtenName{})); !ok || d != "" {
			t.Errorf("parseName(%q) is %v (-want +got):\n%s", in, ok, d)
		}
	}
	for _, in := range []string{"", "the gain is lost", strings.Repeat("a", maxName+1)} {
		if got, ok := parseName(in); ok {
			t.Errorf("parseName(%q) = %+v", in, got)
		}
	}
	if got := unnumbered("rx/tune.go:Tune#2"); got != "rx/tune.go:Tune" {
		t.Errorf("unnumbered gives %s", got)
	}
}
