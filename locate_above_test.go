//go:build cgo

package findspot_test

import (
	"strings"
	"testing"
	"testing/fstest"

	"github.com/findspot/findspot"
	"github.com/findspot/findspot/codegraph"
)

// The comment above a declaration is of it, in the layouts of all languages, and each word of it is of one entity alone.
func TestWordsAbove(t *testing.T) {
	for name, c := range map[string]struct {
		src  string
		want map[string]string
	}{
		"a.go": {"// alpha\n\npackage a\n\n// bravo\ntype (\n\t// charlie\n\tA struct{}\n)\n\n/*\ndelta\n*/\nfunc F() {}\n\n// echo\ntype I interface {\n\t// foxtrot\n\tM()\n}\n",
			map[string]string{"alpha": "a.go", "bravo": "a.go", "charlie": "a.go:A", "delta": "a.go:F", "echo": "a.go:I", "foxtrot": "a.go:I.M"}},
		"a.py": {"# alpha\nimport os\n\n# bravo\n@deco(1)\n# charlie\n@other\nclass A:\n    # delta\n    @property\n    def m(self):\n        pass\n\n# echo\n\ndef f(): pass\n",
			map[string]string{"alpha": "a.py", "bravo": "a.py:A", "charlie": "a.py:A", "delta": "a.py:A.m", "echo": "a.py"}},
		"a.rs": {"//! alpha\n\n/// bravo\n#[derive(Debug)]\npub struct A { x: i32 }\n\nimpl A {\n    /// charlie\n    #[inline]\n    pub async fn m(&self) {}\n}\n/** delta */\npub trait T {}\n",
			map[string]string{"alpha": "a.rs", "bravo": "a.rs:A", "charlie": "a.rs:A.m", "delta": "a.rs:T"}},
		"a.ts": {"/** alpha */\nexport class A {\n  /** bravo\n   * more */\n  @deco()\n  async m() {}\n}\n/**\n * charlie\n */\nexport default function f() {}\n/** delta */\nexport const g = () => { return 1; };\n/** echo */\nexport interface I { x: number }\n",
			map[string]string{"alpha": "a.ts:A", "bravo": "a.ts:A.m", "charlie": "a.ts:f", "delta": "a.ts:g", "echo": "a.ts:I"}},
		"A.java": {"package a;\n/**\n * alpha\n */\n@Anno\npublic final class A {\n    /** bravo */\n    @Override\n    public int m() { return 1; }\n    // charlie\n    static <T> T n() { return null; }\n}\n",
			map[string]string{"alpha": "A.java:A", "bravo": "A.java:A.m", "charlie": "A.java:A.n"}},
		"a.c": {"/* alpha */\n#include <a.h>\n#define BRAVO 1\n/* charlie\n   delta */\nstatic int f(void) { return 1; }\nint x; /* echo\n foxtrot */\nint g(void) { return 0; }\n",
			map[string]string{"alpha": "a.c", "bravo": "a.c", "charlie": "a.c:f", "delta": "a.c:f", "echo": "a.c", "foxtrot": "a.c"}},
	} {
		g, err := codegraph.Build(t.Context(), fstest.MapFS{name: {Data: []byte(c.src)}}, findspot.Languages(), nil)
		if err != nil {
			t.Fatal(err)
		}
		for word, want := range c.want {
			res, err := g.Search(t.Context(), word, nil)
			if err != nil || len(res.Hits) != 1 || res.Hits[0].ID != want {
				var got []string
				for _, h := range res.Hits {
					got = append(got, h.ID)
				}
				t.Errorf("%s: %q is a word of %s, want %s alone: %v", name, word, strings.Join(got, ", "), want, err)
			}
		}
	}
}
