package lspclient

import "github.com/findspot/findspot/lspclient/internal/source"

// owns reports whether a file is one of the server's language in its folder, and not of another folder of the same entry
// below it.
func (v *server) owns(path string) bool {
	return source.Below(v.folder, path) && v.spec.LanguageOf(path) != "" && v.client.registry.FolderOf(v.spec, path) == v.folder
}
