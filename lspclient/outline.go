package lspclient

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// outline returns the declarations of a file as its server lists them, each with the chain of what it is in.
func (c *resolver) outline(ctx context.Context, abs string) ([]declaration, error) {
	v, err := c.pool.ServerFor(ctx, abs)
	if err != nil {
		return nil, err
	}
	a, _, err := c.symbols.document(ctx, v, abs)
	if err != nil {
		return nil, err
	}
	list := outlined(a.Value)
	if text, err := a.Session.Documents.Text(abs); err == nil {
		list = withSignatures(list, text, abs)
	}
	return list, nil
}

// outlined flattens the symbols of a file, in their order. Servers that know no nesting give a flat list of whole
// declarations: there the places tell what is in what.
func outlined(symbols []place.Symbol) []declaration {
	var list []declaration
	flat := !slices.ContainsFunc(symbols, func(s place.Symbol) bool { return len(s.Children) > 0 }) &&
		slices.ContainsFunc(symbols, func(s place.Symbol) bool { return s.Container != "" })
	type group struct{ chain, name string }
	seen := map[group][]int{}
	var around []place.Symbol // for a flat list: those that the one at hand is in
	var add func(symbols []place.Symbol, chain []string, key string)
	add = func(symbols []place.Symbol, chain []string, key string) {
		for _, s := range symbols {
			d := declaration{name: s.Name, container: s.Container, kind: s.Kind, at: s.Selection, whole: s.Location, params: paramsOf(s.Detail)}
			d.chain = append(slices.Clone(chain), s.Name)
			own := key
			if flat {
				for len(around) > 0 && !around[len(around)-1].Location.Holds(s.Location) {
					around = around[:len(around)-1]
				}
				d.chain = nil
				for _, outer := range around {
					d.chain = append(d.chain, outer.Name)
				}
				if s.Kind != "variable" && len(around) < session.MaxDepth {
					around = append(around, s)
				}
				if len(d.chain) == 0 && s.Container != "" {
					d.chain = append(d.chain, s.Container)
				}
				d.chain = append(d.chain, s.Name)
				for _, n := range d.chain[:len(d.chain)-1] {
					own += n + "\x00"
				}
			}
			g := group{own, d.ident()}
			d.index = len(seen[g])
			seen[g] = append(seen[g], len(list))
			list = append(list, d)
			add(s.Children, d.chain, key+s.Name+"\x00")
		}
	}
	add(symbols, nil, "")
	for _, same := range seen {
		for _, i := range same {
			list[i].siblings = len(same)
		}
	}
	return list
}

// paramsOf returns the parameter list in a server's remark, "" when there is none.
func paramsOf(detail string) string {
	for i := range len(detail) {
		if detail[i] == '(' {
			return detail[i : i+symbolname.Balanced(detail[i:], '(', ')')]
		}
	}
	return ""
}

// outlineAll replaces the declarations by those at the same places in the outlines of their files, as far as these can be
// had, and adds those of the outlines that keep wants. It looks at no more than maxOutlined files.
func (c *resolver) outlineAll(ctx context.Context, all []declaration, keep func(declaration) bool) []declaration {
	byFile := map[string][]declaration{}
	var files []string
	for _, d := range all {
		if _, ok := byFile[d.at.Path]; !ok {
			files = append(files, d.at.Path)
		}
		byFile[d.at.Path] = append(byFile[d.at.Path], d)
	}
	var out []declaration
	looked := 0
	for _, file := range files {
		list := byFile[file]
		if looked >= maxOutlined || ctx.Err() != nil {
			out = append(out, list...)
			continue
		}
		if list[0].chain != nil {
			out = append(out, list...)
			continue
		}
		abs, err := c.pool.Tree.Existing(file)
		if err != nil {
			out = append(out, list...)
			continue
		}
		looked++
		outline, err := c.outline(ctx, filepath.Clean(abs))
		if err != nil {
			out = append(out, list...)
			continue
		}
		known := make([]bool, len(outline))
		for _, d := range list {
			if i := slices.IndexFunc(outline, func(o declaration) bool { return samePlace(o, d) }); i >= 0 {
				known[i] = true
			} else {
				out = append(out, d)
			}
		}
		for i, o := range outline {
			if known[i] || keep(o) {
				out = append(out, o)
			}
		}
	}
	return out
}

// samePlace reports whether an outlined declaration is the one that a symbol search gave: servers differ in whether they
// give the place of the name or that of the whole.
func samePlace(o, d declaration) bool {
	if o.at.Line == d.at.Line && o.at.Col == d.at.Col {
		return true
	}
	return o.ident() == d.ident() && (o.whole.Line == d.at.Line && o.whole.Col == d.at.Col || o.at.Line == d.at.Line)
}
