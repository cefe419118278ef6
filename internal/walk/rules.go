package walk

import (
	"bytes"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"io/fs"
	"path"
	"strings"
	"sync"

	"github.com/git-pkgs/gitignore"
)

// rules are the patterns in force in a folder: those of the folders above it, then its own. They are read and compiled when
// something is first asked of them; the fingerprint is known before, so that who has the answers of the last time under
// the same rules need not ask again.
type rules struct {
	up    *rules
	dir   string // what the patterns are relative to; "" for the root
	load  func() ([]byte, error)
	sum   uint64 // digest of the text
	print uint64 // of all patterns in force

	once    sync.Once
	matcher *gitignore.Matcher
	odd     bool // a text could not be read or is not the one that the fingerprint tells
}

// fingerprint tells the patterns of a folder from others.
func fingerprint(up uint64, dir string, sum uint64) uint64 {
	h := sha256.New()
	b := binary.LittleEndian.AppendUint64(nil, up)
	b = binary.LittleEndian.AppendUint64(b, sum)
	h.Write(b)
	io.WriteString(h, dir)
	return binary.LittleEndian.Uint64(h.Sum(nil))
}

// digest is a short hash of the text of a .gitignore.
func digest(text []byte) uint64 {
	h := sha256.Sum256(text)
	return binary.LittleEndian.Uint64(h[:])
}

// below gives the rules with those of a folder's .gitignore, whose text is loaded when it is needed.
func (r *rules) below(dir string, sum uint64, load func() ([]byte, error)) *rules {
	if dir == "." {
		dir = ""
	}
	return &rules{up: r, dir: dir, load: load, sum: sum, print: fingerprint(r.fingerprint(), dir, sum)}
}

// fingerprint tells these rules from others; 0 for none.
func (r *rules) fingerprint() uint64 {
	if r == nil {
		return 0
	}
	return r.print
}

// with is below for a text that is at hand.
func (r *rules) with(dir string, text []byte) *rules {
	return r.below(dir, digest(text), func() ([]byte, error) { return text, nil })
}

// match tells whether a file or folder is to be left out. Of the texts the nearest one that has a pattern for it decides.
func (r *rules) match(p string, dir bool) bool {
	if dir {
		p += "/"
	}
	for ; r != nil; r = r.up {
		r.compile()
		if m := r.matcher.MatchDetail(p); m.Matched {
			return m.Ignored
		}
	}
	return false
}

// compile reads the folder's own patterns alone: those of the folders above are shared, however many folders have a .gitignore.
func (r *rules) compile() {
	r.once.Do(func() {
		text, err := r.load()
		r.odd = err != nil || digest(text) != r.sum
		r.matcher = &gitignore.Matcher{}
		r.matcher.AddPatterns(text, r.dir)
	})
}

// sound tells whether what was asked of the rules is what their fingerprint promises.
func (r *rules) sound() bool {
	for ; r != nil; r = r.up {
		r.compile()
		if r.odd {
			return false
		}
	}
	return true
}

// small reads a .gitignore.
func small(fsys fs.FS, p string) ([]byte, error) {
	f, err := fsys.Open(p)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	b, err := io.ReadAll(io.LimitReader(f, maxIgnore))
	return bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")), err // git takes off the mark, too
}

// Ignored tells whether git leaves a file out, by the .gitignore files of its folders and the repository's info/exclude. The path is one without
// links.
func Ignored(fsys fs.FS, p string) (bool, error) {
	var r *rules
	if text, err := small(fsys, ".git/info/exclude"); err == nil {
		r = r.with("", text)
	}
	dirs := strings.Split(path.Dir(p), "/")
	if dirs[0] == "." {
		dirs = nil
	}
	for i := range len(dirs) + 1 {
		dir := path.Join(dirs[:i]...) // "" for the root
		if dir != "" && r.match(dir, true) {
			return true, nil
		}
		text, err := small(fsys, path.Join(dir, ".gitignore"))
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return false, err
		}
		r = r.with(dir, text)
	}
	return r.match(p, false), nil
}
