package session

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/filetree"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/registry"
	"github.com/findspot/findspot/lspclient/internal/source"
)

// Converter turns a server's locations into ours. It reads each file once.
type Converter struct {
	Session *Session
	texts   map[string]*source.Text // nil for a file that cannot be read
	files   map[string]uriFile      // by URI
	bad     []string                // what was wrong with locations that were left out
	nbad    int                     // how many there were
	held    int                     // bytes of texts
}

// maxHeld bounds the texts that one converter keeps, in bytes; places come file by file.
const maxHeld = 256 << 20

// uriFile is what a URI says.
type uriFile struct {
	Abs string // "" for what is no file
	Rel string // as callers see it
}

func (s *Session) Converter() *Converter {
	return &Converter{Session: s, texts: map[string]*source.Text{}, files: map[string]uriFile{}}
}

// File parses each URI once.
func (v *Converter) File(uri string) uriFile {
	f, seen := v.files[uri]
	if !seen {
		if abs, ok := source.PathOf(uri); ok {
			f = uriFile{abs, v.Session.Server.Pool.Tree.Relative(abs)}
		} else {
			f.Rel = uri
		}
		v.files[uri] = f
	}
	return f
}

// Location converts one. It reports false, and remembers why, for a location that cannot be true.
func (v *Converter) Location(uri string, r protocol.Range) (place.Location, bool) {
	f := v.File(uri)
	if f.Abs == "" {
		loc := place.Location{
			Path: uri, Line: int(r.Start.Line) + 1, Col: int(r.Start.Character) + 1,
			EndLine: int(r.End.Line) + 1, EndCol: int(r.End.Character) + 1,
		}
		if uri == "" || !loc.Valid() {
			v.Reject("%q", excerpt.Clip(uri, 100))
			return place.Location{}, false
		}
		return loc, true
	}
	if p := v.Session.Project; p != nil && source.Below(p.Data.Project, f.Abs) {
		return place.Location{}, false // ours
	}
	text := v.Text(f.Abs)
	if text == nil {
		if _, err := os.Lstat(f.Abs); errors.Is(err, fs.ErrNotExist) && v.Session.Server.Spec.Freshness == registry.FreshRestart {
			return place.Location{}, false // its index outlives a file; what is gone holds no place
		}
		v.Reject("%s cannot be read", f.Rel)
		return place.Location{}, false
	}
	loc, ok := v.RangeIn(text, r)
	if !ok {
		v.Reject("%s:%d has no such place", f.Rel, r.Start.Line+1)
		return place.Location{}, false
	}
	loc.Path = f.Rel
	return loc, true
}

// Text returns the text of a file as the server sees it, nil when it cannot be read.
func (v *Converter) Text(abs string) *source.Text {
	text, seen := v.texts[abs]
	if !seen {
		text, _ = v.Session.Documents.Text(abs)
		if text != nil {
			if v.held += len(text.Bytes); v.held > maxHeld {
				clear(v.texts)
				v.held = len(text.Bytes)
			}
		}
		v.texts[abs] = text
	}
	return text
}

// RangeIn converts a range within a text.
func (v *Converter) RangeIn(text *source.Text, r protocol.Range) (place.Location, bool) {
	var loc place.Location
	var ok1, ok2 bool
	loc.Line, loc.Col, ok1 = v.Session.Place(text, r.Start)
	if n := len(text.LineStarts(v.Session.Lines())); int64(r.End.Line) == int64(n) && r.End.Character == 0 { // the line behind the last, as some servers say "the end"
		r.End = protocol.Position{Line: uint32(n - 1), Character: 1 << 31}
	}
	loc.EndLine, loc.EndCol, ok2 = v.Session.Place(text, r.End)
	return loc, ok1 && ok2 && loc.Valid()
}

func (v *Converter) Reject(format string, args ...any) {
	v.nbad++
	if len(v.bad) < 5 {
		v.bad = append(v.bad, fmt.Sprintf(format, args...))
	}
}

// Rejected says what was left out, "" when nothing was.
func (v *Converter) Rejected() string {
	if len(v.bad) == 0 {
		return ""
	}
	more := ""
	if v.nbad > len(v.bad) {
		more = fmt.Sprintf(" and %d more", v.nbad-len(v.bad))
	}
	return fmt.Sprintf("locations that do not fit their files were left out: %s%s", strings.Join(v.bad, ", "), more)
}

// Lines returns the session's rule.
func (s *Session) Lines() source.LineRule { return source.LineRule(s.Server.Spec.Lines) }

// Place converts a position of the server in a text.
func (s *Session) Place(text *source.Text, p protocol.Position) (line, col int, ok bool) {
	return text.FromServer(p, s.Encoding, s.Lines())
}

// Position converts a place in a text to a position of the server. The error says why the server cannot be asked there.
func (s *Session) Position(text *source.Text, line, col int) (protocol.Position, error) {
	p, ok := text.ToServer(line, col, s.Encoding, s.Lines())
	if !ok {
		return p, fmt.Errorf("there is no line %d, column %d: %w", line, col, errs.NotFound)
	}
	if s.Lines() == source.SplitLines {
		if width, odd := source.SplitWidth(text.Bytes, int(p.Line)); odd && width < int64(p.Character) {
			return p, fmt.Errorf("%s cannot be asked about line %d, column %d: the file contains a form feed, U+2028 or similar, which it treats as the end of a line; ask about another use of the name, or another server: %w",
				s.Label, line, col, errs.Unsupported)
		}
	}
	return p, nil
}

// Degrade makes a complete answer degraded for the first of the reasons that is not empty, or because not every change
// on disk is seen.
func (s *Session) Degrade(a *Answer, reasons ...string) {
	if s.Documents.Snapshot().Cut {
		reasons = append(reasons, fmt.Sprintf("more than %d source files: not every change on disk is seen", filetree.MaxWatched))
	}
	a.Degrade(reasons...)
}
