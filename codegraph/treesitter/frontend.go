package treesitter

import (
	"context"
	"strings"
	"sync"

	"github.com/findspot/findspot/codegraph/lang"
)

// A frontend is one language.
type frontend struct {
	name     string
	exts     []string
	version  int
	rules    lang.Rules
	grammar  func(ext string) func() (*grammar, error)
	facts    func(*tree) *lang.Facts
	deep     func(context.Context, *tree) (*lang.Facts, error) // instead of facts, where parts of a file are parsed again
	resolver func(lang.Tree) lang.Resolver
}

func (f *frontend) Name() string                       { return f.name }
func (f *frontend) Extensions() []string               { return f.exts }
func (f *frontend) FeatureVersion() int                { return f.version }
func (f *frontend) Rules() lang.Rules                  { return f.rules }
func (f *frontend) Resolver(t lang.Tree) lang.Resolver { return f.resolver(t) }

func (f *frontend) Parse(ctx context.Context, path string, src []byte) (*lang.Facts, error) {
	ext := ""
	if i := strings.LastIndexByte(path, '.'); i >= 0 {
		ext = strings.ToLower(path[i:])
	}
	g, err := f.grammar(ext)()
	if err != nil {
		return nil, err
	}
	t, err := g.parse(ctx, src)
	if err != nil {
		return nil, err
	}
	if f.deep != nil {
		return f.deep(ctx, t)
	}
	return f.facts(t), nil
}

// pyVersion is the feature version of the Python facts.   1: first.   2: variables by place, mentions, what the library hands on.   3: patterns, bounds, mentions of a head.   4: sums, containers of the library, setattr.   5: rest parameters, names put together.   6: stubs of overloads.
const pyVersion = 6

var pyGrammar = sync.OnceValues(func() (*grammar, error) { return loadGrammar(0, "python", "def f(x):\n    return x\n") })

// jsVersion is the feature version of the JavaScript and TypeScript facts.   1: first.   2: lexical scopes, types, references.   3: overloads are one.   4: members set to nothing, the exports of a module.   5: old casts.   6: type arguments.
const jsVersion = 6

var (
	jsGrammar  = sync.OnceValues(func() (*grammar, error) { return loadGrammar(1, "javascript", "const f = () => <a/>;\n") })
	tsGrammar  = sync.OnceValues(func() (*grammar, error) { return loadGrammar(2, "typescript", "let x: number = 1;\n") })
	tsxGrammar = sync.OnceValues(func() (*grammar, error) { return loadGrammar(3, "tsx", "let x: number = <a/>;\n") })
)

// javaVersion is the feature version of the Java facts.   1: first.   2: type parameters.
const javaVersion = 2

var javaGrammar = sync.OnceValues(func() (*grammar, error) { return loadGrammar(5, "java", "class A { int f() { return 1; } }\n") })

// rustVersion is the feature version of the Rust facts.   1: first.   2: methods by traits are told apart.   3: calls of methods in macros.   4: type parameters.
const rustVersion = 4

var rustGrammar = sync.OnceValues(func() (*grammar, error) { return loadGrammar(4, "rust", "fn f(x: u8) -> u8 { x }\n") })

// typeParam gives the sketch of the type parameter numbered i of a class, with what bounds it, or None.
func typeParam(b *lang.Builder, class int32, i int, bound int32) int32 {
	e := lang.Expr{Op: lang.OpParam, X: class, Scope: lang.File, Name: itoa(i)}
	if bound != lang.None {
		e.Args = []lang.Arg{{X: bound}}
	}
	return b.Expr(e)
}

// Frontends gives the languages of this package, by name. A grammar that does not fit the parser shows as the error of
// every file in its language.
func Frontends() []lang.Frontend {
	modules := func(t lang.Tree) lang.Resolver { return newJSModules(t) }
	return []lang.Frontend{
		&cFrontend{name: "c", exts: []string{".c", ".h"}},
		&cFrontend{name: "cpp", exts: []string{".cc", ".cpp", ".cxx", ".c++", ".hpp", ".hh", ".hxx", ".h++", ".inl", ".ipp", ".tcc", ".cu", ".cuh"}},
		&frontend{name: "java", exts: []string{".java"}, version: javaVersion, rules: javaRules,
			grammar:  func(string) func() (*grammar, error) { return javaGrammar },
			facts:    parseJava,
			resolver: func(t lang.Tree) lang.Resolver { return newJavaModules(t) }},
		&frontend{name: "javascript", exts: []string{".js", ".jsx", ".mjs", ".cjs"}, version: jsVersion, rules: jsRules,
			grammar:  func(string) func() (*grammar, error) { return jsGrammar },
			facts:    parseScript("javascript"),
			resolver: modules},
		&frontend{name: "python", exts: []string{".py", ".pyi"}, version: pyVersion, rules: pyRules,
			grammar:  func(string) func() (*grammar, error) { return pyGrammar },
			facts:    parsePython,
			resolver: func(t lang.Tree) lang.Resolver { return &pyModules{t: t} }},
		&frontend{name: "rust", exts: []string{".rs"}, version: rustVersion, rules: rustRules,
			grammar:  func(string) func() (*grammar, error) { return rustGrammar },
			deep:     parseRust,
			resolver: newRustModules},
		&frontend{name: "typescript", exts: []string{".ts", ".tsx", ".mts", ".cts"}, version: jsVersion, rules: jsRules,
			grammar: func(ext string) func() (*grammar, error) {
				if ext == ".tsx" {
					return tsxGrammar
				}
				return tsGrammar
			},
			facts:    parseScript("typescript"),
			resolver: modules},
	}
}
