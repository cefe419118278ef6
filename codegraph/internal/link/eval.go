package link

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/internal/model"
	"github.com/findspot/findspot/codegraph/lang"
)

// An exprRef is an expression with the file it is in.
type exprRef struct {
	f *File
	x int32
}

type attrKey struct {
	class int32
	name  string
}

type elemKey struct {
	kind valKind
	lvl  uint8
	a    int32
	key  string
}

type moduleName struct {
	module int32
	name   string
}

type mro struct {
	order []int32 // class itself first
	depth []int32 // how far each is from the class, where the order is by that; ascending
	open  bool    // a base class is outside or unknown
}

// evaluation follows values through expressions; see solver.
type evaluation struct {
	*solver
	nameKind, exprKind, resultKind, moduleNameKind, wildcardKind, elemKind, orderKind, sourceKind, attrKind, actionKind, linkKind, tokenKind cellKind
	named                                                                                                                                    []*named // of the cells of names
	results                                                                                                                                  map[int32]cellID
	moduleNames                                                                                                                              map[moduleName]cellID
	moduleNameOf                                                                                                                             []moduleName
	elems                                                                                                                                    map[elemKey]cellID
	elemOf                                                                                                                                   []elemKey
	wildcards                                                                                                                                map[wildcardKey]cellID
	wildcardOf                                                                                                                               []wildcardKey
	orders                                                                                                                                   map[int32]cellID
	mros                                                                                                                                     map[int32]*mro
	boxes                                                                                                                                    []exprRef

	outsides  []outsideType
	outsideOf map[outsideType]int32

	modules   []*module
	moduleOf  map[string]int32
	returns   map[int32][]exprRef
	returnTyp map[int32][]exprRef
	fluent    map[int32]bool // methods that return their receiver
	yields    map[int32][]exprRef
	sources   []source
	sourceOf  map[packedSource]cellID
	ownAttrs  map[attrKey]bool // attributes that methods of the class itself set
	tokens    map[tokenKey]cellID
}

func (l *Linker) initEval() {
	s := l.solver
	l.nameKind = s.define(rule{compute: l.bindings})
	l.exprKind = s.define(rule{compute: func(c *cell) []value { return l.evalOp(l.Files[c.file], c.a) }})
	l.resultKind = s.define(rule{compute: l.returned})
	l.moduleNameKind = s.define(rule{compute: l.moduleMember})
	l.wildcardKind = s.define(rule{compute: l.wildcardValues})
	l.elemKind = s.define(rule{compute: l.inside})
	l.orderKind = s.define(rule{compute: l.reorder, forget: func(c *cell) { delete(l.mros, c.a) }})
	l.sourceKind = s.define(rule{})
	l.attrKind = s.define(rule{compute: l.assigned})
	l.actionKind = s.define(rule{compute: l.act, eager: true})
	l.linkKind = s.define(rule{compute: l.linkFile, eager: true, late: true})
	l.tokenKind = s.define(rule{})
	l.results, l.moduleNames, l.elems, l.orders = map[int32]cellID{}, map[moduleName]cellID{}, map[elemKey]cellID{}, map[int32]cellID{}
	l.wildcards = map[wildcardKey]cellID{}
	l.outsideOf = map[outsideType]int32{}
	l.mros, l.moduleOf, l.sourceOf = map[int32]*mro{}, map[string]int32{}, map[packedSource]cellID{}
	l.sources = make([]source, 1) // the first one is that of receivers which nothing is given to
	l.ownAttrs = map[attrKey]bool{}
	l.fluent = map[int32]bool{}
	l.returns, l.returnTyp, l.yields = map[int32][]exprRef{}, map[int32][]exprRef{}, map[int32][]exprRef{}
	l.tokens = map[tokenKey]cellID{}
	for _, f := range l.Files {
		l.gatherResults(f)
	}
}

// gatherResults notes what the functions of a file return.
func (l *Linker) gatherResults(f *File) {
	for _, b := range f.Facts.Bindings {
		if b.Scope == lang.File {
			continue
		}
		r := exprRef{f, b.Value}
		switch d := f.ids[b.Scope]; b.Kind {
		case lang.Return:
			l.returns[d] = append(l.returns[d], r)
			l.fluent[d] = l.fluent[d] || l.isThis(r)
		case lang.Yield:
			l.yields[d] = append(l.yields[d], r)
		case lang.ReturnType:
			l.returnTyp[d] = append(l.returnTyp[d], r)
			l.fluent[d] = l.fluent[d] || l.isThis(r)
		}
	}
}

