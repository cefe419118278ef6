package rust

import (
	"bytes"
	"context"
	"errors"
	"os"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/codegraph/internal/factcodec"
	"github.com/findspot/findspot/codegraph/internal/fronttest"
	"github.com/findspot/findspot/codegraph/lang"
	"github.com/findspot/findspot/codegraph/langtest"
)

func TestRust(t *testing.T) {
	if n := langtest.Run(t, Frontends(), os.DirFS("testdata"), "rust.txtar"); n < 60 {
		t.Errorf("%d cases, want 60 or more", n)
	}
}

func FuzzRust(f *testing.F) {
	fronttest.Fuzz(f, Frontends(), os.DirFS("testdata"), "rust.txtar", "a.rs")
}

func TestRustTestCode(t *testing.T) {
	src := "fn f() {}\n#[test]\nfn a() {}\n#[cfg(test)]\nmod tests { fn helper() {} struct S; impl S { fn m(&self) {} } }\n#[cfg(not(test))]\nfn g() {}\n"
	facts := fronttest.Facts(t, Frontends(), "a.rs", src)
	got := map[string]bool{}
	for _, d := range facts.Decls {
		if d.Kind == lang.Function || d.Kind == lang.Class {
			got[d.Name] = d.Flags&lang.Test != 0
		}
	}
	want := map[string]bool{"f": false, "a": true, "helper": true, "S": true, "m": true, "g": false}
	if d := cmp.Diff(want, got); d != "" {
		t.Errorf("test code (-want +got):\n%s", d)
	}
}

func TestRustManifest(t *testing.T) {
	shared := map[string]cargoDep{}
	got := readManifest("a/b", `# a comment
[package]
name = "x-y" # another
[lib]
path = "l.rs"
[dependencies]
one = "1"
two-a = { path = "../two", version = "2" }
three = { package = "four", path = "/" }
five.workspace = true
[target.'cfg(unix)'.dev-dependencies.six]
path = "../../six"
[workspace.dependencies]
five = { path = "five" }
`, shared)
	want := &cargoPackage{dir: "a/b", name: "x-y", lib: "x_y", file: "l.rs", deps: map[string]cargoDep{
		"one": {name: "one"}, "two_a": {name: "two-a", path: "a/two"}, "three": {name: "four", path: "a/b"}, "five": {name: "five"},
		"six": {name: "six", path: "six"}}}
	if d := cmp.Diff(want, got, cmp.AllowUnexported(cargoPackage{}, cargoDep{})); d != "" {
		t.Errorf("readManifest (-want +got):\n%s", d)
	}
	if d := cmp.Diff(map[string]cargoDep{"five": {name: "five", path: "a/b/five"}}, shared, cmp.AllowUnexported(cargoDep{})); d != "" {
		t.Errorf("dependencies of the workspace (-want +got):\n%s", d)
	}
}

// Macro calls within macro calls are parsed again only so often, and an ended context ends it.
func TestRustLimits(t *testing.T) {
	rust := fronttest.For(t, Frontends(), "a.rs")
	deep := "fn f() { " + strings.Repeat("a!(", 400) + "g()" + strings.Repeat(")", 400) + " }\n"
	if _, err := rust.Parse(t.Context(), "a.rs", []byte(deep)); err != nil {
		t.Errorf("macro calls within macro calls: %v", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := rust.Parse(ctx, "a.rs", []byte(strings.Repeat("fn f() { println!(\"{}\", g(1)); }\n", 100_000))); !errors.Is(err, context.Canceled) {
		t.Errorf("cancelled parse: %v", err)
	}
}

// The facts of equal bytes are equal, whatever order maps are gone through in.
func TestRustFactsAreStable(t *testing.T) {
	src := "struct S<A, B, C, D> { a: A, b: B, c: C, d: D }\n" +
		"impl S<Ia, Ib, Ic, Id> { fn f(&self) { self.a.x(); self.d.x() } }\n" +
		"fn g<A, B, C, D>(a: A, b: B) where A: Ta + Ua, B: Tb + Ub, C: Tc + Uc, D: Td + Ud { a.m(); b.m() }\n"
	var first []byte
	for range 50 {
		if b := factcodec.Encode(fronttest.Facts(t, Frontends(), "a.rs", src)); first == nil {
			first = b
		} else if !bytes.Equal(first, b) {
			t.Fatal("the same file gave other facts")
		}
	}
}

// What a method gives is said once: of two entries the order of a map would choose.
func TestRustSteps(t *testing.T) {
	said := map[string]step{}
	for s, list := range stepMethods {
		for _, w := range strings.Fields(list) {
			if other, ok := said[w]; ok {
				t.Errorf("%s is a method of steps %d and %d", w, other, s)
			}
			said[w] = s
		}
	}
}
