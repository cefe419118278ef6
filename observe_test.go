package findspot_test

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/need"
)

func TestObserve(t *testing.T) {
	need.Tool(t, "gopls", "version")
	src := `package m

type Reader interface{ Read() }

type File struct{}

func (File) Read() {}

func run(r Reader, f func()) {
	r.Read()
	File{}.Read()
	run(nil, File{}.Read)
}
`
	dir := write(t, map[string]string{"go.mod": "module example.com/m\n\ngo 1.24\n", "a.go": src})
	ws := open(t, t.TempDir(), &findspot.Options{})
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	edge := func(dst string) (level codegraph.Level, by string) {
		graphs, err := ws.Graphs(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for e := range graphs[0].Edges() {
			if e.Src == "a.go:run" && e.Dst == dst && e.Kind == codegraph.Invoke {
				return e.Level, e.By
			}
		}
		return "", ""
	}
	if level, by := edge("a.go:File.Read"); level != codegraph.LevelMember || by != "linker" {
		t.Errorf("before: %s by %q, want member by linker", level, by)
	}
	got, err := ws.Observe(t.Context(), []string{"a.go:File.Read", "a.go:run"})
	if err != nil {
		t.Fatal(err)
	}
	if got.Found != 3 || got.Applied != 3 || got.Stale+got.Unknown > 0 || len(got.Notes) > 0 || len(got.Servers) != 1 {
		t.Errorf("Observe = %+v, want 3 references, all applied", got)
	}
	if level, by := edge("a.go:File.Read"); level != codegraph.LevelExact || !strings.HasPrefix(by, "gopls") {
		t.Errorf("after: %s by %q, want exact by gopls", level, by)
	}
	if level, by := edge("a.go:Reader.Read"); level != codegraph.LevelMember || by != "linker" {
		t.Errorf("the interface's method: %s by %q, want member by linker", level, by)
	}
	// An edit takes it away.
	if err := os.WriteFile(filepath.Join(dir, "a.go"), []byte("\n"+src), 0o666); err != nil {
		t.Fatal(err)
	}
	if _, err := ws.AddRepo(t.Context(), dir, nil); err != nil {
		t.Fatal(err)
	}
	if level, by := edge("a.go:File.Read"); level != codegraph.LevelMember || by != "linker" {
		t.Errorf("after an edit: %s by %q, want member by linker", level, by)
	}
	if _, err := ws.Observe(t.Context(), []string{"a.go:nothing"}); !errors.Is(err, findspot.ErrNotFound) {
		t.Errorf("Observe of nothing: %v, want ErrNotFound", err)
	}
}

func TestObserveWithoutServers(t *testing.T) {
	ws := open(t, t.TempDir(), nil)
	if _, err := ws.Observe(t.Context(), nil); !errors.Is(err, findspot.ErrUnsupported) {
		t.Errorf("Observe: %v, want ErrUnsupported", err)
	}
}
