package symbols

import (
	"slices"
	"strings"
)

// A module may be declared in a file of its own beside its source: a stub (PEP 561) or a declaration file of TypeScript.
// Servers lead uses to the one and know nothing of them at the other, so that "who uses this" at the source would be
// answered with nothing. Both declarations are one symbol here: it is asked about at both.

// stubSuffixes are the suffixes of a source and of the file that declares it.
var stubSuffixes = [][2]string{{".py", ".pyi"}, {".js", ".d.ts"}, {".jsx", ".d.ts"}, {".mjs", ".d.mts"}, {".cjs", ".d.cts"}}

// StubPaths returns the paths that the counterpart of a file may have: its stub or its source; stub tells whether the file is the one that only declares.
func StubPaths(path string) (paths []string, stub bool) {
	for _, ends := range stubSuffixes {
		if base, ok := strings.CutSuffix(path, ends[1]); ok {
			paths, stub = append(paths, base+ends[0]), true
		} else if base, ok := strings.CutSuffix(path, ends[0]); ok {
			paths = append(paths, base+ends[1])
		}
	}
	return paths, stub
}

// isStub reports whether the list has the source of a declaration in a stub.
func isStub(list []Declaration, d Declaration) bool {
	paths, stub := StubPaths(d.At.Path)
	return stub && slices.ContainsFunc(list, func(o Declaration) bool {
		return slices.Contains(paths, o.At.Path) && o.Full() == d.Full()
	})
}
