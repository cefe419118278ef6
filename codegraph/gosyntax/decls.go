package gosyntax

import (
	"go/ast"
	"go/token"
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
)

// A walker turns one syntax tree into facts.
type walker struct {
	b   lang.Builder
	tok *token.File
	src []byte

	seen  map[binding]bool // names bound so far
	binds int              // bindings of the facts that are in seen
}

type binding struct {
	scope int32
	name  string
}

// visible gives the scope in which a name that is used now is bound already: a variable is not there in its own first
// value, as in "url := url.Parse(s)". Names of the file are all visible.
func (w *walker) visible(scope int32, name string) int32 {
	f := &w.b.Facts
	if w.seen == nil {
		w.seen = map[binding]bool{}
	}
	for ; w.binds < len(f.Bindings); w.binds++ {
		b := &f.Bindings[w.binds]
		w.seen[binding{b.Scope, b.Name}] = true
	}
	for ; scope != lang.File; scope = f.Decls[scope].Parent {
		d := &f.Decls[scope]
		if d.Kind == lang.Class || w.seen[binding{scope, name}] || slices.ContainsFunc(d.Params, func(p lang.Param) bool { return p.Name == name }) {
			return scope
		}
	}
	return lang.File
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
	if f.Name != nil {
		w.b.Facts.Package = f.Name.Name
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
	for _, s := range d.Specs {
		switch s := s.(type) {
		case *ast.ImportSpec:
			w.importSpec(s)
		case *ast.TypeSpec:
			from := s.Pos()
			if !d.Lparen.IsValid() {
				from = d.Pos()
			}
			w.typeSpec(s, from, scope)
		case *ast.ValueSpec:
			w.values(s, scope)
		}
	}
}

func (w *walker) importSpec(s *ast.ImportSpec) {
	p, err := strconv.Unquote(s.Path.Value)
	if err != nil {
		return // a syntax error, counted by the parser
	}
	m := lang.Import{Scope: lang.File, Module: p, Line: w.line(s), Alias: importName(p)}
	if s.Name != nil {
		switch m.Alias = s.Name.Name; m.Alias {
		case "_":
			m.Alias = ""
		case ".":
			m.Alias, m.Name = "", "*"
		}
	}
	w.b.Facts.Imports = append(w.b.Facts.Imports, m)
}

func (w *walker) values(s *ast.ValueSpec, scope int32) {
	typ := w.typ(s.Type, scope)
	for _, n := range s.Names {
		if typ != lang.None && n.Name != "_" {
			w.b.Bind(lang.Annotate, scope, n.Name, typ, w.line(n))
		}
	}
	w.assign(exprs(s.Names), s.Values, scope)
	if s.Values == nil && typ == lang.None {
		for _, n := range s.Names {
			w.hide(n.Name, scope, n)
		}
	}
}

func exprs(names []*ast.Ident) []ast.Expr {
	out := make([]ast.Expr, len(names))
	for i, n := range names {
		out[i] = n
	}
	return out
}

// hide binds a name to something unknown, so that it is not looked for outside.
func (w *walker) hide(name string, scope int32, n ast.Node) {
	if name != "_" && name != "" {
		w.b.Bind(lang.Assign, scope, name, w.b.Leaf(lang.OpUnknown, lang.File, ""), w.line(n))
	}
}

func (w *walker) typeSpec(s *ast.TypeSpec, from token.Pos, scope int32) {
	if s.Name == nil {
		return
	}
	if s.Assign.IsValid() {
		w.b.Bind(lang.Assign, scope, s.Name.Name, w.typ(s.Type, scope), w.line(s))
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
	if d.Name == "_" {
		d.Flags |= lang.Hidden
	}
	i := w.b.Declare(d)
	switch t := s.Type.(type) {
	case *ast.StructType:
		w.fields(t, i, scope)
	case *ast.InterfaceType:
		if t.Methods == nil {
			return
		}
		for _, m := range t.Methods.List {
			ft, ok := m.Type.(*ast.FuncType)
			if !ok || len(m.Names) == 0 {
				if base := w.typ(m.Type, scope); base != lang.None {
					w.b.Facts.Decls[i].Bases = append(w.b.Facts.Decls[i].Bases, base)
				}
				continue
			}
			for _, n := range m.Names {
				md := w.b.Declare(lang.Decl{Name: n.Name, Kind: lang.Function, Flags: lang.Interface, Parent: i, Span: w.span(m.Pos(), m.End()),
					NameLine: w.line(n), Body: w.offset(m.End()), Signature: lang.OneLine(w.text(m.Pos(), m.End()))})
				w.signature(md, nil, ft, scope)
			}
		}
	default: // a type made of another keeps its elements, not its methods
		if x := w.typ(s.Type, scope); x != lang.None {
			if op := w.b.Facts.Exprs[x].Op; op == lang.OpDict || op == lang.OpList {
				w.b.Facts.Decls[i].Elem = x
			}
		}
	}
}

func (w *walker) fields(t *ast.StructType, class, scope int32) {
	if t.Fields == nil {
		return
	}
	for _, f := range t.Fields.List {
		typ := w.typ(f.Type, scope)
		if len(f.Names) == 0 && typ != lang.None {
			w.b.Facts.Decls[class].Bases = append(w.b.Facts.Decls[class].Bases, typ)
			if name := w.b.LastName(typ); name != "" {
				w.b.Bind(lang.Annotate, class, name, typ, w.line(f))
			}
		}
		for _, n := range f.Names {
			if typ != lang.None {
				w.b.Bind(lang.Annotate, class, n.Name, typ, w.line(n))
			}
		}
	}
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
			decl.Receiver = receiver(d.Recv.List[0].Type)
		}
	} else if decl.Name == "init" || decl.Name == "_" {
		decl.Flags |= lang.Hidden
	}
	i := w.b.Declare(decl)
	w.signature(i, d.Recv, d.Type, lang.File)
	if d.Body != nil {
		w.block(d.Body.List, i)
	}
}

