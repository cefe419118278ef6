package factcodec

import (
	"encoding/binary"
	"iter"

	"github.com/findspot/findspot/codegraph/lang"
)

// A Table holds what a linker reads of a file's facts over and over, and what there is most of: expressions and references,
// in about a third of the memory. It may be read by several goroutines.
type Table struct {
	exprs []packedExpr
	args  []packedArg // of all expressions, in their order
	refs  []byte
	names *nameList
}

type nameList struct{ list []string }

// The arguments of an expression begin at args and end where those of the next one begin.
type packedExpr struct {
	x, at      int32 // at: Decl of OpDecl, Scope of all others
	name, args uint32
	op         lang.Op
}

type packedArg struct {
	name uint32 // and spreadArg
	x    int32
}

const spreadArg = 1 << 31

// A Reader decodes the facts of many files, and keeps every name in expressions once. It is used by one goroutine; what it
// made stays valid.
type Reader struct {
	names *nameList // by itself, so that a table does not keep the reader
	index map[string]uint32
	exprs []lang.Expr // used again for every file
	args  []lang.Arg
	refs  []lang.Ref
}

// Decode is as the function of that name, but that the expressions and references are in the table, and not in the facts.
// It keeps nothing of b.
func (r *Reader) Decode(b []byte) (*lang.Facts, *Table, error) {
	r.begin()
	d := decoder{exprs: r.exprs, args: r.args, refs: r.refs}
	f, err := d.decode(b)
	r.exprs, r.args, r.refs = d.exprs, d.args, d.refs
	if err != nil {
		return nil, nil, err
	}
	t := &Table{names: r.names, args: make([]packedArg, 0, len(d.args)), exprs: make([]packedExpr, len(f.Exprs)+1)}
	for i := range f.Exprs {
		e := &f.Exprs[i]
		p := packedExpr{op: e.Op, x: e.X, at: e.Scope, name: r.name(e.Name), args: uint32(len(t.args))}
		if e.Op == lang.OpDecl {
			p.at = e.Decl
		}
		for _, a := range e.Args {
			n := r.name(a.Name)
			if a.Spread {
				n |= spreadArg
			}
			t.args = append(t.args, packedArg{n, a.X})
		}
		t.exprs[i] = p
	}
	t.exprs[len(f.Exprs)].args = uint32(len(t.args))
	t.refs = r.packRefs(f)
	f.Exprs, f.Refs = nil, nil
	return f, t, nil
}

func (r *Reader) begin() {
	if r.index == nil {
		r.index = map[string]uint32{"": 0}
		r.names = &nameList{[]string{""}}
	}
}

// Names is the number of different names so far.
func (r *Reader) Names() int {
	r.begin()
	return len(r.names.list)
}

// Name numbers a name, from 0 for the empty one.
func (r *Reader) Name(s string) uint32 {
	if s == "" {
		return 0
	}
	r.begin()
	return r.name(s)
}

func (r *Reader) name(s string) uint32 {
	n, ok := r.index[s]
	if !ok {
		n = uint32(len(r.names.list))
		r.names.list = append(r.names.list, s)
		r.index[s] = n
	}
	return n
}

// Len is the number of expressions.
func (t *Table) Len() int { return len(t.exprs) - 1 }

// Op gives the form of an expression.
func (t *Table) Op(x int32) lang.Op { return t.exprs[x].op }

// Operand gives the operand of an expression, or None.
func (t *Table) Operand(x int32) int32 { return t.exprs[x].x }

// NumArgs is the number of arguments of an expression.
func (t *Table) NumArgs(x int32) int { return int(t.exprs[x+1].args - t.exprs[x].args) }

// Args gives the arguments of an expression.
func (t *Table) Args(x int32) []lang.Arg {
	packed := t.args[t.exprs[x].args:t.exprs[x+1].args]
	if len(packed) == 0 {
		return nil
	}
	out := make([]lang.Arg, len(packed))
	for i, a := range packed {
		out[i] = lang.Arg{Name: t.names.list[a.name&^spreadArg], X: a.x, Spread: a.name&spreadArg != 0}
	}
	return out
}

// At gives an expression.
func (t *Table) At(x int32) lang.Expr {
	p := &t.exprs[x]
	e := lang.Expr{Op: p.op, X: p.x, Scope: p.at, Name: t.names.list[p.name], Args: t.Args(x)}
	if p.op == lang.OpDecl {
		e.Decl, e.Scope = p.at, lang.File
	}
	return e
}

// The flags of a packed reference, below its kind.
const (
	refScope   = 1 << iota // it is in another scope than the one before
	refDecl                // Decl is there
	refLines               // it ends on another line
	refNamed               // its name is not that of the callee
	packedBits = 4
)

func (r *Reader) packRefs(f *lang.Facts) []byte {
	b := make([]byte, 0, 8*len(f.Refs))
	var last lang.Ref
	num := func(v int32) { b = binary.AppendVarint(b, int64(v)) }
	for i := range f.Refs {
		v := &f.Refs[i]
		head := byte(v.Kind) << packedBits
		named := v.Name != calleeName(f, v)
		for bit, on := range [...]bool{v.Scope != last.Scope, v.Decl != lang.None, v.EndLine != v.Line, named} {
			if on {
				head |= 1 << bit
			}
		}
		b = append(b, head)
		num(v.X - last.X)
		num(v.Line - last.Line)
		num(v.Col)
		num(v.EndCol - v.Col)
		if head&refScope != 0 {
			num(v.Scope)
		}
		if head&refDecl != 0 {
			num(v.Decl)
		}
		if head&refLines != 0 {
			num(v.EndLine - v.Line)
		}
		if named {
			num(int32(r.name(v.Name)))
		}
		last = *v
	}
	return append(make([]byte, 0, len(b)), b...)
}

// Refs gives the references in the order of the source.
func (t *Table) Refs() iter.Seq[lang.Ref] {
	return func(yield func(lang.Ref) bool) {
		b := t.refs
		num := func() int32 {
			v, n := binary.Varint(b)
			b = b[n:]
			return int32(v)
		}
		var r lang.Ref
		for len(b) > 0 {
			head := b[0]
			b = b[1:]
			r.Kind = lang.RefKind(head >> packedBits)
			r.X += num()
			r.Line += num()
			r.Col = num()
			r.EndCol = num() + r.Col
			r.Decl, r.EndLine = lang.None, r.Line
			if head&refScope != 0 {
				r.Scope = num()
			}
			if head&refDecl != 0 {
				r.Decl = num()
			}
			if head&refLines != 0 {
				r.EndLine += num()
			}
			if head&refNamed != 0 {
				r.Name = t.names.list[num()]
			} else {
				r.Name = t.calleeName(&r)
			}
			if !yield(r) {
				return
			}
		}
	}
}

// calleeName is the name that most references have: that of what they call or mention.
func (t *Table) calleeName(r *lang.Ref) string {
	x := r.X
	if r.Kind == lang.Call {
		x = t.exprs[x].x
	}
	if x == lang.None {
		return ""
	}
	return t.names.list[t.exprs[x].name]
}
