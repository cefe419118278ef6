package factcodec

import (
	"encoding/binary"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/codec"
	"github.com/findspot/findspot/codegraph/lang"
)

// codecVersion is the first byte of the byte form of facts.   1: first.   2: owners.   3: differences to what stands before.
// 4: shapes.
const codecVersion = 4

var errFacts = errors.New("damaged facts")

// Encode gives the byte form of f: a version, the distinct strings, then every list as a count and its items.
// Numbers are variable-length; strings go by number, places by the difference to the item before, operands by the distance
// back. Items that mostly lack a field begin with flags that say which are there.
func Encode(f *lang.Facts) []byte {
	e := encoder{index: make(map[string]uint64, len(f.Decls)+len(f.Exprs)/4+8)}
	e.Buf = make([]byte, 0, 16*len(f.Decls)+5*len(f.Exprs)+10*len(f.Refs)+64)
	e.facts(f)
	head := codec.Writer{Buf: []byte{codecVersion}}
	head.Uint(uint64(len(e.strings)))
	for _, s := range e.strings {
		head.Uint(uint64(len(s)))
	}
	return slices.Concat(head.Buf, []byte(strings.Join(e.strings, "")), e.Buf)
}

type encoder struct {
	codec.Writer
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
	e.Uint(i)
}

func (e *encoder) count(n int) { e.Uint(uint64(n)) }

func (e *encoder) num(n ...int32) {
	for _, v := range n {
		e.Buf = binary.AppendVarint(e.Buf, int64(v))
	}
}

// diff appends v as the difference to *last, which becomes v.
func (e *encoder) diff(last *int32, v int32) {
	e.Buf = binary.AppendVarint(e.Buf, int64(v)-int64(*last))
	*last = v
}

func (e *encoder) list(l []int32) {
	e.count(len(l))
	e.num(l...)
}

// head appends what an item is, with the flags that say which fields follow.
func (e *encoder) head(kind uint8, bits int, flags ...bool) {
	v := uint64(kind) << bits
	for i, f := range flags {
		if f {
			v |= 1 << i
		}
	}
	e.Uint(v)
}

// The flags of an expression after its operand (2 bits: none, the expression before, another), and of the others.
const (
	exprMore = 4 // the second group of flags follows
	exprBits = 3

	refBits  = 5
	bindBits = 3
)

func (e *encoder) facts(f *lang.Facts) {
	e.str(f.Lang)
	e.str(f.Package)
	e.num(f.Lines, f.Errors)

	params, lists, args := 0, 0, 0
	for i := range f.Decls {
		params += len(f.Decls[i].Params)
		lists += len(f.Decls[i].Bases) + len(f.Decls[i].Decorated)
	}
	for i := range f.Exprs {
		args += len(f.Exprs[i].Args)
	}
	e.count(params)
	e.count(lists)
	e.count(args)

	e.count(len(f.Decls))
	var at, line int32
	for i := range f.Decls {
		d := &f.Decls[i]
		e.str(d.Name)
		e.num(int32(d.Kind), int32(d.Flags), d.Parent)
		s := d.Span
		e.diff(&at, s.Start)
		e.diff(&line, s.Line)
		e.num(s.End-s.Start, s.Col, s.EndLine-s.Line, s.EndCol, d.NameLine-s.Line, d.Body-s.Start)
		e.str(d.Signature)
		e.str(d.Receiver)
		e.str(d.Qualifier)
		e.list(d.Bases)
		e.num(d.Elem, d.Owner)
		e.count(len(d.Params))
		for _, p := range d.Params {
			e.str(p.Name)
			e.num(int32(p.Kind), p.Type, p.Def)
		}
		e.list(d.Decorated)
		e.Uint(uint64(d.Shape))
	}
	e.count(len(f.Imports))
	line = 0
	for _, m := range f.Imports {
		e.num(m.Scope, m.Level)
		e.diff(&line, m.Line)
		e.str(m.Module)
		e.str(m.Name)
		e.str(m.Alias)
		e.str(m.As)
		e.head(0, 0, m.Dotted)
	}
	e.count(len(f.Exprs))
	var scopes, decls [256]int32
	for i := range f.Exprs {
		x := &f.Exprs[i]
		operand := uint64(2)
		switch x.X {
		case lang.None:
			operand = 0
		case int32(i) - 1:
			operand = 1
		}
		more := uint64(0)
		for bit, on := range [...]bool{x.Scope != scopes[x.Op], x.Decl != decls[x.Op], (x.Name == "") == named(x.Op), len(x.Args) > 0} {
			if on {
				more |= 1 << bit
			}
		}
		v := uint64(x.Op)<<exprBits | operand
		if more != 0 {
			e.Uint(v | exprMore)
			e.Buf = append(e.Buf, byte(more))
		} else {
			e.Uint(v)
		}
		if operand == 2 {
			e.num(int32(i) - x.X)
		}
		if more&1 != 0 {
			e.diff(&scopes[x.Op], x.Scope)
		}
		if more&2 != 0 {
			e.diff(&decls[x.Op], x.Decl)
		}
		if x.Name != "" {
			e.str(x.Name)
		}
		if len(x.Args) > 0 {
			e.count(len(x.Args))
			for _, a := range x.Args {
				e.head(0, 0, a.Name != "", a.Spread, a.X == lang.None)
				if a.Name != "" {
					e.str(a.Name)
				}
				if a.X != lang.None {
					e.num(int32(i) - a.X)
				}
			}
		}
	}
	e.count(len(f.Bindings))
	var scope, value int32
	line = 0
	for _, v := range f.Bindings {
		e.head(uint8(v.Kind), bindBits, v.Scope != scope, v.Target != lang.None, v.Name != "")
		if v.Scope != scope {
			e.diff(&scope, v.Scope)
		}
		if v.Target != lang.None {
			e.num(v.Value - v.Target)
		}
		if v.Name != "" {
			e.str(v.Name)
		}
		e.diff(&value, v.Value)
		e.diff(&line, v.Line)
	}
	e.count(len(f.Refs))
	var x int32
	scope, line = 0, 0
	for i := range f.Refs {
		r := &f.Refs[i]
		name := calleeName(f, r)
		e.head(uint8(r.Kind), refBits, r.Scope != scope, r.Decl != lang.None, r.Name != name, r.EndLine != r.Line, r.Line != line)
		if r.Scope != scope {
			e.diff(&scope, r.Scope)
		}
		if r.Decl != lang.None {
			e.num(r.Decl)
		}
		if r.Name != name {
			e.str(r.Name)
		}
		if r.EndLine != r.Line {
			e.num(r.EndLine - r.Line)
		}
		if r.Line != line {
			e.diff(&line, r.Line)
		}
		e.diff(&x, r.X)
		e.num(r.Col, r.EndCol-r.Col)
	}
}

