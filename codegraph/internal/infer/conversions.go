package infer

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/internal/value"
	"github.com/findspot/findspot/codegraph/lang"
)

// conversions tells how far arguments are from the types of parameters.
type conversions struct {
	prog       *symtab.Program
	ev         *evaluator
	classes    *classes
	containers *containers
	externals  *externals
}

// How far a value is from a type it is given for. Fewer steps are better; values of unknown type are between the known
// supertypes and the type of everything.
const (
	farDeduced = 1  // any type by itself
	farOther   = 15 // a pointer for no pointer
	farUnknown = 20
	farParam   = 25
	farAny     = 30
	farBoxed   = 35
	farSpread  = 1000 // taken by a parameter for many
	farAway    = 1 << 30
)

// farness adds up how far arguments are from the parameters of a function; -1 when they do not fit.
func (cv *conversions) farness(v value.Value, vals [][]value.Value) int {
	r := cv.prog.Decls[v.A]
	params := r.Decl().Params
	if len(params) > 0 && params[0].Kind == lang.Receiver {
		params = params[1:]
	}
	sum := 0
	var same []deducedParam
	for i, a := range vals {
		p := &params[min(i, len(params)-1)]
		d := -1
		if n, pointer := cv.deduced(r, p.Type); n != nil {
			if d, same = cv.deduce(a, n, pointer, same); d < 0 {
				return -1
			}
			if p.Kind == lang.Rest {
				d += farSpread
			}
			sum += d
			continue
		}
		typ := cv.ev.eval(r.F, p.Type)
		d = cv.distance(a, typ, 0)
		if p.Kind == lang.Rest {
			if i == len(params)-1 && len(vals) == len(params) { // an array may stand for all of them
				if inner := cv.containers.arrayElements(a); inner != nil {
					if e := cv.distance(inner, typ, 0); e >= 0 && (d < 0 || e <= d) {
						sum += e
						continue
					}
				}
			}
			if d >= 0 {
				d += farSpread
			}
		}
		if d < 0 {
			return -1
		}
		sum += d
	}
	if len(params) > len(vals) && (!r.F.Rules.Includes || params[len(params)-1].Kind == lang.Rest) { // a parameter for many that gets none
		sum += farSpread
	}
	return sum
}

// distance tells how far what an argument may be is from a type; -1 when it is none of its values.
func (cv *conversions) distance(arg, typ []value.Value, depth int) int {
	arg, typ = value.WithoutParams(arg), value.WithoutParams(typ)
	if len(arg) == 0 || len(typ) == 0 || depth > 4 {
		return farUnknown
	}
	best := -1
	for _, a := range arg {
		if len(arg) > 1 && a.Kind == value.External && a.A != 0 && cv.externals.outsides[a.A-1].isNull() {
			continue // the other values say what it is
		}
		for _, t := range typ {
			if d := cv.pairDistance(a, t, depth); d >= 0 && (best < 0 || d < best) {
				best = d
			}
		}
	}
	return best
}

func (cv *conversions) pairDistance(a, t value.Value, depth int) int {
	if t.Kind == value.Inst {
		t.Kind = value.Class
	}
	if a.Kind == value.External && a.A == 0 || t.Kind == value.External && t.A == 0 {
		return farUnknown
	}
	var rules *lang.Rules
	name, elem, box := "", []value.Value(nil), false // of the wanted type, where it is from outside
	switch t.Kind {
	case value.Class:
		rules = cv.prog.Decls[t.A].F.Rules
	case value.External:
		rules, name = cv.externals.outsides[t.A-1].rules, cv.externals.outsides[t.A-1].name
	case value.Box:
		if name, elem, box = cv.containers.boxType(t); !box {
			return farUnknown
		}
		rules = cv.containers.boxes[t.A].f.Rules
	default:
		return farUnknown
	}
	out := rules.Outside
	if out == nil {
		return farUnknown
	}
	if strings.HasPrefix(name, "'") {
		switch {
		case a.Kind != value.External:
			return farParam
		case cv.externals.outsides[a.A-1].name == name:
			return 0
		case out.Values[cv.externals.outsides[a.A-1].name]:
			return farBoxed
		}
		return farParam
	}
	switch a.Kind {
	case value.Inst:
		m := cv.classes.order(a.A)
		switch {
		case t.Kind == value.Class:
			d := slices.Index(m.Classes, t.A)
			if cv.prog.Decls[t.A].F.Rules.Includes && d >= 0 {
				d += min(d, farDeduced) // what is deduced comes before the bases
				if a.Bound != t.Bound {
					d += farOther
				}
			}
			return d
		case name == out.Any:
			return farAny
		case out.Values[name] && cv.prog.Decls[a.A].F.Rules.Includes && m.Open && !a.Bound:
			return cv.outsideDistance(m.Classes, out, name) // an enumeration
		case out.Values[name] || out.Final[name] || name == lang.Array || !m.Open:
			return -1
		}
		return cv.outsideDistance(m.Classes, out, name)
	case value.External, value.Box:
		have, inner, ok := cv.containers.boxType(a)
		if !ok {
			if a.Kind == value.Box {
				return farUnknown
			}
			have = cv.externals.outsides[a.A-1].name
		}
		switch {
		case strings.HasPrefix(have, "'") && name == out.Any:
			return 1
		case strings.HasPrefix(have, "'"):
			return farUnknown
		case have == out.Null:
			if out.Values[name] {
				return -1
			}
			if name == out.Any {
				return 2
			}
			return 1
		case t.Kind == value.Class:
			return -1 // what is outside does not know the classes of the repository
		case have == lang.Array && name == lang.Array:
			return cv.arrayDistance(inner, elem, depth)
		case have == name:
			return 0
		case name == out.Any && out.Values[have]:
			return farBoxed
		case name == out.Any:
			return farAny
		}
		wider, known := out.Wider[have]
		if i := slices.Index(wider, name); i >= 0 {
			if rules.Includes { // the first is a promotion, and all others are as good as each other
				return farDeduced + min(i, 1) + 1
			}
			return i + 1
		}
		if known || have == lang.Array || out.Final[have] || out.Values[have] || out.Final[name] || out.Values[name] || name == lang.Array {
			return -1
		}
		return farUnknown
	case value.Func, value.Over, value.Class: // a class is its constructor
		n := -1 // parameters wanted
		switch {
		case t.Kind == value.Class:
			if cv.prog.Decls[t.A].Decl().Flags&lang.Interface == 0 {
				return -1
			}
			if m, ok := cv.classes.onlyAbstract(t.A); ok {
				n = len(cv.prog.Decls[m].Decl().Params)
			}
		case out.Final[name] || out.Values[name] || name == lang.Array || name == out.Any:
			return -1
		default:
			if w, ok := out.Lambdas[name]; ok {
				n = w
			} else if _, ok := out.Wider[name]; ok {
				return -1
			}
		}
		if n < 0 {
			return farUnknown
		}
		if d := cv.prog.Decls[a.A].Decl(); a.Kind == value.Func && d.Kind == lang.Lambda && len(d.Params) != n {
			return -1
		}
		return 1
	}
	return farUnknown
}

