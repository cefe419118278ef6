package javascript

import (
	"bytes"

	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/treesitter/internal/core"
)

func (s *walker) importStatement(n int32) {
	src := s.constant(s.Field(n, "source"))
	base := lang.Import{Scope: s.cur.decl, Module: src, Line: s.Line(n)}
	add := func(name, alias string) {
		m := base
		m.Name, m.Alias = name, alias
		s.b.Facts.Imports = append(s.b.Facts.Imports, m)
	}
	if r := s.First(n, "import_require_clause"); r >= 0 { // import x = require("y")
		base.Module = s.constant(s.Field(r, "source"))
		add("", "")
		name := s.Text(s.Child(r, 0))
		s.b.Bind(lang.Assign, s.cur.decl, s.bound(name), s.b.Leaf(lang.OpModule, lang.File, base.Module), s.Line(n))
		return
	}
	clause := s.First(n, "import_clause")
	if clause < 0 {
		add("", "")
		return
	}
	for c := range s.Children(clause) {
		switch s.Kind(c) {
		case "identifier":
			add("default", s.Text(c))
		case "namespace_import":
			add("*", s.Text(s.Child(c, 0)))
		case "named_imports":
			for i := range s.Children(c) {
				if s.Kind(i) != "import_specifier" {
					continue
				}
				name := s.key(s.Field(i, "name"))
				alias := name
				if a := s.Field(i, "alias"); a >= 0 {
					alias = s.Text(a)
				}
				add(name, alias)
			}
		}
	}
}

// exportStatement reads "export ...".
func (s *walker) exportStatement(n int32) {
	src := s.constant(s.Field(n, "source"))
	rest := bytes.TrimSpace(bytes.TrimPrefix(s.Src[s.Start(n):s.End(n)], []byte("export")))
	isDefault := bytes.HasPrefix(rest, []byte("default"))
	file := s.cur.decl == lang.File
	add := func(name, as string) {
		s.b.Facts.Imports = append(s.b.Facts.Imports, lang.Import{Scope: lang.File, Module: src, Name: name, As: as, Line: s.Line(n)})
	}
	if clause := s.First(n, "export_clause"); clause >= 0 {
		for c := range s.Children(clause) {
			if s.Kind(c) != "export_specifier" {
				continue
			}
			from := s.Field(c, "name")
			name := s.key(from)
			as := name
			if a := s.Field(c, "alias"); a >= 0 {
				as = s.key(a)
			}
			if src == "" {
				x := s.name(name)
				if _, is := s.find(name); is.kind == boundEntity || is.kind == boundImport {
					s.refAt(lang.Use, from, x, x, lang.None)
				}
				if !file {
					if as != name {
						s.b.Bind(lang.Assign, s.cur.decl, as, x, s.Line(n))
					}
					continue
				}
			}
			add(name, as)
		}
		return
	}
	if ns := s.First(n, "namespace_export"); ns >= 0 {
		add("*", s.Text(s.Child(ns, 0)))
		return
	}
	if src != "" {
		add("*", "")
		return
	}
	if bytes.HasPrefix(rest, []byte("as ")) { // export as namespace X
		return
	}
	for c := range s.Children(n) {
		if s.is(c, "decorator", "comment") {
			continue
		}
		s.exported(n, c, isDefault, bytes.HasPrefix(rest, []byte("=")))
	}
}

// exported reads what an export statement declares or, for the default export and "export =", gives.
func (s *walker) exported(n, c int32, isDefault, assign bool) {
	before := int32(len(s.b.Facts.Decls))
	x := lang.None
	r := s.strip(c)
	switch {
	case !isDefault && !assign:
		x = s.visit(c)
	case s.isFunction(r) && s.Field(r, "name") < 0:
		s.wrap(c, r)
		x = s.b.Decl(s.function(r, r, "default", "", lang.Hidden))
	case s.is(r, "class") && s.Field(r, "name") < 0:
		s.wrap(c, r)
		x = s.b.Decl(s.class(r, r, "default", lang.Hidden))
	case s.is(r, "class"):
		x = s.b.Decl(s.class(r, r, s.Text(s.Field(r, "name")), 0))
	case s.is(r, "object"):
		s.wrap(c, r)
		x = s.object(r, "default", nil)
	default:
		s.nameFunctions(r, "default")
		x = s.value(c)
	}
	if d := before; int(d) < len(s.b.Facts.Decls) && s.b.Facts.Decls[d].Parent == s.cur.decl && s.b.Facts.Decls[d].Kind == lang.Class {
		for e := range s.Children(n) {
			if s.is(e, "decorator") {
				s.decorator(e, d)
			}
		}
	}
	switch {
	case assign:
		s.b.Bind(lang.Assign, lang.File, "module.exports", x, s.Line(c))
	case isDefault && s.is(r, "function_signature") && s.overloads(r, s.Text(s.Field(r, "name"))):
	case isDefault && s.cur.decl == lang.File:
		if x != lang.None && s.b.Facts.Exprs[x].Op == lang.OpDecl {
			s.b.Facts.Decls[s.b.Facts.Exprs[x].Decl].Flags |= lang.DefaultExport
		}
		s.b.Bind(lang.Assign, lang.File, "default", x, s.Line(c))
	}
}

var rules = lang.Rules{
	Family:       "javascript",
	Constructors: []string{"constructor"},
	Class:        "constructor",
	Call:         callMethod,
	Typed:        true,
	Objects:      true,
	Config:       []string{"tsconfig*.json", "jsconfig*.json", "package.json"},
	Builtins: core.Words(`Array ArrayBuffer Atomics BigInt Boolean DataView Date Error EvalError Function Infinity Intl JSON Map
Math NaN Number Object Promise Proxy RangeError ReferenceError Reflect RegExp Set String Symbol SyntaxError TypeError
URIError URL URLSearchParams WeakMap WeakRef WeakSet console decodeURI decodeURIComponent document encodeURI
encodeURIComponent eval exports fetch global globalThis isFinite isNaN module navigator parseFloat parseInt process
queueMicrotask require clearInterval clearTimeout setInterval setTimeout setImmediate structuredClone window Buffer
__dirname __filename alert AbortController TextDecoder TextEncoder Uint8Array Int8Array Uint16Array Int16Array
Uint32Array Int32Array Float32Array Float64Array describe it test expect beforeEach afterEach beforeAll afterAll jest`),
	Common: core.Words(`add apply assign at bind call catch charAt clear close concat delete destroy emit end endsWith entries error
every exec filter finally find findIndex flat flatMap forEach get has hasOwnProperty includes indexOf info join keys
lastIndexOf length log map match next off on once open parse pipe pop push put read reduce reject remove replace
request resolve reverse search send set shift slice some sort splice split start startsWith stop stringify substr
substring test then toFixed toLowerCase toString toUpperCase trim unshift update use valueOf values warn write`),
}
