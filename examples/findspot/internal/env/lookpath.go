package env

import (
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
)

// LookPath looks for a program as [exec.LookPath] does, in the PATH and from the working folder of the command's process.
func (e *Env) LookPath(name string) (string, error) {
	if !e.Served || runtime.GOOS == "windows" { // there the rules are more than a list of folders
		return exec.LookPath(name)
	}
	if strings.Contains(name, "/") {
		if err := runnable(e.Path(name)); err != nil {
			return "", &exec.Error{Name: name, Err: err}
		}
		return name, nil
	}
	for _, dir := range filepath.SplitList(e.Getenv("PATH")) {
		if dir == "" {
			dir = "."
		}
		path := filepath.Join(dir, name)
		if runnable(e.Path(path)) != nil {
			continue
		}
		if !filepath.IsAbs(path) {
			return path, &exec.Error{Name: name, Err: exec.ErrDot}
		}
		return path, nil
	}
	return "", &exec.Error{Name: name, Err: exec.ErrNotFound}
}

func runnable(path string) error {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return err
	case info.IsDir() || info.Mode()&0o111 == 0:
		return fs.ErrPermission
	}
	return nil
}
