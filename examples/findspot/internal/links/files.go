package links

import (
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"

	"github.com/findspot/findspot/internal/visible"
)

// A Repo is where a repository lies.
type Repo struct {
	Name string // when it was added with one
	Root string // absolute
}

// Files says where the files of places lie. Each function is called when it is needed first, and once. It is not safe for concurrent use.
type Files struct {
	Docs    func() map[string]string // absolute paths of documents, by id
	Folders []string                 // absolute: folders of documents, or single ones, where a document's name is looked for; none: it must be in Docs
	Repos   func() []Repo
	Program string // the terminal, as TERM_PROGRAM names it

	docs  map[string]string // nil: not asked for yet
	repos []Repo            // the same
}

// URI is the address of a place; "" where its file is not known.
func (f *Files) URI(at visible.Spot) string {
	if at.Path != "" {
		if f.repos == nil && f.Repos != nil {
			f.repos = append([]Repo{}, f.Repos()...)
		}
		return f.address(f.code(at.Repo, at.Path), line(at.Line))
	}
	if f.docs == nil && f.Docs != nil {
		if f.docs = f.Docs(); f.docs == nil {
			f.docs = map[string]string{}
		}
	}
	file := f.docs[at.Doc]
	if file == "" {
		file = f.named(at.Name)
	}
	if at.Page > 0 && strings.EqualFold(filepath.Ext(file), ".pdf") {
		return f.address(file, "page="+strconv.Itoa(at.Page)) // RFC 8118
	}
	return f.address(file, "")
}

// line is the fragment of a line, a number alone, as ripgrep's format "kitty" has it. Kitty's open-actions match it with [0-9]+ in the example for editors, and so does the
// recipe of WezTerm; VS Code goes to the line, for "67" as for "L67". VTE's terminals ask GIO, which cuts a fragment off and opens the file; iTerm2 hands the address to
// the system, and nothing was found on what becomes of the line.
func line(n int) string {
	if n <= 0 {
		return ""
	}
	return strconv.Itoa(n)
}

// code is the file of a path, which may begin with the name of its repository and two slashes.
func (f *Files) code(repo, path string) string {
	if name, rest, ok := strings.Cut(path, "//"); ok && repo == "" {
		repo, path = name, rest
	}
	root := ""
	for _, r := range f.repos {
		if repo != "" && r.Name != repo && filepath.Base(r.Root) != repo {
			continue
		}
		if root != "" && root != r.Root {
			return "" // it may be either
		}
		root = r.Root
	}
	if root == "" || !filepath.IsLocal(filepath.FromSlash(path)) {
		return ""
	}
	return filepath.Join(root, filepath.FromSlash(path))
}

// named looks for a document of a name in the folders.
func (f *Files) named(name string) string {
	if _, rest, ok := strings.Cut(name, "//"); ok { // one of several of that name
		name = rest
	}
	if !filepath.IsLocal(filepath.FromSlash(name)) {
		return ""
	}
	for _, d := range f.Folders {
		file := filepath.Join(d, filepath.FromSlash(name))
		if filepath.Base(d) == name {
			file = d
		}
		if info, err := os.Stat(file); err == nil && info.Mode().IsRegular() {
			return file
		}
	}
	return ""
}

// address is a file URI. Its host is that of this computer, so that a terminal on another one, over SSH, does not open a file of its own; Ghostty takes none without.
// VS Code and Windows would look for the host's shares, and so do the programs of KDE that WezTerm asks (github.com/wez/wezterm/issues/6192).
func (f *Files) address(file, fragment string) string {
	if !filepath.IsAbs(file) {
		return ""
	}
	u := url.URL{Scheme: "file", Host: f.host(), Path: filepath.ToSlash(file), Fragment: fragment}
	if !strings.HasPrefix(u.Path, "/") { // C:/
		u.Path = "/" + u.Path
	}
	s := u.String()
	if u.Host == "" { // url leaves the slashes of the host out
		s = "file://" + strings.TrimPrefix(strings.TrimPrefix(s, "file:"), "//")
	}
	return s
}

func (f *Files) host() string {
	if p := f.Program; runtime.GOOS == "windows" || p == "vscode" || p == "WezTerm" {
		return ""
	}
	name, err := os.Hostname()
	if err != nil || strings.Trim(name, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-_") != "" {
		return ""
	}
	return name
}
