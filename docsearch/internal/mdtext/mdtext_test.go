package mdtext_test

import (
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/findspot/findspot/docsearch/internal/compose"
	"github.com/findspot/findspot/docsearch/internal/mdtext"
)

func TestInline(t *testing.T) {
	for in, want := range map[string]string{
		"*a* **b** ***c*** _d_ snake_case_name 2 * 3 * 4": "a b c d snake_case_name 2 * 3 * 4",
		"`a *b*` ``c ` d``": "a *b* c ` d",
		"[text](http://x \"t\") ![alt](i.png) [r][1] <http://y>": "text alt r http://y",
		"a &amp; b <b>c</b><br>d \\* e":                          "a & b c\nd * e",
		"cost $5 and $6, but $x_i^2$":                            "cost $5 and $6, but x_i^2",
		"~~gone~~ [^1]":                                          "gone [1]",
	} {
		if got := mdtext.Inline(in); got != want {
			t.Errorf("Inline(%q) = %q, want %q", in, got, want)
		}
	}
}

func TestWrite(t *testing.T) {
	p := compose.New(1)
	mdtext.Write(p, "Title\n=====\n\n## Sub ##\n\n1. one\n   - two\n2. three\n\n> quoted\nlazy\n\n    code\n\n| a | b |\n|---|:-:|\n| 1 \\| 2 | `x|y` |\n\n***\nend")
	want := "Title\n\nSub\n\n1. one\n   - two\n2. three\n\n  quoted lazy\n\ncode\n\na | b\n1 | 2 | x|y\n\nend\n"
	if diff := cmp.Diff(want, p.End().Text); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
}

// TestHostile: nothing takes more than time in proportion to its length.
func TestHostile(t *testing.T) {
	for _, s := range []string{"*", "**a ", "_a", "`", "`` a ` ", "[", "[a](", "![", "<a ", "$a", "> ", "- ", "1. ", "- a\n ", "|", "|-", "&a", "<!--", "```\n", "#", "\\", "a\n|-|\n", "](", "[^a", "[[", "*[", "()[", "[![", "<http://", "$a$1"} {
		mdtext.Write(compose.New(1), strings.Repeat(s, (64<<10)/len(s)))
	}
}

func FuzzWrite(f *testing.F) {
	f.Add("# a\n\n- b\n  1. c\n\n> d\n\n|a|b|\n|-|-|\n|`c`|$d$|\n")
	f.Fuzz(func(t *testing.T, s string) {
		p := compose.New(1)
		mdtext.Write(p, s)
		p.End()
	})
}
