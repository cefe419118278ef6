package main

import (
	"bytes"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"unicode/utf8"
)

// A place is a range in a file of the repository. Lines and columns count from 1, columns in bytes.
type place struct {
	path         string
	line, col    int
	end, endLine int
}

func uriOf(path string) string {
	return (&url.URL{Scheme: "file", Path: filepath.ToSlash(path)}).String()
}

// relative gives a URI's path relative to the root; false when it lies outside.
func relative(root, uri string) (string, bool) {
	u, err := url.Parse(uri)
	if err != nil || u.Scheme != "file" {
		return "", false
	}
	rel, err := filepath.Rel(root, filepath.FromSlash(u.Path))
	rel = filepath.ToSlash(rel)
	return rel, err == nil && rel != ".." && !strings.HasPrefix(rel, "../")
}

// texts holds files as they were read.
type texts struct {
	root  string
	lines map[string][]int
	data  map[string][]byte
}

// of gives a file's bytes and where its lines start; nil when it cannot be read.
func (t *texts) of(path string) ([]byte, []int) {
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

// offset gives where a line and a column in bytes are, -1 when they are nowhere.
func (t *texts) offset(path string, line, col int) int {
	b, starts := t.of(path)
	if line < 1 || line > len(starts) || col < 1 || starts[line-1]+col-1 > len(b) {
		return -1
	}
	return starts[line-1] + col - 1
}

// line gives the text of a line.
func (t *texts) line(path string, n int) []byte {
	b, starts := t.of(path)
	if n < 1 || n > len(starts) {
		return nil
	}
	l, _, _ := bytes.Cut(b[starts[n-1]:], []byte("\n"))
	return l
}

// column turns a column of the protocol, from 0, into one in bytes from 1.
func (t *texts) column(path string, line, col int, utf16 bool) int {
	if !utf16 {
		return col + 1
	}
	l, at := t.line(path, line), 0
	for col > 0 && at < len(l) {
		r, n := utf8.DecodeRune(l[at:])
		at += n
		if col--; r > 0xFFFF {
			col--
		}
	}
	return at + 1
}

// units is the way back.
func (t *texts) units(path string, line, col int, utf16 bool) int {
	if !utf16 {
		return col - 1
	}
	n := 0
	l := t.line(path, line)
	for _, r := range string(l[:min(max(col-1, 0), len(l))]) {
		if n++; r > 0xFFFF {
			n++
		}
	}
	return n
}
