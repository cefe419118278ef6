package skill

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/skill/internal/parse"
	"github.com/findspot/findspot/skill/internal/syntax"
	"github.com/findspot/findspot/skill/workflow"
)

// A Skill is a loaded SKILL.md folder, workflow file, or Go value. It is read-only and safe for concurrent use.
type Skill struct {
	Name          string
	Description   string
	License       string
	Compatibility string
	Metadata      map[string]string
	AllowedTools  []string // as listed; nil: the skill does not say (see Allowed)
	Body          string   // the text below the front matter, with the workflow block
	File          string   // path of SKILL.md, or of the workflow file, in the loaded file system; empty for a Go value
	// Digest is the hex SHA-256 of SKILL.md, with those of all that a run of the skill reads or runs: a workflow file beside it, the
	// files that its steps and scripts name, and the skills that it uses. Another file in the folder, a test for example, is no part of it.
	Digest   string
	Examples []string           // metadata.examples, one a line: tasks it is for
	NotFor   []string           // metadata.not-for, one a line: tasks it is not for
	Triggers []string           // metadata.triggers, one RE2 expression a line; named groups become inputs
	Warnings []workflow.Problem // what the specification asks for and a reader may overlook

	workflow     *workflow.Workflow // as it is written; nil: there is none
	plain        *plainSteps        // of a body without one; nil: it is a Go value or a workflow file
	triggers     []*regexp.Regexp
	bodyLine     int               // the line of the file on which the body begins
	fsys         fs.FS             // the folder
	files        map[string]string // that the workflow names: their hex SHA-256 when the skill was loaded, by path
	workflowFile string            // where the workflow stands; empty: in File
	uses         map[string]*Skill
	words        *profileMemory // what a choice among skills reads off the texts; nil: read each time
}

const (
	skillFile    = "SKILL.md"
	maxSkillFile = 1 << 20 // bytes
	maxAsset     = 1 << 20 // bytes of a file that a step reads
	maxDepth     = 6       // folders below the root in which skills are looked for
	maxSkills    = 1000
	maxEntries   = 100_000 // files and folders that are looked at for skills
)

// Load reads every folder with a SKILL.md, and every workflow file outside them ([LoadWorkflow]), up to six levels deep,
// hidden folders left out. It returns the good skills by
// name, and for the others one joined error of [*LoadError] values that name file and line. Links are not followed, and what is no regular
// file is never opened. At most 1,000 skills, and 100,000 files and folders, are looked at.
func Load(fsys fs.FS) ([]*Skill, error) {
	var (
		good []*Skill
		bad  []error
	)
	entries := 0
	err := fs.WalkDir(fsys, ".", func(p string, d fs.DirEntry, err error) error {
		if entries++; entries > maxEntries {
			bad = append(bad, fmt.Errorf("%s: more than %d files and folders: the rest was ignored: give the folder that contains the skills", p, maxEntries))
			return fs.SkipAll
		}
		if err != nil {
			bad = append(bad, fmt.Errorf("%s: %w", p, err))
			if d != nil && d.IsDir() {
				return fs.SkipDir
			}
			return nil
		}
		if !d.IsDir() {
			if s, err := looseWorkflow(fsys, p); err != nil {
				bad = append(bad, err)
			} else if s != nil {
				good = append(good, s)
			}
			if len(good)+len(bad) >= maxSkills {
				bad = append(bad, fmt.Errorf("more than %d skills: the rest was not read", maxSkills))
				return fs.SkipAll
			}
			return nil
		}
		base := path.Base(p)
		if p != "." && (strings.HasPrefix(base, ".") || base == "node_modules") || strings.Count(p, "/") >= maxDepth {
			return fs.SkipDir
		}
		file := path.Join(p, skillFile)
		info, err := lstat(fsys, file)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return nil
		case err != nil:
			bad = append(bad, loadError(file, []workflow.Problem{{File: file, Text: err.Error()}}))
			return fs.SkipDir
		}
		if len(good)+len(bad) >= maxSkills {
			bad = append(bad, fmt.Errorf("more than %d skills: the rest was not read", maxSkills))
			return fs.SkipAll
		}
		s, err := loadOne(fsys, p, file, info)
		if err != nil {
			bad = append(bad, err)
		} else {
			good = append(good, s)
		}
		return fs.SkipDir // a skill's folder holds no other skill
	})
	if err != nil {
		bad = append(bad, err)
	}
	good, more := link(good)
	return good, errors.Join(append(bad, more...)...)
}

