package living

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"path"
	"regexp"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph"
	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/items"
	"github.com/findspot/findspot/internal/repository"
	"github.com/findspot/findspot/skill/evidence"
)

// A file is a file of a repository with its text.
type file struct {
	*source
	repo *repository.Repository
	path string
}

// code says what has become of evidence in code.
func (c *checker) code(ctx context.Context, it evidence.Item, sealed evidence.Sealed) (evidence.ItemCheck, error) {
	if c.repos == nil {
		repos, err := c.src.Repos.Fresh(ctx)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if len(repos) == 0 {
			return evidence.ItemCheck{}, repository.ErrNone
		}
		c.repos = repos
	}
	own, why, err := c.own(it)
	if err != nil {
		return evidence.ItemCheck{}, err
	}
	var like evidence.Alike
	if own != nil {
		at, note, ok, err := c.in(ctx, own, it, sealed)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if ok {
			return standing(it, at, note), nil
		}
		if like, err = c.alike(ctx, own, it); err != nil {
			return evidence.ItemCheck{}, err
		}
	}
	others, err := c.otherFiles(ctx, it, own)
	if err != nil {
		return evidence.ItemCheck{}, err
	}
	replaced := own != nil && like.Score >= inStead && c.sameEntity(own, like.First, it)
	var places []evidence.Place
	note := ""
	for _, f := range others {
		at, n, ok, err := c.in(ctx, f, it, sealed)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if ok {
			if places = append(places, at); len(places) == 1 {
				note = n
			}
		}
	}
	switch {
	case len(places) > 0 && replaced:
		return changed(evidence.StateChanged, c.atLines(own, like.Stretch), like, "the old words still stand in "+places[0].String()), nil
	case len(places) > 1:
		note = fmt.Sprintf("the same words stand in %d files; this one is the likeliest by its name and folder", len(places))
		fallthrough
	case len(places) == 1:
		return evidence.ItemCheck{State: evidence.StateMoved, At: places[0], Note: joinNotes(note, why)}, nil
	}
	best, in := like, own
	for _, f := range others[:min(len(others), maxAlike)] {
		a, err := c.alike(ctx, f, it)
		if err != nil {
			return evidence.ItemCheck{}, err
		}
		if a.Score > best.Score+clearly || best.Score < asChanged && a.Score > best.Score {
			best, in = a, f
		}
	}
	switch {
	case best.Score >= asChanged || in == own && best.Score >= asHere && here(best.Stretch, it.At):
		return changed(evidence.StateChanged, c.atLines(in, best.Stretch), best, why), nil
	case best.Score >= asNearest:
		return changed(evidence.StateGone, c.atLines(in, best.Stretch), best, why), nil
	}
	return evidence.ItemCheck{State: evidence.StateGone, Note: why}, nil
}

// own reads the file of a place; nil where it cannot be had, and why.
func (c *checker) own(it evidence.Item) (f *file, why string, err error) {
	bad := error(errs.NotFound)
	for _, r := range c.repos {
		local, ok := r.LocalID(items.File(it.At))
		if !ok {
			continue
		}
		f, err := c.file(r, local)
		if err == nil {
			return f, "", nil
		}
		if !missing(err) {
			return nil, "", err
		}
		bad = err
	}
	return nil, reason("file", bad), nil
}

// errBinary says that a file holds no text.
var errBinary = errors.New("it is binary")

func (c *checker) file(r *repository.Repository, p string) (*file, error) {
	key := "file " + r.Root + "\x00" + p
	if s := c.texts[key]; s != nil {
		return &file{s, r, p}, nil
	}
	data, err := r.SourceText(p)
	if err != nil {
		return nil, err
	}
	if bytes.IndexByte(data[:min(len(data), 8000)], 0) >= 0 {
		return nil, fmt.Errorf("%s: %w", p, errBinary)
	}
	s, err := c.ready(key, string(data))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", p, err)
	}
	return &file{s, r, p}, nil
}

