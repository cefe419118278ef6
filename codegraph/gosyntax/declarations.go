package gosyntax

import (
	"go/ast"
	"go/token"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// A walker turns one syntax tree into facts.
type walker struct {
	b   lang.Builder
	tok *token.File
	src []byte

	env      *frame
	bound    map[boundName]int
	vars     map[string]bool   // variables and constants that the file declares outside of functions
	types    map[string]bool   // types and functions that it declares there
	imports  map[string]string // import paths by local name
	standard map[string]bool   // local names of packages of the standard library
	silent   int               // above 0: nothing is mentioned
}

func (w *walker) offset(p token.Pos) int32 {
	if !p.IsValid() || int(p) < w.tok.Base() || int(p) > w.tok.Base()+w.tok.Size() {
		return int32(w.tok.Size())
	}
	return int32(w.tok.Offset(p))
}

func (w *walker) place(off int32) (line, col int32) {
	p := w.tok.PositionFor(w.tok.Pos(int(off)), false)
	return int32(p.Line), int32(p.Column)
}

func (w *walker) span(from, to token.Pos) lang.Span {
	s := lang.Span{Start: w.offset(from), End: w.offset(to)}
	s.End = max(s.End, s.Start)
	s.Line, s.Col = w.place(s.Start)
	s.EndLine, s.EndCol = w.place(s.End)
	return s
}

func (w *walker) line(n ast.Node) int32 {
	l, _ := w.place(w.offset(n.Pos()))
	return l
}

func (w *walker) text(from, to token.Pos) string {
	a, b := w.offset(from), w.offset(to)
	return string(w.src[a:max(a, b)])
}

func (w *walker) file(f *ast.File) {
	w.vars, w.types = map[string]bool{}, map[string]bool{}
	w.imports, w.standard = map[string]string{}, map[string]bool{}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			for _, s := range d.Specs {
				switch s := s.(type) {
				case *ast.ValueSpec:
					for _, n := range s.Names {
						w.vars[n.Name] = true
					}
				case *ast.TypeSpec:
					w.types[s.Name.Name] = true
				}
			}
		case *ast.FuncDecl:
			if d.Recv == nil {
				w.types[d.Name.Name] = true
			}
		}
	}
	names := findPackageNames(f)
	for _, d := range f.Decls {
		if d, ok := d.(*ast.GenDecl); ok && d.Tok == token.IMPORT {
			for _, s := range d.Specs {
				if s, ok := s.(*ast.ImportSpec); ok {
					w.importSpec(s, names)
				}
			}
		}
	}
	for _, d := range f.Decls {
		switch d := d.(type) {
		case *ast.GenDecl:
			w.general(d, lang.File)
		case *ast.FuncDecl:
			w.function(d)
		}
	}
}

func (w *walker) general(d *ast.GenDecl, scope int32) {
	var last *ast.ValueSpec
	var values []int32
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.TypeSpec:
			from := s.Pos()
			if !d.Lparen.IsValid() {
				from = d.Pos()
			}
			w.typeSpec(s, from, scope)
		case *ast.ValueSpec:
			if d.Tok == token.CONST && s.Type == nil && len(s.Values) == 0 && last != nil {
				w.repeatConstants(s, last, values, scope) // the same type and values once more
				continue
			}
			values = w.values(s, scope)
			last = s
		}
	}
}

func (w *walker) importSpec(s *ast.ImportSpec, names map[string]string) {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return // a syntax error, counted by the parser
	}
	m := lang.Import{Scope: lang.File, Module: p, Line: w.line(s), Alias: importName(p)}
	if n, ok := names[p]; ok {
		m.Alias = n
	}
	if s.Name != nil {
		switch m.Alias = s.Name.Name; m.Alias {
		case "_":
			m.Alias = ""
		case ".":
			m.Alias, m.Name = "", "*"
		}
	}
	if m.Alias != "" {
		w.imports[m.Alias] = p
		if isStandard(p) {
			w.standard[m.Alias] = true
		}
	}
	w.b.Facts.Imports = append(w.b.Facts.Imports, m)
}

// values declares variables or constants and gives what their values are.
func (w *walker) values(s *ast.ValueSpec, scope int32) []int32 {
	typ := w.typ(s.Type, scope)
	xs := make([]int32, len(s.Values))
	for i, v := range s.Values {
		xs[i] = w.value(v, scope)
	}
	w.declareNames(s, typ, scope)
	if len(xs) == 1 && len(s.Names) > 1 {
		for i, n := range s.Names {
			w.bind(n, w.resultAt(s.Values[0], xs[0], i), scope)
		}
		return xs
	}
	for i, n := range s.Names {
		switch {
		case i < len(xs):
			w.bind(n, xs[i], scope)
		case typ == lang.None:
			w.bind(n, lang.None, scope)
		}
	}
	return xs
}

