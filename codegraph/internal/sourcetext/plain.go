package sourcetext

import (
	"bytes"
	"context"
	"path"
	"strings"

	"github.com/findspot/findspot/codegraph/lang"
)

// PlainText reads files whose language no front end knows: they are nodes with words, and nothing else.
type PlainText struct{}

func (PlainText) Name() string         { return "" }
func (PlainText) Extensions() []string { return nil }
func (PlainText) FeatureVersion() int  { return 1 }
func (PlainText) Rules() lang.Rules    { return lang.Rules{} }

// Parse counts the lines.
func (PlainText) Parse(_ context.Context, _ string, src []byte) (*lang.Facts, error) {
	n := bytes.Count(src, []byte("\n"))
	if len(src) > 0 && src[len(src)-1] != '\n' {
		n++
	}
	return &lang.Facts{Lines: int32(n)}, nil
}

func (PlainText) Resolver(lang.Tree) lang.Resolver { return noModules{} }

type noModules struct{}

func (noModules) Module(string, lang.Import) (lang.Module, bool) { return lang.Module{}, false }
func (noModules) Sub(lang.Module, string) (lang.Module, bool)    { return lang.Module{}, false }

// The largest files that are taken for text, in bytes. Larger ones are data more often than text.
const (
	MaxText = 128 << 10
	MaxData = 64 << 10 // of formats that hold data as well
)

// plainExts are the endings of files that people write and no front end may know. It is a list of what is taken in, not of
// what is left out, since every repository has data of its own.
var plainExts = wordSet(`adb ads adoc asm awk bash bat bzl cfg clj cljs cmake cmd coffee conf cr cs css csproj cu d dart elm
	ejs el erl ex exs f f90 f95 feature fish for fs fsx gd glsl gn gql gradle graphql groovy haml hbs hcl hlsl hrl hs htm html ini jinja jinja2 jl
	js jsonnet jsp jsx kt kts less lisp lua m mak md mdx mk ml mli mm nim nix pas php pl pm podspec prisma pro properties proto ps1 psm1
	pug purs py r rake rb rc rkt rst s sass sbt scala scm scss sh sln sql star starlark styl sv svelte swift tcl tf thrift tmpl toml ts tsx tex txt v
	vb vhd vhdl vim vue wgsl xaml yaml yml zig zsh`)

// dataExts are the endings of formats that hold data as often as what people write.
var dataExts = wordSet("json json5 jsonc xml")

var plainNames = wordSet(`brewfile build dockerfile gemfile jenkinsfile justfile makefile gnumakefile procfile rakefile readme vagrantfile
	workspace contributing authors changes changelog copying install license maintainers news notice todo`)

func wordSet(s string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(s) {
		m[w] = true
	}
	return m
}

// TextLimit gives the most bytes that a file may have to be taken for text; 0 for one that never is, such as a lock file.
func TextLimit(p string) int64 {
	name := strings.ToLower(path.Base(p))
	ext := strings.TrimPrefix(path.Ext(name), ".")
	switch {
	case name == "package-lock.json" || name == "pnpm-lock.yaml" || name == "npm-shrinkwrap.json" || strings.HasSuffix(Stem(name), ".min"):
		return 0
	case ext == "" && plainNames[name] || plainExts[ext]:
		return MaxText
	case dataExts[ext]:
		return MaxData
	}
	return 0
}
