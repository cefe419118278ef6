package catalog

import (
	"os"
	"path/filepath"
)

// An Included file is one whose text is part of a document, as \input of LaTeX makes it.
type Included struct {
	Path    string `json:"path"` // from the folder of the document's own file, with slashes
	Size    int64  `json:"size"`
	ModTime int64  `json:"mod_time"` // in nanoseconds since 1970
}

// IncludesChanged reports whether a file that the document includes has another size or time than when it was read, or is gone.
func (e *Entry) IncludesChanged() bool {
	if e.more == nil {
		return false
	}
	for _, f := range e.more.includes {
		info, err := os.Lstat(filepath.Join(filepath.Dir(e.Origin), filepath.FromSlash(f.Path)))
		if err != nil || info.Size() != f.Size || info.ModTime().UnixNano() != f.ModTime {
			return true
		}
	}
	return false
}
