package attach

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
)

// The files of a server in the folder of the index.
const (
	socketName = "serve.sock"
	noteName   = "serve.json"
)

const (
	maxSocketPath = 100 // bytes: the systems have 104 or 108, with a byte at the end
	maxNote       = 8 << 10
	privatePrefix = "findspot-"
	privateSuffix = ".sock"
)

// socketPath is where the server of an index listens: in the folder of the index, or in the first of the user's folders that is fit.
func socketPath(index string, private []string) (string, error) {
	path := filepath.Join(index, socketName)
	if len(path) <= maxSocketPath {
		return path, nil
	}
	sum := sha256.Sum256([]byte(index))
	name := privatePrefix + hex.EncodeToString(sum[:8]) + privateSuffix
	failed := fmt.Errorf("%s: the path of a socket has at most %d bytes: %w", path, maxSocketPath, errs.Unsupported)
	for _, dir := range private {
		at := filepath.Join(dir, name)
		if !filepath.IsAbs(dir) || len(at) > maxSocketPath {
			continue
		}
		err := os.MkdirAll(dir, 0o700)
		if err == nil {
			err = ours(dir)
		}
		if err == nil {
			return at, nil
		}
		failed = errors.Join(failed, err)
	}
	return "", failed
}

// ours makes sure that a folder is this user's, and that nobody else may write in it.
func ours(dir string) error {
	f, err := disk.OpenFolder(dir, false)
	if err != nil {
		return err
	}
	defer f.Close() // read only
	if f.GroupWritable() {
		return fmt.Errorf("%s: %w: its group may write in it", dir, errs.Refused)
	}
	return nil
}

// find returns the socket of the server of an index, which need not be alive; ok is false where there is none. What others may have put there is none.
func find(index string) (socket string, ok bool) {
	f, err := disk.OpenFolder(index, false)
	if err != nil {
		return "", false // opening the index says why
	}
	defer f.Close() // read only
	path := filepath.Join(index, socketName)
	if info, err := f.Lstat(socketName); err == nil && info.Mode()&fs.ModeSocket != 0 && len(path) <= maxSocketPath {
		return path, true
	}
	note, err := readNote(f)
	if err != nil {
		return "", false
	}
	name := filepath.Base(note.Socket)
	if !filepath.IsAbs(note.Socket) || len(note.Socket) > maxSocketPath || !strings.HasPrefix(name, privatePrefix) || !strings.HasSuffix(name, privateSuffix) {
		return "", false
	}
	if ours(filepath.Dir(note.Socket)) != nil {
		return "", false
	}
	info, err := os.Lstat(note.Socket)
	return note.Socket, err == nil && info.Mode()&fs.ModeSocket != 0
}

// Holder is what the server of an index wrote of itself; the zero value where none did. It may be left from one that was killed.
func Holder(index string) Note {
	f, err := disk.OpenFolder(index, false)
	if err != nil {
		return Note{}
	}
	defer f.Close() // read only
	n, err := readNote(f)
	if err != nil {
		return Note{}
	}
	return n
}

func readNote(f *disk.Folder) (Note, error) {
	var n Note
	data, err := f.ReadFile(noteName, maxNote)
	if err != nil {
		return n, err
	}
	return n, json.Unmarshal(data, &n)
}

// friend makes sure that the other end of a connection is this user, where the system tells.
func friend(conn net.Conn) error {
	if !tellsPeer {
		return nil
	}
	c, ok := conn.(*net.UnixConn)
	if !ok {
		return nil // of a test
	}
	uid, ok := peerUID(c)
	if !ok || uid != os.Geteuid() {
		return fmt.Errorf("the process at the other end is of user %d: %w", uid, errs.Refused)
	}
	return nil
}
