package answers

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/examples/findspot/internal/env"
	"github.com/findspot/findspot/internal/disk"
	"github.com/findspot/findspot/skill/evidence"
)

// A File is what has become of an answer.
type File struct {
	File    string `json:"file"`
	State   string `json:"state"` // holds, moved (it holds, at new places) or fails
	Updated bool   `json:"updated,omitempty"`
	*evidence.Recheck
}

// The states of an answer.
const (
	Holds = "holds"
	Moved = "moved"
	Fails = "fails"
)

// A Skipped file is no answer, or could not be read.
type Skipped struct {
	File   string `json:"file"`
	Reason string `json:"reason"`
	Broken bool   `json:"broken,omitempty"` // it is meant to be an answer
}

// A Report says what has become of many answers.
type Report struct {
	Holds   bool      `json:"holds"`   // all do
	Answers []File    `json:"answers"` // never nil
	Skipped []Skipped `json:"skipped,omitempty"`
}

// A Checker checks one answer.
type Checker func(ctx context.Context, a *evidence.Answer) (*evidence.Recheck, error)

// Find lists the files that names stand for: files as they are, and of folders all files below that end in .json, but for those in folders whose name begins with a dot.
// Each is listed once, in the order of names.
func Find(e *env.Env, names []string) ([]string, error) {
	var out []string
	seen := map[string]bool{}
	add := func(name string) {
		if p := filepath.Clean(e.Path(name)); !seen[p] {
			seen[p] = true
			out = append(out, name)
		}
	}
	for _, name := range names {
		info, err := e.Stat(name)
		if err != nil {
			return nil, err
		}
		if !info.IsDir() {
			add(name)
			continue
		}
		root := e.Path(name)
		err = filepath.WalkDir(root, func(p string, d fs.DirEntry, err error) error {
			switch {
			case err != nil:
				return err
			case d.IsDir() && p != root && strings.HasPrefix(d.Name(), "."):
				return filepath.SkipDir
			case d.Type().IsRegular() && strings.EqualFold(filepath.Ext(p), ".json"):
				rel, err := filepath.Rel(root, p)
				if err != nil {
					return err
				}
				add(filepath.Join(name, rel))
			}
			return nil
		})
		if err != nil {
			return nil, e.AsWritten(name, err)
		}
	}
	return out, nil
}

// Check checks the answers in files. With update an answer that holds at new places is written again. The error is one of ctx, of check, or of writing.
func Check(ctx context.Context, e *env.Env, files []string, check Checker, update bool) (*Report, error) {
	r := &Report{Holds: true, Answers: []File{}}
	for _, name := range files {
		a, skip := read(e, name)
		if skip != nil {
			r.Skipped = append(r.Skipped, *skip)
			continue
		}
		res, err := check(ctx, a)
		if err == nil {
			err = ctx.Err()
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", name, err)
		}
		f := File{File: name, State: Fails, Recheck: res}
		if res.Holds {
			f.State = Holds
			if slices.ContainsFunc(res.Items, func(it evidence.ItemCheck) bool { return it.State == evidence.StateMoved }) {
				f.State = Moved
			}
		}
		if update && res.Updated != nil {
			if err := write(e, name, res.Updated); err != nil {
				return nil, err
			}
			f.Updated = true
		}
		r.Holds = r.Holds && res.Holds
		r.Answers = append(r.Answers, f)
	}
	return r, nil
}

// maxFile is how much of a file is read: more than an answer may have.
const maxFile = 16<<20 + 1

// read reads an answer; skip says why the file holds none.
func read(e *env.Env, name string) (a *evidence.Answer, skip *Skipped) {
	f, err := e.OpenFile(name)
	if err != nil {
		return nil, &Skipped{name, err.Error(), true}
	}
	defer f.Close() // read only
	data, err := io.ReadAll(io.LimitReader(f, maxFile))
	if err != nil {
		return nil, &Skipped{name, e.AsWritten(name, err).Error(), true}
	}
	if !looksLike(data) {
		return nil, &Skipped{File: name, Reason: "it is no answer file"}
	}
	if a, err = evidence.ReadAnswer(bytes.NewReader(data)); err != nil {
		return nil, &Skipped{name, err.Error(), true}
	}
	return a, nil
}

// looksLike reports whether a file is meant to be an answer, though it may be cut off or of another version.
func looksLike(data []byte) bool {
	fields := map[string]json.RawMessage{}
	names := []string{"format", "text", "items", "sources"}
	if json.Unmarshal(data, &fields) == nil {
		return !slices.ContainsFunc(names, func(n string) bool { return fields[n] == nil })
	}
	for _, n := range names[:2] { // what begins a file that was cut off
		if !bytes.Contains(data, []byte(`"`+n+`":`)) {
			return false
		}
	}
	return bytes.HasPrefix(bytes.TrimSpace(data), []byte("{"))
}

// write writes an answer in the place of another in one step, so that no reader finds half of one.
func write(e *env.Env, name string, a *evidence.Answer) error {
	path, err := e.Output(name)
	if err != nil {
		return err
	}
	info, err := os.Stat(path)
	if err != nil {
		return e.AsWritten(name, err)
	}
	var b bytes.Buffer
	if err := a.Write(&b); err != nil {
		return err
	}
	return e.AsWritten(name, disk.WriteFileMode(path, b.Bytes(), info.Mode().Perm()))
}
