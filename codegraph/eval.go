package codegraph

import (
	"slices"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// The levels by rank.
const (
	lvExact uint8 = iota
	lvScope
	lvImport
	lvMember
	lvFlow
	lvContainer
	lvName
)

type valKind uint8

const (
	vExternal valKind = iota // something outside of the repository
	vClass                   // a: declaration
	vFunc                    // a: declaration; bound: has its receiver
	vInst                    // a: declaration of its class
	vSuper                   // a: declaration of the class, b: of the class whose bases are looked at
	vModule                  // a: index in evaluation.modules
	vBox                     // a list or mapping; a: its expression
	vGen                     // what a generator function gives; a: declaration
	vSpace                   // a namespace; a: declaration
)

// A value is one thing an expression may be, and how that is known.
type value struct {
	kind  valKind
	bound bool
	lvl   uint8
	a, b  int32
}

func (v value) same(w value) bool {
	return v.kind == w.kind && v.a == w.a && v.b == w.b
}

const (
	maxValues = 16 // values of one expression; more are as good as none, and are dropped
	maxDepth  = 60 // nested evaluations
	maxRounds = 5  // passes over all calls while arguments still reach new parameters
)

type paramKey struct {
	decl  int32
	param int32
}

type attrKey struct {
	class int32
	name  string
}

// An exprRef is an expression with the file it is in.
type exprRef struct {
	f *file
	x int32
}

type stored struct {
	key string
	exprRef
}

// evaluation follows values through expressions. Everything is remembered for one round; a circle gives what is known so far.
type evaluation struct {
	exprCount int32
	exprs     []exprRef
	memo      [][]value
	done      []uint8 // by expression: 0 not yet, 1 under way, 2 done
	depth     int
	round     uint32

	modules   []*module
	moduleOf  map[string]int32
	params    map[paramKey][]value
	attrs     map[attrKey][]exprRef // values set on instances and classes from methods
	boxes     map[int32][]stored    // elements set later, by the box's expression
	returns   map[int32][]exprRef
	returnTyp map[int32][]exprRef
	yields    map[int32][]exprRef
	mros      map[int32]*mro
	elems     map[elemKey][]value
	offers    map[offerKey][]value
	outer     map[attrKey][]int32 // methods written outside of their class
	extended  map[int32][]exprRef // base classes said outside of their class
}

type elemKey struct {
	kind valKind
	lvl  uint8
	a    int32
	key  string
}

type offerKey struct {
	module int32
	name   string
}

type mro struct {
	order []int32 // class itself first
	open  bool    // a base class is outside or unknown
}

func (l *linker) initEval() {
	l.exprs = make([]exprRef, 0, l.exprCount)
	for _, f := range l.files {
		for x := range f.facts.Exprs {
			l.exprs = append(l.exprs, exprRef{f, int32(x)})
		}
	}
	l.memo, l.done = make([][]value, l.exprCount), make([]uint8, l.exprCount)
	l.moduleOf = map[string]int32{}
	l.params = map[paramKey][]value{}
	l.returns, l.returnTyp, l.yields = map[int32][]exprRef{}, map[int32][]exprRef{}, map[int32][]exprRef{}
	l.mros, l.elems, l.offers = map[int32]*mro{}, map[elemKey][]value{}, map[offerKey][]value{}
	for _, f := range l.files {
		for _, b := range f.facts.Bindings {
			r := exprRef{f, b.Value}
			switch d := f.base + b.Scope; b.Kind {
			case lang.Return:
				l.returns[d] = append(l.returns[d], r)
			case lang.Yield:
				l.yields[d] = append(l.yields[d], r)
			case lang.ReturnType:
				l.returnTyp[d] = append(l.returnTyp[d], r)
			}
		}
	}
}

// fresh forgets what was evaluated, and gathers again what is set on objects.
func (l *linker) fresh() {
	l.forget()
	l.attrs, l.boxes = map[attrKey][]exprRef{}, map[int32][]stored{}
	for _, f := range l.files {
		for i := range f.facts.Bindings {
			l.gather(f, &f.facts.Bindings[i], true)
		}
	}
	l.forget() // what was evaluated on the way did not see all attributes
	for _, f := range l.files {
		for i := range f.facts.Bindings {
			l.gather(f, &f.facts.Bindings[i], false)
		}
	}
	l.forget()
}

func (l *linker) forget() {
	clear(l.memo)
	clear(l.done)
	clear(l.mros)
	clear(l.elems)
	clear(l.offers)
	l.round++
}

// gather records a value set on another object. Those on the receiver come first: others need them.
func (l *linker) gather(f *file, b *lang.Binding, receiver bool) {
	if b.Target == lang.None {
		return
	}
	x := &f.facts.Exprs[b.Target]
	if (x.Op == lang.OpThis || x.Op == lang.OpName && l.isReceiver(f, x)) != receiver {
		return
	}
	for _, v := range l.eval(f, b.Target) {
		switch v.kind {
		case vInst, vClass:
			if b.Kind == lang.Store {
				continue
			}
			k := attrKey{v.a, b.Name}
			l.attrs[k] = append(l.attrs[k], exprRef{f, b.Value})
		case vBox:
			if b.Kind != lang.Store && !f.rules.Objects {
				continue
			}
			l.boxes[v.a] = append(l.boxes[v.a], stored{b.Name, exprRef{f, b.Value}})
		}
	}
}

// isReceiver tells whether a name is the receiver parameter of the innermost method around it.
func (l *linker) isReceiver(f *file, x *lang.Expr) bool {
	for s := x.Scope; s != lang.File; s = f.facts.Decls[s].Parent {
		n := f.lookup(s, x.Name)
		if n == nil {
			continue
		}
		return n.param >= 0 && f.facts.Decls[s].Params[n.param].Kind == lang.Receiver
	}
	return false
}

// eval gives what an expression may be; nil when nothing is known.
func (l *linker) eval(f *file, x int32) []value {
	if x == lang.None {
		return nil
	}
	g := f.exprs + x
	if l.done[g] != 0 {
		return l.memo[g]
	}
	if l.depth > maxDepth {
		return nil
	}
	l.done[g] = 1
	l.depth++
	vals := l.evalOp(f, x)
	l.depth--
	if len(vals) > maxValues {
		vals = nil
	}
	l.memo[g], l.done[g] = vals, 2
	return vals
}

func (l *linker) evalOp(f *file, x int32) []value {
	e := &f.facts.Exprs[x]
	switch e.Op {
	case lang.OpName:
		return l.name(f, e.Scope, e.Name)
	case lang.OpAttr:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.attr(v, e.Name, lvMember)...)
		}
		return out
	case lang.OpCall:
		var out []value
		for _, v := range l.eval(f, e.X) {
			out = union(out, l.result(v)...)
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
		return []value{l.declValue(f.base+e.Decl, lvScope)}
	case lang.OpInstance:
		var out []value
		for _, v := range l.eval(f, e.X) {
			switch v.kind {
			case vClass:
				out = union(out, value{kind: vInst, a: v.a, lvl: max(v.lvl, lvMember)})
			case vExternal, vBox, vFunc, vInst: // a type that is a container or a function
				out = union(out, v)
			}
		}
		return out
	case lang.OpThis:
		if c, static, ok := l.classAround(f, e.Scope); ok {
			k := vInst
			if static {
				k = vClass
			}
			return []value{{kind: k, a: c, lvl: lvScope}}
		}
	case lang.OpSuper:
		if c, _, ok := l.classAround(f, e.Scope); ok {
			return []value{{kind: vSuper, a: c, b: c, lvl: lvScope}}
		}
	case lang.OpList, lang.OpDict, lang.OpTuple:
		return []value{{kind: vBox, a: f.exprs + x, lvl: lvScope}}
	case lang.OpAny:
		var out []value
		for _, a := range e.Args {
			out = union(out, l.eval(f, a.X)...)
		}
		return out
	case lang.OpElse:
		return l.either(f, e)
	case lang.OpModule:
		if m, ok := f.res.Module(f.path, lang.Import{Module: e.Name}); ok {
			n := l.module(m)
			l.modules[n].res, l.modules[n].rules = f.res, f.rules
			out := []value{{kind: vModule, a: n, lvl: lvImport}}
			if f.rules.Objects { // what the module gives may itself be called
				out = union(out, weaken(l.exported(n, "default", 0), lvImport)...)
			}
			return out
		}
		return []value{{kind: vExternal}}
	case lang.OpExternal, lang.OpString:
		return []value{{kind: vExternal}}
	}
	return nil
}

