package links

import (
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/findspot/findspot/internal/visible"
)

func TestURI(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("paths of Unix")
	}
	dir := t.TempDir()
	if err := os.WriteFile(filepath.Join(dir, "x y.pdf"), nil, 0o666); err != nil {
		t.Fatal(err)
	}
	one := []Repo{{Root: "/src/recv"}}
	two := []Repo{{Root: "/src/left"}, {Name: "b", Root: "/other/left"}, {Root: "/src/right"}}
	docs := map[string]string{"1": "/p/a #?%é\x1b\\\n.pdf", "2": "/p/n.md", "3": "bytes"}
	for _, tt := range []struct {
		name  string
		at    visible.Spot
		repos []Repo
		want  string
	}{
		{"a page", visible.Spot{Doc: "1", Page: 3, Line: 9}, nil, "file:///p/a%20%23%3F%25%C3%A9%1B%5C%0A.pdf#page=3"},
		{"a document without pages", visible.Spot{Doc: "2", Page: 1, Line: 4}, nil, "file:///p/n.md"},
		{"no file", visible.Spot{Doc: "3", Name: "gone.pdf", Page: 3}, nil, ""},
		{"found by its name", visible.Spot{Doc: "9", Name: "left//x y.pdf", Page: 2}, nil, "file://" + dir + "/x%20y.pdf#page=2"},
		{"out of the folder", visible.Spot{Doc: "9", Name: "../../etc/passwd"}, nil, ""},
		{"a line", visible.Spot{Path: "a/b.py", Line: 67}, one, "file:///src/recv/a/b.py#67"},
		{"a file", visible.Spot{Path: "a/b.py"}, one, "file:///src/recv/a/b.py"},
		{"a file out of the repository", visible.Spot{Path: "../b.py"}, one, ""},
		{"no repository", visible.Spot{Path: "b.py"}, nil, ""},
		{"which of three", visible.Spot{Path: "b.py"}, two, ""},
		{"named", visible.Spot{Path: "b.py", Repo: "b"}, two, "file:///other/left/b.py"},
		{"by its folder", visible.Spot{Path: "right//b.py"}, two, "file:///src/right/b.py"},
		{"two of one name", visible.Spot{Path: "left//b.py"}, two, ""},
	} {
		f := &Files{Docs: func() map[string]string { return docs }, Folders: []string{dir}, Program: "vscode", Repos: func() []Repo { return tt.repos }}
		if got := f.URI(tt.at); got != tt.want {
			t.Errorf("%s: %q, want %q", tt.name, got, tt.want)
		}
	}
	f := &Files{Docs: func() map[string]string { return docs }}
	host, err := os.Hostname()
	if got := f.URI(visible.Spot{Doc: "2"}); err == nil && got != "file://"+host+"/p/n.md" || strings.ContainsAny(got, "\x1b\n ") {
		t.Errorf("with the host: %q", got)
	}
}