// eval gives what an expression may be; nil when nothing is known. Only expressions that others are built on have cells
// of their own: a long chain of calls is then followed once, not once for each of its links.
func (l *Linker) eval(f *File, x int32) []value {
	if x == lang.None {
		return nil
	}
	switch e := f.expr(x); e.Op {
	case lang.OpCall, lang.OpIndex, lang.OpDeref, lang.OpElem, lang.OpMembers, lang.OpReturn, lang.OpAny, lang.OpInstance:
	case lang.OpAttr:
		if o := f.expr(e.X); o.Op != lang.OpAttr || f.table.Op(o.X) != lang.OpAttr {
			return l.evalOp(f, x)
		}
	case lang.OpElse:
		if f.table.Op(e.X) == lang.OpName {
			return l.evalOp(f, x)
		}
	default:
		return l.evalOp(f, x)
	}
	if f.cells == nil {
		f.cells = make([]cellID, f.table.Len())
	}
	if f.cells[x] == 0 {
		f.cells[x] = l.add(l.exprKind, f.index, x)
	}
	return l.read(f.cells[x])
}

// bound gives the values of one name in one scope.
func (l *Linker) bound(f *File, n *named) []value {
	if n.cell == 0 {
		n.cell = l.add(l.nameKind, f.index, int32(len(l.named)))
		l.named = append(l.named, n)
	}
	return l.read(n.cell)
}

// elements gives what is in a value under a constant key, or under any when key is "".
func (l *Linker) elements(v value, key string) []value {
	return l.elementsAt(v, key, model.LevelContainer)
}

// elementsAt is elements with the level that the step is worth.
func (l *Linker) elementsAt(v value, key string, lvl uint8) []value {
	switch v.kind {
	case vExternal, vMany:
		return []value{v}
	case vBox:
		switch v.b {
		case viewEntries:
			return []value{{kind: vBox, a: v.a, lvl: max(v.lvl, lvl)}}
		case viewKeys:
			key = lang.Keys
		}
	case vGen, vInst, vClass:
	default:
		return nil
	}
	k := elemKey{v.kind, lvl, v.a, key}
	id := l.elems[k]
	if id == 0 {
		id = l.add(l.elemKind, 0, int32(len(l.elemOf)))
		l.elemOf = append(l.elemOf, k)
		l.elems[k] = id
	}
	return weaken(l.read(id), v.lvl)
}

// box numbers a list or mapping.
func (l *Linker) box(f *File, x int32) int32 {
	if f.boxes == nil {
		f.boxes = map[int32]int32{}
	}
	b, ok := f.boxes[x]
	if !ok {
		b = int32(len(l.boxes))
		l.boxes = append(l.boxes, exprRef{f, x})
		f.boxes[x] = b
	}
	return b
}

// isThis tells whether an expression is the receiver.
func (l *Linker) isThis(r exprRef) bool {
	x := r.f.expr(r.x)
	return x.Op == lang.OpThis || x.Op == lang.OpName && l.isReceiver(r.f, x)
}