func union(l []value, more ...value) []value {
next:
	for _, v := range more {
		for i := range l {
			if l[i].same(v) {
				l[i].lvl = min(l[i].lvl, v.lvl)
				continue next
			}
		}
		if len(l) > maxValues {
			return l
		}
		l = append(l[:len(l):len(l)], v)
	}
	return l
}

// weaken gives copies known no better than lvl.
func weaken(l []value, lvl uint8) []value {
	if !slices.ContainsFunc(l, func(v value) bool { return v.lvl < lvl }) {
		return l
	}
	l = slices.Clone(l)
	for i := range l {
		l[i].lvl = max(l[i].lvl, lvl)
	}
	return l
}

func (l *linker) declValue(d int32, lvl uint8) value {
	switch l.decls[d].decl().Kind {
	case lang.Class:
		return value{kind: vClass, a: d, lvl: lvl}
	case lang.Namespace:
		return value{kind: vSpace, a: d, lvl: lvl}
	}
	return value{kind: vFunc, a: d, lvl: lvl}
}

// classAround gives the class whose method is around a scope, and whether that method has no instance.
func (l *linker) classAround(f *file, scope int32) (class int32, static, ok bool) {
	for s := scope; s != lang.File; s = f.facts.Decls[s].Parent {
		d := &f.facts.Decls[s]
		if d.Kind == lang.Class {
			return f.base + s, true, true // in the class body itself
		}
		if d.Parent != lang.File && f.facts.Decls[d.Parent].Kind == lang.Class && d.Kind == lang.Function {
			return f.base + d.Parent, d.Flags&(lang.Static|lang.ClassMethod) != 0, true
		}
	}
	return 0, false, false
}

