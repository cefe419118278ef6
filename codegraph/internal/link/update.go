package link

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// After an edit, the equations that it changed are found by comparing the digests of the file before and after. All that
// rests on one of these, through any number of steps, is forgotten and solved again; everything else stays. Forgetting all
// of it, and not only what no longer follows, keeps values from holding each other up in a circle after their source is gone.

const (
	maxEdited  = 100     // files; with more, as when a branch is switched, all is linked anew
	maxRetries = 30      // rounds in which what is given turned out to be less
	maxGarbage = 1 << 20 // links, values and cells that edits leave behind, before they are looked through
)

// Changes are what differs between two states: files, sorted by path, and whether any configuration does.
type Changes struct {
	Changed, Added, Removed []string
	Configs                 bool
}

// An edited is a file with what it holds now.
type edited struct {
	f     *File
	facts *lang.Facts
	table *lang.Table
}

// Update links again after files changed, came or went, and gives the files whose linkage may be another. With a reason why
// that is more than an update can do, all has to be linked anew, with a new linker.
func (l *Linker) Update(ctx context.Context, src Source, d *Changes) (files []*File, why string, err error) {
	if l.limit == 0 {
		l.limit, l.most = l.solver.size()+l.prog.reader.Names()+maxGarbage, l.solver.count+maxGarbage
	}
	if len(d.Changed)+len(d.Added)+len(d.Removed) > maxEdited {
		return nil, fmt.Sprintf("more than %d files differ", maxEdited), nil
	}
	full := l.solver.count > l.most
	if !full && l.solver.size()+l.prog.reader.Names() > l.limit {
		l.solver.compact()
		full = l.solver.size()+l.prog.reader.Names() > l.limit-maxGarbage/2
	}
	if full {
		return nil, "what edits left behind takes too much memory", nil
	}
	l.linked, l.solver.circles = nil, 0
	var edits []edited
	shifts := d.Configs
	for i, p := range slices.Concat(d.Changed, d.Added) {
		facts, table, err := src.Facts(p, &l.prog.reader)
		if err != nil {
			return nil, "", fmt.Errorf("codegraph: %s: %w", p, err)
		}
		if i >= len(d.Changed) {
			edits = append(edits, edited{facts: facts, table: table})
			shifts = shifts || src.Lang(p) != ""
			if l.prog.rules[src.Lang(p)].Includes {
				return nil, linkedTogether(p), nil
			}
			continue
		}
		f := l.prog.byPath[p]
		if f == nil || f.rules.Includes {
			return nil, linkedTogether(p), nil
		}
		edits = append(edits, edited{f, facts, table})
		shifts = shifts || facts.Package != f.Facts.Package
	}
	for _, p := range d.Removed {
		f := l.prog.byPath[p]
		if f == nil || f.rules.Includes {
			return nil, linkedTogether(p), nil
		}
		shifts = shifts || f.lang != ""
	}
	var h *shift
	if shifts {
		h = l.shift(src)
		l.moving = true
		defer func() { l.moving = false }()
	} else {
		l.modules.tree.src = src
	}
	structural := slices.ContainsFunc(edits, func(e edited) bool { return e.f != nil && l.structural(e.f) })
	for _, f := range l.prog.Files {
		structural = structural || shifts && l.structural(f)
	}
	var implied map[*File][]string
	if structural {
		implied = l.impliedBy()
	}
	stale := l.solver.newCone()
	for _, p := range d.Removed {
		f := l.prog.byPath[p]
		if h != nil {
			h.edit(f)
		}
		if err := l.remove(f, stale); err != nil {
			return nil, "", err
		}
	}
	for i, p := range d.Added {
		f, err := l.addEmpty(p, src.Lang(p))
		if err != nil {
			return nil, "", err
		}
		edits[len(d.Changed)+i].f = f
	}
	if h != nil {
		for _, e := range edits {
			h.edit(e.f)
		}
		if !h.ask(stale) {
			return nil, "an include leads elsewhere", nil
		}
		for _, f := range h.others {
			edits = append(edits, edited{f, f.Facts, f.table})
		}
	}
	for _, e := range edits {
		if _, ok := e.f.res.(lang.Excluder); ok && e.facts.Package != e.f.Facts.Package { // what is in one build with its declarations may be other files
			if err := l.empty(e.f, stale); err != nil {
				return nil, "", err
			}
		}
		l.replace(e.f, e.facts, e.table, stale)
	}
	if h != nil {
		h.finish(stale)
	}
	l.flows.holding, l.flows.off = true, map[contribution]offState{}
	defer func() { l.flows.holding, l.flows.off = false, nil }()
	for try := 0; ; try++ {
		if try == maxRetries {
			return nil, fmt.Sprintf("what is given turned out to be less %d times", maxRetries), nil
		}
		stale.forget()
		for _, e := range edits {
			l.types(e.f)
		}
		if err := l.solver.solve(ctx.Err); err != nil {
			return nil, "", err // the linker is not to be used any more
		}
		if l.solver.circles > 0 { // whose solution depends on where it is begun
			return nil, "values go round in a circle with a negation", nil
		}
		stale = l.solver.newCone()
		if !l.actions.release(stale) && l.solver.idle() {
			break
		}
	}
	if structural || slices.ContainsFunc(edits, func(e edited) bool { return l.structural(e.f) }) {
		if err := l.implement(ctx); err != nil {
			return nil, "", err
		}
		for f, before := range implied {
			if !slices.Equal(before, l.impliedOf(f)) {
				l.linked = append(l.linked, f)
			}
		}
	}
	l.linked = slices.DeleteFunc(l.linked, func(f *File) bool { return l.prog.byPath[f.Path] != f })
	slices.SortFunc(l.linked, func(a, b *File) int { return strings.Compare(a.Path, b.Path) })
	l.Updates++
	return slices.Compact(l.linked), "", nil
}

