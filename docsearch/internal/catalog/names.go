package catalog

import (
	"crypto/md5"
	"encoding/hex"
	"fmt"
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

// CheckID refuses ids that an engine, a line of a listing or a command could not carry.
func CheckID(id string) error {
	switch {
	case len(id) > maxID:
		return fmt.Errorf("%w: the id is longer than %d bytes", errs.Unsupported, maxID)
	case !utf8.ValidString(id) || strings.ContainsFunc(id, unicode.IsControl) || strings.TrimSpace(id) != id:
		return fmt.Errorf("%w: the id %q is not one line of UTF-8 without control characters and without blanks at its ends", errs.Unsupported, id)
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
