package env

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/docsearch/localembed"
	"github.com/findspot/findspot/internal/rootfs"
)

// Names are the environment variables that the program reads itself. What the library reads, such as PATH for language servers, is
// the business of the process that the library runs in.
func Names() []string {
	return []string{
		"HOME", "USERPROFILE", "PATH", "PATHEXT", "XDG_CACHE_HOME", "XDG_CONFIG_HOME", "LocalAppData", "AppData", "NO_COLOR", "TERM", "TERM_PROGRAM",
		"FINDSPOT_ELASTIC_API_KEY", "FINDSPOT_ELASTIC_USER", "FINDSPOT_ELASTIC_PASSWORD", "FINDSPOT_EMBED_KEY", "FINDSPOT_NO_SERVER", "FINDSPOT_TOKEN",
		"CODEX_HOME", "APPDATA", "ANTHROPIC_API_KEY", "ANTHROPIC_BASE_URL", "OPENAI_API_KEY", "OPENAI_BASE_URL",
	}
}

// An Env is what a command has of a process. The fields are not changed while a command runs; the methods are safe for concurrent use.
type Env struct {
	Dir            string // working folder, absolute
	Getenv         func(name string) string
	Stdin          io.Reader
	Stdout, Stderr io.Writer
	// Open opens the workspace in a folder; nil: findspot.Open.
	Open func(ctx context.Context, dir string, o *findspot.Options) (*findspot.Workspace, error)
	// OpenModel opens the embedding model in a folder; nil: localembed.Open. See Model.
	OpenModel func(dir string) (*localembed.Model, error)
	// Spare is called before work whose memory is mostly live; nil: nothing is to be done.
	Spare func()
	// Served says that this process is not that of the user, but of a server.
	Served bool
	// Apart reports whether the server leaves a document, or a repository, at a path out of what it answers over HTTP; nil: it does not.
	Apart func(path string, repo bool) bool

	mu      sync.Mutex
	written []written // what Path made absolute
}

// written is a path as the user wrote it.
type written struct{ path, as string }

// Process returns what this process has.
func Process() (*Env, error) {
	dir, err := os.Getwd()
	if err != nil {
		return nil, err
	}
	return &Env{Dir: dir, Getenv: os.Getenv, Stdin: &file{os.Stdin}, Stdout: &file{os.Stdout}, Stderr: &file{os.Stderr}}, nil
}

