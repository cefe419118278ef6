package lspclient

import (
	"cmp"
	"fmt"
	"slices"

	"go.lsp.dev/protocol"
)

// converter turns a server's locations into ours. It reads each file once.
type converter struct {
	sess  *session
	texts map[string]*content // nil for a file that cannot be read
	bad   []string            // what was wrong with locations that were left out
}

func (s *session) converter() *converter { return &converter{sess: s, texts: map[string]*content{}} }

// location converts one. It reports false, and remembers why, for a location that cannot be true.
func (v *converter) location(uri string, r protocol.Range) (Location, bool) {
	abs, ok := pathOf(uri)
	if !ok {
		loc := Location{
			Path: uri, Line: int(r.Start.Line) + 1, Col: int(r.Start.Character) + 1,
			EndLine: int(r.End.Line) + 1, EndCol: int(r.End.Character) + 1,
		}
		if uri == "" || !ordered(loc) {
			v.reject("%q", clip(uri, 100))
			return Location{}, false
		}
		return loc, true
	}
	text, seen := v.texts[abs]
	if !seen {
		text, _ = v.sess.text(abs) // an unreadable file is a nil text
		v.texts[abs] = text
	}
	rel := v.sess.srv.client.relative(abs)
	if text == nil {
		v.reject("%s cannot be read", rel)
		return Location{}, false
	}
	loc, ok := v.rangeIn(text, r)
	if !ok {
		v.reject("%s:%d has no such place", rel, r.Start.Line+1)
		return Location{}, false
	}
	loc.Path = rel
	return loc, true
}

// rangeIn converts a range within a text.
func (v *converter) rangeIn(text *content, r protocol.Range) (Location, bool) {
	enc := v.sess.encoding
	loc := Location{Line: int(r.Start.Line) + 1, EndLine: int(r.End.Line) + 1}
	var ok1, ok2 bool
	loc.Col, ok1 = text.col(loc.Line, r.Start.Character, enc)
	if loc.EndLine == len(text.starts)+1 && r.End.Character == 0 { // the line behind the last, as some servers say "the end"
		loc.EndLine--
		loc.EndCol, ok2 = text.col(loc.EndLine, 1<<31, enc)
	} else {
		loc.EndCol, ok2 = text.col(loc.EndLine, r.End.Character, enc)
	}
	return loc, ok1 && ok2 && ordered(loc)
}

func (v *converter) reject(format string, args ...any) {
	if len(v.bad) < 5 {
		v.bad = append(v.bad, fmt.Sprintf(format, args...))
	}
}

// trouble says what was left out, "" when nothing was.
func (v *converter) trouble() string {
	if len(v.bad) == 0 {
		return ""
	}
	return fmt.Sprintf("locations that do not fit their files were left out: %s", v.bad)
}

func ordered(l Location) bool {
	return l.Line >= 1 && l.Col >= 1 && (l.EndLine > l.Line || l.EndLine == l.Line && l.EndCol >= l.Col)
}

func compareLocations(a, b Location) int {
	return cmp.Or(cmp.Compare(a.Path, b.Path), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Col, b.Col),
		cmp.Compare(a.EndLine, b.EndLine), cmp.Compare(a.EndCol, b.EndCol))
}

// place is a location as a server gives it.
type place struct {
	uri string
	at  protocol.Range
}

func samePlaces(a, b []place) bool { return slices.Equal(a, b) }

// sortPlaces sorts and removes what is there twice, so that two answers can be compared.
func sortPlaces(list []place) []place {
	slices.SortFunc(list, func(a, b place) int {
		return cmp.Or(cmp.Compare(a.uri, b.uri),
			cmp.Compare(a.at.Start.Line, b.at.Start.Line), cmp.Compare(a.at.Start.Character, b.at.Start.Character),
			cmp.Compare(a.at.End.Line, b.at.End.Line), cmp.Compare(a.at.End.Character, b.at.End.Character))
	})
	return slices.Compact(list)
}

// definitionPlaces takes every form a definition can have. Of a link it is the name that counts.
func definitionPlaces(r protocol.DefinitionResult) []place {
	list := []place{}
	switch r := r.(type) {
	case *protocol.Location:
		if r != nil {
			list = append(list, place{string(r.URI), r.Range})
		}
	case protocol.LocationSlice:
		for _, l := range r {
			list = append(list, place{string(l.URI), l.Range})
		}
	case protocol.DefinitionLinkSlice:
		for _, l := range r {
			list = append(list, place{string(l.TargetURI), l.TargetSelectionRange})
		}
	}
	return sortPlaces(list)
}

func referencePlaces(r []protocol.Location) []place {
	list := make([]place, 0, len(r))
	for _, l := range r {
		list = append(list, place{string(l.URI), l.Range})
	}
	return sortPlaces(list)
}
