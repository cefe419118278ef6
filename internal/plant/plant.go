package plant

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
)

// Buffers take unsaved texts of files, by path relative to the root.
type Buffers interface {
	SetOverlay(path string, text []byte) error
	RemoveOverlay(path string) error
}

// Plant is a set of planted files. See the package comment.
type Plant struct {
	root    string
	lang    *language
	server  string
	buffers Buffers

	now    tree
	config int               // which configuration: 0 as found, 1 with the far files but without what leads to them, 2 with that too
	disk   map[string]string // what was written, by path relative to the root
	before map[string]string // what stood in files of the repository that are changed
	over   map[string]node   // modules whose files have a buffer
	ids    int
}

// New plants the files in the repository at root, a folder that may be written to and thrown away. The language is "go",
// "python", "typescript", "rust" or "cpp"; what the server is called decides which configuration files it is given. The
// buffers may be nil: then nothing is left unsaved.
func New(root, lang, server string, buffers Buffers) (*Plant, error) {
	l, ok := languages[lang]
	if !ok {
		return nil, fmt.Errorf("plant: no language %q", lang)
	}
	p := &Plant{
		root: root, lang: l, server: server, buffers: buffers,
		disk: map[string]string{}, before: map[string]string{}, over: map[string]node{},
	}
	if l.prepare != nil {
		if err := l.prepare(p); err != nil {
			return nil, err
		}
	}
	return p, p.set(p.base())
}

// base is what every kind of change begins and ends with.
func (p *Plant) base() tree {
	p.ids = 0
	return tree{
		"base/core":  {defs: []string{"peak", "peek"}, listed: true},
		"base/other": {defs: []string{"dial"}, listed: true},
		"u1/a":       p.using("peak"),
		"u2/b":       p.using("peak", "peek"),
		"u3/c":       p.using("dial", "peak"),
	}
}

// using is a module that uses the names.
func (p *Plant) using(names ...string) node {
	n := node{listed: true}
	for _, name := range names {
		p.ids++
		n.uses = append(n.uses, use{name, p.ids})
	}
	return n
}

// render returns the text of every file of a tree, by path.
func (p *Plant) render(t tree) (map[string]string, error) {
	files := map[string]string{}
	for mod, n := range t {
		files[p.file(mod)] = p.lang.text(p, t, mod, n)
	}
	if p.lang.beside != nil {
		if err := p.lang.beside(p, t, files); err != nil {
			return nil, err
		}
	}
	return files, nil
}

// file is the path of a module.
func (p *Plant) file(mod string) string { return p.lang.file(p, mod) }

// set makes the tree what is on disk, by writing what differs.
func (p *Plant) set(t tree) error { return p.setBy(t, p.write) }

// setBy is set with another way to write a file.
func (p *Plant) setBy(t tree, write func(file, text string) error) error {
	files, err := p.render(t)
	if err != nil {
		return err
	}
	for _, file := range slices.Sorted(maps.Keys(p.disk)) {
		if _, ok := files[file]; ok {
			continue
		}
		if err := p.remove(file); err != nil {
			return err
		}
	}
	for _, file := range slices.Sorted(maps.Keys(files)) {
		if have, ok := p.disk[file]; ok && have == files[file] {
			continue
		}
		if err := write(file, files[file]); err != nil {
			return err
		}
	}
	p.disk, p.now = files, t
	return nil
}

func (p *Plant) abs(file string) string { return filepath.Join(p.root, filepath.FromSlash(file)) }

func (p *Plant) write(file, text string) error {
	if err := os.MkdirAll(filepath.Dir(p.abs(file)), 0o755); err != nil {
		return err
	}
	return os.WriteFile(p.abs(file), []byte(text), 0o644)
}

// remove takes a file away, with the folders that so become empty; a file of the repository gets its own text again.
func (p *Plant) remove(file string) error {
	if text, ok := p.before[file]; ok {
		return p.write(file, text)
	}
	if err := os.Remove(p.abs(file)); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for dir := path.Dir(file); dir != "."; dir = path.Dir(dir) {
		if os.Remove(p.abs(dir)) != nil {
			break // something is left in it
		}
	}
	return nil
}