// name looks a name up from a scope outwards.
func (l *linker) name(f *file, scope int32, name string) []value {
	for s := scope; ; s = f.facts.Decls[s].Parent {
		if s == scope || s == lang.File || f.rules.ClassScope || f.facts.Decls[s].Kind != lang.Class {
			if n := f.lookup(s, name); n != nil {
				if v := l.bound(f, s, n); len(v) > 0 || s == lang.File || !f.rules.BlockScope {
					return v
				}
			}
			if v := l.brought(f, s, name); v != nil {
				return v
			}
		}
		if s == lang.File {
			break
		}
	}
	if f.rules.PackageScope {
		var out []value
		for _, o := range l.siblings(f) {
			if n := o.lookup(lang.File, name); n != nil && len(n.imports) == 0 {
				out = union(out, l.bound(o, lang.File, n)...)
			}
		}
		if out != nil {
			return out
		}
	}
	if v := l.starred(f, name, 0); v != nil {
		return v
	}
	if f.rules.Builtins[name] {
		return []value{{kind: vExternal}}
	}
	return nil
}

// siblings lists the files, f left out, that share f's top-level names.
func (l *linker) siblings(f *file) []*file {
	if !f.siblingsKnown {
		f.siblingsKnown = true
		if m, ok := f.res.Module(f.path, lang.Import{Module: "."}); ok {
			for _, p := range m.Files {
				if o := l.byPath[p]; o != nil && o != f {
					f.siblings = append(f.siblings, o)
				}
			}
		}
	}
	return f.siblings
}

// starred looks a name up in the modules of which f imports everything.
func (l *linker) starred(f *file, name string, depth int) []value {
	outside := false
	for i := len(f.stars) - 1; i >= 0; i-- {
		m, ok := l.importModule(f, f.stars[i])
		if !ok {
			outside = true
			continue
		}
		if v := l.exported(m, name, depth+1); v != nil {
			return weaken(v, lvImport)
		}
	}
	if outside && !f.rules.Builtins[name] {
		return []value{{kind: vExternal}}
	}
	return nil
}

