package symbols

import (
	"context"
	"path/filepath"
	"slices"

	"github.com/findspot/findspot/lspclient/internal/place"
	"github.com/findspot/findspot/lspclient/internal/session"
	"github.com/findspot/findspot/lspclient/internal/symbolname"
)

// Outline returns the declarations of a file as its server lists them, each with the chain of what it is in.
func (c *Resolver) Outline(ctx context.Context, abs string) ([]Declaration, error) {
	v, err := c.pool.ServerFor(ctx, abs)
	if err != nil {
		return nil, err
	}
	a, _, err := c.symbols.Document(ctx, v, abs)
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
func outlined(symbols []place.Symbol) []Declaration {
	var list []Declaration
	flat := !slices.ContainsFunc(symbols, func(s place.Symbol) bool { return len(s.Children) > 0 }) &&
		slices.ContainsFunc(symbols, func(s place.Symbol) bool { return s.Container != "" })
	type group struct{ chain, name string }
	seen := map[group][]int{}
	var around []place.Symbol // for a flat list: those that the one at hand is in
	var add func(symbols []place.Symbol, chain []string, key string)
	add = func(symbols []place.Symbol, chain []string, key string) {
		for _, s := range symbols {
			d := Declaration{Name: s.Name, Container: s.Container, Kind: s.Kind, At: s.Selection, Whole: s.Location, params: paramsOf(s.Detail)}
			d.Chain = append(slices.Clone(chain), s.Name)
			own := key
			if flat {
				for len(around) > 0 && !around[len(around)-1].Location.Holds(s.Location) {
					around = around[:len(around)-1]
				}
				d.Chain = nil
				for _, outer := range around {
					d.Chain = append(d.Chain, outer.Name)
				}
				if s.Kind != "variable" && len(around) < session.MaxDepth {
					around = append(around, s)
				}
				if len(d.Chain) == 0 && s.Container != "" {
					d.Chain = append(d.Chain, s.Container)
				}
				d.Chain = append(d.Chain, s.Name)
				for _, n := range d.Chain[:len(d.Chain)-1] {
					own += n + "\x00"
				}
			}
			g := group{own, d.ident()}
			d.index = len(seen[g])
			seen[g] = append(seen[g], len(list))
			list = append(list, d)
			add(s.Children, d.Chain, key+s.Name+"\x00")
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
func (c *Resolver) outlineAll(ctx context.Context, all []Declaration, keep func(Declaration) bool) []Declaration {
	byFile := map[string][]Declaration{}
	var files []string
	for _, d := range all {
		if _, ok := byFile[d.At.Path]; !ok {
			files = append(files, d.At.Path)
		}
		byFile[d.At.Path] = append(byFile[d.At.Path], d)
	}
	var out []Declaration
	looked := 0
	outlineOf := func(file string) []Declaration { // nil: not to be had
		abs, err := c.pool.Tree.Existing(file)
		if err != nil || looked >= maxOutlined || ctx.Err() != nil || byFile[file][0].Chain != nil {
			return nil
		}
		looked++
		outline, err := c.Outline(ctx, filepath.Clean(abs))
		if err != nil {
			return nil
		}
		return outline
	}
	for _, file := range files {
		outline := outlineOf(file)
		known := make([]bool, len(outline))
		for _, d := range byFile[file] {
			if i := slices.IndexFunc(outline, func(o Declaration) bool { return samePlace(o, d) }); i >= 0 {
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
func samePlace(o, d Declaration) bool {
	if o.At.Line == d.At.Line && o.At.Col == d.At.Col {
		return true
	}
	return o.ident() == d.ident() && (o.Whole.Line == d.At.Line && o.Whole.Col == d.At.Col || o.At.Line == d.At.Line)
}
