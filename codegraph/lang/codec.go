package lang

import (
	"encoding/binary"
	"errors"
	"fmt"
)

// codecVersion is the first byte of the byte form of facts.   1: first.   2: owners.
const codecVersion = 2

var errFacts = errors.New("damaged facts")

// Append appends the byte form of f to b: a version, the distinct strings, then every list as a count and its fields as
// variable-length integers, in the order of their declaration, strings by number.
func (f *Facts) Append(b []byte) []byte {
	e := encoder{index: map[string]uint64{}}
	e.facts(f)
	b = append(b, codecVersion)
	b = binary.AppendUvarint(b, uint64(len(e.strings)))
	for _, s := range e.strings {
		b = binary.AppendUvarint(b, uint64(len(s)))
		b = append(b, s...)
	}
	return append(b, e.b...)
}

type encoder struct {
	b       []byte
	strings []string
	index   map[string]uint64
}

func (e *encoder) str(s string) {
	i, ok := e.index[s]
	if !ok {
		i = uint64(len(e.strings))
		e.index[s] = i
		e.strings = append(e.strings, s)
	}
	e.b = binary.AppendUvarint(e.b, i)
}

func (e *encoder) num(n ...int32) {
	for _, v := range n {
		e.b = binary.AppendVarint(e.b, int64(v))
	}
}

func (e *encoder) bool(v bool) {
	if v {
		e.num(1)
	} else {
		e.num(0)
	}
}

func (e *encoder) list(l []int32) {
	e.num(int32(len(l)))
	e.num(l...)
}

func (e *encoder) facts(f *Facts) {
	e.str(f.Lang)
	e.str(f.Package)
	e.num(f.Lines, f.Errors)

	e.num(int32(len(f.Decls)))
	for i := range f.Decls {
		d := &f.Decls[i]
		e.str(d.Name)
		e.num(int32(d.Kind), int32(d.Flags), d.Parent)
		s := d.Span
		e.num(s.Start, s.End, s.Line, s.Col, s.EndLine, s.EndCol, d.NameLine, d.Body)
		e.str(d.Signature)
		e.str(d.Receiver)
		e.str(d.Qualifier)
		e.list(d.Bases)
		e.num(d.Elem, d.Owner)
		e.num(int32(len(d.Params)))
		for _, p := range d.Params {
			e.str(p.Name)
			e.num(int32(p.Kind), p.Type, p.Def)
		}
		e.list(d.Decorated)
	}
	e.num(int32(len(f.Imports)))
	for _, m := range f.Imports {
		e.num(m.Scope, m.Level, m.Line)
		e.str(m.Module)
		e.str(m.Name)
		e.str(m.Alias)
		e.str(m.As)
		e.bool(m.Dotted)
	}
	e.num(int32(len(f.Exprs)))
	for i := range f.Exprs {
		x := &f.Exprs[i]
		e.num(int32(x.Op), x.X, x.Decl, x.Scope)
		e.str(x.Name)
		e.num(int32(len(x.Args)))
		for _, a := range x.Args {
			e.str(a.Name)
			e.num(a.X)
			e.bool(a.Spread)
		}
	}
	e.num(int32(len(f.Bindings)))
	for _, v := range f.Bindings {
		e.num(int32(v.Kind), v.Scope, v.Target, v.Value, v.Line)
		e.str(v.Name)
	}
	e.num(int32(len(f.Refs)))
	for _, r := range f.Refs {
		e.num(int32(r.Kind), r.Scope, r.X, r.Decl, r.Line, r.Col, r.EndLine, r.EndCol)
		e.str(r.Name)
	}
}

