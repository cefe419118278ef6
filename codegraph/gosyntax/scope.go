package gosyntax

import (
	"go/ast"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A frame is one block of the language: the names declared in it. Facts know functions as scopes, not blocks, so a name that
// is declared again in another block of a function is bound under a name of its own there.
type frame struct {
	up    *frame
	scope int32 // the declaration whose scope holds the names
	names map[string]local
}

// A local is what one name means in a frame.
type local struct {
	scope int32
	name  string // the name it is bound under
	typed bool   // a type, not a variable
}

type boundName struct {
	scope int32
	name  string
}

// push opens a block, in the scope of a declaration; pop closes it.
func (w *walker) push(scope int32) { w.env = &frame{up: w.env, scope: scope} }

func (w *walker) pop() { w.env = w.env.up }

// declare makes a name of the innermost block and gives what it is bound under. Outside of functions a name is its own.
func (w *walker) declare(name string) local {
	f := w.env
	if f == nil {
		return local{scope: lang.File, name: name}
	}
	if l, ok := f.names[name]; ok {
		return l
	}
	k := boundName{f.scope, name}
	l := local{scope: f.scope, name: name}
	if n := w.bound[k]; n > 0 {
		l.name += "·" + strconv.Itoa(n+1)
	}
	if w.bound == nil {
		w.bound = map[boundName]int{}
	}
	w.bound[k]++
	if f.names == nil {
		f.names = map[string]local{}
	}
	f.names[name] = l
	return l
}

// local finds the innermost block that declares a name.
func (w *walker) local(name string) (local, bool) {
	for f := w.env; f != nil; f = f.up {
		if l, ok := f.names[name]; ok {
			return l, true
		}
	}
	return local{}, false
}

// name gives the sketch of a name where it is used.
func (w *walker) name(name string) int32 {
	if l, ok := w.local(name); ok {
		return w.b.Name(l.scope, l.name)
	}
	return w.b.Name(lang.File, name)
}

// bindUnknown binds a name to something unknown, so that it is not looked for outside.
func (w *walker) bindUnknown(l local, n ast.Node) {
	if l.name != "_" && l.name != "" {
		w.b.Bind(lang.Assign, l.scope, l.name, w.b.Leaf(lang.OpUnknown, lang.File, ""), w.line(n))
	}
}

// mention notes that a name is used without a call. What is certain to be no class or function of the repository is left out.
func (w *walker) mention(id *ast.Ident, x, scope int32) {
	if w.silent > 0 || x == lang.None || id.Name == "_" {
		return
	}
	s := w.span(id.Pos(), id.End())
	w.b.Facts.Refs = append(w.b.Facts.Refs, lang.Ref{Kind: lang.Use, Scope: scope, X: x, Decl: lang.None, Name: strings.Clone(id.Name),
		Line: s.Line, Col: s.Col, EndLine: s.EndLine, EndCol: s.EndCol})
}

// mentionName notes the use of a plain name: of what is declared outside of functions, and of local types.
func (w *walker) mentionName(id *ast.Ident, x, scope int32) {
	if l, ok := w.local(id.Name); ok {
		if l.typed {
			w.mention(id, x, scope)
		}
		return
	}
	if w.vars[id.Name] || rules.Builtins[id.Name] && !w.types[id.Name] {
		return
	}
	w.mention(id, x, scope)
}

// mentionMember notes the use of x.sel, unless x is a package of the standard library.
func (w *walker) mentionMember(e *ast.SelectorExpr, x, scope int32) {
	if id, ok := e.X.(*ast.Ident); ok {
		if _, ok := w.local(id.Name); !ok && w.standard[id.Name] {
			return
		}
	}
	w.mention(e.Sel, x, scope)
}

// isStandard tells whether an import path is one of the standard library. A module may have such a path, but then only its
// mentions are lost, not its calls.
func isStandard(path string) bool {
	first, _, _ := strings.Cut(path, "/")
	return standard[first]
}

var standard = words(`archive bufio bytes cmp compress container context crypto database debug embed encoding errors expvar
flag fmt go hash html image io iter log maps math mime net os path plugin reflect regexp runtime slices sort strconv strings structs
sync syscall testing text time unicode unique unsafe weak`)
