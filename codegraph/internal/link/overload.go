package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// overloads lists the functions that an overloaded name may mean: those of its scope and, where a language has it so, those
// of the base classes of the class it was looked up in, nearest first. open tells that a base class outside may have more.
func (ov *overloads) overloads(v value) (out []value, open bool) {
	r := ov.prog.decls[v.a]
	name := r.decl().Name
	add := func(f *File, scope int32, lvl uint8) {
		n := ov.deps.find(f, scope, name)
		if n == nil {
			return
		}
		for _, d := range f.names.decls(n) {
			if c := &f.Facts.Decls[d]; c.Kind == lang.Function && c.Flags&lang.Overload != 0 {
				for _, w := range ov.defs.standValues(f.ids[d]) {
					w.bound, w.fixed, w.lvl = v.bound, v.fixed, max(w.lvl, v.lvl, lvl)
					if !slices.ContainsFunc(out, w.same) {
						out = append(out, w)
					}
				}
			}
		}
	}
	if v.b == 0 {
		add(r.f, r.decl().Parent, model.LevelExact)
		return out, false
	}
	m := ov.classes.order(v.b - 1)
	for i, c := range m.order {
		lvl := model.LevelExact
		if i > 0 {
			lvl = model.LevelMember
		}
		add(ov.prog.decls[c].f, ov.prog.decls[c].d, lvl)
	}
	return out, m.open
}

// plain puts the functions that overloaded names may mean in the place of the names. Where there are several, each is known
// by its name only.
func (ov *overloads) plain(vals []value) []value {
	if !slices.ContainsFunc(vals, func(v value) bool { return v.kind == vOver }) {
		return vals
	}
	var out []value
	for _, v := range vals {
		if v.kind != vOver {
			out = append(out, v)
			continue
		}
		all, _ := ov.overloads(v)
		if len(all) > 1 {
			all = weaken(all, model.LevelName)
		}
		out = append(out, all...)
	}
	return out
}

// fitting puts in the place of overloaded names the functions that the arguments of a call, in file f, choose.
func (ov *overloads) fitting(f *File, vals []value, args []lang.Arg) []value {
	if f.rules.Includes {
		vals = ov.callable(vals)
	}
	if !slices.ContainsFunc(vals, func(v value) bool { return v.kind == vOver }) {
		return vals
	}
	var out []value
	if f.rules.Includes {
		return ov.fittingAll(f, vals, args)
	}
	for _, v := range vals {
		if v.kind != vOver {
			out = append(out, v)
			continue
		}
		all, open := ov.overloads(v)
		chosen := ov.choose(f, all, args)
		if len(chosen) == 0 {
			if open {
				chosen = []value{{kind: vExternal, lvl: model.LevelName}}
			} else {
				chosen = weaken(all, model.LevelName)
			}
		}
		out = union(out, chosen...)
	}
	return out
}

// maxGuessed is how many overloads a call may stay linked to when its arguments tell no more. A call of one of many is left
// open.
const maxGuessed = 3

// choose gives the overloads that can take the arguments of a call: by their number, and by the types of those that are
// known. Where several are left, each is known by its name only.
func (ov *overloads) choose(f *File, all []value, args []lang.Arg) []value {
	if slices.ContainsFunc(args, func(a lang.Arg) bool { return a.Spread }) {
		if f.rules.Includes { // a list of arguments is for a function that takes lists, where there is one
			lists := slices.DeleteFunc(slices.Clone(all), func(v value) bool {
				return !slices.ContainsFunc(ov.prog.decls[v.a].decl().Params, func(p lang.Param) bool { return p.Kind == lang.Rest })
			})
			if len(lists) > 0 {
				return lists
			}
		}
		return all
	}
	out := slices.DeleteFunc(slices.Clone(all), func(v value) bool { return !ov.takes(v, len(args)) })
	out = ov.changing(out)
	if len(out) < 2 || f.rules.Outside == nil {
		return out
	}
	vals := make([][]value, len(args))
	for i, a := range args {
		vals[i] = ov.ev.eval(f, a.X)
	}
	best, fit := farAway, []value(nil)
	for _, v := range out {
		switch d := ov.conversions.farness(v, vals); {
		case d < 0 || d > best:
		case d < best:
			best, fit = d, append(fit[:0], v)
		default:
			fit = append(fit, v)
		}
	}
	if len(fit) == 0 {
		fit = out
	}
	fit = ov.changeable(fit)
	if !f.rules.Includes { // an overriding method hides the one it overrides: the nearest class has it
		class := func(v value) *File { return ov.prog.decls[v.a].f }
		first := fit[0]
		fit = slices.DeleteFunc(fit, func(v value) bool {
			return class(v) != class(first) || ov.prog.decls[v.a].decl().Parent != ov.prog.decls[first.a].decl().Parent
		})
	}
	if len(fit) > maxGuessed {
		return []value{{kind: vUnsure}}
	}
	if len(fit) > 1 {
		return weaken(fit, model.LevelName)
	}
	return fit
}

