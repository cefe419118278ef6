package project

import (
	"os"
	"path/filepath"

	"github.com/findspot/findspot/internal/disk"
)

// IndexName is the folder of an index in that of its project.
const IndexName = ".findspot"

// A Place is where the index of a working folder is, or is to be made.
type Place struct {
	Index string // folder of the index: IndexName in the working folder itself, else an absolute path
	Root  string // folder of the project: "." for the working folder itself, else an absolute path
	Found bool   // there is an index
}

// Find looks from dir, the absolute path of the working folder, upward for an index, and for the root of a repository, where the look ends: an index around the repository is another project's. In no repository the look ends
// below the user's home folder and the root of the file system, which are no project's, and an index that belongs to another user is passed over. Where there is no index its place
// is the repository's root, else dir.
func Find(dir, home string) (Place, error) {
	here := Place{Index: IndexName, Root: "."}
	abs, err := filepath.EvalSymlinks(dir)
	if err != nil {
		return here, err
	}
	if real, err := filepath.EvalSymlinks(home); err == nil && home != "" {
		home = real
	}
	for at := abs; ; at = filepath.Dir(at) {
		top := filepath.Dir(at) == at
		if at != abs && (top || at == home) {
			return here, nil
		}
		place := Place{Index: filepath.Join(at, IndexName), Root: at}
		if at == abs {
			place = here
		}
		if place.Found = isIndex(filepath.Join(at, IndexName)); place.Found || isRepository(at) {
			return place, nil
		}
		if top {
			return here, nil
		}
	}
}

// isIndex reports whether a folder is an index of this user.
func isIndex(dir string) bool {
	f, err := disk.OpenFolder(dir, false)
	if err != nil {
		return false
	}
	defer f.Close() // read only
	info, err := f.Lstat("VERSION")
	return err == nil && info.Mode().IsRegular()
}

// isRepository reports whether a folder is the root of a repository, or of a worktree of one, where .git is a file.
func isRepository(dir string) bool {
	for _, name := range []string{".git", ".hg", ".jj"} {
		if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
			return true
		}
	}
	return false
}
