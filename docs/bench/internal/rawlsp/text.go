package rawlsp

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// URI of an absolute path.
func URI(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// Relative gives a URI's path relative to the root; false when it lies outside.
func Relative(root, uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	rel, err := filepath.Rel(root, filepath.FromSlash(u.Path))
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// Texts holds files as they were read.
type Texts struct {
	root  string
	lines map[string][]int
	data  map[string][]byte
}

// NewTexts is for the files of a folder.
func NewTexts(root string) *Texts {
	return &Texts{root: root, lines: map[string][]int{}, data: map[string][]byte{}}
}

// Of gives a file's bytes and where its lines start; nil when it cannot be read.
func (t *Texts) Of(path string) ([]byte, []int) {
	if b, ok := t.data[path]; ok {
		return b, t.lines[path]
	}
	b, err := os.ReadFile(filepath.Join(t.root, filepath.FromSlash(path)))
	if err != nil {
		b = nil
	}
	starts := []int{0}
	for i, c := range b {
		if c == '\n' {
			starts = append(starts, i+1)
		}
	}
	t.data[path], t.lines[path] = b, starts
	return b, starts
}

// Offset gives where a line and a column in bytes are, -1 when they are nowhere.
func (t *Texts) Offset(path string, line, col int) int {
	b, starts := t.Of(path)
	if line < 1 || line > len(starts) || col < 1 || starts[line-1]+col-1 > len(b) {
		return -1
	}
	return starts[line-1] + col - 1
}

// Line gives the text of a line.
func (t *Texts) Line(path string, n int) []byte {
	b, starts := t.Of(path)
	if n < 1 || n > len(starts) {
		return nil
	}
	l, _, _ := bytes.Cut(b[starts[n-1]:], []byte("\n"))
	return l
}

// Column turns a column of the protocol, from 0, into one in bytes from 1.
func (t *Texts) Column(path string, line, col int, utf16 bool) int {
	if !utf16 {
		return col + 1
	}
	l, at := t.Line(path, line), 0
	for col > 0 && at < len(l) {
		r, n := utf8.DecodeRune(l[at:])
		at += n
		if col--; r > 0xFFFF {
			col--
		}
	}
	return at + 1
}

// Units is the way back.
func (t *Texts) Units(path string, line, col int, utf16 bool) int {
	if !utf16 {
		return col - 1
	}
	n := 0
	l := t.Line(path, line)
	for _, r := range string(l[:min(max(col-1, 0), len(l))]) {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
