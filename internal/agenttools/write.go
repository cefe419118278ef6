package agenttools

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/skill"
)

// maxWrite bounds a file that is written, in bytes.
const maxWrite = 4 << 20

type writeInput struct {
	Path    string `json:"path" alias:"file_path,file" jsonschema:"file to write, relative to the folder that was opened for writing"`
	Text    string `json:"text" alias:"content,file_text,contents" max:"8388608" jsonschema:"the whole content"`
	Replace bool   `json:"replace,omitempty" alias:"overwrite" jsonschema:"overwrite a file that existed before this run"`
}

// A WrittenFile is what write_file returns about a file.
type WrittenFile struct {
	Path     string `json:"path"` // slash path relative to the folder
	Bytes    int    `json:"bytes"`
	SHA256   string `json:"sha256"`
	Replaced bool   `json:"replaced"` // it was there before
}

// writer writes files into one folder. [os.Root] keeps every path, and every link, inside of it.
type writer struct {
	dir string

	mu  sync.Mutex      // one file at a time; guards own
	own map[string]bool // files that this tool made, which it may write again
}

func WriteFile(dir string) skill.Tool {
	w := &writer{dir: dir, own: map[string]bool{}}
	t := New("write_file", "Writes a whole file into the folder that was opened for writing. An existing file is overwritten only with replace.",
		"Use it for code and results, after what the skill asks for first. Links, version control folders and paths outside the folder are refused.", w.write).Tool
	t.Writes, t.Offline = true, true
	return t
}

// closedFolders hold what other programs run or believe: no file is written there.
var closedFolders = []string{".git", ".hg", ".svn", ".findspot", ".agents", ".claude", ".vscode", ".idea"}

// localPath checks a path of a file to write, and returns it in the system's form.
func localPath(p string) (string, error) {
	bad := func(why string) (string, error) {
		return "", fmt.Errorf("write_file: path %q %s; it is a file below the folder that was opened for writing, such as src/pss.py", p, why)
	}
	switch {
	case strings.TrimSpace(p) == "" || p == "." || strings.HasSuffix(p, "/"):
		return bad("names no file")
	case len(p) > 1024:
		p = shortened(p)
		return bad("is too long")
	case strings.ContainsFunc(p, func(r rune) bool { return unicode.IsControl(r) || r == '\\' || r == '\ufffd' }):
		return bad("holds a backslash or a control character")
	case path.IsAbs(p) || !filepath.IsLocal(filepath.FromSlash(p)):
		return bad("leads out of the folder")
	case path.Clean(p) != p:
		return bad("is not in its plain form, " + path.Clean(p))
	}
	for part := range strings.SplitSeq(p, "/") {
		// Some file systems take case, and dots and blanks at the end, as nothing.
		plain := strings.ToLower(strings.TrimRight(part, ". "))
		if slices.Contains(closedFolders, plain) || strings.HasPrefix(plain, "git~") {
			return bad("goes through " + part + ", where nothing may be written")
		}
	}
	return filepath.FromSlash(p), nil
}

func (w *writer) write(ctx context.Context, in writeInput) (*skill.Result, error) {
	p, err := localPath(in.Path)
	if err != nil {
		return nil, err
	}
	if len(in.Text) > maxWrite {
		return nil, fmt.Errorf("write_file: %s: %w: %d bytes, the limit is %d", in.Path, errs.TooLarge, len(in.Text), maxWrite)
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	root, err := os.OpenRoot(w.dir)
	if err != nil {
		return nil, fmt.Errorf("write_file: %w", err)
	}
	defer root.Close()
	mode, there := fs.FileMode(0o666), false
	switch info, err := root.Lstat(p); {
	case errors.Is(err, fs.ErrNotExist):
	case err != nil:
		return nil, fmt.Errorf("write_file: %w", err)
	case !info.Mode().IsRegular():
		return nil, fmt.Errorf("write_file: %s is no regular file (%s), and is left as it is", in.Path, info.Mode().Type())
	case !in.Replace && !w.own[p]:
		return nil, fmt.Errorf("write_file: %s was there before: give replace to write over it, or another path", in.Path)
	default:
		mode, there = info.Mode().Perm(), true
	}
	if err := noLinks(root, filepath.Dir(p)); err != nil {
		return nil, fmt.Errorf("write_file: %s: %w", in.Path, err)
	}
	if err := replaceFile(root, p, []byte(in.Text), mode, there); err != nil {
		return nil, fmt.Errorf("write_file: %s: %w", in.Path, err)
	}
	w.own[p] = true
	sum := sha256.Sum256([]byte(in.Text))
	out := WrittenFile{Path: in.Path, Bytes: len(in.Text), SHA256: hex.EncodeToString(sum[:]), Replaced: there}
	return &skill.Result{Text: fmt.Sprintf("wrote %d bytes to %s", len(in.Text), in.Path), Data: out}, nil
}

// noLinks makes the folders of a file, and refuses one that is a link: it may be moved while we write.
func noLinks(root *os.Root, dir string) error {
	if dir == "." {
		return nil
	}
	if err := noLinks(root, filepath.Dir(dir)); err != nil {
		return err
	}
	if err := root.Mkdir(dir, 0o777); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	info, err := root.Lstat(dir)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder (%s)", filepath.ToSlash(dir), info.Mode().Type())
	}
	return err
}

// replaceFile writes beside the file and renames, so that nobody ever sees a part of it.
func replaceFile(root *os.Root, p string, data []byte, mode fs.FileMode, there bool) (err error) {
	temp := filepath.Join(filepath.Dir(p), ".findspot-"+rand.Text()+".tmp")
	f, err := root.OpenFile(temp, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, root.Remove(temp))
		}
	}()
	_, err = f.Write(data)
	if err == nil && there {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err == nil {
		err = root.Rename(temp, p)
	}
	return err
}
