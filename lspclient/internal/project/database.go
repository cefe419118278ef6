package project

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/serverspec"
)

// maxDatabase bounds a compilation database, in bytes.
const maxDatabase = 256 << 20

// Database is a repository's own list of what is compiled, which a server reads.
type Database struct {
	rule  serverspec.DatabaseRule
	from  string          // the file, absolute; empty when there is none
	dir   string          // of the copy, outside of the repository
	Files map[string]bool // that it lists, absolute
}

// OpenDatabase finds the folder's database and copies it to a folder of its own in the user's cache: a server that is
// pointed at it there keeps its index there too, and neither writes into the repository nor believes an index that
// somebody put into it.
func OpenDatabase(rule serverspec.DatabaseRule, server, folder string) (*Database, error) {
	if len(rule.Files) == 0 {
		return nil, nil
	}
	d := &Database{rule: rule, Files: map[string]bool{}}
	cache, err := os.UserCacheDir()
	if err != nil {
		return nil, fmt.Errorf("no folder for the index of %s: %w", server, err)
	}
	d.dir = filepath.Join(cache, "findspot", "lsp", server+"-"+shortHash(folder))
	if err := os.MkdirAll(d.dir, 0o700); err != nil {
		return nil, fmt.Errorf("folder for the index of %s: %w", server, err)
	}
	name := filepath.Base(rule.Files[0])
	copied := filepath.Join(d.dir, name)
	if d.from, err = findDatabase(folder, rule.Files); err != nil {
		return nil, err
	}
	if d.from == "" {
		if err := os.Remove(copied); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		return d, nil
	}
	data, err := readBounded(d.from, maxDatabase)
	if err != nil {
		return nil, err
	}
	d.list(data, folder)
	if have, err := os.ReadFile(copied); err == nil && bytes.Equal(have, data) {
		return d, nil
	}
	return d, writeWhole(copied, data)
}

// findDatabase returns the first file that one of the globs matches; of those that one glob matches, the youngest. A
// link that leads out of the folder does not count.
func findDatabase(folder string, globs []string) (string, error) {
	for _, glob := range globs {
		// The folder's own name may hold what a glob would take for a sign.
		list, err := fs.Glob(os.DirFS(folder), glob)
		if err != nil {
			return "", fmt.Errorf("database %q: %w", glob, err)
		}
		best, newest := "", int64(0)
		for _, rel := range list {
			path := filepath.Join(folder, filepath.FromSlash(rel))
			info, err := os.Stat(path)
			real, err2 := filepath.EvalSymlinks(path)
			if err != nil || err2 != nil || !info.Mode().IsRegular() || !source.Below(folder, real) {
				continue
			}
			if t := info.ModTime().UnixNano(); best == "" || t > newest {
				best, newest = path, t
			}
		}
		if best != "" {
			return best, nil
		}
	}
	return "", nil
}

// list notes the files that the database names. One that does not decode lists none: the server will say what is wrong.
func (d *Database) list(data []byte, folder string) {
	var entries []struct {
		Directory string `json:"directory"`
		File      string `json:"file"`
	}
	if json.Unmarshal(data, &entries) != nil {
		return
	}
	for _, e := range entries {
		path := filepath.FromSlash(e.File)
		if !filepath.IsAbs(path) {
			dir := filepath.FromSlash(e.Directory)
			if !filepath.IsAbs(dir) {
				dir = filepath.Join(folder, dir)
			}
			path = filepath.Join(dir, path)
		}
		d.Files[filepath.Clean(path)] = true
	}
}

// Args are the server's arguments that point it at the copy.
func (d *Database) Args() []string {
	if d == nil || d.rule.Arg == "" {
		return nil
	}
	return []string{strings.ReplaceAll(d.rule.Arg, "{dir}", d.dir)}
}

// Unknown reports whether the server would need a database and there is none.
func (d *Database) Unknown() bool { return d != nil && len(d.Files) == 0 }

// Lack says what is wrong without a database, "" when there is one, or the server needs none.
func (d *Database) Lack() string {
	switch {
	case d == nil || len(d.Files) > 0:
		return ""
	case d.from != "":
		return filepath.Base(d.from) + " lists no files"
	}
	return d.rule.Missing
}

// Knows reports whether the server finds a file by itself: the database lists it, or it is a header, which the files that
// are listed include.
func (d *Database) Knows(abs string) bool {
	if d == nil || len(d.Files) == 0 {
		return false
	}
	return d.Files[abs] || strings.HasPrefix(strings.ToLower(filepath.Ext(abs)), ".h")
}

// readBounded reads a file of at most limit bytes.
func readBounded(path string, limit int64) ([]byte, error) {
	f, err := rootfs.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err == nil && int64(len(data)) > limit {
		err = fmt.Errorf("%s: %w: more than %d bytes", path, errs.TooLarge, limit)
	}
	return data, err
}

// writeWhole replaces a file so that no reader sees half of it.
func writeWhole(path string, data []byte) error {
	f, err := os.CreateTemp(filepath.Dir(path), "new-*")
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err2 := f.Close(); err == nil {
		err = err2
	}
	if err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		os.Remove(f.Name())
	}
	return err
}

// shortHash names a folder among others.
func shortHash(path string) string {
	sum := sha256.Sum256([]byte(path))
	return hex.EncodeToString(sum[:8])
}
