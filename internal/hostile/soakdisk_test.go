package hostile

import (
	"context"
	"os"
	"path/filepath"
	"sync"
	"time"
)

// moving are names in the repository behind which there is something else each time.
var moving = []string{"swap.py", "swapped/secret.txt", "burst.py"}

// onDisk exchanges entries of the repository while they are read: files and links out, folders and links out, files and named pipes.
func (s *soak) onDisk(wg *sync.WaitGroup, ctx context.Context) {
	at := func(name string) string { return filepath.Join(s.w.repo, name) }
	s.w.file(s.t, "repo/swap.py", "def swapped(): pass\n")
	s.w.file(s.t, "inside/secret.txt", "nothing\n")
	n := 0
	s.every(wg, ctx, 1, 20*time.Millisecond, func() {
		n++
		next := filepath.Join(s.w.base, "next")
		put := func(name string, err error) {
			if err == nil {
				err = os.Rename(next, at(name))
			}
			if err != nil {
				s.t.Errorf("%s cannot be exchanged: %v", name, err)
			}
		}
		gone := func(name string) {
			if err := os.RemoveAll(at(name)); err != nil {
				s.t.Error(err)
			}
		}
		if n%2 == 0 {
			put("swap.py", os.Symlink("../outside/secret.py", next))
			gone("swapped")
			put("swapped", os.Symlink("../outside", next))
			gone("burst.py")
			put("burst.py", mkfifo(next))
		} else {
			put("swap.py", os.WriteFile(next, []byte("def swapped(): pass\n"), 0o644))
			gone("swapped")
			put("swapped", os.CopyFS(next, os.DirFS(filepath.Join(s.w.base, "inside"))))
			gone("burst.py")
			put("burst.py", os.WriteFile(next, []byte("def burst(): pass\n"), 0o644))
		}
		s.count("disk: files and folders exchanged for links out and pipes")
	})
}
