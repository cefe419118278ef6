package findspot

import (
	"bytes"
	"context"
	"slices"
	"strings"
	"testing/fstest"
	"unicode/utf8"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/charset"
	"github.com/findspot/findspot/lspclient"
)

// A Placed is a place that a language server gave, joined with the code graph.
type Placed struct {
	// Entity is the innermost function or class around the place, else its file. Its id begins with the repository's name where
	// there are several. It is the zero Entity outside of the repository.
	Entity codegraph.Entity `json:"entity"`
	lspclient.Location
	Text string `json:"text"` // the place's first line, without the blanks around it, at most 1,000 bytes; "" outside of the repository
}

// Places is a language server's answer about one symbol, with the function or class around each place. It says of itself
// what [lspclient.Result] does: an empty list means "none" only when None says so.
type Places struct {
	lspclient.Result
	Repo   string   `json:"repo,omitempty"` // the repository's name where there are several
	Placed []Placed `json:"locations"`      // one for each of Locations, in their order; never null in JSON
}

// Entities lists the functions, classes and files that hold the places, each once, in the order of the places.
func (p *Places) Entities() []codegraph.Entity {
	out := []codegraph.Entity{}
	seen := map[string]bool{}
	for _, x := range p.Placed {
		if x.Entity.ID != "" && !seen[x.Entity.ID] {
			seen[x.Entity.ID] = true
			out = append(out, x.Entity)
		}
	}
	return out
}

// maxPlacedText bounds the text of a place, in bytes: lines of minified files are no text to read.
const maxPlacedText = 1000

// A joiner finds the entities and lines of places in one repository.
type joiner struct {
	r     *repo
	g     *codegraph.Graph // nil when it could not be had
	note  string           // why there is none
	lines map[string][][]byte
	own   map[string]*codegraph.Graph // of unsaved buffers, one graph a file
}

// joiner brings the graph up to date, so that its lines are those that the server saw. Without a graph entities are files.
func (r *repo) joiner(ctx context.Context) *joiner {
	j := &joiner{r: r, lines: map[string][][]byte{}, own: map[string]*codegraph.Graph{}}
	opened, err := r.open(ctx)
	if err == nil && !opened {
		err = r.ix.Refresh(ctx)
	}
	if err != nil {
		j.note = "functions around the places are not known: " + err.Error()
		return j
	}
	j.g = r.graph()
	return j
}

// enclosing gives the innermost entity around a line, with the id as the workspace shows it.
func (j *joiner) enclosing(ctx context.Context, path string, line int) codegraph.Entity {
	e := j.local(ctx, path, line)
	e.ID = j.r.id(e.ID)
	return e
}

// local is enclosing with the id as the repository's graph has it.
func (j *joiner) local(ctx context.Context, path string, line int) codegraph.Entity {
	g := j.g
	if text, ok := j.r.overlay(path); ok {
		if j.own[path] == nil {
			one, err := codegraph.Build(ctx, fstest.MapFS{path: &fstest.MapFile{Data: text}}, j.r.w.opt.Languages, nil)
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

// text gives a line of a file as a [Placed] shows it.
func (j *joiner) text(path string, n int) string {
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
	if len(text) > maxPlacedText {
		text = text[:maxPlacedText]
	}
	return strings.ToValidUTF8(string(text), string(utf8.RuneError))
}

func (j *joiner) place(ctx context.Context, l lspclient.Location) Placed {
	p := Placed{Location: l}
	if !l.Outside() {
		p.Entity, p.Text = j.enclosing(ctx, l.Path, l.Line), j.text(l.Path, l.Line)
	}
	return p
}

func (j *joiner) places(ctx context.Context, list []lspclient.Location) []Placed {
	out := make([]Placed, 0, len(list))
	for _, l := range list {
		out = append(out, j.place(ctx, l))
	}
	return out
}

// placed joins an answer with the graph.
func (r *repo) placed(ctx context.Context, res *lspclient.Result) *Places {
	j := r.joiner(ctx)
	p := &Places{Result: *res, Repo: r.label(), Placed: j.places(ctx, res.Locations)}
	p.Note = joinNotes(p.Note, j.note)
	return p
}

func joinNotes(notes ...string) string {
	return strings.Join(slices.DeleteFunc(notes, func(s string) bool { return s == "" }), "; ")
}

// overlay gives the unsaved buffer of a file, if there is one.
func (r *repo) overlay(path string) ([]byte, bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	text, ok := r.buffers[path]
	return text, ok
}

// readText reads a file, or its unsaved buffer.
func (r *repo) readText(path string) ([]byte, error) {
	if text, ok := r.overlay(path); ok {
		return charset.UTF8(path, text), nil
	}
	return r.text(path)
}