func (l *Linker) evalOp(f *File, x int32) []value {
	e := f.expr(x)
	switch e.Op {
	case lang.OpName:
		return l.name(f, e.Scope, e.Name)
	case lang.OpAttr:
		var out []value
		for _, v := range l.eval(f, e.X) {
			if v.kind == vExternal {
				out = union(out, l.outsideMember(f.rules, v, e.Name))
				continue
			}
			if v.bound && v.kind == vInst && strings.HasPrefix(e.Name, "operator") && f.table.Op(e.X) != lang.OpThis {
				continue // operators of pointers are the language's
			}
			out = union(out, l.filled(l.attr(v, e.Name, model.LevelMember), v)...)
		}
		return out
	case lang.OpParam:
		return l.typeParam(f, &e)
	case lang.OpPointer:
		vals := slices.Clone(l.eval(f, e.X))
		for i := range vals {
			switch v := vals[i]; v.kind {
			case vClass, vInst, vBox:
				vals[i].bound = true
			case vExternal:
				if v.a != 0 {
					o := l.outsides[v.a-1]
					vals[i] = l.outside(o.rules, o.name+"*")
					vals[i].lvl = v.lvl
				}
			}
		}
		return vals
	case lang.OpConst:
		vals := slices.Clone(l.eval(f, e.X))
		for i := range vals {
			if vals[i].kind == vClass || vals[i].kind == vInst {
				vals[i].fixed = true
			}
		}
		return vals
	case lang.OpCall:
		return l.called(f, x)
	case lang.OpApply:
		return l.applied(f, x)
	case lang.OpDeref:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.pointed(v, e.Name)...)
		}
		return out
	case lang.OpMembers:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.members(v, e.Name)...)
		}
		return out
	case lang.OpReturn:
		var out []value
		for _, v := range l.eval(f, e.X) {
			if v.kind == vFunc {
				out = union(out, l.result(v)...)
			} else {
				out = union(out, v)
			}
		}
		return out
	case lang.OpIndex, lang.OpElem:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.elements(v, e.Name)...)
		}
		return out
	case lang.OpDecl:
		if e.X != lang.None {
			return l.decorated(f, e.Decl, e.X)
		}
		return []value{l.declValue(f.ids[e.Decl], model.LevelScope)}
	case lang.OpHeld:
		return weaken(l.eval(f, e.X), model.LevelFlow)
	case lang.OpTypeOf:
		var out []value
		for _, v := range l.eval(f, e.X) {
			switch v.kind {
			case vClass:
				v.kind = vType
				out = append(out, v)
			case vFunc, vBox, vInst:
				out = append(out, v)
			}
		}
		return out
	case lang.OpClass:
		vals := l.eval(f, e.X)
		notClass := func(v value) bool { return v.kind != vClass && v.kind != vType }
		if !slices.ContainsFunc(vals, notClass) || !slices.ContainsFunc(vals, func(v value) bool { return !notClass(v) }) {
			return vals
		}
		return slices.DeleteFunc(slices.Clone(vals), notClass)
	case lang.OpInstance:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.instances([]value{v})...)
		}
		return out
	case lang.OpThis:
		if c, static, ok := l.classAround(f, e.Scope); ok {
			k := vInst
			if static {
				k = vClass
			}
			return []value{{kind: k, bound: f.rules.Includes, fixed: l.constant(f, e.Scope), a: c, lvl: model.LevelScope}}
		}
	case lang.OpSuper:
		if c, _, ok := l.classAround(f, e.Scope); ok {
			return []value{{kind: vSuper, a: c, b: c, lvl: model.LevelScope}}
		}
	case lang.OpList, lang.OpDict, lang.OpTuple:
		return []value{{kind: vBox, a: l.box(f, x), lvl: model.LevelScope}}
	case lang.OpAny:
		var out []value
		for _, a := range e.Args {
			out = union(out, l.eval(f, a.X)...)
		}
		return out
	case lang.OpElse:
		return l.either(f, e)
	case lang.OpModule:
		if n, ok := l.moduleNamed(f, e.Name); ok {
			out := []value{{kind: vModule, a: n, lvl: model.LevelImport}}
			if f.rules.Objects { // what the module gives may itself be called
				out = union(out, weaken(l.exported(n, "default"), model.LevelImport)...)
			}
			return out
		}
		return []value{{kind: vExternal}}
	case lang.OpExternal:
		return []value{l.outside(f.rules, e.Name)}
	case lang.OpString:
		return []value{{kind: vExternal}}
	}
	return nil
}

func (l *Linker) declValue(d int32, lvl uint8) value {
	switch l.decls[d].decl().Kind {
	case lang.Class:
		return value{kind: vClass, a: d, lvl: lvl}
	case lang.Namespace:
		return value{kind: vSpace, a: d, lvl: lvl}
	}
	return value{kind: vFunc, a: d, lvl: lvl}
}

// inside tells a value of the repository from one outside, and from a container of the language.
func inside(v value) bool { return v.kind != vExternal && v.kind != vBox && v.kind != vParam }