// declareNames makes the names of a specification, with their type.
func (w *walker) declareNames(s *ast.ValueSpec, typ, scope int32) {
	for _, n := range s.Names {
		if n.Name == "_" {
			continue
		}
		if l := w.declare(n.Name); typ != lang.None {
			w.b.Bind(lang.Annotate, l.scope, l.name, typ, w.line(n))
		}
	}
}

// repeatConstants gives constants the type and the values of the specification before.
func (w *walker) repeatConstants(s, last *ast.ValueSpec, values []int32, scope int32) {
	w.silent++
	w.declareNames(s, w.typ(last.Type, scope), scope)
	w.silent--
	for i, n := range s.Names {
		if i < len(values) {
			w.bind(n, values[i], scope)
		}
	}
}

func (w *walker) typeSpec(s *ast.TypeSpec, from token.Pos, scope int32) {
	if s.Name == nil {
		return
	}
	l := w.declare(s.Name.Name)
	if w.env != nil {
		l.typed = true
		w.env.names[s.Name.Name] = l
	}
	if s.Assign.IsValid() {
		w.b.Bind(lang.Assign, l.scope, l.name, w.typ(s.Type, scope), w.line(s))
		return
	}
	d := lang.Decl{Name: s.Name.Name, Kind: lang.Class, Parent: scope, Span: w.span(from, s.End()), NameLine: w.line(s.Name)}
	head := s.End()
	switch t := s.Type.(type) {
	case *ast.StructType:
		if t.Fields != nil && t.Fields.Opening.IsValid() {
			head = t.Fields.Opening
		}
	case *ast.InterfaceType:
		d.Flags |= lang.Interface
		if t.Methods != nil && t.Methods.Opening.IsValid() {
			head = t.Methods.Opening
		}
	}
	d.Body = w.offset(head)
	d.Signature = lang.OneLine("type " + w.text(s.Pos(), head))
	if d.Name == "_" || l.name != d.Name || l.scope != scope {
		d.Flags |= lang.Hidden
	}
	i := w.b.Declare(d)
	if d.Flags&lang.Hidden != 0 && d.Name != "_" {
		w.b.Bind(lang.Assign, l.scope, l.name, w.b.Decl(i), w.line(s))
	}
	w.push(i)
	defer w.pop()
	w.typeParams(s.TypeParams, i, true)
	switch t := s.Type.(type) {
	case *ast.StructType:
		w.fields(t, i)
	case *ast.InterfaceType:
		w.methods(t, i)
	case *ast.FuncType: // called, it gives what its result types say
		w.b.Bind(lang.Annotate, i, called, w.typ(t, i), w.line(t))
	default: // a type made of another keeps its elements, not its methods
		if x := w.typ(s.Type, i); x != lang.None {
			if op := w.b.Facts.Exprs[x].Op; op == lang.OpDict || op == lang.OpList {
				w.b.Facts.Decls[i].Elem = x
			}
		}
	}
}

// called is the name of what runs when a value of a function type is called; no method can have it.
const called = "()"

// typeParams declares the parameters of a generic type or function. A generic type also keeps them by number, for its methods
// and its uses.
func (w *walker) typeParams(l *ast.FieldList, i int32, class bool) {
	if l == nil {
		return
	}
	n := 0
	var names []local
	for _, f := range l.List { // constraints may name parameters that follow
		for _, id := range f.Names {
			v := local{scope: i, name: id.Name}
			if class {
				v.name = typeParam(n)
				n++
				if w.env.names == nil {
					w.env.names = map[string]local{}
				}
				w.env.names[id.Name] = v
			} else {
				v = w.declare(id.Name)
			}
			names = append(names, v)
		}
	}
	for _, f := range l.List {
		typ := w.typ(f.Type, i)
		for _, id := range f.Names {
			if typ == lang.None {
				w.bindUnknown(names[0], id)
			} else {
				w.b.Bind(lang.Assign, names[0].scope, names[0].name, typ, w.line(id)) // what its constraint offers
			}
			names = names[1:]
		}
	}
}

func (w *walker) methods(t *ast.InterfaceType, class int32) {
	if t.Methods == nil {
		return
	}
	for _, m := range t.Methods.List {
		ft, ok := m.Type.(*ast.FuncType)
		if !ok || len(m.Names) == 0 {
			w.silent++
			base := w.typ(m.Type, class)
			w.silent--
			if base != lang.None {
				w.b.Facts.Decls[class].Bases = append(w.b.Facts.Decls[class].Bases, base)
			}
			continue
		}
		for _, n := range m.Names {
			md := w.b.Declare(lang.Decl{Name: n.Name, Kind: lang.Function, Flags: lang.Interface, Parent: class, Span: w.span(m.Pos(), m.End()),
				NameLine: w.line(n), Body: w.offset(m.End()), Signature: lang.OneLine(w.text(m.Pos(), m.End()))})
			w.push(md)
			w.signature(md, nil, ft)
			w.pop()
		}
	}
}

