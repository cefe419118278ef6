package disk

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/findspot/findspot/internal/errs"
)

// A folder that holds an index of one's own and one that came with a repository look alike. So each workspace has a marker that
// only this user can make: a random number, and its HMAC under a key that lies in the user's configuration folder and in no index.
const (
	ownerName = "OWNER"
	keyName   = "index.key"
	keySize   = 32
	keyWait   = 5 * time.Second // for another process that makes the key
)

// CheckMade makes sure that this user made the folder on this machine, and marks one that holds none of the names in content yet. Where there
// can be no key the folder is taken as it is, and the log says so. When the folder is trusted nothing is checked.
func (f *Folder) CheckMade(content []string, log *slog.Logger) error {
	if f.trust {
		return nil
	}
	filled := false
	for _, name := range append([]string{ownerName}, content...) {
		_, err := f.root.Lstat(name)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		filled = filled || err == nil
	}
	key, err := userKey()
	var missing *noKeyError
	if errors.As(err, &missing) {
		log.Warn("findspot: who made the index cannot be told: its owner and mode alone count", "path", f.path, "reason", missing.err)
		return nil
	}
	if err != nil {
		return err
	}
	if !filled {
		return f.mark(key)
	}
	refused := &errs.UntrustedError{Path: f.path, Reason: "it was not made by this user on this machine", Way: wayMade}
	data, err := f.ReadFile(ownerName, 256)
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, errs.Format) {
		return refused
	}
	if err != nil {
		return err
	}
	id, sum, ok := strings.Cut(strings.TrimSpace(string(data)), " ")
	have, err := hex.DecodeString(sum)
	if !ok || len(id) != 2*keySize || err != nil || !hmac.Equal(have, signed(key, id)) {
		return refused
	}
	return nil
}

// Mark marks a folder as made by this user on this machine, where there can be a key.
func (f *Folder) Mark() error {
	key, err := userKey()
	if _, ok := errors.AsType[*noKeyError](err); ok {
		return nil // it is then not asked for, either
	}
	if err != nil {
		return err
	}
	return f.mark(key)
}

func (f *Folder) mark(key []byte) error {
	id := make([]byte, keySize)
	rand.Read(id) // it does not fail
	text := hex.EncodeToString(id)
	return f.WriteFile(ownerName, []byte(text+" "+hex.EncodeToString(signed(key, text))+"\n"))
}

func signed(key []byte, id string) []byte {
	h := hmac.New(sha256.New, key)
	h.Write([]byte("findspot index\n" + id))
	return h.Sum(nil)
}

// noKeyError says that there is no place for a key.
type noKeyError struct{ err error }

func (e *noKeyError) Error() string { return e.err.Error() }

// userKey gives the key of this user, which is made when it is first needed.
func userKey() ([]byte, error) {
	config, err := os.UserConfigDir()
	if err != nil {
		return nil, &noKeyError{err}
	}
	dir := filepath.Join(config, "findspot")
	if key, err := readKey(dir); !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, &noKeyError{err}
	}
	lock, err := AcquireLock(dir, keyWait) // of two processes one makes it
	if _, ok := errors.AsType[*errs.LockedError](err); ok {
		return nil, fmt.Errorf("the key of this user's indexes: %w", err)
	}
	if err != nil {
		return nil, &noKeyError{err}
	}
	defer lock.Unlock()
	if key, err := readKey(dir); !errors.Is(err, fs.ErrNotExist) {
		return key, err
	}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, &noKeyError{err}
	}
	f := &Folder{path: dir, root: root, trust: true}
	defer f.Close()
	key := make([]byte, keySize)
	rand.Read(key)
	if err := f.WriteFile(keyName, key); err != nil {
		return nil, &noKeyError{err}
	}
	return key, nil
}

// readKey reads the key. The folder may be a link, as programs that manage a user's configuration make them.
func readKey(dir string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		return nil, &noKeyError{err}
	}
	f := &Folder{path: dir, root: root}
	defer f.Close()
	bad := func(why string) error {
		return &errs.UntrustedError{Path: filepath.Join(dir, keyName), Reason: "the key of this user's indexes " + why, Way: "delete it, and then the indexes, which are created again"}
	}
	info, err := root.Lstat(keyName)
	if err != nil {
		if !errors.Is(err, fs.ErrNotExist) {
			err = &noKeyError{err}
		}
		return nil, err
	}
	if nonblock != 0 && info.Mode().IsRegular() && info.Mode().Perm()&0o077 != 0 {
		return nil, bad("may be read by other users")
	}
	key, err := f.ReadFile(keyName, keySize)
	if err == nil && len(key) != keySize || errors.Is(err, errs.Format) {
		err = bad(fmt.Sprintf("has not %d bytes", keySize))
	}
	return key, err
}
