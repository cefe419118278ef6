package ready

import (
	"testing"
	"time"

	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// TestRelist: when files came or went, a server that announces a new list is not ready before it has it; one that
// announces none by its next answer has none to make.
func TestRelist(t *testing.T) {
	const method = "workspace/diagnostic/refresh"
	newOne := func() *Tracker {
		r := New(&registry.Spec{Spec: serverspec.Spec{Ready: serverspec.ReadyRule{Log: "^Found", Relist: method}}})
		r.Log("Found 1 source file")
		return r
	}
	ready := func(r *Tracker) bool { st, _ := r.Status(); return st.Signalled && !st.Overdue }
	for name, c := range map[string]struct {
		do   func(r *Tracker)
		want bool
	}{
		"nothing happened":     {func(*Tracker) {}, true},
		"a change of content":  {func(r *Tracker) { r.Relists(method) }, true},
		"told, not yet taken":  {func(r *Tracker) { r.Invalidate(FilesMoved) }, true},
		"of a text":            {func(r *Tracker) { r.Invalidate(OverlaysChanged); r.Relists(method) }, true},
		"announced":            {func(r *Tracker) { r.Invalidate(FilesMoved); r.Relists(method) }, false},
		"announced and done":   {func(r *Tracker) { r.Invalidate(FilesMoved); r.Relists(method); r.Log("Found 2 source files") }, true},
		"excluded":             {func(r *Tracker) { r.Invalidate(FilesMoved); r.AnsweredSince(r.FileMoves()); r.Relists(method) }, true},
		"answered from before": {func(r *Tracker) { n := r.FileMoves(); r.Invalidate(FilesMoved); r.AnsweredSince(n); r.Relists(method) }, false},
		"announced before":     {func(r *Tracker) { r.Invalidate(FilesMoved); r.Relists(method); r.AnsweredSince(r.FileMoves()) }, false},
		"another came in the midst": {func(r *Tracker) {
			r.Invalidate(FilesMoved)
			r.Relists(method)
			r.Invalidate(FilesMoved)
			r.Log("Found 2 source files")
		}, false},
		"and was listed": {func(r *Tracker) {
			r.Invalidate(FilesMoved)
			r.Relists(method)
			r.Invalidate(FilesMoved)
			r.Log("Found 2 source files")
			r.Log("Found 3 source files")
		}, true},
		"and nothing more came": {func(r *Tracker) {
			r.Invalidate(FilesMoved)
			r.Relists(method)
			r.Invalidate(FilesMoved)
			r.Log("Found 2 source files")
			r.lister.settles = time.Now().Add(-time.Second)
		}, true},
	} {
		r := newOne()
		c.do(r)
		if got := ready(r); got != c.want {
			t.Errorf("%s: ready = %v, want %v", name, got, c.want)
		}
	}
}
