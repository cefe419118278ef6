package lspclient

import (
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
	"github.com/google/go-cmp/cmp"
)

// usesOf asks for the references to a name in the fake repository.
func usesOf(t *testing.T, c *Client, name string) []string {
	t.Helper()
	r, err := c.References(t.Context(), Named(name), nil)
	if err != nil {
		t.Fatalf("References(%s): %v", name, err)
	}
	if r.State != Complete {
		t.Errorf("References(%s) is %s: %s", name, r.State, r.Reason)
	}
	return lines(r.Locations)
}

func TestOverlay(t *testing.T) {
	c, root, dir := fakeClient(t, "references#6 die", nil)
	want := func(step string, list ...string) {
		t.Helper()
		if diff := cmp.Diff(list, usesOf(t, c, "alpha")); diff != "" {
			t.Errorf("%s (-want +got):\n%s", step, diff)
		}
	}
	set := func(path, text string) {
		t.Helper()
		if err := c.SetOverlay(path, []byte(text)); err != nil {
			t.Fatal(err)
		}
	}
	want("before", "a.fk:2", "sub/b.fk:2")
	set("a.fk", "\ufeff\ndef alpha\n\nuse alpha\n")
	want("an overlay moves what is there", "a.fk:4", "sub/b.fk:2")
	writeFiles(t, root, map[string]string{"a.fk": "def alpha\n"})
	want("the disk beneath an overlay is not seen", "a.fk:4", "sub/b.fk:2")
	set("new/deep/c.fk", "use alpha")
	want("a file that is not on disk", "a.fk:4", "new/deep/c.fk:1", "sub/b.fk:2")
	set("new/deep/c.fk", "\nuse alpha")
	want("another text", "a.fk:4", "new/deep/c.fk:2", "sub/b.fk:2")
	want("a new process", "a.fk:4", "new/deep/c.fk:2", "sub/b.fk:2") // the sixth question kills the first
	if d, err := c.Definition(t.Context(), At("new/deep/c.fk", 2, 5), nil); err != nil || len(d.Locations) != 1 || d.Locations[0].Line != 2 {
		t.Errorf("a definition asked for in a file that is not on disk = %+v, %v", d, err)
	}
	for _, path := range []string{"a.fk", "new/deep/c.fk"} {
		if err := c.RemoveOverlay(path); err != nil {
			t.Error(err)
		}
	}
	want("the disk again", "sub/b.fk:2")
	if err := c.RemoveOverlay("a.fk"); !errors.Is(err, ErrNotFound) {
		t.Errorf("removing what is not there: %v", err)
	}
	if log := fakeLog(t, dir); !slices.Contains(log, "textDocument/didClose") {
		t.Errorf("the file that is not on disk was not closed: %v", log)
	}
}

func TestOverlayRefused(t *testing.T) {
	c, root, _ := fakeClient(t, "", nil)
	for _, link := range [][2]string{{t.TempDir(), "out"}, {filepath.Join(root, "nowhere.fk"), "dangling.fk"}} {
		if err := os.Symlink(link[0], filepath.Join(root, link[1])); err != nil {
			t.Fatal(err)
		}
	}
	for _, tt := range []struct {
		path, text string
		want       error
	}{
		{"", "", ErrNotFound},
		{"a\x00.fk", "", ErrNotFound},
		{"\xff.fk", "", ErrNotFound},
		{strings.Repeat("a/", filetree.MaxPath) + "a.fk", "", ErrNotFound},
		{"../x.fk", "", ErrUnsupported},
		{"/etc/x.fk", "", ErrUnsupported},
		{"out/x.fk", "", ErrUnsupported},
		{"dangling.fk", "", ErrUnsupported},
		{"sub", "", ErrUnsupported},
		{"a.fk/b.fk", "", ErrUnsupported},
		{"README", "", ErrUnsupported},
		{"a.fk", "\xff", ErrUnsupported},
		{"a.fk", "a\x00", ErrUnsupported},
		{"a.fk", strings.Repeat("x", source.MaxFile+1), ErrTooLarge},
	} {
		if err := c.SetOverlay(tt.path, []byte(tt.text)); !errors.Is(err, tt.want) {
			t.Errorf("SetOverlay(%q) = %v, want %v", excerpt.Clip(tt.path, 40), err, tt.want)
		}
	}
	big := []byte(strings.Repeat("x", source.MaxFile))
	for i := range 5 {
		err := c.SetOverlay(string(rune('a'+i))+".fk", big)
		if i == 4 != errors.Is(err, ErrTooLarge) {
			t.Errorf("overlay %d of 16 MiB: %v", i+1, err)
		}
	}
	for i := range filetree.MaxOverlays + 1 {
		if err := c.SetOverlay(filepath.Join("many", string(rune(0x4e00+i))+".fk"), nil); i+4 >= filetree.MaxOverlays != errors.Is(err, ErrTooLarge) {
			t.Errorf("overlay %d: %v", i+5, err)
		}
	}
	if err := c.Close(); err != nil {
		t.Fatal(err)
	}
	if err := c.SetOverlay("a.fk", nil); !errors.Is(err, ErrClosed) {
		t.Errorf("SetOverlay after Close: %v", err)
	}
}

