package rust

import (
	"bytes"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

// stdMacros are the macros of the standard library: they make no edges, what they are given does.
var stdMacros = core.Words(`println print eprintln eprint format write writeln panic assert assert_eq assert_ne debug_assert debug_assert_eq
	debug_assert_ne vec unreachable todo unimplemented dbg matches format_args concat stringify env option_env include include_str include_bytes
	line column file module_path cfg compile_error thread_local try is_x86_feature_detected concat_idents addr_of addr_of_mut ready pin`)

// macro reads a macro definition: a function, called by its name and a mark. What its rules call is called in it.
func (p *walker) macro(n, scope int32, attrs []int32, cond bool) {
	name := p.Field(n, "name")
	end := p.End(n)
	if name >= 0 {
		end = p.End(name)
	}
	d := p.declare(n, scope, lang.Function, attrs, cond, end)
	p.Declared(d).Flags |= lang.Hidden
	p.B.Bind(lang.Alias, scope, p.Text(name)+"!", p.B.Decl(d), p.Line(n))
	if _, ok := p.hasAttribute(attrs, "macro_export"); ok && scope != lang.File {
		p.B.Bind(lang.Alias, lang.File, p.Text(name)+"!", p.B.Decl(d), p.Line(n))
	}
	vars := p.vars
	if scope == lang.File || p.Declared(scope).Kind == lang.Namespace { // else it sees the variables before it
		p.vars = core.Names[int32]{}
	}
	for r := range p.Of(n, "macro_rule") {
		p.scoped(func() int32 {
			p.tokens(p.Field(r, "right"), d)
			return lang.None
		})
	}
	p.vars = vars
}

// macroPath gives the sketch of the macro that a call names.
func (p *walker) macroPath(n, scope int32) int32 {
	name := lastSegment(p.Text(n))
	if p.Kind(n) == "scoped_identifier" {
		names := p.pathNames(n)
		head := p.Field(n, "path")
		if head < 0 {
			return p.macrosOf(names[min(1, len(names)-1)], name)
		}
		if names[0] == "std" || names[0] == "core" || names[0] == "alloc" {
			return p.external
		}
		return p.orElse(p.B.Of(lang.OpAttr, p.prefix(head, scope), name+"!"), p.macrosOf(names[0], name))
	}
	x := p.orElse(p.B.Name(scope, name+"!"), p.macrosOf("crate", name))
	for _, c := range p.crates {
		x = p.orElse(x, p.macrosOf(c, name))
	}
	return x
}

// macroCall records the call of a macro and reads what it is given.
func (p *walker) macroCall(n, scope int32) int32 {
	at := p.Field(n, "macro")
	if at < 0 {
		return lang.None
	}
	name := lastSegment(p.Text(at))
	if !stdMacros[name] || p.nested[scopedName{lang.File, name}] != 0 {
		last := p.lastName(at)
		if x := p.macroPath(at, scope); x != p.external && x != lang.None {
			p.Ref(lang.Call, last, scope, p.B.Call(x, nil), p.Text(last))
		}
	}
	xs := p.inside(p.First(n, "token_tree"), scope, name)
	switch name {
	case "vec", "smallvec", "arrayvec":
		return p.tuple(p.B.Any(xs...))
	case "dbg", "try":
		if len(xs) == 1 {
			return xs[0]
		}
	case "format", "concat", "stringify", "include_str", "env", "matches", "line", "file":
		return p.external
	case "ready":
		if len(xs) == 1 {
			return p.payload(xs[0])
		}
	}
	return lang.None
}

const (
	maxMacroDepth = 12  // macro calls within macro calls
	maxMacroArgs  = 128 // values kept of one list
)

// codeAround makes a function of text that stands between brackets: arguments, elements, or statements.
var codeAround = map[string]string{"(": "fn a(){b(|)}", "[": "fn a(){[|]}", "{": "fn a(){|}"}

// inside reads what a macro is given: as expressions, as statements or items, or, when it is neither, as tokens.
func (p *walker) inside(n, scope int32, name string) []int32 {
	if n < 0 || p.err != nil || p.End(n)-p.Start(n) <= 2 {
		return nil
	}
	text := p.Src[p.Start(n)+1 : p.End(n)-1]
	start := p.Start(n) + 1
	if len(bytes.TrimSpace(text)) == 0 || p.First(n, "identifier", "self", "token_tree", "crate", "super") < 0 && !bytes.ContainsAny(text, "{") {
		return nil
	}
	open := p.at(p.Start(n))
	if name == "matches" || name == "assert_matches" {
		if t, head := p.patternTree(text); t != nil {
			p.within(t, start-head, func() { p.expr(p.First(p.First(0, "function_item"), "block"), scope) })
			return nil
		}
	}
	forms := []string{"(", "[", "{"}
	if i := slices.Index(forms, string(open)); i > 0 {
		forms[0], forms[i] = forms[i], forms[0]
	}
	for _, form := range forms {
		before, after, _ := strings.Cut(codeAround[form], "|")
		t := p.parse(before, text, after)
		if t == nil || t.Errors > 0 {
			continue
		}
		var xs []int32
		p.within(t, start-int32(len(before)), func() {
			body := p.First(p.First(0, "function_item"), "block")
			if form == "{" {
				p.block(body, scope)
				return
			}
			list := p.Child(body, 0)
			if p.Kind(list) == "expression_statement" {
				list = p.Child(list, 0)
			}
			if form == "(" {
				list = p.Field(list, "arguments")
			}
			for c := range p.Children(list) {
				x := lang.None
				if p.Kind(c) == "assignment_expression" && p.Kind(p.Field(c, "left")) == "identifier" { // name = value
					x = p.expr(p.Field(c, "right"), scope)
				} else {
					x = p.expr(c, scope)
				}
				if x != lang.None && len(xs) < maxMacroArgs {
					xs = append(xs, x)
				}
			}
		})
		return xs
	}
	p.tokens(n, scope)
	return nil
}

// tokens finds calls of paths among tokens: names joined by "::" before a parenthesis. Methods are found on self and on
// variables only; braces and parentheses are tried as code of their own.
func (p *walker) tokens(n, scope int32) {
	var chain []int32   // the path under way
	end := int32(-1)    // where it ends
	method := int32(-1) // the name behind a dot
	recv := p.unknown   // what stands before that
	between := func(c int32) string {
		if end < 0 {
			return ""
		}
		return strings.TrimSpace(string(p.Src[end:p.Start(c)]))
	}
	for c := range p.Children(n) {
		switch p.Kind(c) {
		case "identifier", "crate", "super", "self", "metavariable":
			gap := between(c)
			if len(chain) > 0 && gap == "::" {
				chain = append(chain, c)
			} else if gap == "." {
				method, recv = c, p.unknown
				if len(chain) == 1 && p.Kind(chain[0]) != "metavariable" {
					if x := p.vars.Find(p.Text(chain[0])); x != nil {
						recv = *x
					}
				}
				chain, end = nil, p.End(c)
				continue
			} else if strings.HasSuffix(gap, ".") || strings.HasSuffix(gap, "fn") || strings.HasSuffix(gap, "struct") || strings.HasSuffix(gap, "mod") {
				chain = nil
			} else {
				chain = []int32{c}
			}
			end, method = p.End(c), -1
			continue
		case "token_tree", "token_repetition":
			gap := between(c)
			if method >= 0 && gap == "" && p.at(p.Start(c)) == '(' {
				p.Ref(lang.Call, method, scope, p.B.Call(p.B.Of(lang.OpAttr, recv, p.Text(method)), nil), p.Text(method))
			}
			method = -1
			if p.Kind(c) == "token_tree" && len(chain) > 0 && (gap == "" || gap == "!") {
				if gap == "!" || p.at(p.Start(c)) == '(' {
					p.tokenCall(chain, scope, gap == "!")
				}
			}
			if p.Kind(c) == "token_tree" && !p.pattern(c) {
				p.inside(c, scope, "")
			} else {
				p.tokens(c, scope)
			}
			chain = nil
			end = p.End(c)
			continue
		}
		chain, end, method = nil, p.End(c), -1
	}
}

func (p *walker) tokenCall(chain []int32, scope int32, macro bool) {
	last := chain[len(chain)-1]
	name := p.Text(last)
	x := lang.None
	for i, c := range chain {
		text := p.Text(c)
		lastOne := i == len(chain)-1
		if lastOne && macro {
			if stdMacros[name] {
				return
			}
			y := p.macrosOf("crate", name)
			if x != lang.None {
				y = p.orElse(p.B.Of(lang.OpAttr, x, name+"!"), y)
			} else {
				y = p.orElse(p.B.Name(scope, name+"!"), y)
			}
			p.Ref(lang.Call, last, scope, p.B.Call(y, nil), name)
			return
		}
		switch {
		case i > 0:
			x = p.B.Of(lang.OpAttr, x, text)
		case text == "$crate" || text == "crate":
			x = p.Module("crate")
		case p.Kind(c) == "metavariable":
			return
		case text == "self":
			x = p.around(scope, 0)
		case text == "super":
			x = p.around(scope, 1)
		default:
			if y := p.vars.Find(text); y != nil {
				x = *y
			} else if x = p.typeName(text, scope); len(chain) > 1 && !p.known[text] && x != p.external {
				x = p.orElse(x, p.Module("::"+text))
			}
		}
	}
	if p.says(x) && !prelude[name] {
		p.Ref(lang.Call, last, scope, p.B.Call(x, nil), name)
	}
}