// looseWorkflow reads a workflow file outside a skill's folder. Other programs have a workflow.yaml too: without steps it
// is none of ours.
func looseWorkflow(fsys fs.FS, name string) (*Skill, error) {
	if !isWorkflowFile(name) {
		return nil, nil
	}
	if path.Base(name) == workflowFileName {
		if info, err := lstat(fsys, name); err != nil || !info.Mode().IsRegular() {
			return nil, nil
		}
		data, err := readBounded(fsys, name, syntax.MaxWorkflow)
		if err != nil {
			return nil, nil
		}
		root, err := syntax.Parse(syntax.CleanText(string(data)), 1)
		if err != nil {
			return nil, nil
		}
		if _, ours := root.Get("steps"); !ours {
			return nil, nil
		}
	}
	return loadWorkflowFile(fsys, name)
}

// lstat is the entry itself, not what a link leads to.
func lstat(fsys fs.FS, p string) (fs.FileInfo, error) {
	entries, err := fs.ReadDir(fsys, path.Dir(p))
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if e.Name() == path.Base(p) {
			return e.Info()
		}
	}
	return nil, &fs.PathError{Op: "open", Path: p, Err: fs.ErrNotExist}
}

func loadOne(fsys fs.FS, dir, file string, info fs.FileInfo) (*Skill, error) {
	one := func(text string) error { return loadError(file, []workflow.Problem{{File: file, Text: text}}) }
	if !info.Mode().IsRegular() {
		return nil, one("not a regular file: links are not followed")
	}
	data, err := readBounded(fsys, file, maxSkillFile)
	if err != nil {
		return nil, one(err.Error())
	}
	folder, err := fs.Sub(fsys, dir)
	if err != nil {
		return nil, one(err.Error())
	}
	s, problems := parseSkill(file, string(data))
	if len(problems) == 0 {
		problems = s.besideSkill(fsys, dir, string(data))
	}
	if len(problems) == 0 {
		s.fsys = folder
		if base := path.Base(dir); dir != "." && s.Name != base {
			s.Warnings = append(s.Warnings, workflow.Problem{File: file, Line: 1, Text: fmt.Sprintf("name %q differs from its folder %q", s.Name, base)})
		}
		problems = s.checkAssets()
	}
	if len(problems) > 0 {
		return nil, loadError(file, problems)
	}
	s.plainSteps()
	return s, nil
}

func readBounded(fsys fs.FS, name string, limit int64) ([]byte, error) {
	f, err := fsys.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	if info, err := f.Stat(); err != nil || !info.Mode().IsRegular() { // it may be another one by now
		return nil, errors.Join(errors.New("not a regular file"), err)
	}
	data, err := io.ReadAll(io.LimitReader(f, limit+1))
	if err != nil {
		return nil, err
	}
	if int64(len(data)) > limit {
		return nil, fmt.Errorf("over %d bytes: %w", limit, ErrTooLarge)
	}
	return data, nil
}

// Folder is the skill's folder; nil: it has none.
func (s *Skill) Folder() fs.FS { return s.fsys }

// Uses are the skills that the steps of the kind use name, by name. The map is not to be changed.
func (s *Skill) Uses() map[string]*Skill { return s.uses }

// Asset reads a file of the skill's folder that its workflow names. The digest of the skill covers it, so that one which has changed since
// the skill was loaded is refused.
func (s *Skill) Asset(name string) ([]byte, error) {
	data, err := s.ReadFile(name, maxAsset)
	if err != nil {
		return nil, err
	}
	if was, ok := s.files[name]; ok && was != digestOf(string(data)) {
		return nil, fmt.Errorf("%q: it has changed since the skill was loaded: load the skill again", name)
	}
	return data, nil
}

