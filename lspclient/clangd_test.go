package lspclient

import (
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/internal/need"
)

// TestRealHeaders: without a compilation database a declaration in a header and its definition are one symbol all the same, in C and in C++,
// with the header beside the sources and elsewhere.
func TestRealHeaders(t *testing.T) {
	const header = "#ifndef METER\n#define METER\nint meter_read(int channel);\nextern int meter_total;\n#endif\n"
	const meter = "#include \"meter.h\"\nint meter_total = 1;\nint meter_read(int channel) { return channel + meter_total; }\n"
	const main = "#include \"meter.h\"\nint main(void) { return meter_read(2) + meter_total; }\n"
	for _, program := range []string{"clangd", oldClangd} {
		for _, ext := range []string{".c", ".cc"} {
			for _, dir := range []string{"src", "include"} {
				t.Run(program+" "+ext+" "+dir, func(t *testing.T) {
					if path := need.Tool(t, program, "--version"); program == oldClangd {
						callIt(t, path, "clangd")
					}
					t.Setenv("XDG_CACHE_HOME", t.TempDir())
					root := t.TempDir()
					writeFiles(t, root, map[string]string{dir + "/meter.h": header, "src/meter" + ext: meter, "src/main" + ext: main})
					c := entryClient(t, "clangd", root)
					for _, name := range []string{"meter_read", "meter_total"} {
						col := 1 + strings.Index("int "+name, name)
						declared := At(dir+"/meter.h", 3, col)
						if name == "meter_total" {
							declared = At(dir+"/meter.h", 4, col+len("extern "))
						}
						for _, target := range []Target{Named(name), declared} {
							r, err := c.References(t.Context(), target, nil)
							if err != nil {
								t.Fatal(err)
							}
							want := []string{"src/main" + ext + ":2"}
							if name == "meter_total" {
								want = append(want, "src/meter"+ext+":3")
							}
							if diff := gocmp.Diff(want, lines(r.Locations)); diff != "" || r.State != Degraded {
								t.Errorf("References(%v): %s %s (-want +got):\n%s", target, r.State, r.Reason, diff)
							}
						}
						at := map[string]string{"meter_read": "src/meter" + ext + ":3", "meter_total": "src/meter" + ext + ":2"}[name]
						d, err := c.Definition(t.Context(), declared, nil)
						if err != nil || gocmp.Diff([]string{at}, lines(d.Locations)) != "" {
							t.Errorf("Definition(%v) = %+v, %v, want %s", declared, d, err, at)
						}
						found, err := c.WorkspaceSymbols(t.Context(), name, nil)
						if err != nil || len(found.Symbols) != 1 {
							t.Errorf("WorkspaceSymbols(%s) = %+v, %v, want one symbol", name, found, err)
						}
					}
				})
			}
		}
	}
}
