package questions

import (
	"cmp"
	"context"
	"fmt"
	"path/filepath"
	"slices"

	"github.com/findspot/findspot/internal/errs"
	"github.com/findspot/findspot/internal/mask"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/protocol"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbols"
)

// aimed is the identifier that a place means.
type aimed struct {
	start, end int    // half-open byte columns
	note       string // why it is not the one at the column; empty when it is
}

// maxIdents bounds the identifiers of a line that are chosen among.
const maxIdents = 10_000

// aim finds the identifier that a place means: the one the column is on or just behind. Where there is none, or only a
// word that the language reserves, it is the name that the line declares, else the nearest identifier in code, else the
// nearest in a comment or a string. The last value is false when the line has no identifier.
func aim(ctx context.Context, s *session.Session, text *source.Text, at *symbols.Spot) (aimed, bool) {
	row, ok := text.Line(at.Line)
	if !ok {
		return aimed{}, false
	}
	language := s.Server.Spec.LanguageOf(at.Abs)
	start, end, exact, ok := text.IdentAt(at.Line, at.Col)
	if !ok {
		return aimed{}, false
	}
	if at.Declared { // the server has said so; the name may begin with what is no letter, such as "~A" or a quote
		if !exact && at.Col <= len(row) {
			return aimed{start: at.Col, end: max(end, at.Col)}, true
		}
		return aimed{start: start, end: end}, true
	}
	at0 := string(row[start-1 : end-1])
	if exact && !nameless(language, at0) {
		return aimed{start: start, end: end}, true
	}
	missed := fmt.Sprintf("column %d is on no identifier", at.Col)
	if exact {
		missed = fmt.Sprintf("column %d is on the keyword %q", at.Col, at0)
	} else if at.Col < 1 {
		missed = "there was no column"
	}

	type ident struct{ start, end, rank, away int }
	var list []ident
	classes := classesOf(at.Abs, text)
	declared := declaredOn(ctx, s, at)
	lineAt := text.Starts[at.Line-1]
	for i := 0; len(list) < maxIdents; {
		b, e := source.NextIdent(row, i)
		if b < 0 {
			break
		}
		i = e
		if nameless(language, string(row[b:e])) {
			continue
		}
		one := ident{start: b + 1, end: e + 1, rank: 1, away: max(b+1-at.Col, at.Col-e-1, 0)}
		switch {
		case slices.Contains(declared, b+1):
			one.rank = 0
		case classes != nil && classes[lineAt+b] != mask.Code:
			one.rank = 2
		}
		list = append(list, one)
	}
	if len(list) == 0 {
		if exact {
			return aimed{start: start, end: end}, true // a keyword is all there is; the server may know what to do
		}
		return aimed{}, false
	}
	slices.SortStableFunc(list, func(a, b ident) int { return cmp.Or(cmp.Compare(a.rank, b.rank), cmp.Compare(a.away, b.away)) })
	best := list[0]
	note := fmt.Sprintf("%s; %q at column %d was taken", missed, row[best.start-1:best.end-1], best.start)
	switch best.rank {
	case 0:
		note += ", which the line declares"
	case 2:
		note += ", which is in a comment or a string"
	}
	return aimed{best.start, best.end, note}, true
}

// classesOf tells which bytes of a text are code, nil where that is not known.
func classesOf(abs string, text *source.Text) []mask.Class {
	if name := filepath.Base(abs); mask.Known(name) {
		return mask.Classes(name, text.Bytes)
	}
	return nil
}

// declaredOn returns the columns of the names that the server says are declared on the line; none when it does not say.
func declaredOn(ctx context.Context, s *session.Session, at *symbols.Spot) []int {
	if !s.Offers(protocol.MethodTextDocumentDocumentSymbol) {
		return nil
	}
	r, err := s.DocumentSymbols(ctx, at.Abs)
	if err != nil {
		return nil // only a hint
	}
	var cols []int
	place.Each(s.Converter().Symbols(at.Abs, r), func(sym place.Symbol) {
		if sym.Selection.Line == at.Line {
			cols = append(cols, sym.Selection.Col)
		}
	})
	return cols
}

// pointAt opens the file and turns the spot into the position of the identifier there.
func pointAt(ctx context.Context, s *session.Session, at *symbols.Spot) (found, protocol.TextDocumentPositionParams, error) {
	var f found
	var pos protocol.TextDocumentPositionParams
	text, err := s.Documents.Open(ctx, at.Abs)
	if err != nil {
		return f, pos, err
	}
	rel := s.Server.Pool.Tree.Relative(at.Abs)
	name, ok := aim(ctx, s, text, at)
	if !ok {
		if at.Line > len(text.Starts) || at.Line < 1 {
			return f, pos, fmt.Errorf("%s has %d lines, there is no line %d: %w", rel, len(text.Starts), at.Line, errs.NotFound)
		}
		return f, pos, fmt.Errorf("%s:%d has no identifier: %w", rel, at.Line, errs.NotFound)
	}
	line, _ := text.Line(at.Line)
	f.ident, f.note = string(line[name.start-1:name.end-1]), name.note
	f.target = place.Location{Path: rel, Line: at.Line, Col: name.start, EndLine: at.Line, EndCol: name.end}
	pos.TextDocument.URI = source.FileURI(at.Abs)
	if pos.Position, err = s.Position(text, at.Line, name.start); err != nil {
		return f, pos, fmt.Errorf("%s: %w", rel, err)
	}
	return f, pos, nil
}