// Decode reads the byte form of facts, all of b. Strings are copied, so that b is not kept. Every index is checked.
func Decode(b []byte) (*Facts, error) {
	if len(b) == 0 || b[0] != codecVersion {
		return nil, fmt.Errorf("%w: version", errFacts)
	}
	d := decoder{b: b[1:]}
	n := d.count(1)
	d.strings = make([]string, 0, n)
	for range n {
		l := d.count(1)
		d.strings = append(d.strings, string(d.b[:l]))
		d.b = d.b[l:]
	}
	f := d.facts()
	if d.bad || len(d.b) > 0 {
		return nil, errFacts
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f, nil
}

type decoder struct {
	b       []byte
	strings []string
	bad     bool
}

func (d *decoder) fail() { d.bad, d.b = true, nil }

// count reads an unsigned number of items of at least size bytes each, and fails when they cannot all be there.
func (d *decoder) count(size int) int {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v > uint64(len(d.b)-n)/uint64(size) {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return int(v)
}

func (d *decoder) length(size int) int {
	v := d.num()
	if v < 0 || int(v) > len(d.b)/size {
		d.fail()
		return 0
	}
	return int(v)
}

func (d *decoder) num() int32 {
	v, n := binary.Varint(d.b)
	if n <= 0 || int64(int32(v)) != v {
		d.fail()
		return 0
	}
	d.b = d.b[n:]
	return int32(v)
}

func (d *decoder) bool() bool { return d.num() != 0 }

func (d *decoder) str() string {
	v, n := binary.Uvarint(d.b)
	if n <= 0 || v >= uint64(len(d.strings)) {
		d.fail()
		return ""
	}
	d.b = d.b[n:]
	return d.strings[v]
}

func (d *decoder) list() []int32 {
	n := d.length(1)
	if n == 0 {
		return nil
	}
	l := make([]int32, n)
	for i := range l {
		l[i] = d.num()
	}
	return l
}

func makeList[T any](n int) []T {
	if n == 0 {
		return nil
	}
	return make([]T, n)
}

func (d *decoder) facts() *Facts {
	f := &Facts{Lang: d.str(), Package: d.str(), Lines: d.num(), Errors: d.num()}
	f.Decls = makeList[Decl](d.length(16))
	for i := range f.Decls {
		c := &f.Decls[i]
		c.Name = d.str()
		c.Kind, c.Flags, c.Parent = DeclKind(d.num()), DeclFlag(d.num()), d.num()
		c.Span = Span{d.num(), d.num(), d.num(), d.num(), d.num(), d.num()}
		c.NameLine, c.Body, c.Signature, c.Receiver, c.Qualifier = d.num(), d.num(), d.str(), d.str(), d.str()
		c.Bases, c.Elem, c.Owner = d.list(), d.num(), d.num()
		c.Params = makeList[Param](d.length(4))
		for j := range c.Params {
			c.Params[j] = Param{d.str(), ParamKind(d.num()), d.num(), d.num()}
		}
		c.Decorated = d.list()
	}
	f.Imports = makeList[Import](d.length(8))
	for i := range f.Imports {
		m := &f.Imports[i]
		m.Scope, m.Level, m.Line = d.num(), d.num(), d.num()
		m.Module, m.Name, m.Alias, m.As, m.Dotted = d.str(), d.str(), d.str(), d.str(), d.bool()
	}
	f.Exprs = makeList[Expr](d.length(6))
	for i := range f.Exprs {
		x := &f.Exprs[i]
		x.Op, x.X, x.Decl, x.Scope, x.Name = Op(d.num()), d.num(), d.num(), d.num(), d.str()
		x.Args = makeList[Arg](d.length(3))
		for j := range x.Args {
			x.Args[j] = Arg{d.str(), d.num(), d.bool()}
		}
	}
	f.Bindings = makeList[Binding](d.length(6))
	for i := range f.Bindings {
		f.Bindings[i] = Binding{Kind: BindKind(d.num()), Scope: d.num(), Target: d.num(), Value: d.num(), Line: d.num(), Name: d.str()}
	}
	f.Refs = makeList[Ref](d.length(8))
	for i := range f.Refs {
		f.Refs[i] = Ref{Kind: RefKind(d.num()), Scope: d.num(), X: d.num(), Decl: d.num(), Line: d.num(), Col: d.num(), EndLine: d.num(), EndCol: d.num(), Name: d.str()}
	}
	return f
}

// Check tells whether every index in f points to something and nothing points forwards where that would make a circle.
func (f *Facts) Check() error {
	expr := func(i int32) bool { return i >= None && int(i) < len(f.Exprs) }
	scope := func(i int32) bool { return i >= File && int(i) < len(f.Decls) }
	bad := func(what string, i int) error { return fmt.Errorf("%w: %s %d", errFacts, what, i) }
	for i := range f.Decls {
		d := &f.Decls[i]
		ok := d.Parent >= File && int(d.Parent) < i && d.Kind >= Class && d.Kind <= Namespace && d.Span.Start >= 0 &&
			d.Span.Start <= d.Span.End && d.Body >= d.Span.Start && d.Body <= d.Span.End && expr(d.Elem) && expr(d.Owner)
		for _, b := range d.Bases {
			ok = ok && expr(b)
		}
		for _, b := range d.Decorated {
			ok = ok && expr(b)
		}
		for _, p := range d.Params {
			ok = ok && expr(p.Type) && expr(p.Def)
		}
		if !ok {
			return bad("declaration", i)
		}
	}
	for i := range f.Imports {
		if !scope(f.Imports[i].Scope) {
			return bad("import", i)
		}
	}
	for i := range f.Exprs {
		x := &f.Exprs[i]
		ok := x.X >= None && int(x.X) < i && (x.Op != OpDecl || scope(x.Decl) && x.Decl != File) && scope(x.Scope)
		for _, a := range x.Args {
			ok = ok && a.X >= None && int(a.X) < i
		}
		if !ok {
			return bad("expression", i)
		}
	}
	for i, b := range f.Bindings {
		if !scope(b.Scope) || !expr(b.Target) || !expr(b.Value) {
			return bad("binding", i)
		}
	}
	for i, r := range f.Refs {
		if !scope(r.Scope) || !expr(r.X) || r.X == None || !expr(r.Decl) {
			return bad("reference", i)
		}
		if x := f.Exprs[r.X]; r.Kind == Call && (x.Op != OpCall || x.X == None) {
			return bad("call", i)
		}
	}
	return nil
}