// nothing gives the facts of an empty file.
func (l *Linker) nothing(language string) (*lang.Facts, *lang.Table, error) {
	return l.prog.reader.Decode((&lang.Facts{Lang: language}).Append(nil))
}

// empty takes all out of a file.
func (l *Linker) empty(f *File, stale *cone) error {
	facts, table, err := l.nothing(f.lang)
	if err == nil {
		l.replace(f, facts, table, stale)
	}
	return err
}

// remove takes a file out. It is kept, empty, for when it comes back.
func (l *Linker) remove(f *File, stale *cone) error {
	if err := l.empty(f, stale); err != nil {
		return err
	}
	l.solver.kill(f.link)
	f.Linkage, f.siblingsKnown, f.siblings = Linkage{}, false, nil
	delete(l.prog.byPath, f.Path)
	l.prog.gone[f.Path] = f
	return nil
}

// addEmpty adds a file that is empty still.
func (l *Linker) addEmpty(p, language string) (*File, error) {
	f := l.prog.gone[p]
	if f != nil && f.lang == language {
		l.prog.byPath[p] = f
	} else {
		facts, table, err := l.nothing(language)
		if err != nil {
			return nil, err
		}
		f = l.prog.addFile(p, language, facts, table)
	}
	delete(l.prog.gone, p)
	f.res = l.modules.resolvers[language]
	f.link = l.solver.add(l.linkKind, f.index, 0)
	return f, nil
}

// linkedTogether says why an update of a file takes everything.
func linkedTogether(p string) string { return p + " is of a language whose files are linked together" }

// structural tells whether classes of a file inherit from what they have the methods of.
func (l *Linker) structural(f *File) bool {
	_, ok := f.res.(lang.Structural)
	return ok
}

// impliedBy notes the implied edges of all files by the numbers of their ends.
func (l *Linker) impliedBy() map[*File][]string {
	out := map[*File][]string{}
	for _, f := range l.prog.Files {
		if l.structural(f) {
			out[f] = l.impliedOf(f)
		}
	}
	return out
}

func (l *Linker) impliedOf(f *File) []string {
	var out []string
	for _, e := range f.Linkage.Implied {
		out = append(out, fmt.Sprint(f.ids[e.SrcDecl], e.Dst.ids[e.DstDecl]))
	}
	slices.Sort(out)
	return out
}

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
