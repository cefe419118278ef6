package session

import (
	"slices"

	"github.com/findspot/findspot/lspclient/internal/excerpt"
	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/source"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
	"github.com/findspot/findspot/lspclient/internal/wire"
)

// MaxDepth bounds the nesting of symbols; no source that a person reads goes deeper.
const MaxDepth = 100

// Symbols converts the symbols of a file: nested ones, and flat ones that name their container.
func (v *Converter) Symbols(abs string, r wire.Symbols) []place.Symbol {
	list := v.nested(abs, source.FileURI(abs), r.List, "", 0)
	wholeContainers(list)
	return list
}

// wholeContainers completes the containers in a flat list of whole declarations, of which a server names only the
// innermost: the places tell what is in what.
func wholeContainers(list []place.Symbol) {
	if slices.ContainsFunc(list, func(s place.Symbol) bool { return len(s.Children) > 0 }) {
		return
	}
	var around []place.Symbol
	for i := range list {
		s := &list[i]
		for len(around) > 0 && !around[len(around)-1].Location.Holds(s.Location) {
			around = around[:len(around)-1]
		}
		if n := len(around); n > 0 && around[n-1].Name == s.Container && around[n-1].Container != "" {
			s.Container = around[n-1].Container + "." + s.Container
		}
		if n := len(around); n < MaxDepth && (n == 0 || around[n-1].Location != s.Location) {
			around = append(around, *s)
		}
	}
}

func (v *Converter) nested(abs, uri string, in []wire.Symbol, container string, depth int) []place.Symbol {
	out := make([]place.Symbol, 0, len(in))
	if depth == MaxDepth {
		if len(in) > 0 {
			v.Reject("symbols nested more than %d deep", MaxDepth)
		}
		return out
	}
	for _, s := range in {
		whole, name := s.Range, s.SelectionRange
		flat := !whole.Set() && s.Location.Range.Set()
		if flat {
			whole, name = s.Location.Range, s.Location.Range
		} else if !name.Set() {
			name = whole
		}
		wholeAt, ok1 := whole.Get()
		nameAt, ok2 := name.Get()
		if s.Name == "" || !ok1 || !ok2 {
			v.Reject("a symbol %q without a name or a range", excerpt.Clip(s.Name, 100))
			continue
		}
		loc, ok := v.Location(uri, wholeAt)
		if !ok {
			continue
		}
		sel, ok := v.Location(uri, nameAt)
		if !ok {
			continue
		}
		plain, params := symbolname.Undecorate(s.Name) // parameters taken from the name stay visible
		sym := place.Symbol{
			Name: plain, Kind: KindName(s.Kind), Container: container, Detail: excerpt.Clip(params+s.Detail, 1000),
			Location: loc, Selection: sel,
		}
		if flat {
			sym.Container = s.ContainerName
		}
		if flat || !s.SelectionRange.Set() {
			sym.Selection = v.NameIn(abs, loc, symbolname.Last(sym.Name))
		}
		inside := sym.Name
		if container != "" {
			inside = container + "." + sym.Name
		}
		sym.Children = v.nested(abs, uri, s.Children, inside, depth+1)
		out = append(out, sym)
	}
	sortSymbols(out)
	return out
}

func sortSymbols(list []place.Symbol) {
	slices.SortStableFunc(list, func(a, b place.Symbol) int { return place.Compare(a.Location, b.Location) })
}

// NameIn returns the place of a name within a declaration that begins at loc: its first occurrence as an identifier,
// else the declaration's own place.
func (v *Converter) NameIn(abs string, loc place.Location, name string) place.Location {
	text := v.texts[abs]
	if text == nil {
		return loc
	}
	for line := loc.Line; line <= min(loc.EndLine, loc.Line+50); line++ {
		col := 1
		if line == loc.Line {
			col = loc.Col
		}
		if start, end, ok := text.FindIdent(line, col, name); ok {
			return place.Location{Path: loc.Path, Line: line, Col: start, EndLine: line, EndCol: end}
		}
	}
	return loc
}

// KindName returns the protocol's word for a kind of symbol.
func KindName(k wire.Number) string {
	names := [...]string{
		"", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum",
		"interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
		"enum_member", "struct", "event", "operator", "type_parameter",
	}
	if k.N > 0 && k.N < int64(len(names)) {
		return names[k.N]
	}
	return "unknown"
}