// ReadFile reads a file of the skill's folder, of limit bytes at most. A path that leaves the folder, one through a link, and what is no regular file is refused.
func (s *Skill) ReadFile(name string, limit int64) ([]byte, error) {
	if s.fsys == nil {
		return nil, fmt.Errorf("%s: the skill has no folder", name)
	}
	if !fs.ValidPath(name) || name == "." {
		return nil, fmt.Errorf("%q: a path must stay inside the skill's folder", name)
	}
	for p := name; p != "."; p = path.Dir(p) {
		info, err := lstat(s.fsys, p)
		if err != nil {
			return nil, err
		}
		if p == name && !info.Mode().IsRegular() || p != name && !info.IsDir() {
			return nil, fmt.Errorf("%q: not a regular file: links are not followed", name)
		}
	}
	return readBounded(s.fsys, name, limit)
}

// Parse reads one SKILL.md given as text. file names it in errors. The skill has no folder, so that a step that reads a
// file of it fails. All problems are reported at once in a [*LoadError].
func Parse(file, text string) (*Skill, error) {
	if len(text) > maxSkillFile {
		return nil, loadError(file, []workflow.Problem{{File: file, Text: fmt.Sprintf("over %d bytes", maxSkillFile)}})
	}
	s, problems := parseSkill(file, text)
	if len(problems) > 0 {
		return nil, loadError(file, problems)
	}
	s.plainSteps()
	return s, nil
}

// digestOf is the hex SHA-256 of texts; several are set off from one another by their lengths.
func digestOf(texts ...string) string {
	h := sha256.New()
	for _, t := range texts {
		if len(texts) > 1 {
			fmt.Fprintf(h, "%d\n", len(t))
		}
		io.WriteString(h, t)
	}
	return hex.EncodeToString(h.Sum(nil))
}

func parseSkill(file, text string) (*Skill, []workflow.Problem) {
	s := &Skill{File: file, Digest: digestOf(text), words: &profileMemory{}}
	text = syntax.CleanText(text)
	front, body, bodyLine, err := syntax.SplitFront(text)
	if err != nil {
		return nil, []workflow.Problem{{File: file, Line: 1, Text: err.Error()}}
	}
	problems := s.parseFront(front)
	s.Body, s.bodyLine = body, bodyLine
	block, line, wrong := syntax.WorkflowBlock(body, bodyLine)
	problems = append(problems, parse.Problems(file, wrong)...)
	if block != "" || line > 0 {
		w, more := parseWorkflow(file, block, line)
		problems = append(problems, more...)
		if len(more) == 0 {
			s.workflow = w
			problems = append(problems, w.Check(file, s.AllowedTools)...)
		}
	}
	return s, problems
}

// checkAssets looks at the files that steps name, and makes them a part of the digest.
func (s *Skill) checkAssets() []workflow.Problem {
	if s.workflow == nil {
		return nil
	}
	var out []workflow.Problem
	files := map[string]string{}
	look := func(name string) error {
		data, err := s.Asset(name)
		files[name] = digestOf(string(data))
		return err
	}
	for _, sc := range s.workflow.Scripts {
		if err := look(sc.Path); err != nil {
			out = append(out, workflow.Problem{File: s.Source(), Line: sc.Line, Text: fmt.Sprintf("scripts: %v", err)})
		}
	}
	for st := range s.workflow.All() {
		if st.Expand == nil || st.Expand.Glossary == "" {
			continue
		}
		if err := look(st.Expand.Glossary); err != nil {
			out = append(out, workflow.Problem{File: s.Source(), Line: st.Line, Text: fmt.Sprintf("step %q: glossary: %v", st.ID, err)})
		}
	}
	s.files = files
	s.covers("file", files)
	return out
}

// covers makes the digest cover more than it did: digests by name, of one kind.
func (s *Skill) covers(kind string, digests map[string]string) {
	if len(digests) == 0 {
		return
	}
	all := []string{s.Digest, kind}
	for _, name := range slices.Sorted(maps.Keys(digests)) {
		all = append(all, name, digests[name])
	}
	s.Digest = digestOf(all...)
}

