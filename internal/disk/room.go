package disk

import (
	"errors"
	"strings"
)

// Full reports whether an error says that a disk, a quota or the size of a file is at its limit. Libraries hand such errors on as text, so
// that the text is looked at too.
func Full(err error) bool { return oneOf(err, fullErrors) }

// Denied reports whether an error says that this user may not write, or nobody on that disk.
func Denied(err error) bool { return oneOf(err, deniedErrors) }

func oneOf(err error, all []error) bool {
	if err == nil {
		return false
	}
	for _, e := range all {
		if errors.Is(err, e) || strings.Contains(err.Error(), e.Error()) {
			return true
		}
	}
	return false
}
