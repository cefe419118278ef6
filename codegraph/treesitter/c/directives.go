package c

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// directives records what a file includes and the macros it defines. A macro with parameters is a function: it is called
// like one, and calls what stands in its body. One that only says another name is an alias.
func (w *sketch) directives() {
	for i := range w.s.dirs {
		d := &w.s.dirs[i]
		if w.inDeadBranch(d.start) {
			continue
		}
		switch d.name {
		case "include", "include_next", "import":
			line, _ := w.Place(d.start)
			if p := d.arg; len(p) > 2 {
				end := map[byte]byte{'"': '"', '<': '>'}[p[0]]
				j := strings.IndexByte(p[1:], max(end, 1))
				if end == 0 || j <= 0 {
					continue
				}
				m := p[1 : j+1]
				if p[0] == '<' {
					m = "<" + m + ">"
				}
				w.Import(lang.Import{Scope: lang.File, Module: strings.Clone(m), Name: "*", Line: line})
			}
		case "define":
			if m, ok := d.macro(); ok {
				w.macro(d, m)
			}
		}
	}
}

// removedMacros records the uses of macros that were taken out of the source before it was parsed.
func (w *sketch) removedMacros() {
	for _, t := range w.s.removed {
		r := lang.Ref{Kind: lang.Use, Scope: lang.File, X: w.B.Name(lang.File, string(w.s.src[t.start:t.end])), Decl: lang.None}
		if t.call {
			r.Kind, r.X = lang.Call, w.B.Call(r.X, []lang.Arg{{X: lang.None, Spread: true}})
		}
		w.RefAt(r, t.start, t.end)
	}
}

func (w *sketch) macro(d *directive, m macro) {
	line, _ := w.Place(d.start)
	if !m.fn {
		w.macroBody(d, m, lang.File, line)
		x, rest := lang.None, m.body
		for i := 0; ; i++ {
			n := 0
			for n < len(rest) && isIdent(rest[n]) {
				n++
			}
			name := rest[:n]
			if n == 0 || i > 20 || name[0] >= '0' && name[0] <= '9' || keywords[name] || typeWords[name] || name == m.name {
				return
			}
			if x == lang.None {
				x = w.B.Name(lang.File, name)
			} else {
				x = w.B.Of(lang.OpAttr, x, name)
			}
			if rest = rest[n:]; rest == "" {
				break
			}
			var ok bool
			if rest, ok = strings.CutPrefix(rest, "::"); !ok {
				return
			}
		}
		w.B.Bind(lang.Alias, lang.File, m.name, x, line)
		return
	}
	i := w.B.Declare(lang.Decl{Name: strings.Clone(m.name), Kind: lang.Function, Parent: lang.File, Span: w.Span(d.start, d.end), NameLine: line, Flags: w.conditional(d.start),
		Body: d.end, Signature: lang.OneLine("#define " + m.name + "(" + strings.Join(m.params, ", ") + ")")})
	for _, p := range m.params {
		q := core.Param(strings.Clone(p))
		if p == "__VA_ARGS__" {
			q.Kind = lang.Rest
		}
		w.Declared(i).Params = append(w.Declared(i).Params, q)
	}
	w.macroBody(d, m, i, line)
}

// macroBody records the calls in a macro's body: by the macro, or by the file where the macro takes no arguments and is no
// function.
func (w *sketch) macroBody(d *directive, m macro, i, line int32) {
	body := &source{src: w.s.src[:d.end]}
	body.lexFrom(int(d.start)+1, 0)
	at := 1 // at the last token before the body: define NAME(...)
	for m.fn && at < len(body.toks) && body.toks[at].kind != ')' {
		at++
	}
	first := true
	for j := at + 1; j < len(body.toks); j++ {
		if body.toks[j].kind != 'a' || body.kind(j+1) == '#' || j > 20_000 {
			first = first && body.toks[j].kind == '('
			continue
		}
		if k := body.kind(j - 1); k == '#' || k == '.' || k == 'q' && body.kind(j-2) != 'a' || body.text(j-1) == "->" {
			first = false
			continue
		}
		from, name := j, body.text(j)
		if slices.Contains(m.params, name) || keywords[name] || typeWords[name] || name == m.name || !m.fn && strings.HasPrefix(name, "__") {
			first = false
			continue
		}
		x := w.B.Name(i, name)
		for body.kind(j+1) == 'q' && body.kind(j+2) == 'a' {
			j += 2
			name = body.text(j)
			x = w.B.Of(lang.OpAttr, x, name)
		}
		kind := lang.Use
		if body.kind(j+1) == '(' {
			kind = lang.Call
			x = w.B.Call(x, w.macroArgs(body, j+1))
		}
		if kind == lang.Use && !m.fn {
			first = false
			continue
		}
		if kind == lang.Call || body.toks[from].end-body.toks[from].start > 1 {
			w.RefAt(lang.Ref{Kind: kind, Scope: i, X: x, Decl: lang.None, Name: name}, body.toks[j].start, body.toks[j].end)
		}
		if first && kind == lang.Call && m.fn {
			w.B.Bind(lang.Return, i, "", x, line)
		}
		first = false
	}
}

// macroArgs counts the arguments of a call in a macro's body.
func (w *sketch) macroArgs(s *source, open int) []lang.Arg {
	depth, n := 0, 0
	for j := open; j < len(s.toks) && j < open+2000; j++ {
		switch s.kind(j) {
		case '(', '[', '{':
			depth++
		case ')', ']', '}':
			if depth--; depth == 0 {
				if j > open+1 {
					n++
				}
				return slices.Repeat([]lang.Arg{{X: lang.None}}, n)
			}
		case ',':
			if depth == 1 {
				n++
			}
		case '.', 'a':
			if s.text(j) == "__VA_ARGS__" {
				return []lang.Arg{{X: lang.None, Spread: true}}
			}
		}
	}
	return []lang.Arg{{X: lang.None, Spread: true}}
}
