package changes

import (
	"bytes"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"

	"golang.org/x/sys/unix"

	"github.com/findspot/findspot/internal/walk"
)

const (
	// mostFolders bounds the folders that one queue watches; it takes no more than half of what the system allows a user.
	mostFolders = 100_000
	// mask: all that changes a name or the bytes behind it, and what happens to the folder itself.
	mask = unix.IN_MODIFY | unix.IN_ATTRIB | unix.IN_CREATE | unix.IN_DELETE | unix.IN_MOVED_FROM | unix.IN_MOVED_TO |
		unix.IN_DELETE_SELF | unix.IN_MOVE_SELF | unix.IN_ONLYDIR
)

// Queue is the system's queue of changes in a set of folders. It is safe for concurrent use.
type Queue struct {
	mu    sync.Mutex
	fd    int // -1 after Close
	most  int
	dirs  map[int32][]string // the paths of each watched folder; two for one that is reached on two ways
	local map[uint64]bool    // whether changes on a device are all told
	epoch int                // counts the passes that became the set
	buf   []byte
}

// Open returns a queue without folders. It fails where the system does not tell of every change, as on a network.
func Open(root string) (*Queue, error) {
	if !walk.Local(root) {
		return nil, fmt.Errorf("%s: changes on this file system are not all told", root)
	}
	fd, err := unix.InotifyInit1(unix.IN_CLOEXEC | unix.IN_NONBLOCK)
	if err != nil {
		return nil, os.NewSyscallError("inotify_init1", err)
	}
	return &Queue{fd: fd, most: most(), dirs: map[int32][]string{}, local: map[uint64]bool{}, buf: make([]byte, 64<<10)}, nil
}

func most() int {
	data, err := os.ReadFile("/proc/sys/fs/inotify/max_user_watches")
	if err != nil {
		return mostFolders
	}
	n, err := strconv.Atoi(strings.TrimSpace(string(data)))
	if err != nil {
		return mostFolders
	}
	return min(mostFolders, n/2)
}

// Close ends the queue. Everything fails from then on.
func (q *Queue) Close() error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fd < 0 {
		return nil
	}
	err := unix.Close(q.fd)
	q.fd = -1
	return err
}

// Read calls f for everything that has changed since the last Read.
func (q *Queue) Read(f func(Event)) error {
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fd < 0 {
		return os.ErrClosed
	}
	for {
		n, err := unix.Read(q.fd, q.buf)
		switch {
		case errors.Is(err, unix.EINTR):
			continue
		case errors.Is(err, unix.EAGAIN):
			return nil
		case err != nil:
			return os.NewSyscallError("read of inotify", err)
		}
		if err := q.parse(q.buf[:n], f); err != nil {
			return err
		}
	}
}

func (q *Queue) parse(buf []byte, f func(Event)) error {
	for len(buf) > 0 {
		if len(buf) < unix.SizeofInotifyEvent {
			return errors.New("the system's queue of changes ends inside an event")
		}
		wd := int32(binary.NativeEndian.Uint32(buf))
		bits := binary.NativeEndian.Uint32(buf[4:])
		size := unix.SizeofInotifyEvent + int(binary.NativeEndian.Uint32(buf[12:]))
		if size > len(buf) {
			return errors.New("the system's queue of changes ends inside a name")
		}
		name, _, _ := bytes.Cut(buf[unix.SizeofInotifyEvent:size], []byte{0})
		buf = buf[size:]
		if bits&unix.IN_Q_OVERFLOW != 0 {
			f(Event{})
			continue
		}
		dirs, known := q.dirs[wd]
		if bits&unix.IN_IGNORED != 0 {
			delete(q.dirs, wd)
			continue
		}
		switch {
		case !known: // a folder that is watched no more
		case bits&(unix.IN_DELETE_SELF|unix.IN_MOVE_SELF|unix.IN_UNMOUNT) != 0:
			f(Event{})
		default:
			// An event of the folder itself, such as another mode, has no name: then the path is the folder's.
			e := Event{
				Folder: bits&unix.IN_ISDIR != 0,
				Came:   bits&(unix.IN_CREATE|unix.IN_MOVED_TO) != 0,
				Went:   bits&(unix.IN_DELETE|unix.IN_MOVED_FROM) != 0,
			}
			for _, dir := range dirs {
				e.Paths = append(e.Paths, filepath.Join(dir, string(name)))
			}
			f(e)
		}
	}
	return nil
}

// Pass is one walk over all folders that are to be watched. When it is done they are those that are watched.
type Pass struct {
	q     *Queue
	epoch int
	dirs  map[int32][]string
}

// Pass begins a walk.
func (q *Queue) Pass() *Pass {
	q.mu.Lock()
	defer q.mu.Unlock()
	return &Pass{q: q, epoch: q.epoch, dirs: map[int32][]string{}}
}

// Watch watches a folder, from now on, under this path. Call it before the folder is read, so that nothing is missed
// between. A folder that is gone, or that may not be read, is no error. After an error the queue does not tell all, and is to be closed.
func (p *Pass) Watch(dir string) error {
	q := p.q
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fd < 0 {
		return os.ErrClosed
	}
	wd, err := unix.InotifyAddWatch(q.fd, dir, mask)
	switch {
	case errors.Is(err, unix.ENOENT), errors.Is(err, unix.ENOTDIR), errors.Is(err, unix.EACCES):
		return nil // its parent tells when that is otherwise
	case err != nil:
		return &os.PathError{Op: "watch", Path: dir, Err: err}
	}
	var st unix.Stat_t
	if err := unix.Stat(dir, &st); err == nil {
		local, known := q.local[st.Dev]
		if !known {
			local = walk.Local(dir)
			q.local[st.Dev] = local
		}
		if !local {
			return fmt.Errorf("%s: changes on this file system are not all told", dir)
		}
	}
	p.dirs[int32(wd)] = with(p.dirs[int32(wd)], dir)
	q.dirs[int32(wd)] = with(q.dirs[int32(wd)], dir)
	if len(q.dirs) > q.most {
		return fmt.Errorf("%s: more than %d folders", dir, q.most)
	}
	return nil
}

func with(list []string, dir string) []string {
	for _, have := range list {
		if have == dir {
			return list
		}
	}
	return append(list[:len(list):len(list)], dir)
}

// Done makes the folders of the pass those that are watched. It reports false, and changes nothing, when another pass
// has done so since this one began.
func (p *Pass) Done() bool {
	q := p.q
	q.mu.Lock()
	defer q.mu.Unlock()
	if q.fd < 0 || q.epoch != p.epoch {
		return false
	}
	q.epoch++
	for wd := range q.dirs {
		if p.dirs[wd] == nil {
			unix.InotifyRmWatch(q.fd, uint32(wd)) // an error says that it is gone
		}
	}
	q.dirs = p.dirs
	return true
}
