package skill

import (
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/findspot/findspot/internal/rootfs"
)

// Dir is a folder of skills for [Load]. Unlike [os.DirFS], it opens nothing outside of the folder, whatever links in it say, and nothing that
// is no regular file or folder. The folder itself may be a link: its user named it.
func Dir(name string) (fs.FS, error) {
	abs, err := filepath.Abs(name)
	if err == nil {
		abs, err = filepath.EvalSymlinks(abs)
	}
	if err != nil {
		return nil, fmt.Errorf("skills: %w", err)
	}
	if info, err := os.Stat(abs); err != nil {
		return nil, fmt.Errorf("skills: %w", err)
	} else if !info.IsDir() {
		return nil, fmt.Errorf("skills: %s is not a folder", name)
	}
	return rootfs.New(abs), nil
}
