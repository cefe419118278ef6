package findspot

import (
	"context"
	"fmt"
	"path"
	"slices"

	"github.com/findspot/findspot/lspclient"
)

// SetOverlay gives the unsaved text of a file, which every question to a language server sees from then on, whether the file is on
// disk or not. The code graph and searches of text stay with what is on disk, and [Workspace.Callers] says so. The path may begin
// with "name//" of a repository.
func (w *Workspace) SetOverlay(ctx context.Context, file string, text []byte) error {
	r, local, err := w.overlaid(file)
	if err != nil {
		return err
	}
	lc, err := r.servers(ctx)
	if err != nil {
		return err
	}
	if err := lc.SetOverlay(local, text); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.buffers == nil {
		r.buffers = map[string][]byte{}
	}
	r.buffers[local] = slices.Clone(text)
	return nil
}

// RemoveOverlay takes the unsaved text of a file back. Without one it does nothing.
func (w *Workspace) RemoveOverlay(ctx context.Context, file string) error {
	r, local, err := w.overlaid(file)
	if err != nil {
		return err
	}
	lc, err := r.servers(ctx)
	if err != nil {
		return err
	}
	if err := lc.RemoveOverlay(local); err != nil {
		return err
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	delete(r.buffers, local)
	return nil
}

// overlaid finds the repository of an unsaved buffer.
func (w *Workspace) overlaid(file string) (*repo, string, error) {
	to, err := w.askedFor(lspclient.At(file, 1, 1))
	if err != nil {
		return nil, "", fmt.Errorf("unsaved buffer: %w", err)
	}
	if len(to) > 1 {
		return nil, "", fmt.Errorf("unsaved buffer %s: several repositories may hold it: begin its path with the name of one, such as %s", file, to[0].r.id(file))
	}
	p, _, _ := to[0].t.Place()
	return to[0].r, path.Clean(p), nil
}