// TestOverlayDiskOnly: a server that does not look at what is open is not believed while something is.
func TestOverlayDiskOnly(t *testing.T) {
	c, _, _ := fakeClient(t, "", nil, func(s *ServerSpec) { s.DiskOnly = true })
	for _, step := range []struct {
		change func() error
		want   State
	}{
		{func() error { return nil }, Complete},
		{func() error { return c.SetOverlay("sub/b.fk", []byte("use alpha")) }, Degraded},
		{func() error { return c.RemoveOverlay("sub/b.fk") }, Complete},
	} {
		if err := step.change(); err != nil {
			t.Fatal(err)
		}
		if r, err := c.References(t.Context(), Named("alpha"), nil); err != nil || r.State != step.want {
			t.Errorf("References = %+v, %v, want it %s", r, err, step.want)
		}
	}
}

// TestOverlayAnnounced: a server that announces at each text it is shown or told to close that earlier answers are void owes no
// list of files for it; for a file that came it does.
func TestOverlayAnnounced(t *testing.T) {
	const (
		lists = "initialized tells window/logMessage {\"type\":3,\"message\":\"Found 2 source files\"}\n"
		void  = " tells workspace/diagnostic/refresh {}\n"
	)
	over := func(path string) func(*Client, string) error {
		return func(c *Client, _ string) error { return c.SetOverlay(path, []byte("def alpha\nuse alpha\n")) }
	}
	gone := func(path string) func(*Client, string) error {
		return func(c *Client, _ string) error { return c.RemoveOverlay(path) }
	}
	disk := func(path string) func(*Client, string) error {
		return func(_ *Client, root string) error {
			return os.WriteFile(filepath.Join(root, path), []byte("use alpha\n"), 0o644)
		}
	}
	for _, tt := range []struct {
		name, script string
		steps        []func(*Client, string) error
		want         State // after the last step; after the others answers are complete
	}{
		{"a text above a file", lists + "didOpen" + void, []func(*Client, string) error{over("a.fk")}, Complete},
		{"it goes", lists + "didClose" + void, []func(*Client, string) error{over("a.fk"), gone("a.fk")}, Complete},
		{"a file went beneath it", lists + "didClose" + void, []func(*Client, string) error{over("sub/b.fk"), func(_ *Client, root string) error {
			return os.Remove(filepath.Join(root, "sub", "b.fk"))
		}, gone("sub/b.fk")}, Complete},
		{"a text of a file that is not there", lists + "didChangeWatchedFiles" + void, []func(*Client, string) error{over("new.fk")}, Degraded},
		{"a file came beneath it", lists + "didChangeWatchedFiles#2" + void, []func(*Client, string) error{over("new.fk"), disk("new.fk"), gone("new.fk")}, Degraded},
		{"a file came, of which it says nothing", lists + "didOpen" + void, []func(*Client, string) error{disk("new.fk"), over("a.fk")}, Complete},
	} {
		t.Run(tt.name, func(t *testing.T) {
			c, root, dir := fakeClient(t, tt.script, nil, func(s *ServerSpec) {
				s.Ready = serverspec.ReadyRule{Log: "^Found", Relist: "workspace/diagnostic/refresh", Within: 4}
			})
			for i := range len(tt.steps) + 1 {
				if i > 0 {
					if err := tt.steps[i-1](c, root); err != nil {
						t.Fatal(err)
					}
				}
				r, err := c.WorkspaceSymbols(t.Context(), "alpha", nil)
				if err != nil {
					t.Fatal(err)
				}
				want := Complete
				if i == len(tt.steps) {
					want = tt.want
				}
				if r.State != want {
					t.Errorf("after step %d the answer is %s (%s), want %s; the server read %v", i, r.State, r.Reason, want, fakeLog(t, dir))
				}
			}
		})
	}
}