// Path returns the absolute path of a name that the user wrote, from the working folder. What cannot be a path stays as it is.
func (e *Env) Path(name string) string {
	if name == "" || filepath.IsAbs(name) || e.Dir == "" {
		return name
	}
	abs := filepath.Join(e.Dir, name)
	if strings.HasSuffix(name, string(filepath.Separator)) && !strings.HasSuffix(abs, string(filepath.Separator)) {
		abs += string(filepath.Separator) // it must be a folder
	}
	if filepath.Clean(name) == "." { // it says less than the path
		return abs
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range e.written {
		if w.as == name {
			return abs
		}
	}
	e.written = append(e.written, written{abs, name})
	return abs
}

// Paths is Path for a list; nil stays nil.
func (e *Env) Paths(names []string) []string {
	var out []string
	for _, n := range names {
		out = append(out, e.Path(n))
	}
	return out
}

// Said, which a nil Env may be asked, returns a message with paths as the user wrote them, where it has those that Path made of them.
func (e *Env) Said(text string) string {
	if e == nil {
		return text
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, w := range e.written {
		text = replacePath(text, w.path, w.as)
	}
	return text
}

// replacePath replaces a path where it stands whole or before what lies below it.
func replacePath(text, path, as string) string {
	path = strings.TrimSuffix(path, string(filepath.Separator))
	as = strings.TrimSuffix(as, string(filepath.Separator))
	if !strings.Contains(text, path) {
		return text
	}
	var b strings.Builder
	for {
		i := strings.Index(text, path)
		if i < 0 {
			b.WriteString(text)
			return b.String()
		}
		end := i + len(path)
		whole := i == 0 || !partOfPath(text[i-1])
		switch {
		case end == len(text):
		case os.IsPathSeparator(text[end]):
		default:
			whole = whole && !partOfName(text[end:])
		}
		b.WriteString(text[:i])
		if whole {
			b.WriteString(as)
		} else {
			b.WriteString(path)
		}
		text = text[end:]
	}
}

func partOfPath(c byte) bool {
	return c == '/' || c == '\\' || c == '.' || c == '-' || c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c > 127
}

// partOfName reports whether what follows a path may still be of its last name: a full stop at the end of a sentence is not.
func partOfName(rest string) bool {
	if rest[0] == '.' && (len(rest) == 1 || !partOfPath(rest[1])) {
		return false
	}
	return partOfPath(rest[0])
}

// AsWritten is the error of the file system with the path that the user wrote, or with that of a folder on the way to it.
func (e *Env) AsWritten(name string, err error) error {
	pe, ok := errors.AsType[*fs.PathError](err)
	if !ok || filepath.IsAbs(name) {
		return err
	}
	if pe.Path != e.Path(name) {
		rel, relErr := filepath.Rel(e.Dir, pe.Path)
		if relErr != nil {
			return err
		}
		name = rel
	}
	return &fs.PathError{Op: pe.Op, Path: name, Err: pe.Err}
}

// OpenFile opens a file that the user named for reading.
func (e *Env) OpenFile(name string) (*os.File, error) {
	f, err := os.Open(e.Path(name))
	return f, e.AsWritten(name, err)
}

// Create makes or empties a file that the user named, see [rootfs.Output].
func (e *Env) Create(name string) (*os.File, error) {
	path, err := e.Output(name)
	if err != nil {
		return nil, err
	}
	f, err := os.Create(path)
	return f, e.AsWritten(name, err)
}

// Output is the path, without links, of a file to write that the user named, see [rootfs.Output].
func (e *Env) Output(name string) (string, error) { return rootfs.OutputFrom(e.Dir, name) }

// Stat describes what the user named.
func (e *Env) Stat(name string) (fs.FileInfo, error) {
	info, err := os.Stat(e.Path(name))
	return info, e.AsWritten(name, err)
}

// Lstat is Stat without following a link.
func (e *Env) Lstat(name string) (fs.FileInfo, error) {
	info, err := os.Lstat(e.Path(name))
	return info, e.AsWritten(name, err)
}

// MkdirAll makes a folder that the user named, and those above it.
func (e *Env) MkdirAll(name string) error { return e.AsWritten(name, os.MkdirAll(e.Path(name), 0o777)) }

// Workspace opens the workspace in a folder that the user named.
func (e *Env) Workspace(ctx context.Context, dir string, o *findspot.Options) (*findspot.Workspace, error) {
	if e.Open != nil {
		return e.Open(ctx, e.Path(dir), o)
	}
	return findspot.Open(ctx, e.Path(dir), o)
}

// Model opens the embedding model in a folder that the user named.
func (e *Env) Model(dir string) (*localembed.Model, error) {
	open := e.OpenModel
	if open == nil {
		open = func(dir string) (*localembed.Model, error) { return localembed.Open(dir, nil) }
	}
	m, err := open(e.Path(dir))
	return m, e.AsWritten(dir, err)
}

// RuntimeDirs are folders of this user alone for sockets, best first.
func (e *Env) RuntimeDirs() (out []string) {
	if dir := e.Getenv("XDG_RUNTIME_DIR"); filepath.IsAbs(dir) {
		out = append(out, filepath.Join(dir, "findspot"))
	}
	if dir, err := e.CacheDir(); err == nil {
		out = append(out, filepath.Join(dir, "findspot", "run"))
	}
	return append(out, filepath.Join(os.TempDir(), "findspot-"+strconv.Itoa(os.Geteuid())))
}

// SpareMemory says that much memory is going to be live.
func (e *Env) SpareMemory() {
	if e.Spare != nil {
		e.Spare()
	}
}

// Home is the user's home folder; "" where the environment does not say.
func (e *Env) Home() string {
	if runtime.GOOS == "windows" {
		return e.Getenv("USERPROFILE")
	}
	return e.Getenv("HOME")
}

var errNoHome = errors.New("neither $XDG_CACHE_HOME nor $HOME are defined")

// CacheDir is the folder of the user's caches, as [os.UserCacheDir] finds it.
func (e *Env) CacheDir() (string, error) {
	return e.userDir("XDG_CACHE_HOME", ".cache", "Library/Caches", "LocalAppData", errNoHome)
}

// ConfigDir is the folder of the user's configuration, as [os.UserConfigDir] finds it.
func (e *Env) ConfigDir() (string, error) {
	return e.userDir("XDG_CONFIG_HOME", ".config", "Library/Application Support", "AppData", errors.New("neither $XDG_CONFIG_HOME nor $HOME are defined"))
}

func (e *Env) userDir(variable, inHome, onMac, onWindows string, missing error) (string, error) {
	switch runtime.GOOS {
	case "windows":
		if dir := e.Getenv(onWindows); dir != "" {
			return dir, nil
		}
		return "", errors.New("%" + onWindows + "% is not defined")
	case "darwin", "ios":
		inHome = onMac
	default:
		if dir := e.Getenv(variable); dir != "" {
			if !filepath.IsAbs(dir) {
				return "", errors.New("path in $" + variable + " is relative")
			}
			return dir, nil
		}
	}
	home := e.Home()
	if home == "" {
		return "", missing
	}
	return filepath.Join(home, filepath.FromSlash(inHome)), nil
}
