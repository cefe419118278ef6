package hosterr

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot"
)

// Is reports whether an error tells of the host: who holds the index, what the system says of a file, where a repository or one of the private folders lies. A path
// that the client wrote itself, in what it sent, tells it nothing.
func Is(ws *findspot.Workspace, err error, sent string, private ...string) bool {
	var (
		path      *fs.PathError
		link      *os.LinkError
		locked    *findspot.LockedError
		untrusted *findspot.UntrustedError
	)
	if errors.As(err, &path) && filepath.IsAbs(path.Path) && !strings.Contains(sent, path.Path) {
		return true
	}
	if errors.As(err, &link) || errors.As(err, &locked) || errors.As(err, &untrusted) || errors.Is(err, findspot.ErrClosed) {
		return true
	}
	return Names(ws, err.Error(), sent, private...)
}

// Gone is what a client is told in the place of an error that a repository whose folder is gone causes; nil for any other. The repository has the name
// that answers give it, without where it lies.
func Gone(ws *findspot.Workspace, err error) error {
	if !errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	repos, _ := ws.Repos() // as in Names
	for _, r := range repos {
		if _, serr := os.Stat(r.Root); errors.Is(serr, fs.ErrNotExist) {
			return fmt.Errorf("the folder of the repository %s is gone, and no code is answered until it is back", cmp.Or(r.Name, filepath.Base(r.Root)))
		}
	}
	return nil
}

// Names reports whether a text has the path of a repository or of a private folder that the client did not write itself.
func Names(ws *findspot.Workspace, text, sent string, private ...string) bool {
	names := func(dir string) bool {
		return len(dir) > 1 && strings.Contains(text, dir) && !strings.Contains(sent, dir)
	}
	for _, dir := range private {
		if names(dir) {
			return true
		}
	}
	repos, _ := ws.Repos() // a closed workspace has none, and its errors are ErrClosed
	for _, r := range repos {
		if names(r.Root) {
			return true
		}
	}
	return false
}