// bound gives the values of one name in one scope, remembered for one round.
func (l *linker) bound(f *file, scope int32, n *named) []value {
	if n.round == l.round || l.depth > maxDepth {
		return n.vals
	}
	n.round, n.vals = l.round, nil
	l.depth++
	vals := l.bindings(f, scope, n)
	l.depth--
	if len(vals) > maxValues {
		vals = nil
	}
	n.vals = vals
	return vals
}

func (l *linker) bindings(f *file, scope int32, n *named) []value {
	var out []value
	out = union(out, l.declared(f, n.decls)...)
	out = union(out, l.aliased(f, n.binds)...)
	for _, i := range n.imports {
		out = union(out, l.imported(f, i)...)
	}
	typed := false
	for _, i := range n.binds {
		b := &f.facts.Bindings[i]
		if b.Kind == lang.Annotate {
			if v := l.instances(l.eval(f, b.Value)); len(v) > 0 {
				out, typed = union(out, weaken(v, lvMember)...), true
			}
		}
	}
	for _, i := range n.binds {
		if b := &f.facts.Bindings[i]; b.Kind == lang.Assign {
			v := l.eval(f, b.Value)
			if typed {
				continue // the annotation says it
			}
			out = union(out, weaken(v, lvFlow)...)
		}
	}
	if n.param >= 0 && scope != lang.File {
		out = union(out, l.param(f, scope, n.param)...)
	}
	return out
}

func (l *linker) instances(vals []value) []value {
	var out []value
	for _, v := range vals {
		switch v.kind {
		case vClass:
			out = append(out, value{kind: vInst, a: v.a, lvl: max(v.lvl, lvMember)})
		case vInst, vBox, vExternal, vFunc:
			out = append(out, v)
		}
	}
	return out
}

// declared chooses among the declarations of one name: the last, and every conditional or overloaded one.
func (l *linker) declared(f *file, decls []int32) []value {
	var out []value
	for i, d := range decls {
		cond := f.facts.Decls[d].Flags&(lang.Conditional|lang.Overload) != 0 || f.facts.Decls[d].Kind == lang.Namespace
		if i == len(decls)-1 || cond || slices.ContainsFunc(decls[i+1:], func(e int32) bool {
			return f.facts.Decls[e].Flags&lang.Conditional != 0
		}) {
			out = union(out, l.decorated(f, d)...)
		}
	}
	return out
}

// decorated gives what the name of a declaration stands for: what its decorators give, where that is known.
func (l *linker) decorated(f *file, d int32) []value {
	self := []value{l.declValue(f.base+d, lvScope)}
	dec := f.facts.Decls[d].Decorated
	if len(dec) == 0 || f.facts.Decls[d].Flags&(lang.Property|lang.Static|lang.ClassMethod) != 0 {
		return self
	}
	vals := self
	for i := len(dec) - 1; i >= 0; i-- {
		var next []value
		for _, v := range l.eval(f, dec[i]) {
			for _, r := range l.result(v) {
				if r.kind == vFunc || r.kind == vClass || r.kind == vInst {
					next = union(next, r)
				}
			}
		}
		if len(next) > 0 {
			vals = weaken(next, lvFlow)
		}
	}
	return vals
}

// param gives what a parameter may be: its annotation, its default, and the arguments seen so far.
func (l *linker) param(f *file, scope, i int32) []value {
	d := &f.facts.Decls[scope]
	p := &d.Params[i]
	var typed []value
	if p.Kind == lang.Receiver && p.Type == lang.None {
		if c, static, ok := l.classAround(f, scope); ok {
			if static {
				return []value{{kind: vClass, a: c, lvl: lvScope}}
			}
			return []value{{kind: vInst, a: c, lvl: lvScope}}
		}
	}
	if p.Type != lang.None {
		if v := l.instances(l.eval(f, p.Type)); len(v) > 0 && p.Kind != lang.Rest && p.Kind != lang.RestNamed {
			if slices.ContainsFunc(v, func(v value) bool { return v.kind != vFunc }) {
				return weaken(v, lvMember)
			}
			typed = v // a function type: which function it is, the arguments say
		}
	}
	out := weaken(l.eval(f, p.Def), lvFlow)
	out = slices.DeleteFunc(slices.Clone(out), func(v value) bool { return v.kind == vExternal })
	return union(union(out, typed...), weaken(l.params[paramKey{f.base + scope, i}], lvFlow)...)
}

