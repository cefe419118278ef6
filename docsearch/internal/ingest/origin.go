package ingest

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"

	"github.com/findspot/findspot/docsearch/internal/catalog"
)

// sameOrigin reports whether two origins are one. A file has several paths where the case of letters does not count, where a drive has two
// letters or a disk is mounted twice: the file decides then.
func sameOrigin(a, b string) bool {
	if a == b {
		return true
	}
	if !filepath.IsAbs(a) || !filepath.IsAbs(b) {
		return false
	}
	x, err := os.Stat(a)
	if err != nil {
		return false
	}
	y, err := os.Stat(b)
	return err == nil && os.SameFile(x, y)
}

// gone reports whether the origin of a document is a file that is no longer there: then a document of its name was moved. So it is where the
// library was made on a system of other paths: of files on Windows none is there on Unix, nor the other way round.
func gone(e *catalog.Entry) bool {
	if !filepath.IsAbs(e.Origin) {
		return e.ModTime != 0 && otherSystem(e.Origin, runtime.GOOS == "windows") // what has no time was no file
	}
	_, err := os.Lstat(e.Origin)
	return errors.Is(err, fs.ErrNotExist)
}

// otherSystem reports whether an origin is an absolute path of Unix, seen from Windows, or one of Windows, seen from elsewhere.
func otherSystem(origin string, windows bool) bool {
	if windows {
		return strings.HasPrefix(origin, "/")
	}
	if len(origin) > 3 && origin[1] == ':' && (origin[2] == '\\' || origin[2] == '/') {
		letter := origin[0] | 0x20
		return 'a' <= letter && letter <= 'z'
	}
	return strings.HasPrefix(origin, `\\`)
}