// says tells whether what a declared type gives is more than that a value is some function or container.
func says(vals []value) bool {
	return slices.ContainsFunc(vals, func(v value) bool { return v.kind == vInst || v.kind == vClass || v.kind == vExternal })
}

func (l *Linker) inside(c *cell) []value {
	k := l.elemOf[c.a]
	v, key, lvl := value{kind: k.kind, a: k.a}, k.key, k.lvl
	var out []value
	switch v.kind {
	case vClass: // what is of the types that it is another name of
		if r := l.decls[v.a]; r.decl().Flags&lang.AliasType != 0 {
			for _, x := range r.decl().Bases {
				out = union(out, weaken(l.instances(l.eval(r.f, x)), model.LevelMember)...)
			}
		}
	case vGen:
		for _, r := range l.yields[v.a] {
			out = union(out, weaken(l.eval(r.f, r.x), model.LevelFlow)...)
		}
	case vInst:
		if r := l.decls[v.a]; r.decl().Elem != lang.None {
			for _, w := range l.eval(r.f, r.decl().Elem) {
				out = union(out, l.elements(w, key)...)
			}
			return out
		}
		for _, name := range []string{"__getitem__", "__next__"} {
			for _, m := range l.attr(v, name, model.LevelMember) {
				if m.kind == vFunc {
					out = union(out, weaken(l.result(m), model.LevelFlow)...)
				}
			}
		}
		for _, m := range l.attr(v, "__iter__", model.LevelMember) {
			if m.kind == vFunc {
				for _, r := range l.result(m) {
					if r.kind != vInst || r.a != v.a {
						out = union(out, l.elements(r, key)...)
					}
				}
			}
		}
	case vBox:
		r := l.boxes[v.a]
		e := r.f.expr(r.x)
		if e.Op == lang.OpApply || e.Op == lang.OpCall {
			return l.contents(r, key, lvl)
		}
		if e.Op == lang.OpTuple {
			lvl = model.LevelFlow
		}
		// An element under a key that is known on both sides is a known value like any other; any element of many is only in the container.
		// A member that an object is known to have hides what is stored under keys that are not known.
		gifts := l.inflows(sourceKey{kind: sourceBox, a: v.a})
		has := r.f.rules.Objects && e.Op == lang.OpDict && key != "" && (slices.ContainsFunc(e.Args, func(a lang.Arg) bool { return a.Name == key && !a.Spread }) ||
			slices.ContainsFunc(gifts, func(g inflow) bool { return g.key == key }))
		at := func(name string) (uint8, bool) {
			switch {
			case key != "" && name == key:
				return min(lvl, model.LevelFlow), true
			case key == "" || name == "" && !has:
				return lvl, true
			}
			return 0, false
		}
		first, last := len(e.Args), -1 // of the spread elements
		for i, a := range e.Args {
			if a.Spread {
				first, last = min(first, i), i
			}
		}
		if e.Op == lang.OpDict && e.Name == "*" {
			for _, a := range e.Args {
				out = union(out, l.eval(r.f, a.X)...)
			}
			e = lang.Expr{}
		}
		for i, a := range e.Args {
			if a.Spread {
				k := key
				if e.Op != lang.OpDict && i > 0 { // which of its elements that is depends on how many stand before
					k = ""
				}
				for _, s := range l.eval(r.f, a.X) {
					out = union(out, l.elements(s, k)...)
				}
				continue
			}
			name := a.Name
			if e.Op != lang.OpDict {
				switch back := strings.HasPrefix(key, "-"); {
				case key == "" || back && i < last || !back && i > first: // how many stand between is not known
					name = ""
				case back:
					name = "-" + itoa(len(e.Args)-i)
				default:
					name = itoa(i)
				}
			}
			if step, ok := at(name); ok {
				out = union(out, weaken(l.eval(r.f, a.X), step)...)
			}
		}
		if r.f.rules.Typed && says(out) {
			return out
		}
		for _, s := range gifts {
			if s.key == inflowSpread {
				for _, w := range l.eval(s.f, s.x) {
					out = union(out, l.elements(w, key)...)
				}
				continue
			}
			if step, ok := at(s.key); ok {
				out = union(out, weaken(l.eval(s.f, s.x), step)...)
			}
		}
	}
	return out
}