// move renames a file or folder on disk, so that set need not write it.
func (p *Plant) move(from, to string) error {
	if err := os.MkdirAll(filepath.Dir(p.abs(to)), 0o755); err != nil {
		return err
	}
	if err := os.Rename(p.abs(from), p.abs(to)); err != nil {
		return err
	}
	for file, text := range maps.Clone(p.disk) {
		rest, ok := strings.CutPrefix(file, from)
		if ok && (rest == "" || rest[0] == '/') {
			delete(p.disk, file)
			p.disk[to+rest] = text
		}
	}
	return nil
}

// Question is what to ask, and about what.
type Question struct {
	Ask  Ask
	Name string // of References and WorkspaceSymbols
	// Path is that of a file, relative to the root: the one of Symbols, or with a line and a column, both from 1 and in
	// bytes, the place of Definition.
	Path      string
	Line, Col int
}

// Ask is a kind of question.
type Ask string

// The questions.
const (
	References       Ask = "references"        // by name, without the declaration
	Definition       Ask = "definition"        // of what a place uses
	Symbols          Ask = "symbols"           // of a file
	WorkspaceSymbols Ask = "workspace symbols" // of exactly that name
)

// Check is a question and its answer.
type Check struct {
	Question
	// Want is the whole answer, sorted: "path:line" of places, "name:line" of the symbols of a file, of which only those
	// count that were planted. Nil for a name that is not there, or a place that leads nowhere.
	Want []string
	// Also may be in the answer too: an import that leads nowhere is all that some know of what it should bring.
	Also []string
}

// counts reports whether a symbol of a file belongs into the answer. Some list what a file imports as its own.
func (c Check) counts(name string) bool {
	return strings.HasPrefix(name, "zqval") || slices.ContainsFunc(c.Want, func(w string) bool { return strings.HasPrefix(w, name+":") })
}

// texts are the modules' texts as a question is to see them.
func (p *Plant) texts() map[string]string {
	out := map[string]string{}
	for mod, n := range p.now {
		out[mod] = p.lang.text(p, p.now, mod, n)
	}
	for mod, n := range p.over {
		out[mod] = p.lang.text(p, p.now, mod, n)
	}
	return out
}

// places are the lines that declare and use a name.
func (p *Plant) places(name string) (defs, uses []string, last Question) {
	word := p.lang.name(name)
	texts := p.texts()
	for _, mod := range slices.Sorted(maps.Keys(texts)) {
		n, ok := p.over[mod]
		if !ok {
			n = p.now[mod]
		}
		declares := slices.Contains(n.defs, name)
		for i, line := range strings.Split(texts[mod], "\n") {
			col := wordIn(line, word)
			if col < 0 {
				continue
			}
			at := fmt.Sprintf("%s:%d", p.file(mod), i+1)
			if declares {
				defs, declares = append(defs, at), false
				continue
			}
			uses = append(uses, at)
			last = Question{Ask: Definition, Path: p.file(mod), Line: i + 1, Col: col + 1}
		}
	}
	slices.Sort(defs)
	slices.Sort(uses)
	return defs, uses, last
}

// wordIn is the offset of a word in a line, -1 when it is not there.
func wordIn(line, word string) int {
	for from := 0; ; {
		i := strings.Index(line[from:], word)
		if i < 0 {
			return -1
		}
		i += from
		end := i + len(word)
		if (i == 0 || !letter(line[i-1])) && (end == len(line) || !letter(line[end])) {
			return i
		}
		from = end
	}
}

func letter(c byte) bool {
	return c == '_' || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}

// checks are all questions about a name and a module, References first. Mod may be empty.
func (p *Plant) checks(name, mod string) []Check {
	defs, uses, last := p.places(name)
	word := p.lang.name(name)
	list := []Check{{Question: Question{Ask: References, Name: word}, Want: uses}}
	if last.Path != "" && len(defs) == 1 {
		list = append(list, Check{Question: last, Want: defs})
	}
	if text, ok := p.texts()[mod]; ok {
		list = append(list, Check{Question: Question{Ask: Symbols, Path: p.file(mod)}, Want: p.lang.declared(text)})
	}
	return append(list, Check{Question: Question{Ask: WorkspaceSymbols, Name: word}, Want: defs})
}
