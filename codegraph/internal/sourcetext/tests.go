package sourcetext

import (
	"path"
	"strings"
)

// IsTestPath tells test code by the names that test runners look for.
func IsTestPath(p string) bool {
	p = strings.ToLower(p)
	for _, part := range strings.Split(path.Dir(p), "/") {
		switch part {
		case "test", "tests", "testing", "__tests__", "testdata":
			return true
		}
	}
	name := path.Base(p)
	s := Stem(name)
	return strings.HasPrefix(name, "test_") || strings.HasSuffix(s, "_test") || strings.HasSuffix(s, ".test") ||
		strings.HasSuffix(s, ".spec") || name == "conftest.py"
}

// Stem is a file's name without its extension.
func Stem(name string) string {
	if i := strings.LastIndexByte(name, '.'); i > 0 {
		return name[:i]
	}
	return name
}
