package findspot

import (
	"context"
	"fmt"
	"path"

	"github.com/findspot/findspot/internal/repository"
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
	lc, err := r.Servers(ctx)
	if err != nil {
		return err
	}
	if err := lc.SetOverlay(local, text); err != nil {
		return err
	}
	r.SetOverlay(local, append([]byte{}, text...))
	return nil
}

// RemoveOverlay takes the unsaved text of a file back. Without one it does nothing.
func (w *Workspace) RemoveOverlay(ctx context.Context, file string) error {
	r, local, err := w.overlaid(file)
	if err != nil {
		return err
	}
	lc, err := r.Servers(ctx)
	if err != nil {
		return err
	}
	if err := lc.RemoveOverlay(local); err != nil {
		return err
	}
	r.SetOverlay(local, nil)
	return nil
}

// overlaid finds the repository of an unsaved buffer.
func (w *Workspace) overlaid(file string) (*repository.Repository, string, error) {
	to, err := w.askedFor(lspclient.At(file, 1, 1))
	if err != nil {
		return nil, "", fmt.Errorf("unsaved buffer: %w", err)
	}
	if len(to) > 1 {
		return nil, "", fmt.Errorf("unsaved buffer %s: several repositories may hold it: begin its path with the name of one, such as %s", file, to[0].r.ID(file))
	}
	p, _, _ := to[0].t.Place()
	return to[0].r, path.Clean(p), nil
}
