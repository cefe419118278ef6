package gosyntax

import (
	"path"
	"strings"
)

// A gomod is what a go.mod or go.work file says that matters here.
type gomod struct {
	path     string // of the module
	dir      string // where the file is
	replaces []root // import paths that are in folders of the repository
	uses     []string
}

// A root is the place of an import path.
type root struct{ path, dir string }

// parseMod reads the lines of a go.mod or go.work file (The Go Modules Reference, "go.mod files" and "Workspaces"). What it
// does not know it leaves out. Folders outside of the repository are left out too.
func parseMod(text []byte, dir string) gomod {
	m := gomod{dir: dir}
	verb := ""
	for line := range strings.Lines(string(text)) {
		line, _, _ = strings.Cut(line, "//")
		f := strings.Fields(line)
		switch {
		case len(f) == 0:
			continue
		case f[0] == ")":
			verb = ""
			continue
		case verb == "" && len(f) >= 2 && f[1] == "(":
			verb = f[0]
			continue
		case verb == "":
			f = append([]string{f[0]}, f[1:]...)
		default:
			f = append([]string{verb}, f...)
		}
		for i := range f {
			f[i] = strings.Trim(f[i], "\"`")
		}
		switch {
		case f[0] == "module" && len(f) >= 2:
			m.path = strings.Clone(f[1])
		case f[0] == "use" && len(f) >= 2:
			if d, ok := within(dir, f[1]); ok {
				m.uses = append(m.uses, d)
			}
		case f[0] == "replace" && len(f) >= 4 && f[1] != "": // path [version] => folder
			to := f[len(f)-1]
			if f[2] != "=>" && f[3] != "=>" || !strings.HasPrefix(to, "./") && !strings.HasPrefix(to, "../") && to != "." && to != ".." {
				continue
			}
			if d, ok := within(dir, to); ok {
				m.replaces = append(m.replaces, root{strings.Clone(f[1]), d})
			}
		}
	}
	return m
}

// within joins a folder with a relative one; false when that leads out of the repository.
func within(dir, rel string) (string, bool) {
	d := path.Join(dir, rel)
	if d == "." {
		d = ""
	}
	return d, d != ".." && !strings.HasPrefix(d, "../") && !strings.HasPrefix(d, "/")
}

// relativeTo gives what of an import path is below a root, and whether it is.
func relativeTo(imp, root string) (string, bool) {
	rest, ok := strings.CutPrefix(imp, root)
	if !ok || rest != "" && rest[0] != '/' {
		return "", false
	}
	return strings.TrimPrefix(rest, "/"), true
}
