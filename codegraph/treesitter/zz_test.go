package treesitter

import (
	"context"
	"fmt"
	"os"
	"strings"
	"testing"
)

func TestDumpZ(t *testing.T) {
	p := os.Getenv("ZDUMP")
	if p == "" {
		t.Skip()
	}
	src, _ := os.ReadFile(p)
	g, err := pyGrammar()
	if err != nil {
		t.Fatal(err)
	}
	tr, err := g.parse(context.Background(), src)
	if err != nil {
		t.Fatal(err)
	}
	var walk func(n int32, d int)
	walk = func(n int32, d int) {
		fmt.Printf("%s%s %s: %.40q\n", strings.Repeat("  ", d), tr.fieldName(n), tr.kind(n), tr.text(n))
		for c := range tr.children(n) {
			walk(c, d+1)
		}
	}
	walk(0, 0)
}
