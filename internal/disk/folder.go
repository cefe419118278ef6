package disk

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"syscall"

	"github.com/findspot/findspot/internal/errs"
)

// A Folder is an open folder of an index. The names of its files are slash-separated and relative to it, and never lead out of it: not
// through links, and not when its path comes to lead elsewhere while it is open. It is safe for concurrent use.
type Folder struct {
	path  string
	root  *os.Root
	info  fs.FileInfo
	trust bool // owners and modes do not matter
}

// The ways out of what is refused.
const (
	wayLink  = "give the folder that it leads to, or delete the link"
	wayFile  = "delete the folder, which is then made anew"
	wayOwner = "let its owner use it, change owner and mode (chown, chmod o-w), or allow it with Options.TrustIndex (--trust-index)"
	wayMade  = "it may have come with a repository or an archive: delete it, which makes it anew, or allow it with Options.TrustIndex (--trust-index)"
	wayMoved = "start the program anew with the folder that is meant"
)

// OpenFolder opens a folder that exists. A symbolic link in its place is an error, and so is, unless trust is set, a folder that belongs
// to another user or that everybody may write in: [errs.UntrustedError].
func OpenFolder(path string, trust bool) (*Folder, error) {
	info, err := os.Lstat(path)
	if err != nil {
		return nil, err
	}
	if err := admit(path, info, trust, fs.ModeDir); err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(path)
	if err != nil {
		return nil, err
	}
	opened, err := root.Stat(".")
	if err == nil && !os.SameFile(info, opened) {
		err = moved(path)
	}
	if err != nil {
		root.Close()
		return nil, err
	}
	return &Folder{path: path, root: root, info: info, trust: trust}, nil
}

// MakeFolder is [OpenFolder] for a folder that is made when it is not there, for this user alone. made tells that it was.
func MakeFolder(path string, trust bool) (f *Folder, made bool, err error) {
	err = os.Mkdir(path, 0o700)
	if errors.Is(err, fs.ErrNotExist) {
		if err = os.MkdirAll(filepath.Dir(path), 0o700); err == nil {
			err = os.Mkdir(path, 0o700)
		}
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, false, err
	}
	made = err == nil
	if made {
		if err := os.Chmod(path, 0o700); err != nil { // whatever the mask took away
			return nil, false, err
		}
	}
	f, err = OpenFolder(path, trust)
	return f, made, err
}

// Sub opens a folder within, which is made when it is not there.
func (f *Folder) Sub(name string) (*Folder, error) {
	err := f.root.Mkdir(name, 0o700)
	if err == nil {
		err = f.root.Chmod(name, 0o700)
	}
	if err != nil && !errors.Is(err, fs.ErrExist) {
		return nil, err
	}
	path := filepath.Join(f.path, name)
	info, err := f.root.Lstat(name)
	if err == nil {
		err = admit(path, info, f.trust, fs.ModeDir)
	}
	if err != nil {
		return nil, err
	}
	root, err := f.root.OpenRoot(name)
	if err != nil {
		return nil, err
	}
	return &Folder{path: path, root: root, info: info, trust: f.trust}, nil
}

// Path is the path that the folder was opened by.
func (f *Folder) Path() string { return f.path }

// Close lets go of the folder.
func (f *Folder) Close() error { return f.root.Close() }

// GroupWritable tells that users of the folder's group may write in it, besides its owner.
func (f *Folder) GroupWritable() bool {
	return f.info.Mode().Perm()&0o020 != 0 && foreign(f.info) == "" && nonblock != 0
}

// Same makes sure that the path still leads to the folder. Where it does not, who goes by the path would write somewhere else.
func (f *Folder) Same() error {
	info, err := os.Lstat(f.path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && !os.SameFile(info, f.info) {
		return moved(f.path)
	}
	return err
}

func moved(path string) error {
	return &errs.UntrustedError{Path: path, Reason: "it is no longer the folder that was opened", Way: wayMoved}
}

// admit refuses what an index does not consist of: anything but regular files and folders, and unless trust is set what others own or
// everybody may write. kind is fs.ModeDir or 0, for a regular file.
func admit(path string, info fs.FileInfo, trust bool, kind fs.FileMode) error {
	switch t := info.Mode().Type(); {
	case t == fs.ModeSymlink:
		return &errs.UntrustedError{Path: path, Reason: "it is a symbolic link", Way: wayLink}
	case t != kind && kind == fs.ModeDir:
		return &fs.PathError{Op: "open", Path: path, Err: syscall.ENOTDIR}
	case t != kind:
		return &errs.UntrustedError{Path: path, Reason: "it is not a regular file", Way: wayFile}
	}
	if trust {
		return nil
	}
	if why := foreign(info); why != "" {
		return &errs.UntrustedError{Path: path, Reason: why, Way: wayOwner}
	}
	return nil
}

// Check refuses the files and folders of these names, and everything in those of the folders in all, unless they are regular
// files and folders of this user. What is not there is fine.
func (f *Folder) Check(names []string, all ...string) error {
	for _, dir := range all {
		list, err := f.ReadDir(dir)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		for _, d := range list {
			names = append(names, dir+"/"+d.Name())
		}
	}
	for _, name := range names {
		info, err := f.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return err
		}
		if err := admit(filepath.Join(f.path, name), info, f.trust, info.Mode()&fs.ModeDir); err != nil {
			return err
		}
	}
	return nil
}