// in looks for the text of an item in a file, and gives the place: in the entity in which it stood where it stands there, else nearest to the old line.
func (c *checker) in(ctx context.Context, f *file, it evidence.Item, sealed evidence.Sealed) (at evidence.Place, note string, ok bool, err error) {
	found, err := f.text.Find(ctx, it, maxPlaces)
	if err != nil {
		return at, "", false, err
	}
	found = slices.DeleteFunc(found, func(s evidence.Stretch) bool { return !f.literally(it, s) })
	otherwise := ""
	if len(found) == 0 {
		if e, ok := c.bySignature(f, it); ok {
			return evidence.Place{Repo: f.repo.Label(), Path: f.path, Line: e.Line, EndLine: e.EndLine, Entity: f.repo.ID(e.ID)}, "", true, nil
		}
		if found = f.written(it); len(found) == 0 {
			return at, "", false, nil
		}
		otherwise = "the same code, written otherwise"
	}
	line := it.At.Line
	if len(found) > 1 {
		if line, err = c.expected(ctx, f.source, it.At, line); err != nil {
			return at, "", false, err
		}
	}
	many := several(len(found), line-it.At.Line, "the file")
	entity := ""
	if same := slices.DeleteFunc(slices.Clone(found), func(s evidence.Stretch) bool { return !c.sameEntity(f, s.First, it) }); len(same) > 0 {
		found = same
		if len(same) == 1 {
			many = ""
		}
	} else if c.exists(it.At.Entity) { // it names another entity than that around it, as a reference may
		entity = it.At.Entity
	}
	many = joinNotes(otherwise, many)
	s := nearest(found, line)
	if it.At.Line == 0 {
		return evidence.Place{Repo: f.repo.Label(), Path: f.path, Entity: cmp.Or(entity, c.entity(f, s.First, it))}, many, true, nil
	}
	lines, exact := f.place(s, height(it.At), sealed.Hash)
	at = c.atLines(f, lines)
	if e, ok := f.repo.Graph().Enclosing(f.path, s.First); !exact && ok && height(it.At) > s.Last-s.First+1 && it.At.Entity != "" && e.Line <= s.First && s.First-e.Line < 10 {
		at.Line, at.EndLine = e.Line, e.EndLine // a signature stands for its whole entity
	}
	at.Entity = cmp.Or(entity, c.entity(f, s.First, it))
	return at, many, true, nil
}

// bySignature finds the entity of a file whose signature is the text of an item: it is written on one line there. Of a file it is the name.
func (c *checker) bySignature(f *file, it evidence.Item) (codegraph.Entity, bool) {
	if it.Kind != evidence.KindEntity {
		return codegraph.Entity{}, false
	}
	_, name := path.Split(strings.TrimPrefix(lastName(it.At.Entity), ":"))
	for _, e := range f.repo.Graph().Named(name) {
		if e.Path == f.path && cmp.Or(e.Signature, e.Name) == it.Text {
			return e, true
		}
	}
	return codegraph.Entity{}, false
}

// lastName is the last name of an entity's id.
func lastName(id string) string {
	if i := strings.LastIndexAny(id, ":."); i >= 0 && strings.Contains(id, ":") {
		id = id[i+1:]
	}
	if i := strings.LastIndexByte(id, '/'); i >= 0 {
		id = id[i+1:]
	}
	id, _, _ = strings.Cut(id, "#")
	return id
}

// entity is the id of the entity around a line, where the item names one.
func (c *checker) entity(f *file, line int, it evidence.Item) string {
	if it.At.Entity == "" {
		return ""
	}
	return c.around(f, line)
}

// exists reports whether there still is an entity of an id.
func (c *checker) exists(id string) bool {
	return slices.ContainsFunc(c.repos, func(r *repository.Repository) bool {
		local, ok := r.LocalID(id)
		if ok {
			_, ok = r.Graph().Entity(local)
		}
		return ok
	})
}

