package infer

import (
	"github.com/findspot/findspot/codegraph/internal/factcodec"

	"context"
	"fmt"

	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
	"github.com/findspot/findspot/codegraph/lang"
)

// After an edit, the equations that it changed are found by comparing the digests of the file before and after. All that
// rests on one of these, through any number of steps, is forgotten and solved again; everything else stays. Forgetting all
// of it, and not only what no longer follows, keeps values from holding each other up in a circle after their source is gone.

// An edit is the replacement of a file's facts, as all need to know it who hold cells of the file.
type edit struct {
	f             *symtab.File
	old           symtab.File // as it was
	before, after *digest
	moved         []int32         // by expression as it was: the equal one now, or lang.None
	dead          map[int32]bool  // declarations that are gone
	touched       map[int32]bool  // declarations whose elements may be others
	rebound       map[string]bool // names of the file's scope that are bound otherwise
	stale         *solver.Cone
}

// Replace gives a file other facts, and gathers the cells whose equations are others. moving says that imports may lead
// elsewhere.
func (in *Inference) Replace(f *symtab.File, facts *lang.Facts, table *factcodec.Table, moving bool, stale *solver.Cone) {
	e := &edit{f: f, old: *f, before: in.digest(f, moving), touched: map[int32]bool{}, rebound: map[string]bool{}, stale: stale}
	e.dead = in.prog.Replace(f, facts, table)
	in.modules.Forget(f)
	in.results.replace(e)
	e.after = in.digest(f, moving)
	e.match()
	in.names.replace(e)
	in.members.replace(e)
	for name := range differing(e.before.methods, e.after.methods) {
		in.deps.changed(methodNamed(f.Family, name), stale)
	}
	e.compare(in.results.results, e.before.results, e.after.results)
	e.compare(in.classes.orders, e.before.orders, e.after.orders)
	in.ev.replace(e)
	in.containers.replace(e)
	in.exports.replace(e)
	in.actions.replace(e)
	stale.Extend()
}

const maxRetries = 30 // rounds in which what is given turned out to be less

// Resettle solves again what is stale after files were replaced. With a reason why that leads nowhere all is to be computed anew.
func (in *Inference) Resettle(ctx context.Context, files []*symtab.File, stale *solver.Cone) (why string, err error) {
	circles := in.solver.Circles()
	in.flows.holding, in.flows.off = true, map[contribution]offState{}
	defer func() { in.flows.holding, in.flows.off = false, nil }()
	for range maxRetries {
		stale.Forget()
		for _, f := range files {
			in.types(f)
		}
		if err := in.solver.Solve(ctx.Err); err != nil {
			return "", err
		}
		if in.solver.Circles() > circles { // whose solution depends on where it is begun
			return "values go round in a circle with a negation", nil
		}
		stale = in.solver.NewCone()
		if !in.actions.release(stale) && in.solver.Idle() {
			return "", nil
		}
	}
	return fmt.Sprintf("what is given turned out to be less %d times", maxRetries), nil
}

// compare gathers the cells of declarations, of a kind, whose digests differ.
func (e *edit) compare(cells map[int32]solver.ID, was, is map[int32]uint64) {
	number := func(digests map[int32]uint64, ids []int32) map[int32]uint64 {
		out := map[int32]uint64{}
		for i, h := range digests {
			out[ids[i]] = h
		}
		return out
	}
	for id := range differing(number(was, e.old.IDs), number(is, e.f.IDs)) {
		e.stale.Add(cells[id])
		e.touched[id] = true
	}
	for id := range e.dead {
		e.stale.Add(cells[id])
	}
}

// match finds the expressions that are the same as before, which are those of equal digests, and the declarations that are not.
func (e *edit) match() {
	was := map[int32]uint64{}
	for i, h := range e.before.decls {
		was[e.old.IDs[i]] = h
	}
	for i, h := range e.after.decls {
		if was[e.f.IDs[i]] != h {
			e.touched[e.f.IDs[i]] = true
		}
	}
	for id := range e.dead {
		e.touched[id] = true
	}
	at := map[uint64][]int32{}
	for x, h := range e.after.exprs {
		at[h] = append(at[h], int32(x))
	}
	e.moved = make([]int32, len(e.before.exprs))
	for x, h := range e.before.exprs {
		e.moved[x] = lang.None
		if list := at[h]; len(list) > 0 {
			e.moved[x], at[h] = list[0], list[1:]
		}
	}
}

// differing lists the keys whose values differ between two maps, or that only one of them has.
func differing[K, V comparable](was, is map[K]V) map[K]bool {
	out := map[K]bool{}
	for k, v := range was {
		if w, ok := is[k]; !ok || w != v {
			out[k] = true
		}
	}
	for k := range is {
		if _, ok := was[k]; !ok {
			out[k] = true
		}
	}
	return out
}
