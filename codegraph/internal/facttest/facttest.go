package facttest

import (
	"github.com/findspot/findspot/codegraph/internal/factcodec"

	"context"
	"maps"
	"slices"

	"github.com/findspot/findspot/codegraph/lang"
)

// Name is the name of the language.
const Name = "t"

// A Language is a front end with some rules.
type Language struct {
	Rule lang.Rules
	Find func(t lang.Tree, from, module string) (lang.Module, bool) // what a module's name means in a file; nil: nothing
}

// Name of the front end.
func (l Language) Name() string { return Name }

// Extensions of the front end.
func (l Language) Extensions() []string { return []string{".t"} }

// FeatureVersion of the front end.
func (l Language) FeatureVersion() int { return 1 }

// Rules are those given.
func (l Language) Rules() lang.Rules { return l.Rule }

// Parse gives no facts.
func (l Language) Parse(context.Context, string, []byte) (*lang.Facts, error) {
	return &lang.Facts{Lang: Name}, nil
}

// Resolver finds modules by Find; submodules are those of the folder's path with a slash and their name.
func (l Language) Resolver(t lang.Tree) lang.Resolver { return resolver{l, t} }

type resolver struct {
	l    Language
	tree lang.Tree
}

func (r resolver) Module(from string, imp lang.Import) (lang.Module, bool) {
	if r.l.Find == nil {
		return lang.Module{}, false
	}
	return r.l.Find(r.tree, from, imp.Module)
}

func (r resolver) Sub(m lang.Module, name string) (lang.Module, bool) {
	return r.Module("", lang.Import{Module: m.Dir + "/" + name})
}

// Files are the facts of a state's files, by path.
type Files map[string]*lang.Facts

// Paths lists the files, sorted.
func (s Files) Paths() []string { return slices.Sorted(maps.Keys(s)) }

// Lang names the language of a file that is there.
func (s Files) Lang(p string) string {
	if s[p] == nil {
		return ""
	}
	return Name
}

// Package of a file.
func (s Files) Package(p string) string { return s[p].Package }

// Configs are none.
func (s Files) Configs() map[string][]byte { return nil }

// Facts decodes what a file's facts are encoded as.
func (s Files) Facts(p string, r *factcodec.Reader) (*lang.Facts, *factcodec.Table, error) {
	return r.Decode(factcodec.Encode(s[p]))
}

// Decl is a declaration of a name.
func Decl(kind lang.DeclKind, name string, parent int32) lang.Decl {
	return lang.Decl{Kind: kind, Name: name, Parent: parent, Owner: lang.None, Elem: lang.None}
}
