package edit

import (
	"bytes"
	"fmt"
	"path/filepath"
	"slices"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// FileEdits is lspclient.FileEdits, documented there.
type FileEdits struct {
	Path  string
	Edits []Edit
}

// Edit is lspclient.Edit, documented there.
type Edit struct {
	Location place.Location
	Old      string
	New      string
	Label    string
	Confirm  bool
}

// FileOperation is lspclient.FileOperation, documented there.
type FileOperation struct {
	Kind    string
	Path    string
	To      string
	Label   string
	Confirm bool
}

// Preview turns a server's edits into ours, and checks them.
type Preview struct {
	pool       *session.Pool
	conv       *session.Converter
	versions   map[string]int64  // of the open documents, by path
	moved      map[string]string // where a file is now that the server names as it will be, by path
	Operations []FileOperation
	byFile     map[string][]Edit // by absolute path
}

// NewPreview returns a preview without edits.
func NewPreview(pool *session.Pool) *Preview {
	return &Preview{pool: pool, moved: map[string]string{}, byFile: map[string][]Edit{}, Operations: []FileOperation{}}
}

// Add takes the edits that a session's server gave.
func (p *Preview) Add(s *session.Session, w WorkspaceEdit) error {
	p.conv, p.versions = s.Converter(), s.Documents.Versions()
	return p.edits(w)
}

// edits takes the changes in their order.
func (p *Preview) edits(w WorkspaceEdit) error {
	for _, c := range w.Changes {
		if c.op != nil {
			if err := p.operation(*c.op); err != nil {
				return err
			}
			continue
		}
		abs, err := p.inRoot(c.uri)
		if err != nil {
			return err
		}
		if now := p.moved[abs]; now != "" {
			abs = now
		}
		rel := p.pool.Tree.Relative(abs)
		// Some servers number the texts that they have read from disk 0.
		if v, open := p.versions[abs]; c.version.OK && (open && c.version.N != v || !open && c.version.N != 0) {
			return fmt.Errorf("edits of version %d of %s, where the server was shown %s: %w", c.version.N, rel, shownVersion(v, open), errs.Stale)
		}
		text := p.conv.Text(abs)
		if text == nil {
			return fmt.Errorf("%w: edits of %s, which cannot be read", errs.Format, rel)
		}
		for _, e := range c.edits {
			loc, ok := p.conv.RangeIn(text, e.at)
			if !ok {
				return fmt.Errorf("%w: an edit at %s:%d:%d, where no such place is", errs.Format, rel, e.at.Start.Line+1, e.at.Start.Character+1)
			}
			loc.Path = rel
			p.byFile[abs] = append(p.byFile[abs], smallest(text, Edit{Location: loc, New: e.text, Label: e.label, Confirm: e.confirm})...)
		}
	}
	return nil
}

func shownVersion(v int64, open bool) string {
	if !open {
		return "none"
	}
	return fmt.Sprint(v)
}

// operation notes what the server wants done to a file.
func (p *Preview) operation(op FileOperation) error {
	abs, err := p.inRoot(op.Path)
	if err != nil {
		return err
	}
	op.Path = p.pool.Tree.Relative(abs)
	if op.Kind == "rename" {
		to, err := p.inRoot(op.To)
		if err != nil {
			return err
		}
		op.To = p.pool.Tree.Relative(to)
		if now := p.moved[abs]; now != "" {
			abs = now
		}
		p.moved[to] = abs
	}
	p.Operations = append(p.Operations, op)
	return nil
}

// Files returns the edits by file and the diff, with so many unchanged lines around a change.
func (p *Preview) Files(around int) ([]FileEdits, string, error) {
	out := []FileEdits{}
	texts := map[string]*source.Text{}
	for abs, edits := range p.byFile {
		rel := p.pool.Tree.Relative(abs)
		slices.SortStableFunc(edits, func(a, b Edit) int { return place.Compare(a.Location, b.Location) })
		edits = slices.Compact(edits) // a server may name a place twice, by two ways to it
		for i := 1; i < len(edits); i++ {
			a, b := edits[i-1], edits[i]
			if a.Location.Overlaps(b.Location) || a.Location == b.Location {
				return nil, "", fmt.Errorf("%w: two edits overlap at %s:%d:%d", errs.Format, rel, b.Location.Line, b.Location.Col)
			}
		}
		if len(edits) > 0 {
			out = append(out, FileEdits{rel, edits})
			texts[rel] = p.conv.Text(abs)
			if texts[rel] == nil {
				return nil, "", fmt.Errorf("%s: %w", rel, errs.NotFound)
			}
		}
	}
	slices.SortFunc(out, func(a, b FileEdits) int { return strings.Compare(a.Path, b.Path) })
	var diff bytes.Buffer
	for _, f := range out {
		if err := writeDiff(&diff, f, texts[f.Path], around); err != nil {
			return nil, "", err
		}
	}
	return out, diff.String(), nil
}

// Transcoded reports whether a file is not in UTF-8, so that a diff does not apply to it.
func (p *Preview) Transcoded(path string) bool {
	text := p.conv.Text(p.pool.Absolute(path))
	return text != nil && text.Transcoded
}

// Remaining names the first places where the old name stands untouched in the edited files.
func (p *Preview) Remaining(files []FileEdits, name string) string {
	var places []string
	n := 0
	for _, f := range files {
		text := p.conv.Text(p.pool.Absolute(f.Path))
		if text == nil {
			continue
		}
		for line := range len(text.Starts) {
			for col := 1; ; {
				start, end, ok := text.FindIdent(line+1, col, name)
				if !ok {
					break
				}
				col = end
				at := place.Location{Path: f.Path, Line: line + 1, Col: start, EndLine: line + 1, EndCol: end}
				if !slices.ContainsFunc(f.Edits, func(e Edit) bool { return e.Location.Overlaps(at) }) {
					if n++; len(places) < 3 {
						places = append(places, fmt.Sprintf("%s:%d:%d", at.Path, at.Line, at.Col))
					}
				}
			}
		}
	}
	if n > len(places) {
		places = append(places, fmt.Sprintf("%d more", n-len(places)))
	}
	return strings.Join(places, ", ")
}

// inRoot returns the path of a file below the root that a server wants edited. The file need not exist.
func (p *Preview) inRoot(uri string) (string, error) {
	abs, ok := source.PathOf(uri)
	if !ok {
		return "", fmt.Errorf("an edit of %q, which is no file: %w", excerpt.Clip(uri, 200), errs.Unsupported)
	}
	real := abs
	for dir := abs; ; dir = filepath.Dir(dir) { // the nearest folder that exists says where links lead
		if r, err := filepath.EvalSymlinks(dir); err == nil {
			real = filepath.Join(r, strings.TrimPrefix(abs, dir))
			break
		}
		if dir == filepath.Dir(dir) {
			break
		}
	}
	if !source.Below(p.pool.Tree.Root(), abs) || !source.Below(p.pool.Tree.Root(), real) {
		return "", fmt.Errorf("an edit of %s, which is not below the root: %w", p.pool.Tree.Relative(abs), errs.Unsupported)
	}
	return abs, nil
}
