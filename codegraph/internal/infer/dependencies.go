package infer

import (
	"github.com/findspot/findspot/codegraph/internal/solver"
	"github.com/findspot/findspot/codegraph/internal/symtab"
)

// What is read of facts without asking for a value is remembered too, by scope and a few bits of the name: that a class has
// no member of some name, or which functions a name stands for. Such a token has no value; an edit that changes what it
// stands for has those that read it computed again.
type tokenKey struct {
	scope  int32
	bucket uint32
	family string // of methodToken
}

const (
	tokenBuckets = 16
	wholeScope   = 255      // the bucket of everything in a scope
	moduleFiles  = 254      // the bucket of what a module consists of; the scope is its number
	methodToken  = -1 << 30 // the scope of the names of all methods of a family of languages
)

// dependencies remembers what is read of facts.
type dependencies struct {
	solver    *solver.Solver
	tracking  bool
	tokens    map[tokenKey]solver.ID
	tokenKind solver.Kind
}

func nameBucket(name string) uint32 {
	h := nameHash(name)
	return (h ^ h>>16) % tokenBuckets
}

func nameHash(name string) uint32 {
	h := uint32(2166136261)
	for i := range len(name) {
		h = (h ^ uint32(name[i])) * 16777619
	}
	return h
}

// methodNamed is the token of what methods of a name there are in a family of languages: nearly every file asks for some
// names, so that a few buckets for all would link all files again when a method comes or goes.
func methodNamed(family, name string) tokenKey {
	return tokenKey{scope: methodToken, bucket: nameHash(name), family: family}
}

// filesOf is the token of the files that a module consists of.
func filesOf(module int32) tokenKey { return tokenKey{scope: module, bucket: moduleFiles} }

// token makes the current cell a reader of a token.
func (ds *dependencies) token(k tokenKey) {
	if !ds.tracking || !ds.solver.Computing() {
		return
	}
	id := ds.tokens[k]
	if id == 0 {
		id = ds.solver.Add(ds.tokenKind, 0, 0)
		ds.tokens[k] = id
	}
	ds.solver.Depend(id)
}

// find looks a name up in a scope of any file; what it finds, or that there is nothing, is remembered.
func (ds *dependencies) find(f *symtab.File, scope int32, name string) *symtab.Symbol {
	ds.token(tokenKey{scope: f.ScopeID(scope), bucket: nameBucket(name)})
	return f.Lookup(scope, name)
}

// changed gathers what has read a token.
func (ds *dependencies) changed(k tokenKey, stale *solver.Cone) { stale.Readers(ds.tokens[k]) }

// nameChanged gathers what has looked a name up in a scope.
func (ds *dependencies) nameChanged(scope int32, name string, stale *solver.Cone) {
	ds.changed(tokenKey{scope: scope, bucket: nameBucket(name)}, stale)
}

// scopeChanged gathers what has looked any name up in a scope.
func (ds *dependencies) scopeChanged(scope int32, stale *solver.Cone) {
	for b := range uint32(tokenBuckets) {
		ds.changed(tokenKey{scope: scope, bucket: b}, stale)
	}
}

// watch remembers that the current cell looks at all declarations of a scope.
func (ds *dependencies) watch(f *symtab.File, scope int32) {
	ds.token(tokenKey{scope: f.ScopeID(scope), bucket: wholeScope})
}