func (w *walker) fields(t *ast.StructType, class int32) {
	if t.Fields == nil {
		return
	}
	for _, f := range t.Fields.List {
		if len(f.Names) > 0 {
			typ := w.typ(f.Type, class)
			for _, n := range f.Names {
				if typ != lang.None {
					w.b.Bind(lang.Annotate, class, n.Name, typ, w.line(n))
				}
			}
			continue
		}
		w.silent++ // the inherit edge says it
		typ := w.typ(f.Type, class)
		w.silent--
		if typ == lang.None {
			continue
		}
		w.b.Facts.Decls[class].Bases = append(w.b.Facts.Decls[class].Bases, typ)
		if name := baseName(f.Type); name != "" {
			w.b.Bind(lang.Annotate, class, name, typ, w.line(f))
		}
	}
}

// baseName gives the last name of a type.
func baseName(t ast.Expr) string {
	if id := lastIdent(t); id != nil {
		return id.Name
	}
	return ""
}

func (w *walker) function(d *ast.FuncDecl) {
	if d.Name == nil || d.Type == nil {
		return
	}
	head := d.Type.End()
	if d.Body != nil {
		head = d.Body.Lbrace
	}
	decl := lang.Decl{Name: d.Name.Name, Kind: lang.Function, Parent: lang.File, Span: w.span(d.Pos(), d.End()), NameLine: w.line(d.Name),
		Signature: lang.OneLine(w.text(d.Pos(), head)), Body: w.offset(head)}
	if d.Recv != nil {
		decl.Flags |= lang.Hidden
		if len(d.Recv.List) > 0 {
			decl.Receiver = strings.Clone(baseName(d.Recv.List[0].Type))
		}
	} else if decl.Name == "init" || decl.Name == "_" {
		decl.Flags |= lang.Hidden
	}
	i := w.b.Declare(decl)
	w.push(i)
	w.signature(i, d.Recv, d.Type)
	if d.Body != nil {
		w.block(d.Body.List, i)
	}
	w.pop()
}

// receiverParams declares the names that a receiver gives the parameters of its generic type.
func (w *walker) receiverParams(recv *ast.FieldList) {
	for _, f := range recv.List {
		t := f.Type
		for {
			if p, ok := t.(*ast.ParenExpr); ok {
				t = p.X
			} else if s, ok := t.(*ast.StarExpr); ok {
				t = s.X
			} else {
				break
			}
		}
		var args []ast.Expr
		switch x := t.(type) {
		case *ast.IndexExpr:
			args = []ast.Expr{x.Index}
		case *ast.IndexListExpr:
			args = x.Indices
		}
		for i, a := range args {
			if id, ok := a.(*ast.Ident); ok && id.Name != "_" {
				class := w.b.Name(lang.File, baseName(t))
				l := w.declare(id.Name)
				w.b.Bind(lang.Assign, l.scope, l.name, w.b.Of(lang.OpAttr, class, typeParam(i)), w.line(id))
			}
		}
	}
}

// signature records parameters and results of a declaration, whose block is the innermost.
func (w *walker) signature(i int32, recv *ast.FieldList, t *ast.FuncType) {
	var params []lang.Param
	add := func(l *ast.FieldList, kind lang.ParamKind) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			typ := lang.None
			if kind == lang.Receiver {
				typ = w.b.Name(lang.File, baseName(f.Type))
			} else {
				typ = w.typ(f.Type, i)
			}
			if len(f.Names) == 0 {
				params = append(params, lang.Param{Kind: kind, Type: typ, Def: lang.None})
			}
			for _, n := range f.Names {
				name := ""
				if n.Name != "_" {
					name = w.declare(n.Name).name
				}
				params = append(params, lang.Param{Name: name, Kind: kind, Type: typ, Def: lang.None})
			}
		}
	}
	if recv != nil {
		w.receiverParams(recv)
	}
	w.typeParams(t.TypeParams, i, false)
	add(recv, lang.Receiver)
	add(t.Params, lang.Plain)
	w.b.Facts.Decls[i].Params = params
	if t.Results == nil {
		return
	}
	var results []int32
	for _, f := range t.Results.List {
		typ := w.typ(f.Type, i)
		results = append(results, typ)
		for j, n := range f.Names {
			if j > 0 {
				results = append(results, typ)
			}
			if n.Name == "_" {
				continue
			}
			if l := w.declare(n.Name); typ != lang.None {
				w.b.Bind(lang.Annotate, l.scope, l.name, typ, w.line(n))
			} else {
				w.bindUnknown(l, n)
			}
		}
	}
	if len(results) == 1 {
		w.b.Bind(lang.ReturnType, i, "", results[0], w.line(t))
	} else if len(results) > 1 {
		var args []lang.Arg
		for _, r := range results {
			args = append(args, lang.Arg{X: w.b.Of(lang.OpInstance, r, "")})
		}
		w.b.Bind(lang.ReturnType, i, "", w.b.Many(lang.OpTuple, args), w.line(t))
	}
}
