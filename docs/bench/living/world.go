package main

import (
	_ "embed"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/typeset"
)

//go:embed corpus.txt
var corpus string

// A fact is a sentence of an answer with its evidence.
type fact struct {
	id, file string
	entity   string // of code, within its file
	sentence string
	evidence string // as it stands in the file when the answer is saved
}

// A block is a piece of a file that edits move as a whole: a sentence, a paragraph, a function.
type block struct {
	fact, entity, text string
	glue               string // before it
}

// A file is blocks in order.
type file struct {
	name   string
	blocks []block
	wide   int                 // of a PDF: letters of a line
	tall   int                 // of a PDF: lines of a page
	hyphen bool                // of a PDF: long words are divided at line ends
	form   func(string) string // of the whole text, which keeps its lines; nil: as it is
}

// A world is the files that answers cite.
type world struct {
	files    []*file
	facts    []fact
	broken   map[string]bool // facts that their evidence does not bear out any more
	reworded map[string]bool // facts that it bears out in other words
}

func newWorld() *world {
	w := &world{broken: map[string]bool{}, reworded: map[string]bool{}}
	for part := range strings.SplitSeq(strings.TrimPrefix(corpus, "==== "), "\n==== ") {
		name, rest, _ := strings.Cut(part, "\n")
		f := &file{name: name, wide: 84, tall: 11}
		for piece := range strings.SplitSeq(strings.TrimPrefix(rest, "%%"), "\n%%") {
			head, text, _ := strings.Cut(piece, "\n")
			b := block{glue: "\n\n", text: strings.TrimRight(text, "\n")}
			switch {
			case strings.HasPrefix(head, "+"):
				b.glue, head = " ", head[1:]
			case strings.HasPrefix(head, "_"):
				b.glue, head = "\n", head[1:]
			}
			if p := strings.Split(head, "|"); len(p) == 3 {
				b.fact, b.entity = strings.TrimSpace(p[0]), strings.TrimSpace(p[1])
				w.facts = append(w.facts, fact{b.fact, name, b.entity, strings.TrimSpace(p[2]), b.text})
			}
			f.blocks = append(f.blocks, b)
		}
		w.files = append(w.files, f)
	}
	return w
}

// A spot is where a block stands: lines of a text, or a page of a PDF with the first and last line of the block.
type spot struct {
	file        string
	first, last int
	page        int
	lines       []string
}

// text writes a file that is no PDF, and says where its facts stand.
func (f *file) text() (string, map[string]spot) {
	var b strings.Builder
	at := map[string]spot{}
	for i, k := range f.blocks {
		if i > 0 {
			b.WriteString(k.glue)
		}
		first := strings.Count(b.String(), "\n") + 1
		b.WriteString(k.text)
		if k.fact != "" {
			at[k.fact] = spot{file: f.name, first: first, last: strings.Count(b.String(), "\n") + 1}
		}
	}
	b.WriteByte('\n')
	if f.form != nil {
		return f.form(b.String()), at
	}
	return b.String(), at
}

// pdf typesets a file, and says where its facts stand.
func (f *file) pdf() (string, map[string]spot) {
	at := map[string]spot{}
	pages := [][]typeset.Line{nil}
	for _, k := range f.blocks {
		down := 26
		for i, l := range wrap(strings.Join(strings.Fields(k.text), " "), f.wide, f.hyphen) {
			if len(pages[len(pages)-1]) == f.tall {
				pages = append(pages, nil)
			}
			n := len(pages) - 1
			pages[n] = append(pages[n], typeset.Line{Text: l, Down: down})
			down = 14
			if k.fact != "" {
				s := at[k.fact]
				if i == 0 {
					s = spot{file: f.name, page: n + 1}
				}
				s.lines = append(s.lines, l)
				at[k.fact] = s
			}
		}
	}
	return typeset.PDF(pages...), at
}

// write gives the content of all files by name, and where the facts stand.
func (w *world) write() (map[string]string, map[string]spot) {
	files, all := map[string]string{}, map[string]spot{}
	for _, f := range w.files {
		make := f.text
		if path.Ext(f.name) == ".pdf" {
			make = f.pdf
		}
		content, at := make()
		files[f.name] = content
		for id, s := range at {
			all[id] = s
		}
	}
	return files, all
}

// wrap breaks a text into lines, and divides words where it may.
func wrap(s string, wide int, hyphen bool) (out []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		for {
			if line == "" || len(line)+1+len(word) <= wide {
				line = strings.TrimSpace(line + " " + word)
				break
			}
			left := wide - len(line) - 2
			if hyphen && plain(word) && left >= 3 && len(word)-left >= 3 {
				line += " " + word[:left] + "-"
				word = word[left:]
			}
			out, line = append(out, line), ""
		}
	}
	return append(out, line)
}

// plain reports a word of small letters, which may be divided.
func plain(word string) bool {
	return strings.Trim(word, "abcdefghijklmnopqrstuvwxyz") == ""
}

// What edits do. They panic where the corpus has not what they name: they are part of it.

func (w *world) file(name string) *file {
	i := slices.IndexFunc(w.files, func(f *file) bool { return f.name == name })
	if i < 0 {
		panic(fmt.Sprintf("no file %s", name))
	}
	return w.files[i]
}

func (w *world) remove(name string) {
	f := w.file(name)
	w.files = slices.DeleteFunc(w.files, func(o *file) bool { return o == f })
}

// add makes a file of blocks.
func (w *world) add(name string, blocks ...block) *file {
	f := &file{name: name, blocks: blocks, wide: 84, tall: 11}
	w.files = append(w.files, f)
	return f
}

// find finds the block of a fact.
func (w *world) find(id string) (*file, int) {
	for _, f := range w.files {
		if i := slices.IndexFunc(f.blocks, func(b block) bool { return b.fact == id }); i >= 0 {
			return f, i
		}
	}
	panic(fmt.Sprintf("no fact %s", id))
}

// take removes the block of a fact and returns it.
func (w *world) take(id string) block {
	f, i := w.find(id)
	b := f.blocks[i]
	f.blocks = slices.Delete(f.blocks, i, i+1)
	return b
}

// put changes the text of a fact's block.
func (w *world) put(id, old, new string) {
	f, i := w.find(id)
	was := f.blocks[i].text
	if f.blocks[i].text = strings.Replace(was, old, new, 1); f.blocks[i].text == was {
		panic(fmt.Sprintf("%s: no %q in %q", id, old, was))
	}
}

// breaks changes the text so that the fact is no longer so.
func (w *world) breaks(id, old, new string) {
	w.put(id, old, new)
	w.broken[id] = true
}

// rewords changes the text, and the fact is still so.
func (w *world) rewords(id, old, new string) {
	w.put(id, old, new)
	w.reworded[id] = true
}

// each changes the text of all blocks of a file.
func (f *file) each(change func(string) string) {
	for i := range f.blocks {
		f.blocks[i].text = change(f.blocks[i].text)
	}
}

// copied are the blocks without their facts.
func copied(blocks []block) []block {
	out := slices.Clone(blocks)
	for i := range out {
		out[i].fact = ""
	}
	return out
}

func text(s string) block { return block{text: s, glue: "\n\n"} }
