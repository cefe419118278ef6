package lspclient

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

// TestSwitchedOff: conditional code that a server leaves out makes an answer degraded, and no other does.
func TestSwitchedOff(t *testing.T) {
	for _, tt := range []struct {
		name, text, reason string
	}{
		{"left out", "#if X\nuse alpha\n#endif\nuse alpha\n", `fakels leaves out places of "alpha" in code that the preprocessor switches off (1): dark/c.fk:2`},
		{"not conditional", "use alpha\n", ""},
		{"a guard", "#ifndef A\n#define A\nuse alpha\n#endif\n", ""},
		{"too many", "#if X\n" + strings.Repeat("use alpha\n", 31) + "#endif\n", `not all could be looked at`},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, root, _ := fakeClient(t, "omits dark", nil, func(s *ServerSpec) { s.Reach.Conditional = true })
			writeFiles(t, root, map[string]string{"dark/c.fk": tt.text, "seen/c.fk": "#if X\nuse alpha\n#endif\n"})
			r, err := c.References(t.Context(), Named("alpha"), nil)
			if err != nil {
				t.Fatal(err)
			}
			if diff := gocmp.Diff([]string{"a.fk:2", "seen/c.fk:2", "sub/b.fk:2"}, lines(r.Locations), cmpopts.EquateEmpty()); diff != "" {
				t.Errorf("references (-want +got):\n%s", diff)
			}
			if (r.State == Complete) != (tt.reason == "") || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("%s, %q, want %q", r.State, r.Reason, tt.reason)
			}
		})
	}
}
