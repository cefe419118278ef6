package agentconfig

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/rootfs"
)

// name is that of the server in all configurations.
const name = "findspot"

// The changes of a plan.
const (
	Written   = "written"   // there was no entry
	Updated   = "updated"   // in place of another
	Unchanged = "unchanged" // it is there
	Kept      = "kept"      // there is another entry, and nothing is written
)

// A Plan is a change of a client's file that is not made yet.
type Plan struct {
	File   string // path
	Change string // see Written
	Entry  string // what to put in by hand where it is kept

	before, after []byte
	fresh         bool // there is no file
	mode          fs.FileMode
	project       string // folder that the file must not leave by a link; "": it is the user's own
}

// brokenError is a file that cannot be read as what it is.
type brokenError struct {
	file string
	err  error
}

func (e *brokenError) Error() string { return e.file + ": " + e.err.Error() }

// maxFile bounds a configuration in bytes: some clients keep all their state in it.
const maxFile = 64 << 20

// Plan is the change that puts the server into the client's file, as "findspot". An entry that was written before is brought up to date; another one of that name, or one with
// more options, is replaced with force alone. A file that cannot be read is an error with the place of the fault.
func (c Client) Plan(scope, root string, s Server, force bool) (*Plan, error) {
	file, err := c.file(scope, root, s.Getenv)
	if err != nil {
		return nil, err
	}
	e := c.entry(scope, root, s)
	p := &Plan{File: file, Change: Written, mode: 0o644}
	if scope == Project {
		p.project = root
	} else {
		p.mode = 0o600
	}
	if p.Entry, err = c.snippet(e); err != nil {
		return nil, err
	}
	if err := p.read(); err != nil {
		return nil, err
	}
	have, known, err := c.find(p.before)
	if err != nil {
		return nil, &brokenError{file, err}
	}
	if have != nil {
		p.Change = Updated
		mine := known && have.ours(e)
		if mine {
			e.keep(*have, "docs", len(s.Docs) == 0)
			e.keep(*have, "repo", len(s.Repos) == 0)
			for _, flag := range []string{"embed-url", "embed-runes", "embed-model"} {
				e.keep(*have, flag, len(s.Vectors) == 0)
			}
		}
		if mine && have.Command == e.Command && slices.Equal(have.Args, e.Args) && have.Type == e.Type {
			p.Change, p.after = Unchanged, p.before
			return p, nil
		}
		if !mine && !force {
			p.Change, p.after = Kept, p.before
			return p, nil
		}
	}
	if p.after, err = c.set(p.before, e); err != nil {
		return nil, &brokenError{file, err}
	}
	return p, nil
}

// find returns the entry that a file has. known is false for one with more in it than an entry of ours.
func (c Client) find(text []byte) (have *entry, known bool, err error) {
	if c.form == toml {
		p := &tomlText{text: text}
		t, err := p.find(c.key, name)
		if err != nil || !t.hasTable {
			return nil, false, err
		}
		e, ok := p.entry(t)
		return &e, ok, nil // what else the table holds stays
	}
	p := &jsonText{text: text, loose: c.form == looseJSON}
	v, err := p.parse()
	if err != nil {
		return nil, false, err
	}
	servers := v.find(c.key)
	if servers == nil {
		return nil, false, nil
	}
	m := servers.value.find(name)
	if m == nil {
		return nil, false, nil
	}
	d := json.NewDecoder(bytes.NewReader(text[m.value.start:m.value.end]))
	d.DisallowUnknownFields() // what somebody added is not lost
	var e entry
	err = d.Decode(&e)
	return &e, err == nil && len(e.Env) == 0, nil
}

func (c Client) set(text []byte, e entry) ([]byte, error) {
	if c.form == toml {
		return (&tomlText{text: text}).set(c.key, name, e)
	}
	return (&jsonText{text: text, loose: c.form == looseJSON}).set(c.key, name, e)
}

// read reads the file, if it is there.
func (p *Plan) read() error {
	p.before, p.fresh = nil, false
	if p.project != "" {
		rel, err := filepath.Rel(p.project, p.File)
		if err != nil {
			return err
		}
		if _, err := rootfs.New(p.project).Stat(filepath.ToSlash(rel)); errors.Is(err, fs.ErrNotExist) {
			p.fresh = true
			return nil
		} else if err != nil {
			return err
		}
	}
	f, err := os.Open(p.File)
	if errors.Is(err, fs.ErrNotExist) {
		p.fresh = true
		return nil
	}
	if err != nil {
		return err
	}
	defer f.Close()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	if !info.Mode().IsRegular() {
		return fmt.Errorf("%s is not a file", p.File)
	}
	p.mode = info.Mode().Perm()
	p.before, err = io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(p.before) > maxFile {
		err = fmt.Errorf("%s: %w: a configuration has at most %d bytes", p.File, errs.TooLarge, maxFile)
	}
	return err
}

// Write makes the change. A file that was changed meanwhile is left alone.
func (p *Plan) Write() error {
	if p.Change == Kept || p.Change == Unchanged {
		return nil
	}
	now := *p
	if err := now.read(); err != nil {
		return err
	}
	if now.fresh != p.fresh || !bytes.Equal(now.before, p.before) {
		return fmt.Errorf("%s was changed meanwhile: run the command again", p.File)
	}
	if err := os.MkdirAll(filepath.Dir(p.File), 0o755); err != nil {
		return err
	}
	file := p.File
	var err error
	switch {
	case p.project != "":
		var rel string
		if rel, err = filepath.Rel(p.project, p.File); err == nil {
			file, err = rootfs.OutputFrom(p.project, rel)
		}
	case !p.fresh: // a link of the user's own is followed
		file, err = rootfs.Real(p.File)
	}
	if err != nil {
		return err
	}
	return disk.WriteFileMode(file, p.after, p.mode)
}

// around is how many lines a difference shows before and behind.
const around = 3

// Diff is the change in the unified format; empty for none. The lines between the first and the last that differ are shown as removed and added.
func (p *Plan) Diff() string {
	if bytes.Equal(p.before, p.after) {
		return ""
	}
	a, b := lines(p.before), lines(p.after)
	head := 0
	for head < len(a) && head < len(b) && a[head] == b[head] {
		head++
	}
	tail := 0
	for tail < len(a)-head && tail < len(b)-head && a[len(a)-1-tail] == b[len(b)-1-tail] {
		tail++
	}
	from := max(head-around, 0)
	behind := min(tail, around)
	var out strings.Builder
	old := p.File
	if p.fresh {
		old = "/dev/null"
	}
	fmt.Fprintf(&out, "--- %s\n+++ %s\n@@ -%s +%s @@\n", old, p.File, span(from, len(a)-tail+behind-from), span(from, len(b)-tail+behind-from))
	show := func(mark string, list []string) {
		for _, l := range list {
			out.WriteString(mark + strings.TrimSuffix(strings.TrimSuffix(l, "\n"), "\r") + "\n")
			if !strings.HasSuffix(l, "\n") {
				out.WriteString("\\ No newline at end of file\n")
			}
		}
	}
	show(" ", a[from:head])
	show("-", a[head:len(a)-tail])
	show("+", b[head:len(b)-tail])
	show(" ", a[len(a)-tail:len(a)-tail+behind])
	return out.String()
}

func span(from, n int) string {
	if n == 0 {
		return fmt.Sprintf("%d,0", from)
	}
	return fmt.Sprintf("%d,%d", from+1, n)
}

func lines(text []byte) []string { return slices.Collect(strings.Lines(string(text))) }
