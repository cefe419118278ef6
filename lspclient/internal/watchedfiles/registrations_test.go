package watchedfiles

import (
	"encoding/json"
	"testing"

	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/google/go-cmp/cmp"
)

func TestRegistrations(t *testing.T) {
	events := func(paths ...string) []protocol.FileEvent {
		var list []protocol.FileEvent
		for _, p := range paths {
			list = append(list, protocol.FileEvent{URI: source.FileURI(p), Type: protocol.FileChangeTypeChanged})
		}
		return list
	}
	all := []string{"/r/a.go", "/r/sub/b.GO", "/r/sub/c.mod", "/r/x/d.ts", "/other/e.go"}
	for _, tt := range []struct {
		name, watchers string
		want           []string
	}{
		{"a glob of any depth", `{"globPattern":"**/*.go"}`, []string{"/r/a.go", "/r/sub/b.GO"}},
		{"choices", `{"globPattern":"**/*.{go,mod}"}`, []string{"/r/a.go", "/r/sub/b.GO", "/r/sub/c.mod"}},
		{"one level", `{"globPattern":"*"}`, []string{"/r/a.go"}},
		{"absolute", `{"globPattern":"/other/**"}`, []string{"/other/e.go"}},
		{"relative to a base", `{"globPattern":{"baseUri":"file:///r/sub","pattern":"*.m?d"}}`, []string{"/r/sub/c.mod"}},
		{"relative to a folder", `{"globPattern":{"baseUri":{"uri":"file:///r","name":"r"},"pattern":"[w-z]/**/*.ts"}}`, []string{"/r/x/d.ts"}},
		{"only created and removed", `{"globPattern":"**/*.go","kind":5}`, nil},
		{"not understood", `{"globPattern":3}`, all},
		{"broken", `{"globPattern":"{a"}`, all},
	} {
		var w Registrations
		w.Update("/r", json.RawMessage(`{"registrations":[{"id":"1","method":"workspace/didChangeWatchedFiles","registerOptions":{"watchers":[`+tt.watchers+`]}}]}`))
		if diff := cmp.Diff(events(tt.want...), w.Wanted(events(all...))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
		w.Update("/r", json.RawMessage(`{"unregisterations":[{"id":"1","method":"workspace/didChangeWatchedFiles"}]}`))
		if got := w.Wanted(events(all...)); len(got) != len(all) {
			t.Errorf("%s: after it was taken back: %v", tt.name, got)
		}
	}
}

func FuzzGlob(f *testing.F) {
	f.Add(`"**/*.{ts,js}"`)
	f.Add(`{"baseUri":"file:///r","pattern":"[!a-b]?/**"}`)
	f.Add(`"[[:alpha:]]{,}"`)
	f.Fuzz(func(t *testing.T, raw string) {
		if re := globPattern("/r", json.RawMessage(raw)); re != nil {
			re.MatchString("/r/a/b.ts")
		}
	})
}
