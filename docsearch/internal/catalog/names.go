package catalog

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/findspot/findspot/internal/errs"
)

// docID is the id rule: hex MD5 of the name.
func NameID(name string) string {
	sum := md5.Sum([]byte(name))
	return hex.EncodeToString(sum[:])
}

// ContentID is the id of a document by its content: the first half of its SHA-256, in hex.
func ContentID(sum string) string {
	return hex.EncodeToString([]byte(sum[:min(len(sum), 16)]))
}

// folderMark stands in the name of a document between the folders that tell it from others and its path below the folder that was added: "left//README.md".
const folderMark = "//"

// Base is the name that a document has when no other one has it too: its path below the folder that was added.
func Base(name string) string {
	if _, base, ok := strings.Cut(name, folderMark); ok {
		return base
	}
	return name
}

// Longer returns the names that a document may have where others have its base name: with the folder that was added before it, then with the one around that, and so on, up
// to the root of the file system. There are none for an origin that is no absolute path.
func Longer(origin, base string) []string {
	if !filepath.IsAbs(origin) {
		return nil
	}
	dirs, tail := strings.Split(filepath.ToSlash(filepath.Clean(origin)), "/"), strings.Split(base, "/")
	for len(dirs) > 1 && len(tail) > 0 && dirs[len(dirs)-1] == tail[len(tail)-1] { // what is left of the base is a prefix that the user chose
		dirs, tail = dirs[:len(dirs)-1], tail[:len(tail)-1]
	}
	if len(tail) == len(strings.Split(base, "/")) { // its file has another name: it is in no folder by it
		dirs = dirs[:len(dirs)-1]
	}
	var out []string
	for i := len(dirs) - 1; i >= 0; i-- {
		if folders := strings.Join(dirs[i:], "/"); folders != "" {
			out = append(out, folders+folderMark+base)
		}
	}
	return out
}

// Shortest returns the first of the longer names of a document that none of some others could have too, and the last when there is none.
func Shortest(origin, base string, others []string) string {
	mine := Longer(origin, base)
	for _, name := range mine {
		if !slices.ContainsFunc(others, func(o string) bool { return slices.Contains(Longer(o, base), name) }) {
			return name
		}
	}
	if len(mine) == 0 {
		return base
	}
	return mine[len(mine)-1]
}

// Tells reports whether a name tells a document from others of its base name, which come from other origins.
func Tells(name string, others []string) bool {
	base := Base(name)
	if base == name {
		return len(others) == 0
	}
	return !slices.ContainsFunc(others, func(o string) bool { return slices.Contains(Longer(o, base), name) })
}

// CheckID refuses ids that an engine, a line of a listing or a command could not carry.
func CheckID(id string) error {
	switch {
	case len(id) > maxID:
		return fmt.Errorf("%w: the id is longer than %d bytes", errs.Unsupported, maxID)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) || strings.TrimSpace(id) != id:
		return fmt.Errorf("%w: the id %q must be one line of UTF-8, without control characters or blanks at its ends", errs.Unsupported, id)
	}
	return nil
}

const maxID = 256

// CheckName refuses names that a line of a listing could not carry.
func CheckName(name string) error {
	switch {
	case name == "":
		return fmt.Errorf("%w: a document needs a name", errs.Unsupported)
	case len(name) > 1024:
		return fmt.Errorf("%w: the name is longer than 1024 bytes", errs.Unsupported)
	case !utf8.ValidString(name) || strings.ContainsAny(name, "\x00\n\r"):
		return fmt.Errorf("%w: the name is not one line of UTF-8", errs.Unsupported)
	}
	return nil
}

// CheckCollection refuses names that a line of a listing or a flag could not carry.
func CheckCollection(name string) error {
	if name == "" || len(name) > 256 || !utf8.ValidString(name) || strings.ContainsFunc(name, unicode.IsControl) || strings.TrimSpace(name) != name {
		return fmt.Errorf("%w: collection %q: a name is one line of UTF-8 of 1 to 256 bytes, without blanks at its ends", errs.Unsupported, name)
	}
	return nil
}

// Union returns the names of both lists, sorted, each once; nil for none.
func Union(a, b []string) []string {
	out := append(slices.Clone(a), b...)
	slices.Sort(out)
	return slices.Compact(out)
}