// coverUses makes the digest cover the skills that the skill uses, which are known by now, and theirs before.
func (s *Skill) coverUses(done map[*Skill]bool) {
	if done[s] {
		return
	}
	done[s] = true
	used := map[string]string{}
	for name, u := range s.uses {
		u.coverUses(done)
		used[name] = u.Digest
	}
	s.covers("use", used)
}

// link joins skills to those they use. Two of one name, a use of an unknown skill and a circle of uses are errors; so is
// the use of a skill that is wrong itself.
func link(in []*Skill) (good []*Skill, bad []error) {
	byName := map[string]*Skill{}
	slices.SortStableFunc(in, func(a, b *Skill) int { return strings.Compare(a.Name, b.Name) })
	for _, s := range in {
		if first, twice := byName[s.Name]; twice {
			bad = append(bad, loadError(s.File, []workflow.Problem{{File: s.File, Line: 1, Text: fmt.Sprintf("skill %q is already in %s", s.Name, first.File)}}))
			continue
		}
		byName[s.Name] = s
	}
	names := slices.Sorted(func(yield func(string) bool) {
		for n := range byName {
			if !yield(n) {
				return
			}
		}
	})
	wrong := map[string][]workflow.Problem{}
	for _, n := range names {
		s := byName[n]
		if ring, line := cycle(byName, n); ring != nil {
			wrong[n] = append(wrong[n], workflow.Problem{File: s.Source(), Line: line, Text: "skills use each other in a circle: " + strings.Join(ring, " -> ")})
		}
	}
	for again := true; again; {
		again = false
		for _, n := range names {
			s := byName[n]
			if wrong[n] != nil {
				continue
			}
			for _, st := range usesOf(s) {
				switch _, broken := wrong[st.Use.Skill]; {
				case byName[st.Use.Skill] == nil:
					wrong[n] = append(wrong[n], workflow.Problem{File: s.Source(), Line: st.Line, Text: fmt.Sprintf("step %q uses skill %q, which is not loaded", st.ID, st.Use.Skill)})
				case broken:
					wrong[n] = append(wrong[n], workflow.Problem{File: s.Source(), Line: st.Line, Text: fmt.Sprintf("step %q uses skill %q, which has errors", st.ID, st.Use.Skill)})
				}
			}
			again = again || wrong[n] != nil
		}
	}
	for _, n := range names {
		s := byName[n]
		if wrong[n] != nil {
			bad = append(bad, loadError(s.File, wrong[n]))
			continue
		}
		for _, st := range usesOf(s) {
			if s.uses == nil {
				s.uses = map[string]*Skill{}
			}
			s.uses[st.Use.Skill] = byName[st.Use.Skill]
		}
		good = append(good, s)
	}
	done := map[*Skill]bool{}
	for _, s := range good {
		s.coverUses(done)
	}
	return good, bad
}

func usesOf(s *Skill) (out []*workflow.Step) {
	if s == nil || s.workflow == nil {
		return nil
	}
	for st := range s.workflow.All() {
		if st.Kind == workflow.KindUse && st.Use != nil {
			out = append(out, st)
		}
	}
	return out
}

// cycle returns the shortest way from a skill back to itself, by name, and the line of its first step.
func cycle(byName map[string]*Skill, start string) (ring []string, line int) {
	type way struct {
		names []string
		line  int
	}
	seen := map[string]bool{}
	for queue := []way{{names: []string{start}}}; len(queue) > 0; queue = queue[1:] {
		w := queue[0]
		for _, st := range usesOf(byName[w.names[len(w.names)-1]]) {
			first := w.line
			if first == 0 {
				first = st.Line
			}
			names := append(slices.Clone(w.names), st.Use.Skill)
			if st.Use.Skill == start {
				return names, first
			}
			if !seen[st.Use.Skill] {
				seen[st.Use.Skill] = true
				queue = append(queue, way{names, first})
			}
		}
	}
	return nil, 0
}
