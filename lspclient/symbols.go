package lspclient

import (
	"context"
	"slices"
	"strings"

	"go.lsp.dev/protocol"
)

// maxDepth bounds the nesting of symbols; no source that a person reads goes deeper.
const maxDepth = 100

// Symbols returns the declarations of a file in the order of the file, nested as the server nests them; a server that
// knows no nesting gives a flat list with containers. The path is slash-separated and relative to the root. The errors
// are those of [Client.Definition].
func (c *Client) Symbols(ctx context.Context, path string) (*SymbolResult, error) {
	ctx, cancel := c.deadline(ctx)
	defer cancel()
	abs, err := c.within(path)
	if err != nil {
		return nil, err
	}
	v, err := c.serverFor(ctx, abs)
	if err != nil {
		return nil, err
	}
	a, bad, err := c.symbolsOf(ctx, v, abs)
	if err != nil {
		return nil, err
	}
	r := &SymbolResult{Path: c.relative(abs), Symbols: a.value, Answer: a.said()}
	if bad != "" && r.State == Complete {
		r.State, r.Reason = Degraded, bad
	}
	return r, nil
}

// symbolsOf asks the server for the declarations of a file; the second value says what was left out.
func (c *Client) symbolsOf(ctx context.Context, v *server, abs string) (answer[[]Symbol], string, error) {
	var bad string
	a, err := ask(ctx, v, question[[]Symbol]{
		method: protocol.MethodTextDocumentDocumentSymbol,
		local:  true,
		ask: func(ctx context.Context, s *session) ([]Symbol, error) {
			if !offers(s.caps.DocumentSymbolProvider) {
				return nil, unsupported(s, "document symbols")
			}
			if _, err := s.open(ctx, abs); err != nil {
				return nil, err
			}
			var r protocol.DocumentSymbolResult
			err := s.call(ctx, protocol.MethodTextDocumentDocumentSymbol, &protocol.DocumentSymbolParams{
				TextDocument: protocol.TextDocumentIdentifier{URI: protocolURI(abs)},
			}, &r)
			if err != nil {
				return nil, err
			}
			conv := s.converter()
			list := conv.symbols(abs, r)
			bad = conv.trouble()
			return list, nil
		},
	})
	return a, bad, err
}

// symbols converts either form of the answer.
func (v *converter) symbols(abs string, r protocol.DocumentSymbolResult) []Symbol {
	uri := uriOf(abs)
	list := []Symbol{}
	switch r := r.(type) {
	case protocol.DocumentSymbolSlice:
		list = v.nested(uri, r, "", 0)
	case protocol.SymbolInformationSlice:
		for _, s := range r {
			loc, ok := v.location(uri, s.Location.Range)
			if !ok {
				continue
			}
			sym := Symbol{Name: plainName(s.Name), Kind: kindName(s.Kind), Location: loc, Selection: loc, Children: []Symbol{}}
			if s.ContainerName != nil {
				sym.Container = *s.ContainerName
			}
			sym.Selection = v.nameIn(abs, loc, lastPart(sym.Name))
			list = append(list, sym)
		}
		sortSymbols(list)
	}
	return list
}

func (v *converter) nested(uri string, in []protocol.DocumentSymbol, container string, depth int) []Symbol {
	out := make([]Symbol, 0, len(in))
	if depth == maxDepth {
		if len(in) > 0 {
			v.reject("symbols nested more than %d deep", maxDepth)
		}
		return out
	}
	for _, s := range in {
		loc, ok := v.location(uri, s.Range)
		if !ok {
			continue
		}
		sel, ok := v.location(uri, s.SelectionRange)
		if !ok {
			continue
		}
		sym := Symbol{Name: plainName(s.Name), Kind: kindName(s.Kind), Container: container, Location: loc, Selection: sel}
		if s.Detail != nil {
			sym.Detail = clip(*s.Detail, 1000)
		}
		inside := sym.Name
		if container != "" {
			inside = container + "." + sym.Name
		}
		sym.Children = v.nested(uri, s.Children, inside, depth+1)
		out = append(out, sym)
	}
	sortSymbols(out)
	return out
}

func sortSymbols(list []Symbol) {
	slices.SortStableFunc(list, func(a, b Symbol) int { return compareLocations(a.Location, b.Location) })
}

// nameIn returns the place of a name within a declaration that begins at loc: its first occurrence as an identifier,
// else the declaration's own place.
func (v *converter) nameIn(abs string, loc Location, name string) Location {
	text := v.texts[abs]
	if text == nil {
		return loc
	}
	for line := loc.Line; line <= min(loc.EndLine, loc.Line+50); line++ {
		col := 1
		if line == loc.Line {
			col = loc.Col
		}
		if start, end, ok := text.findIdent(line, col, name); ok {
			return Location{Path: loc.Path, Line: line, Col: start, EndLine: line, EndCol: end}
		}
	}
	return loc
}

// plainName removes what servers decorate names with: parameters ("run(int)"), type parameters, a pointer receiver's
// "(*T).m", a trailing "()".
func plainName(name string) string {
	name = strings.TrimSpace(name)
	if rest, ok := strings.CutPrefix(name, "("); ok { // (*Type).Method
		if recv, method, ok := strings.Cut(rest, ")"); ok {
			name = strings.TrimLeft(recv, "*& ") + method
		}
	}
	if i := strings.IndexAny(name, "(<[ :"); i > 0 {
		if !strings.HasPrefix(name[i:], "::") {
			name = name[:i]
		} else if j := strings.IndexAny(name, "(<[ "); j > 0 {
			name = name[:j]
		}
	}
	return name
}

func kindName(k protocol.SymbolKind) string {
	names := [...]string{
		"", "file", "module", "namespace", "package", "class", "method", "property", "field", "constructor", "enum",
		"interface", "function", "variable", "constant", "string", "number", "boolean", "array", "object", "key", "null",
		"enum_member", "struct", "event", "operator", "type_parameter",
	}
	if int(k) < len(names) && k > 0 {
		return names[k]
	}
	return "unknown"
}
