package repository

import (
	"bytes"
	"context"
	"strings"
	"testing/fstest"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph"
)

// maxLine bounds a line that is shown, in bytes: lines of minified files are no text to read.
const maxLine = 1000

// A Locator finds the entities and lines of places in one repository.
type Locator struct {
	r     *Repository
	g     *codegraph.Graph // nil when it could not be had
	Note  string           // why there is none
	lines map[string][][]byte
	own   map[string]*codegraph.Graph // of unsaved buffers, one graph a file
}

// NewLocator finds the entities of a graph of the repository; nil: each is its file.
func NewLocator(r *Repository, g *codegraph.Graph) *Locator {
	return &Locator{r: r, g: g, lines: map[string][][]byte{}, own: map[string]*codegraph.Graph{}}
}

// Enclosing gives the innermost entity around a line, with the id as the workspace shows it.
func (j *Locator) Enclosing(ctx context.Context, path string, line int) codegraph.Entity {
	e := j.Local(ctx, path, line)
	e.ID = j.r.ID(e.ID)
	return e
}

// Local is enclosing with the id as the repository's graph has it.
func (j *Locator) Local(ctx context.Context, path string, line int) codegraph.Entity {
	g := j.g
	if text, ok := j.r.Overlay(path); ok {
		if j.own[path] == nil {
			one, err := codegraph.Build(ctx, fstest.MapFS{path: &fstest.MapFile{Data: text}}, j.r.opt.Languages, nil)
			if err != nil {
				one = nil
			}
			j.own[path] = one
		}
		g = j.own[path]
	}
	e := codegraph.Entity{ID: path, Kind: codegraph.KindFile, Name: path, Path: path}
	if g != nil {
		if found, ok := g.Enclosing(path, line); ok {
			e = found
		}
	}
	return e
}

// Line gives a line of a file without the blanks around it, cut to 1,000 bytes.
func (j *Locator) Line(path string, n int) string {
	lines, ok := j.lines[path]
	if !ok {
		if data, err := j.r.shownNow(path); err == nil {
			lines = bytes.Split(data, []byte("\n"))
		}
		j.lines[path] = lines
	}
	if n < 1 || n > len(lines) {
		return ""
	}
	text := bytes.TrimSpace(lines[n-1])
	if len(text) > maxLine {
		text = text[:maxLine]
	}
	return strings.ToValidUTF8(string(text), string(utf8.RuneError))
}
