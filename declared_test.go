package findspot_test

import (
	"testing"

	"github.com/findspot/findspot"
	"github.com/google/go-cmp/cmp"
)

// TestDeclaredApart: in C a prototype in a header and the function that it announces are one symbol, whichever is asked about.
func TestDeclaredApart(t *testing.T) {
	dir := write(t, map[string]string{
		"include/meter.h": "int meter_read(int channel);\n",
		"src/meter.c":     "#include \"meter.h\"\nint meter_read(int channel) { return channel; }\n",
		"src/main.c":      "#include \"meter.h\"\nint main(void) { return meter_read(2); }\n",
		"src/other.c":     "static int alone(void) { return 1; }\nint both(void) { return alone(); }\n",
	})
	ws := open(t, t.TempDir(), &findspot.Options{NoServers: true})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string][3]string{
		"meter_read":                 {"src/meter.c:meter_read", "include/meter.h:meter_read", "src/main.c:main"},
		"include/meter.h:meter_read": {"src/meter.c:meter_read", "include/meter.h:meter_read", "src/main.c:main"},
		"src/meter.c:meter_read":     {"src/meter.c:meter_read", "include/meter.h:meter_read", "src/main.c:main"},
		"alone":                      {"src/other.c:alone", "", "src/other.c:both"},
	} {
		r, err := ws.Callers(t.Context(), name, nil)
		if err != nil || len(r.Symbols) != 1 || len(r.Callers) != 1 || len(r.Declared) > 1 {
			t.Errorf("Callers(%s) = %+v, %v", name, r, err)
			continue
		}
		got := [3]string{r.Symbols[0].ID, "", r.Callers[0].Entity.ID}
		if len(r.Declared) > 0 {
			got[1] = r.Declared[0].ID
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Errorf("Callers(%s) (-want +got):\n%s", name, diff)
		}
	}
}
