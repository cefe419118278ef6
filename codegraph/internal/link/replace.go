package link

import (
	"slices"
	"strconv"

	"github.com/findspot/findspot/codegraph/lang"
)

// replace gives a file other facts, and gathers the cells whose equations are others.
func (l *Linker) replace(f *File, facts *lang.Facts, table *lang.Table, stale *cone) {
	before := l.digest(f)
	old := *f
	oldIDs := map[string]int32{}
	for i, k := range declKeys(f.Facts) {
		oldIDs[k] = f.ids[i]
	}
	for _, i := range f.ids { // the names of methods are noted again below
		d := l.prog.decls[i].decl()
		if list := l.prog.methods[f.family][d.Name]; slices.Contains(list, i) {
			l.prog.methods[f.family][d.Name] = slices.DeleteFunc(slices.Clone(list), func(o int32) bool { return o == i })
		}
		delete(l.results.returns, i)
		delete(l.results.returnTyp, i)
		delete(l.results.yields, i)
		delete(l.results.fluent, i)
	}
	for k := range before.attrs {
		delete(l.members.ownAttrs, k)
	}
	f.Facts, f.table, f.ids, f.spaces, f.stars, f.wildcards = facts, table, nil, nil, nil, nil
	f.mods, f.modsNamed, f.boxes, f.cells = map[int32]*module{}, nil, nil, nil
	for i, k := range declKeys(facts) {
		id, ok := oldIDs[k]
		if ok {
			delete(oldIDs, k)
			l.prog.decls[id] = declRef{f, int32(i)}
		} else {
			id = int32(len(l.prog.decls))
			l.prog.decls = append(l.prog.decls, declRef{f, int32(i)})
		}
		f.ids = append(f.ids, id)
	}
	dead := map[int32]bool{}
	for _, id := range oldIDs {
		dead[id] = true
	}
	l.prog.scopes(f)
	l.results.gatherResults(f)
	after := l.digest(f)

	// Names.
	scopes := map[int32]bool{}
	was, is := map[sharedName]uint64{}, map[sharedName]uint64{}
	oldNames := map[sharedName]*named{}
	for i := range old.names.list {
		n := &old.names.list[i]
		s := sharedName{old.scopeID(n.scope), n.name}
		was[s], oldNames[s] = before.names[scoped{n.scope, n.name}], n
	}
	for i := range f.names.list {
		n := &f.names.list[i]
		s := sharedName{f.scopeID(n.scope), n.name}
		is[s] = after.names[scoped{n.scope, n.name}]
		if o := oldNames[s]; o != nil && o.cell != 0 {
			n.cell = o.cell
			l.names.named[l.solver.cell(n.cell).a] = n
		}
	}
	moved := map[string]bool{} // names of the file that are bound otherwise
	sharing := l.sharing(f)
	differ := func(s sharedName) {
		scopes[s.scope] = true
		stale.readers(l.deps.tokens[tokenKey{scope: s.scope, bucket: nameBucket(s.name)}])
		if n := oldNames[s]; n != nil {
			stale.add(n.cell)
		}
		if s.scope < 0 {
			moved[s.name] = true
			for _, g := range sharing {
				stale.readers(l.deps.tokens[tokenKey{scope: g.scopeID(lang.File), bucket: nameBucket(s.name)}])
			}
		}
	}
	for s, h := range was {
		if g, ok := is[s]; !ok || g != h {
			differ(s)
			if !ok && oldNames[s].cell != 0 {
				l.solver.kill(oldNames[s].cell)
			}
		}
	}
	for s := range is {
		if _, ok := was[s]; !ok {
			differ(s)
		}
	}
	for k := range before.attrs {
		if !after.attrs[k] {
			stale.readers(l.deps.tokens[tokenKey{scope: k.class, bucket: nameBucket(k.name)}])
		}
	}
	for k := range after.attrs {
		l.members.ownAttrs[k] = true
		if !before.attrs[k] {
			stale.readers(l.deps.tokens[tokenKey{scope: k.class, bucket: nameBucket(k.name)}])
		}
	}
	for name, h := range before.methods {
		if after.methods[name] != h {
			stale.readers(l.deps.tokens[methodNamed(f.family, name)])
		}
	}
	for name := range after.methods {
		if _, ok := before.methods[name]; !ok {
			stale.readers(l.deps.tokens[methodNamed(f.family, name)])
		}
	}
	for s := range scopes {
		stale.readers(l.deps.tokens[tokenKey{scope: s, bucket: wholeScope}])
	}

	for s := range before.wildcards {
		if before.wildcards[s] != after.wildcards[s] {
			l.deps.readersOf(s, stale)
		}
	}
	for s := range after.wildcards {
		if before.wildcards[s] != after.wildcards[s] {
			l.deps.readersOf(s, stale)
		}
	}
	for i, k := range l.names.wildcardOf {
		if id := l.names.wildcards[k]; k.f == f && id != 0 {
			stale.add(id)
			l.solver.kill(id)
			delete(l.names.wildcards, k)
			l.names.wildcardOf[i] = wildcardKey{}
		}
	}

	// Results and bases.
	touched := map[int32]bool{} // declarations whose elements may be others
	compare := func(cells map[int32]cellID, was, is map[int32]uint64) {
		byID := map[int32]uint64{}
		for i, h := range is {
			byID[f.ids[i]] = h
		}
		for i, h := range was {
			if byID[old.ids[i]] != h {
				stale.add(cells[old.ids[i]])
				touched[old.ids[i]] = true
			}
			delete(byID, old.ids[i])
		}
		for id := range byID {
			stale.add(cells[id])
			touched[id] = true
		}
	}
	compare(l.results.results, before.results, after.results)
	compare(l.classes.orders, before.orders, after.orders)
	declWas := map[int32]uint64{}
	for i, h := range before.decls {
		declWas[old.ids[i]] = h
	}
	for i, h := range after.decls {
		if declWas[f.ids[i]] != h {
			touched[f.ids[i]] = true
		}
	}
	for id := range dead {
		stale.add(l.results.results[id])
		stale.add(l.classes.orders[id])
		touched[id] = true
		l.prog.decls[id] = declRef{}
	}

	// Expressions: those of equal digests are the same ones.
	at := map[uint64][]int32{}
	for x, h := range after.exprs {
		at[h] = append(at[h], int32(x))
	}
	moveTo := make([]int32, len(before.exprs))
	for x, h := range before.exprs {
		moveTo[x] = lang.None
		if list := at[h]; len(list) > 0 {
			moveTo[x], at[h] = list[0], list[1:]
		}
	}
	if old.cells != nil {
		f.cells = make([]cellID, table.Len())
		for x, id := range old.cells {
			switch to := moveTo[x]; {
			case id == 0:
			case to == lang.None:
				stale.add(id)
				l.solver.kill(id)
			default:
				f.cells[to] = id
				l.solver.rekey(id, to)
			}
		}
	}
	for x, b := range old.boxes {
		to := moveTo[x]
		l.containers.boxes[b] = exprRef{f, to}
		if to != lang.None {
			if f.boxes == nil {
				f.boxes = map[int32]int32{}
			}
			f.boxes[to] = b
		}
	}
	gone := func(k elemKey) bool {
		if k.kind == vBox {
			r := l.containers.boxes[k.a]
			return r.f == f && r.x == lang.None
		}
		return touched[k.a]
	}
	for i, k := range l.containers.elemOf {
		if gone(k) {
			id := l.containers.elems[k]
			stale.add(id)
			if k.kind == vBox || dead[k.a] {
				l.solver.kill(id)
				delete(l.containers.elems, k)
				l.containers.elemOf[i] = elemKey{}
			}
		}
	}

	// What the modules with this file offer.
	in := map[int32]bool{}
	for n, m := range l.modules.modules {
		if slices.Contains(m.Files, f.Path) {
			in[int32(n)] = true
		}
	}
	for _, k := range l.exports.moduleNameOf {
		if in[k.module] && (before.passes != after.passes || moved[k.name]) {
			stale.add(l.exports.moduleNames[k])
		}
	}

	// What is given. Gifts that are still there keep their place under another number.
	l.flows.moveInflows(f, moveTo, dead, stale)
	given := map[int32]*action{}
	for _, a := range old.actions {
		given[old.scopeID(a.scope)] = a
	}
	l.actions.planActions(f)
	for i, a := range f.actions {
		s := f.scopeID(a.scope)
		if o := given[s]; o != nil {
			delete(given, s)
			l.solver.kill(a.cell)
			a.cell, a.given = o.cell, o.given
			l.solver.rekey(a.cell, int32(i))
		}
		l.solver.cell(a.cell).state = cellNew
		stale.extend()
		stale.add(a.cell)
	}
	for _, o := range given { // the scope is gone
		for _, g := range o.given {
			l.flows.take(g, stale)
		}
		stale.add(o.cell)
		l.solver.kill(o.cell)
	}
	stale.extend()
	stale.add(f.link)
}

// sharing lists the files that look names up in f as if it were they.
func (l *Linker) sharing(f *File) []*File {
	if !f.rules.PackageScope {
		return nil
	}
	var out []*File
	for _, g := range l.prog.Files {
		if g.siblingsKnown && slices.Contains(g.siblings, f) {
			out = append(out, g)
		}
	}
	return out
}

type sharedName struct {
	scope int32 // scopeID
	name  string
}

// declKeys names declarations so that an edit elsewhere in the file does not change the names: by the name of the parent,
// what is declared, and a number among equals.
func declKeys(f *lang.Facts) []string {
	keys := make([]string, len(f.Decls))
	count := map[string]int{}
	for i := range f.Decls {
		d := &f.Decls[i]
		k := "." + strconv.Itoa(int(d.Kind)) + d.Receiver + ":" + d.Qualifier + ":" + d.Name
		if d.Parent != lang.File {
			k = keys[d.Parent] + k
		}
		count[k]++
		if n := count[k]; n > 1 {
			k += "#" + strconv.Itoa(n)
		}
		keys[i] = k
	}
	return keys
}