// around is the id of the entity around a line.
func (c *checker) around(f *file, line int) string {
	if e, ok := f.repo.Graph().Enclosing(f.path, line); ok {
		return f.repo.ID(e.ID)
	}
	return f.repo.ID(f.path)
}

// sameEntity reports whether a line is in the entity that the item names.
func (c *checker) sameEntity(f *file, line int, it evidence.Item) bool {
	if it.At.Entity == "" {
		return distance(line, it.At.Line) <= 10
	}
	return c.around(f, line) == it.At.Entity
}

// atLines is the place of some lines of a file.
func (c *checker) atLines(f *file, s evidence.Stretch) evidence.Place {
	return evidence.Place{Repo: f.repo.Label(), Path: f.path, Line: s.First, EndLine: s.Last, Entity: c.around(f, s.First)}
}

// alike finds what is most like the text of an item in a file, nearest to its entity where the file has it, else to its line.
func (c *checker) alike(ctx context.Context, f *file, it evidence.Item) (evidence.Alike, error) {
	line := it.At.Line
	for _, e := range f.repo.Graph().Named(lastName(it.At.Entity)) {
		if e.Path == f.path {
			line = max(e.Line, line-it.At.Line+e.Line)
			break
		}
	}
	return f.text.Alike(ctx, it, line)
}

// otherFiles lists the files in which the text of an item may stand, but its own, the likeliest first: those that have its longest lines, and those that have an entity of its
// name.
func (c *checker) otherFiles(ctx context.Context, it evidence.Item, own *file) (out []*file, err error) {
	type key struct{ repo, path string }
	votes := map[key]int{}
	for _, l := range longest(it.Text) {
		res, err := c.src.Repos.SearchText(ctx, l, repository.TextSearch{Regexp: true, Limit: 200})
		if err != nil {
			return nil, err
		}
		seen := map[key]bool{}
		for _, m := range res.Lines {
			if k := (key{m.Repo, m.Path}); !seen[k] {
				seen[k] = true
				votes[k] += 2
			}
		}
	}
	for _, r := range c.repos {
		for _, e := range r.Graph().Named(lastName(it.At.Entity)) {
			if it.At.Entity != "" && e.Kind != codegraph.KindDirectory {
				votes[key{r.Label(), e.Path}] += 3
			}
		}
	}
	dir, base := path.Split(it.At.Path)
	for k := range votes {
		d, b := path.Split(k.path)
		if b == base {
			votes[k] += 2
		}
		if d == dir {
			votes[k]++
		}
	}
	keys := make([]key, 0, len(votes))
	for k := range votes {
		keys = append(keys, k)
	}
	slices.SortFunc(keys, func(a, b key) int {
		return cmp.Or(cmp.Compare(votes[b], votes[a]), cmp.Compare(a.repo, b.repo), cmp.Compare(a.path, b.path))
	})
	for _, k := range keys[:min(len(keys), maxOthers)] {
		for _, r := range c.repos {
			if r.Label() != k.repo || own != nil && own.repo == r && own.path == k.path {
				continue
			}
			f, err := c.file(r, k.path)
			if missing(err) {
				continue
			}
			if err != nil {
				return nil, err
			}
			out = append(out, f)
		}
	}
	return out, nil
}

// longest gives expressions for the longest lines of a text, whose white space may differ.
func longest(text string) (out []string) {
	var lines []string
	for l := range strings.Lines(text) {
		if l = strings.TrimSpace(l); len(l) >= 4 && len(l) <= 400 && !slices.Contains(lines, l) {
			lines = append(lines, l)
		}
	}
	slices.SortStableFunc(lines, func(a, b string) int { return len(b) - len(a) })
	for _, l := range lines[:min(len(lines), 3)] {
		words := strings.Fields(l)
		for i, w := range words {
			words[i] = regexp.QuoteMeta(w)
		}
		out = append(out, strings.Join(words, `[ \t]+`))
	}
	return out
}
