package lspclient

import (
	"bytes"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	gocmp "github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
)

func TestInConditions(t *testing.T) {
	for _, tt := range []struct {
		text string // the name is "it"
		want []int  // the lines of it that lie in conditional code
	}{
		{"it();\n", nil},
		{"#if X\nit();\n#else\nit();\n#endif\nit();\n", []int{2, 4}},
		{"/* ... */\n#ifndef A_H\n#define A_H\nit();\n#ifdef X\nit();\n#endif\n#endif\n", []int{6}},
		{"#ifndef A\nit();\n#define A\n#endif\n", []int{2}},
		{"#ifndef A\n#define A\nit();\n#endif\n#ifndef B\n#define B\nit();\n#endif\n", []int{7}},
		{"#ifdef X\n#define M it() + \\\n  it()\n#endif\nit();\n", nil},
		{"#endif\n#endif\nit();\n  #  if X\nit();\n", []int{5}},
		{"#if X\n#if Y\n#endif\nit();\n#endif\nit();\n", []int{4}},
	} {
		c := source.NewText([]byte(tt.text))
		var got []int
		for _, at := range inConditions(c, wordsInCode("a.c", c.Bytes, "it", 100)) {
			got = append(got, 1+bytes.Count(c.Bytes[:at], []byte("\n")))
		}
		if diff := gocmp.Diff(tt.want, got); diff != "" {
			t.Errorf("%q (-want +got):\n%s", tt.text, diff)
		}
	}
}

// TestSwitchedOff: conditional code that a server leaves out makes an answer degraded, and no other does.
func TestSwitchedOff(t *testing.T) {
	for _, tt := range []struct {
		name, text, reason string
	}{
		{"left out", "#if X\nuse alpha\n#endif\nuse alpha\n", `fakels leaves out places of "alpha" in code that the preprocessor switches off (1): dark/c.fk:2`},
		{"not conditional", "use alpha\n", ""},
		{"a guard", "#ifndef A\n#define A\nuse alpha\n#endif\n", ""},
		{"too many", "#if X\n" + strings.Repeat("use alpha\n", maxSwitched+1) + "#endif\n", `not all could be looked at`},
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
			if (r.State == session.Complete) != (tt.reason == "") || !strings.Contains(r.Reason, tt.reason) {
				t.Errorf("%s, %q, want %q", r.State, r.Reason, tt.reason)
			}
		})
	}
}