// takes tells whether a function can take n arguments.
func (ov *overloads) takes(v value, n int) bool {
	return ov.admits(ov.prog.decls[v.a].decl(), n) || slices.ContainsFunc(ov.defs.announcements(v.a), func(d *lang.Decl) bool { return ov.admits(d, n) })
}

// admits tells whether n arguments are neither too few nor too many for a declaration.
func (ov *overloads) admits(d *lang.Decl, n int) bool {
	least, most := 0, 0
	for _, p := range d.Params {
		switch p.Kind {
		case lang.Receiver:
			continue
		case lang.Rest, lang.RestNamed:
			most = max(most, n)
			continue
		}
		if most++; p.Def == lang.None {
			least++
		}
	}
	return least <= n && n <= most
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
func (cv *conversions) farness(v value, vals [][]value) int {
	r := cv.prog.decls[v.a]
	params := r.decl().Params
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
		typ := cv.ev.eval(r.f, p.Type)
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
	if len(params) > len(vals) && (!r.f.rules.Includes || params[len(params)-1].Kind == lang.Rest) { // a parameter for many that gets none
		sum += farSpread
	}
	return sum
}

// arrayElements gives what is in an array, nil when no value is one.
func (ct *containers) arrayElements(vals []value) []value {
	var out []value
	for _, v := range vals {
		if name, elem, ok := ct.boxType(v); ok && name == lang.Array {
			out = union(out, elem...)
		}
	}
	return out
}

// boxType gives the name of a container's type, and the types of its elements.
func (ct *containers) boxType(v value) (name string, elem []value, ok bool) {
	if v.kind == vExternal && v.a != 0 {
		if t := ct.externals.outsides[v.a-1]; strings.HasSuffix(t.name, lang.Array) {
			return lang.Array, []value{ct.externals.outside(t.rules, strings.TrimSuffix(t.name, lang.Array))}, true
		}
	}
	if v.kind != vBox || v.b != viewPlain {
		return "", nil, false
	}
	r := ct.boxes[v.a]
	e := r.f.expr(r.x)
	if e.Op != lang.OpApply {
		return "", nil, false
	}
	if len(e.Args) > 0 {
		elem = ct.ev.eval(r.f, e.Args[len(e.Args)-1].X)
	}
	return e.Name, elem, true
}

// distance tells how far what an argument may be is from a type; -1 when it is none of its values.
func (cv *conversions) distance(arg, typ []value, depth int) int {
	arg, typ = plainly(arg), plainly(typ)
	if len(arg) == 0 || len(typ) == 0 || depth > 4 {
		return farUnknown
	}
	best := -1
	for _, a := range arg {
		if len(arg) > 1 && a.kind == vExternal && a.a != 0 && cv.externals.outsides[a.a-1].isNull() {
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

func (cv *conversions) pairDistance(a, t value, depth int) int {
	if t.kind == vInst {
		t.kind = vClass
	}
	if a.kind == vExternal && a.a == 0 || t.kind == vExternal && t.a == 0 {
		return farUnknown
	}
	var rules *lang.Rules
	name, elem, box := "", []value(nil), false // of the wanted type, where it is from outside
	switch t.kind {
	case vClass:
		rules = cv.prog.decls[t.a].f.rules
	case vExternal:
		rules, name = cv.externals.outsides[t.a-1].rules, cv.externals.outsides[t.a-1].name
	case vBox:
		if name, elem, box = cv.containers.boxType(t); !box {
			return farUnknown
		}
		rules = cv.containers.boxes[t.a].f.rules
	default:
		return farUnknown
	}
	out := rules.Outside
	if out == nil {
		return farUnknown
	}
	if strings.HasPrefix(name, "'") {
		switch {
		case a.kind != vExternal:
			return farParam
		case cv.externals.outsides[a.a-1].name == name:
			return 0
		case out.Values[cv.externals.outsides[a.a-1].name]:
			return farBoxed
		}
		return farParam
	}
	switch a.kind {
	case vInst:
		m := cv.classes.order(a.a)
		switch {
		case t.kind == vClass:
			d := slices.Index(m.order, t.a)
			if cv.prog.decls[t.a].f.rules.Includes && d >= 0 {
				d += min(d, farDeduced) // what is deduced comes before the bases
				if a.bound != t.bound {
					d += farOther
				}
			}
			return d
		case name == out.Any:
			return farAny
		case out.Values[name] && cv.prog.decls[a.a].f.rules.Includes && m.open && !a.bound:
			return cv.outsideDistance(m.order, out, name) // an enumeration
		case out.Values[name] || out.Final[name] || name == lang.Array || !m.open:
			return -1
		}
		return cv.outsideDistance(m.order, out, name)
	case vExternal, vBox:
		have, inner, ok := cv.containers.boxType(a)
		if !ok {
			if a.kind == vBox {
				return farUnknown
			}
			have = cv.externals.outsides[a.a-1].name
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
		case t.kind == vClass:
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
	case vFunc, vOver, vClass: // a class is its constructor
		n := -1 // parameters wanted
		switch {
		case t.kind == vClass:
			if cv.prog.decls[t.a].decl().Flags&lang.Interface == 0 {
				return -1
			}
			if m, ok := cv.classes.onlyAbstract(t.a); ok {
				n = len(cv.prog.decls[m].decl().Params)
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
		if d := cv.prog.decls[a.a].decl(); a.kind == vFunc && d.Kind == lang.Lambda && len(d.Params) != n {
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
		r := cv.prog.decls[c]
		for _, x := range r.decl().Bases {
			for _, v := range cv.ev.eval(r.f, x) {
				base := ""
				switch v.kind {
				case vExternal:
					if v.a != 0 {
						base = cv.externals.outsides[v.a-1].name
					}
				case vBox:
					base, _, _ = cv.containers.boxType(v)
				default:
					continue
				}
				if base == name {
					return 1
				}
				wider, ok := out.Wider[base]
				if i := slices.Index(wider, name); i >= 0 {
					if r.f.rules.Includes {
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
func (cv *conversions) arrayDistance(have, want []value, depth int) int {
	value := func(vals []value) string {
		for _, v := range vals {
			if v.kind == vExternal && v.a != 0 {
				if o := cv.externals.outsides[v.a-1]; o.rules.Outside != nil && o.rules.Outside.Values[o.name] {
					return o.name
				}
			}
		}
		return ""
	}
	if a, b := value(have), value(want); a != b {
		return -1
	}
	return cv.distance(cv.ev.instances(have), want, depth+1)
}

// onlyAbstract gives the one method without a body that a class has, where it has just one.
func (cs *classes) onlyAbstract(class int32) (int32, bool) {
	found, n := int32(0), 0
	for _, c := range cs.order(class).order {
		r := cs.prog.decls[c]
		if r.decl().Flags&lang.Interface == 0 {
			continue
		}
		cs.deps.watch(r.f, r.d)
		for i := r.d + 1; int(i) < len(r.f.Facts.Decls) && r.f.Facts.Decls[i].Span.Start < r.decl().Span.End; i++ {
			d := &r.f.Facts.Decls[i]
			if d.Parent != r.d || d.Kind != lang.Function || d.Flags&lang.Interface == 0 || r.f.rules.Universal[d.Name] {
				continue
			}
			if n > 0 && cs.prog.decls[found].decl().Name == d.Name {
				continue // the base interface's, declared again
			}
			found = r.f.ids[i]
			n++
		}
	}
	return found, n == 1
}
