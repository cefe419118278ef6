package lspclient

import "path/filepath"

// below reports whether path is dir or lies under it; both are clean absolute paths.
func below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