func receiver(t ast.Expr) string {
	for {
		switch x := t.(type) {
		case *ast.StarExpr:
			t = x.X
		case *ast.ParenExpr:
			t = x.X
		case *ast.IndexExpr:
			t = x.X
		case *ast.IndexListExpr:
			t = x.X
		case *ast.Ident:
			return x.Name
		default:
			return ""
		}
	}
}

// signature records parameters and results of a declaration.
func (w *walker) signature(i int32, recv *ast.FieldList, t *ast.FuncType, scope int32) {
	var params []lang.Param
	add := func(l *ast.FieldList, kind lang.ParamKind) {
		if l == nil {
			return
		}
		for _, f := range l.List {
			typ, k := w.typ(f.Type, scope), kind
			if _, rest := f.Type.(*ast.Ellipsis); rest {
				k = lang.Plain // a typed slice, like any other
			}
			if len(f.Names) == 0 {
				params = append(params, lang.Param{Kind: k, Type: typ, Def: lang.None})
			}
			for _, n := range f.Names {
				params = append(params, lang.Param{Name: n.Name, Kind: k, Type: typ, Def: lang.None})
			}
		}
	}
	if t.TypeParams != nil { // a type parameter is not the type of the same name outside
		for _, f := range t.TypeParams.List {
			typ := w.typ(f.Type, scope)
			for _, n := range f.Names {
				if typ == lang.None {
					w.hide(n.Name, i, n)
				} else {
					w.b.Bind(lang.Assign, i, n.Name, typ, w.line(n)) // what its constraint offers
				}
			}
		}
		scope = i
	}
	add(recv, lang.Receiver)
	add(t.Params, lang.Plain)
	w.b.Facts.Decls[i].Params = params
	if t.Results == nil {
		return
	}
	var results []int32
	for _, f := range t.Results.List {
		typ := w.typ(f.Type, scope)
		results = append(results, typ)
		for j, n := range f.Names {
			if j > 0 {
				results = append(results, typ)
			}
			if typ != lang.None {
				w.b.Bind(lang.Annotate, i, n.Name, typ, w.line(n))
			} else {
				w.hide(n.Name, i, n)
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
