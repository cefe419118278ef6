package living

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/findspot/findspot/skill/evidence"
)

// made is a file of code, ready to be searched.
func made(t testing.TB, name, src string) *file {
	t.Helper()
	c := &checker{texts: map[string]*source{}}
	s, err := c.ready(name, src)
	if err != nil {
		t.Fatal(err)
	}
	return &file{source: s, path: name}
}

func entity(text string) evidence.Item {
	return evidence.Item{Kind: evidence.KindEntity, At: evidence.Place{Path: "x", Line: 1}, Text: text}
}

// Code that a formatter wrote anew is the same code; code that says something else is not, however small the difference.
func TestWritten(t *testing.T) {
	const (
		py = "def f(a, b=1):\n    # adds\n    return g(a, 'x y', b)"
		ts = "function f(a: number) {\n  if (a) { return 'x'; }\n  return a - 1;\n}"
		c  = "int f(int *p, int n)\n{\n\treturn p[n] - 'a';\n}"
	)
	for _, tt := range []struct {
		name, file, was, now string
		want                 string // lines; empty: it is not there
	}{
		{"as it was", "x.py", py, py, "1-3"},
		{"wrapped, with a comma at the end", "x.py", py, "def f(\n    a,\n    b=1,\n):\n    # adds\n    return g(\n        a,\n        \"x y\",\n        b,\n    )", "1-10"},
		{"other blanks", "x.py", py, "def f( a,b = 1 ) :\n  # adds\n  return g( a,'x y',b )", "1-3"},
		{"lower down, in a class", "x.py", py, "class A:\n\n    def f(a, b = 1):\n        # adds\n        return g(a, \"x y\", b)\n", "3-5"},
		{"a comment that came", "x.py", py, "def f(a, b=1):\n    # why\n    # adds\n    return g(a, 'x y', b)  # at last", "1-4"},
		{"a comment that went", "x.py", py, "def f(a, b=1):\n    return g(a, 'x y', b)", ""},
		{"another comment", "x.py", py, "def f(a, b=1):\n    # subtracts\n    return g(a, 'x y', b)", ""},
		{"a blank in a string", "x.py", py, "def f(a, b=1):\n    # adds\n    return g(a, 'x  y', b)", ""},
		{"a blank less in a string", "x.py", py, "def f(a, b=1):\n    # adds\n    return g(a, 'xy', b)", ""},
		{"a comma within a line", "x.py", py, "def f(a, b=1):\n    # adds\n    return g(a, 'x y', b,)", ""},
		{"a number", "x.py", py, "def f(a, b=11):\n    # adds\n    return g(a, 'x y', b)", ""},
		{"a longer name before", "x.py", "f(a)\nreturn", "sf(a)\nreturn", ""},
		{"a longer name behind", "x.py", "return g(a)\nfor b", "return g(a)\nfor bc", ""},
		{"words together", "x.py", "not in a", "notin a", ""},
		{"signs together", "x.ts", "a + +b", "a ++b", ""},
		{"without semicolons, in double quotes", "x.ts", ts, "function f(a: number) {\n  if (a) {\n    return \"x\"\n  }\n  return a - 1\n}", "1-6"},
		{"quotes in a string of the other kind", "x.ts", `let a = 'say "x"';`, `let a = "say \"x\"";`, ""},
		{"an escaped quote", "x.ts", `let a = 'it\'s';`, `let a = "it\"s";`, ""},
		{"a semicolon within a line", "x.ts", "for (;;) go(); end(); last", "for (;) go(); end(); last", ""},
		{"braces on other lines", "x.c", c, "int f(int* p, int n) {\n    return p[n]-'a';\n}", "1-3"},
		{"other quotes where they mean something else", "x.c", c, "int f(int *p, int n)\n{\n\treturn p[n] - \"a\";\n}", ""},
		{"semicolons where they mean something", "x.c", "a();\nb();", "a()\nb()", ""},
		{"an operation", "x.c", c, "int f(int *p, int n)\n{\n\treturn p[n] + 'a';\n}", ""},
		{"two places", "x.go", "x := 1\ny := 2", "x:= 1\ny:=2\n\nz()\nx :=1\n\ny := 2\n", "1-2 5-7"},
		{"an unknown language", "x.rb", "a = 1", "a=1", ""},
		{"only a comment", "x.py", "# adds", "#adds", ""},
		{"left out, with numbers of lines", "x.go", "  1 | func f() {\n  2 | \ta(1)\n    | ...\n  9 | \tb(2)\n 10 | }", "func f() {\n\ta( 1 )\n\tx()\n\ty()\n\tb( 2 )\n}\n", "1-6"},
		{"left out, in another order", "x.go", "  1 | a(1)\n    | ...\n  9 | b(2)", "b( 2 )\nx()\na( 1 )\n", ""},
		{"left out, too far", "x.go", "  1 | a(1)\n    | ...\n  9 | b(2)", "a( 1 )\n" + strings.Repeat("x()\n", maxLeftOut+1) + "b( 2 )\n", ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []string
			for _, s := range made(t, tt.file, tt.now).written(entity(tt.was)) {
				got = append(got, fmt.Sprintf("%d-%d", s.First, s.Last))
			}
			if got := strings.Join(got, " "); got != tt.want {
				t.Errorf("stands at %q, want %q", got, tt.want)
			}
		})
	}
}