// outsideDistance tells how far a class is from a type from outside, by the base classes that it names.
func (cv *conversions) outsideDistance(order []int32, out *lang.Outside, name string) int {
	known := true
	for _, c := range order {
		r := cv.prog.Decls[c]
		for _, x := range r.Decl().Bases {
			for _, v := range cv.ev.eval(r.F, x) {
				base := ""
				switch v.Kind {
				case value.External:
					if v.A != 0 {
						base = cv.externals.outsides[v.A-1].name
					}
				case value.Box:
					base, _, _ = cv.containers.boxType(v)
				default:
					continue
				}
				if base == name {
					return 1
				}
				wider, ok := out.Wider[base]
				if i := slices.Index(wider, name); i >= 0 {
					if r.F.Rules.Includes {
						i = min(i, 1)
					}
					return i + 2
				}
				known = known && ok
			}
		}
	}
	if known {
		return -1
	}
	return farUnknown
}

// arrayDistance compares the elements of two arrays: values of Rules.Outside.Values must be the same.
func (cv *conversions) arrayDistance(have, want []value.Value, depth int) int {
	primitive := func(vals []value.Value) string {
		for _, v := range vals {
			if v.Kind == value.External && v.A != 0 {
				if o := cv.externals.outsides[v.A-1]; o.rules.Outside != nil && o.rules.Outside.Values[o.name] {
					return o.name
				}
			}
		}
		return ""
	}
	if a, b := primitive(have), primitive(want); a != b {
		return -1
	}
	return cv.distance(cv.ev.instances(have), want, depth+1)
}

// A deducedParam is what a type parameter of a function was found to be by one argument.
type deducedParam struct {
	n    *symtab.Symbol
	what value.Value
}

// deduced gives the type parameter of function r itself that a parameter's type is, or points to; nil when it is none.
func (cv *conversions) deduced(r symtab.DeclRef, x int32) (n *symtab.Symbol, pointer bool) {
	if !r.F.Rules.Includes {
		return nil, false
	}
	for x != lang.None {
		switch e := r.F.Expr(x); e.Op {
		case lang.OpPointer:
			x, pointer = e.X, true
		case lang.OpConst:
			x = e.X
		case lang.OpName:
			if n := r.F.Lookup(r.D, e.Name); e.Scope == r.D && n != nil && n.Param < 0 {
				return n, pointer
			}
			return nil, false
		default:
			return nil, false
		}
	}
	return nil, false
}

// deduce tells how far an argument is from a type parameter, -1 when it cannot be what the arguments before it were.
func (cv *conversions) deduce(arg []value.Value, n *symtab.Symbol, pointer bool, same []deducedParam) (int, []deducedParam) {
	var known []value.Value
	for _, v := range arg {
		if v.Kind == value.External && v.A != 0 {
			o := cv.externals.outsides[v.A-1]
			if o.rules.Outside == nil || pointer && o.rules.Outside.Values[o.name] {
				return -1, same
			}
			if _, ok := o.rules.Outside.Wider[o.name]; ok {
				known = append(known, v)
			}
		} else if v.Kind == value.Inst {
			known = append(known, v)
		}
	}
	if len(known) != 1 {
		return farUnknown, same
	}
	v := known[0]
	for _, s := range same {
		if s.n == n && !cv.alike(s.what, v) {
			return -1, same
		}
	}
	return farDeduced, append(same, deducedParam{n, v})
}

// alike tells whether two values are of one type. Files of two languages have types from outside in common.
func (cv *conversions) alike(v, w value.Value) bool {
	if v.Kind == value.External && w.Kind == value.External {
		return cv.externals.outsides[v.A-1].name == cv.externals.outsides[w.A-1].name
	}
	return v.Kind == w.Kind && v.A == w.A
}
