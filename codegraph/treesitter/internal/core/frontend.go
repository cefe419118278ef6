package core

import (
	"context"

	"github.com/findspot/findspot/codegraph/lang"
)

// A Language is what makes a front end; see [lang.Frontend].
type Language struct {
	Name       string
	Extensions []string
	Version    int // of the facts
	Rules      lang.Rules
	Parse      func(ctx context.Context, path string, src []byte) (*lang.Facts, error)
	Resolver   func(lang.Tree) lang.Resolver
}

// Frontend gives the language as a front end.
func (l Language) Frontend() lang.Frontend { return &frontend{l} }

type frontend struct{ l Language }

func (f *frontend) Name() string                       { return f.l.Name }
func (f *frontend) Extensions() []string               { return f.l.Extensions }
func (f *frontend) FeatureVersion() int                { return f.l.Version }
func (f *frontend) Rules() lang.Rules                  { return f.l.Rules }
func (f *frontend) Resolver(t lang.Tree) lang.Resolver { return f.l.Resolver(t) }
func (f *frontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
	return f.l.Parse(ctx, path, src)
}