// openFile opens a regular file. A pipe, a device or a link in its place is an error, at once.
func (f *Folder) openFile(name string, flag int) (*os.File, error) {
	path := filepath.Join(f.path, name)
	info, err := f.root.Lstat(name)
	if setsAside && flag&os.O_CREATE == 0 && errors.Is(err, fs.ErrNotExist) {
		if name, err = f.settled(name); err == nil {
			info, err = f.root.Lstat(name)
		}
	}
	switch {
	case err == nil:
		if err := admit(path, info, f.trust, 0); err != nil {
			return nil, err
		}
	case flag&os.O_CREATE == 0 || !errors.Is(err, fs.ErrNotExist):
		return nil, err
	}
	created := err != nil
	file, err := f.root.OpenFile(name, flag|nonblock, 0o600)
	if err != nil {
		return nil, err
	}
	info, err = file.Stat()
	if err == nil {
		err = admit(path, info, f.trust, 0) // it may have been replaced meanwhile
	}
	if err == nil && created {
		err = file.Chmod(0o600) // whatever the mask took away
	}
	if err != nil {
		file.Close()
		return nil, err
	}
	return file, nil
}

// Open opens a file for reading.
func (f *Folder) Open(name string) (*os.File, error) { return f.openFile(name, os.O_RDONLY) }

// OpenFile opens a regular file for reading by its path, whoever made it. A pipe, a device or a link in its place is an error, at once.
func OpenFile(path string) (*os.File, error) {
	root, err := os.OpenRoot(filepath.Dir(path))
	if err != nil {
		return nil, err
	}
	f := &Folder{path: filepath.Dir(path), root: root, trust: true}
	defer f.Close()
	return f.Open(filepath.Base(path))
}

// OpenWrite opens a file that exists for reading and writing in place.
func (f *Folder) OpenWrite(name string) (*os.File, error) { return f.openFile(name, os.O_RDWR) }

// ReadFile reads a file of at most most bytes; a larger one is an error that wraps [errs.Format].
func (f *Folder) ReadFile(name string, most int64) ([]byte, error) {
	file, err := f.Open(name)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	info, err := file.Stat()
	if err == nil && info.Size() > most {
		err = fmt.Errorf("%s: %w: %d bytes, over %d", filepath.Join(f.path, name), errs.Format, info.Size(), most)
	}
	if err != nil {
		return nil, err
	}
	data := make([]byte, 0, info.Size()+1)
	for {
		if len(data) == cap(data) { // it grows
			data = append(data, 0)[:len(data)]
		}
		n, err := file.Read(data[len(data):cap(data)])
		if data = data[:len(data)+n]; err == io.EOF {
			return data, nil
		}
		if err == nil && int64(len(data)) > most {
			err = fmt.Errorf("%s: %w: over %d bytes", filepath.Join(f.path, name), errs.Format, most)
		}
		if err != nil {
			return nil, err
		}
	}
}

// WriteFile replaces a file, for this user alone. A crash at any moment leaves either the old content or the new.
func (f *Folder) WriteFile(name string, data []byte) error {
	return f.Write(name, func(w io.Writer) error {
		_, err := w.Write(data)
		return err
	})
}

// Write is [Folder.WriteFile] for content that is written in pieces. When fill returns an error nothing changes.
func (f *Folder) Write(name string, fill func(io.Writer) error) error {
	return write(f.root, name, 0o600, fill)
}

// Lstat is os.Lstat for a name within.
func (f *Folder) Lstat(name string) (fs.FileInfo, error) { return f.root.Lstat(name) }

// ReadDir lists a folder within, by name; "." is the folder itself.
func (f *Folder) ReadDir(name string) ([]fs.DirEntry, error) {
	if info, err := f.root.Lstat(name); err != nil {
		return nil, err
	} else if err := admit(filepath.Join(f.path, name), info, f.trust, fs.ModeDir); err != nil {
		return nil, err
	}
	return fs.ReadDir(f.root.FS(), name)
}

// Root gives the folder for what has no method here. It is closed with the folder.
func (f *Folder) Root() *os.Root { return f.root }