// The comparison of words takes white space in strings for that of a text; code does not.
func TestLiterally(t *testing.T) {
	f := made(t, "x.ts", "const a = 'x. . .';\nconst b = 'y...';\n")
	for was, want := range map[string]bool{"const a = 'x. . .';": true, "const a = 'x...';": false, "const a = \"x. . .\";": true, "a": true} {
		if got := f.literally(entity(was), evidence.Stretch{First: 1, Last: 1}); got != want {
			t.Errorf("%s: %v", was, got)
		}
	}
}

// Hostile files are given up in time.
func TestWrittenBounds(t *testing.T) {
	begin := time.Now()
	for name, src := range map[string]string{
		"repetitive": strings.Repeat("a ", maxBare/2-1), "comments": strings.Repeat("/**/a;", maxBare/6-1), "open": strings.Repeat("'a\n", maxBare/3-1), "brackets": strings.Repeat(",\n)", maxBare/3-1),
	} {
		for _, was := range []string{strings.Repeat("a ", 2000) + "b", "/*x*/ a;", "a /*x*/", strings.Repeat(")", 1000) + "a"} {
			if found := made(t, "x.c", src).written(entity(was)); len(found) > 0 {
				t.Errorf("%s: %.20q is found at %v", name, was, found)
			}
		}
	}
	t.Logf("it took %s", time.Since(begin))
	if f := made(t, "x.c", strings.Repeat("a;\n", maxBare)); f.written(entity("a ;")) != nil {
		t.Error("a file that is too long was looked at")
	}
}

// Of several places it is the one that evidence beside it has moved along with.
func TestExpected(t *testing.T) {
	at := func(path string, line int, text string) evidence.Item {
		return evidence.Item{Kind: evidence.KindText, At: evidence.Place{Path: path, Line: line}, Text: text}
	}
	c := &checker{texts: map[string]*source{}, items: []evidence.Item{at("a", 2, "twice()"), at("a", 4, "near()"), at("a", 40, "far()"), at("b", 3, "near()"), at("a", 3, "gone()"), at("a", 5, "twice()")}}
	s, err := c.ready("a", strings.Repeat("\n", 9)+"twice()\nx()\nnear()\ntwice()\n"+strings.Repeat("\n", 60)+"far()\n")
	if err != nil {
		t.Fatal(err)
	}
	for line, want := range map[int]int{0: 0, 2: 11 - 1, 3: 11, 4: 4 + 34, 39: 39 + 34, 100: 100 + 34} {
		if got, err := c.expected(t.Context(), s, evidence.Place{Path: "a"}, line); err != nil || got != want {
			t.Errorf("what stood at line %d is expected at %d, want %d, %v", line, got, want, err)
		}
	}
	if got, _ := c.expected(t.Context(), s, evidence.Place{Path: "c"}, 2); got != 2 {
		t.Errorf("without other evidence at %d", got)
	}
}

func TestHere(t *testing.T) {
	at := evidence.Place{Line: 5, EndLine: 7}
	for s, want := range map[evidence.Stretch]bool{{First: 1, Last: 4}: false, {First: 1, Last: 5}: true, {First: 6, Last: 6}: true, {First: 7, Last: 9}: true, {First: 8, Last: 9}: false} {
		if here(s, at) != want {
			t.Errorf("%v: %v", s, !want)
		}
	}
	if here(evidence.Stretch{First: 1, Last: 9}, evidence.Place{}) {
		t.Error("a place without lines")
	}
}