// result gives what calling a value gives.
func (l *linker) result(v value) []value {
	switch v.kind {
	case vExternal:
		return []value{v}
	case vClass:
		return []value{{kind: vInst, a: v.a, lvl: v.lvl}}
	case vInst:
		f := l.decls[v.a].f
		if f.rules.Call == "" {
			return nil
		}
		var out []value
		for _, m := range l.attr(v, f.rules.Call, lvMember) {
			if m.kind == vFunc {
				out = union(out, l.result(m)...)
			}
		}
		return out
	case vFunc:
		if len(l.yields[v.a]) > 0 {
			return []value{{kind: vGen, a: v.a, lvl: max(v.lvl, lvFlow)}}
		}
		var out []value
		for _, r := range l.returnTyp[v.a] {
			out = union(out, weaken(l.instances(l.eval(r.f, r.x)), max(v.lvl, lvMember))...)
		}
		if len(out) > 0 && !slices.ContainsFunc(out, func(v value) bool { return v.kind == vExternal }) {
			return out
		}
		said := out
		out = nil
		for _, r := range l.returns[v.a] {
			out = union(out, weaken(l.eval(r.f, r.x), max(v.lvl, lvFlow))...)
		}
		if len(out) == 0 {
			return said
		}
		return out
	}
	return nil
}

// elements gives what is in a value under a constant key, or under any when key is "".
func (l *linker) elements(v value, key string) []value { return l.elementsAt(v, key, lvContainer) }

// elementsAt is elements with the level that the step is worth.
// It is remembered for one round, which also cuts containers that hold themselves.
func (l *linker) elementsAt(v value, key string, lvl uint8) []value {
	if v.kind == vExternal {
		return []value{v}
	}
	k := elemKey{v.kind, lvl, v.a, key}
	if vals, ok := l.elems[k]; ok {
		return weaken(vals, v.lvl)
	}
	if l.depth > maxDepth {
		return nil
	}
	l.elems[k] = nil
	l.depth++
	vals := l.inside(value{kind: v.kind, a: v.a, b: v.b}, key, lvl)
	l.depth--
	if len(vals) > maxValues {
		vals = nil
	}
	l.elems[k] = vals
	return weaken(vals, v.lvl)
}

func (l *linker) inside(v value, key string, lvl uint8) []value {
	var out []value
	switch v.kind {
	case vGen:
		for _, r := range l.yields[v.a] {
			out = union(out, weaken(l.eval(r.f, r.x), lvl)...)
		}
	case vInst:
		if r := l.decls[v.a]; r.decl().Elem != lang.None {
			for _, w := range l.eval(r.f, r.decl().Elem) {
				out = union(out, l.elements(w, key)...)
			}
			return out
		}
		for _, name := range []string{"__getitem__", "__next__"} {
			for _, m := range l.attr(v, name, lvMember) {
				if m.kind == vFunc {
					out = union(out, weaken(l.result(m), lvl)...)
				}
			}
		}
		for _, m := range l.attr(v, "__iter__", lvMember) {
			if m.kind == vFunc {
				for _, r := range l.result(m) {
					if r.kind != vInst || r.a != v.a {
						out = union(out, l.elements(r, key)...)
					}
				}
			}
		}
	case vBox:
		r := l.exprs[v.a]
		e := &r.f.facts.Exprs[r.x]
		if e.Op == lang.OpTuple {
			lvl = lvFlow
		}
		// An element under a key that is known on both sides is a known value like any other; any element of many is only in the container.
		at := func(name string) (uint8, bool) {
			switch {
			case key != "" && name == key:
				return min(lvl, lvFlow), true
			case key == "" || name == "":
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
		for i, a := range e.Args {
			if a.Spread {
				for _, s := range l.eval(r.f, a.X) {
					out = union(out, weaken(l.elements(s, key), lvl)...)
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
		for _, s := range l.boxes[v.a] {
			if step, ok := at(s.key); ok {
				out = union(out, weaken(l.eval(s.f, s.x), step)...)
			}
		}
	}
	return out
}