// named tells the forms of expressions that mostly have a name.
func named(op lang.Op) bool { return op == lang.OpName || op == lang.OpAttr }

// calleeName is the name that most references have: that of what they call or mention.
func calleeName(f *lang.Facts, r *lang.Ref) string {
	x := r.X
	if r.Kind == lang.Call && x >= 0 && int(x) < len(f.Exprs) {
		x = f.Exprs[x].X
	}
	if x < 0 || int(x) >= len(f.Exprs) {
		return ""
	}
	return f.Exprs[x].Name
}

// Decode reads the byte form of facts, all of b. Strings are copied, so that b is not kept. Every index is checked.
func Decode(b []byte) (*lang.Facts, error) {
	var d decoder
	return d.decode(b)
}

func (d *decoder) decode(b []byte) (*lang.Facts, error) {
	if len(b) == 0 || b[0] != codecVersion {
		return nil, fmt.Errorf("%w: version", errFacts)
	}
	d.Buf = b[1:]
	n := d.Count(1)
	d.strings = make([]string, n)
	ends, total := make([]int, n), 0
	for i := range ends {
		total += d.Count(1)
		ends[i] = total
	}
	if total > len(d.Buf) {
		return nil, errFacts
	}
	text := string(d.Buf[:total]) // one piece of memory for all of them
	d.Buf = d.Buf[total:]
	from := 0
	for i, to := range ends {
		d.strings[i] = text[from:to]
		from = to
	}
	f := d.facts()
	if d.Bad || len(d.Buf) > 0 {
		return nil, errFacts
	}
	if err := f.Check(); err != nil {
		return nil, err
	}
	return f, nil
}

type decoder struct {
	codec.Reader
	strings []string
	exprs   []lang.Expr // memory to use, and then what was made of it
	args    []lang.Arg
	refs    []lang.Ref
}

func (d *decoder) fail() { d.Bad, d.Buf = true, nil }

func (d *decoder) num() int32 {
	v := d.Uint()
	n := int64(v>>1) ^ -int64(v&1)
	if int64(int32(n)) != n {
		d.fail()
		return 0
	}
	return int32(n)
}

// diff reads a number written as the difference to *last, which becomes that number.
func (d *decoder) diff(last *int32) int32 {
	v := d.Uint()
	n := int64(v>>1) ^ -int64(v&1) + int64(*last)
	if int64(int32(n)) != n {
		d.fail()
		return 0
	}
	*last = int32(n)
	return *last
}

func (d *decoder) str() string {
	v := d.Uint()
	if v >= uint64(len(d.strings)) {
		d.fail()
		return ""
	}
	return d.strings[v]
}

// A pool cuts many short lists from one.
type pool[T any] struct{ free []T }

func newPool[T any](n int) *pool[T] { return &pool[T]{makeList[T](n)} }

// take gives a list of n, nil when n is 0 or more than what is left.
func (p *pool[T]) take(n int) ([]T, bool) {
	if n == 0 || n > len(p.free) {
		return nil, n == 0
	}
	l := p.free[:n:n]
	p.free = p.free[n:]
	return l, true
}

func taken[T any](d *decoder, p *pool[T]) []T {
	l, ok := p.take(d.Count(1))
	if !ok {
		d.fail()
	}
	return l
}

