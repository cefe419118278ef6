package source

import "path/filepath"

// Below reports whether path is dir or lies under it; both are clean absolute paths.
func Below(dir, path string) bool {
	rel, err := filepath.Rel(dir, path)
	return err == nil && (rel == "." || filepath.IsLocal(rel))
}