func (d *decoder) list(p *pool[int32]) []int32 {
	l := taken(d, p)
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

// listIn makes a list of n in memory that may be there already.
func listIn[T any](have *[]T, n int) []T {
	if cap(*have) < n {
		*have = make([]T, n)
	}
	*have = (*have)[:n]
	clear(*have)
	if n == 0 {
		return nil
	}
	return *have
}

func (d *decoder) facts() *lang.Facts {
	f := &lang.Facts{Lang: d.str(), Package: d.str(), Lines: d.num(), Errors: d.num()}
	params, lists, args := newPool[lang.Param](d.Count(4)), newPool[int32](d.Count(1)), &pool[lang.Arg]{listIn(&d.args, d.Count(1))}
	f.Decls = makeList[lang.Decl](d.Count(16))
	var at, line int32
	for i := range f.Decls {
		c := &f.Decls[i]
		c.Name = d.str()
		c.Kind, c.Flags, c.Parent = lang.DeclKind(d.num()), lang.DeclFlag(d.num()), d.num()
		s := &c.Span
		s.Start, s.Line = d.diff(&at), d.diff(&line)
		s.End, s.Col, s.EndLine, s.EndCol = d.num()+s.Start, d.num(), d.num()+s.Line, d.num()
		c.NameLine, c.Body = d.num()+s.Line, d.num()+s.Start
		c.Signature, c.Receiver, c.Qualifier = d.str(), d.str(), d.str()
		c.Bases, c.Elem, c.Owner = d.list(lists), d.num(), d.num()
		c.Params = taken(d, params)
		for j := range c.Params {
			c.Params[j] = lang.Param{Name: d.str(), Kind: lang.ParamKind(d.num()), Type: d.num(), Def: d.num()}
		}
		c.Decorated = d.list(lists)
		c.Shape = uint32(d.Uint())
	}
	f.Imports = makeList[lang.Import](d.Count(8))
	line = 0
	for i := range f.Imports {
		m := &f.Imports[i]
		m.Scope, m.Level, m.Line = d.num(), d.num(), d.diff(&line)
		m.Module, m.Name, m.Alias, m.As, m.Dotted = d.str(), d.str(), d.str(), d.str(), d.Uint() != 0
	}
	f.Exprs = listIn(&d.exprs, d.Count(1))
	var scopes, decls [256]int32
	for i := range f.Exprs {
		if d.Bad {
			return f
		}
		d.expr(&f.Exprs[i], int32(i), &scopes, &decls, args)
	}
	f.Bindings = makeList[lang.Binding](d.Count(3))
	var scope, value int32
	line = 0
	for i := range f.Bindings {
		v := &f.Bindings[i]
		head := d.Uint()
		v.Kind, v.Scope, v.Target = lang.BindKind(head>>bindBits), scope, lang.None
		if head&1 != 0 {
			v.Scope = d.diff(&scope)
		}
		var back int32
		if head&2 != 0 {
			back = d.num()
		}
		if head&4 != 0 {
			v.Name = d.str()
		}
		if v.Value = d.diff(&value); head&2 != 0 {
			v.Target = v.Value - back
		}
		v.Line = d.diff(&line)
	}
	f.Refs = listIn(&d.refs, d.Count(4))
	var x int32
	scope, line = 0, 0
	for i := range f.Refs {
		r := &f.Refs[i]
		head := d.Uint()
		r.Kind, r.Scope, r.Decl, r.Line = lang.RefKind(head>>refBits), scope, lang.None, line
		if head&1 != 0 {
			r.Scope = d.diff(&scope)
		}
		if head&2 != 0 {
			r.Decl = d.num()
		}
		if head&4 != 0 {
			r.Name = d.str()
		}
		if head&8 != 0 {
			r.EndLine = d.num()
		}
		if head&16 != 0 {
			r.Line = d.diff(&line)
		}
		r.EndLine += r.Line
		if r.X = d.diff(&x); head&4 == 0 {
			r.Name = calleeName(f, r)
		}
		r.Col = d.num()
		r.EndCol = d.num() + r.Col
	}
	return f
}

func (d *decoder) expr(x *lang.Expr, i int32, scopes, decls *[256]int32, args *pool[lang.Arg]) {
	head := d.Uint()
	x.Op, x.X = lang.Op(head>>exprBits), lang.None
	more := uint64(0)
	if head&exprMore != 0 {
		more = d.Uint()
	}
	switch head & 3 {
	case 1:
		x.X = i - 1
	case 2:
		x.X = i - d.num()
	}
	x.Scope, x.Decl = scopes[x.Op], decls[x.Op]
	if more&1 != 0 {
		x.Scope = d.diff(&scopes[x.Op])
	}
	if more&2 != 0 {
		x.Decl = d.diff(&decls[x.Op])
	}
	if named(x.Op) != (more&4 != 0) {
		x.Name = d.str()
	}
	if more&8 != 0 {
		x.Args = taken(d, args)
		for j := range x.Args {
			a, flags := &x.Args[j], d.Uint()
			if a.X = lang.None; flags&1 != 0 {
				a.Name = d.str()
			}
			a.Spread = flags&2 != 0
			if flags&4 == 0 {
				a.X = i - d.num()
			}
		}
	}
}
